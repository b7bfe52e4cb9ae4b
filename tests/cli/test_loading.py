"""What a command loads: nothing that it does not need."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import emlia3d
from emlia3d.cli import COMMANDS, main


def loaded_by(*commands: Sequence[str], of: tuple[str, ...]) -> str:
    """Those of some modules that commands have loaded when they are done, as Python lists them."""
    program = (
        f"import sys; from emlia3d.cli import main; [main(words) for words in {commands}]; "
        f"print([name for name in {of} if name in sys.modules])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return printed.stdout.splitlines()[-1]


HEAVY = (
    "numpy", "shapely", "rich", "pydantic", "msgspec", "emlia3d.battle", "emlia3d.field",
    "emlia3d.geometry", "emlia3d.rules", "emlia3d.scenario.scenario", "emlia3d.view.panda",
)  # fmt: skip


def test_asking_how_commands_are_used_loads_nothing_that_answers_them() -> None:
    asked = [["--help"], ["--version"], *([command, "--help"] for command in COMMANDS)]

    assert loaded_by(*asked, of=HEAVY) == "[]"


def test_only_the_command_that_is_asked_for_is_loaded() -> None:
    commands = tuple(f"emlia3d.cli.commands.{command}" for command in COMMANDS)

    assert loaded_by(["odds", "--help"], of=commands) == "['emlia3d.cli.commands.odds']"


def test_a_battle_that_nobody_watches_loads_nothing_to_draw_and_to_tell_it_with() -> None:
    heavy = (
        "panda3d", "PIL", "rich", "emlia3d.view", "emlia3d.battle.plain_geometry.geometric_sight",
        "emlia3d.rules.emlia.words.phrases", "emlia3d.rules.emlia.words.card",
        "emlia3d.rules.emlia.report.battle_report", "emlia3d.rules.emlia.play.questions.outcomes",
        "emlia3d.rules.emlia.play.questions.answer",
    )  # fmt: skip

    assert loaded_by(["battle", "duel", "--headless", "--turns", "1"], of=heavy) == "[]"


BASELINES = ("emlia3d.studies.baselines", "emlia3d.studies.tasks", "numba", "embreex")


@pytest.mark.parametrize("modules", ["emlia3d", "emlia3d.cli", "emlia3d.studies"])
def test_importing_the_package_loads_no_baseline(modules: str) -> None:
    program = f"import sys, {modules}; print([name for name in {BASELINES} if name in sys.modules])"

    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert printed.stdout == "[]\n"


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        ["battle", "duel", "--headless", "--turns", "1"],
        ["battle", "duel", "--headless", "--turns", "1", "--times", "2"],
    ],
    ids=["one battle", "many battles"],
)
def test_playing_a_battle_loads_no_baseline(words: list[str]) -> None:
    assert loaded_by(words, of=BASELINES) == "[]"


def test_only_bench_loads_the_baselines() -> None:
    words = ["bench", "--sizes", "100", "--tasks", "dice", "--json"]

    assert (
        loaded_by(words, of=BASELINES) == "['emlia3d.studies.baselines', 'emlia3d.studies.tasks']"
    )
    package = Path(emlia3d.__file__).parent
    importers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "studies.baselines" in path.read_text("utf-8")
    }
    assert importers == {"studies/fighting.py", "studies/looking.py"}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_says_how_it_is_used(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([command, "--help"])

    assert status == 0
    assert f"Usage: emlia3d {command}" in capsys.readouterr().out


def test_all_commands_are_listed_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    main([])

    listed = capsys.readouterr().out.partition("Commands:")[2]
    assert [line.split()[0] for line in listed.strip().splitlines() if line[2:3].strip()] == [
        "battle", "play", "view", "edit", "report", "sight", "viewshed", "exposure", "route",
        "odds", "import", "check", "schema", "scenarios", "rules", "study", "bench", "models",
        "doctor",
    ]  # fmt: skip

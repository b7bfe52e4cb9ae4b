"""The README is true: its commands, its scenario, its Python, its counts, its keys."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from emlia3d.cli import main
from emlia3d.rules.catalogue import SYSTEMS, Coverage, coverage
from emlia3d.scenario import check
from emlia3d.view.window.keys import SECTIONS

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")

SYSTEM_NAMES = ("DBMM", "Emlia", "Epic", "Oathmark", "Runolfsson")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


def test_two_commands_set_it_up() -> None:
    first, second = (block.strip() for block in blocks("sh"))

    assert first.startswith("python3 -m venv .venv && ")
    assert first.endswith("/emlia3d battle")
    assert second.startswith("python3 -m venv .venv && ")
    assert second.endswith("/pytest -n auto")


def test_it_opens_with_a_picture_that_is_there() -> None:
    picture = re.match(r"# emlia3d\n\n!\[[^\]]+\]\(([^)]+)\)\n", README)

    assert picture
    assert (ROOT / picture[1]).is_file()


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!http)([^)]+)\)", README)

    assert [link for link in links if not (ROOT / link.partition("#")[0]).exists()] == []


def test_its_scenario_is_right(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    file = tmp_path / "readme.toml"
    file.write_text(text, encoding="utf-8")

    assert check(file) == ()


@pytest.mark.parametrize("program", blocks("python"), ids=("a battle", "armies"))
def test_its_python_plays_battles(program: str) -> None:
    program = program.replace("maps/", f"{(ROOT / 'maps').as_posix()}/")
    told: list[tuple[object, ...]] = []

    exec(compile(program, "README.md", "exec"), {"print": lambda *words: told.append(words)})

    assert told


def assert_told(rows: list[str], old: str, regenerate: bool) -> None:
    """The README has *rows*; to regenerate, they are put where *old* matches."""
    if regenerate:
        text = (ROOT / "README.md").read_text("utf-8")
        told = re.sub(old, "".join(f"{row}\n" for row in rows), text, flags=re.MULTILINE)
        (ROOT / "README.md").write_text(told, encoding="utf-8")

    told = (ROOT / "README.md").read_text("utf-8")
    lacking = [row for row in rows if f"\n{row}\n" not in told]
    assert lacking == [], "pytest tests/test_readme.py --regenerate"


def in_round_figures(counts: Coverage) -> tuple[str, str, str]:
    """How much of a catalogue is played, in words that one more tested rule leaves as they are."""
    missing = (counts.catalogue - part for part in (counts.implemented, counts.tested))
    parts = (
        "all" if not lacking else "none" if lacking == counts.catalogue else f"all but {lacking}"
        for lacking in missing
    )
    return f"over {(counts.catalogue - 1) // 100 * 100}", *parts


def test_its_counts_of_rules_are_those_of_the_program(regenerate: bool) -> None:
    rows = [
        f"| {' | '.join((name, *in_round_figures(counts)))} |"
        for name, counts in zip(SYSTEM_NAMES, map(coverage, SYSTEMS), strict=True)
    ]

    assert_told(rows, r"^(?:\| \w+ \| over \d+ \| [^|]+ \| [^|]+ \|\n)+", regenerate)


def test_one_more_tested_rule_changes_no_count() -> None:
    before = Coverage(catalogue=804, implemented=804, tested=782)

    assert in_round_figures(before) == ("over 800", "all", "all but 22")
    assert in_round_figures(Coverage(catalogue=805, implemented=805, tested=783)) == (
        in_round_figures(before)
    )
    assert in_round_figures(Coverage(catalogue=805, implemented=0, tested=0))[1:] == (
        "none",
        "none",
    )


def test_its_keys_are_those_of_the_window(regenerate: bool) -> None:
    rows = [
        line
        for title, section in SECTIONS
        for line in (f"| **{title}** | |", *(f"| {row.shown} | {row.meaning} |" for row in section))
    ]

    assert_told(rows, r"(?<=^\| keys \| what they do \|\n\|---\|---\|\n)(?:\|.*\|\n)+", regenerate)


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(
            shown,
            id=shown.split()[2],
            marks=[pytest.mark.slow] if "--times" in shown.splitlines()[0] else [],
        )
        for shown in blocks("console")
    ],
)
def test_its_questions_are_answered_so(
    shown: str, regenerate: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    command = shown.splitlines()[0]
    main(shlex.split(command.removeprefix("$ emlia3d ")))
    told = f"{command}\n{capsys.readouterr().out}"
    if regenerate:
        text = (ROOT / "README.md").read_text("utf-8")
        (ROOT / "README.md").write_text(text.replace(shown, told), encoding="utf-8")

    assert told in (ROOT / "README.md").read_text("utf-8"), (
        "pytest tests/test_readme.py --regenerate"
    )


def test_its_requirement_of_python_is_the_package_s() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (version,) = re.findall(r"Python (\d\.\d+) or later", README)

    assert settings["project"]["requires-python"] == f">={version}"

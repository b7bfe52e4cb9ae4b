"""README and pages are true: commands, scenario, Python, answers, counts, keys, links."""

from __future__ import annotations

import re
import shlex
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from emlia3d.cli import main
from emlia3d.rules.catalogue import SYSTEMS, CatalogueCoverage, coverage
from emlia3d.scenario import check
from emlia3d.view.actions.key_map import DEFAULT_KEYS
from emlia3d.view.actions.window_actions import GROUPS, WindowAction, WindowInput

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
PAGES = (README, *sorted(DOCS.glob("*.md")))

ANSWERED = tuple(DOCS / f"{name}.md" for name in ("sight", "odds", "measuring", "studies"))
"""The pages whose console blocks show whole answers."""

SYSTEM_NAMES = ("DBMM", "Emlia", "Epic", "Oathmark", "Runolfsson")


def blocks(language: str, *pages: Path) -> list[tuple[Path, str]]:
    """The code blocks of a language on some pages, each with its page."""
    pattern = re.compile(rf"^```{language}\n(.*?)^```$", re.DOTALL | re.MULTILINE)
    return [(page, text) for page in pages for text in pattern.findall(page.read_text("utf-8"))]


def commands() -> list[tuple[str, ...]]:
    """Every command line of the program on the pages, as its words."""
    lines = [
        line.removeprefix("$ ")
        for language in ("sh", "console")
        for _, text in blocks(language, *PAGES)
        for line in text.splitlines()
    ]
    words = [shlex.split(line, comments=True) for line in lines if line.startswith("emlia3d ")]
    return sorted({tuple(found[1:]) for found in words if "..." not in found})


def test_the_readme_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def test_two_commands_set_it_up() -> None:
    first, second = (text.strip() for _, text in blocks("sh", README))

    assert first.startswith("python3 -m venv .venv && ")
    assert first.endswith("/emlia3d battle")
    assert second.startswith("python3 -m venv .venv && ")
    assert second.endswith("/pytest -n auto")


def test_it_opens_with_a_picture_that_is_there() -> None:
    picture = re.match(r"# emlia3d\n\n!\[[^\]]+\]\(([^)]+)\)\n", README.read_text("utf-8"))

    assert picture
    assert (ROOT / picture[1]).is_file()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http|#)([^)\s]+)\)", page.read_text("utf-8"))

    assert [link for link in links if not (page.parent / link.partition("#")[0]).exists()] == []


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_commands_and_their_options_exist(words: tuple[str, ...]) -> None:
    function = {"import": "import_field"}.get(words[0], words[0])
    command = getattr(import_module(f"emlia3d.cli.commands.{function}"), function)
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}

    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    assert [option for option in options if option not in {*known, "--help"}] == []


def test_its_scenario_is_right(tmp_path: Path) -> None:
    ((_, text),) = blocks("toml", README)
    file = tmp_path / "readme.toml"
    file.write_text(text, encoding="utf-8")

    assert check(file) == ()


@pytest.mark.parametrize(
    ("page", "program"),
    blocks(
        "python",
        README,
        *(DOCS / f"{n}.md" for n in ("measuring", "python", "learning", "studies")),
    ),
    ids=("a battle", "armies", "many pairs", "random orders", "a policy", "processes", "a study"),
)
def test_its_python_runs(page: Path, program: str) -> None:
    program = program.replace("maps/", f"{(ROOT / 'maps').as_posix()}/")
    told: list[tuple[object, ...]] = []

    names = {"__name__": "__main__", "print": lambda *words: told.append(words)}
    exec(compile(program, page.name, "exec"), names)

    assert told


def assert_told(page: Path, rows: list[str], old: str, regenerate: bool) -> None:
    """A page has *rows*; to regenerate, they are put where *old* matches."""
    if regenerate:
        text = page.read_text("utf-8")
        told = re.sub(old, "".join(f"{row}\n" for row in rows), text, flags=re.MULTILINE)
        page.write_text(told, encoding="utf-8")

    told = page.read_text("utf-8")
    lacking = [row for row in rows if f"\n{row}\n" not in told]
    assert lacking == [], "pytest tests/test_readme.py --regenerate"


def in_round_figures(counts: CatalogueCoverage) -> tuple[str, str, str]:
    """How much of a catalogue is played, in words that one more tested rule leaves as they are."""
    missing = (counts.catalogue - part for part in (counts.implemented, counts.tested))
    parts = (
        "all" if not lacking else "none" if lacking == counts.catalogue else f"all but {lacking}"
        for lacking in missing
    )
    return f"over {(counts.catalogue - 1) // 100 * 100}", *parts


def test_counts_of_rules_are_those_of_the_program(regenerate: bool) -> None:
    rows = [
        f"| {' | '.join((name, *in_round_figures(counts)))} |"
        for name, counts in zip(SYSTEM_NAMES, map(coverage, SYSTEMS), strict=True)
    ]

    old = r"^(?:\| \w+ \| over \d+ \| [^|]+ \| [^|]+ \|\n)+"
    assert_told(DOCS / "rules.md", rows, old, regenerate)


def test_one_more_tested_rule_changes_no_count() -> None:
    before = CatalogueCoverage(catalogue=804, implemented=804, tested=782)

    assert in_round_figures(before) == ("over 800", "all", "all but 22")
    assert in_round_figures(CatalogueCoverage(catalogue=805, implemented=805, tested=783)) == (
        in_round_figures(before)
    )
    assert in_round_figures(CatalogueCoverage(catalogue=805, implemented=0, tested=0))[1:] == (
        "none",
        "none",
    )


def _line_of(row: WindowInput) -> str:
    name = f"`{row.name}`" if isinstance(row, WindowAction) else ""
    return f"| {DEFAULT_KEYS.shown(row)} | {row.words} | {name} |"


def test_keys_are_those_of_the_window(regenerate: bool) -> None:
    rows = [
        line
        for title, section in GROUPS
        for line in (f"| **{title}** | | |", *map(_line_of, section))
    ]

    old = r"(?<=^\| keys \| action \| name \|\n\|---\|---\|---\|\n)(?:\|.*\|\n)+"
    assert_told(DOCS / "window.md", rows, old, regenerate)


@pytest.mark.parametrize(
    ("page", "shown"),
    [
        pytest.param(
            page,
            shown,
            id=shown.split()[2],
            marks=[pytest.mark.slow]
            if any(word in shown.splitlines()[0] for word in ("--times", " study "))
            else [],
        )
        for page, shown in blocks("console", *ANSWERED)
    ],
)
def test_questions_are_answered_so(
    page: Path, shown: str, regenerate: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    command = shown.splitlines()[0]
    main(shlex.split(command.removeprefix("$ emlia3d ")))
    told = f"{command}\n{capsys.readouterr().out}"
    if regenerate:
        page.write_text(page.read_text("utf-8").replace(shown, told), encoding="utf-8")

    assert told in page.read_text("utf-8"), "pytest tests/test_readme.py --regenerate"


def test_its_requirement_of_python_is_the_package_s() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (version,) = re.findall(r"Python (\d\.\d+) or later", README.read_text("utf-8"))

    assert settings["project"]["requires-python"] == f">={version}"

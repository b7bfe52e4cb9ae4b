"""The tutorials are true: each is followed from its first line to its last, in an empty folder."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from emlia3d.cli import main

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [DOCS / f"tutorial-{name}.md" for name in ("battle", "sight", "army")]
STEP = re.compile(r"^```(toml|console|diff)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"`(\w+\.toml)`")


def edited(text: str, change: str) -> str:
    """Return a text with a change made: lines of " " and "-" give way to those of " " and "+"."""
    lines = change.splitlines()
    old = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
    new = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
    assert text.count(old) == 1, old
    return text.replace(old, new)


def edit(folder: Path, change: str) -> None:
    """Make a change in the one file of a folder that it fits."""
    lines = [line[1:] for line in change.splitlines() if line[0] in " -"]
    (file,) = (
        found for found in folder.glob("*.toml") if "\n".join(lines) in found.read_text("utf-8")
    )
    file.write_text(edited(file.read_text("utf-8"), change), encoding="utf-8")


def steps(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield each step of a page: its kind, its text, and the file named last before it."""
    for found in STEP.finditer(page):
        named = FILE.findall(page[: found.start()])
        yield found[1], found[2], named[-1] if named else ""


def follow(
    page: Path, folder: Path, capsys: pytest.CaptureFixture[str], *, many: bool
) -> list[tuple[str, str]]:
    """Do what a page says; return each console block with what it has to be.

    *many*: also play the battles that take long; without it their blocks are taken as they are.
    """
    answers = []
    for kind, text, name in steps(page.read_text("utf-8")):
        if kind == "toml":
            (folder / name).write_text(text, encoding="utf-8")
        elif kind == "diff":
            edit(folder, text)
        elif many or "--times" not in text:
            command = text.splitlines()[0]
            main(shlex.split(command.removeprefix("$ emlia3d ")))
            told = capsys.readouterr()
            answers.append((text, f"{command}\n{told.out}{told.err}"))
    return answers


def with_answers(text: str, answers: list[tuple[str, str]]) -> str:
    """Return a page with new console blocks, in their order: two may be equal."""
    done = ""
    for shown, told in answers:
        before, block, text = text.partition(f"```console\n{shown}```")
        assert block
        done += f"{before}```console\n{told}```"
    return done + text


@pytest.mark.parametrize(
    ("page", "many"),
    [
        *(pytest.param(page, False, id=page.stem) for page in PAGES),
        *(
            pytest.param(page, True, id=f"{page.stem}, many battles", marks=pytest.mark.slow)
            for page in PAGES
            if "--times" in page.read_text("utf-8")
        ),
    ],
)
def test_a_tutorial_is_followed_step_by_step(
    page: Path,
    many: bool,
    regenerate: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    answers = follow(page, tmp_path, capsys, many=many)
    if regenerate:
        page.write_text(with_answers(page.read_text("utf-8"), answers), encoding="utf-8")

    assert answers
    assert [shown for shown, _ in answers] == [told for _, told in answers] or regenerate


def test_equal_blocks_are_renewed_each_by_its_own_answer() -> None:
    page = "```console\na\n```\nthen\n```console\na\n```\nend\n"

    renewed = with_answers(page, [("a\n", "b\n"), ("a\n", "c\n")])

    assert renewed == "```console\nb\n```\nthen\n```console\nc\n```\nend\n"


def test_a_change_that_fits_nowhere_fails() -> None:
    with pytest.raises(AssertionError):
        edited("a = 1\n", "-a = 2\n+a = 3\n")

"""What a file says never becomes what a terminal obeys: one way leads to it, and it is guarded."""

from __future__ import annotations

import ast
import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

import emlia3d.cli
from emlia3d import errors
from emlia3d.cli import progress, writing
from emlia3d.errors import printable

CODE = "\x1b]0;owned\x07\x9b2J\u202e"


def assert_harmless(text: str) -> None:
    assert text
    assert [letter for letter in text if not letter.isprintable() and letter != "\n"] == []


def test_the_version_in_a_saved_answer_is_escaped(run, bandits: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.json"
    body = json.loads(run(["sight", bandits, "archers", "bandits", "--json"]).out)
    saved.write_text(json.dumps({**body, "program": CODE}), "utf-8")

    told = run(["sight", bandits, "archers", "bandits", "--verify", saved])

    assert r"version \u001b]0;owned\u0007" in told.out
    assert_harmless(told.out)


def battle_file(run, tmp_path: Path, **changes: str) -> Path:
    """A battle of one turn, with other words in its header."""
    file = tmp_path / "duel.battle.jsonl"
    run(["battle", "duel", "--turns", "1", "--headless", "--save", file])
    first, rest = file.read_text("utf-8").split("\n", 1)
    header = json.loads(first)
    for key, text in changes.items():
        header[key] = text if key != "scenario" else header[key].replace('title = "', text)
    file.write_text(json.dumps(header) + "\n" + rest, "utf-8")
    return file


@pytest.mark.parametrize(
    "words", [["check"], ["report"], ["battle", "--headless", "--resume"], ["sight"]]
)
def test_the_name_in_a_header_is_escaped(run, tmp_path: Path, words: list[str]) -> None:
    file = battle_file(run, tmp_path, name=CODE, rules=CODE, program=CODE)

    told = run([*words, file, *(["x", "y"] if words == ["sight"] else [])])

    assert_harmless(told.out + told.err)


# Arabic letter mark and a language tag: neither is a control character that names exclude.
SLY = "\u061c\U000e0001"


@pytest.mark.parametrize("words", [["--json"], []])
def test_an_invisible_letter_in_a_title_is_escaped_and_json_stays_json(
    run, tmp_path: Path, words: list[str]
) -> None:
    file = battle_file(run, tmp_path, scenario=f'title = "{SLY}')

    told = run(["battle", "--headless", "--resume", file, *words])

    assert_harmless(told.out)
    assert r"\u061c\udb40\udc01" in told.out
    if words:
        assert SLY in json.loads(told.out)["title"]


def test_a_title_in_a_progress_bar_is_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(
        progress, "Console", lambda stderr: Console(file=stream, force_terminal=True, width=200)
    )

    with progress.bar_of() as bar:
        bar.add_task(f"[bold]{CODE}")
        bar.refresh()

    assert f"[bold]{printable(CODE)}" in stream.getvalue()
    assert CODE not in stream.getvalue()


def test_spaces_of_other_languages_stay_as_they_are() -> None:
    assert printable("Guerre\u00a0!\u3000\n") == "Guerre\u00a0!\u3000\n"


def test_the_table_of_errors_names_each_of_them_and_when_the_root_is_raised() -> None:
    kinds = {kind.__name__ for kind in vars(errors).values()
             if isinstance(kind, type) and issubclass(kind, errors.Error)}  # fmt: skip
    table = errors.__doc__ or ""
    raised = [
        file
        for file in Path(errors.__file__).parent.rglob("*.py")
        if "raise Error(" in file.read_text("utf-8")
    ]

    assert set(re.findall(r"(?m)^`(\w+)`", table)) == kinds
    assert raised
    assert "never raised" not in table


def test_commands_print_by_one_function() -> None:
    """So that none prints what it read without escaping it."""
    found = []
    for file in sorted(Path(emlia3d.cli.__file__).parent.rglob("*.py")):
        if file == Path(writing.__file__):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                if name in {"print", "typer.echo", "typer.secho"} or name.endswith(
                    ("stdout.write", "stderr.write", "console.print", "console.log")
                ):
                    found.append((file.name, node.lineno))

    assert found == []

"""``emlia3d sight``: what one unit sees of another, by how much and by which rule."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from emlia3d.battle.answer import Answer, from_json, to_json
from emlia3d.cli.drawing import look_at_place
from emlia3d.errors import FileError
from emlia3d.scenario import load
from emlia3d.view.sightplan import draw_sight

_WIDTH = 96


def sight(  # noqa: PLR0913  one parameter an option
    scenario: Annotated[str, typer.Argument(metavar="SCENARIO", help="A file, or what ships.")],
    observer: Annotated[str, typer.Argument(metavar="OBSERVER", help="The unit that looks.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The unit it looks at.")],
    *,
    rules: Annotated[
        str | None, typer.Option(metavar="NAME", help="The rule system; the scenario's without it.")
    ] = None,
    damage: Annotated[
        int | None, typer.Option(min=0, help="Cover against this base damage; 0 without it.")
    ] = None,
    what_if: Annotated[
        bool, typer.Option("--what-if", help="Say what would alter the concealment.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw the corridor and its heights.")
    ] = None,
    verify: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="An answer saved with --json, to be compared with."),
    ] = None,
) -> int:
    """Settle a sight question.

    Who sees how much of whom as the armies stand ready, and why.
    """
    saved = None if verify is None else _saved(verify)
    if damage is None:
        damage = 0 if saved is None else saved.damage
    what_if |= saved is not None and saved.changes is not None
    look_at_place(picture)
    asked = load(scenario)
    answer = asked.sight(observer, target, rules, damage, what_if)
    if picture is not None:
        draw_sight(asked.setup, asked.battle().state, answer, picture)
    if saved is not None and verify is not None:
        return _compare(verify, saved, answer)
    typer.echo(json.dumps(to_json(answer), ensure_ascii=False) if as_json else in_words(answer))
    return 0


def in_words(answer: Answer) -> str:
    """The verdict, the paragraph and the rules, for people."""
    seen = "seen" if answer.line_of_sight else "not seen"
    return "\n".join(
        [
            f"{answer.target}, from {answer.observer}: {seen}; concealment {answer.concealment}, "
            f"cover {answer.cover} against base damage {answer.damage} ({answer.rules})",
            "",
            *textwrap.wrap(answer.text, _WIDTH, break_on_hyphens=False),
            "",
            *(f"  {slug}" for slug in answer.because),
            *_alterations(answer),
        ]
    )


def _alterations(answer: Answer) -> Iterator[str]:
    """What would alter the concealment, where it was asked."""
    if answer.changes is None:
        return
    yield ""
    yield "What would alter it:" if answer.changes else "Nothing that was tried would alter it."
    for change in answer.changes:
        how = change.what
        if change.amount is not None and how == "higher":
            how = f"{change.amount:g} higher"
        elif change.amount is not None:
            how = f"{how} by {change.amount:g} GSU"
        yield f"  {change.who}, {how}: concealment {change.verdict}"


def _saved(file: Path) -> Answer:
    """The answer in a file; FileError if there is none that can be used."""
    try:
        return from_json(json.loads(file.read_text("utf-8")))
    except RecursionError:
        raise FileError(f"{file}: no answer of emlia3d sight --json: it lies too deep") from None
    except ValueError as flaw:
        raise FileError(f"{file}: no answer of emlia3d sight --json: {flaw}") from None


def _compare(file: Path, saved: Answer, answer: Answer) -> int:
    """Say whether an answer still holds; the exit status, 1 if it does not."""
    if saved.digest == answer.digest:
        typer.echo(f"{file}: the same answer, {answer.digest[:16]}")
        return 0
    for key, was, now in _differences(asdict(saved), asdict(answer)):
        typer.echo(f"{file}: {key} was {was}, and is {now}")
    return 1


def _differences(saved: dict[str, Any], now: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is not as it was; the text is left out where figures say it."""
    keys = [key for key in now if saved[key] != now[key]]
    for key in keys if keys == ["text"] else [key for key in keys if key != "text"]:
        was, is_now = (json.dumps(answer[key], ensure_ascii=False) for answer in (saved, now))
        yield key, was, is_now

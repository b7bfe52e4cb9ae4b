"""docs/events.md names every event that Emlia records and every fact of it.

The page is printed from the records in `emlia3d.rules.emlia.events`; ``pytest --regenerate``
rewrites it.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
import pytest

from emlia3d.battle.events import CORE_EVENTS, Facts, FallOfShot, Rolled
from emlia3d.rules.emlia import events as emlia

PAGE = Path(__file__).parents[1] / "docs" / "events.md"
HEAD = """# Events

This page lists all kinds of event in a [battle file](files.md#a-battle-file-namebattlejsonl) of
Emlia, with the `facts` of each. Use it when another program reads battle files.

- A fact in brackets is optional. The file omits it if it does not apply.
- `unit` and `target` of an event, and facts described as rows, are numbers of units, counted from 0
  in the order of the scenario.
- Lengths are in GSU, as in the scenario.
- An event marked *dice* has the facts of a [roll](#facts-of-a-roll) too.
"""
PLAIN = {int: "integer", float: "number", str: "string", bool: "true or false"}
KINDS = (*CORE_EVENTS, *emlia.EVENTS)


def meanings(kind: type[Facts]) -> dict[str, str]:
    """Return the meaning of each fact, as the docstrings of the record and its bases have it."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        text = inspect.cleandoc(base.__dict__.get("__doc__") or "")
        for names, meaning in re.findall(r"^(\w[\w, ]*?) : (.*(?:\n    .*)*)", text, re.MULTILINE):
            for name in names.split(", "):
                found[name] = " ".join(meaning.split())
    return found


def what_happened(kind: type[Facts]) -> str:
    return " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split())


def type_of(annotation: Any) -> str:
    """Return the type of a fact in words."""
    origin, inside = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return type_of(inside[0])
    if origin in {Union, types.UnionType}:
        parts = {type_of(part) for part in inside if part is not types.NoneType}
        return "number" if parts == {"integer", "number"} else " or ".join(sorted(parts))
    if origin is tuple:
        if inside[-1] is Ellipsis:
            one = type_of(inside[0])
            return f"list of {one}" if one.endswith("]") else f"list of {one}s"
        return "[" + ", ".join(type_of(part) for part in inside) + "]"
    return PLAIN[annotation]


def rows(kind: type[Facts]) -> Iterator[str]:
    dice = issubclass(kind, Rolled)
    yield f"| `{kind.kind}` |{' *dice*' if dice else ''} | | {what_happened(kind)} |"
    of_roll = Rolled.__struct_fields__ if dice else ()
    yield from facts(kind, [name for name in kind.__struct_fields__ if name not in of_roll])


def facts(kind: type[Facts], names: Sequence[str]) -> Iterator[str]:
    told = meanings(kind)
    for field in msgspec.structs.fields(kind):
        if field.name in names:
            name = f"`{field.name}`" if field.required else f"[`{field.name}`]"
            yield f"| | {name} | {type_of(field.type)} | {told[field.name]} |"


def roll() -> str:
    table = ["| fact | type | meaning |", "|---|---|---|"]
    rows_of_roll = (row[2:] for row in facts(Rolled, Rolled.__struct_fields__))
    return "\n".join(["## Facts of a roll", "", *table, *rows_of_roll])


def section(title: str, kinds: tuple[type[Facts], ...]) -> str:
    table = ["| event | fact | type | meaning |", "|---|---|---|---|"]
    return "\n".join([f"## {title}", "", *table, *(row for kind in kinds for row in rows(kind))])


def page() -> str:
    chapters = (
        emlia.turn, emlia.movement, emlia.combat, emlia.engagement, emlia.losses, emlia.awareness,
        emlia.scheduled,
    )  # fmt: skip
    sections = [roll(), section("Events of every battle", CORE_EVENTS)]
    for chapter in chapters:
        title = (chapter.__doc__ or "").splitlines()[0].rstrip(".")
        sections.append(section(title, chapter.EVENTS))
    return "\n\n".join([HEAD.rstrip(), *sections]) + "\n"


def test_the_page_lists_what_the_records_say(regenerate: bool) -> None:
    if regenerate:
        PAGE.write_text(page(), encoding="utf-8")

    assert PAGE.read_text(encoding="utf-8") == page(), (
        "pytest tests/test_events_page.py --regenerate"
    )


@pytest.mark.parametrize("kind", [*KINDS, Rolled, FallOfShot], ids=lambda kind: kind.__name__)
def test_a_record_says_what_happened_and_what_each_fact_means(kind: type[Facts]) -> None:
    assert what_happened(kind).endswith(".")
    assert set(meanings(kind)) == {field.name for field in msgspec.structs.fields(kind)}


def test_only_the_two_searches_have_one_name() -> None:
    names = [kind.kind for kind in KINDS]

    assert {name for name in names if names.count(name) > 1} == {"searched"}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_fact_that_may_be_left_out_is_none_by_default(kind: type[Facts]) -> None:
    assert all(field.required or field.default is None for field in msgspec.structs.fields(kind))

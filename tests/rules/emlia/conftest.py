"""Small battles of Emlia from plain data, and a table to play one procedure at with fixed dice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from shapely import Polygon, box

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.commanders import ASKS_FOR_PLAN
from emlia3d.battle.decisions import Decision, Order, Procedure
from emlia3d.battle.dice import FixedDice
from emlia3d.battle.events import Event, Mustered, Unread
from emlia3d.battle.flow import driven
from emlia3d.battle.setup import Area, Occurrence, Setup, Side, UnitSetup, VictoryCondition
from emlia3d.field import Feature, Field, Ground, Scale, feature_of
from emlia3d.force import Formation, UnitDeployment, facing_of_degrees
from emlia3d.force.formation import FormationLayout, centre
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.basics.numbers import HouseNumbers
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.scenario import Scenario

HUMAN: dict[str, Any] = {
    "name": "Human",
    "size": 1,
    "height": 1,
    "members": 1,
    "movement": "15G",
    "timing": 2,
    "hits": 1,
    "damage_limit": 1,
    "morale": 2,
    "arcs": (180, 45, 90),
    "army_value": 1,
    "skills": {"close combat": "5/2"},
}
"""A plain human; with no weapon but his fists."""

_PLACED = {
    "name", "side", "at", "front", "facing", "on_height", "states", "put", "group", "lines",
    "arrives", "outline",
}  # fmt: skip
"""What a unit of a battle has beside its entry; `members`, `files`, `formation` are of both."""

_BOARD = """\
format = 1
title = "A question of sight"
rules = "emlia"
turns = 1
[field]
size = [200, 200]
"""
_SIDES = '[[side]]\nname = "Alice"\n[[side]]\nname = "Bob"\n'

Answer = Any
"""An `Order`, a verb, a function of the `Decision`, or ... for no more than "done"."""


def _entry(unit: Mapping[str, Any]) -> Entry:
    printed = {key: value for key, value in unit.items() if key not in _PLACED}
    measured = {"threshold", "damage_limit"} & printed.keys()
    human = {k: v for k, v in HUMAN.items() if not (measured and k == "damage_limit")}
    return Entry.model_validate({**human, **printed})


def _unit(
    row: int, unit: Mapping[str, Any], sides: Sequence[str], scale: Scale, names: Sequence[str]
) -> UnitSetup:
    """A unit by its middle (`at`) or by the middle of its front line (`front`)."""
    entry = _entry(unit)
    formation = Formation[entry.formation.upper()]
    troops = entry.troops(scale)
    drill = FormationLayout(
        formation=formation,
        count=entry.members,
        files=entry.files or entry.members,
        width=troops.width,
        depth=troops.depth,
    )
    facing = facing_of_degrees(unit.get("facing", 0))
    at = unit["at"] if "at" in unit else centre(drill, *unit["front"], facing)
    muster = UnitDeployment(
        name=unit.get("name", f"unit {row}"),
        side=sides.index(unit.get("side", sides[0])),
        troops=troops,
        members=entry.members,
        at=at,
        facing=facing,
        formation=formation,
        files=drill.files,
        on_height=unit.get("on_height", 0.0),
        parent=names.index(unit["group"]) if "group" in unit else -1,
    )
    return UnitSetup(
        muster=muster,
        entry=entry,
        kind="test/human",
        states=tuple(unit.get("states", ())),
        lines=unit.get("lines"),
        arrives=unit.get("arrives", 0),
        outline=unit.get("outline"),
    )


def _feature(row: int, given: Mapping[str, Any]) -> Feature:
    """A piece of terrain; `box` is its west, south, east and north edge."""
    keys = {"name": f"feature {row}", **given}
    if "box" in keys:
        keys["outline"] = box(*keys.pop("box"))
    return feature_of(**keys)


def _area(name: str, outline: Polygon | tuple[float, float, float, float]) -> Area:
    return Area(name=name, outline=outline if isinstance(outline, Polygon) else box(*outline))


@pytest.fixture(scope="session")
def field_of_battle() -> Callable[..., Battle]:
    """Builds a small battle, with its first turn begun: Alice, in the south, goes first.

    units : a mapping each: `name`, `side` ("Alice" where not said), `at` (its middle) or `front`
        (the middle of its front line), `facing` in degrees, `on_height`, `states`, `group` (the
        name of the unit that it is part of), `lines`, `arrives`, `outline` (the boundary of one
        body), `put` (columns of the state to be set), and any attribute of an `Entry` in place of
        a plain human's
    terrain : a mapping each: `kind`, `box` or `outline`, and what `feature_of` takes
    elevation_m : a raster stretched over the field; flat without it
    sides : names, or `Side`s; Alice (south) and Bob (north) without it
    areas : name -> outline or edges; aims : a mapping each, the fields of `VictoryCondition`
    occurrences : what happens by itself
    house : figures of `Numbers` in place of the book's
    turn : 0 leaves the battle before its first turn
    order : the faces of the draw for the first activation, in the order of the sides
    """

    def built(
        *units: Mapping[str, Any],
        size: tuple[float, float] = (200.0, 200.0),
        terrain: Iterable[Mapping[str, Any]] = (),
        elevation_m: Any = None,
        scale: Scale = Scale(),  # noqa: B008  a frozen value
        sides: Sequence[Side] = (),
        areas: Mapping[str, Any] | None = None,
        aims: Iterable[Mapping[str, Any]] = (),
        occurrences: Sequence[Occurrence] = (),
        house: Mapping[str, Any] | None = None,
        turns: int = 6,
        turn: int = 1,
        order: Sequence[int] = (12, 1),
        seed: int = 1,
    ) -> Battle:
        parties = tuple(sides) or (
            Side(name="Alice", colour="#2a5caa", lines="south"),
            Side(name="Bob", colour="#b03030", lines="north"),
        )
        names = [side.name for side in parties]
        ground = Ground.flat(size)
        if elevation_m is not None:
            ground = Ground.stretched(elevation_m, size)
        setup = Setup(
            title="A quarrel",
            rules="emlia",
            turns=turns,
            field=Field(
                size=size,
                scale=scale,
                ground=ground,
                features=tuple(_feature(row, given) for row, given in enumerate(terrain)),
            ),
            sides=parties,
            units=tuple(
                _unit(row, unit, names, scale, [str(u.get("name")) for u in units])
                for row, unit in enumerate(units)
            ),
            numbers=replace(HouseNumbers(), **(house or {})),
            areas=tuple(_area(name, outline) for name, outline in (areas or {}).items()),
            aims=tuple(VictoryCondition(**aim) for aim in aims),
            occurrences=tuple(occurrences),
        )
        battle = Battle(setup, SYSTEM, seed)
        battle.happen(Event(facts=Mustered(), changes=SYSTEM.opening(setup)))
        cells = tuple(
            Set(table="unit", row=row, column=column, value=value)
            for row, unit in enumerate(units)
            for column, value in unit.get("put", {}).items()
        )
        if turn:
            _play(battle, timing.begin_turn(battle), list(order), [])
        battle.happen(Event(facts=Unread(event="put"), changes=cells))
        return battle

    return built


def _table(kind: str, keys: Mapping[str, Any]) -> str:
    """A table of a scenario file; `box` is the west, south, east and north edge of an outline."""
    shape = {"outline": list(box(*keys["box"]).exterior.coords)[:-1]} if "box" in keys else {}
    told = {**{key: value for key, value in keys.items() if key != "box"}, **shape}
    if kind == "terrain" and "kind" not in keys:
        told.setdefault("body", "solid")
    return f"[[{kind}]]\n" + "".join(f"{key} = {json.dumps(told[key])}\n" for key in told)


@pytest.fixture
def scene(tmp_path: Path) -> Callable[..., Scenario]:
    """Writes a scenario to a file, and loads it.

    units : a mapping each, of no more than a sight question needs: `name`, `box` or any other
        place, and what is not size 1, height 1, or Alice's
    terrain : a mapping each: `name`, `box` or another shape, and what is not a solid body of
        no kind
    elevation_m : a raster stretched over the field of 200 x 200 GSU; flat without it
    """

    def written(
        *units: Mapping[str, Any],
        terrain: Iterable[Mapping[str, Any]] = (),
        elevation_m: Any = None,
    ) -> Scenario:
        ground = ""
        if elevation_m is not None:
            np.save(tmp_path / "ground.npy", elevation_m)
            ground = 'ground = "ground.npy"\n'
        parts = [_table("terrain", each) for each in terrain]
        parts += [_table("unit", {"side": "Alice", "size": 1, "height": 1, **u}) for u in units]
        path = tmp_path / "sight.toml"
        path.write_text(_BOARD + ground + _SIDES + "".join(parts), encoding="utf-8")
        return emlia3d.load(path)

    return written


@pytest.fixture
def apart(scene: Callable[..., Scenario]) -> Callable[..., Scenario]:
    """Alice's unit *near*, *distance* GSU from a wall, and Bob's unit *far* this deep behind it.

    Both are 10 GSU wide; the wall is 4 thick and reaches beyond both. Each is given what is not
    as usual: the units on the ground and of height 1.
    """

    def stood(
        near: Mapping[str, Any],
        far: Mapping[str, Any],
        wall: Mapping[str, Any],
        distance: float = 28,
        depth: float = 20,
    ) -> Scenario:
        front = 44 + distance
        behind = front + 4 + depth
        return scene(
            {"name": "near", "box": (95, 40, 105, 44), **near},
            {"name": "far", "side": "Bob", "box": (95, behind, 105, behind + 4), **far},
            terrain=[{"name": "wall", "box": (80, front, 120, front + 4), **wall}],
        )

    return stood


def _play(
    battle: Battle, procedure: Procedure[Any], dice: Sequence[int], answers: Sequence[Answer]
) -> list[Event]:
    battle.dice = fixed = FixedDice(dice)
    left, events = list(answers), []

    def answered(decision: Decision) -> Order:
        if decision.asks == ASKS_FOR_PLAN:
            return decision.options[0]
        assert left, f"nobody answers {decision.asks}; on offer: {decision.options}"
        return _answer(decision, "done" if left[0] is ... else left.pop(0))

    for event in driven(procedure, answered):
        battle.happen(event)
        events.append(event)
    assert left in ([], [...]), f"nobody asked for {left}"
    fixed.assert_spent()
    return events


def _answer(decision: Decision, answer: Answer) -> Order:
    if isinstance(answer, str):
        verbs = [option.verb for option in decision.options]
        assert answer in verbs, f"{decision.asks}: {answer!r} is not among {verbs}"
        return decision.options[verbs.index(answer)]
    order = answer if isinstance(answer, Order) else answer(decision)
    decision.check(order)
    return order


@pytest.fixture(scope="session")
def play() -> Callable[..., list[Event]]:
    """Plays one procedure to its end and gives its events, each applied as it comes.

    dice : faces, which must all be rolled
    answers : an answer for each question, all of which must be asked: an `Order`, the verb of
        the first option with it, or a function of the `Decision`; a last ... says "done" to
        whatever else is asked, if anything is
    """

    def played(
        battle: Battle,
        procedure: Procedure[Any],
        dice: Sequence[int] = (),
        answers: Sequence[Answer] = (),
    ) -> list[Event]:
        return _play(battle, procedure, dice, answers)

    return played


@pytest.fixture(scope="session")
def question() -> Callable[..., Decision]:
    """Plays a procedure up to its first question, and gives that."""

    def asked(battle: Battle, procedure: Procedure[Any], dice: Sequence[int] = ()) -> Decision:
        battle.dice = FixedDice(dice)
        for said in procedure:
            if isinstance(said, Decision):
                return said
            battle.happen(said)
        raise AssertionError("nothing was asked")

    return asked


@pytest.fixture(scope="session")
def put() -> Callable[..., None]:
    """Sets columns of a unit in the middle of a battle: `put(battle, 0, morale=-1)`."""

    def changed(battle: Battle, unit: int, **cells: float) -> None:
        changes = tuple(
            Set(table="unit", row=unit, column=column, value=value)
            for column, value in cells.items()
        )
        battle.happen(Event(facts=Unread(event="put"), changes=changes))

    return changed

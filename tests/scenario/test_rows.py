"""``row`` and ``group`` of a ``[[unit]]``: several units of one table, and units with a leader."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from emlia3d.battle.setup import Setup
from emlia3d.scenario import check, load
from tests.scenario.conftest import Plain

Write = Callable[..., Path]
Systems = dict[str, Any]

UNIT = '\n[[unit]]\nname = "grunt"\nside = "Bob"\nsize = 1\nheight = 1\n'
BEFORE = '[[victory]]\nside = "Alice"'
"""In front of this the tests add units: at line 42."""


def with_units(*units: str) -> tuple[str, str]:
    return (BEFORE, "\n".join((*units, BEFORE)))


class Led(Plain):
    """A system in which the units of a group follow a leader."""

    name = "emlia"
    groups = "leaders"


def places(setup: Setup) -> dict[str, tuple[float, float]]:
    return {unit.name: unit.muster.at for unit in setup.units if unit.name.startswith("grunt")}


def test_a_row_is_several_units_round_its_place(write: Write, systems: Systems) -> None:
    row = UNIT + "at = [150, 60]\nrow = {count = 5, step = 4, ranks = 2}\n"

    setup = load(write(with_units(row)), systems).setup

    assert places(setup) == {
        "grunt 1": (146.0, 62.0),
        "grunt 2": (150.0, 62.0),
        "grunt 3": (154.0, 62.0),
        "grunt 4": (148.0, 58.0),
        "grunt 5": (152.0, 58.0),
    }
    made = [unit for unit in setup.units if unit.name.startswith("grunt")]
    assert {unit.muster.side for unit in made} == {1}
    assert {unit.muster.members for unit in made} == {1}


@pytest.mark.parametrize(
    ("facing", "first", "last"),
    [(0, (147, 60), (153, 60)), (90, (150, 63), (150, 57)), (180, (153, 60), (147, 60))],
)
def test_a_row_turns_with_its_facing(
    write: Write,
    systems: Systems,
    facing: float,
    first: tuple[float, float],
    last: tuple[float, float],
) -> None:
    row = f"{UNIT}at = [150, 60]\nfacing = {facing}\nrow = {{count = 4, step = 2}}\n"

    setup = load(write(with_units(row)), systems).setup

    found = places(setup)
    assert (found["grunt 1"], found["grunt 4"]) == (first, last)
    assert setup.units[setup.unit_of("grunt 1")].muster.facing == facing * 64


def test_units_of_a_row_are_named_as_others_are(write: Write, systems: Systems) -> None:
    row = UNIT + "at = [150, 60]\nrow = {count = 2, step = 2}\n"
    camera = '[cameras.near]\nunit = "grunt 2"\n\n'

    setup = load(write(with_units(row, camera)), systems).setup

    assert setup.viewpoints[0].unit == "grunt 2"


ROW = 42 + 7
"""The line of the key after the place of an added unit."""


@pytest.mark.parametrize(
    ("keys", "line", "message"),
    [
        ("row = {count = 8}", ROW, "step is missing: expected a number of GSU above 0"),
        ("row = {count = 8, step = 2, rank = 2}", ROW, "unknown key rank; did you mean ranks?"),
        ("row = {count = 2, step = 2, ranks = 3}", ROW, "ranks: expected at most 2 ranks, got 3"),
        (
            "row = {count = 1, step = 2}",
            ROW,
            "count: expected a whole number of units from 2 to 1000",
        ),
        (
            "row = 8",
            ROW,
            "row: expected a table such as {count = 8, step = 1.5, ranks = 2}, got 8",
        ),
        ("row = {count = 30, step = 4}", ROW - 1, "grunt 28 reaches from [199.5, 59.5] to"),
        ("row = {count = 30, step = 0.25}", ROW - 1, "grunt 2 stands on grunt 1; move one of"),
    ],
)
def test_an_error_of_a_row_has_one_line(
    write: Write, systems: Systems, keys: str, line: int, message: str
) -> None:
    row = f"{UNIT}at = [150, 60]\n{keys}\n"

    (diagnostic,) = check(write(with_units(row)), systems)

    assert diagnostic.line == line
    assert message in diagnostic.message


def test_a_row_that_stands_on_another_unit_is_reported_once(write: Write, systems: Systems) -> None:
    row = UNIT + "at = [60, 80]\nrow = {count = 9, step = 2}\n"
    other = UNIT.replace("grunt", "ogre") + "at = [60, 80.5]\nrow = {count = 9, step = 2}\n"

    diagnostics = check(write(with_units(row, other)), systems)

    assert [diagnostic.message for diagnostic in diagnostics] == [
        "grunt 5 stands on bandits; move one of them",
        "ogre 1 stands on grunt 1; move one of them",
        "ogre 5 stands on bandits; move one of them",
    ]


def test_single_bodies_beside_no_row_may_stand_close(write: Write, systems: Systems) -> None:
    on_bandits = UNIT + "at = [60, 80]\n"

    assert check(write(with_units(on_bandits)), systems) == ()


def test_a_name_that_a_row_makes_is_taken(write: Write, systems: Systems) -> None:
    row = UNIT + "at = [150, 60]\nrow = {count = 3, step = 2}\n"
    other = UNIT.replace("grunt", "grunt 2") + "at = [150, 80]\n"

    (diagnostic,) = check(write(with_units(row, other)), systems)

    assert diagnostic.message == 'another unit is already called "grunt 2"'


def test_an_outline_makes_no_row(write: Write, systems: Systems) -> None:
    drawn = UNIT + "outline = [[150, 60], [152, 60], [151, 62]]\nrow = {count = 3, step = 2}\n"

    (diagnostic,) = check(write(with_units(drawn)), systems)

    assert diagnostic.message == "an outline replaces row"


def test_a_row_follows_its_leader(write: Write) -> None:
    row = UNIT + 'at = [60, 90]\ngroup = "bandits"\nrow = {count = 3, step = 2}\n'

    setup = load(write(with_units(row)), {"emlia": Led()}).setup

    bandits = setup.unit_of("bandits")
    led = setup.followers_of(bandits)
    assert [setup.units[unit].name for unit in led] == ["grunt 1", "grunt 2", "grunt 3"]
    assert {setup.units[unit].muster.parent for unit in led} == {-1}
    assert {setup.leader_of(unit) for unit in (bandits, *led)} == {bandits}


def test_the_units_of_a_group_are_one_unit_elsewhere(write: Write, systems: Systems) -> None:
    row = UNIT + 'at = [60, 90]\ngroup = "bandits"\nrow = {count = 2, step = 2}\n'

    setup = load(write(with_units(row)), systems).setup

    bandits = setup.unit_of("bandits")
    assert [unit.muster.parent for unit in setup.units[2:]] == [bandits, bandits]
    assert setup.followers_of(bandits) == ()


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ('group = "bandit"', 'unknown unit "bandit"; did you mean bandits?'),
        ('group = "archers"', "grunt and archers are of different sides"),
        ('group = "grunt"', "grunt cannot be a member of itself"),
    ],
)
def test_a_wrong_leader_is_reported(write: Write, keys: str, message: str) -> None:
    (diagnostic,) = check(write(with_units(f"{UNIT}at = [150, 60]\n{keys}\n")), {"emlia": Led()})

    assert diagnostic.message == message


def test_leaders_that_lead_each_other_are_reported(write: Write) -> None:
    one = UNIT + 'at = [150, 60]\ngroup = "ogre"\n'
    other = UNIT.replace("grunt", "ogre") + 'at = [150, 70]\ngroup = "grunt"\n'

    diagnostics = check(write(with_units(one, other)), {"emlia": Led()})

    assert [diagnostic.message for diagnostic in diagnostics] == [
        "grunt would lead itself through ogre",
        "ogre would lead itself through grunt",
    ]


def test_a_group_has_one_leader(write: Write) -> None:
    sergeant = UNIT.replace("grunt", "ogre") + 'at = [150, 70]\ngroup = "bandits"\n'
    private = UNIT + 'at = [150, 60]\ngroup = "ogre"\n'

    (diagnostic,) = check(write(with_units(sergeant, private)), {"emlia": Led()})

    assert diagnostic.message == ("ogre leads other units, so it cannot follow bandits")

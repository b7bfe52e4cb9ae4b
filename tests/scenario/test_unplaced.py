"""Units without a place, and commanders, under systems that deploy in play and know others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from emlia3d.battle.changes import Place, Set
from emlia3d.battle.commanders import Commander, RandomCommander
from emlia3d.battle.events import Event, Unread
from emlia3d.errors import Error
from emlia3d.scenario import check, load
from emlia3d.scenario.pairs import row_of
from tests.scenario.conftest import Plain

Write = Callable[..., Path]


class Deploying(Plain):
    """A system that puts units on the field in play, with a commander of its own."""

    name = "emlia"
    deploys = True
    commanders = ("doctrine", "search")

    @override
    def commander(self, name: str) -> Commander | None:
        return RandomCommander() if name in self.commanders else None


DEPLOYING = {"emlia": Deploying()}
AT = ("at = [60, 80]\n", "")


def test_a_unit_without_a_place_is_off_the_field_until_it_is_put_there(write: Write) -> None:
    scenario = load(write(AT), DEPLOYING)
    battle = scenario.deployed()
    bandits = battle.setup.unit_of("bandits")
    units = battle.state.units

    assert [unit.placed for unit in battle.setup.units] == [True, False]
    assert units["present"].tolist() == [1, 0]

    place = Place(unit=bandits, x=50.0, y=40.0, facing=0, formation=0, files=1)
    there = Set(table="unit", row=bandits, column="present", value=1)
    battle.happen(Event(facts=Unread(event="deployed"), changes=(place, there)))

    assert units["present"].tolist() == [1, 1]
    assert (units.value("x", bandits), units.value("y", bandits)) == (50.0, 40.0)


def test_a_question_about_a_unit_without_a_place_is_refused_in_one_line(write: Write) -> None:
    scenario = load(write(AT), DEPLOYING)

    with pytest.raises(Error, match="bandits is not on the field"):
        row_of(scenario, scenario.deployed(), "bandits")


def test_a_row_may_be_without_a_place(write: Write) -> None:
    setup = load(write(("at = [60, 80]\n", "row = {count = 3, step = 2}\n")), DEPLOYING).setup

    assert [(unit.name, unit.placed) for unit in setup.units[1:]] == [
        ("bandits 1", False),
        ("bandits 2", False),
        ("bandits 3", False),
    ]


def test_units_without_a_place_stand_on_no_other(write: Write) -> None:
    """Their stand-in for a place is neither off the field nor on another unit."""
    two = '\n[[unit]]\nname = "ogre"\nside = "Bob"\nsize = 1\nheight = 1\nformation = "close"\n'
    before = '[[victory]]\nside = "Alice"'

    assert (
        check(write(AT, (before, f"{two}{two.replace('ogre', 'troll')}{before}")), DEPLOYING) == ()
    )


def test_a_wrong_place_is_still_an_error(write: Write) -> None:
    (diagnostic,) = check(write(("at = [60, 80]", 'at = "here"')), DEPLOYING)

    assert "at: expected a point" in diagnostic.message


def test_other_systems_want_a_place(write: Write, systems: dict[str, Any]) -> None:
    (diagnostic,) = check(write(AT), systems)

    assert diagnostic.message == "at is missing: expected a point [east, north] in GSU"


def test_a_system_names_its_commanders(write: Write) -> None:
    path = write(('objective = "hill"\n', 'objective = "hill"\ncommander = "serch"\n'))

    (diagnostic,) = check(path, DEPLOYING)

    assert diagnostic.message == 'unknown commander "serch"; did you mean search?'
    with pytest.raises(Error, match="there are doctrine, random and search"):
        load(write(), DEPLOYING).with_commanders({"Alice": "xyz"})
    assert load(write(), DEPLOYING).with_commanders({"Alice": "search"}).setup.sides[0].commander

"""What would alter a verdict: each answer is put to a scenario in which it is so."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import pytest

import emlia3d
from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.answer import SightAnswer, WhatIfChange
from emlia3d.battle.setup import UnitSetup
from emlia3d.force.formation import snapped
from emlia3d.rules.emlia.play.questions import what_if
from emlia3d.scenario import Scenario

Build = Callable[..., Battle]

ROCK = {"kind": "rock", "name": "rock", "height": 5, "box": (94, 78, 106, 84)}


def question(
    field_of_battle: Build, archers: dict[str, Any], bandits: dict[str, Any]
) -> Callable[[bool], SightAnswer]:
    """Archers on 8, 28 GSU from a rock of 5; a bandit prone 20 GSU behind it."""
    high = {"name": "archers", "at": (100, 49.5), "on_height": 8, **archers}
    low = {"name": "bandits", "side": "Bob", "at": (100, 104.5), "states": ("prone",), **bandits}
    battle = field_of_battle(high, low, terrain=[ROCK])
    return lambda what_if: battle.system.sight(battle, 0, 1, 0, what_if)


@pytest.fixture(scope="module")
def told(field_of_battle: Build) -> SightAnswer:
    """What would alter that verdict."""
    return question(field_of_battle, {}, {})(True)


@pytest.fixture
def look_as_far_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Sets how far is looked: a scene that is as wide shows the same as one of the book's 20."""
    return lambda farthest: monkeypatch.setattr(what_if, "FARTHEST", farthest)


def changes(answer: SightAnswer) -> dict[tuple[str, str], tuple[float | None, str]]:
    assert answer.changes is not None
    return {(each.who, each.what): (each.amount, each.verdict) for each in answer.changes}


def notes(answer: SightAnswer, who: str) -> dict[str, str | None]:
    assert answer.changes is not None
    return {each.what: each.note for each in answer.changes if each.who == who}


@pytest.mark.rule("emlia.sight.shadow-length", "emlia.sight.shadow-total-depth")
def test_what_would_alter_the_view_of_the_bandits(
    field_of_battle: Build, told: SightAnswer
) -> None:
    plain = question(field_of_battle, {}, {})(False)
    assert (plain.concealment, plain.changes) == ("total", None)

    found = changes(told)

    # Over 10 high the archers see over the rock from more than twice its height: 14 GSU of shadow.
    assert found["archers", "higher"] == (1.1, "none")
    # So they do where the rock is less than half as high over the bandit's own footing.
    assert found["bandits", "higher"] == (1.1, "none")
    assert ("bandits", "standing") not in found
    assert {what for _, what in found} == {"higher", "step left", "step right"}


@pytest.mark.parametrize(("stands", "found"), [(8.1, (1.0, "none")), (8.0, None)])
def test_heights_are_tried_up_to_the_farthest_and_no_higher(
    field_of_battle: Build,
    look_as_far_as: Callable[[int], None],
    stands: float,
    found: tuple[float, str] | None,
) -> None:
    """Over 10 high the archers see the bandits; they are 1 high themselves."""
    look_as_far_as(1)

    told = changes(question(field_of_battle, {"on_height": stands}, {})(True))

    assert told.get(("archers", "higher")) == found


@pytest.mark.rule("emlia.sight.shadow-total-depth")
def test_a_bandit_who_stands_up_is_seen_in_part(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    """His size is 1 then: 28 x (1 - 1/5) = 22.4 GSU hide him, and he is 24 behind the rock."""
    look_as_far_as(1)

    found = changes(question(field_of_battle, {}, {"at": (100, 108.5)})(True))

    assert found["bandits", "standing"] == (None, "partial")


@pytest.mark.parametrize(("who", "other"), [("archers", "bandits"), ("bandits", "archers")])
@pytest.mark.parametrize("what", ["step left", "step right"])
def test_a_step_is_enough_and_less_is_not(
    field_of_battle: Build, told: SightAnswer, who: str, other: str, what: str
) -> None:
    amount, verdict = changes(told)[who, what]
    assert amount is not None
    east = amount if (what == "step right") == (who == "archers") else -amount

    def at(offset: float) -> str:
        x, y = (100, 49.5) if who == "archers" else (100, 104.5)
        moved = {who: {"at": (x + offset, y)}, other: {}}
        return question(field_of_battle, moved["archers"], moved["bandits"])(False).concealment

    nearer = east - 0.1 if east > 0 else east + 0.1
    assert at(east) == verdict
    assert at(nearer) == "total"


def test_a_gap_that_a_man_would_step_past_is_found(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    """Between 100.375 and 101.125 east there is no wall, and he is half a GSU wide."""
    look_as_far_as(2)
    slim = {"base": (0.5, 0.5)}
    west = {"kind": "wall", "height": 5, "box": (90, 98, 100.375, 98.5)}
    east = {"kind": "wall", "height": 5, "box": (101.125, 98, 130, 98.5)}
    guard = {"name": "guard", "at": (100, 40), **slim}
    raider = {"name": "raider", "side": "Bob", "at": (100, 100), **slim}
    battle = field_of_battle(guard, raider, terrain=[west, east])

    found = changes(battle.system.sight(battle, 0, 1, 0, True))

    amount, verdict = found["raider", "step left"]
    assert verdict == "none"
    assert amount is not None
    assert 0 < amount < 1


def test_nobody_steps_off_the_field_or_into_a_rock(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    """At the western edge a wall hides two men from each other; a man could look over the rock."""
    look_as_far_as(5)
    corner = {"name": "corner", "at": (1, 100)}
    far = {"name": "far", "side": "Bob", "at": (1, 180)}
    rock = {"kind": "rock", "height": 0.5, "box": (2, 95, 40, 105)}
    wall = {"kind": "wall", "height": 5, "box": (0, 140, 2, 141)}

    free = field_of_battle(corner, far, terrain=[wall])
    shut_in = field_of_battle(corner, far, terrain=[rock, wall])

    found = notes(free.system.sight(free, 0, 1, 0, True), "corner")
    assert "step left" not in found
    assert "step right" in found
    assert "step right" not in notes(shut_in.system.sight(shut_in, 0, 1, 0, True), "corner")


def test_the_battle_itself_stays_as_it_is(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    look_as_far_as(2)
    battle = field_of_battle({"at": (100, 50)}, {"side": "Bob", "at": (100, 120)}, terrain=[ROCK])
    before, digest = battle.state.key_frame(), battle.digest.hexdigest()

    battle.system.sight(battle, 0, 1, 0, True)

    assert battle.state.key_frame() == before
    assert battle.digest.hexdigest() == digest


def test_nobody_steps_off_the_wall_that_he_stands_on(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    """A keep hides him but for its corners, and the parapet ends before he is past them."""
    look_as_far_as(5)
    wall = {"kind": "rampart", "name": "parapet", "height": 2, "box": (98, 49, 102, 52)}
    keep = {"kind": "keep", "name": "keep", "box": (97, 70, 103, 80)}
    guard = {"name": "guard", "at": (100, 50.5)}
    raider = {"name": "raider", "side": "Bob", "at": (100, 150)}

    above = field_of_battle(guard, raider, terrain=[wall, keep])
    below = field_of_battle(guard, raider, terrain=[keep])

    assert "step left" in notes(below.system.sight(below, 0, 1, 0, True), "guard")
    assert not {"step left", "step right"} & set(
        notes(above.system.sight(above, 0, 1, 0, True), "guard")
    )


def test_nobody_steps_into_what_he_may_not_enter(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    look_as_far_as(5)
    keep = {"kind": "keep", "name": "keep", "box": (97, 70, 103, 80)}
    lake = {"kind": "lake", "name": "mere", "box": (80, 40, 98, 60)}
    guard = {"name": "guard", "at": (100, 50)}
    raider = {"name": "raider", "side": "Bob", "at": (100, 150)}

    dry = field_of_battle(guard, raider, terrain=[keep])
    wet = field_of_battle(guard, raider, terrain=[keep, lake])

    assert "step left" in notes(dry.system.sight(dry, 0, 1, 0, True), "guard")
    found = notes(wet.system.sight(wet, 0, 1, 0, True), "guard")
    assert "step left" not in found
    assert "step right" in found


def test_a_step_up_or_down_a_hill_is_told_with_the_hill(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    look_as_far_as(5)
    keep = {"kind": "keep", "name": "keep", "box": (97, 70, 103, 80)}
    hill = {"kind": "hill", "name": "Sugar Loaf", "height": 1, "box": (98, 30, 103, 60)}
    guard = {"name": "guard", "at": (100, 50)}
    raider = {"name": "raider", "side": "Bob", "at": (100, 150)}

    battle = field_of_battle(guard, raider, terrain=[keep, hill])
    found = notes(battle.system.sight(battle, 0, 1, 0, True), "guard")

    assert found["step left"] == "off Sugar Loaf"


def test_who_stands_on_something_unseen_is_told_to_be_as_high_after_a_step(
    told: SightAnswer,
) -> None:
    assert notes(told, "archers")["step left"] == "still 8 height units above the ground"
    assert notes(told, "bandits")["step left"] is None


def test_cover_is_only_told_of_where_it_may_be_taken(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    """Of what a giant overlooks nobody is concealed but who crouches behind it, near enough."""
    look_as_far_as(1)
    wall = {"kind": "wall", "name": "wall", "height": 0.5, "box": (80, 100, 120, 101)}

    def found(north: float) -> dict[str, str | None]:
        battle = field_of_battle(
            {"name": "giant", "at": (100, 20), "size": 3, "height": 3},
            {"name": "man", "side": "Bob", "at": (100, north)},
            terrain=[wall],
        )
        return notes(battle.system.sight(battle, 0, 1, 0, True), "man")

    assert "taking cover" in found(103)
    assert "taking cover" not in found(110)


def test_all_of_a_mixed_unit_steps_and_rises_together(
    field_of_battle: Build, look_as_far_as: Callable[[int], None]
) -> None:
    """One man alone is past the rock after 11.6 GSU to either side.

    With a part beside him the middle of both is 0.75 GSU east of him, which is to his left.
    """
    look_as_far_as(13)
    bow = {"name": "bow", "at": (100, 49.5)}
    man = {"name": "man", "side": "Bob", "at": (100, 104.5)}
    part = {"name": "part", "side": "Bob", "at": (101.5, 104.5), "group": "man"}

    battle = field_of_battle(bow, man, part, terrain=[ROCK])
    found = changes(battle.system.sight(battle, 0, 1, 0, True))

    assert found["man", "step left"] == (10.8, "none")
    assert found["man", "step right"] == (12.4, "none")
    assert found["man", "higher"] == (4.1, "none")


def as_told(scenario: Scenario, change: WhatIfChange, other: str) -> Scenario:
    """The scenario with one of its units as an alteration has it."""
    setup = scenario.setup
    row = setup.unit_of(change.who)
    unit = setup.units[row]
    muster, states = unit.muster, list(unit.states)
    if change.what == "higher":
        assert change.amount is not None
        muster = dataclasses.replace(muster, on_height=muster.on_height + change.amount)
    elif change.amount is None:
        states = [*{*states, change.what} - {"standing", "leaving cover"}]
        states = [each for each in states if change.what != "standing" or each != "prone"]
        states = [each for each in states if change.what != "leaving cover" or "cover" not in each]
    else:
        muster = dataclasses.replace(muster, at=stepped(unit, setup.units[setup.unit_of(other)],
                                                        change.what, change.amount))  # fmt: skip
    altered = dataclasses.replace(unit, muster=muster, states=tuple(states))
    units = (*setup.units[:row], altered, *setup.units[row + 1 :])
    return dataclasses.replace(scenario, setup=dataclasses.replace(setup, units=units))


def stepped(unit: UnitSetup, other: UnitSetup, what: str, amount: float) -> tuple[float, float]:
    """Where a unit is after a step aside, facing another."""
    here, there = unit.starts_in.centroid, other.starts_in.centroid
    east, north = there.x - here.x, there.y - here.y
    way = amount / math.hypot(east, north) * (1 if what == "step right" else -1)
    x, y = unit.muster.at
    return snapped(x + way * north), snapped(y - way * east)


ASKED = [
    ("bandits", "archers", "bandits"), ("castle", "springald", "Red company"),
    ("duel", "dragon", "Calder"),
]  # fmt: skip
ASKED_SLOWLY = [
    ("bandits", "raiders", "archers"), ("castle", "Red company", "Long Meg"),
    ("thieves", "west patrol", "burglars"), ("cruisers", "Endeavour", "Shrike"),
    ("bandits", "bandits", "archers"), ("bandits", "bandits", "raiders"),
    ("castle", "ram", "Red company"), ("castle", "crossbows of the gate", "Black company"),
    ("castle", "Green company", "bowmen of the hill"), ("castle", "household", "Captain Orso"),
    ("thieves", "cutpurses", "market patrol"), ("thieves", "footpads", "east patrol"),
    ("duel", "Asa", "Dagny"), ("ridge", "Holm Fusiliers", "Northern Grenadiers"),
    ("ridge", "General Amory", "Foot Guards"), ("ridge", "Bessing Regiment", "Jarlby Regiment"),
    ("ridge", "General Voss", "General Amory"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "observer", "target"),
    [*ASKED, *(pytest.param(*each, marks=pytest.mark.slow) for each in ASKED_SLOWLY)],
)
def test_a_scenario_that_is_as_told_has_the_answer_that_is_told(
    name: str, observer: str, target: str
) -> None:
    """Asked again from the beginning, of a scenario with the unit put there."""
    scenario = emlia3d.load(f"maps/{name}.toml")

    answer = scenario.sight(observer, target, what_if=True)

    assert answer.changes is not None
    for change in answer.changes:
        other = target if change.who == observer else observer
        altered = as_told(scenario, change, other)
        again = altered.sight(observer, target)
        assert again.concealment == change.verdict != answer.concealment, change
        unit = altered.setup.units[altered.setup.unit_of(change.who)]
        zone = altered.setup.zone_of(unit.muster.side)
        in_zone = zone is None or zone.covers(unit.starts_in)
        assert in_zone is ("outside its deployment zone" not in (change.note or "")), change

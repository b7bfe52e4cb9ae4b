"""What forced moves record: the events, who forced whom into what, and where the opened stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.force import Formation
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.charges import shelter
from emlia3d.rules.emlia.play.charges.shelter import (
    is_sheltered,
    sheltered_places,
    towards_shelter,
)
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.retreat import forced
from emlia3d.rules.emlia.play.retreat.forced import opened_pose
from emlia3d.rules.emlia.play.sight.area import area_levels
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.situation.pose import pose_of
from tests.made_up import made_up
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.outcome import told
from tests.rules.emlia.reasons import named
from tests.rules.emlia.shoving import pushed

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ranked = partial(troops.ranked, hits=99)
theirs = partial(troops.theirs, hits=99)


def parts(event: Any) -> tuple[Any, ...]:
    return event.unit, event.target, event.gesture, event.part_of_last


@pytest.mark.rule("emlia.forced.simultaneous", "emlia.push.net")
def test_a_push_records_who_was_pushed_by_whom_and_how_far(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "building", "box": (80, 104.124, 120, 107)}
    battle = field_of_battle(ranked(4, 2, (100, 100)), theirs(4, 2, (100, 101)), terrain=[wall])
    outlook = MoraleInputs(battle)

    events = pushed(battle, play, [(0, 1, 3)], ["give-way", "stand"], outlook)

    (back,) = told(events, "pushed back")
    assert parts(back) == (1, 0, "march", True)
    assert back.facts.values() == {"distance": pytest.approx(1.12, abs=0.01), "wanted": 3}
    assert outlook.terrain_stopped == {1}


@pytest.mark.rule("emlia.skirmish.shift", "emlia.forced.vector-sum")
def test_a_skirmish_that_is_shifted_is_borne_along_by_nobody_from_outside(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 100, hits=9), man(101.5, 100, "Bob", hits=9))
    row = {"attacker": 0, "subject": 1, "successes": 2, "shift": 1}
    battle.happen(Event(facts=made_up(Struck), changes=(Append(table="push", row=row),)))

    east = Order(verb="shift", unit=0, number=90)
    events = play(battle, forced.push(battle, MoraleInputs(battle)), answers=[east])

    assert [(event.name, *parts(event)) for event in events] == [
        ("borne along", 0, None, "march", True), ("borne along", 1, None, "march", True),
    ]  # fmt: skip
    assert {event.facts.distance for event in events} == {2}
    assert all("skirmish.shift" in named(event, "skirmish") for event in events)


@pytest.mark.rule("emlia.forced.into-friend", "emlia.disorder.causes")
@pytest.mark.parametrize("mutual", [False, True])
def test_a_unit_forced_into_a_friend_is_told_apart_from_the_friend_unless_both_were_moved(
    field_of_battle: Build, play: Play, mutual: bool
) -> None:
    battle = field_of_battle(
        ranked(2, 1, (100, 100)),
        theirs(2, 2, (100, 101)),
        theirs(2, 2, (100, 106), 0) if mutual else theirs(2, 2, (100, 104)),
        ranked(2, 1, (100, 107), 180) if mutual else ranked(2, 1, (150, 100)),
    )
    outlook = MoraleInputs(battle)
    scores = [(0, 1, 2), (3, 2, 2)] if mutual else [(0, 1, 2)]

    events = pushed(
        battle, play, scores, ["give-way", "give-way", "stand", "stand"][:: 1 if mutual else 2],
        outlook,
    )  # fmt: skip

    into = told(events, "forced into a friend")
    expected = [(1, 2, "waver", True), (2, 1, "waver", True)][: 1 + mutual]
    assert [parts(event) for event in into] == expected
    assert into[0].because == (
        "emlia.forced.into-friend", "emlia.forced.into-friend.space", "emlia.disorder.causes",
    )  # fmt: skip
    assert outlook.forced_into_friend == ({1, 2} if mutual else {1})
    assert outlook.friend_forced_into == (set() if mutual else {2})
    assert outlook.forced_enemy_into_enemy == ({0, 3} if mutual else {0})
    assert outlook.run_into == [(1, 2), (2, 1)][: 1 + mutual]
    units = battle.state.units
    assert units.ints("disordered")[:4].tolist() == [0, 1, 1, 0]
    assert units.ints("formation")[1:3].tolist() == [Formation.OPEN] * 2


@pytest.mark.rule("emlia.forced.into-enemy", "emlia.press.into-enemy")
@pytest.mark.parametrize("disordered", [0, 1])
def test_a_unit_forced_into_an_enemy_is_told_with_those_who_forced_it(
    field_of_battle: Build, play: Play, disordered: int
) -> None:
    battle = field_of_battle(
        ranked(4, 2, (100, 100)),
        theirs(4, 2, (100, 101)),
        ranked(4, 3, (100, 107), 180, put={"disordered": disordered}),
    )
    outlook = MoraleInputs(battle)

    events = pushed(battle, play, [(0, 1, 3)], ["give-way", "stand"], outlook)

    (into,) = told(events, "forced into an enemy")
    assert parts(into) == (1, 2, "waver", True)
    assert into.because == ("emlia.forced.into-enemy",)
    assert outlook.forced_into_enemy == {1}
    assert outlook.enemy_forced_into == {2}
    assert outlook.forced_enemy_into_friend == (set() if disordered else {0})
    assert told(events, "pressed")[-1].because == ("emlia.press.into-enemy",)
    assert told(events, "pressed")[0].because == (
        "emlia.press.when", "emlia.press.number", "emlia.press.base-damage",
    )  # fmt: skip


@pytest.mark.rule("emlia.forced.into-friend", "emlia.lead.join.morale")
@pytest.mark.parametrize(
    ("column", "together"), [(None, True), ("present", False)], ids=["both there", "one is gone"]
)
def test_units_that_ran_into_each_other_are_joined_if_both_are_there(
    field_of_battle: Build, play: Play, put: Any, column: str | None, together: bool
) -> None:
    battle = field_of_battle(
        man(100, 100), man(102, 100, "Bob"), man(104, 100, "Bob"), man(110, 100, "Bob")
    )
    put(battle, 1, morale=5)
    if column:
        put(battle, 2, **{column: 0})
    outlook = MoraleInputs(battle)
    outlook.run_into = [(1, 2), (2, 1), (0, 3)]

    events = play(battle, forced.run_together(battle, outlook))

    assert [event.name for event in events] == (["ran together"] if together else [])
    for event in events:
        assert {event.unit, event.target} == {1, 2}
        assert event.part_of_last
        assert event.because == ("emlia.forced.into-friend", "emlia.lead.join.morale")
        # The higher morale, less one as the other's is lower.
        assert battle.state.units.integer("morale", event.unit) == 4


@pytest.mark.rule("emlia.forced.into-friend.space")
@pytest.mark.parametrize(
    ("way", "kept"),
    [(0, ("south", 98.0)), (90, ("west", 98.0)), (180, ("north", 100.0)), (270, ("east", 102.0))],
)
def test_an_opened_unit_spreads_onward_and_to_both_sides_alike(
    field_of_battle: Build, way: int, kept: tuple[str, float]
) -> None:
    battle = field_of_battle(ranked(4, 2, (100, 100)))
    west, south, east, north = pose_of(battle, 0).outline.bounds

    end = opened_pose(battle, 0, way * 64)

    new = dict(zip(("west", "south", "east", "north"), end.outline.bounds, strict=True))
    assert end.drill.formation is Formation.OPEN
    assert new[kept[0]] == pytest.approx(kept[1], abs=0.02)
    if way in {0, 180}:
        assert west - new["west"] == pytest.approx(new["east"] - east, abs=0.02)
    else:
        assert south - new["south"] == pytest.approx(new["north"] - north, abs=0.02)


@pytest.mark.rule("emlia.forced.into-friend.space", "emlia.move.leave")
@pytest.mark.parametrize(
    ("front", "way"), [((2, 100), 0), ((198, 100), 0), ((100, 200), 0), ((100, 2), 180)]
)
def test_an_opened_unit_does_not_spread_over_the_edge(
    field_of_battle: Build, front: tuple[float, float], way: int
) -> None:
    battle = field_of_battle(ranked(4, 2, front))

    west, south, east, north = opened_pose(battle, 0, way * 64).outline.bounds

    assert min(west, south) >= -0.01
    assert max(east, north) <= 200.01
    assert min(west, 200 - east, south, 200 - north) == pytest.approx(0, abs=0.02)


@pytest.mark.rule("emlia.forced.triggers-prepared")
def test_only_moves_trigger_prepared_actions(field_of_battle: Build, put: Any) -> None:
    battle = field_of_battle(man(100, 100), man(150, 100, "Bob"))
    before = forced.places_of(battle)
    put(battle, 0, morale=1)

    stayed = forced.may_trigger(battle, before)
    pose = pose_of(battle, 1)
    moved = pose.at(pose.x, pose.y + 1, pose.facing).changes(1)
    battle.happen(Event(facts=made_up(Moved), changes=moved))

    assert (stayed, forced.may_trigger(battle, before)) == (False, True)


# Shelter

WALL = {"kind": "wall", "box": (95, 120, 105, 121), "height": 3}
HEDGE = {"kind": "hedge", "box": (95, 120, 105, 121), "height": 3, "hits": 2}
SCRUB = {"kind": "scrub", "box": (95, 110, 105, 121), "height": 3}


@pytest.mark.parametrize(
    ("terrain", "foes", "cover", "concealed"),
    [
        ([WALL], ((100, 150),), True, True),
        ([HEDGE], ((100, 150),), True, True),
        ([SCRUB], ((100, 150),), False, True),
        ([], ((100, 150),), False, False),
        ([WALL], ((100, 150), (150, 100)), False, False),
    ],
    ids=["a wall", "a hedge", "leaves", "nothing", "from one of two"],
)
def test_a_unit_is_sheltered_from_all_enemies_that_are_named(
    field_of_battle: Build, terrain: list[Any], foes: tuple[Any, ...], cover: bool, concealed: bool
) -> None:
    battle = field_of_battle(man(100, 100), *(man(*at, "Bob") for at in foes), terrain=terrain)
    rows = tuple(range(1, 1 + len(foes)))

    assert is_sheltered(battle, 0, rows, cover=False) is concealed
    assert is_sheltered(battle, 0, rows, cover=True) is cover
    assert is_sheltered(battle, 0, (), cover=True)
    if len(foes) == 1:
        assert (cover_of(battle, 1, 0, 0) is not Level.NONE) is cover


@pytest.mark.parametrize("at", [(100, 100), (5, 100), (100, 5)])
def test_sheltered_places_are_on_the_field_and_the_nearest_come_first(
    field_of_battle: Build, at: tuple[float, float]
) -> None:
    wall = {"kind": "wall", "box": (at[0] - 4, at[1] + 8, at[0] + 4, at[1] + 9), "height": 4}
    battle = field_of_battle(man(at[0] + 12, at[1]), man(at[0], at[1] + 60, "Bob"), terrain=[wall])

    places = np.array([*sheltered_places(battle, 0, (1,))])

    far = [round(float(((x - at[0] - 12) ** 2 + (y - at[1]) ** 2) ** 0.5), 6) for x, y in places]
    assert far
    assert far == sorted(far)
    # Whole steps of 2 GSU from the middle, at most six moves of 15 away.
    assert [gap / 2 for gap in far] == pytest.approx([round(gap / 2) for gap in far])
    assert max(far) <= 90
    assert (places > 0).all()
    assert (places < 200).all()
    # All lie behind the wall, in the shadow that it casts to the south.
    assert all(y < at[1] + 8.5 for _, y in places)
    assert len(list(towards_shelter(battle, 0, (1,), "move"))) <= 24


@pytest.mark.parametrize(("east", "in_reach"), [(106, True), (112, True), (140, False)])
def test_the_first_move_to_shelter_ends_at_the_nearest_place_or_as_far_as_the_unit_gets(
    field_of_battle: Build, east: float, in_reach: bool
) -> None:
    wall = {"kind": "wall", "box": (96, 108, 104, 109), "height": 4}
    battle = field_of_battle(man(east, 100), man(100, 160, "Bob"), terrain=[wall])
    x, y = next(sheltered_places(battle, 0, (1,)))
    nearest = ((x - east) ** 2 + (y - 100) ** 2) ** 0.5

    end = next(towards_shelter(battle, 0, (1,), "move")).legs[-1]

    assert (nearest < 15) is in_reach
    # A leg gives the front of the figure, half a GSU before its centre.
    gone = ((end.x - east) ** 2 + (end.y - 100) ** 2) ** 0.5 - 1 / 2
    assert gone == pytest.approx(min(nearest, 15), abs=1 / 256)


def test_places_that_are_farther_away_are_looked_at_only_if_no_nearer_one_will_do(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall = {"kind": "wall", "box": (96, 108, 104, 109), "height": 4}
    battle = field_of_battle(man(112, 100), man(100, 160, "Bob"), terrain=[wall])
    looked: list[int] = []

    def counted(battle: Battle, foe: int, spots: Any, height: float) -> Any:
        looked.append(len(spots))
        return area_levels(battle, foe, spots, height)

    monkeypatch.setattr(shelter, "area_levels", counted)
    places = sheltered_places(battle, 0, (1,))
    next(places)

    first = sum(looked)
    assert len([*places]) > 0
    assert 0 < first < sum(looked) / 2

"""What is kept of who sees, reaches and knows whom is what would be found anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Pair, Place, Set
from emlia3d.battle.decisions import Procedure
from emlia3d.battle.events import Event, Unread
from emlia3d.force.roster import FigureCondition
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.combat.bands import enemies_within
from emlia3d.rules.emlia.play.sight.awareness import (
    is_aware,
    known_to,
    unaware_of_some,
    watched,
)
from emlia3d.rules.emlia.play.sight.side_picture import SidePicture
from emlia3d.rules.emlia.play.sight.sight_cache import UNKNOWN, sight_cache_of
from emlia3d.rules.emlia.play.situation.contact import enemies_of, engaged_by, in_reach_of
from emlia3d.rules.emlia.play.situation.fights import fight_of
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.unit_positions import whereabouts_of
from emlia3d.rules.emlia.tables.equipment import Band
from emlia3d.rules.emlia.unit_sets.weapon import Weapon
from emlia3d.scenario.synthetic_armies import armies
from tests.rules.emlia.recomputed import recomputed

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]

UNITS = [
    {"at": (20 + 12 * number, 20), "members": 6, "files": 3, "formation": formation}
    for number, formation in enumerate(("ranked", "open", "close"))
] + [
    {"at": (20 + 12 * number, 60), "members": 6, "files": 3, "formation": formation, "side": "Bob"}
    for number, formation in enumerate(("open", "ranked", "close"))
]
MUSKET = Weapon(name="Musket", base_damage=1, range=(10, 20, 40))
TERRAIN = [
    {"kind": "rock", "box": (28, 38, 36, 42), "height": 1},
    {"kind": "orchard", "box": (44, 30, 50, 44), "height": 3},
]
PLACES = st.tuples(
    st.integers(0, 5), st.integers(5, 70), st.integers(5, 70), st.sampled_from([0, 45, 180, 290])
)
ASKED = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4)


def asked_anew(battle: Battle) -> dict[str, Any]:
    """All that may have been kept, as a battle tells it that has kept nothing."""
    return asked(recomputed(battle))


def asked(battle: Battle) -> dict[str, Any]:
    situation, units = situation_of(battle), on_field(battle)
    return {
        "levels": sight_cache_of(battle).levels(np.array(units), np.array(units)).tolist(),
        "engaged by": [engaged_by(battle, unit) for unit in units],
        "in reach": [in_reach_of(battle, unit) for unit in units],
        "fights": [fight_of(battle, unit) for unit in units],
        "enemies": [enemies_of(battle, unit) for unit in units],
        "distances": [situation.distances(unit, units) for unit in units],
        "in bands": [enemies_within(battle, unit, MUSKET, band) for unit in units for band in Band],
        "middles": [situation.centre(unit) for unit in units],
        "boxes": whereabouts_of(battle).boxes[units].tolist(),
        "centres": whereabouts_of(battle).centres[units].tolist(),
        "rooms": whereabouts_of(battle).rooms[units].tolist(),
        "corners": [column.tolist() for column in situation.corner_places()],
        "known": [known_to(battle, side) for side in range(len(battle.setup.sides))],
    }


def placed(battle: Battle, unit: int, x: float, y: float, degrees: int) -> Event:
    units = battle.state.units
    there = Place(
        unit=unit, x=x, y=y, facing=degrees * 64,
        formation=units.integer("formation", unit), files=units.integer("files", unit),
    )  # fmt: skip
    return Event(facts=Unread(event="test"), changes=(there,))


def place(battle: Battle, unit: int, x: float, y: float, degrees: int) -> None:
    battle.happen(placed(battle, unit, x, y, degrees))


@given(moves=st.lists(st.tuples(PLACES, ASKED), min_size=1, max_size=5))
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_is_kept_while_units_move_is_what_would_be_found_anew(
    field_of_battle: Build, moves: list[Any]
) -> None:
    battle = field_of_battle(*UNITS, terrain=TERRAIN)
    asked(battle)

    for there, pairs in moves:
        place(battle, *there)
        for one, other in pairs:
            sight_cache_of(battle).level(one, other)
            situation_of(battle).distance(one, other)
            engaged_by(battle, one)

    assert asked(battle) == asked_anew(battle)


def stretch(event: Event) -> Procedure[None]:
    """A stretch of play in which no more happens."""
    yield event


def lies(battle: Battle) -> list[Any]:
    """How everybody stands in a battle."""
    situation = situation_of(battle)
    return [
        (
            situation.outline(unit).wkb,
            situation.places(unit).tolist(),
            situation.corners(unit).tolist(),
            situation.footing(unit),
            situation.height(unit),
        )
        for unit in on_field(battle)
    ]


@given(moves=st.lists(st.tuples(PLACES, st.integers(0, 35)), min_size=1, max_size=5))
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_a_side_knows_stands_as_it_would_be_worked_out_anew(
    field_of_battle: Build, moves: list[Any]
) -> None:
    hill = {"kind": "hill", "box": (10, 10, 40, 30), "height": 2}
    battle = field_of_battle(*UNITS, terrain=[*TERRAIN, hill])

    for there, fallen in moves:
        place(battle, *there)
        if battle.state.figures.value("condition", fallen) == FigureCondition.STANDING:
            fall = Fall(unit=fallen // 6, figures=(fallen,))
            battle.happen(Event(facts=Unread(event="test"), changes=(fall,)))
        for side in (0, 1):
            known = SidePicture(battle, side).battle
            assert lies(known) == lies(recomputed(known))


def test_who_comes_back_to_where_he_was_stands_as_it_would_be_worked_out_anew(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(*UNITS)
    there = lies(battle)

    for present in (0, 1):
        change = Set(table="unit", row=1, column="present", value=present)
        battle.happen(Event(facts=Unread(event="test"), changes=(change,)))
        assert lies(battle) == lies(recomputed(battle))
        assert situation_of(battle).outline(1).is_empty is not bool(present)

    assert lies(battle) == there


def test_who_comes_onto_an_empty_field_is_seen(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (50, 20)}, {"at": (50, 60), "side": "Bob"})
    for present in (0, 1):
        changes = [Set(table="unit", row=row, column="present", value=present) for row in (0, 1)]
        battle.happen(Event(facts=Unread(event="test"), changes=tuple(changes)))
        assert len(sight_cache_of(battle).scene.bodies) == 2 * present

    assert sight_cache_of(battle).level(0, 1) is Level.NONE


def test_a_sides_own_men_have_their_places_once_in_the_true_battle_and_in_what_it_knows(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(*UNITS)

    known = SidePicture(battle, 0).battle

    for unit in (0, 1, 2):
        assert situation_of(known).places(unit) is situation_of(battle).places(unit)


def test_who_passes_between_two_that_a_rock_hides_asks_nothing_anew(
    field_of_battle: Build,
) -> None:
    rock = {"kind": "rock", "box": (20, 38, 60, 42), "height": 9}
    battle = field_of_battle(*UNITS, terrain=[rock])
    asked(battle)

    place(battle, 1, 32, 30, 90)

    kept = sight_cache_of(battle).so_far(range(6), range(6))
    assert kept[0, 3] == kept[3, 0] == kept[2, 5] == Level.TOTAL
    assert kept[1, 3] == kept[4, 1] == UNKNOWN
    assert asked(battle) == asked_anew(battle)


def test_who_moves_beside_a_slanting_corridor_asks_nothing_anew(field_of_battle: Build) -> None:
    lines = {"members": 20, "files": 20, "formation": "ranked"}
    battle = field_of_battle(
        {"at": (20, 20), **lines},
        {"at": (80, 44), "side": "Bob", **lines},
        {"at": (40, 37), "members": 1},
    )
    asked(battle)

    place(battle, 2, 42, 38, 0)

    assert sight_cache_of(battle).so_far([0], [1])[0, 0] != UNKNOWN
    place(battle, 2, 42, 30, 0)
    assert sight_cache_of(battle).so_far([0], [1])[0, 0] == UNKNOWN


def test_two_that_a_unit_hid_from_each_other_are_looked_at_anew_when_it_moves_away(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(
        {"at": (50, 20), "members": 1},
        {"at": (50, 60), "side": "Bob", "members": 1},
        {"at": (50, 40), "members": 20, "files": 10, "formation": "ranked", "height": 3},
        {"at": (10, 40), "members": 1},
    )
    assert sight_cache_of(battle).level(0, 1) is Level.TOTAL

    place(battle, 3, 50, 30, 0)

    assert sight_cache_of(battle).so_far([0], [1])[0, 0] == Level.TOTAL
    place(battle, 2, 90, 90, 0)
    assert sight_cache_of(battle).so_far([0], [1])[0, 0] == UNKNOWN
    place(battle, 3, 10, 40, 0)
    assert sight_cache_of(battle).level(0, 1) is Level.NONE


@given(moves=st.lists(PLACES, min_size=1, max_size=4), hidden=ASKED)
@settings(
    deadline=None, max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_who_is_unaware_of_an_enemy_is_found_whatever_has_been_looked_at(
    field_of_battle: Build, moves: list[Any], hidden: list[tuple[int, int]]
) -> None:
    battle = field_of_battle(*UNITS, terrain=TERRAIN)
    pairs = [Pair(column="hidden", a=a, b=b, value=1) for a, b in hidden]
    battle.happen(Event(facts=Unread(event="test"), changes=tuple(pairs)))

    for there in moves:
        place(battle, *there)
        some = unaware_of_some(battle, [0, 1, 2], [3, 4, 5])
        anew = recomputed(battle)
        assert some.tolist() == [
            any(not is_aware(anew, unit, foe) for unit in (0, 1, 2)) for foe in (3, 4, 5)
        ]


@given(happened=st.lists(st.one_of(PLACES, st.tuples(st.integers(0, 2), st.integers(3, 5)))))
@settings(
    deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_happens_nobody_stays_hidden_from_whom_he_is_plain_to_see(
    field_of_battle: Build, play: Play, happened: list[Any]
) -> None:
    battle = field_of_battle(*UNITS, terrain=TERRAIN)

    for what in happened:
        hides = Event(
            facts=Unread(event="test"),
            changes=(Pair(column="hidden", a=what[0], b=what[1], value=1),),
        )
        event = hides if len(what) == 2 else placed(battle, *what)
        play(battle, watched(battle, stretch(event)))

        anew = sight_cache_of(recomputed(battle))
        for observer, enemy in battle.state.pairs["hidden"]:
            assert anew.level(observer, enemy) is not Level.NONE


def test_a_posture_alone_changes_who_reaches_whom(field_of_battle: Build) -> None:
    battle = field_of_battle(
        {"at": (50, 50), "combat_range": None, "size": 4},
        {"at": (50, 53.5), "side": "Bob", "facing": 180},
    )
    assert in_reach_of(battle, 0) == [1]

    battle.happen(
        Event(
            facts=Unread(event="test"),
            changes=(Set(table="unit", row=0, column="posture", value=1),),
        )
    )

    assert in_reach_of(battle, 0) == []


def test_whom_a_side_knows_of_is_whom_any_of_its_units_is_aware_of(field_of_battle: Build) -> None:
    battle = field_of_battle(*UNITS, terrain=TERRAIN)
    pairs = [
        Pair(column=column, a=a, b=b, value=9)
        for column, a, b in (("hidden", 0, 4), ("hidden", 1, 4), ("acquired", 2, 5), ("met", 0, 3))
    ]
    battle.happen(Event(facts=Unread(event="test"), changes=tuple(pairs)))

    for side, own in ((0, (0, 1, 2)), (1, (3, 4, 5))):
        foes = enemies_of(battle, own[0])
        aware = tuple(foe for foe in foes if any(is_aware(battle, unit, foe) for unit in own))
        assert known_to(battle, side) == aware


def test_who_settled_whom_a_side_knows_of_is_looked_at_again_with_whoever_is_looked_at_next(
    field_of_battle: Build,
) -> None:
    rock = {"kind": "rock", "box": (40, 38, 60, 42), "height": 9}
    battle = field_of_battle(*UNITS, terrain=[rock])
    known = known_to(battle, 0)
    place(battle, 3, 20, 58, 180)
    sight_cache = sight_cache_of(battle)

    sight_cache.find(np.array([[0, 1]]))

    finds = sight_cache.finds
    assert known_to(battle, 0) == known
    assert sight_cache.finds == finds


def test_who_asks_again_before_anybody_moves_expects_no_more_what_he_did_before(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(*UNITS)
    for pair in ((0, 3), (1, 4)):
        sight_cache_of(battle).expect_then("somebody", np.array([pair]))
    place(battle, 2, 44, 22, 0)
    sight_cache = sight_cache_of(battle)

    sight_cache.find(np.array([[0, 5]]))

    found = sight_cache.so_far([0, 1], [3, 4]) != UNKNOWN
    assert found.tolist() == [[False, False], [False, True]]


def test_of_whom_nobody_was_aware_everybody_is_asked_at_once(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (0, 38, 100, 42), "height": 9}
    own = [{"at": (5 + 10 * number, 20), "members": 1} for number in range(9)]
    battle = field_of_battle(*own, {"at": (50, 60), "side": "Bob"}, terrain=[rock])
    assert known_to(battle, 0) == ()
    place(battle, 9, 52, 60, 180)
    sight_cache = sight_cache_of(battle)
    finds = sight_cache.finds

    assert known_to(battle, 0) == ()

    assert sight_cache.finds == finds + 1


def test_what_is_kept_through_a_battle_of_armies_is_what_would_be_found_anew() -> None:
    battle = armies(320, 8, ground=True, seed=2).battle(turns=2)

    for number, _ in enumerate(battle.run()):
        if number % 12 == 7:
            anew, units = recomputed(battle), on_field(battle)
            kept = sight_cache_of(battle).so_far(units, units)
            found = sight_cache_of(anew).levels(np.array(units), np.array(units))
            assert (kept == found)[kept != UNKNOWN].all()
            for unit in units:
                assert engaged_by(battle, unit) == engaged_by(anew, unit)
                assert fight_of(battle, unit) == fight_of(anew, unit)
                assert situation_of(battle).distances(unit, units) == situation_of(anew).distances(
                    unit, units
                )


def test_a_side_s_battle_is_told_of_sight_what_it_would_find_itself() -> None:
    battle = armies(320, 8, ground=True, seed=2).battle(turns=2)
    told = 0

    for number, _ in enumerate(battle.run()):
        if number % 12 == 5:
            known = SYSTEM.picture(battle, number % 2).battle
            anew, units = recomputed(known), on_field(known)
            kept = sight_cache_of(known).so_far(units, units)
            found = sight_cache_of(anew).levels(np.array(units), np.array(units))
            assert (kept == found)[kept != UNKNOWN].all()
            told += int((kept != UNKNOWN).sum()) - len(units)

    assert told > 50

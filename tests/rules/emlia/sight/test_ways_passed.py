"""Chapter 20 as play: the places on the way of a move at which hidden units are looked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Leave, Pair, Place, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.force.formation import Formation, snapped
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.sight.passing_by import PassedWay, passage_of, seen_on_the_way
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.situation.stances import stances_along
from emlia3d.scenario.synthetic_armies import armies
from tests.made_up import made_up

Build = Callable[..., Battle]
ALICE: dict[str, Any] = {"at": (50, 50)}
BOB: dict[str, Any] = {"at": (50, 150), "side": "Bob", "facing": 180}


def place(unit: int, x: float, y: float) -> Place:
    return Place(unit=unit, x=x, y=y, facing=0, formation=0, files=1)


def front(battle: Battle, unit: int) -> tuple[float, float]:
    units = battle.state.units
    return float(units.value("x", unit)), float(units.value("y", unit))


def spots(passage: PassedWay) -> list[list[tuple[float, float]]]:
    return [[(body.x, body.y) for body in moment] for moment in passage.places()]


def hide(battle: Battle, *pairs: tuple[int, int]) -> None:
    changes = tuple(Pair(column="hidden", a=a, b=b, value=1) for a, b in pairs)
    battle.happen(Event(facts=Unread(event="put"), changes=changes))


@pytest.mark.parametrize(
    ("way", "expected"),
    [
        ([(0, 0), (4, 0)], [(1, 0), (2, 0), (3, 0)]),
        ([(0, 0), (0, 3.75)], [(0, 0.9375), (0, 1.875), (0, 2.8125)]),
        ([(0, 0), (1, 0)], []),
        ([(0, 0), (0.25, 0)], []),
        ([(0, 0), (1.5, 0)], [(0.75, 0)]),
        ([(0, 0), (1.5, 0), (1.5, 1.5)], [(1, 0), (1.5, 0), (1.5, 0.5)]),
        ([(0, 0), (0.25, 0), (0.5, 0)], [(0.25, 0)]),
    ],
)
def test_a_way_is_looked_at_every_gsu_and_at_its_points(
    way: list[tuple[float, float]], expected: list[tuple[float, float]]
) -> None:
    passage = PassedWay(ends=(place(3, *way[-1]),), ways=(np.array(way, dtype=float),))

    assert spots(passage) == [[each] for each in expected]
    assert all(body.unit == 3 for (body,) in passage.places())


def test_bodies_that_move_at_once_are_each_at_the_same_share_of_their_ways() -> None:
    ways = (
        np.array([(0, 0), (4, 0)], dtype=float),
        np.array([(10, 10), (10, 12)], dtype=float),
        np.array([(20, 20), (20, 20)], dtype=float),
    )
    ends = tuple(place(unit, *way[-1]) for unit, way in enumerate(ways))

    assert spots(PassedWay(ends=ends, ways=ways)) == [
        [(1, 0), (10, 10.5), (20, 20)],
        [(2, 0), (10, 11), (20, 20)],
        [(3, 0), (10, 11.5), (20, 20)],
    ]


def test_asking_all_places_of_a_way_at_once_sees_what_asking_each_place_sees() -> None:
    battle = armies(1000, 20, ground=True, seed=4).battle(4)
    next(battle.run())
    sides = battle.state.units.ints("side")
    found = []
    for unit in range(0, 20, 3):
        x, y = front(battle, unit)
        end = replace(
            place(unit, x + 24, y),
            facing=battle.state.units.integer("facing", unit),
            formation=battle.state.units.integer("formation", unit),
            files=battle.state.units.integer("files", unit),
        )
        passage = PassedWay(ends=(end,), ways=(np.array([(x, y), (x + 24, y)]),))
        foes = [foe for foe in range(20) if sides[foe] != sides[unit]]
        pairs = np.array([pair for foe in foes for pair in ((unit, foe), (foe, unit))])
        seen = set()
        for (at,) in passage.places():
            scene = battle.fork()
            scene.happen(Event(facts=Unread(event="put"), changes=(at,)))
            sight_cache = sight_cache_of(scene)
            seen |= {pair for pair in map(tuple, pairs.tolist()) if sight_cache.level(*pair) == 0}

        found.append((len(pairs), len(seen)))
        assert seen_on_the_way(battle, passage, pairs) == sorted(seen)

    assert any(0 < seen < asked for asked, seen in found)


@pytest.mark.parametrize("formation", list(Formation))
@pytest.mark.parametrize(("fallen", "raised"), [(0, 0.0), (7, 2.5), (49, 0.0)])
def test_stances_along_a_way_are_those_of_a_battle_in_which_the_unit_stands_there(
    formation: Formation, fallen: int, raised: float
) -> None:
    battle = armies(200, 4, ground=True, seed=5).battle(5)
    next(battle.run())
    lifted = Set(table="unit", row=1, column="on_height", value=raised)
    battle.happen(Event(facts=Unread(event="put"), changes=(lifted,)))
    x, y = front(battle, 1)
    end = Place(unit=1, x=x, y=y, facing=3001, formation=formation, files=9)
    own = battle.state.roster.standing(1).tolist()
    losses = tuple(own[3 : 3 + fallen])
    changes: tuple[Any, ...] = (Fall(unit=1, figures=losses), end) if fallen else (end,)
    battle.happen(Event(facts=Unread(event="put"), changes=changes))
    fronts = [(snapped(x + step * 0.7), snapped(y - step * 1.3)) for step in range(12)]

    found = stances_along(situation_of(battle), 1, np.array(fronts))

    for stance, (east, north) in zip(found, fronts, strict=True):
        scene = battle.fork()
        at = replace(end, x=east, y=north)
        scene.happen(Event(facts=Unread(event="put"), changes=(at,)))
        expected = situation_of(scene).stance(1)
        assert stance.outline.equals_exact(expected.outline, 0)
        assert np.array_equal(stance.places, expected.places)
        assert np.array_equal(stance.corners, expected.corners)
        assert stance.footing == expected.footing


def test_only_moves_that_matter_to_a_hidden_unit_have_a_passage(field_of_battle: Build) -> None:
    def found(*pairs: tuple[int, int], mover: int = 1, step: float = 5, **cells: int) -> bool:
        battle = field_of_battle(ALICE, BOB, {**BOB, "at": (90, 150)})
        hide(battle, *pairs)
        x, y = front(battle, mover)
        changes: list[Any] = [place(mover, x + step, y)]
        if cells.get("away"):
            battle.happen(Event(facts=Unread(event="put"), changes=(Leave(unit=mover),)))
        return (
            passage_of(battle, Event(facts=made_up(Moved), unit=mover, changes=tuple(changes)))
            is not None
        )

    assert found((0, 1))
    assert found((0, 1), step=0.5)
    assert found((0, 2), mover=0)
    assert not found()
    assert not found((0, 2))
    assert not found((0, 1), step=0)
    assert not found((0, 1), away=1)


def test_what_is_no_move_has_no_passage(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB)
    hide(battle, (0, 1))
    change = Set(table="unit", row=1, column="posture", value=1)

    assert (
        passage_of(battle, Event(facts=Unread(event="dropped"), unit=1, changes=(change,))) is None
    )


def test_a_passage_begins_where_the_body_stands_and_follows_the_recorded_path(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(ALICE, BOB, {"at": (90, 50)})
    hide(battle, (0, 1), (2, 1))
    x, y = front(battle, 1)
    end = place(1, x + 8, y + 6)
    other = place(2, 95.0, 50.0)
    path = ((x + 8, y), (x + 8, y + 6))

    straight = passage_of(battle, Event(facts=made_up(Moved), unit=1, changes=(end,)))
    bent = passage_of(battle, Event(facts=made_up(Moved, path=path), unit=1, changes=(end, other)))

    assert straight is not None
    assert straight.ways[0].tolist() == [[x, y], [x + 8, y + 6]]
    assert bent is not None
    assert bent.ways[0].tolist() == [[x, y], [x + 8, y], [x + 8, y + 6], [x + 8, y + 6]]
    # The path is that of the unit of the event; all others move straight.
    assert bent.ways[1].tolist() == [list(front(battle, 2)), [95.0, 50.0]]


def test_a_subunit_keeps_its_place_in_the_whole_unit_on_the_path(field_of_battle: Build) -> None:
    battle = field_of_battle(
        ALICE, {**BOB, "name": "men"}, {**BOB, "at": (53, 150), "group": "men"}
    )
    hide(battle, (0, 1))
    (x, y), (part_x, part_y) = front(battle, 1), front(battle, 2)
    path = ((x, y - 5), (x + 5, y - 5))
    ends = (place(1, x + 5, y - 5), place(2, part_x + 5, part_y - 5))

    passage = passage_of(battle, Event(facts=made_up(Moved, path=path), unit=1, changes=ends))

    assert passage is not None
    assert passage.ways[1].tolist() == [
        [part_x, part_y], [part_x, part_y - 5], [part_x + 5, part_y - 5], [part_x + 5, part_y - 5],
    ]  # fmt: skip


HEDGES = [
    {"kind": "hedge", "box": (60, 78, 98, 80)},
    {"kind": "hedge", "box": (102, 78, 140, 80)},
]


@pytest.mark.rule("emlia.aware.auto-spot")
def test_each_pair_with_a_mover_is_seen_once_and_in_the_order_of_pairs(
    field_of_battle: Build,
) -> None:
    watcher, sneak = {"at": (100, 60)}, {"at": (80, 100), "side": "Bob", "facing": 180}
    battle = field_of_battle(
        {**watcher, "at": (101, 55)}, watcher, sneak, {**sneak, "at": (100, 95)}, terrain=HEDGES
    )
    x, y = front(battle, 2)
    event = Event(facts=made_up(Moved), unit=2, changes=(place(2, x + 40, y),))
    pairs = [(1, 2), (0, 2), (0, 3)]
    hide(battle, *pairs)
    passage = passage_of(battle, event)
    assert passage is not None
    battle.happen(event)
    before = battle.state.key_frame()

    # The fourth stands in the gap, but neither it nor its observer has moved.
    assert seen_on_the_way(battle, passage, np.array(pairs)) == [(0, 2), (1, 2)]
    assert seen_on_the_way(battle, passage, np.array([(0, 3)])) == []
    assert battle.state.key_frame() == before


@pytest.mark.rule("emlia.aware.auto-spot")
@pytest.mark.parametrize(
    ("step", "seen"),
    [
        # Two that walk side by side behind hedges are seen through the gap one after the other.
        (40, [(0, 2), (0, 3), (1, 2), (1, 3)]),
        (22, [(0, 2), (1, 2)]),
        (4, []),
    ],
)
def test_of_two_that_move_at_once_each_is_seen_where_it_passes_a_gap(
    field_of_battle: Build, step: float, seen: list[tuple[int, int]]
) -> None:
    sneak = {"side": "Bob", "facing": 180}
    battle = field_of_battle(
        {"at": (101, 55)}, {"at": (99, 60)}, {**sneak, "at": (80, 100)}, {**sneak, "at": (70, 104)},
        terrain=HEDGES,
    )  # fmt: skip
    ends = tuple(place(unit, x + step, y) for unit in (2, 3) for x, y in [front(battle, unit)])
    event = Event(facts=made_up(Moved), changes=ends)
    pairs = [(one, other) for one in (0, 1) for other in (2, 3)]
    hide(battle, *pairs)
    passage = passage_of(battle, event)
    assert passage is not None
    battle.happen(event)

    assert seen_on_the_way(battle, passage, np.array(pairs)) == seen


@pytest.mark.rule("emlia.aware.auto-spot", "emlia.mixed.sight")
@pytest.mark.parametrize(("at", "seen"), [((70, 60), True), ((70, 104), False)])
def test_a_mixed_unit_of_which_one_part_moves_is_looked_at_as_a_whole(
    field_of_battle: Build, at: tuple[float, float], seen: bool
) -> None:
    """Its head moves behind a hedge; nine others stay before it, or behind it too."""
    sneak = {"side": "Bob", "facing": 180}
    head = {**sneak, "at": (80, 100), "name": "band"}
    nine = {**sneak, "at": at, "members": 9, "files": 3, "group": "band"}
    battle = field_of_battle({"at": (101, 55)}, head, nine, terrain=HEDGES)
    x, y = front(battle, 1)
    event = Event(facts=made_up(Moved), unit=1, changes=(place(1, x + 5, y),))
    hide(battle, (0, 1))
    passage = passage_of(battle, event)
    assert passage is not None
    battle.happen(event)

    assert seen_on_the_way(battle, passage, np.array([(0, 1)])) == [(0, 1)] * seen


def test_a_way_that_begins_with_a_turn_on_the_spot_is_a_passage(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, BOB)
    hide(battle, (0, 1))
    x, y = front(battle, 1)
    path = ((x, y), (x + 8, y))

    event = Event(facts=made_up(Moved, path=path), unit=1, changes=(place(1, x + 8, y),))

    assert passage_of(battle, event) is not None

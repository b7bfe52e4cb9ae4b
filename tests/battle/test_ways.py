"""All ways in which procedures of Tin can go, beside an enumeration that shares no code."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest

from emlia3d.battle import dice
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event
from emlia3d.battle.flow import driven
from emlia3d.battle.questions.odds import merge_equal
from emlia3d.errors import Error
from emlia3d.rulekit.odds import successes
from emlia3d.rulekit.ways import Pool, Way, all_ways, by_commander
from tests.battle.toy_events import Bumped, RanDown
from tests.battle.toy_system import GUARDS, SAILORS, Wanderer

Fresh = Callable[..., Battle]
BUMP = Order(verb="bump", unit=GUARDS, target=SAILORS)
FIVES = Fraction(1, 3)


def chance_of_bump(event: Event) -> Fraction | None:
    return FIVES if isinstance(event.facts, Bumped) else None


POOLS = {"tin.bump": Pool(success=6, failure=1, chance=chance_of_bump)}


def answer(scene: Battle, decision: Decision, asked: int) -> Order:
    return BUMP if BUMP in decision.options else decision.options[0]


@pytest.fixture
def scene(fresh: Fresh) -> Battle:
    """The guards are to act."""
    battle = fresh(1)
    for _ in range(2):
        for event in driven(battle.system.next_step(battle), lambda decision: BUMP):
            battle.happen(event)
        battle.state.stretch += 1
        if battle.state.turn:
            break
    return battle.fork()


def ways_of(scene: Battle, **how: object) -> list[Way]:
    return list(all_ways(scene, [lambda: scene.system.next_step(scene)], answer, **how))


def fallen(way: Way) -> int:
    (hits,) = [event.facts.hits for event in way.events if isinstance(event.facts, Bumped)]
    return hits


def worn(way: Way) -> int:
    (found,) = [event.facts.worn for event in way.events if isinstance(event.facts, RanDown)]
    return found


def test_ways_have_the_chances_of_play(scene: Battle) -> None:
    """Four dice bump, and one says how the spring runs down: 5 x 6 ways, not 6^5."""
    ways = ways_of(scene, pools=POOLS)

    assert len(ways) == 30
    assert sum(way.chance for way in ways) == 1
    assert merge_equal((fallen(way), way.chance) for way in ways) == successes(4, FIVES)
    assert set(merge_equal((worn(way), way.chance) for way in ways).values()) == {Fraction(1, 6)}


def test_pools_change_no_chance(scene: Battle) -> None:
    """Of two guards, beside the enumeration of all faces by `emlia3d.battle.dice.odds`."""
    scene.suppose([Fall(unit=GUARDS, figures=tuple(range(10)))])

    def play(rolled: dice.Dice) -> tuple[int, int]:
        twin = scene.fork()
        twin.dice = rolled
        found = []
        step = twin.system.next_step(twin)
        for event in driven(step, lambda decision: answer(twin, decision, 0)):
            twin.happen(event)
            found.append(event)
        way = Way(Fraction(1), tuple(found), ())
        return fallen(way), worn(way)

    expected = dice.odds(play)

    for pools in (None, POOLS):
        found: dict[tuple[int, int], Fraction] = {}
        for way in ways_of(scene, pools=pools):
            key = fallen(way), worn(way)
            found[key] = found.get(key, Fraction(0)) + way.chance
        assert found == expected


def test_the_scene_stands_as_each_way_leaves_it_and_as_before_afterwards(scene: Battle) -> None:
    before, left = scene.state.key_frame(), set()
    for way in all_ways(scene, [lambda: scene.system.next_step(scene)], answer, POOLS):
        members = scene.state.units.integer("members", SAILORS)
        left.add(members)
        assert members == 9 - fallen(way)

    assert left == {5, 6, 7, 8, 9}
    assert scene.state.key_frame() == before


def test_answers_are_given_with_their_questions(scene: Battle) -> None:
    asked = []

    def noting(scene: Battle, decision: Decision, number: int) -> Order:
        asked.append(number)
        return answer(scene, decision, number)

    ways = list(all_ways(scene, [lambda: scene.system.next_step(scene)], noting, POOLS))

    assert {tuple(order.verb for _, order in way.decisions) for way in ways} == {("bump", "stand")}
    assert {way.decisions[1][0].asks for way in ways} == {"tin.flee"}
    assert set(asked) == {1, 2}


def test_a_commander_answers_from_what_its_side_knows(scene: Battle) -> None:
    by_wanderer = by_commander(Wanderer())
    steps = [lambda: scene.system.next_step(scene)]

    first, again = (list(all_ways(scene, steps, by_wanderer, POOLS)) for _ in range(2))

    assert [way.chance for way in first] == [way.chance for way in again]
    assert sum(way.chance for way in first) == 1


def test_too_many_ways_are_an_error(scene: Battle) -> None:
    played = len(ways_of(scene, pools=POOLS)) * 2

    assert len(ways_of(scene, pools=POOLS, most=played)) == 30
    with pytest.raises(Error, match="more than 20 ways"):
        ways_of(scene, pools=POOLS, most=20)


def test_ways_without_a_chance_are_left_out(scene: Battle) -> None:
    sure = {"tin.bump": Pool(6, 1, lambda event: Fraction(isinstance(event.facts, Bumped)) or None)}

    ways = ways_of(scene, pools=sure)

    assert {fallen(way) for way in ways} == {4}
    assert sum(way.chance for way in ways) == 1

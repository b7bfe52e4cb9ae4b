"""Sight questions put to scenario files, and answered as the book's examples are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event
from emlia3d.battle.questions.answer import SightAnswer, from_json, to_json
from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.scenario import Scenario
from tests.made_up import made_up

Table = Mapping[str, Any]
Write = Callable[..., Scenario]
Edges = tuple[float, float, float, float]


def body(name: str, edges: Edges, side: str = "Alice", **more: Any) -> Table:
    """A unit of which no more is known than a sight question needs."""
    return {"name": name, "side": side, "box": edges, **more}


def thing(name: str, height: float, edges: Edges, **more: Any) -> Table:
    return {"name": name, "height": height, "box": edges, **more}


OBSERVER = body("observer", (95, 40, 105, 50))
TARGET = body("target", (95, 100, 105, 110), "Bob")


def bandits(scene: Write, depth: float) -> Scenario:
    """Archers on 8, 28 GSU from a rock of 5; bandits prone *depth* behind it."""
    return scene(
        body("archers", (90, 0, 110, 4), on_height=8),
        body("bandits", (95, 38 + depth, 105, 42 + depth), "Bob", states=["prone"]),
        terrain=[thing("rock", 5, (80, 32, 120, 38))],
    )


def test_the_explanation_names_what_it_rests_on(scene: Write) -> None:
    told = bandits(scene, 2).sight("archers", "bandits").text

    assert told == (
        "Archers can see nothing of bandits (total concealment). They are 36 GSU apart. Heights "
        "above the lower base elevation: 9 height units for archers (1 on a base elevation of 8) "
        "and 0.5 height units for bandits (prone). The whole of the corridor's width is taken by "
        "rock: solid, 5 height units high, 28 GSU from archers and 2 from bandits. Only "
        "archers can look over it, so its shadow decides. With archers 28 GSU from it and 1.8 "
        "times as high, it reaches 28 GSU behind it; a body of size 0.5 is hidden wholly "
        "to a depth of 25.2 GSU. The farthest of bandits is 2 GSU behind it. So it conceals "
        "bandits wholly."
    )


@pytest.mark.rule("emlia.sight.not-awareness")
@pytest.mark.parametrize(("body_of_hedge", "hides"), [("sparse", True), ("solid", False)])
def test_the_answer_tells_where_awareness_differs_from_sight(
    scene: Write, body_of_hedge: str, hides: bool
) -> None:
    """Who is wholly concealed is not seen, and there is no more to be told."""
    lurker = {**TARGET, "states": ["concealed"]}
    hedge = thing("hedge", 3, (80, 70, 120, 72), body=body_of_hedge)

    answer = scene(OBSERVER, lurker, terrain=[hedge]).sight("observer", "target")

    told = "But target is hidden: observer must find it before acting against it."
    assert answer.line_of_sight is hides
    assert answer.text.endswith(told) is hides
    assert ("emlia.sight.not-awareness" in answer.because) is hides


def row_of_men(**more: Any) -> Table:
    """Three men in open order, 3 GSU apart, at 97, 100 and 103 east and 100 north."""
    return {
        "name": "spread", "side": "Bob", "at": [100, 100], "members": 3, "files": 3,
        "formation": "open", "size": 1, "height": 1, **more,
    }  # fmt: skip


def behind_pillars(scene: Write, density: str, pillars: int = 3, hits: int = 2) -> Scenario:
    """Each man, but the last perhaps, has a pillar of his own before him."""
    middles = [97 + 3 * man for man in range(pillars)]
    stand = [
        thing(f"pillar {x}", 2, (x - 0.5625, 98, x + 0.5625, 98.5), body=density, hits=hits)
        for x in middles
    ]
    return scene(body("watcher", (99.5, 20, 100.5, 21)), row_of_men(), terrain=stand)


@pytest.mark.rule("emlia.sight.memberwise-total", "emlia.sight.memberwise-combine")
def test_men_each_behind_a_pillar_of_his_own_are_concealed_and_see_nothing(scene: Write) -> None:
    asked = behind_pillars(scene, "solid")

    seen, back = asked.sight("watcher", "spread"), asked.sight("spread", "watcher")

    assert sum(each.fraction for each in seen.intervening) < 0.5
    assert (seen.concealment, seen.members) == ("total", "total")
    assert "emlia.sight.memberwise-total" in seen.because
    assert (
        "As a whole, spread would not be concealed, but each member, looked at alone, would be "
        "concealed wholly." in seen.text
    )
    assert (back.concealment, back.members) == ("total", None)
    assert "emlia.sight.mutual" in back.because
    assert "a unit that cannot be seen cannot see" in back.text


@pytest.mark.rule("emlia.cover.source", "emlia.sight.memberwise-total")
@pytest.mark.parametrize(("damage", "cover"), [(1, "total"), (2, "none")])
def test_men_are_covered_by_what_each_of_them_stands_behind(
    scene: Write, damage: int, cover: str
) -> None:
    answer = behind_pillars(scene, "solid").sight("watcher", "spread", damage=damage)

    assert (answer.concealment, answer.cover) == ("total", cover)


@pytest.mark.rule("emlia.sight.memberwise-partial")
def test_men_each_behind_a_bush_are_concealed_partly_and_see_well(scene: Write) -> None:
    asked = behind_pillars(scene, "sparse")

    assert asked.sight("watcher", "spread").concealment == "partial"
    assert asked.sight("spread", "watcher").concealment == "none"


@pytest.mark.rule("emlia.sight.memberwise-combine")
def test_one_man_without_a_pillar_gives_his_unit_away(scene: Write) -> None:
    answer = behind_pillars(scene, "solid", pillars=2).sight("watcher", "spread")

    assert (answer.concealment, answer.members) == ("none", None)


@pytest.mark.rule("emlia.sight.memberwise-partial", "emlia.sight.raster-ground")
@pytest.mark.parametrize(("raised", "members"), [(0, "partial"), (0.5, None)])
def test_two_men_each_behind_a_low_bank_of_his_own_are_concealed_partly(
    scene: Write, raised: float, members: str | None
) -> None:
    """At the bank the line to half their height is 0.54 high, and to 0.7 of it 0.73."""
    banks = np.zeros((200, 200))
    banks[104, [92, 93, 94, 95, 104, 105, 106, 107]] = 0.65 * 1.83
    spread = row_of_men(members=2, files=2, base=[8, 8], on_height=raised)

    answer = scene(OBSERVER, spread, elevation_m=banks).sight("observer", "spread")

    assert (answer.members, answer.concealment) == (members, members or "none")


@pytest.mark.rule("emlia.sight.memberwise-total", "emlia.sight.raster-ground")
def test_two_men_each_behind_a_mound_of_his_own_are_concealed(scene: Write) -> None:
    mounds = np.zeros((200, 200))
    # Row 0 is north: the line of cells whose centres are at 95.5 north, before either man.
    mounds[104, [93, 94, 105, 106]] = 20
    spread = row_of_men(members=2, files=2, base=[8, 8])

    answer = scene(OBSERVER, spread, elevation_m=mounds).sight("observer", "spread")

    assert answer.ground is not None
    assert answer.ground.blocked_share < 0.5
    assert (answer.concealment, answer.members) == ("total", "total")


def test_a_drawn_body_takes_its_boundary_along(scene: Write) -> None:
    wedge = {"name": "wedge", "outline": [[10, 10], [14, 10], [10, 18]]}
    battle = scene(wedge, TARGET).battle()
    next(battle.run())
    before = situation_of(battle).outline(0)

    # The middle of its front is at (12, 18); it goes 10 east, and turns right about that.
    east = facing_of_degrees(90)
    place = Place(unit=0, x=22.0, y=18.0, facing=east, formation=0, files=1)
    battle.happen(Event(facts=made_up(Moved), changes=(place,)))

    assert before.equals(situation_of(scene(wedge, TARGET).battle()).outline(0))
    corners = set(situation_of(battle).outline(0).exterior.coords)
    assert corners == {(14.0, 20.0), (14.0, 16.0), (22.0, 20.0)}


def test_a_drawn_body_has_room_along_its_facing(scene: Write) -> None:
    long = body("column", (10, 10, 14, 30), facing=90)

    muster = scene(long, TARGET).setup.units[0].muster

    assert (muster.at, muster.troops.width, muster.troops.depth) == ((12, 20), 20, 4)


def test_an_answer_survives_json_and_one_that_was_altered_does_not(scene: Write) -> None:
    answer = bandits(scene, 2).sight("archers", "bandits", damage=2)
    document = json.loads(json.dumps(to_json(answer)))

    assert from_json(document) == answer
    with pytest.raises(ValueError, match="digest"):
        from_json({**document, "concealment": "none"})
    with pytest.raises(ValueError, match="concealment"):
        from_json({**document, "concealment": "some"})
    with pytest.raises(ValueError, match="keys program and digest"):
        from_json([])


def bodies(answer: SightAnswer) -> dict[str, float]:
    return {each.entity: each.fraction for each in answer.intervening}


ONE_SIDED = {
    "emlia.sight.peek",
    "emlia.sight.from-shadow.partial",
    "emlia.sight.from-shadow.exception",
    "emlia.cover.taking-cover",
    "emlia.sight.memberwise-partial",
}


@pytest.mark.rule("emlia.sight.mutual", "emlia.sight.fraction")
@given(
    places=st.lists(
        st.tuples(st.integers(0, 60), st.integers(0, 60), st.sampled_from([0.25, 0.5, 1, 3])),
        min_size=1,
        max_size=6,
    ),
    members=st.tuples(st.integers(1, 6), st.integers(1, 6)),
    heights=st.tuples(st.sampled_from([1, 1, 2, 4]), st.sampled_from([1, 1, 2])),
)
def test_swapped_roles_give_the_same_fractions_to_the_last_bit(
    field_of_battle: Callable[..., Battle],
    places: list[tuple[int, int, float]],
    members: tuple[int, int],
    heights: tuple[float, float],
) -> None:
    units = [
        {"at": at, "side": side, "members": count, "files": count, "height": height}
        for at, side, count, height in zip(
            ((60, 50), (131.25, 117.5)), ("Alice", "Bob"), members, heights, strict=True
        )
    ]
    terrain = [
        {"kind": "rock", "height": height, "box": (65 + x, 55 + y, 69 + x, 60 + y)}
        for x, y, height in places
    ]

    def asked(observer: int, target: int) -> SightAnswer:
        battle = field_of_battle(*units, terrain=terrain)
        return battle.system.sight(battle, observer, target, 0)

    there, back = asked(0, 1), asked(1, 0)

    assert bodies(there) == bodies(back)
    assert there.distance == back.distance
    if ONE_SIDED.isdisjoint({*there.because, *back.because}):
        assert there.concealment == back.concealment


@pytest.mark.rule("emlia.sight.intervening", "emlia.sight.intervening-group")
@given(
    places=st.lists(
        st.tuples(
            st.integers(0, 40),
            st.integers(0, 70),
            st.sampled_from([2, 5, 12]),
            st.sampled_from([0.25, 0.5, 1, 3]),
            st.sampled_from(["solid", "sparse"]),
        ),
        min_size=1,
        max_size=5,
    ),
    heights=st.tuples(st.sampled_from([1, 2, 6]), st.sampled_from([0.5, 1, 2])),
)
def test_what_is_named_really_conceals(
    field_of_battle: Callable[..., Battle],
    places: list[tuple[int, int, int, float, str]],
    heights: tuple[float, float],
) -> None:
    """Alone it gives what it is said to give, and without all that give anything all is seen."""
    units = [
        {"at": at, "side": side, "height": height}
        for at, side, height in zip(((60, 50), (90, 120)), ("Alice", "Bob"), heights, strict=True)
    ]
    terrain = {
        f"thing {number}": {
            "kind": "rock", "name": f"thing {number}", "height": height, "body": substance,
            "box": (55 + x, 52 + y * 0.9, 55 + x + width, 53 + y * 0.9),
        }
        for number, (x, y, width, height, substance) in enumerate(places)
    }  # fmt: skip

    def asked(names: set[str]) -> SightAnswer:
        standing = [each for name, each in terrain.items() if name in names]
        battle = field_of_battle(*units, terrain=standing)
        return battle.system.sight(battle, 0, 1, 0)

    answer = asked({*terrain})

    for each in answer.intervening:
        if each.fraction >= 0.5:
            assert asked({each.entity}).concealment == each.gives
    gives = {each.entity for each in answer.intervening if each.gives != "none"}
    assert asked({*terrain} - gives).concealment == "none"
    if answer.concealment != "none":
        assert gives
        assert any(name in answer.text for name in gives)

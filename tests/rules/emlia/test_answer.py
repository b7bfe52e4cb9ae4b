"""Sight questions put to scenario files, and answered as the book's examples are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import emlia3d
from emlia3d.battle.answer import Answer, from_json, to_json
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Place
from emlia3d.battle.events import Event
from emlia3d.force import facing_of_degrees
from emlia3d.rules.emlia.play.lie import lie_of
from emlia3d.scenario import Scenario

HEAD = """\
format = 1
title = "A question of sight"
rules = "emlia"
turns = 1
[field]
size = [200, 200]
"""
SIDES = '[[side]]\nname = "Alice"\n[[side]]\nname = "Bob"\n'

Table = Mapping[str, Any]
Write = Callable[..., Scenario]


def square(west: float, south: float, east: float, north: float) -> list[list[float]]:
    return [[west, south], [east, south], [east, north], [west, north]]


def body(name: str, outline: list[list[float]], side: str = "Alice", **more: Any) -> Table:
    """A unit of which no more is known than a sight question needs."""
    return {"name": name, "side": side, "outline": outline, "size": 1, "height": 1, **more}


def thing(name: str, height: float, outline: list[list[float]], **more: Any) -> Table:
    return {"name": name, "height": height, "body": "solid", "outline": outline, **more}


def table(kind: str, keys: Table) -> str:
    return f"[[{kind}]]\n" + "".join(f"{key} = {json.dumps(keys[key])}\n" for key in keys)


@pytest.fixture
def scene(tmp_path: Path) -> Write:
    """Writes a scenario of these units and terrain to a file, and loads it."""

    def written(*units: Table, terrain: Sequence[Table] = (), elevation_m: Any = None) -> Scenario:
        ground = ""
        if elevation_m is not None:
            np.save(tmp_path / "ground.npy", elevation_m)
            ground = 'ground = "ground.npy"\n'
        parts = [table("terrain", each) for each in terrain] + [table("unit", u) for u in units]
        path = tmp_path / "sight.toml"
        path.write_text(HEAD + ground + SIDES + "".join(parts), encoding="utf-8")
        return emlia3d.load(path)

    return written


OBSERVER = body("observer", square(95, 40, 105, 50))
TARGET = body("target", square(95, 100, 105, 110), "Bob")


def bush(name: str, west: float, width: float, north: float, height: float = 0.5) -> Table:
    """A sparse body across the corridor, which reaches from 95 to 105 east."""
    return thing(name, height, square(west, north, west + width, north + 2), body="sparse")


def bandits(scene: Write, depth: float) -> Scenario:
    """Archers on 8, 28 GSU from a rock of 5; bandits prone *depth* behind it."""
    return scene(
        body("archers", square(90, 0, 110, 4), on_height=8),
        body("bandits", square(95, 38 + depth, 105, 42 + depth), "Bob", states=["prone"]),
        terrain=[thing("rock", 5, square(80, 32, 120, 38))],
    )


@pytest.mark.rule("emlia.sight.shadow.example-bandits", "emlia.sight.shadow-length")
@pytest.mark.rule("emlia.sight.shadow-total-depth", "emlia.sight.shadow-partial")
@pytest.mark.parametrize(
    ("depth", "concealment", "slug"),
    [
        (2, "total", "emlia.sight.shadow-total-depth"),
        (26, "partial", "emlia.sight.shadow-partial"),
        (29, "none", "emlia.sight.shadow-length"),
    ],
)
def test_the_bandits_behind_the_rock(
    scene: Write, depth: float, concealment: str, slug: str
) -> None:
    answer = bandits(scene, depth).sight("archers", "bandits")

    (rock,) = answer.intervening
    assert (answer.concealment, answer.line_of_sight) == (concealment, concealment != "total")
    assert slug in answer.because
    assert (rock.entity, rock.body, rock.fraction, rock.height) == ("rock", "solid", 1, 5)
    assert (rock.distance, rock.to_target, rock.gives) == (28, depth, concealment)
    assert rock.shadow is not None
    assert (rock.shadow.length, rock.shadow.total_depth) == (28, pytest.approx(25.2))
    assert (answer.distance, answer.datum) == (34 + depth, 0)
    assert (answer.observer_height, answer.target_height) == (9, 0.5)


def test_the_explanation_names_what_it_rests_on(scene: Write) -> None:
    told = bandits(scene, 2).sight("archers", "bandits").text

    assert told == (
        "Of bandits, archers can see nothing (total concealment). They are 36 GSU apart. Heights, "
        "from the lower of the two footings: 9 for archers (1 on a footing of 8) and 0.5 for "
        "bandits (prone). The whole of the corridor's width is taken by rock: solid, height 5, 28 "
        "GSU from archers and 2 from bandits. Of the two, only archers can look over it, so its "
        "shadow decides. With archers 28 GSU from it and 1.8 times as high, it reaches 28 GSU "
        "behind it; a body of size 0.5 is hidden wholly to a depth of 25.2 GSU. The farthest of "
        "bandits is 2 GSU behind it. So it conceals bandits wholly. Cover against an attack of "
        "base damage 0: total."
    )


@pytest.mark.rule("emlia.sight.from-shadow.exception")
@pytest.mark.parametrize(
    ("tower", "depth", "concealment"),
    [(10, 12, "partial"), (10, 10, "total"), (8, 25, "none")],
)
def test_who_looks_up_from_a_shadow_sees_the_archer_if_he_sees_the_tower(
    scene: Write, tower: float, depth: float, concealment: str
) -> None:
    asked = scene(
        body("archer", square(95, 0, 105, 4), on_height=tower),
        body("watcher", square(95, 36 + depth, 105, 40 + depth), "Bob"),
        terrain=[thing("wall", 5, square(80, 32, 120, 36))],
    )

    assert asked.sight("watcher", "archer").concealment == concealment


@pytest.mark.rule("emlia.sight.raster-ground")
def test_the_ground_of_a_ridge_conceals_both_ways(scene: Write) -> None:
    ridge = np.zeros((40, 40))
    ridge[24:26, :] = 3 * 1.83
    asked = scene(OBSERVER, TARGET, elevation_m=ridge)

    for answer in (asked.sight("observer", "target"), asked.sight("target", "observer")):
        assert (answer.concealment, answer.intervening) == ("total", ())
        assert answer.ground is not None
        assert answer.ground.blocked_share == 1
        assert "emlia.sight.raster-ground" in answer.because
        assert "The ground rises above the line from top to top in 1 of the width" in answer.text


@pytest.mark.rule("emlia.sight.raster-ground")
def test_an_even_slope_conceals_nothing(scene: Write) -> None:
    slope = np.repeat(np.linspace(20 * 1.83, 0, 40)[:, None], 40, axis=1)

    answer = scene(OBSERVER, TARGET, elevation_m=slope).sight("observer", "target")

    assert answer.concealment == "none"
    assert answer.ground is not None
    assert answer.ground.to_half == 0


@pytest.mark.rule("emlia.cover.taking-cover")
@pytest.mark.parametrize(("states", "concealment"), [([], "none"), (["taking cover"], "partial")])
def test_taking_cover_behind_a_wall_conceals_from_an_ogre(
    scene: Write, states: list[str], concealment: str
) -> None:
    asked = scene(
        body("ogre", square(98, 40, 102, 44), height=2, size=2),
        body("men", square(95, 100, 105, 104), "Bob", states=states),
        terrain=[thing("wall", 0.5, square(80, 96, 120, 96.5))],
    )

    assert asked.sight("ogre", "men").concealment == concealment


@pytest.mark.rule("emlia.sight.peek", "emlia.sight.half")
def test_who_stands_at_a_low_wall_looks_over_it_and_is_concealed_by_it(scene: Write) -> None:
    asked = scene(OBSERVER, TARGET, terrain=[thing("wall", 0.5, square(80, 50.75, 120, 51.25))])

    over, back = asked.sight("observer", "target"), asked.sight("target", "observer")

    assert (over.concealment, back.concealment) == ("none", "partial")
    assert "emlia.sight.peek" in over.because
    assert "observer can look over it, being within combat range of it." in over.text
    assert "emlia.sight.half" in back.because


@pytest.mark.rule("emlia.sight.group-level", "emlia.sight.intervening-group")
@pytest.mark.parametrize(
    ("widths", "concealment"),
    [((3.375, 3.375, 3.375), "partial"), ((3.375, 3.375), "partial"), ((2.375, 2.375), "none")],
)
def test_bushes_conceal_together_what_none_conceals_alone(
    scene: Write, widths: Sequence[float], concealment: str
) -> None:
    bushes = [bush(f"bush {i}", 95 + 3 * i, w, 60 + 10 * i) for i, w in enumerate(widths)]

    answer = scene(OBSERVER, TARGET, terrain=bushes).sight("observer", "target")

    assert answer.concealment == concealment
    assert [each.fraction for each in answer.intervening] == [w / 10 for w in widths]
    assert ("emlia.sight.group-level" in answer.because) == (concealment == "partial")


@pytest.mark.rule("emlia.sight.group-level")
def test_a_boulder_and_bushes_conceal_as_the_bushes_do(scene: Write) -> None:
    boulder = thing("boulder", 2, square(95, 60, 98.375, 62))
    asked = scene(OBSERVER, TARGET, terrain=[boulder, bush("bushes", 100, 3.375, 80)])

    answer = asked.sight("observer", "target")

    assert answer.concealment == "partial"
    assert [each.gives for each in answer.intervening] == ["total", "partial"]
    assert "take up 0.68 of the width in all" in answer.text


@pytest.mark.rule("emlia.cover.source", "emlia.cover.per-attack")
@pytest.mark.parametrize(("damage", "cover"), [(3, "none"), (1, "partial")])
def test_a_tree_is_cover_against_what_is_weaker_than_its_hits(
    scene: Write, damage: int, cover: str
) -> None:
    tree = {"name": "tree", "kind": "tree", "outline": square(94, 70, 106, 74)}

    answer = scene(OBSERVER, TARGET, terrain=[tree]).sight("observer", "target", damage=damage)

    assert (answer.concealment, answer.cover, answer.damage) == ("partial", cover, damage)
    assert ("emlia.cover.source" in answer.because) == (cover == "partial")


def row_of_men(**more: Any) -> Table:
    """Three men in open order, 3 GSU apart, at 97, 100 and 103 east and 100 north."""
    return {
        "name": "spread", "side": "Bob", "at": [100, 100], "members": 3, "files": 3,
        "formation": "open", "size": 1, "height": 1, **more,
    }  # fmt: skip


def behind_pillars(scene: Write, density: str, pillars: int = 3) -> Scenario:
    """Each man, but the last perhaps, has a pillar of his own before him."""
    middles = [97 + 3 * man for man in range(pillars)]
    stand = [
        thing(f"pillar {x}", 2, square(x - 0.5625, 98, x + 0.5625, 98.5), body=density)
        for x in middles
    ]
    return scene(body("watcher", square(99.5, 20, 100.5, 21)), row_of_men(), terrain=stand)


@pytest.mark.rule("emlia.sight.memberwise-total", "emlia.sight.memberwise-combine")
def test_men_each_behind_a_pillar_of_his_own_are_concealed_and_see_nothing(scene: Write) -> None:
    asked = behind_pillars(scene, "solid")

    seen, back = asked.sight("watcher", "spread"), asked.sight("spread", "watcher")

    assert sum(each.fraction for each in seen.intervening) < 0.5
    assert (seen.concealment, seen.members) == ("total", "total")
    assert "emlia.sight.memberwise-total" in seen.because
    assert "each member, looked at alone, would be wholly." in seen.text
    assert (back.concealment, back.members) == ("total", None)
    assert "emlia.sight.mutual" in back.because
    assert "who cannot be seen does not see" in back.text


@pytest.mark.rule("emlia.sight.memberwise-partial")
def test_men_each_behind_a_bush_are_concealed_partly_and_see_well(scene: Write) -> None:
    asked = behind_pillars(scene, "sparse")

    assert asked.sight("watcher", "spread").concealment == "partial"
    assert asked.sight("spread", "watcher").concealment == "none"


@pytest.mark.rule("emlia.sight.memberwise-combine")
def test_one_man_without_a_pillar_gives_his_unit_away(scene: Write) -> None:
    answer = behind_pillars(scene, "solid", pillars=2).sight("watcher", "spread")

    assert (answer.concealment, answer.members) == ("none", None)


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


@pytest.mark.rule("emlia.sight.corridor.span")
def test_nothing_stands_between_two_who_touch(scene: Write) -> None:
    touching = body("target", square(95, 50, 105, 60), "Bob")
    hedge = thing("hedge", 3, square(90, 44, 110, 56))

    answer = scene(OBSERVER, touching, terrain=[hedge]).sight("observer", "target")

    assert (answer.concealment, answer.distance, answer.intervening) == ("none", 0, ())
    assert "They touch." in answer.text


@pytest.mark.rule("emlia.sight.datum")
def test_heights_are_measured_from_the_lower_footing(scene: Write) -> None:
    raised = [{**unit, "on_height": 10} for unit in (OBSERVER, TARGET)]
    kerb = thing("kerb", 10.25, square(80, 70, 120, 72))

    answer = scene(*raised, terrain=[kerb]).sight("observer", "target")

    assert (answer.concealment, answer.datum) == ("none", 10)
    assert [each.height for each in answer.intervening] == [0.25]


def test_a_drawn_body_takes_its_boundary_along(scene: Write) -> None:
    wedge = body("wedge", [[10, 10], [14, 10], [10, 18]])
    battle = scene(wedge, TARGET).battle()
    next(battle.run())
    before = lie_of(battle).outline(0)

    # The middle of its front is at (12, 18); it goes 10 east, and turns right about that.
    east = facing_of_degrees(90)
    place = Place(unit=0, x=22.0, y=18.0, facing=east, formation=0, files=1)
    battle.happen(Event(name="moved", changes=(place,)))

    assert before.equals(lie_of(scene(wedge, TARGET).battle()).outline(0))
    corners = set(lie_of(battle).outline(0).exterior.coords)
    assert corners == {(14.0, 20.0), (14.0, 16.0), (22.0, 20.0)}


def test_a_drawn_body_has_room_along_its_facing(scene: Write) -> None:
    long = body("column", square(10, 10, 14, 30), facing=90)

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


def bodies(answer: Answer) -> dict[str, float]:
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

    def asked(observer: int, target: int) -> Answer:
        battle = field_of_battle(*units, terrain=terrain)
        return battle.system.sight(battle, observer, target, 0)

    there, back = asked(0, 1), asked(1, 0)

    assert bodies(there) == bodies(back)
    assert there.distance == back.distance
    if ONE_SIDED.isdisjoint({*there.because, *back.because}):
        assert there.concealment == back.concealment

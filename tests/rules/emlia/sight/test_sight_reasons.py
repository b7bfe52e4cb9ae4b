"""A sight answer names each rule that decided it, and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.free_actions import hiding
from emlia3d.rules.emlia.play.sight.covering import cover_of
from emlia3d.rules.emlia.play.sight.reasons import footing_because, seen_because

Build = Callable[..., Battle]
Play = Callable[..., list[Event]]

BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
WALL = {"kind": "wall", "body": "solid", "box": (80, 60, 120, 62), "height": 0.5}
SCRUB = {"kind": "scrub", "box": (0, 60, 200, 64), "height": 1}


def why(battle: Battle, damage: int = 1) -> list[str]:
    """The rules of unit 1 as unit 0 sees it, without their first word."""
    slugs = seen_because(battle, 0, 1, cover_of(battle, 0, 1, damage), damage)
    return [slug.removeprefix("emlia.") for slug in slugs]


@pytest.mark.parametrize(
    ("there", "expected"),
    [
        ((100, 70), ["sight.corridor", "sight.visible"]),
        ((100, 51), ["sight.corridor", "sight.corridor.span", "sight.visible"]),
    ],
    ids=["apart", "touching"],
)
def test_of_an_enemy_in_the_open_no_more_is_told_than_the_corridor(
    field_of_battle: Build, there: tuple[float, float], expected: list[str]
) -> None:
    assert why(field_of_battle({"at": (100, 50)}, {**BOB, "at": there})) == expected


@pytest.mark.parametrize(
    ("equipment", "told"), [(("ghillie suit",), True), ((), False), (("light armour",), False)]
)
def test_a_ghillie_suit_is_told_of_where_scrub_conceals_its_wearer(
    field_of_battle: Build, equipment: tuple[str, ...], told: bool
) -> None:
    sniper = {**BOB, "at": (100, 66), "equipment": equipment}

    found = why(field_of_battle({"at": (100, 50)}, sniper, terrain=[SCRUB]))

    assert ("equip.other.examples.ghillie-suit" in found) is told
    assert "terrain.examples.scrub" in found
    assert "terrain.visibility-limiting" not in found


@pytest.mark.parametrize(("kind", "told"), [("forest", True), ("orchard", True), ("scrub", False)])
def test_terrain_is_told_of_that_is_solid_from_some_thickness_on(
    field_of_battle: Build, kind: str, told: bool
) -> None:
    woods = {"kind": kind, "box": (0, 60, 200, 64), "height": 3}

    found = why(field_of_battle({"at": (100, 50)}, {**BOB, "at": (100, 80)}, terrain=[woods]))

    assert ("terrain.visibility-limiting" in found) is told
    printed = kind in {"forest", "scrub"}
    assert [slug for slug in found if slug.startswith("terrain.examples")] == (
        [f"terrain.examples.{kind}"] if printed else []
    )


@pytest.mark.parametrize(
    ("observer", "observed", "expected"),
    [
        ({}, {}, []),
        ({"states": ["prone"]}, {}, ["move.prone-effects"]),
        ({}, {"states": ["prone"]}, ["move.prone-effects"]),
        (
            {},
            {"states": ["prone"], "put": {"taking_cover": 1}},
            ["move.prone-effects", "cover.prone-and-cover"],
        ),
        ({}, {"put": {"taking_cover": 1}}, []),
        ({"states": ["prone"]}, {"put": {"taking_cover": 1}}, ["move.prone-effects"]),
        ({"on_height": 0.25}, {}, ["sight.datum", "terrain.standing-on"]),
    ],
)
def test_the_posture_and_the_footing_of_both_are_told_where_a_height_is_compared(
    field_of_battle: Build, observer: Any, observed: Any, expected: list[str]
) -> None:
    battle = field_of_battle(
        {"at": (100, 40), **observer}, {**BOB, "at": (100, 63.5), **observed}, terrain=[WALL]
    )

    found = why(battle)

    ends = ("sight.datum", "terrain.standing-on", "move.", "cover.prone-and-cover", "mixed.")
    assert [slug for slug in found if slug.startswith(ends)] == expected


def test_a_mixed_unit_is_told_of_where_its_size_counts(field_of_battle: Build) -> None:
    men = {**BOB, "at": (100, 80), "members": 4, "files": 4, "formation": "close", "name": "men"}
    guards = {**men, "at": (106, 80), "name": "guards", "group": "men"}

    plain = field_of_battle({"at": (100, 40)}, men, terrain=[WALL])
    mixed = field_of_battle({"at": (100, 40)}, men, guards, terrain=[WALL])

    assert "mixed.size-height" not in why(plain)
    assert "mixed.size-height" in why(mixed)


@pytest.mark.parametrize(
    ("terrain", "unit", "expected"),
    [
        ([], {}, []),
        ([], {"on_height": 1.0}, ["emlia.terrain.standing-on"]),
        (
            [{"kind": "hill", "box": (90, 40, 110, 60), "height": 2}],
            {},
            ["emlia.terrain.standing-on"],
        ),
        ([{"kind": "hill", "box": (90, 70, 110, 80), "height": 2}], {}, []),
        (
            [{"kind": "river", "box": (90, 40, 110, 60), "height": -1}],
            {},
            ["emlia.terrain.depression"],
        ),
        ([{"kind": "river", "box": (90, 70, 110, 80), "height": -1}], {}, []),
        ([{"kind": "marsh", "box": (90, 40, 110, 60), "height": 0}], {}, []),
    ],
)
def test_what_raises_or_lowers_a_unit_is_told(
    field_of_battle: Build, terrain: list[Any], unit: Any, expected: list[str]
) -> None:
    battle = field_of_battle({"at": (100, 50), **unit}, {**BOB, "at": (10, 190)}, terrain=terrain)

    assert [*footing_because(battle, 0)] == [*footing_because(battle, 1, 0)] == expected
    assert [*footing_because(battle, 1)] == []


def test_a_ditch_that_is_filled_lowers_nobody(field_of_battle: Build) -> None:
    ditches = [{"kind": "river", "box": (x, 40, x + 20, 60), "height": -1} for x in (90, 130)]
    battle = field_of_battle({"at": (100, 50)}, {"at": (140, 50)}, terrain=ditches)

    gone = Set(table="feature", row=0, column="present", value=0)
    battle.happen(Event(facts=Unread(event="put"), changes=(gone,)))

    assert [*footing_because(battle, 0)] == []
    assert [*footing_because(battle, 1)] == ["emlia.terrain.depression"]


@pytest.mark.rule("emlia.aware.pass", "emlia.aware.shared-in-unit")
@pytest.mark.parametrize("mixed", [False, True])
def test_friends_who_are_told_of_an_enemy_share_it_if_they_are_mixed(
    field_of_battle: Build, play: Play, *, mixed: bool
) -> None:
    leader = {"at": (100, 40), "skills": {"leadership": "2"}}
    screen = {"kind": "building", "box": (60, 48, 92, 50)}
    blind = {"at": (80, 40), "name": "blind"}
    mate = {"at": (83, 40), "name": "mate", **({"group": "blind"} if mixed else {})}
    battle = field_of_battle(leader, blind, {"at": (100, 100), "side": "Bob"}, mate,
                             terrain=[screen])  # fmt: skip
    order = Order(verb="pass-awareness-primary", unit=0, target=2)

    told = play(battle, hiding.pass_awareness(battle, 0, order), dice=[5, 1])[-1].because

    assert ("emlia.aware.shared-in-unit" in told) is mixed
    assert {"emlia.aware.pass", "emlia.lead.range", "emlia.aware.state"} <= {*told}
    assert "emlia.aware.pass.free" not in told


def test_nothing_that_conceals_nothing_covers(field_of_battle: Build) -> None:
    battle = field_of_battle({"at": (100, 40)}, {**BOB, "at": (100, 80)})

    assert cover_of(battle, 0, 1, 0) is Level.NONE


def test_a_low_wall_is_told_of_whatever_else_is_in_the_corridor(field_of_battle: Build) -> None:
    post = {"kind": "fence", "body": "solid", "box": (99.4, 56, 99.6, 56.2), "height": 0.2}
    units, low = ({"at": (100, 50)}, {**BOB, "at": (100, 70)}), {**WALL, "height": 0.3}

    alone, both = (why(field_of_battle(*units, terrain=t)) for t in ([low], [low, post]))

    assert alone != ["sight.corridor", "sight.visible"]
    assert {*alone} <= {*both}


def test_members_who_are_hidden_one_by_one_are_told_of(field_of_battle: Build) -> None:
    pillars = [
        {"kind": "wall", "body": "solid", "box": (x - 0.5625, 98, x + 0.5625, 98.5), "height": 2}
        for x in (97, 100, 103)
    ]
    line = {**BOB, "at": (100, 100), "members": 3, "files": 3, "formation": "open"}

    hidden = why(field_of_battle({"at": (100, 20)}, line, terrain=pillars))
    seen = why(field_of_battle({"at": (100, 20)}, line, terrain=pillars[1:]))

    told = {"sight.memberwise-total", "sight.memberwise-combine"}
    assert told <= {*hidden}
    assert not told & {*seen}


@pytest.mark.rule("emlia.sight.on-own-terrain", "emlia.sight.sparse-solid", "emlia.sight.half")
@pytest.mark.parametrize(
    ("south", "height", "states", "expected"),
    [
        (38, 0.5, ["prone"], ["sight.on-own-terrain", "sight.shadow-none"]),
        (38, 0.25, [], ["sight.case"]),
        (60, 0.5, [], ["sight.half"]),
        (60, 1, [], ["sight.sparse-solid", "sight.tall"]),
    ],
    ids=["low from on it", "too low", "half as high", "tall"],
)
def test_a_wall_is_told_of_by_what_it_is_to_both(
    field_of_battle: Build, south: float, height: float, states: list[str], expected: list[str]
) -> None:
    wall = {**WALL, "box": (80, south, 120, south + 4), "height": height}
    battle = field_of_battle(
        {"at": (100, 40)}, {**BOB, "at": (100, 66), "states": states}, terrain=[wall]
    )

    found = [slug for slug in why(battle) if slug.startswith("sight.")]

    assert found == ["sight.corridor", "sight.intervening", *expected, "sight.visible"]


@pytest.mark.rule("emlia.sight.shadow-distance", "emlia.sight.shadow-length")
@pytest.mark.parametrize("members", [1, 4])
def test_a_shadow_is_told_to_need_room_for_a_group(field_of_battle: Build, members: int) -> None:
    short = {**BOB, "at": (100, 63.5), "members": members, "files": members}

    found = why(field_of_battle({"at": (100, 40), "height": 3}, short,
                                terrain=[{**WALL, "height": 1}]))  # fmt: skip

    assert "sight.shadow-length" in found
    assert ("sight.shadow-distance" in found) is (members > 1)


@pytest.mark.rule("emlia.sight.raster-ground")
def test_of_those_whom_the_ground_hides_no_heights_are_told(field_of_battle: Build) -> None:
    ridge = np.tile(np.array([[4.0], [0.0], [40.0], [0.0], [0.0]]), (1, 5))
    battle = field_of_battle({"at": (100, 20)}, {**BOB, "at": (100, 190)}, elevation_m=ridge)

    found = why(battle)

    assert found[0] == "sight.corridor"
    assert {"sight.datum", "meta.metric-scale", "sight.intervening"}.isdisjoint(found)
    assert found != ["sight.corridor", "sight.visible"]


@pytest.mark.rule("emlia.sight.memberwise-total", "emlia.move.prone-effects")
def test_heights_are_told_where_one_body_decides_but_not_where_the_members_do(
    field_of_battle: Build,
) -> None:
    pillars = [
        {"kind": "wall", "body": "solid", "box": (x - 0.5625, 98, x + 0.5625, 98.5), "height": 2}
        for x in (97, 100, 103)
    ]
    line = {**BOB, "at": (100, 100), "members": 3, "files": 3, "formation": "open"}
    lying = {"states": ["prone"]}
    post = {"kind": "fence", "body": "solid", "box": (99.4, 56, 99.6, 56.2), "height": 0.2}

    by_members = why(field_of_battle({"at": (100, 20), **lying}, line, terrain=pillars))
    by_one = why(
        field_of_battle(
            {"at": (100, 40), **lying}, {**BOB, "at": (100, 63.5)}, terrain=[WALL, post]
        )
    )

    assert "sight.memberwise-total" in by_members
    assert "move.prone-effects" not in by_members
    assert "move.prone-effects" in by_one

"""An event of a shot or a volley names what decided its range, sight, cover and elevation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.combat import shooting
from emlia3d.rules.emlia.play.combat.concentrated import concentrated_volley
from tests.rules.emlia.combat.volleys import STRAIGHT, archers, at, falls, foes, mortar
from tests.rules.emlia.reasons import named
from tests.rules.emlia.riflemen import RIFLE, enemy, shooter, shot

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

TREE = {"kind": "tree", "box": (80, 60, 120, 62), "height": 2, "hits": 3}
"""As high as two men, and wider than the corridor; it stops a base damage of less than 3."""
WALL = {"kind": "wall", "box": (80, 60, 120, 62), "height": 2, "body": "solid"}
LOW = {"kind": "wall", "box": (80, 60, 120, 62), "height": 0.5, "body": "solid"}
HILL = {"kind": "hill", "box": (80, 40, 120, 52), "height": 10}

CLEAR = ["sight.corridor", "sight.visible"]


@pytest.mark.rule("emlia.sight.visible", "emlia.sight.corridor")
def test_a_shot_in_the_open_names_range_and_sight_and_nothing_of_cover(
    field_of_battle: Build, play: Play
) -> None:
    event = shot(field_of_battle(shooter(), enemy(18)), play)

    assert named(event, "fire", "equip", "elev", "terrain", "sight", "cover") == [
        "fire", "equip.ranged", *CLEAR, "fire.success",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("terrain", "expected"),
    [
        (
            TREE,
            ["sight.corridor", "sight.intervening", "sight.sparse-solid", "sight.tall",
             "sight.visible", "terrain.examples.tree", "cover.per-attack"],
        ),
        (
            TREE | {"hits": 4},
            ["sight.corridor", "sight.intervening", "sight.sparse-solid", "sight.tall",
             "sight.visible", "cover.source", "terrain.examples.tree",
             "cover.implies-concealment"],
        ),
        (
            LOW,
            ["sight.corridor", "sight.intervening", "sight.half", "sight.visible",
             "cover.source", "cover.implies-concealment"],
        ),
        (
            LOW | {"hits": 3},
            ["sight.corridor", "sight.intervening", "sight.half", "sight.visible",
             "cover.per-attack", "cover.not-solid"],
        ),
        (
            LOW | {"box": (80, 51.2, 120, 51.7)},
            ["sight.corridor", "sight.intervening", "sight.peek", "sight.visible"],
        ),
        (LOW | {"height": 0.25},
         ["sight.corridor", "sight.intervening", "sight.case", "sight.visible"]),
    ],
    ids=["a tree", "a stout tree", "a low wall", "a board", "a wall at hand", "a kerb"],
)  # fmt: skip
@pytest.mark.rule("emlia.sight.tall", "emlia.sight.half", "emlia.sight.peek", "emlia.sight.case")
@pytest.mark.rule("emlia.cover.source", "emlia.cover.per-attack", "emlia.cover.not-solid")
def test_a_shot_names_what_stood_in_its_way_and_whether_that_stopped_it(
    field_of_battle: Build, play: Play, terrain: Mapping[str, Any], expected: list[str]
) -> None:
    event = shot(field_of_battle(shooter(), enemy(30), terrain=[terrain]), play)

    assert named(event, "sight", "cover", "terrain") == expected


@pytest.mark.rule("emlia.sight.group-level", "emlia.sight.intervening-group")
def test_a_shot_past_a_group_of_bushes_names_the_group(field_of_battle: Build, play: Play) -> None:
    bushes = [
        TREE | {"kind": "shrub", "hits": 1, "box": (x, y, x + 0.4, y + 0.4)}
        for x, y in ((99.5, 60), (100.1, 64))
    ]

    event = shot(field_of_battle(shooter(), enemy(30), terrain=bushes), play)

    assert named(event, "sight") == [
        "sight.corridor", "sight.intervening-group", "sight.sparse-solid", "sight.tall",
        "sight.group-level", "sight.visible",
    ]  # fmt: skip


@pytest.mark.rule("emlia.sight.shadow-partial", "emlia.sight.shadow-length")
@pytest.mark.rule("emlia.elev.downhill", "emlia.terrain.standing-on", "emlia.sight.datum")
def test_a_shot_from_a_hill_into_a_shadow_names_the_shadow_and_the_hill(
    field_of_battle: Build, play: Play
) -> None:
    # 11 high, 29.5 GSU before a wall of 8: a shadow of 29.5 GSU, total to a depth of 25.8.
    wall = WALL | {"box": (80, 80, 120, 82), "height": 8}
    far = RIFLE | {"range": (20, 40, 50)}
    battle = field_of_battle(
        shooter(weapons=(far,)), enemy(58), terrain=[HILL, wall],
    )  # fmt: skip

    event = shot(battle, play)

    assert named(event, "elev", "meta", "terrain", "sight")[:4] == [
        "terrain.standing-on", "elev.dh", "meta.height-gsu", "elev.downhill",
    ]  # fmt: skip
    assert named(event, "sight") == [
        "sight.datum", "sight.corridor", "sight.intervening", "sight.shadow-length",
        "sight.sparse-solid", "sight.shadow-partial", "sight.visible",
    ]  # fmt: skip


@pytest.mark.rule("emlia.elev.uphill", "emlia.elev.dh")
@pytest.mark.parametrize(
    ("hill", "expected"),
    [
        (HILL, []),
        (HILL | {"box": (80, 65, 120, 90)},
         ["elev.dh", "meta.height-gsu", "elev.uphill"]),
    ],
    ids=["down, within the printed range", "up"],
)  # fmt: skip
def test_only_a_difference_of_height_that_changed_the_range_is_named(
    field_of_battle: Build, play: Play, hill: Mapping[str, Any], expected: list[str]
) -> None:
    event = shot(field_of_battle(shooter(), enemy(18), terrain=[hill]), play)

    assert [slug for slug in named(event, "elev", "meta") if slug != "meta.cumulative"] == expected


@pytest.mark.rule("emlia.equip.large-falloff", "emlia.equip.falloff", "emlia.equip.bd-floor")
@pytest.mark.parametrize(
    ("weapon", "gap", "expected"),
    [
        ({"abilities": ("large falloff 1",)}, 18, ["equip.ranged"]),
        ({"abilities": ("large falloff 1",)}, 30, ["equip.ranged", "equip.large-falloff"]),
        ({"abilities": ("large falloff 2",)}, 50,
         ["equip.ranged", "equip.large-falloff", "equip.bd-floor"]),
        ({"abilities": ("falloff",)}, 30, ["equip.ranged"]),
        ({"abilities": ("falloff",)}, 50, ["equip.ranged", "equip.falloff"]),
        ({"arc": 90}, 18, ["equip.ranged"]),
    ],
)  # fmt: skip
def test_a_shot_names_what_range_took_off_its_damage(
    field_of_battle: Build, play: Play, weapon: Mapping[str, Any], gap: float, expected: list[str]
) -> None:
    event = shot(field_of_battle(shooter(weapons=(RIFLE | weapon,)), enemy(gap)), play)

    assert named(event, "equip") == expected
    assert ("attr.facing.use" in named(event, "attr")) is ("arc" in weapon)


@pytest.mark.rule("emlia.fire.forfeit-move", "emlia.activate.forfeit", "emlia.primary.attack-set")
@pytest.mark.parametrize(
    ("verb", "face", "expected"),
    [
        ("fire", 6, ["fire", "action.basic-list.aimed-fire", "fire.success", "primary.attack-set",
                     "hits.marker"]),
        ("aim", 1, ["fire", "fire.forfeit-move", "activate.forfeit",
                    "action.basic-list.aimed-fire", "primary.attack-set"]),
    ],
)  # fmt: skip
def test_a_shot_names_the_action_and_its_hits(
    field_of_battle: Build, play: Play, verb: str, face: int, expected: list[str]
) -> None:
    event = shot(field_of_battle(shooter(), enemy(18)), play, verb, face)

    assert named(event, "fire", "action", "activate", "primary", "hits") == expected


@pytest.mark.rule("emlia.fire.at-skirmish", "emlia.skirmish.neutral")
def test_a_shot_at_a_skirmish_names_it_and_one_beside_it_does_not(
    field_of_battle: Build, play: Play
) -> None:
    fighting = field_of_battle(
        shooter(), enemy(18), {"at": (101, 69)}, {"at": (60, 69), "side": "Bob"}
    )

    at_skirmish = shot(fighting, play)
    order = Order(verb="fire", unit=0, target=3, number=0)
    beside = play(fighting, shooting.aim_and_fire(fighting, 0, order), dice=[12])[0]

    assert named(at_skirmish, "engage", "fire", "skirmish", "mixed") == [
        "fire", "engage.group", "fire.at-skirmish", "skirmish.neutral",
        "mixed.check-against.scope", "fire.success",
    ]  # fmt: skip
    assert named(beside, "engage", "fire", "skirmish", "mixed") == ["fire", "fire.success"]


@pytest.mark.rule("emlia.sight.not-awareness")
def test_a_shot_at_one_who_was_pointed_out_names_awareness(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(shooter(), enemy(18), terrain=[WALL | {"hits": 1}])
    battle.happen(
        Event(facts=Unread(event="told"), changes=(Pair(column="acquired", a=0, b=1, value=9),))
    )

    event = shot(battle, play)

    assert named(event, "aware") == ["aware.state"]
    assert "sight.not-awareness" in named(event, "sight")


@pytest.mark.rule("emlia.conc", "emlia.conc.success", "emlia.volley.overhead-cover")
@pytest.mark.parametrize("canopy", [False, True])
def test_a_concentrated_volley_names_what_is_over_its_subject(
    field_of_battle: Build, play: Play, canopy: bool
) -> None:
    trees = [{"kind": "tree", "box": (90, 75, 110, 85), "height": 3, "hits": 9}]
    battle = field_of_battle(archers(), foes((100, 80)), terrain=trees if canopy else [])
    order = Order(verb="concentrated-volley", unit=0, target=1, number=0)

    (event,) = play(battle, concentrated_volley(battle, 0, order), dice=[12, 1, 1, 1, 1])

    expected = [
        "conc", "equip.ranged.examples.longbow", "equip.ranged", "equip.large-falloff",
        "activate.forfeit", "conc.success",
    ]  # fmt: skip
    expected[4:4] = ["volley.overhead-cover"] if canopy else []
    assert named(event, "conc", "equip", "volley", "activate") == expected


@pytest.mark.rule("emlia.volley", "emlia.volley.success", "emlia.equip.coverage")
def test_a_volley_names_what_its_successes_brought(field_of_battle: Build, play: Play) -> None:
    dull = field_of_battle(mortar(weapons=(STRAIGHT,)), foes((100, 80)))
    wide = field_of_battle(archers(), foes((100, 80)))

    _, on_the_mark = falls(dull, play, at(100, 80), [1, 1, 1, 1])
    _, spread = falls(wide, play, at(100, 80), [12, 12, 1, 1, 1, 12], ("on-drift",))

    assert named(on_the_mark, "volley", "equip", "hits") == [
        "volley.drift", "hits.marker", "volley.area",
    ]  # fmt: skip
    assert named(spread, "volley", "equip", "meta") == [
        "volley.success", "equip.coverage", "volley.drift", "meta.lost-material", "volley.area",
    ]  # fmt: skip


@pytest.mark.rule("emlia.elev.downhill")
@pytest.mark.parametrize(("reach", "named_hill"), [(50.0, False), (49.5, False), (49.25, True)])
def test_a_volley_names_the_hill_only_beyond_the_range_that_is_printed(
    field_of_battle: Build, play: Play, reach: float, named_hill: bool
) -> None:
    """From the edge of the mortar to the point are 49.5 GSU."""
    weapon = {**STRAIGHT, "range": (20, 40, reach)}
    battle = field_of_battle(
        mortar(at=(100, 46), weapons=(weapon,)), foes((100, 96)), terrain=[HILL]
    )

    events = falls(battle, play, at(100, 96), [1] * 4)

    assert bool(named(events[0], "elev")) is named_hill

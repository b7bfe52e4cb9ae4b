"""Area Volley: whom it strikes, what covers him from above, and how he takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.columns import Acted
from emlia3d.rules.emlia.play.situation.blast import overhead_of
from emlia3d.rules.emlia.play.turn import activation, phase
from emlia3d.rules.emlia.tables.volley import overhead_cover
from tests.rules.emlia.combat.volleys import (
    STRAIGHT,
    archers,
    at,
    falls,
    foes,
    mortar,
    on_drift,
    struck,
)

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]


@pytest.mark.rule("emlia.volley.drift")
def test_a_volley_without_any_success_falls_all_the_same(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(mortar(), foes((100, 80)))

    _, fell = falls(battle, play, at(100, 60), [1, 1, 1, 1, 12])

    assert fell.facts.fell_at == (100, 80)
    assert struck(battle) == [(1, 1, 5)]


@pytest.mark.rule("emlia.volley.area")
def test_friend_and_foe_and_the_shooters_themselves_are_struck_alike(
    field_of_battle: Build, play: Play
) -> None:
    friend = {"at": (98, 20), "name": "friend"}
    battle = field_of_battle(mortar(weapons=(STRAIGHT,)), foes((100, 22.5)), friend)

    falls(battle, play, at(100, 22), [1, 1, 1, 1])

    assert {(subject, hits) for subject, hits, _ in struck(battle)} == {(0, 1), (1, 1), (2, 1)}


@pytest.mark.rule("emlia.volley.area", "emlia.hits.marker")
def test_hits_on_the_subunits_of_a_mixed_unit_go_to_the_unit(
    field_of_battle: Build, play: Play
) -> None:
    spears = foes((100, 60), name="spears", members=2, files=2, formation="ranked")
    bows = foes((100, 62.5), name="bows", members=2, files=2, formation="ranked", group="spears")
    battle = field_of_battle(mortar(weapons=(STRAIGHT,)), spears, bows)

    falls(battle, play, at(100, 61), [1, 1, 1, 1])

    assert struck(battle) == [(1, 4, 5)]


@pytest.mark.rule("emlia.volley.area")
@pytest.mark.parametrize(("gap", "hits"), [(2.9, 1), (3.0, 1), (3.1, 0)])
def test_a_footprint_that_the_circle_only_touches_is_struck(
    field_of_battle: Build, play: Play, gap: float, hits: int
) -> None:
    battle = field_of_battle(mortar(weapons=(STRAIGHT,)), foes((100, 60)))

    falls(battle, play, at(100, 59.5 - gap), [1, 1, 1, 1])

    assert sum(found for _, found, _ in struck(battle)) == hits


@pytest.mark.rule("emlia.equip.bd-floor", "emlia.equip.large-falloff")
@pytest.mark.parametrize(("distance", "damage"), [(30, 1), (60, 0), (100, 0)])
def test_a_longbow_volley_has_no_base_damage_left_beyond_short_range(
    field_of_battle: Build, play: Play, distance: float, damage: int
) -> None:
    battle = field_of_battle(archers(), foes((100, 20 + distance)))

    loosed, _ = falls(battle, play, at(100, 20 + distance), [1, 1, 1, 1, 1, 12])

    assert loosed.facts.base_damage == damage


@pytest.mark.rule("emlia.volley.suppression")
def test_those_under_a_volley_that_does_no_damage_are_not_the_worse_for_it(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(
        mortar(weapons=({**STRAIGHT, "volley_damage": 0},)), foes((100, 60), hits=9)
    )

    falls(battle, play, at(100, 60), [1, 1, 1, 1])
    play(battle, phase.resolve(battle))

    units = battle.state.units
    assert [units.value(name, 1) for name in ("morale", "disordered", "posture", "damage")] == [
        2, 0, 0, 0,
    ]  # fmt: skip


@pytest.mark.rule("emlia.volley.overhead-cover")
@pytest.mark.parametrize(
    ("share", "solid", "cover"),
    [
        (1, 1, Level.TOTAL), (0.99, 0.99, Level.PARTIAL), (0.5, 0, Level.PARTIAL),
        (1, 0, Level.PARTIAL), (0.49, 0.49, Level.NONE),
    ],
)  # fmt: skip
def test_a_roof_covers_wholly_and_a_canopy_or_half_a_roof_in_part(
    share: float, solid: float, cover: Level
) -> None:
    assert overhead_cover(share, solid) is cover


@pytest.mark.rule("emlia.volley.overhead-cover")
@pytest.mark.parametrize(
    ("roof", "damage", "cover"),
    [
        ({"kind": "building", "box": (90, 50, 110, 70)}, 5, Level.TOTAL),
        ({"kind": "building", "box": (90, 50, 110, 70), "hits": 5}, 5, Level.NONE),
        ({"kind": "building", "box": (90, 50, 100, 70)}, 5, Level.PARTIAL),
        ({"kind": "building", "box": (90, 50, 99.9, 70)}, 5, Level.NONE),
        ({"kind": "tree", "box": (90, 50, 110, 70)}, 1, Level.PARTIAL),
        ({"kind": "tree", "box": (90, 50, 110, 70)}, 3, Level.NONE),
        ({"kind": "hill", "box": (90, 50, 110, 70)}, 1, Level.NONE),
        ({"kind": "building", "height": 1, "box": (90, 50, 110, 70)}, 1, Level.NONE),
        ({"kind": "gate", "height": 9, "box": (90, 50, 110, 70)}, 1, Level.NONE),
    ],
    ids=[
        "roof",
        "weak",
        "half",
        "less",
        "tree",
        "shot through",
        "hill",
        "no higher than they",
        "no roof",
    ],
)
def test_what_is_over_a_unit_covers_it_from_above_if_it_stops_the_attack(
    field_of_battle: Build, roof: dict[str, Any], damage: int, cover: Level
) -> None:
    battle = field_of_battle(mortar(), foes((100, 60)), terrain=[roof])

    assert overhead_of(battle, 1, damage) is cover


@pytest.mark.rule("emlia.volley.overhead-cover")
def test_a_roof_that_is_gone_covers_nobody(field_of_battle: Build) -> None:
    hut = {"kind": "building", "box": (90, 50, 110, 70)}
    battle = field_of_battle(mortar(), foes((100, 60)), terrain=[hut])
    assert overhead_of(battle, 1, 1) is Level.TOTAL

    razed = Set(table="feature", row=0, column="present", value=0)
    battle.happen(Event(facts=Unread(event="razed"), changes=(razed,)))

    assert overhead_of(battle, 1, 1) is Level.NONE


@pytest.mark.rule("emlia.primary.attack-set")
def test_a_volley_is_a_ranged_attack_on_the_enemies_under_it_and_not_on_friends(
    field_of_battle: Build, play: Play
) -> None:
    friend = {"at": (101, 60), "name": "friend"}
    battle = field_of_battle(mortar(weapons=(STRAIGHT,)), foes((100, 62)), friend)

    falls(battle, play, at(100, 60), [1, 1, 1, 1])

    pairs = battle.state.pairs
    assert (0, 1) in pairs["attacked"]
    assert (0, 2) not in pairs["attacked"]
    assert pairs["acted_on"][0, 1] == Acted.SHOT


# Mixed units


def battery(**more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Ten archers with a mortar among them."""
    gun = mortar(weapons=(STRAIGHT,), group="archers", at=(100, 18), formation="close")
    return archers(**more), gun


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.volley")
def test_each_subunit_looses_a_volley_of_its_own_with_its_own_weapon(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*battery(), foes((100, 60)))

    events = falls(battle, play, at(100, 60), [6, 6, 1, 1, 1, 12, 9, 1, 1, 1], (on_drift(2),))

    assert [(event.name, event.unit) for event in events] == [
        ("volley loosed", 0), ("volley fell", 0), ("volley loosed", 1), ("volley fell", 1),
    ]  # fmt: skip
    assert [event.facts.dice for event in events[::2]] == [5, 4]
    assert [event.facts.weapon for event in events[::2]] == ["Longbow", "Mortar"]
    assert struck(battle) == [(2, 1, 5)]
    assert battle.state.units.value("primary_used", 0)


@pytest.mark.rule("emlia.skill.mixed-source")
def test_a_subunit_that_cannot_reach_the_point_keeps_its_peace(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*battery(), foes((100, 190)))
    offered = {o.verb for o in activation.options_of(battle, 0)}

    events = falls(battle, play, at(100, 160), [1, 1, 1, 1])

    assert "area-volley" in offered
    assert [(event.name, event.unit) for event in events] == [
        ("volley loosed", 1), ("volley fell", 1),
    ]  # fmt: skip

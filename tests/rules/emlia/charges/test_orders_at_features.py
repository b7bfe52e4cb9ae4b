"""Orders for attacks on terrain: which weapon, which of two subunits, and what bars them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia.play.charges.structures import (
    FeatureValidator,
    charge_options,
    fire_options,
    volley_options,
)
from emlia3d.rules.emlia.play.turn import activation

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

GATE = {"kind": "gate", "name": "gate", "hits": 6, "height": 2, "box": (97, 60, 103, 62)}
CANNON = {"name": "Cannon", "base_damage": 5, "range": (20, 40, 80), "use": ("aimed fire",)}
PISTOL = {"name": "Pistol", "base_damage": 1, "range": (20, 40, 80), "use": ("aimed fire",)}
STONES = {
    "name": "Stones", "base_damage": 5, "range": (10, 50, 90), "use": ("area volley",),
    "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0},
}  # fmt: skip
PEBBLES = {**STONES, "name": "Pebbles", "base_damage": 1}
FAR_FOE = {"side": "Bob", "at": (100, 195), "facing": 180}
FIRE, VOLLEY = (CANNON, PISTOL), (STONES, PEBBLES)


def crew(*weapons: dict[str, Any], **more: Any) -> dict[str, Any]:
    """One of Alice's men, 19.5 GSU south of the gate."""
    skills = {"aimed fire": "2", "volley fire": "2", "close combat": "2"}
    return {
        "name": "crew", "at": (100, 40), "formation": "close", "weapons": weapons,
        "skills": skills, **more,
    }  # fmt: skip


def two_crews(one: dict[str, Any], other: dict[str, Any]) -> list[dict[str, Any]]:
    """A mixed unit of two men side by side, each with a weapon of his own."""
    return [crew(one), crew(other, name="mates", group="crew", at=(101.5, 40))]


def at_gate(verb: str, number: int | None = 0) -> Order:
    return Order(verb=verb, unit=0, number=number, words="gate")


def slug(battle: Battle, verb: str, number: int | None = 0) -> str | None:
    refusal = FeatureValidator(battle, 0).refusal(at_gate(verb, number))
    return None if refusal is None else refusal.slug


@pytest.mark.rule("emlia.equip.one-weapon")
@pytest.mark.parametrize(
    ("verb", "weapons"),
    [("fire-feature", FIRE), ("aim-feature", FIRE), ("volley-feature", VOLLEY)],
)
@pytest.mark.parametrize(("number", "used"), [(0, 0), (1, 1), (None, 0)])
def test_the_number_of_an_order_names_the_weapon_and_without_one_it_is_the_first(
    field_of_battle: Build,
    play: Play,
    verb: str,
    weapons: tuple[dict[str, Any], ...],
    number: int | None,
    used: int,
) -> None:
    battle = field_of_battle(crew(*weapons), FAR_FOE, terrain=[GATE])

    assert slug(battle, verb, number) is None
    (event,) = play(battle, activation.carry_out(battle, 0, at_gate(verb, number)), [12, 12])

    assert event.facts.weapon == weapons[used]["name"]


@pytest.mark.rule("emlia.equip.permitted-actions", "emlia.equip.concentrated-capable")
@pytest.mark.parametrize("number", [-1, 2])
def test_an_order_for_a_weapon_that_the_unit_has_not_is_refused(
    field_of_battle: Build, number: int
) -> None:
    guns = field_of_battle(crew(*FIRE), FAR_FOE, terrain=[GATE])
    throwers = field_of_battle(crew(*VOLLEY), FAR_FOE, terrain=[GATE])

    assert slug(guns, "fire-feature", number) == "emlia.equip.permitted-actions"
    assert slug(guns, "aim-feature", number) == "emlia.equip.permitted-actions"
    assert slug(throwers, "volley-feature", number) == "emlia.equip.concentrated-capable"


@pytest.mark.rule("emlia.fire.forfeit-move")
def test_a_unit_that_has_moved_fires_at_a_gate_but_forfeits_no_move_for_it(
    field_of_battle: Build,
) -> None:
    fresh = field_of_battle(crew(CANNON), FAR_FOE, terrain=[GATE])
    moved = field_of_battle(crew(CANNON, put={"move_used": 1}), FAR_FOE, terrain=[GATE])

    assert [slug(fresh, verb) for verb in ("fire-feature", "aim-feature")] == [None, None]
    assert slug(moved, "fire-feature") is None
    assert slug(moved, "aim-feature") == "emlia.fire.forfeit-move"
    assert [order.verb for order in fire_options(fresh, 0)] == ["aim-feature", "fire-feature"]
    assert [order.verb for order in fire_options(moved, 0)] == ["fire-feature"]


@pytest.mark.rule("emlia.skill.mixed-source", "emlia.activate.two-actions")
@pytest.mark.parametrize(("verb", "weapons"), [("fire-feature", FIRE), ("volley-feature", VOLLEY)])
@pytest.mark.parametrize("swap", [False, True])
def test_each_of_two_subunits_attacks_the_gate_and_the_action_is_used_once(
    field_of_battle: Build,
    play: Play,
    verb: str,
    weapons: tuple[dict[str, Any], dict[str, Any]],
    swap: bool,
) -> None:
    one, other = reversed(weapons) if swap else weapons
    battle = field_of_battle(*two_crews(one, other), FAR_FOE, terrain=[GATE])

    first, second = play(battle, activation.carry_out(battle, 0, at_gate(verb)), [12, 1, 12, 12])

    assert [(each.unit, each.facts.weapon) for each in (first, second)] == [
        (0, one["name"]), (1, other["name"]),
    ]  # fmt: skip
    assert [each.facts.successes for each in (first, second)] == [1, 2]
    columns = [[getattr(each, "column", "") for each in event.changes] for event in (first, second)]
    assert ["primary_used" in each for each in columns] == [True, False]


@pytest.mark.rule("emlia.cover.source", "emlia.conc")
@pytest.mark.parametrize("swap", [False, True])
def test_cover_that_stops_the_weaker_of_two_weapons_alone_bars_no_attack(
    field_of_battle: Build, swap: bool
) -> None:
    wall = {"kind": "rock", "name": "wall", "height": 3, "hits": 4, "box": (80, 50, 120, 51)}
    roof = {"kind": "building", "name": "roof", "height": 5, "hits": 4, "box": (96, 59, 104, 63)}

    def slugs(verb: str, terrain: dict[str, Any], *crews: dict[str, Any]) -> str | None:
        return slug(field_of_battle(*crews, FAR_FOE, terrain=[GATE, terrain]), verb)

    both = [two_crews(*(reversed(each) if swap else each)) for each in (FIRE, VOLLEY)]
    assert slugs("fire-feature", wall, *both[0]) is None
    assert slugs("fire-feature", wall, crew(PISTOL)) == "emlia.fire"
    assert slugs("volley-feature", roof, *both[1]) is None
    assert slugs("volley-feature", roof, crew(PEBBLES)) == "emlia.conc"


def test_a_shot_tells_its_distance_to_a_tenth_of_a_gsu(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(crew(CANNON, at=(100, 40.0625)), FAR_FOE, terrain=[GATE])

    (event,) = play(battle, activation.carry_out(battle, 0, at_gate("fire-feature")), [1, 1])

    assert event.facts.distance == 19.4


@pytest.mark.rule("emlia.terrain.entities")
def test_any_feature_with_hits_may_be_named_but_only_solid_ones_are_offered(
    field_of_battle: Build,
) -> None:
    scrub = {**GATE, "kind": "scrub", "name": "scrub", "box": (97, 58, 103, 59)}
    gun = field_of_battle(crew(CANNON, at=(100, 50)), FAR_FOE, terrain=[scrub])
    thrower = field_of_battle(crew(STONES, at=(100, 40)), FAR_FOE, terrain=[scrub])

    found = (*fire_options(gun, 0), *charge_options(gun, 0), *volley_options(thrower, 0))

    assert found == ()
    for battle, verb in (
        (gun, "fire-feature"),
        (gun, "charge-feature"),
        (thrower, "volley-feature"),
    ):
        order = Order(verb=verb, unit=0, number=0, words="scrub")
        assert FeatureValidator(battle, 0).refusal(order) is None
        other = Order(verb=verb, unit=1, number=0, words="scrub")
        assert FeatureValidator(battle, 0).refusal(other) is not None


@pytest.mark.rule("emlia.morale.not-closer", "emlia.charge")
@pytest.mark.parametrize(
    ("foe", "because"),
    [
        # The charge leads from (100, 50) to the gate, 8.5 GSU north.
        ((112, 57), "emlia.morale.not-closer"),
        ((88, 57), "emlia.morale.not-closer"),
        ((112, 52), None),
        ((100, 30), None),
    ],
)
@pytest.mark.parametrize("hidden", [False, True])
def test_a_shaken_unit_charges_only_where_that_leads_it_no_nearer_to_an_enemy(
    field_of_battle: Build, foe: tuple[float, float], because: str | None, hidden: bool
) -> None:
    # One that the unit does not know of, halfway, is no part of what it may charge.
    bars = {"side": "Bob", "at": (100, 54), "facing": 180, "states": ["concealed"]}
    others = [bars] if hidden else []
    copse = {"kind": "forest", "name": "copse", "box": (98, 52.5, 102, 56)}
    unit = crew(at=(100, 50), put={"morale": -1}, movement="30G")
    battle = field_of_battle(unit, {**FAR_FOE, "at": foe}, *others, terrain=[GATE, copse])

    assert slug(battle, "charge-feature", None) == because
    assert [each.verb for each in charge_options(battle, 0)] == (
        [] if because else ["charge-feature"]
    )


@pytest.mark.rule("emlia.freestrike.who", "emlia.charge")
def test_an_enemy_that_a_charge_at_a_gate_leaves_strikes_first(
    field_of_battle: Build, play: Play
) -> None:
    pike = {"name": "Pike", "base_damage": 1, "abilities": ["reach 2"]}
    foe = {"side": "Bob", "at": (101.5, 49.5), "weapons": [pike]}
    battle = field_of_battle(crew(at=(100, 50)), foe, terrain=[GATE])
    order = at_gate("charge-feature", None)

    # The enemy has five dice for its strike, the crew two for the gate.
    *before, charged, hewed = play(
        battle, activation.carry_out(battle, 0, order), [1] * 7, ["close-combat"]
    )

    assert "struck free" in {each.name for each in before}
    assert {(each.unit, each.target) for each in before} == {(1, 0)}
    assert (charged.name, hewed.name) == ("charged", "hewed")

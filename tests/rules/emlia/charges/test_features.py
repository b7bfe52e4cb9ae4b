"""Aimed Fire, Concentrated Volley and Charge at terrain that has hits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.files.orders import order_from_json, order_to_json
from emlia3d.battle.setup import Side
from emlia3d.rulekit.english import ReportNames
from emlia3d.rules.emlia.play.charges.structures import FeatureValidator
from emlia3d.rules.emlia.play.turn import activation, phase
from emlia3d.rules.emlia.system import SYSTEM
from emlia3d.rules.emlia.words.phrases import WORDS

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

GATE = {"kind": "gate", "name": "gate", "hits": 6, "height": 2, "box": (97, 60, 103, 62)}
CANNON = {"name": "Cannon", "base_damage": 5, "range": (20, 40, 80), "use": ("aimed fire",)}
STONES = {
    "name": "Stones", "base_damage": 5, "range": (10, 50, 90), "use": ("area volley",),
    "coverage": {"start": 1, "increment": 1, "limit": 1, "drift": 0},
}  # fmt: skip
FAR_FOE = {"side": "Bob", "at": (100, 195), "facing": 180}


def gun(y: float = 40.0, **more: Any) -> dict[str, Any]:
    """Alice's gun of two dice, south of the gate."""
    skills = {"aimed fire": "2", "volley fire": "2", "close combat": "2"}
    return {"at": (100, y), "weapons": (CANNON,), "skills": skills, "name": "gun", **more}


def thrower(y: float = 40.0, **more: Any) -> dict[str, Any]:
    return gun(y, formation="close", weapons=(STONES,), **more)


def at_gate(verb: str, number: int | None = 0) -> Order:
    return Order(verb=verb, unit=0, number=number, words="gate")


def slug(battle: Battle, verb: str, number: int | None = 0) -> str | None:
    refusal = FeatureValidator(battle, 0).refusal(at_gate(verb, number))
    return None if refusal is None else refusal.slug


def offered(battle: Battle) -> set[str]:
    return {order.verb for order in activation.options_of(battle, 0) if order.words == "gate"}


def done(battle: Battle, play: Play, verb: str, dice: list[int]) -> list[Any]:
    return play(battle, activation.carry_out(battle, 0, at_gate(verb)), dice)


def stands(battle: Battle) -> bool:
    return bool(battle.state.features.value("present", 0))


@pytest.mark.rule("emlia.fire", "emlia.fire.success", "emlia.damage.points")
def test_a_gun_shoots_a_gate_down(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(gun(), FAR_FOE, terrain=[GATE])
    assert {"fire-feature", "aim-feature"} <= offered(battle)

    (shot,) = done(battle, play, "fire-feature", [5, 4])

    # 19.5 GSU off, short range, nothing between: 5 or more is a success.
    assert (shot.name, shot.facts.modifier, shot.facts.successes) == ("fired", 0, 1)
    assert battle.state.units.value("primary_used", 0)
    play(battle, phase.resolve(battle))
    assert not stands(battle)


@pytest.mark.rule("emlia.fire.forfeit-move", "emlia.fire.mod.forfeit-move")
def test_a_gun_that_stands_aims_at_plus_two(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(gun(), FAR_FOE, terrain=[GATE])

    (shot,) = done(battle, play, "aim-feature", [3, 2])

    assert (shot.facts.modifier, shot.facts.successes) == (2, 1)
    assert battle.state.units.value("move_used", 0)
    assert slug(battle, "aim-feature") is not None


@pytest.mark.rule("emlia.fire.mod.outside-short", "emlia.fire.mod.outside-medium")
@pytest.mark.parametrize(("y", "modifier"), [(40, 0), (30, -2), (10, -4)])
def test_the_range_of_a_feature_counts_as_that_of_a_unit(
    field_of_battle: Build, play: Play, y: float, modifier: int
) -> None:
    battle = field_of_battle(gun(y), FAR_FOE, terrain=[GATE])

    (shot,) = done(battle, play, "fire-feature", [1, 1])

    assert shot.facts.modifier == modifier


@pytest.mark.rule("emlia.fire", "emlia.attr.facing.use", "emlia.engage.restrictions")
@pytest.mark.parametrize(
    ("unit", "others", "because"),
    [
        (gun(weapons=({**CANNON, "range": (5, 10, 15)},)), (), "emlia.equip.ranged"),
        (gun(weapons=({**CANNON, "arc": 90},), facing=180), (), "emlia.attr.facing.use"),
        (gun(weapons=()), (), "emlia.equip.permitted-actions"),
        (gun(put={"primary_used": 1}), (), "emlia.activate.two-actions"),
        (gun(), ({"side": "Bob", "at": (100, 41.5)},), "emlia.engage.restrictions"),
    ],
    ids=["out of range", "outside the arc", "no weapon", "action used", "engaged"],
)
def test_what_bars_a_shot_at_a_unit_bars_one_at_a_feature(
    field_of_battle: Build, unit: dict[str, Any], others: tuple[Any, ...], because: str
) -> None:
    battle = field_of_battle(unit, FAR_FOE, *others, terrain=[GATE])

    assert slug(battle, "fire-feature") == because
    assert not {"fire-feature", "aim-feature"} & offered(battle)


@pytest.mark.rule("emlia.fire", "emlia.cover.source")
@pytest.mark.parametrize(
    ("hits", "because", "modifier"), [(None, "emlia.fire", None), (4, None, -5)]
)
def test_a_solid_wall_before_the_gate_covers_it_if_it_stops_the_shot(
    field_of_battle: Build, play: Play, hits: int | None, because: str | None, modifier: int | None
) -> None:
    wall = {"kind": "rock", "name": "wall", "height": 3, "hits": hits, "box": (80, 50, 120, 51)}
    battle = field_of_battle(gun(), FAR_FOE, terrain=[GATE, wall])

    assert slug(battle, "fire-feature") == because
    if modifier is not None:
        (shot,) = done(battle, play, "fire-feature", [1, 1])
        assert shot.facts.modifier == modifier


@pytest.mark.rule("emlia.elev.uphill", "emlia.fire.mod.elevation")
def test_a_gun_on_a_height_shoots_down_at_a_gate(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(gun(on_height=5), FAR_FOE, terrain=[GATE])

    (shot,) = done(battle, play, "fire-feature", [1, 1])

    assert "emlia.fire.mod.elevation" in shot.because
    assert shot.facts.modifier == 1


@pytest.mark.rule("emlia.conc", "emlia.conc.success", "emlia.conc.mod.inside-short")
def test_a_volley_is_concentrated_on_a_gate(field_of_battle: Build, play: Play) -> None:
    near, far = (field_of_battle(thrower(y), FAR_FOE, terrain=[GATE]) for y in (54.0, 40.0))
    assert "volley-feature" in offered(far)

    (short,) = done(near, play, "volley-feature", [1, 1])
    (volley,) = done(far, play, "volley-feature", [5, 1])

    assert (short.facts.modifier, volley.facts.modifier) == (-2, 0)
    play(far, phase.resolve(far))
    assert not stands(far)


@pytest.mark.rule("emlia.conc")
def test_a_roof_over_a_gate_keeps_volleys_off(field_of_battle: Build) -> None:
    roof = {"kind": "building", "name": "roof", "height": 5, "box": (96, 59, 104, 63)}
    battle = field_of_battle(thrower(), FAR_FOE, terrain=[GATE, roof])

    assert slug(battle, "volley-feature") == "emlia.conc"


@pytest.mark.rule("emlia.charge", "emlia.charge.move", "emlia.charge.attack")
def test_a_unit_charges_a_gate_and_strikes_it_at_plus_one(
    field_of_battle: Build, play: Play
) -> None:
    ram = {"name": "Ram", "base_damage": 5}
    battle = field_of_battle(gun(50, weapons=(ram,)), FAR_FOE, terrain=[GATE])
    assert "charge-feature" in offered(battle)

    charged, hewed = done(battle, play, "charge-feature", [4, 1])

    assert (charged.name, hewed.name) == ("charged", "hewed")
    assert hewed.facts.modifier == 1
    assert 58.4 < float(battle.state.units.value("y", 0)) < 59.5
    play(battle, phase.resolve(battle))
    assert not stands(battle)


@pytest.mark.rule("emlia.charge.fail", "emlia.morale.neg.charge-failed")
def test_a_charge_that_does_not_reach_the_gate_costs_morale(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(gun(40), FAR_FOE, terrain=[GATE])
    before = battle.state.units.integer("morale", 0)
    assert "charge-feature" not in offered(battle)

    (short,) = done(battle, play, "charge-feature", [])
    play(battle, phase.resolve(battle))

    assert short.name == "charge fell short"
    assert battle.state.units.integer("morale", 0) == before - 1


@pytest.mark.rule("emlia.charge")
@pytest.mark.parametrize(
    ("unit", "because"),
    [
        (gun(50, put={"double_paced": 1}), "emlia.charge"),
        (gun(50, put={"primary_used": 1}), "emlia.activate.two-actions"),
        (gun(59), "emlia.charge"),
    ],
    ids=["double paced", "action used", "in its combat range already"],
)
def test_what_bars_a_charge_at_a_unit_bars_one_at_a_feature(
    field_of_battle: Build, unit: dict[str, Any], because: str
) -> None:
    battle = field_of_battle(unit, FAR_FOE, terrain=[GATE])

    assert slug(battle, "charge-feature") == because


@pytest.mark.rule("emlia.entity.required-attributes")
def test_what_has_no_hits_or_is_destroyed_is_no_subject(field_of_battle: Build, play: Play) -> None:
    rock = field_of_battle(gun(), FAR_FOE, terrain=[{**GATE, "kind": "rock", "hits": None}])
    battle = field_of_battle(gun(), FAR_FOE, terrain=[GATE])

    assert slug(rock, "fire-feature") == "emlia.terrain.entities"
    done(battle, play, "fire-feature", [12, 12])
    play(battle, phase.resolve(battle))
    assert slug(battle, "fire-feature") == "emlia.terrain.entities"


def test_attacks_on_a_feature_have_words(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(gun(), FAR_FOE, terrain=[GATE])
    charging = field_of_battle(gun(50), FAR_FOE, terrain=[GATE])

    (shot,) = done(battle, play, "fire-feature", [5, 4])
    charge, *_ = done(charging, play, "charge-feature", [1, 1])

    assert SYSTEM.phrase(battle, at_gate("fire-feature")) == "aimed fire at gate with Cannon"
    assert SYSTEM.phrase(charging, at_gate("charge-feature", None)) == "charge gate"
    assert (
        SYSTEM.tell(battle, shot)
        == "gun delivers aimed fire at gate, 19.5 GSU (short): 1 of 2 dice at +0"
    )
    assert SYSTEM.tell(charging, charge) == "gun charges gate"
    names = ReportNames(battle.setup)
    assert "the gate" in (WORDS.report(shot, names) or "")
    assert "the gate" in (WORDS.report(charge, names) or "")


def test_idle_guns_of_the_doctrine_shoot_at_the_gate_of_their_objective(
    field_of_battle: Build, question: Any
) -> None:
    sides = [
        Side(name="Alice", colour="#2a5caa", lines="south", objective="court"),
        Side(name="Bob", colour="#b03030", lines="north"),
    ]
    court = {"court": (80, 62, 120, 120)}
    still = gun(movement="0G", skills={"aimed fire": "2"})
    found = {}
    for name, hits in (("soft", 6), ("hard", 9)):
        gate = {**GATE, "hits": hits}
        battle = field_of_battle(still, FAR_FOE, terrain=[gate], sides=sides, areas=court)
        asked = question(battle, activation.activate(battle, 0))
        commander = battle.commander("doctrine")
        found[name] = commander.decide(asked, battle.system.picture(battle, 0), battle.dice)

    # Of hits 9 a ball of base damage 5 needs four for a point, and the gun has two dice.
    assert (found["soft"].verb, found["soft"].words) == ("aim-feature", "gate")
    assert found["hard"].verb == "done"


def test_an_order_that_names_a_feature_is_read_back_from_a_battle_file() -> None:
    order = at_gate("aim-feature")

    assert order_from_json(json.loads(json.dumps(order_to_json(order)))) == order

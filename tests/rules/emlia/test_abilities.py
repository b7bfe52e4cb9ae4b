"""Abilities as unit sets combine them, in force in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import ValidationError

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Leg, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.force.formation import Formation
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.acting.checks import attempt_of, marked
from emlia3d.rules.emlia.play.acting.declaring import orders
from emlia3d.rules.emlia.play.combat import granted
from emlia3d.rules.emlia.play.combat.close_combat import close_combat
from emlia3d.rules.emlia.play.engagement.ranks import may_break_ranks
from emlia3d.rules.emlia.play.free_actions.hiding import may_detect
from emlia3d.rules.emlia.play.morale.casualties import update_damage
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.movement.legs import may_reform
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.sight.sight_cache import level_on, sight_cache_of
from emlia3d.rules.emlia.play.situation.allowance import speed_of
from emlia3d.rules.emlia.play.situation.reach import reach_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
BOB: dict[str, Any] = {"at": (50, 190), "side": "Bob", "facing": 180}
CITY = {
    "effect": "movement", "name": "City Fighters", "terrain": ["village"], "penalty": 0.5,
}  # fmt: skip
CRY = {
    "effect": "action", "name": "War Cry", "kind": "free", "skill": "leadership",
    "subject": "friend", "gives": "morale", "modifier": 1,
}  # fmt: skip

CALL = Order(verb="ability", unit=0, target=1, number=0)
"""The first ability of the first unit, at the second."""

RABBLE = {"effect": "formation", "name": "Rabble", "formation": "ranked", "allowed": False}
SQUARE = {
    "effect": "formation", "name": "Square", "formation": "ranked", "all_round": True,
    "speed_share": 0.5,
}  # fmt: skip
FOOT: dict[str, Any] = {
    "members": 8, "files": 4, "formation": "ranked", "at": (50, 50), "facing": 0,
    "movement": "12G", "skills": {"close combat": "8"},
}  # fmt: skip


def gone(battle: Battle) -> float:
    """How far the unit gets straight on in a Normal Move."""
    order = turn_and_go(battle, 0, 0, 12, "move")
    assert order is not None
    return order.legs[-1].y - float(battle.state.units.value("y", 0))


@pytest.mark.rule("emlia.ability.example-city-fighters")
@pytest.mark.parametrize(
    ("abilities", "kind", "distance"),
    [((CITY,), "village", 9.0), ((), "village", 6.0), ((CITY,), "marsh", 6.0)],
)
def test_city_fighters_lose_half_as_much_speed_in_the_streets(
    field_of_battle: Build, abilities: Any, kind: str, distance: float
) -> None:
    streets = {"kind": kind, "box": (0, 40, 200, 200)}
    mover = {"at": (50, 50), "movement": "12G", "abilities": abilities}
    battle = field_of_battle(mover, BOB, terrain=[streets])

    assert gone(battle) == pytest.approx(distance, abs=0.02)


@pytest.mark.rule("emlia.ability.catch-all")
@pytest.mark.parametrize(("skill", "bonus"), [("leadership", 2), (None, 2), ("stealth", 0)])
def test_an_ability_adds_to_a_skill_or_to_all(
    field_of_battle: Build, skill: str | None, bonus: int
) -> None:
    gift = {"effect": "modifier", "name": "Gift", "add": 2}
    gift |= {} if skill is None else {"skill": skill}
    battle = field_of_battle({"at": (50, 50), "abilities": (gift,)}, BOB)

    assert attempt_of(battle, 0, "improve morale").bonus == bonus


@pytest.mark.rule("emlia.ability.catch-all")
def test_what_an_ability_adds_is_in_the_roll(field_of_battle: Build, play: Play) -> None:
    gift = {"effect": "modifier", "name": "Born leader", "skill": "leadership", "add": 2}
    leader = {"at": (50, 50), "skills": {"leadership": "1"}, "abilities": (gift,)}
    battle = field_of_battle(leader, {"at": (55, 50), "put": {"morale": -1}}, BOB)
    order = Order(verb="ignore-initiative", unit=0, target=1)

    events = play(battle, activate(battle, 0), dice=[3], answers=[order, ...])

    assert (events[1].facts.modifier, events[1].facts.successes) == (2, 1)
    assert "emlia.ability.catch-all" in events[1].because


@pytest.mark.rule("emlia.equip.other.examples", "emlia.equip.other.examples.ghillie-suit")
def test_scrub_hides_a_man_in_a_ghillie_suit_as_a_wall_would(field_of_battle: Build) -> None:
    scrub = {"kind": "scrub", "box": (0, 60, 200, 64), "height": 1}
    sniper = {**BOB, "at": (50, 66), "equipment": ("ghillie suit",)}
    battle = field_of_battle({"at": (50, 50)}, sniper, {**BOB, "at": (60, 66)}, terrain=[scrub])

    levels = [level_on(battle, 0, unit) for unit in (1, 2)]

    assert levels == [Level.TOTAL, Level.PARTIAL]
    assert [sight_cache_of(battle).account(0, unit).level for unit in (1, 2)] == levels
    assert level_on(battle, 1, 0) is Level.PARTIAL


@pytest.mark.rule("emlia.equip.other", "emlia.equip.other.examples.light-armour")
@pytest.mark.parametrize(("equipment", "left"), [((), 6), (("light armour",), 8)])
def test_light_armour_saves_men(
    field_of_battle: Build, play: Play, equipment: Any, left: int
) -> None:
    company = {**BOB, "at": (50, 60), "members": 10, "files": 5, "equipment": equipment}
    battle = field_of_battle({"at": (50, 50)}, company)
    battle.happen(Event(facts=Unread(event="hit"), changes=marked(battle, 0, 1, 0, 4)))
    play(battle, update_damage(battle, MoraleInputs(battle)), answers=["lose-rear"])

    assert battle.state.units.integer("members", 1) == left


def test_a_long_arm_reaches_farther(field_of_battle: Build) -> None:
    tail = {"effect": "reach", "name": "Tail", "add": 4}
    battle = field_of_battle({"at": (50, 50), "abilities": (tail,)}, BOB)

    assert reach_of(situation_of(battle), 0) == 5


@pytest.mark.rule("emlia.aware.detect.impossible")
def test_keen_senses_find_what_is_far_and_wholly_concealed(field_of_battle: Build) -> None:
    rock = {"kind": "rock", "box": (0, 100, 200, 102), "height": 20}
    radar = {"effect": "senses", "name": "Radar"}
    finder = {"at": (50, 50), "skills": {"alertness": "2"}}
    blind = field_of_battle(finder, BOB, terrain=[rock])
    keen = field_of_battle({**finder, "abilities": (radar,)}, BOB, terrain=[rock])

    assert may_detect(blind, 0, 1) is not None
    assert may_detect(keen, 0, 1) is None


@pytest.mark.rule("emlia.action.abilities-add")
def test_an_ability_grants_an_action_that_is_taken_once_a_turn(
    field_of_battle: Build, play: Play
) -> None:
    chief = {"at": (50, 50), "skills": {"leadership": "2"}, "abilities": (CRY,)}
    battle = field_of_battle(chief, {"at": (55, 50), "put": {"morale": 1}}, BOB)
    offered: list[list[str]] = []

    def cry(decision: Any) -> Any:
        offered.append([order.verb for order in decision.options])
        return next(order for order in decision.options if order.verb == "ability")

    def rest(decision: Any) -> Any:
        offered.append([order.verb for order in decision.options])
        return next(order for order in decision.options if order.verb == "done")

    play(battle, activate(battle, 0), dice=[4, 5], answers=[cry, rest])
    play(battle, phase.resolve(battle))

    assert battle.state.units.integer("morale", 1) == 3
    assert "ability" in offered[0]
    assert "ability" not in offered[1]


@pytest.mark.rule("emlia.action.abilities-add")
def test_a_granted_attack_lays_hits_on_an_enemy(field_of_battle: Build, play: Play) -> None:
    breath = {
        **CRY, "name": "Breath", "kind": "primary", "skill": "aimed fire", "subject": "enemy",
        "gives": "hits", "amount": 2, "modifier": 0,
    }  # fmt: skip
    dragon = {"at": (50, 50), "skills": {"aimed fire": "3"}, "abilities": (breath,)}
    battle = field_of_battle(dragon, {**BOB, "at": (50, 60)})
    order = Order(verb="ability", unit=0, target=1, number=0)

    play(battle, activate(battle, 0), dice=[5, 4, 12], answers=[order, ...])

    rows = battle.state.lists["marker"]
    assert (rows["hits"].tolist(), rows["base_damage"].tolist()) == ([2], [2])
    assert battle.state.units.value("primary_used", 0) == 1


@pytest.mark.rule("emlia.action.abilities-add")
@pytest.mark.parametrize(
    ("gives", "amount", "dice", "noted"),
    [
        ("morale", 2, [12, 12], [("IMPROVED", 4)]),
        ("morale", 1, [12, 1], [("IMPROVED", 1)]),
        ("order", 1, [12, 1], [("REORDERED", 1)]),
        ("morale", 2, [1, 1], []),
    ],
)
def test_each_success_at_a_granted_action_gives_what_the_ability_says(
    field_of_battle: Build, play: Play, gives: str, amount: int, dice: list[int], noted: Any
) -> None:
    cry = {**CRY, "gives": gives, "amount": amount, "modifier": 0}
    chief = {"at": (50, 50), "skills": {"leadership": "2"}, "abilities": (cry,)}
    battle = field_of_battle(chief, {"at": (55, 50)}, BOB)

    play(battle, granted.perform(battle, 0, CALL), dice=dice)

    notes = battle.state.lists["note"]
    found = zip(
        notes["unit"].tolist(), notes["what"].tolist(), notes["amount"].tolist(), strict=True
    )
    assert [*found] == [(1, int(MoraleNote[what]), many) for what, many in noted]


@pytest.mark.rule("emlia.action.abilities-add", "emlia.freestrike.trigger")
@pytest.mark.parametrize(("kind", "struck"), [("move", True), ("primary", False), ("free", False)])
def test_a_granted_action_that_is_a_move_provokes_free_strikes(
    field_of_battle: Build, play: Play, kind: str, struck: bool
) -> None:
    cry = {**CRY, "kind": kind}
    chief = {"at": (50, 50), "hits": 9, "skills": {"leadership": "1"}, "abilities": (cry,)}
    foe = {**BOB, "at": (50, 51.5), "skills": {"close combat": "1"}}
    battle = field_of_battle(chief, {"at": (55, 50)}, foe)

    events = play(
        battle, granted.perform(battle, 0, CALL), dice=[1, 1] if struck else [1],
        answers=["close-combat"] if struck else [],
    )  # fmt: skip

    assert ("struck free" in names(events)) is struck
    assert names(events)[-1] == "used an ability"


@pytest.mark.rule("emlia.entity.formation-attribute")
@pytest.mark.parametrize(
    ("abilities", "slug"), [((), None), ((RABBLE,), "emlia.ability.catch-all")]
)
def test_a_rabble_never_forms_ranks(
    field_of_battle: Build, abilities: Any, slug: str | None
) -> None:
    crowd = {**FOOT, "formation": "close", "abilities": abilities}
    battle = field_of_battle(crowd, BOB)

    ranks = Leg(step="form", x=50, y=50, facing=0, formation=Formation.RANKED, files=4)
    refused = may_reform(battle, 0, ranks)

    assert (refused.slug if refused else None) == slug


@pytest.mark.rule("emlia.entity.formation-attribute")
def test_who_never_stands_close_does_not_break_its_ranks(field_of_battle: Build) -> None:
    stiff = {**RABBLE, "name": "Stiff", "formation": "close"}
    free, bound = (
        field_of_battle({**FOOT, "abilities": abilities}, BOB) for abilities in ((), (stiff,))
    )

    assert may_break_ranks(free, 0) is None
    assert may_break_ranks(bound, 0) is not None
    assert "declare" not in {order.verb for order in orders(bound, 0) if order.number == 1}


@pytest.mark.rule("emlia.entity.formation-attribute")
@pytest.mark.parametrize(("facing", "gain"), [(180, 0), (90, 1), (0, 2)])
def test_who_strikes_a_square_in_flank_or_rear_gains_nothing_by_it(
    field_of_battle: Build, play: Play, facing: float, gain: int
) -> None:
    def modifier(abilities: Any) -> int:
        foes = {**FOOT, **BOB, "at": (50, 53), "facing": facing, "abilities": abilities}
        if facing == 90:
            foes["at"] = (50, 54)
        battle = field_of_battle(FOOT, foes)
        blow = Order(verb="close-combat", unit=0)
        (event,) = play(battle, close_combat(battle, 0, blow), dice=[1] * 8)
        return int(event.facts.modifier)

    assert modifier(()) - modifier((SQUARE,)) == gain


@pytest.mark.rule("emlia.entity.formation-attribute")
def test_a_square_goes_at_half_speed(field_of_battle: Build) -> None:
    battle = field_of_battle({**FOOT, "abilities": (SQUARE,)}, BOB)
    loose = field_of_battle({**FOOT, "formation": "close", "abilities": (SQUARE,)}, BOB)

    assert speed_of(battle, 0) == 6
    assert speed_of(loose, 0) == 12


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ({"equipment": ["cloak"]}, "unknown equipment cloak; there is light armour"),
        ({"abilities": [{"effect": "magic", "name": "X"}]}, "effect"),
        ({"abilities": [{**CITY, "terrain": ["vilage"]}]}, "did you mean 'village'"),
        ({"abilities": [{**CITY, "penalty": 2}]}, "less than or equal to 1"),
        ({"abilities": [RABBLE], "formation": "ranked"}, "does not allow its ranked formation"),
        ({"abilities": [{**SQUARE, "formation": "open"}]}, "only ranks have a front"),
    ],
)
def test_an_ability_that_is_none_is_refused(printed: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError, match=told):
        Entry.model_validate({"name": "X", "size": 1, "height": 1, **printed})


@pytest.mark.parametrize(
    ("key", "least", "most", "step"),
    [("modifier", -12, 12, 1), ("amount", -7, 100, 1), ("range", 0, 10_000, 0.5)],
)
def test_the_figures_of_a_granted_action_have_bounds(
    key: str, least: float, most: float, step: float
) -> None:
    def granted(value: float) -> Any:
        ability = {**CRY, key: value}
        return Entry.model_validate(
            {"name": "X", "size": 1, "height": 1, "abilities": [ability]}
        ).abilities[0]

    assert [getattr(granted(value), key) for value in (least, most)] == [least, most]
    for value in (least - step, most + step):
        with pytest.raises(ValidationError, match="than or equal to"):
            granted(value)
    plain = granted(least)
    assert plain.improvised is False
    given = {"modifier": 1, "amount": 1, "range": 20.0}
    assert all(getattr(plain, name) == given[name] for name in given if name != key)


@pytest.mark.rule("emlia.attr.hits.by-arc")
@pytest.mark.parametrize(("facing", "left"), [(180, 10), (90, 8), (0, 6)])
def test_a_wagon_is_tougher_in_front_than_behind(
    field_of_battle: Build, play: Play, facing: float, left: int
) -> None:
    train = {
        **BOB, "at": (50, 60), "members": 10, "files": 5, "facing": facing,
        "arc_hits": (5, 2, 1), "arcs": (90.0, 90.0, 90.0),
    }  # fmt: skip
    battle = field_of_battle({"at": (50, 50)}, train)

    battle.happen(Event(facts=Unread(event="hit"), changes=marked(battle, 0, 1, 0, 4)))
    play(battle, update_damage(battle, MoraleInputs(battle)), answers=["lose-rear"][: 10 - left])

    assert battle.state.units.integer("members", 1) == left

"""The doctrine commander: what he does where a person would not hesitate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Pair
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Side
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.actions import ALL_FREE_ACTIONS
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import (
    Role,
    charge_exchange,
    nearest,
    rally_chance,
    role_of,
    with_role,
)
from emlia3d.rules.emlia.doctrine.places import axis_of
from emlia3d.rules.emlia.play.combat.volley import area_volley
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import activation, timing
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.doctrine.commander_helpers import answer, orders
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}


def test_foot_charges_an_enemy_in_reach_who_turns_his_back(
    field_of_battle: Build, question: Ask
) -> None:
    weak = {**FOOT, "side": "Bob", "front": (50, 65), "members": 3, "files": 3}
    battle = field_of_battle({**FOOT, "front": (50, 50)}, weak)

    order = orders(battle, question)

    assert (order.verb, order.target) == ("charge", 1)
    assert "losses expected for" in order.why


def test_foot_does_not_charge_what_is_too_strong_for_it(
    field_of_battle: Build, question: Ask
) -> None:
    club = {"name": "Club", "base_damage": 9}
    giant = {**BOB, "at": (50, 62), "size": 8, "height": 4, "hits": 9, "army_value": 50,
             "skills": {"close combat": "12"}, "weapons": [club]}  # fmt: skip
    battle = field_of_battle({**FOOT, "front": (50, 50), "members": 4, "files": 4}, giant)

    found = charge_exchange(battle, 0, 1)

    assert found is not None
    assert found.odds < 1
    assert orders(battle, question).verb != "charge"


def test_the_shaken_do_not_charge(field_of_battle: Build, question: Ask) -> None:
    weak = {**BOB, "front": (50, 60), "members": 3, "files": 3, "formation": "ranked"}
    shaken = {**FOOT, "front": (50, 50), "put": {"morale": 0}}
    battle = field_of_battle(shaken, weak)

    assert orders(battle, question).verb != "charge"


def test_he_strikes_the_enemy_at_hand(field_of_battle: Build, question: Ask) -> None:
    enemy = {**BOB, **FOOT, "front": (50, 50.5)}
    battle = field_of_battle({**FOOT, "front": (50, 50)}, enemy)

    assert orders(battle, question).verb == "close-combat"


def test_he_shoots_from_where_it_costs_the_enemy_dear(
    field_of_battle: Build, question: Ask
) -> None:
    battle = field_of_battle(
        {**MUSKETEERS, "front": (50, 50), "put": {"move_used": 1}},
        {**BOB, **MUSKETEERS, "front": (50, 75)},
    )
    decision = question(battle, activate(battle, 0))
    shot = [order for order in decision.options if order.verb in {"fire", "aim"}]

    order = answer(battle, decision)

    assert shot
    assert (order.verb in {"fire", "aim"}, order.target) == (True, 1)


def test_far_from_the_enemy_he_advances_on_his_objective(
    field_of_battle: Build, question: Ask
) -> None:
    sides = [
        Side(name="Alice", colour="#000000", lines="south", objective="hill"),
        Side(name="Bob", colour="#111111", lines="north"),
    ]
    battle = field_of_battle(
        {**FOOT, "front": (50, 20)}, {**BOB, **FOOT, "front": (50, 190)},
        sides=sides, areas={"hill": (40, 90, 60, 110)},
    )  # fmt: skip

    order = orders(battle, question)

    assert order.verb in {"move", "double-pace"}
    assert order.legs[-1].y > 30
    assert axis_of(AiContext(SYSTEM.picture(battle, 0))) == 0


def test_he_knows_nothing_of_enemies_out_of_sight(field_of_battle: Build, question: Ask) -> None:
    wall = {"kind": "rock", "box": (0, 100, 200, 102), "height": 30}
    hidden = [{**BOB, **FOOT, "front": (x, 150)} for x in (30, 170)]
    first, second = (
        field_of_battle({**FOOT, "front": (50, 50)}, foe, terrain=[wall]) for foe in hidden
    )

    assert orders(first, question) == orders(second, question)


def test_a_general_brings_men_back_to_order_and_then_puts_heart_into_them(
    field_of_battle: Build, question: Ask, put: Callable[..., None]
) -> None:
    general = {"at": (50, 50), "role": "leader", "skills": {"leadership": "4"}, "army_value": 9}
    lost = {**FOOT, "at": (50, 58), "put": {"disordered": 1, "morale": 0}}
    battle = field_of_battle(general, lost, {**BOB, **FOOT, "front": (50, 190)})

    first = orders(battle, question)
    put(battle, 1, disordered=0)
    second = orders(battle, question)

    assert (first.verb, first.target) == ("reorder", 1)
    assert (second.verb, second.target) == ("improve-morale-primary", 1)


def test_nobody_rallies_in_vain(field_of_battle: Build, question: Ask) -> None:
    broken = {"at": (50, 50), "role": "leader", "skills": {"leadership": "4"}, "army_value": 9}
    routed = {**FOOT, "at": (50, 60), "put": {"disordered": 1, "morale": -7}}
    wall = {"kind": "rock", "box": (0, 53, 100, 55), "height": 20}
    battle = field_of_battle(broken, routed, {**BOB, **FOOT, "front": (50, 190)}, terrain=[wall])
    hopeless = Order(verb="reorder", unit=0, target=1)
    decision = question(battle, activate(battle, 0))

    order = answer(battle, decision)

    assert hopeless in decision.options
    assert rally_chance(battle, hopeless) == 0
    assert order.verb not in {"reorder", "improve-morale", "improve-morale-primary"}


@pytest.mark.parametrize(
    ("unit", "role"),
    [
        ({"role": "artillery"}, Role.GUNS),
        ({"role": "leader"}, Role.GENERAL),
        ({"role": "cavalry"}, Role.CAVALRY),
        ({**MUSKETEERS, "formation": "open"}, Role.SKIRMISH),
        (MUSKETEERS, Role.LINE),
    ],
)
def test_a_units_role_follows_from_what_it_is(
    unit: dict[str, Any], role: Role, field_of_battle: Build
) -> None:
    assert role_of(field_of_battle({"at": (50, 50), **unit}), 0) is role


def test_those_with_a_role_are_the_same_asked_of_together_or_one_by_one(
    field_of_battle: Build,
) -> None:
    troops: list[dict[str, Any]] = [
        {"role": "cavalry"}, {**MUSKETEERS, "formation": "open"}, {"role": "leader"}, MUSKETEERS,
        {**MUSKETEERS, "formation": "open", "members": 1, "files": 1}, {"role": "artillery"}, FOOT,
    ]  # fmt: skip
    battle = field_of_battle(*({"at": (10 + 25 * i, 50), **one} for i, one in enumerate(troops)))
    units = [*range(len(troops))][::-1]

    for roles in ((Role.LINE,), (Role.SKIRMISH, Role.GUNS), (Role.GENERAL, Role.CAVALRY)):
        found = with_role(battle, units, *roles)

        assert found == [unit for unit in units if role_of(battle, unit) in roles]
        assert found


def test_guns_act_before_the_general(field_of_battle: Build, question: Ask) -> None:
    general = {"at": (50, 50), "role": "leader"}
    gun = {"at": (80, 50), "role": "artillery"}
    battle = field_of_battle(general, gun, {**BOB, "at": (50, 190), "timing": 0})

    order = answer(battle, question(battle, timing.next_step(battle)))

    assert order == Order(verb="activate", unit=1)


@given(
    ours=st.lists(st.tuples(st.integers(2, 38), st.integers(2, 12)), min_size=2, max_size=6),
    foes=st.lists(st.tuples(st.integers(2, 38), st.integers(20, 38)), min_size=1, max_size=4),
    cells=st.sampled_from(["none", "squares", "hexes"]),
)
@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_who_is_nearest_to_any_enemy_acts_first_and_of_two_the_first(
    field_of_battle: Build, question: Ask, ours: list[tuple[int, int]],
    foes: list[tuple[int, int]], cells: str,
) -> None:  # fmt: skip
    men = [{"at": (5 * x, 5 * y), "members": 2, "facing": 30 * x} for x, y in ours]
    theirs = ({**BOB, "at": (5 * x, 5 * y), "timing": 0} for x, y in foes)
    battle = field_of_battle(*men, *theirs, house={"cells": cells})
    situation, enemies = situation_of(battle), range(len(ours), len(ours) + len(foes))

    order = answer(battle, question(battle, timing.next_step(battle)))

    near = [
        min((situation.distance(unit, foe), foe) for foe in enemies) for unit in range(len(ours))
    ]
    assert [nearest(battle, unit, enemies) for unit in range(len(ours))] == [
        (foe, gap) for gap, foe in near
    ]
    gaps = [gap for gap, _ in near]
    assert order == Order(verb="activate", unit=gaps.index(min(gaps)))


def test_every_order_says_why(field_of_battle: Build, question: Ask) -> None:
    battle = field_of_battle({**FOOT, "front": (50, 20)}, {**BOB, **FOOT, "front": (50, 190)})

    assert orders(battle, question).why == "advances"


MORTAR = {
    "name": "Mortar", "base_damage": 2, "range": (20, 100, 250), "use": ["area volley"],
    "coverage": {"start": 10, "increment": 2, "limit": 12, "drift": 3},
}  # fmt: skip
BOMBARD: dict[str, Any] = {
    "front": (100, 20), "weapons": [MORTAR], "skills": {"volley fire": "4"}, "movement": "4G",
}  # fmt: skip


def test_a_mortar_lobs_its_bombs_over_a_wall_at_a_mass_of_men(
    field_of_battle: Build, question: Ask
) -> None:
    wall = {"kind": "wall", "height": 3, "box": (0, 40, 200, 41)}
    mass, few = ({**FOOT, **BOB, "front": place, "members": count, "files": 5}
                 for place, count in (((100, 90), 40), ((40, 90), 6)))  # fmt: skip
    watcher = {"at": (199, 90), "movement": None}
    battle = field_of_battle(BOMBARD, mass, few, watcher, terrain=[wall])

    order = orders(battle, question)

    assert order.verb == "area-volley"
    assert order.point is not None
    assert abs(order.point[0] - 100) < 5
    assert "losses expected" in order.why


def test_he_lets_no_volley_fall_among_his_own(field_of_battle: Build, question: Ask) -> None:
    mass = {**FOOT, **BOB, "front": (100, 90), "members": 40, "files": 10}
    own = {**FOOT, "front": (100, 88.5), "members": 40, "files": 10, "movement": None}
    wide = {**MORTAR, "coverage": {"start": 30, "increment": 0, "limit": 30, "drift": 3}}
    battle = field_of_battle({**BOMBARD, "weapons": [wide]}, mass, own)

    assert orders(battle, question).verb != "area-volley"


def test_successes_that_bring_more_men_under_the_circle_go_to_what_does_that(
    field_of_battle: Build, question: Ask
) -> None:
    far_off = {**MORTAR, "coverage": {"start": 1, "increment": 1, "limit": 9, "drift": 9}}
    mass = {**FOOT, **BOB, "front": (100, 90), "members": 100, "files": 10}
    bombard = {**BOMBARD, "weapons": [far_off], "skills": {"volley fire": "3"}}
    battle = field_of_battle(bombard, mass)
    volley = Order(verb="area-volley", unit=0, number=0, point=(100.0, 89.5))

    asked = question(battle, area_volley(battle, 0, volley), [12, 12, 12])

    # A circle within the mass that is twice as wide holds four times as many.
    assert answer(battle, asked).number == 0


GIANT: dict[str, Any] = {
    **BOB, "name": "giant", "hits": 9, "damage_limit": 30, "morale": 5,
    "skills": {"close combat": "12"}, "weapons": [{"name": "Club", "base_damage": 9}],
}  # fmt: skip


def test_who_has_no_chance_breaks_free_and_goes(
    field_of_battle: Build, question: Ask, put: Any
) -> None:
    battle = field_of_battle({**FOOT, "front": (50, 50), "members": 4, "files": 4},
                             {**GIANT, "at": (50, 51.2)})  # fmt: skip

    order = orders(battle, question)
    put(battle, 0, primary_used=1)
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column="barred", a=0, b=1, value=1),))
    )
    then = answer(battle, question(battle, activation.ask(battle, 0)))

    assert order.verb == "disengage"
    assert "disengages" in order.why
    assert (then.verb, then.why) == ("move", "retreats from giant")
    assert then.legs[-1].y < 50


def test_he_keeps_enemies_busy_so_that_those_who_run_may_get_away(
    field_of_battle: Build, question: Ask, put: Any
) -> None:
    runs = {**FOOT, "front": (45, 50), "members": 4, "files": 4, "put": {"morale": -4}}
    covers = {**FOOT, "front": (50, 50), "members": 8, "files": 4}
    foes = {**FOOT, **BOB, "front": (48, 51), "members": 30, "files": 10,
            "skills": {"close combat": "10"}}  # fmt: skip
    battle = field_of_battle(covers, runs, foes)
    put(battle, 0, free_used=ALL_FREE_ACTIONS)

    order = answer(battle, question(battle, activation.ask(battle, 0)))

    assert (order.verb, order.why) == (
        "disengage",
        "keeps the enemy busy while other units disengage",
    )

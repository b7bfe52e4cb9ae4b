"""The odds of orders and of attacks that may not be made, and what counts as a hit."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.questions.odds import Odds
from emlia3d.errors import Error
from emlia3d.rules.emlia.columns import Phase
from emlia3d.rules.emlia.play.questions import outcomes
from emlia3d.rules.emlia.play.questions.outcomes import odds, odds_of
from emlia3d.rules.emlia.play.questions.possible_attacks import ATTACKS
from tests.rules.emlia.riflemen import RIFLE, enemy, shooter

Build = Callable[..., Battle]
MORTAR: dict[str, Any] = {
    "name": "Mortar", "base_damage": 1, "range": (10, 60, 100), "use": ["area volley"],
    "coverage": {"start": 6.0, "increment": 0.0, "limit": 6.0, "drift": 0.0},
}  # fmt: skip
CLUB = {"name": "Club", "base_damage": 1}
PIKE = {"name": "Pike", "base_damage": 2}


def mortar(**more: Any) -> dict[str, Any]:
    return {"at": (100, 50), "weapons": (MORTAR,), "skills": {"volley fire": "1"}, **more}


def reason(found: Odds) -> str:
    assert found.refusal is not None
    assert (found.checks, found.hits, found.fates) == ((), {}, {})
    return found.refusal


def test_only_hits_on_the_target_count_of_a_volley_at_a_point(field_of_battle: Build) -> None:
    target = enemy(30, name="target", members=3, files=3)
    beside = {"at": (102, 83), "side": "Bob", "name": "beside", "members": 3, "files": 3}

    alone = odds(field_of_battle(mortar(), target), 0, 1, "area")
    both = odds(field_of_battle(mortar(), target, beside), 0, 1, "area")

    assert alone.hits == both.hits == {3: Fraction(1)}


def test_losses_are_told_for_the_attacker_and_the_target(field_of_battle: Build) -> None:
    found = odds(field_of_battle(shooter(), enemy(18, members=4, files=4)), 0, 1, "fire")

    assert found.hits == {0: Fraction(1, 3), 1: Fraction(2, 3)}
    assert found.fates[found.attacker].lost == {0: Fraction(1)}
    assert found.fates[found.target].lost == {0: Fraction(1, 3), 1: Fraction(2, 3)}


@pytest.mark.parametrize(
    ("action", "told"),
    [
        ("fire", "fire: it has no weapon for that (emlia.equip.permitted-actions)"),
        ("area", "area: it has no weapon for that (emlia.equip.permitted-actions)"),
        ("volley", "volley: it has no weapon for that (emlia.equip.permitted-actions)"),
        ("melee", "melee: no enemy is in its combat range (emlia.melee)"),
    ],
)
def test_why_each_attack_of_an_unarmed_unit_may_not_be_made(
    field_of_battle: Build, action: str, told: str
) -> None:
    battle = field_of_battle({"at": (100, 50), "name": "A"}, enemy(30, name="B"))

    found = odds(battle, 0, 1, action)

    assert reason(found) == told
    assert (found.action, found.weapon, found.attacker, found.target) == (action, None, "A", "B")
    assert found.text == f"A cannot attack B: {told}."


def test_where_no_attack_may_be_made_each_is_told_with_its_reason(field_of_battle: Build) -> None:
    far = enemy(110, name="B")
    battle = field_of_battle({**shooter(), "put": {"double_paced": 1}}, far)

    found = odds(battle, 0, 1)

    assert found.action == "melee or aim or fire or volley or area or charge"
    assert [part.partition(":")[0] for part in reason(found).split("; ")] == [*ATTACKS]


@pytest.mark.parametrize(
    ("put", "action", "is_made"),
    [
        ({}, "aim", True),
        ({"move_used": 1}, "aim", False),
        ({"move_used": 1}, "fire", True),
        ({"primary_used": 1}, "fire", False),
        ({"primary_used": 1}, "aim", False),
    ],
)
def test_a_shot_needs_what_it_uses_up(
    field_of_battle: Build, put: dict[str, int], action: str, is_made: bool
) -> None:
    found = odds(field_of_battle({**shooter(), "put": put}, enemy(18)), 0, 1, action)

    assert (found.refusal is None) is is_made


def test_an_enemy_out_of_reach_of_a_blow_is_not_struck_beside_one_who_is_within(
    field_of_battle: Build,
) -> None:
    near, far = enemy(0.5, name="near"), {"at": (130, 50), "side": "Bob", "name": "far"}
    battle = field_of_battle(shooter(), near, far)

    assert odds(battle, 0, 1, "melee").refusal is None
    assert reason(odds(battle, 0, 2, "melee")) == (
        "melee: it is not in its combat range (emlia.melee)"
    )


def test_nobody_shoots_at_or_bombards_an_enemy_it_is_not_aware_of(field_of_battle: Build) -> None:
    wall = {"kind": "rock", "box": (60, 70, 140, 72), "height": 20}
    gunner = mortar(weapons=(MORTAR, RIFLE), skills={"volley fire": "1", "aimed fire": "1"})
    battle = field_of_battle(gunner, enemy(40), terrain=[wall])

    for action in ("area", "fire", "charge"):
        assert "not aware of it" in reason(odds(battle, 0, 1, action))


@pytest.mark.parametrize(("weapon", "used"), [(None, "Pike"), ("Pike", "Pike"), ("Club", "Club")])
def test_the_weapon_named_is_used_or_else_the_first(
    field_of_battle: Build, weapon: str | None, used: str
) -> None:
    battle = field_of_battle(shooter(weapons=(CLUB, PIKE, RIFLE)), enemy(0.5, hits=3))

    assert odds(battle, 0, 1, "melee", weapon).weapon == used


def test_a_weapon_that_serves_no_attack_is_an_error_that_lists_those_it_has(
    field_of_battle: Build,
) -> None:
    battle = field_of_battle(shooter(name="A", weapons=(CLUB, RIFLE)), enemy(18))

    with pytest.raises(Error, match='A has no weapon "Bow" for that; it has Club, Rifle'):
        odds(battle, 0, 1, None, "Bow")
    assert odds(battle, 0, 1, None, "Rifle").action == "aim"
    assert reason(odds(battle, 0, 1, "melee", "Club"))
    assert odds(battle, 0, 1, None, "Club").action == "charge"


def test_the_odds_before_the_first_turn_are_those_as_it_begins(field_of_battle: Build) -> None:
    before = field_of_battle(shooter(), enemy(18), turn=0)

    found = odds(before, 0, 1, "fire")

    assert before.state.turn == 0
    assert found == odds(field_of_battle(shooter(), enemy(18)), 0, 1, "fire")


@pytest.mark.rule("emlia.activate.once")
def test_between_the_first_two_turns_the_odds_are_those_of_the_next_with_its_actions(
    field_of_battle: Build,
) -> None:
    between = field_of_battle(shooter(put={"primary_used": 1}), enemy(18))
    ended = Set(table="battle", row=0, column="phase", value=Phase.TURN)
    between.happen(Event(facts=Unread(event="put"), changes=(ended,)))

    assert between.state.turn == 1
    assert odds(between, 0, 1, "fire") == odds(field_of_battle(shooter(), enemy(18)), 0, 1, "fire")


@pytest.mark.parametrize(("most", "is_counted"), [(3, True), (2, False)])
def test_an_attack_that_can_go_in_too_many_ways_is_an_error(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch, most: int, is_counted: bool
) -> None:
    """One die hits or misses: a first try that asks for it, and one for each of the two."""
    monkeypatch.setattr(outcomes, "MOST_WAYS", most)
    battle = field_of_battle(shooter(), enemy(18))

    if is_counted:
        assert sum(odds(battle, 0, 1, "fire").hits.values()) == 1
    else:
        with pytest.raises(Error, match="more than 2 ways"):
            odds(battle, 0, 1, "fire")


def test_an_order_has_the_odds_of_its_attack_target_and_weapon(field_of_battle: Build) -> None:
    second = {**RIFLE, "name": "Carbine"}
    armed = shooter(weapons=(RIFLE, second, CLUB))
    battle = field_of_battle(armed, enemy(18), {**enemy(30), "at": (110, 80)})

    fired = odds_of(battle, Order(verb="fire", unit=0, target=2, number=1))
    first = odds_of(battle, Order(verb="aim", unit=0, target=1))

    assert fired == odds(battle, 0, 2, "fire", "Carbine")
    assert first == odds(battle, 0, 1, "aim", "Rifle")


@pytest.mark.parametrize(
    "order",
    [
        Order(verb="move", unit=0),
        Order(verb="fire", target=1),
        Order(verb="area-volley", unit=0, number=0, point=(100.0, 70.0)),
        Order(verb="close-combat", unit=0),
        Order(verb="concentrated-volley", unit=0, target=1),
    ],
    ids=["no attack", "no unit", "at a point", "nobody in reach", "no such weapon"],
)
def test_what_is_no_attack_on_a_unit_has_no_odds(field_of_battle: Build, order: Order) -> None:
    assert odds_of(field_of_battle(shooter(), enemy(18)), order) is None


@pytest.mark.parametrize("number", [1, 2, 9])
def test_an_order_with_more_weapons_than_there_are_has_the_odds_of_any_weapon(
    field_of_battle: Build, number: int
) -> None:
    battle = field_of_battle(shooter(), enemy(18))

    found = odds_of(battle, Order(verb="fire", unit=0, target=1, number=number))

    assert found == odds(battle, 0, 1, "fire")


def test_a_volley_at_a_point_is_no_attack_on_the_enemy_at_hand(field_of_battle: Build) -> None:
    battle = field_of_battle(mortar(), enemy(0.5))
    at_point = Order(verb="area-volley", unit=0, number=0, point=(100.0, 90.0))

    assert odds_of(battle, at_point) is None
    assert odds_of(battle, Order(verb="area-volley", unit=0, number=0)) is not None


def test_a_blow_at_nobody_by_name_is_at_the_first_enemy_in_reach(field_of_battle: Build) -> None:
    battle = field_of_battle(
        shooter(),
        {"at": (10, 10), "side": "Bob"},
        enemy(0.5),
        {"at": (100.5, 48.2), "side": "Bob"},
    )

    found = odds_of(battle, Order(verb="close-combat", unit=0))

    assert found is not None
    assert found.target == "unit 2"
    # Any number beyond the weapons it has names none, and the first serves.
    assert odds_of(battle, Order(verb="close-combat", unit=0, number=7)) == found


def test_a_check_is_told_with_dice_chance_and_average(field_of_battle: Build) -> None:
    crowd = shooter(members=3, files=3, skills={"aimed fire": "3"})

    (check,) = odds(field_of_battle(crowd, enemy(30, members=6, files=6)), 0, 1, "fire").checks

    assert (check.unit, check.target, check.dice, check.modifier) == ("unit 0", "unit 1", 3, -2)
    assert (check.chance, check.expected) == (Fraction(1, 2), Fraction(3, 2))
    assert [(row.name, row.figure) for row in check.rows] == [("outside short", -2)]


def test_a_check_that_succeeds_by_itself_has_the_chance_1(field_of_battle: Build) -> None:
    aimed = {"effect": "modifier", "name": "Sharpshooter", "skill": "aimed fire", "add": 4}
    battle = field_of_battle(shooter(abilities=(aimed,)), enemy(18, members=2, files=2))

    found = odds(battle, 0, 1, "fire")

    assert found.hits == {1: Fraction(1)}
    assert [check.chance for check in found.checks] == [Fraction(1)]

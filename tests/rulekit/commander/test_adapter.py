"""The choice of a unit under any rules: an attack, its slot, a post, or nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typing_extensions import override

from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.adapter import Adapter, Attack, at_the_target
from emlia3d.rulekit.commander.outlook import Brigade, Outlook
from emlia3d.rulekit.commander.plan import Mission, MissionKind, Plan
from emlia3d.rulekit.commander.slots import Slot
from emlia3d.rulekit.commander.unit_profile import UnitProfile
from tests.rulekit.commander import nursery
from tests.rulekit.commander.lines import SPEED, body, outlook

UNIT, FOE, OTHER = 0, 8, 9
REST = Order(verb="rest", unit=UNIT)
ASKED = Decision(side=0, asks="any.act", unit=UNIT, options=(REST,))
FRONT = 101.0
"""The place of the front of the unit, GSU: half its depth before its middle."""


def attack(worth: float, target: int = FOE, *, closes: bool = False) -> Attack:
    return Attack(order=Order(verb="hit", unit=UNIT, target=target), worth=worth, closes=closes)


def plan(kind: MissionKind = "attack", *, ahead: float = 0.0, target: int | None = None) -> Plan:
    """Return a plan in which the unit's slot is so far before it, GSU."""
    line = ((184.0, FRONT + ahead), (216.0, FRONT + ahead))
    mission = Mission(brigade="Foot", units=(UNIT,), kind=kind, line=line, target=target)
    return Plan(name="", missions=(mission,))


WITHOUT = Plan(name="", missions=())


class Side(Adapter):
    """A side of one unit, with some attacks."""

    def __init__(
        self, *attacks: Attack, own: UnitProfile | None = None, blocked: bool = False
    ) -> None:
        super().__init__(nursery.battle(), 0)
        self._attacks, self._blocked = attacks, blocked
        self._own = own or body(UNIT, 200, 100)

    @property
    @override
    def brigades(self) -> tuple[Brigade, ...]:
        return (Brigade(name="Foot", units=(UNIT,)),)

    @override
    def see(self) -> Outlook:
        return outlook([self._own], [body(FOE, 200, 150)])

    @override
    def attacks(self, decision: Decision) -> tuple[Attack, ...]:
        return self._attacks

    @override
    def to_slot(self, decision: Decision, slot: Slot, why: str) -> Order | None:
        there = (slot.x, slot.y)
        return None if self._blocked else Order(verb="go", unit=UNIT, point=there, why=why)

    @override
    def to_post(self, decision: Decision, mission: Mission | None) -> Order | None:
        return Order(verb="post", unit=UNIT) if self._blocked else None


def chosen(side: Side, given: Plan) -> str:
    return side.act(ASKED, given).verb


def test_the_attack_that_is_worth_most_is_made() -> None:
    order = Side(attack(1.0), attack(2.0, OTHER)).act(ASKED, WITHOUT)

    assert order.target == OTHER


@pytest.mark.parametrize("worth", [0.0, -1.0])
def test_an_attack_that_costs_what_it_gains_is_not_made(worth: float) -> None:
    assert chosen(Side(attack(worth)), WITHOUT) == "rest"
    assert chosen(Side(attack(0.1)), WITHOUT) == "hit"


@pytest.mark.parametrize(("worth", "target"), [(1.1, FOE), (0.9, OTHER)])
def test_the_agreed_target_comes_first_if_it_is_worth_half_the_best(
    worth: float, target: int
) -> None:
    order = Side(attack(2.0, OTHER), attack(worth)).act(ASKED, plan(target=FOE))

    assert order.target == target


def test_targets_that_are_not_on_offer_change_nothing() -> None:
    attacks = [attack(2.0, OTHER), attack(1.0)]

    assert at_the_target(attacks, {5}) == attacks
    assert at_the_target([], {5}) == []


@pytest.mark.parametrize(("ahead", "verb"), [(SPEED - 1, "hit"), (SPEED + 1, "go")])
def test_a_unit_goes_to_a_slot_more_than_a_move_off_before_it_attacks(
    ahead: float, verb: str
) -> None:
    assert chosen(Side(attack(1.0)), plan(ahead=ahead)) == verb
    assert chosen(Side(), plan(ahead=ahead)) == "go"


def test_a_unit_in_close_combat_does_not_leave_for_its_slot() -> None:
    engaged = replace(body(UNIT, 200, 100), is_engaged=True)

    assert chosen(Side(attack(1.0), own=engaged), plan(ahead=SPEED + 1)) == "hit"
    assert chosen(Side(own=engaged), plan(ahead=SPEED + 1)) == "rest"


def test_the_way_to_a_slot_has_the_mission_as_its_reason() -> None:
    order = Side().act(ASKED, plan(ahead=20.0, target=FOE))

    name = nursery.battle().setup.units[FOE].name
    assert order.why == f"keeps its position: the Foot attacks {name}"
    assert order.point == pytest.approx((200.0, FRONT + 20))


def test_a_unit_that_cannot_go_to_its_slot_attacks_or_takes_a_post() -> None:
    assert chosen(Side(attack(1.0), blocked=True), plan(ahead=SPEED + 1)) == "hit"
    assert chosen(Side(blocked=True), plan(ahead=SPEED + 1)) == "post"


@pytest.mark.parametrize("kind", ["support", "pin", "withdraw"])
def test_a_mission_without_charges_leaves_other_attacks(kind: MissionKind) -> None:
    charge, shot = attack(2.0, closes=True), attack(1.0, OTHER)

    assert Side(charge, shot).act(ASKED, plan(kind)).target == OTHER
    assert Side(charge, shot).act(ASKED, plan("attack")).target == FOE
    assert Side(charge, shot).act(ASKED, WITHOUT).target == FOE


def test_a_unit_with_nothing_to_do_rests() -> None:
    assert Side().act(ASKED, WITHOUT) == REST

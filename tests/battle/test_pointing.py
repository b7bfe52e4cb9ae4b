"""A click on the ground leads as far that way as the reach of a decision allows, for any rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order, Refusal
from tests.battle.toy_system import GUARDS, Nearby

Fresh = Callable[..., Battle]
HERE = (25.0, 13.5)
"""The middle of the guards' front line."""


@dataclass(frozen=True)
class Ring:
    """A throw of stones to any place from 5 to 20 GSU off."""

    def refusal(self, order: Order) -> Refusal | None:
        if order.verb != "throw" or order.point is None:
            return Refusal("tin.throw", "a throw has a place")
        off = hypot(order.point[0] - HERE[0], order.point[1] - HERE[1])
        return None if 5 <= off <= 20 else Refusal("tin.throw.far", "out of range")

    def for_moment(self, battle: Battle) -> Ring:
        return self


@pytest.fixture
def battle(fresh: Fresh) -> Battle:
    return fresh(1)


@pytest.fixture
def march() -> Decision:
    options = tuple(Order(verb=verb, unit=GUARDS) for verb in ("wait", "march"))
    return Decision(side=0, asks="tin.act", unit=GUARDS, options=options, validator=Nearby(*HERE))


@pytest.fixture
def throw(march: Decision) -> Decision:
    options = (Order(verb="throw", unit=GUARDS, point=(25.0, 22.0)),)
    return replace(march, options=options, validator=Ring())


def test_only_verbs_that_the_reach_allows_to_places_are_pointed(
    battle: Battle, march: Decision, throw: Decision
) -> None:
    assert battle.system.pointed(battle, march) == ("march",)
    assert battle.system.pointed(battle, throw) == ("throw",)
    assert battle.system.pointed(battle, replace(march, validator=None)) == ()


@pytest.mark.parametrize(
    ("place", "end"),
    [
        ((25.0, 17.0), (25.0, 17.0)),
        ((25.0, 36.0), (25.0, 21.5)),
        ((55.0, 53.5), (25 + 4.8, 13.5 + 6.4)),
    ],
    ids=["in reach", "ahead", "diagonal"],
)
def test_a_march_leads_to_the_place_or_to_the_border_of_the_reach_on_the_way(
    battle: Battle, march: Decision, place: tuple[float, float], end: tuple[float, float]
) -> None:
    order = battle.system.order_to(battle, march, "march", place, None)

    assert order is not None
    march.check(order)
    assert (order.legs[0].x, order.legs[0].y) == pytest.approx(end, abs=0.01)
    assert order.legs[0].facing == 0


def test_a_march_ends_in_the_facing_that_is_asked_for(battle: Battle, march: Decision) -> None:
    order = battle.system.order_to(battle, march, "march", (25.0, 17.0), 5760)

    assert order is not None
    assert order.legs[0].facing == 5760


def test_a_place_that_is_too_near_is_refused_with_the_reason_of_the_rules(
    battle: Battle, throw: Decision
) -> None:
    near = battle.system.order_to(battle, throw, "throw", (25.0, 14.0), None)
    far = battle.system.order_to(battle, throw, "throw", (25.0, 39.0), None)

    assert near == Order(verb="throw", unit=GUARDS, point=(25.0, 14.0))
    assert throw.validator is not None
    assert throw.validator.refusal(near) == Refusal("tin.throw.far", "out of range")
    assert far is not None
    assert far.point == pytest.approx((25.0, 33.5), abs=0.01)


def test_the_reach_lies_round_the_unit(battle: Battle, march: Decision) -> None:
    corners = battle.system.reach_of(battle, march, "march")

    assert len(corners) == 32
    assert [hypot(x - HERE[0], y - HERE[1]) for x, y in corners] == pytest.approx(
        [8.0] * 32, abs=0.02
    )
    assert battle.system.reach_of(battle, march, "wait") == ()

"""The rule system of these tests passes what every rule system must."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typing_extensions import override

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.commanders import OpenPicture
from emlia3d.battle.decisions import Order, Procedure
from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.rulekit.testing import (
    check_events,
    check_orders,
    check_pictures,
    check_restarts,
    check_system,
)
from tests.battle.toy_events import RanDown
from tests.battle.toy_system import Tin, Wanderer

Fresh = Callable[..., Battle]


def wanderers() -> list[Wanderer]:
    return [Wanderer(), Wanderer()]


@pytest.mark.parametrize("seed", [1, 7])
def test_tin_passes_what_every_rule_system_must(fresh: Fresh, seed: int) -> None:
    check_system(lambda: fresh(seed))
    check_system(lambda: fresh(seed), wanderers)


class Misnaming(Tin):
    """Cites a rule by something that is no name."""

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        step = super().next_step(battle)
        return None if step is None else _also(step, "A Rule")


class Remembering(Tin):
    """Keeps something of the battle outside its state."""

    def __init__(self) -> None:
        self.steps = 0

    @override
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        self.steps += 1
        step = super().next_step(battle)
        return step if step is None or self.steps % 7 else _also(step, "tin.worn")


def _also(step: Procedure[None], slug: str) -> Procedure[None]:
    """Yield what the step does, and that the first unit has run down by a rule."""
    yield from step
    worn = Set(table="unit", row=0, column="polish", value=0.25)
    yield Event(facts=RanDown(worn=1), unit=0, because=(slug,), changes=(worn,))


class Mumbling(Tin):
    """Has one phrase for every order."""

    @override
    def phrase(self, battle: Battle, order: Order) -> str:
        return "act"


class Careless(Tin):
    """Shows everybody the true battle."""

    @override
    def picture(self, battle: Battle, side: int) -> OpenPicture:
        return OpenPicture(battle, side)


class Undeclared(Tin):
    """Does not say what kinds of event there are."""

    events = ()


@pytest.mark.parametrize(
    ("system", "check", "told"),
    [
        (Misnaming, check_events, "'A Rule' is no rule's name"),
        (Undeclared, check_events, "is no declared kind of event"),
        (Remembering, check_restarts, "stretch"),
        (Mumbling, check_orders, "are both called 'act'"),
        (Careless, check_pictures, "leads to the true battle"),
    ],
)
def test_a_system_that_breaks_a_rule_of_systems_is_found_out(
    setup: Setup, system: type[Tin], check: Callable[..., None], told: str
) -> None:
    with pytest.raises(AssertionError, match=told):
        check(lambda: Battle(setup, system(), 7), wanderers)

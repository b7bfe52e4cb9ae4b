"""Leaders go to the units of their brigade that need them, and keep apart from each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from typing import Any

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander import leaders
from emlia3d.rules.emlia.doctrine.mind import Mind
from emlia3d.rules.emlia.doctrine.offered import Offered
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT

Build = Callable[..., Battle]
Ask = Callable[..., Decision]

LEADER: dict[str, Any] = {
    "keywords": ["Commander"], "members": 3, "formation": "open", "movement": "80G",
    "skills": {"leadership": "8"},
}  # fmt: skip
COMMAND_RANGE = 20.0
"""`emlia.lead.range`, GSU."""


def ordered(battle: Battle, question: Ask) -> tuple[Battle, Order]:
    """The order of the leader that is unit 0, and the battle as its side knows it."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    mind, known = Mind(picture), decision.known(picture.battle)
    return mind.battle, leaders.order(mind, known, 0, Offered(mind.battle, known))


def test_a_leader_rides_to_where_it_can_command_a_unit_in_disorder(
    field_of_battle: Build, question: Ask
) -> None:
    shaken = {**FOOT, "front": (150, 60), "put": {"disordered": 1}}
    steady = {**FOOT, "front": (60, 60)}

    battle, order = ordered(field_of_battle({**LEADER, "at": (60, 30)}, steady, shaken), question)

    assert order.why == "rides to unit 2, which needs it"
    end, (x, y) = order.legs[-1], situation_of(battle).centre(2)
    assert hypot(end.x - x, end.y - y) < COMMAND_RANGE + 5


def test_a_leader_goes_to_its_own_brigade_first(field_of_battle: Build, question: Ask) -> None:
    own = {**FOOT, "front": (150, 60), "put": {"disordered": 1}}
    other = {**FOOT, "front": (30, 60), "put": {"disordered": 1}}

    battle = field_of_battle({**LEADER, "at": (90, 30)}, own, other)
    sections = (("1st",), ("1st",), ("2nd",))
    units = battle.setup.units
    divided = [replace(units[row], section=section) for row, section in enumerate(sections)]
    battle.setup = replace(battle.setup, units=(*divided, *units[3:]))

    _, order = ordered(battle, question)

    assert order.why == "rides to unit 1, which needs it"
    assert order.legs[-1].x > 110


def test_leaders_do_not_crowd_one_place(field_of_battle: Build, question: Ask) -> None:
    line = {**FOOT, "front": (100, 100)}
    behind_it = {**LEADER, "at": (100, 60)}

    _, order = ordered(field_of_battle({**LEADER, "at": (100, 10)}, line, behind_it), question)

    assert order.legs
    assert hypot(order.legs[-1].x - 100, order.legs[-1].y - 60) > 12

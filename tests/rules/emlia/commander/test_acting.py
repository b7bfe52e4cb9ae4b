"""Actions of units within a plan: fire before a charge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rulekit.commander.plan import Plan
from emlia3d.rulekit.commander.slots import Slot
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.acting import act
from emlia3d.rules.emlia.commander.marching import to_slot
from emlia3d.rules.emlia.commander.outlook import body_of
from emlia3d.rules.emlia.commander.vantage import are_open, friends_behind
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.play.situation.pose import placed, pose_of
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rulekit.commander.lines import body
from tests.rules.emlia.troops import FOOT, MUSKETEERS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
STRONG: dict[str, Any] = {**FOOT, "members": 40, "files": 10, "skills": {"close combat": "30/4"}}
WITHOUT = Plan(name="", missions=())


def asked(battle: Battle, question: Ask) -> tuple[AiContext, Decision]:
    """The AI context and the decision of unit 0 as its activation begins."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    return AiContext(picture), decision.for_moment(picture.battle)


def order_of(battle: Battle, question: Ask) -> Order:
    ai, decision = asked(battle, question)
    return act(ai, WITHOUT, decision)


def test_a_charge_waits_until_others_have_shot(field_of_battle: Build, question: Ask) -> None:
    foe = {**FOOT, **BOB, "front": (100, 62), "put": {"disordered": 1}}
    shooters = {**MUSKETEERS, "front": (130, 50), "timing": 3}
    mine = {**STRONG, "front": (100, 50), "timing": 3}

    alone = order_of(field_of_battle(mine, foe), question)
    helped = order_of(field_of_battle(mine, foe, shooters), question)

    assert alone.verb == "charge"
    assert (helped.verb, helped.number) == ("delay", 2)
    assert helped.why == "waits until others have shot at unit 1"


def test_a_place_is_before_friends_in_ranks_that_need_the_ground() -> None:
    line = body(0, 100, 100)
    broken, loose = body(1, 100, 90, is_broken=True), body(2, 100, 90, holds_formation=False)
    light = body(3, 0, 0, width=20.0)
    places = np.array([(100.0, 130.0), (100, 170), (100, 80), (125, 130), (130, 130)])

    before = friends_behind([line, broken, loose, light], light, places)

    assert before.tolist() == [1, 0, 0, 1, 0]


def test_friends_in_ranks_close_the_view_of_places_behind_them(field_of_battle: Build) -> None:
    field = field_of_battle({**FOOT, "front": (20, 20)}).setup.field
    foe, line = body(0, 100, 160), body(1, 100, 120)
    loose, broken = body(2, 60, 120, holds_formation=False), body(3, 140, 120, is_broken=True)
    places = np.array([(100.0, 90.0), (60, 90), (140, 90), (100, 130)])

    alone = are_open(field, places, [foe], [loose, broken])
    behind = are_open(field, places, [foe], [line, loose, broken])

    assert alone.tolist() == [[True]] * 4
    assert behind.tolist() == [[False], [True], [True], [True]]


def test_a_profile_follows_what_its_unit_suffers(field_of_battle: Build) -> None:
    battle = field_of_battle({**FOOT, "front": (60, 40)}, {**FOOT, **BOB, "front": (60, 140)})
    before = body_of(battle, 0), body_of(battle, 1)

    battle.suppose([Set(table="unit", row=0, column="disordered", value=1)])
    shaken = body_of(battle, 0)
    battle.suppose(placed(battle, 1, pose_of(battle, 1).at(60, 41, 180 * 64)))

    assert (before[0].is_fit, shaken.is_fit) == (True, False)
    assert (shaken.is_engaged, body_of(battle, 0).is_engaged) == (False, True)
    assert body_of(battle, 1).y < before[1].y


def test_a_unit_that_has_no_room_to_turn_goes_on_as_it_faces(
    field_of_battle: Build, question: Ask
) -> None:
    wide = {**FOOT, "members": 80, "files": 40}
    battle = field_of_battle({**wide, "front": (60, 40)}, {**wide, "front": (60, 44)})
    _, decision = asked(battle, question)
    slot = Slot(140.0, 36.0, 45 * 64, is_first=True)

    order = to_slot(battle, decision, 0, slot, "move", "keeps its position")

    assert order is not None
    assert {leg.facing for leg in order.legs} == {0}
    assert order.legs[-1].x > 65

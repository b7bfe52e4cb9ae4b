"""Posts: where units that shoot go, by what they do there and by what may be done to them."""

from __future__ import annotations

from collections.abc import Callable
from math import hypot
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, Order
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.fire_odds import losses_at
from emlia3d.rules.emlia.commander.posts import to_a_post
from emlia3d.rules.emlia.doctrine.ai_context import AiContext
from emlia3d.rules.emlia.doctrine.appraisal import shot
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn.activation import activate
from tests.rules.emlia.troops import FOOT, MUSKETEERS, MUSKETS

Build = Callable[..., Battle]
Ask = Callable[..., Decision]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
LIGHT: dict[str, Any] = {
    "members": 8, "formation": "open", "weapons": [MUSKETS], "skills": {"aimed fire": "8/2"},
    "movement": "40G", "hits": 1,
}  # fmt: skip
RIFLES: dict[str, Any] = {**LIGHT, "weapons": [{**MUSKETS, "range": (40, 80, 140)}]}
TARGET: dict[str, Any] = {**FOOT, **BOB, "front": (100, 150)}
LINE: dict[str, Any] = {
    **MUSKETEERS, **BOB, "front": (100, 150), "movement": "20G",
    "skills": {"close combat": "20/4", "aimed fire": "20/4"},
    "weapons": [{**MUSKETS, "range": (20, 40, 60)}],
}  # fmt: skip


def asked(battle: Battle, question: Ask) -> tuple[AiContext, Decision]:
    """The AI context and the decision of unit 0 as its activation begins."""
    decision = question(battle, activate(battle, 0))
    picture = SYSTEM.picture(battle, decision.side)
    return AiContext(picture), decision.for_moment(picture.battle)


def post(battle: Battle, question: Ask) -> Order | None:
    return to_a_post(*asked(battle, question), 0)


def gap_after(order: Order, y: float = 150) -> float:
    return hypot(order.legs[-1].x - 100, order.legs[-1].y - y)


def test_a_unit_out_of_range_takes_post_within_it(field_of_battle: Build, question: Ask) -> None:
    order = post(field_of_battle({**LIGHT, "at": (100, 40)}, TARGET), question)

    assert order is not None
    assert order.why == "takes a position to shoot at unit 1"
    assert order.legs[-1].y > 60


def test_a_unit_that_has_the_best_post_stays(field_of_battle: Build, question: Ask) -> None:
    shaken = {**TARGET, "put": {"morale": 0}}

    assert post(field_of_battle({**LIGHT, "at": (100, 134)}, shaken), question) is None


def test_a_unit_behind_a_house_goes_where_it_sees(field_of_battle: Build, question: Ask) -> None:
    house = {"kind": "building", "box": (88, 112, 112, 126)}
    friend = {**FOOT, "front": (40, 110)}
    battle = field_of_battle({**LIGHT, "at": (100, 98)}, TARGET, friend, terrain=[house])

    order = post(battle, question)

    assert order is not None
    assert abs(order.legs[-1].x - 100) > 10


def test_rifles_stay_out_of_the_range_of_muskets(field_of_battle: Build, question: Ask) -> None:
    order = post(field_of_battle({**RIFLES, "at": (100, 40)}, LINE), question)

    assert order is not None
    assert order.why == "takes a position to shoot at unit 1"
    assert 70 < gap_after(order) < 150


def test_a_unit_within_a_charge_of_cavalry_withdraws(field_of_battle: Build, question: Ask) -> None:
    horse = {**FOOT, **BOB, "front": (100, 150), "movement": "60G", "model": "rider"}
    armed = {**RIFLES, "at": (100, 110)}

    order = post(field_of_battle(armed, horse, size=(200, 400)), question)

    assert order is not None
    assert gap_after(order) > 60


def test_a_unit_that_can_do_nothing_says_that_it_withdraws(
    field_of_battle: Build, question: Ask
) -> None:
    horse = {**FOOT, **BOB, "front": (100, 150), "movement": "60G", "hits": 40}
    weak = {**RIFLES, "at": (100, 110)}

    order = post(field_of_battle(weak, horse, size=(200, 400)), question)

    assert order is not None
    assert order.why == "withdraws from enemies that could shoot at it or charge it"


def test_friends_in_ranks_bar_the_way_of_a_charge(field_of_battle: Build, question: Ask) -> None:
    horse = {**FOOT, **BOB, "front": (100, 150), "movement": "60G", "hits": 40}
    weak = {**RIFLES, "at": (100, 100)}
    line = {**FOOT, "front": (100, 115)}

    assert post(field_of_battle(weak, horse), question) is not None
    assert post(field_of_battle(weak, horse, line), question) is None


@pytest.mark.parametrize("gap", [15, 20, 21, 40, 41, 80])
def test_the_odds_of_fire_are_those_of_the_shot(
    gap: float, field_of_battle: Build, question: Ask
) -> None:
    battle = field_of_battle(
        {**MUSKETEERS, "front": (100, 20)}, {**TARGET, "front": (100, 20 + gap)}
    )
    question(battle, activate(battle, 0))
    aim = shot(battle, Order(verb="aim", unit=0, target=1, number=0), at_best=True)
    fire = shot(battle, Order(verb="fire", unit=0, target=1, number=0), at_best=True)
    at = np.array([situation_of(battle).distance(0, 1)])

    assert losses_at(battle, 0, 1, at, forfeits_move=True).tolist() == [pytest.approx(aim.harm)]
    assert losses_at(battle, 0, 1, at).tolist() == [pytest.approx(fire.harm)]


def test_fire_has_no_effect_beyond_its_range_and_all_at_contact(field_of_battle: Build) -> None:
    battle = field_of_battle({**MUSKETEERS, "front": (100, 20)}, TARGET)

    touching, near, beyond = losses_at(battle, 0, 1, np.array([-3.0, 20.0, 80.5]))

    assert touching == near > 0
    assert beyond == 0

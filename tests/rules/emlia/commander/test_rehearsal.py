"""What an attack is worth by rehearsal: against the odds, counted by hand, and in the dark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.rules.emlia import SYSTEM
from emlia3d.rules.emlia.commander.currency import value_of
from emlia3d.rules.emlia.commander.exchange import Exchange, ExpectedHarm
from emlia3d.rules.emlia.commander.rehearsal import AverageDice, rehearse
from emlia3d.rules.emlia.play.acting.checks import marked
from emlia3d.rules.emlia.play.movement.manoeuvre import turn_and_go
from emlia3d.rules.emlia.play.questions.outcomes import odds
from emlia3d.rules.emlia.tables.skills import expected_successes, roll_check
from tests.rules.emlia.troops import FOOT, SPEARS

Build = Callable[..., Battle]
BOB: dict[str, Any] = {"side": "Bob", "facing": 180}
CHARGE = Order(verb="charge", unit=0, target=1, number=0)
STRIKE = Order(verb="close-combat", unit=0, number=0)
DEEP: dict[str, Any] = {**FOOT, "members": 40, "files": 10, "skills": {"close combat": "20/4"}}


def found(battle: Battle, order: Order = CHARGE, start: Order | None = None) -> Exchange:
    exchange = rehearse(battle, order, start)
    assert exchange is not None
    return exchange


@pytest.mark.parametrize("facing", [180, 90, 0])
@pytest.mark.parametrize(("action", "gap"), [("charge", 8), ("melee", 1)])
def test_the_blow_is_that_of_the_odds(
    field_of_battle: Build, action: str, gap: float, facing: int
) -> None:
    foe = {**FOOT, **BOB, "at": (100, 51 + gap), "facing": facing, "name": "B"}
    battle = field_of_battle({**DEEP, "front": (100, 50), "name": "A"}, foe)
    told = odds(battle, 0, 1, action)

    exchange = found(battle, CHARGE if action == "charge" else STRIKE)

    own = [check for check in told.checks if check.unit == "A"]
    assert exchange.inflicted.blow == pytest.approx(float(sum(check.expected for check in own)))
    assert exchange.dice == sum(check.dice for check in own) < exchange.most == 20


@pytest.mark.long
@given(
    members=st.integers(4, 30), files=st.integers(2, 15),
    theirs=st.integers(4, 30), aside=st.integers(-8, 8),
)  # fmt: skip
def test_whatever_the_frontages_the_blow_is_that_of_the_odds(
    field_of_battle: Build, members: int, files: int, theirs: int, aside: int
) -> None:
    mine = {**FOOT, "members": members, "files": min(files, members), "name": "A"}
    foe = {**FOOT, **BOB, "members": theirs, "files": min(8, theirs), "front": (100 + aside, 60)}
    battle = field_of_battle({**mine, "front": (100, 52)}, foe)
    told = odds(battle, 0, 1, "charge")

    exchange = rehearse(battle, CHARGE)

    expected = sum(float(check.expected) for check in told.checks if check.unit == "A")
    assert (0.0 if exchange is None else exchange.inflicted.blow) == pytest.approx(
        min(expected, theirs)
    )


@given(count=st.integers(1, 120), modifier=st.integers(-9, 6))
def test_average_dice_succeed_as_often_as_is_expected(count: int, modifier: int) -> None:
    check = roll_check("emlia.melee", count, modifier, AverageDice())

    assert abs(check.successes - expected_successes(count, modifier)) <= 0.5


def test_a_rehearsal_leaves_the_battle_as_it_is_and_comes_out_alike_twice(
    field_of_battle: Build,
) -> None:
    foe = {**DEEP, **BOB, "front": (100, 60)}
    battle = field_of_battle({**DEEP, "front": (100, 50)}, foe)
    before, digest = battle.state.key_frame(), battle.digest.hexdigest()

    first = found(battle)

    assert (battle.state.key_frame(), battle.digest.hexdigest()) == (before, digest)
    assert found(battle) == first


def test_the_enemy_strikes_back_unless_in_disorder(field_of_battle: Build) -> None:
    foe = {**DEEP, **BOB, "front": (100, 51)}
    ready, confused = (
        found(field_of_battle({**DEEP, "front": (100, 50)}, {**foe, "put": put}), STRIKE)
        for put in ({}, {"disordered": 1})
    )

    assert ready.suffered.blow > 1
    assert confused.suffered.blow == 0
    assert confused.cost < ready.cost


def test_whoever_acts_after_the_step_strikes_back_with_what_is_left(field_of_battle: Build) -> None:
    mine, foe = {**DEEP, "front": (100, 50)}, {**FOOT, **BOB, "front": (100, 51)}
    at_once, later = (
        found(field_of_battle(mine, {**foe, "put": {"activated": activated}}), STRIKE)
        for activated in (0, 1)
    )

    assert 0 < later.suffered.whole < at_once.suffered.whole


def test_ranks_that_drive_an_enemy_back_press_it(field_of_battle: Build) -> None:
    thin = {**DEEP, "members": 10, "skills": {"close combat": "20"}}
    foe = {**DEEP, **BOB, "front": (100, 51), "weapons": [], "put": {"disordered": 1}}
    deep, alone = (
        found(field_of_battle({**mine, "front": (100, 50)}, foe), STRIKE) for mine in (DEEP, thin)
    )

    assert deep.inflicted.press > alone.inflicted.press == 0


def test_what_friends_have_laid_on_an_enemy_is_not_counted_again(field_of_battle: Build) -> None:
    foe = {**FOOT, **BOB, "front": (100, 51)}
    friend = {**FOOT, "front": (60, 50)}
    battle = field_of_battle({**DEEP, "front": (100, 50)}, foe, friend)
    alone = found(battle, STRIKE)
    battle.suppose(marked(battle, 2, 1, 1, 20))

    again = found(battle, STRIKE)

    assert alone.gain > 0.1
    assert again.gain == pytest.approx(0)
    assert again.inflicted.blow == alone.inflicted.blow


def test_nobody_is_worth_more_than_is_left(field_of_battle: Build) -> None:
    foe = {**FOOT, **BOB, "members": 3, "files": 3, "front": (100, 51), "put": {"disordered": 1}}
    battle = field_of_battle({**DEEP, "front": (100, 50)}, foe)

    exchange = found(battle, STRIKE)

    assert exchange.theirs.destroyed
    assert exchange.inflicted.whole == 3
    assert exchange.gain == pytest.approx(value_of(battle, 1))
    assert str(exchange) == "3.0 losses expected for 0.0 of its own, enough to destroy it"


def test_a_charge_that_falls_short_is_worth_nothing_and_a_move_before_it_brings_it_home(
    field_of_battle: Build,
) -> None:
    foe = {**FOOT, **BOB, "front": (100, 72)}
    battle = field_of_battle({**DEEP, "front": (100, 50)}, foe)
    move = turn_and_go(battle, 0, 0, 15.0, "move", 12.0)

    assert rehearse(battle, CHARGE) is None
    assert found(battle, CHARGE, move).inflicted.blow > 0


def test_a_shot_is_rehearsed_like_a_blow(field_of_battle: Build) -> None:
    bow = {"name": "Bow", "base_damage": 1, "range": (20, 40, 80), "use": ["aimed fire"]}
    mine = {**FOOT, "weapons": [bow], "skills": {"aimed fire": "12"}, "front": (100, 50)}
    battle = field_of_battle({**mine, "name": "A"}, {**FOOT, **BOB, "front": (100, 65)})
    told = odds(battle, 0, 1, "fire")

    exchange = found(battle, Order(verb="fire", unit=0, target=1, number=0))

    assert exchange.inflicted.blow == pytest.approx(float(told.checks[0].expected))
    assert exchange.suffered.whole == 0


def test_an_enemy_of_whom_its_side_does_not_know_has_no_part_in_a_rehearsal(
    field_of_battle: Build,
) -> None:
    wood = {"kind": "forest", "height": 9, "box": (108, 55, 140, 75)}
    mine, foe = {**DEEP, "front": (100, 50)}, {**FOOT, **BOB, "front": (100, 60)}
    lurker = {**FOOT, **BOB, "weapons": [SPEARS], "at": (118, 65), "facing": 270}
    known = []
    for third in (lurker, {**lurker, "at": (180, 190)}):
        battle = field_of_battle(mine, foe, third, terrain=[wood])
        picture = SYSTEM.picture(battle, 0)
        known.append((picture.known, rehearse(picture.battle, CHARGE)))

    assert known[0][1] is not None
    assert known[0] == ([1], known[0][1])
    assert known[0][1] == known[1][1]


@pytest.mark.parametrize(("least", "comes"), [(13, True), (14, False)])
def test_a_blow_with_too_few_dice_is_broken_off(
    field_of_battle: Build, least: int, comes: bool
) -> None:
    foe = {**FOOT, **BOB, "front": (100, 60)}
    battle = field_of_battle({**DEEP, "front": (100, 50)}, foe)
    assert found(battle).dice == 13

    assert (rehearse(battle, CHARGE, least=least) is not None) is comes


def test_a_unit_with_few_dice_in_all_may_roll_them(field_of_battle: Build) -> None:
    one = {**FOOT, "members": 1, "files": 1, "skills": {"close combat": "2"}, "front": (100, 50)}
    battle = field_of_battle(one, {**FOOT, **BOB, "front": (100, 60)})

    assert rehearse(battle, CHARGE, least=3) is not None


def test_no_more_losses_than_members_the_blow_first() -> None:
    harm = ExpectedHarm(blow=4.0, press=3.0, free=2.0)

    assert harm.capped(9) == harm
    assert harm.capped(7) == ExpectedHarm(blow=4.0, press=1.0, free=2.0)
    assert harm.capped(5) == ExpectedHarm(blow=4.0, free=1.0)
    assert harm.capped(3) == ExpectedHarm(blow=3.0)


def test_an_enemy_that_has_yet_to_act_strikes_back_though_it_struck_last_turn(
    field_of_battle: Build,
) -> None:
    foe = {**DEEP, **BOB, "front": (100, 58)}
    mine = {**DEEP, "front": (100, 50)}
    fresh = found(field_of_battle(mine, foe))
    tired = found(field_of_battle(mine, {**foe, "put": {"primary_used": 1, "move_used": 1}}))

    assert fresh.suffered.whole > 1
    assert tired.suffered == fresh.suffered

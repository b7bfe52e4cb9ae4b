"""What one resolution tells morale of each unit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs, general_of
from emlia3d.rules.emlia.tables.morale import MoraleFacts
from emlia3d.rules.emlia.unit_sets.vital import VitalRow
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.hitting import crowd

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

FACTS = MoraleFacts()
WOUND = VitalRow.model_validate({"faces": (1, 12), "text": "a wound", "morale": -2})


@dataclass
class Deed:
    """Who is behind a unit's losses."""

    attackers: tuple[int, ...] = ()
    wiped_out_by: tuple[int, ...] = ()
    unseen: bool = False
    rolls: list[Any] = field(default_factory=list)


def four(field_of_battle: Build) -> Battle:
    """Two of Alice's, and two of Bob's 20 and 21 GSU from them."""
    return field_of_battle(
        man(100, 50), man(104, 50), crowd(10, at=(100, 70)), man(140, 120, "Bob")
    )


def note(battle: Battle, unit: int, what: MoraleNote, amount: float = 1) -> None:
    row = {"unit": unit, "what": what, "amount": amount}
    battle.happen(Event(facts=Unread(event="noted"), changes=(Append(table="note", row=row),)))


def pair(battle: Battle, column: str, a: int, b: int, value: float = 1) -> None:
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column=column, a=a, b=b, value=value),))
    )


@pytest.mark.parametrize(
    ("gathered", "fact"),
    [
        ("thresholds", "threshold"),
        ("unseen", "unseen_enemy"),
        ("lost_leader", "leader_killed"),
        ("saw_general_die", "general_killed"),
        ("forced_into_friend", "forced_into_friend"),
        ("friend_forced_into", "friend_forced_into"),
        ("terrain_stopped", "terrain_stopped"),
        ("forced_into_enemy", "forced_into_enemy"),
        ("inflicts", "inflicts"),
        ("inflicts_10", "inflicts_10"),
        ("wipes_out", "wipes_out"),
        ("forced_enemy_into_enemy", "forced_enemy_into_enemy"),
        ("forced_enemy_into_friend", "forced_enemy_into_friend"),
        ("enemy_forced_into", "enemy_forced_into"),
        ("uphill", "uphill"),
    ],
)
def test_what_was_gathered_of_one_unit_is_a_fact_of_that_unit_alone(
    field_of_battle: Build, gathered: str, fact: str
) -> None:
    outlook = MoraleInputs(four(field_of_battle))

    getattr(outlook, gathered).add(1)

    assert [getattr(outlook.facts(unit), fact) for unit in range(4)] == [False, True, False, False]
    others = {name for name in MoraleFacts.__slots__ if name != fact}
    assert all(
        getattr(outlook.facts(1), name) == getattr(outlook.facts(0), name) for name in others
    )


@pytest.mark.parametrize(
    ("what", "fact", "value"),
    [
        (MoraleNote.CHARGE_FAILED, "charge_failed", True),
        (MoraleNote.OUTNUMBERED, "outnumbered", True),
        (MoraleNote.OUTNUMBERS, "outnumbers", True),
        (MoraleNote.NEAREST_FRIEND_RETREATING, "nearest_friend_retreating", (2.5,)),
        (MoraleNote.ALL_FRIENDS_RETREATING, "all_friends_retreating", (2.5,)),
        (MoraleNote.FRIENDS_CASUALTIES, "friends_casualties", (2.5,)),
        (MoraleNote.FRIENDS_WIPED_OUT, "friends_wiped_out", (2.5,)),
        (MoraleNote.FRIEND_RAN_THROUGH, "friend_runs_through", (2.5,)),
    ],
)
def test_what_was_noted_of_one_unit_is_a_fact_of_that_unit_alone(
    field_of_battle: Build, what: MoraleNote, fact: str, value: Any
) -> None:
    battle = four(field_of_battle)
    note(battle, 1, what, 2.5)

    outlook = MoraleInputs(battle)

    assert getattr(outlook.facts(1), fact) == value
    for name in set(MoraleFacts.__slots__) - {fact}:
        assert getattr(outlook.facts(1), name) == getattr(outlook.facts(0), name)
    assert getattr(outlook.facts(0), fact) == getattr(FACTS, fact)


def test_notes_of_one_kind_add_their_amounts_in_order(field_of_battle: Build) -> None:
    battle = four(field_of_battle)
    for amount in (3.0, 1.0):
        note(battle, 1, MoraleNote.FRIENDS_CASUALTIES, amount)
    for unit, amount in ((1, 2), (1, 1), (0, 1)):
        note(battle, unit, MoraleNote.IMPROVED, amount)

    outlook = MoraleInputs(battle)
    outlook.vital_morale[1] = -2

    assert outlook.facts(1).friends_casualties == (3.0, 1.0)
    assert [outlook.improved(unit) for unit in range(4)] == [1, 1, 0, 0]


@pytest.mark.rule("emlia.morale.neg.uphill")
@pytest.mark.parametrize(
    ("a", "b", "how", "uphill"), [(0, 2, 3, {0}), (0, 2, 2, set()), (0, 2, 1, {2}), (2, 0, 3, {2})]
)
def test_who_fought_uphill_is_read_from_either_blow(
    field_of_battle: Build, a: int, b: int, how: int, uphill: set[int]
) -> None:
    battle = four(field_of_battle)
    pair(battle, "fought", a, b, how)

    assert MoraleInputs(battle).uphill == uphill


@pytest.mark.rule("emlia.morale.casualty-sums", "emlia.morale.percent-base")
def test_losses_strength_and_order_are_facts_of_the_state(field_of_battle: Build, put: Any) -> None:
    battle = four(field_of_battle)
    put(battle, 2, lost_turn=3, strength_now=12, hurt_at=battle.state.turn, disordered=1)
    put(battle, 3, lost_turn=1, strength_now=-1, hurt_at=battle.state.turn - 1)

    hurt, other = MoraleInputs(battle).facts(2), MoraleInputs(battle).facts(3)

    assert (hurt.suffered, hurt.lost, hurt.strength, hurt.ordered) == (True, 3, 12, False)
    assert (other.suffered, other.lost, other.strength, other.ordered) == (False, 1, None, True)


@pytest.mark.rule("emlia.morale.pos.unharmed")
@pytest.mark.parametrize(
    ("ends", "by", "hurt", "unharmed"),
    [(True, 2, False, True), (False, 2, False, False), (True, 2, True, False),
     (True, 1, False, False)],
)  # fmt: skip
def test_only_a_unit_that_an_enemy_attacked_is_unharmed_as_the_turn_ends(
    field_of_battle: Build, put: Any, ends: bool, by: int, hurt: bool, unharmed: bool
) -> None:
    battle = four(field_of_battle)
    pair(battle, "attacked", by, 0, battle.state.turn)
    if hurt:
        put(battle, 0, hurt_at=battle.state.turn)
    outlook = MoraleInputs(battle)
    outlook.turn_ends = ends

    assert [outlook.facts(unit).unharmed for unit in range(4)] == [unharmed, False, False, False]


@pytest.mark.rule("emlia.morale.pos.inflicts-10", "emlia.damage.credit")
def test_losses_are_laid_to_their_attackers_and_a_tenth_may_come_in_two_parts(
    field_of_battle: Build, put: Any
) -> None:
    battle = four(field_of_battle)
    put(battle, 2, strength_now=20)
    outlook = MoraleInputs(battle)

    outlook.suffered(2, 1, Deed(attackers=(0,), unseen=True), destroyed=False)

    assert (outlook.inflicts, outlook.inflicts_10) == ({0}, set())
    assert (outlook.unseen, outlook.thresholds) == ({2}, set())
    outlook.suffered(2, 1, Deed(attackers=(1,), rolls=[WOUND, WOUND]), destroyed=False)
    assert (outlook.inflicts, outlook.inflicts_10) == ({0, 1}, {0, 1})
    assert (outlook.thresholds, outlook.vital_morale[2]) == ({2}, -4)
    assert (outlook.destroyed, outlook.wipes_out) == (set(), set())
    outlook.suffered(2, 18, Deed((1,), wiped_out_by=(1,), rolls=[WOUND]), destroyed=True)
    assert (outlook.destroyed, outlook.wipes_out) == ({2}, {1})
    assert outlook.improved(2) == -6


@pytest.mark.parametrize("strength", [0, -1])
def test_without_a_strength_there_is_no_tenth(
    field_of_battle: Build, put: Any, strength: int
) -> None:
    battle = four(field_of_battle)
    put(battle, 2, strength_now=strength)
    outlook = MoraleInputs(battle)

    outlook.suffered(2, 9, Deed(attackers=(0,)), destroyed=False)

    assert outlook.inflicts_10 == set()


@pytest.mark.rule("emlia.morale.general")
@pytest.mark.parametrize(
    ("units", "general"),
    [
        ([(1, "2"), (1, "2")], 0),
        ([(1, "2"), (1, "3")], 1),
        ([(2, None), (1, "3")], 0),
        ([(1, None), (2, None), (2, None)], None),
        ([(2, None), (2, "1"), (2, None)], 1),
        ([(1, None)], 0),
    ],
)
def test_the_general_leads_the_worthiest_unit_then_has_most_dice_then_comes_first(
    field_of_battle: Build, units: list[tuple[int, str | None]], general: int | None
) -> None:
    battle = field_of_battle(
        *(
            {"at": (20 + 10 * row, 40), "army_value": value,
             "skills": {"leadership": dice} if dice else {"close combat": "1"}}
            for row, (value, dice) in enumerate(units)
        ),
        man(100, 150, "Bob", army_value=9),
    )  # fmt: skip

    assert general_of(battle, 0) == general
    assert general_of(battle, 1) == len(units)

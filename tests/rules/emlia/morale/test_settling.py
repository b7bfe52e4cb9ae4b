"""What losses leave behind in the state, and what a resolution clears away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import MoraleNote
from emlia3d.rules.emlia.events.combat import Struck
from emlia3d.rules.emlia.play.morale.casualties import (
    CasualtyReport,
    is_gone,
    total_damage,
    update_damage,
)
from emlia3d.rules.emlia.play.morale.morale_update import MoraleInputs
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.unit_sets.vital import VitalRow
from tests.made_up import made_up
from tests.rules.emlia import troops
from tests.rules.emlia.combat.blows import man
from tests.rules.emlia.hitting import ATTACKER, crowd, hit, resolve
from tests.rules.emlia.outcome import told

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

WOUND = VitalRow.model_validate({"faces": (1, 12), "text": "a wound", "morale": -2})


def note(battle: Battle, unit: int, what: MoraleNote, amount: float = 1) -> None:
    row = {"unit": unit, "what": what, "amount": amount}
    battle.happen(Event(facts=Unread(event="noted"), changes=(Append(table="note", row=row),)))


def pair(battle: Battle, column: str, a: int, b: int, value: float = 1) -> None:
    battle.happen(
        Event(facts=Unread(event="put"), changes=(Pair(column=column, a=a, b=b, value=value),))
    )


@pytest.mark.rule("emlia.damage.examples", "emlia.attr.damage-limit")
@pytest.mark.parametrize(
    ("entry", "carried", "damage"),
    [
        ({"members": 1, "damage_limit": 20}, 7, 7),
        ({"members": 10, "damage_limit": 3}, 2, 2),
        ({"members": 1, "threshold": 3, "vital_table": ({"faces": (1, 12), "text": "x"},)}, 4, 4),
    ],
)
def test_a_unit_has_taken_what_it_carries(
    field_of_battle: Build, entry: dict[str, Any], carried: int, damage: int
) -> None:
    battle = field_of_battle(ATTACKER, crowd(**{**entry, "put": {"damage": carried}}))

    assert total_damage(battle, 1) == damage


@pytest.mark.rule("emlia.attr.damage-limit", "emlia.damage.unit-destroyed")
@pytest.mark.parametrize(
    ("toll", "gone"),
    [
        (CasualtyReport(1, points=5), False),
        (CasualtyReport(1, points=6), True),
        (CasualtyReport(1, points=7), True),
        (CasualtyReport(1, swept_away=True), True),
        (CasualtyReport(1, rolls=[WOUND]), False),
        (CasualtyReport(1, rolls=[WOUND.model_copy(update={"destroyed": True})]), True),
    ],
    ids=["short", "at the limit", "beyond", "swept away", "a wound", "a deadly wound"],
)
def test_a_unit_is_gone_at_its_limit_or_by_a_result(
    field_of_battle: Build, play: Play, toll: CasualtyReport, gone: bool
) -> None:
    # Ten with a limit of 2: of 20 points 14 are taken.
    battle = field_of_battle(ATTACKER, crowd(10, damage_limit=2))
    hit(battle, 14)
    resolve(battle, play)

    assert total_damage(battle, 1) == 14
    assert is_gone(battle, toll) is gone


@pytest.mark.rule("emlia.morale.neg.friend-wiped-out")
def test_friends_that_see_it_within_20_gsu_remember_a_unit_that_is_wiped_out(
    field_of_battle: Build, play: Play
) -> None:
    wall = {"kind": "building", "box": (85, 119, 89, 121), "height": 5}
    battle = field_of_battle(
        ATTACKER,
        crowd(1, army_value=3),
        man(100, 141, "Bob"),
        man(100, 99 - 1 / 8, "Bob"),
        man(80, 120, "Bob"),
        man(104, 120),
        terrain=[wall],
    )
    hit(battle, 1)

    resolve(battle, play)

    assert dict(battle.state.pairs["mourned"]) == {(2, 1): 3}


def test_no_friend_has_to_remember_a_unit_that_is_wiped_out_in_a_rehearsal(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(ATTACKER, crowd(1, army_value=3), man(100, 141, "Bob"))
    hit(battle, 1)
    outlook = MoraleInputs(battle)
    outlook.is_rehearsed = True

    play(battle, update_damage(battle, outlook))

    assert battle.state.units["present"].tolist() == [1, 0, 1]
    assert not battle.state.pairs["mourned"]


@pytest.mark.rule("emlia.attr.vital-table")
def test_lasting_wounds_slow_a_unit_and_burden_its_checks(
    field_of_battle: Build, play: Play, put: Any
) -> None:
    table = (
        {"faces": (1, 6), "text": "lame", "speed_share": 0.5},
        {"faces": (7, 12), "text": "hurt", "check_modifier": -1, "morale": -1},
    )
    ogre = crowd(1, threshold=2, vital_table=table, morale=7)
    battle = field_of_battle(ATTACKER, ogre)
    put(battle, 1, check_modifier=-2)
    hit(battle, 6)

    events = resolve(battle, play, [1, 12, 6])

    units = battle.state.units
    assert units.value("speed_share", 1) == 0.25
    assert units.value("check_modifier", 1) == -3
    assert told(events, "suffered")[0].facts.values() == {
        "points": 6, "lost": 0, "left": 1, "faces": (1, 12, 6), "vital": ("lame", "hurt", "lame"),
    }  # fmt: skip
    assert "emlia.attr.vital-table" in told(events, "shaken")[0].because


@pytest.mark.rule("emlia.damage.step")
@pytest.mark.parametrize(
    ("entry", "hits", "facts", "columns"),
    [
        ({"members": 10}, 3, {"points": 3, "lost": 3, "left": 7}, (0, 3, 1, 1)),
        ({"members": 10, "damage_limit": 4}, 3, {"points": 3, "lost": 0, "left": 10},
         (3, 0, 1, -1)),
        ({"members": 1, "damage_limit": 9}, 3, {"points": 3, "lost": 0, "left": 1}, (3, 3, 1, 1)),
    ],
    ids=["members fall", "none falls", "a single body"],
)  # fmt: skip
def test_losses_are_counted_for_the_turn_and_the_resolution(
    field_of_battle: Build, play: Play, entry: dict[str, Any], hits: int, facts: dict[str, int],
    columns: tuple[int, ...],
) -> None:  # fmt: skip
    battle = field_of_battle(ATTACKER, crowd(**entry))
    resolve(battle, play)
    hit(battle, hits)

    events = resolve(battle, play)

    units = battle.state.units
    found = [units.value(name, 1) for name in ("damage", "lost_turn", "hurt_at", "casualties_at")]
    assert told(events, "suffered")[0].facts.values() == facts
    assert tuple(found) == columns


@pytest.mark.rule("emlia.resolve.remove-markers", "emlia.resolve.next-step")
def test_a_resolution_forgets_the_blows_of_its_step_and_counts_itself(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(man(100, 50), man(100, 51.5, "Bob"), man(150, 50), man(180, 50, "Bob"))
    for a, b in ((0, 1), (2, 3)):
        for column in ("fought", "front", "met", "barred"):
            pair(battle, column, a, b, 2)
    battle.happen(
        Event(
            facts=Unread(event="put"),
            changes=(Set(table="battle", row=0, column="acted", value=1),),
        )
    )

    events = play(battle, phase.resolve(battle))

    pairs = battle.state.pairs
    assert (dict(pairs["fought"]), dict(pairs["front"])) == ({}, {})
    assert (dict(pairs["met"]), dict(pairs["barred"])) == ({(0, 1): 2}, {(0, 1): 2})
    assert battle.state.battle.integer("acted", 0) == 0
    assert battle.state.battle.integer("resolutions", 0) == 1
    assert events[-1].because == (
        "emlia.resolve.order", "emlia.resolve.remove-markers", "emlia.resolve.next-step",
    )  # fmt: skip
    assert events[-1].part_of_last


@pytest.mark.rule("emlia.resolve.other-effects", "emlia.disorder.causes", "emlia.disorder.cure")
@pytest.mark.parametrize(
    ("what", "before", "after", "because"),
    [
        (MoraleNote.REORDERED, {"disordered": 1}, (0, -1), "emlia.disorder.cure"),
        (MoraleNote.REORDERED, {"disordered": 1, "leader": -2}, (0, -1), "emlia.disorder.cure"),
        (MoraleNote.REORDERED, {"disordered": 1, "leader": 2}, (0, 2), "emlia.disorder.cure"),
        (MoraleNote.BROKE_APART, {}, (1, -1), "emlia.disorder.causes"),
    ],
)
def test_order_is_lost_and_found_again_in_the_resolution(
    field_of_battle: Build, play: Play, put: Any, what: MoraleNote, before: dict[str, int],
    after: tuple[int, int], because: str,
) -> None:  # fmt: skip
    battle = field_of_battle(man(100, 50), man(150, 50), man(120, 50), man(150, 150, "Bob"))
    put(battle, 1, **before)
    note(battle, 1, what)

    events = play(battle, phase.resolve(battle))

    units = battle.state.units
    assert (units.integer("disordered", 1), units.integer("leader", 1)) == after
    assert units.integer("disordered", 0) == 0
    assert because in events[-1].because
    assert len(battle.state.lists["note"]) == 0


@pytest.mark.rule("emlia.skirmish.join-by-contact")
@pytest.mark.parametrize(("y", "stays"), [(52.0, True), (52.125, False)])
def test_a_unit_that_has_left_the_boundary_of_a_skirmish_belongs_to_it_no_more(
    field_of_battle: Build, play: Play, y: float, stays: bool
) -> None:
    battle = field_of_battle(man(100, 50), man(102, 50, "Bob"), man(101, y))
    pair(battle, "joined", 2, 0)

    play(battle, phase.resolve(battle))

    assert bool(battle.state.pairs["joined"]) is stays


@pytest.mark.rule("emlia.press.terrain")
@pytest.mark.parametrize("pushers", [(0,), (0, 2), (2,)])
def test_a_unit_is_pressed_over_a_brink_if_any_of_its_pushers_is_ranked(
    field_of_battle: Build, play: Play, pushers: tuple[int, ...]
) -> None:
    river = {"kind": "river", "box": (80, 103.5, 120, 120)}
    battle = field_of_battle(
        troops.ranked(2, 2, (99, 100), hits=9),
        troops.theirs(4, 2, (100, 101), hits=9),
        man(101.4, 99.6),
        terrain=[river],
    )
    for unit in pushers:
        row = {"attacker": unit, "subject": 1, "successes": 4}
        battle.happen(Event(facts=made_up(Struck), changes=(Append(table="push", row=row),)))

    events = play(battle, phase.resolve(battle), answers=["give-way", *["stand"] * len(pushers)])

    assert bool(told(events, "destroyed")) is (0 in pushers)

"""Chapter 22 as play: when a unit is gone, a leader lost or led away, a side destroyed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Fall, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.events.losses import Suffered
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.objectives import captures
from tests.made_up import made_up
from tests.rules.emlia.turn.ending import ALICE, BOB, aim, end_turn, leave

Build = Callable[..., Battle]


def fall(battle: Battle, unit: int) -> None:
    """All of a unit fall."""
    first = battle.state.units.integer("first", unit)
    figures = tuple(range(first, first + battle.state.units.integer("strength", unit)))
    changes = (Fall(unit=unit, figures=figures),)
    battle.happen(Event(facts=made_up(Suffered), unit=unit, changes=changes))


@pytest.mark.rule("emlia.scenario.end-conditions.entity-gone")
def test_a_unit_is_gone_when_it_has_left_the_field(field_of_battle: Build, play: Any) -> None:
    battle = field_of_battle(
        ALICE, {**BOB, "name": "caravan"}, aims=[aim(gone="caravan", ends=True)]
    )
    before = end_turn(battle, play)

    leave(battle, 1)

    assert before is None
    assert end_turn(battle, play) is not None


def test_a_side_is_gone_when_none_of_it_is_fit_to_fight(
    field_of_battle: Build, play: Any, put: Callable[..., None]
) -> None:
    other = {**BOB, "at": (90, 150), "put": {"morale": -4}}
    battle = field_of_battle(ALICE, BOB, other, aims=[aim(gone="Bob", ends=True)])
    put(battle, 1, morale=-3)
    before = end_turn(battle, play)

    put(battle, 1, morale=-7)

    assert before is None
    assert end_turn(battle, play) is not None


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
def test_a_leader_is_lost_when_he_is_destroyed(field_of_battle: Build, play: Any) -> None:
    battle = field_of_battle(
        ALICE, {**BOB, "name": "general"}, aims=[aim(lost="general", ends=True)]
    )
    before = end_turn(battle, play)

    fall(battle, 1)

    found = end_turn(battle, play)
    assert before is None
    assert found is not None
    assert found.reason == "The general had been killed or captured at the end of turn 2."


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
def test_a_leader_who_leaves_the_field_is_not_lost(field_of_battle: Build, play: Any) -> None:
    battle = field_of_battle(
        ALICE, {**BOB, "name": "general"}, aims=[aim(lost="general", ends=True)]
    )

    leave(battle, 1)

    assert end_turn(battle, play) is None


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
@pytest.mark.parametrize(
    ("members", "morale", "at", "taken"),
    [
        (1, -7, (50, 51), True),
        (1, -6, (50, 51), False),
        (2, -7, (50, 51), False),
        (1, -7, (50, 60), False),
    ],
)
def test_the_last_of_a_unit_is_captured_when_he_is_engaged_and_routed(
    members: int,
    morale: int,
    at: tuple[float, float],
    taken: bool,
    field_of_battle: Build,
    play: Any,
) -> None:
    general = {
        **BOB, "name": "general", "at": at, "members": members,
        "put": {"morale": morale},
    }  # fmt: skip
    battle = field_of_battle(ALICE, general, aims=[aim(lost="general", ends=True)])

    play(battle, iter(list(captures(battle))))

    assert (end_turn(battle, play) is not None) is taken
    assert bool(battle.state.units.value("present", 1)) is not taken


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
def test_the_last_of_a_mixed_unit_is_led_away_even_if_its_head_has_fallen(
    field_of_battle: Build, play: Any
) -> None:
    battle = field_of_battle(
        ALICE,
        {**BOB, "name": "general", "at": (48, 51), "put": {"morale": -7}},
        {**BOB, "at": (50, 51), "group": "general"},
        aims=[aim(lost="general", ends=True)],
    )
    stays = Set(table="unit", row=1, column="present", value=1)
    battle.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=1, figures=(1,)), stays)))

    play(battle, iter(list(captures(battle))))

    assert end_turn(battle, play) is not None
    assert not battle.state.units.value("present", 1)
    assert not battle.state.units.value("members", 2)


@pytest.mark.rule("emlia.scenario.end-conditions.leader-lost")
def test_a_general_is_captured_in_the_resolution_of_a_step(
    field_of_battle: Build, play: Any
) -> None:
    general = {**BOB, "name": "general", "at": (50, 51), "put": {"morale": -7}}
    battle = field_of_battle(ALICE, general, aims=[aim(lost="general", ends=True)])

    told = play(battle, phase.resolve(battle))

    assert "captured" in [event.name for event in told]
    assert not battle.state.units.value("present", 1)


def test_nobody_is_captured_whom_no_aim_wants(field_of_battle: Build) -> None:
    battle = field_of_battle(ALICE, {**BOB, "at": (50, 51), "put": {"morale": -7}})

    assert list(captures(battle)) == []


def test_a_side_is_destroyed_only_when_the_last_has_fallen(
    field_of_battle: Build, play: Any
) -> None:
    other = {**BOB, "at": (90, 150)}
    battle = field_of_battle(
        ALICE, BOB, other,
        aims=[aim(level="massacre", destroyed="Bob"), aim(level="victory", cleared="Bob")],
        turns=2,
    )  # fmt: skip
    fall(battle, 1)
    leave(battle, 2)

    end_turn(battle, play)
    found = end_turn(battle, play)

    assert found is not None
    assert found.level == "victory"

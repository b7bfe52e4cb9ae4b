"""Chapter 9 as play: a unit that a condition calls acts before its turn comes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision, advance
from emlia3d.battle.events import Event
from emlia3d.rules.emlia.play.situation.parts import on_field
from emlia3d.rules.emlia.play.turn import timing
from emlia3d.rules.emlia.play.turn.activation import activate_early
from emlia3d.rules.emlia.play.turn.initiative import acting_early, may_act_early
from tests.rules.emlia.outcome import names
from tests.rules.emlia.turn.encounter import GREEDY, ROCKS, SHY, foe, me

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]
Question = Callable[..., Decision]


def activated(battle: Battle, play: Play, answers: dict[str, str]) -> list[tuple[int, str, Any]]:
    """The rest of the turn: (timing step, event, unit) of each activation or refusal to."""
    told = []
    while (procedure := timing.next_step(battle)) is not None:
        step = battle.state.battle.integer("step", 0)
        events = _stretch(battle, procedure, answers)
        told += [(step, e.name, e.unit) for e in events if e.name in {"activated", "declined"}]
        if events[-1].name in {"turn ended", "battle ended"}:
            break
    return told


def _stretch(battle: Battle, procedure: Any, answers: dict[str, str]) -> list[Event]:
    events, answer = [], None
    while True:
        try:
            said = advance(procedure, answer)
        except StopIteration:
            return events
        answer = None
        if isinstance(said, Event):
            battle.happen(said)
            events.append(said)
        else:
            wanted = answers.get(said.asks, "done")
            answer = next((o for o in said.options if o.verb == wanted), said.options[0])


NEXT = "emlia.time.order-in-step"


@pytest.mark.rule("emlia.orders.initiative-early")
def test_a_unit_that_a_condition_calls_may_act_in_any_step(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, timing=1), foe(timing=4))

    told = activated(battle, play, {NEXT: "activate-early"})

    assert told == [(4, "activated", 0), (4, "activated", 1)]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_a_player_may_decline_and_is_asked_again_after_a_further_activation(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(me(SHY, timing=1), foe(timing=4))

    told = activated(battle, play, {NEXT: "decline"})

    assert told == [
        (4, "declined", None),
        (4, "activated", 1),
        (4, "declined", None),
        (3, "declined", None),
        (2, "declined", None),
        (1, "activated", 0),
    ]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_who_has_other_units_in_the_step_cannot_decline(
    field_of_battle: Build, question: Question
) -> None:
    battle = field_of_battle(me(SHY, timing=1), {"at": (90, 100), "timing": 4}, foe(timing=4))

    decision = question(battle, timing.one_activation(battle))

    assert [(option.verb, option.unit) for option in decision.options] == [
        ("activate", 1),
        ("activate-early", 0),
    ]


@pytest.mark.rule("emlia.orders.initiative-early")
def test_who_acts_early_forfeits_all_that_no_condition_calls_for(
    field_of_battle: Build, play: Play
) -> None:
    thrower = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}
    battle = field_of_battle(me(SHY, timing=1, **thrower), foe())

    events = play(battle, activate_early(battle, 0), answers=["move"])

    assert names(events) == ["activated", "acted of itself", "moved", "activation ended"]
    assert battle.state.units.value("activated", 0)


@pytest.mark.rule("emlia.orders.initiative-early")
@pytest.mark.parametrize(
    ("put", "may"),
    [({}, True), ({"delayed": 1}, False), ({"activated": 1}, False), ({"ignoring": 1}, False)],
    ids=["waiting", "delayed", "activated", "ignoring"],
)
def test_who_has_delayed_or_activated_may_not_act_early(
    put: dict[str, int], may: bool, field_of_battle: Build
) -> None:
    battle = field_of_battle(me(SHY, timing=1, put=put), foe(timing=4))

    early = [unit for _, units in timing.players(battle).values() for unit in units]

    assert (0 in early) is may


@pytest.mark.rule("emlia.orders.initiative-early")
def test_of_many_units_those_act_early_who_may(field_of_battle: Build) -> None:
    own = {"movement": "10G", "timing": 1}
    stubborn = [{"morale": (-7, 0), "act_as": "shaken"}]
    timid = [{"morale": (-7, 3), "act_as": "falling back"}]
    battle = field_of_battle(
        *(me(**own, put={"morale": morale}) for morale in range(-7, 4)),
        *(me(**own, put={"morale": m}, morale_conditions=stubborn) for m in (-4, 2)),
        *(me(**own, put={"morale": m}, morale_conditions=timid) for m in (-4, 2, 5)),
        {"name": "plain", "at": (50, 105), **own},
        {"name": "shy", "at": (54, 105), "group": "plain", "initiative": [SHY], **own},
        me(SHY, **own),
        me(GREEDY, **own, put={"ignoring": 1}),
        foe(),
    )
    units = on_field(battle)

    early = acting_early(battle, units)

    assert early == [unit for unit in units if may_act_early(battle, unit) is None]
    assert len(early) == 7 + 2 + 1 + 1


@pytest.mark.rule("emlia.orders.initiative-early")
def test_low_morale_that_calls_for_an_action_counts_too(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(
        {"at": (50, 100), "timing": 1, "put": {"morale": -1}},
        {"at": (90, 100), "timing": 1, "put": {"morale": 0}},
        foe(timing=4),
    )

    early = [unit for _, units in timing.players(battle).values() for unit in units]

    assert early == [0]

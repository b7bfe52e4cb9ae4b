"""Chapter 9 as play: subunits of one unit that want to go different ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Decision
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.play.morale.leading import leader_of
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.play.turn import phase
from emlia3d.rules.emlia.play.turn.activation import activate, activate_early, options_of
from emlia3d.rules.emlia.play.turn.condition_orders import ways_to_follow
from emlia3d.rules.emlia.play.turn.initiative import calls, ways_for_all
from emlia3d.rules.emlia.play.turn.subunit_conflicts import part
from emlia3d.rules.emlia.system import SYSTEM
from tests.rules.emlia.outcome import names

Build = Callable[..., Battle]
Play = Callable[..., list[Any]]

ROCKS = {"name": "Rocks", "base_damage": 1, "range": (20, 40, 60), "use": ["aimed fire"]}
SHY = {"when": {"within": 30}, "do": "move away", "until": 30}
TIMID = {"when": {"within": 30}, "do": "move away", "until": 25}
FIERCE = {"when": {"within": 30}, "do": "move toward", "until": 6}
ANGRY = {"when": {"within": 60}, "do": "shoot"}
THROWER = {"skills": {"aimed fire": "1"}, "weapons": [ROCKS]}


def band(*conditions: list[dict[str, Any]], **whole: Any) -> list[dict[str, Any]]:
    """A unit of one man for each list of conditions, side by side, and a foe before them."""
    men = [
        {
            "name": f"man {row}", "at": (50 + 2 * row, 100), "initiative": mine,
            **({"group": "man 0"} if row else whole), **THROWER,
        }
        for row, mine in enumerate(conditions)
    ]  # fmt: skip
    return [*men, {"name": "foe", "at": (51, 120), "side": "Bob", "facing": 180}]


def disordered(battle: Battle, *units: int) -> list[bool]:
    return [bool(battle.state.units.value("disordered", unit)) for unit in units]


def y(battle: Battle, unit: int) -> float:
    return round(situation_of(battle).centre(unit)[1], 3)


@pytest.mark.rule("emlia.orders.mixed.part-orders")
def test_those_on_orders_may_follow_those_on_initiative(field_of_battle: Build, play: Play) -> None:
    battle = field_of_battle(*band([], [SHY]))

    events = play(battle, activate(battle, 0), answers=["done", "stay-together", "move", ...])
    play(battle, phase.resolve(battle))

    assert "broke apart" not in names(events)
    assert on_field(battle) == [0, 2]
    assert y(battle, 0) < 91
    assert disordered(battle, 0) == [False]


@pytest.mark.rule("emlia.orders.mixed.part-orders")
def test_those_on_orders_may_break_away_and_both_are_disordered_in_the_next_resolution(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*band([], [SHY]))

    events = play(battle, activate(battle, 0), answers=["done", "break-away", "move", ...])

    broke = next(event for event in events if event.name == "broke apart")
    assert (broke.unit, broke.target) == (1, 0)
    assert SYSTEM.tell(battle, broke) == ("man 0 breaks away from man 1; both become disordered")
    assert on_field(battle) == [0, 1, 2]
    assert (y(battle, 0), y(battle, 1) < 91) == (100, True)
    assert disordered(battle, 0, 1) == [False, False]

    play(battle, phase.resolve(battle))
    assert disordered(battle, 0, 1) == [True, True]


@pytest.mark.rule("emlia.orders.mixed.part-orders")
@pytest.mark.parametrize(
    "put", [{"disordered": 1}, {"ignoring": 1}], ids=["disordered", "ignoring"]
)
def test_nobody_breaks_away_who_cannot_act_on_orders_or_whom_nothing_calls(
    put: dict[str, int], field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*band([], [SHY], put=put))

    def look(decision: Decision) -> Any:
        assert decision.asks != "emlia.orders.mixed.part-orders"
        return next((o for o in decision.options if o.verb == "done"), decision.options[0])

    answers: list[Any] = [look, look, ...] if "disordered" in put else [look, ...]
    play(battle, activate(battle, 0), answers=answers)

    assert on_field(battle) == [0, 2]


@pytest.mark.rule("emlia.orders.mixed.conflict")
def test_subunits_whose_conditions_cannot_both_be_met_separate_and_are_disordered(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*band([SHY], [FIERCE]))

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert names(events)[:4] == ["activated", "broke apart", "acted of itself", "moved"]
    assert on_field(battle) == [0, 1, 2]
    assert (y(battle, 0) < 91, y(battle, 1)) == (True, 100)

    play(battle, activate(battle, 1), answers=["done", "move", ...])
    play(battle, phase.resolve(battle))
    assert y(battle, 1) > 105
    assert disordered(battle, 0, 1) == [True, True]


@pytest.mark.rule("emlia.orders.mixed.conflict")
@pytest.mark.parametrize(
    ("one", "other", "dice", "did"),
    [
        (SHY, ANGRY, [1], ["move away", "shoot"]),
        (TIMID, SHY, [], ["move away"]),
        (SHY, SHY, [], ["move away"]),
    ],
    ids=["different actions", "one move does both", "the same"],
)
def test_where_both_can_be_satisfied_they_stay_together(
    one: dict[str, Any],
    other: dict[str, Any],
    dice: list[int],
    did: list[str],
    field_of_battle: Build,
    play: Play,
) -> None:
    battle = field_of_battle(*band([one], [other]))

    events = play(battle, activate(battle, 0), dice=dice * 2, answers=["done", "move", ...])
    play(battle, phase.resolve(battle))

    assert [e.facts.does for e in events if e.name == "acted of itself"] == did
    assert on_field(battle) == [0, 2]
    assert situation_of(battle).distance(0, 2) >= 30
    assert disordered(battle, 0) == [False]


@pytest.mark.rule("emlia.orders.mixed.separate-costs")
def test_separating_needs_no_check_and_leaves_each_part_its_actions_and_a_leader(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*band([], [SHY], [SHY]))

    play(battle, activate(battle, 0), dice=[], answers=["done", "break-away", "move", ...])

    units = battle.state.units
    assert [parts_of(battle, unit) for unit in (0, 1)] == [(0,), (1, 2)]
    assert [units.value("activated", unit) for unit in (0, 1)] == [0, 1]
    assert [units.value("move_used", unit) for unit in (0, 1)] == [0, 1]
    assert [units.value("free_used", unit) for unit in (0, 1)] == [0, 0]
    assert [units.integer("leader", unit) for unit in (0, 1)] == [OWN, OWN]
    assert [leader_of(battle, unit) for unit in (0, 1)] == [0, 1]
    assert {"move", "fire"} <= {order.verb for order in options_of(battle, 0)}


@pytest.mark.rule("emlia.orders.mixed.separate-costs")
def test_what_the_whole_has_used_neither_part_has_left(
    field_of_battle: Build, play: Play, put: Callable[..., None]
) -> None:
    battle = field_of_battle(*band([], [ANGRY], put={"resumes": 1, "move_used": 1}))

    play(battle, activate(battle, 0), dice=[1], answers=["done", "break-away", ...])
    verbs = {order.verb for order in options_of(battle, 0)}

    assert "fire" in verbs
    assert not verbs & {"move", "double-pace", "aim"}


@pytest.mark.rule("emlia.orders.mixed.separate-costs", "emlia.orders.initiative-early")
def test_who_breaks_away_from_those_who_act_early_acts_in_his_own_time(
    field_of_battle: Build, play: Play
) -> None:
    battle = field_of_battle(*band([], [SHY]))

    play(battle, activate_early(battle, 0), answers=["break-away", "move"])

    units = battle.state.units
    assert [bool(units.value("activated", unit)) for unit in (0, 1)] == [False, True]
    assert units.integer("timing", 0) == 2


@pytest.mark.rule("emlia.orders.mixed.conflict")
@pytest.mark.parametrize(
    ("first", "second", "parts"),
    [(SHY, FIERCE, False), (FIERCE, SHY, True)],
    ids=["away first", "toward first"],
)
def test_the_first_condition_that_can_be_followed_decides_whether_subunits_part(
    field_of_battle: Build, play: Play, first: Any, second: Any, parts: bool
) -> None:
    battle = field_of_battle(*band([first, second], [SHY]))

    events = play(battle, activate(battle, 0), answers=["done", "move", ...])

    assert ("broke apart" in names(events)) is parts


@pytest.mark.rule("emlia.orders.mixed.conflict")
def test_a_condition_that_cannot_be_followed_parts_no_subunits(
    field_of_battle: Build, play: Play
) -> None:
    """Nothing conceals anybody here, so the first does next what the second wants too."""
    furtive = {"when": {"within": 30}, "do": "move to concealment"}
    battle = field_of_battle(*band([furtive, SHY], [SHY]))

    assert play(battle, part(battle, 0)) == []


@pytest.mark.rule("emlia.orders.mixed.conflict")
@pytest.mark.parametrize(
    ("other", "only"),
    [
        pytest.param([TIMID], True, id="the same"),
        pytest.param([SHY], True, id="the same, farther"),
        pytest.param([ANGRY], False, id="another action"),
        pytest.param([FIERCE], False, id="the contrary"),
        pytest.param([], False, id="none"),
    ],
)
def test_orders_that_do_what_two_subunits_want_come_alone_if_there_are_any(
    field_of_battle: Build, other: list[dict[str, Any]], only: bool
) -> None:
    battle = field_of_battle(*band([TIMID], other))
    call = next(calls(battle, 0))
    every, _ = ways_to_follow(battle, 0, call)

    answers, reach = ways_for_all(battle, 0, call)

    assert answers
    assert set(answers) <= set(every)
    assert (reach is None) is only

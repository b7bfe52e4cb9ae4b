"""What each phase resets and judges, who acts in it, and who is asked."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.runolfsson.columns import Phase, Turn
from emlia3d.rules.runolfsson.contacts import is_foe_within, nearest_foe
from emlia3d.rules.runolfsson.individual import individual_modifier
from emlia3d.rules.runolfsson.specials import mindless_move, specials_phase
from emlia3d.rules.runolfsson.turn import move_one, next_phase, next_step
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, put, set_phase, table

BLUE = {"side": "Blue"}


def squads() -> Battle:
    """A leader and a member of each side, rows 0 to 3, far apart."""
    return table(
        {"at": [10, 10], "name": "red"}, {"at": [13, 10], "group": "red", "command_radius": 4},
        {"at": [10, 40], "name": "blue", **BLUE},
        {"at": [13, 40], "group": "blue", "command_radius": 4, **BLUE},
    )  # fmt: skip


@pytest.mark.rule("runolfsson.phase.order")
@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 0)])
def test_the_first_mover_acts_first_in_each_phase_but_the_second_movement(
    first: int, second: int
) -> None:
    battle = squads()
    set_phase(battle, Phase.BEFORE, first=first, to_act=second)
    found = []
    for _ in range(8):
        carry(battle, next_phase(battle))
        state = battle.state.battle
        found.append((state.integer("phase", 0), state.integer("to_act", 0)))

    assert found == [
        (2, first), (3, second), (4, first), (5, first), (7, first), (8, first), (9, first),
        (10, first),
    ]  # fmt: skip


@pytest.mark.rule("runolfsson.command.check-times")
@pytest.mark.parametrize(
    ("before", "judged"),
    [
        (Phase.BEFORE, [1]), (Phase.FIRST_MOVE, [3]), (Phase.SECOND_MOVE, []),
        (Phase.SPECIALS, [1, 3]), (Phase.STATIONARY, [1, 3]), (Phase.MORALE_ONE, [1, 3]),
        (Phase.MOVING, [1, 3]), (Phase.MORALE_TWO, []),
    ],
)  # fmt: skip
def test_command_is_judged_of_the_side_that_moves_and_of_both_in_other_phases(
    before: Phase, judged: list[int]
) -> None:
    """Both leaders are gone; no model has been judged since."""
    battle = squads()
    set_phase(battle, before)
    put(battle, 0, present=0)
    put(battle, 2, present=0)

    carry(battle, next_phase(battle))

    assert [row for row in (1, 3) if not cell(battle, row, "in_command")] == judged


@pytest.mark.rule("runolfsson.phase.order")
@pytest.mark.parametrize("before", [p for p in Phase if p < Phase.END])
def test_a_phase_forgets_picks_and_a_morale_phase_attacks(before: Phase) -> None:
    battle = squads()
    set_phase(battle, before)
    put(battle, 0, fired_on=1, attacks=2, was_hit=1, moved=1)
    row = {"side": 0, "piece": 3, "hits": 1}
    battle.happen(Event(facts=Unread(event="put"), changes=(Append(table="broken", row=row),)))

    carry(battle, next_phase(battle))

    kept = 0 if before in {Phase.MORALE_ONE, Phase.MORALE_TWO} else 1
    assert (cell(battle, 0, "fired_on"), cell(battle, 0, "moved")) == (0, 1)
    assert (cell(battle, 0, "attacks"), cell(battle, 0, "was_hit")) == (2 * kept, kept)
    assert len(battle.state.lists["broken"].ints("piece")) == 0
    assert battle.state.sides.ints("passed").tolist() == [0, 0]


@pytest.mark.rule("runolfsson.move.who")
def test_a_side_chooses_among_its_models_that_may_still_move() -> None:
    battle = squads()
    set_phase(battle, Phase.FIRST_MOVE)
    asked = carry(battle, move_one(battle), "choose", "stay").asked
    assert [(order.verb, order.unit) for order in asked[0].options] == [
        ("choose", 0), ("choose", 1), ("no more", None),
    ]  # fmt: skip
    assert (asked[0].side, cell(battle, 0, "done")) == (0, 1)

    rest = carry(battle, move_one(battle), "no more")

    assert [order.unit for order in rest.asked[0].of("choose")] == [1]
    assert battle.state.battle.integer("phase", 0) == Phase.SECOND_MOVE


@pytest.mark.rule("runolfsson.crit.table")
def test_a_critical_hit_costs_the_next_move_of_its_side_alone() -> None:
    battle = squads()
    set_phase(battle, Phase.FIRST_MOVE)
    put(battle, 1, no_move=1)
    put(battle, 3, no_move=1)

    done = carry(battle, move_one(battle), "no more")

    assert [order.unit for order in done.asked[0].of("choose")] == [0]
    assert [cell(battle, row, "no_move") for row in (1, 3)] == [0, 1]


def test_no_step_follows_the_end_of_a_battle() -> None:
    battle = squads()
    set_phase(battle, Phase.END)
    assert next_step(battle) is not None

    set_phase(battle, Phase.END, ended=1)

    assert next_step(battle) is None


# Specials


@pytest.mark.rule("runolfsson.phase.specials", "runolfsson.special.core-set")
@pytest.mark.parametrize(
    ("cells", "kind", "asked"),
    [
        ({}, Turn.NORMAL, ["smoke", "cloak"]),
        ({"cloaked": 1}, Turn.NORMAL, ["smoke"]),
        ({"ran": 1}, Turn.NORMAL, []),
        ({}, Turn.SENSELESS_SLAUGHTER, []),
        ({"free": 1}, Turn.SENSELESS_SLAUGHTER, ["smoke", "cloak"]),
    ],
)
def test_a_model_is_offered_the_specials_that_it_has(
    cells: dict[str, int], kind: Turn, asked: list[str]
) -> None:
    battle = table({"at": [20, 20], "specials": ["smoke", "cloak"]}, {"at": [30, 20], **BLUE})
    set_phase(battle, Phase.SPECIALS, kind)
    put(battle, 0, **cells)

    done = carry(battle, specials_phase(battle), *["use none"] * len(asked))

    assert [decision.options[-1].verb for decision in done.asked] == asked
    assert done.events == []


@pytest.mark.rule("runolfsson.phase.specials")
@pytest.mark.parametrize("first", [0, 1])
def test_the_side_that_moves_first_uses_specials_first(first: int) -> None:
    models: list[Any] = [{"at": [20, 20]}, {"at": [30, 20], **BLUE}]
    battle = table(*({**each, "specials": ["smoke"]} for each in models))
    set_phase(battle, Phase.SPECIALS, first=first)

    done = carry(battle, specials_phase(battle), "smoke", "use none")

    assert [decision.side for decision in done.asked] == [first, 1 - first]
    places = [order.point for order in done.asked[0].of("smoke")]
    assert places == [(20.0, 20.0), (30.0, 20.0)][:: 1 if first == 0 else -1]
    smoke = battle.state.lists["smoke"]
    assert (smoke.floats("x").tolist(), smoke.floats("y").tolist()) == ([places[0][0]], [20.0])
    assert cell(battle, first, "cloaked") == 0


# Enemies and leaders near a model


@pytest.mark.rule("runolfsson.special.mindless")
def test_the_nearest_enemy_is_measured_from_base_to_base() -> None:
    battle = table(
        {"at": [20, 20]}, {"at": [30, 20], **BLUE}, {"at": [20, 30.5], "base": 3, **BLUE},
        {"at": [21.5, 20]},
    )  # fmt: skip

    assert nearest_foe(battle, 0) == 2
    assert nearest_foe(battle, 1) == 3
    assert is_foe_within(battle, 0, 8.5)
    assert not is_foe_within(battle, 0, 8.4)
    put(battle, 2, present=0)
    assert nearest_foe(battle, 0) == 1
    put(battle, 1, present=0)
    assert nearest_foe(battle, 0) is mindless_move(battle, 0) is None


@pytest.mark.rule("runolfsson.indiv.modifiers")
@pytest.mark.parametrize(
    ("off", "gone", "in_command", "modifier"),
    [(1.0, 0, 1, 1), (1.05, 0, 1, 1), (1.1, 0, 1, 0), (1.0, 1, 1, 0), (1.0, 0, 0, 0)],
)
def test_a_model_that_touches_its_leader_has_one_more(
    off: float, gone: int, in_command: int, modifier: int
) -> None:
    battle = table(
        {"at": [10, 10], "name": "red"}, {"at": [10 + off, 10], "group": "red"},
        {"at": [40, 40], **BLUE},
    )  # fmt: skip
    put(battle, 1, in_command=in_command)
    put(battle, 0, present=1 - gone)

    assert individual_modifier(battle, 1) == modifier

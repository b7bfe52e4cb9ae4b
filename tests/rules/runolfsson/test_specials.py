"""Specials of the core set, mindless models, and the models that act freely."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.runolfsson.columns import Phase, Turn
from emlia3d.rules.runolfsson.specials import (
    mindless_move,
    move_mindless,
    pick_free_models,
    specials_phase,
)
from emlia3d.rules.runolfsson.terrain import terrain_of
from emlia3d.rules.runolfsson.turn import move_one
from tests.rules.carrying import carry
from tests.rules.runolfsson.firing import judged
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table
from tests.rules.runolfsson.walking import spot

BLUE = {"side": "Blue"}


def slaughter(*models: Any, **other: Any) -> Battle:
    battle = table(*models, **other)
    set_phase(battle, Phase.FIRST_MOVE, Turn.SENSELESS_SLAUGHTER)
    return battle


def smoke(battle: Battle, x: float, y: float) -> None:
    change = Append(table="smoke", row={"x": x, "y": y})
    battle.happen(Event(facts=Unread(event="put"), changes=(change,)))


# Smoke and cloaks


@pytest.mark.rule("runolfsson.special.core-set")
@pytest.mark.parametrize(
    ("x", "y", "dice"),
    [
        (25, 20, 0.5), (25, 21.9, 0.5), (25, 18.1, 0.5), (25, 22.1, 1.0), (25, 17.9, 1.0),
        (17.9, 20, 1.0), (32.1, 20, 1.0), (31, 20, 0.5), (18.6, 20, 1.0),
    ],
)  # fmt: skip
def test_smoke_is_a_disc_of_2_inches(x: float, y: float, dice: float) -> None:
    """The last lies over the base of the attacker, which touches it, and so is no hindrance."""
    battle = table({"at": [20, 20]}, {"at": [30, 20], **BLUE})

    smoke(battle, x, y)

    assert judged(battle) == (dice, 0)


@pytest.mark.rule("runolfsson.special.core-set")
@pytest.mark.parametrize(("hills", "dice"), [(2, 0.5), (3, 1.0)])
def test_smoke_is_three_levels_high(hills: int, dice: float) -> None:
    terrain = [feature("hill", at=(10 + n, 10, 20.54 - n / 100, 30)) for n in range(hills)]
    battle = table({"at": [20, 20]}, {"at": [38, 20], **BLUE}, terrain=terrain)

    smoke(battle, 26, 20)

    assert judged(battle)[0] == dice
    (piece,) = terrain_of(battle).pieces
    assert (piece.name, piece.top, piece.level) == ("smoke", 3, 0)
    assert not piece.is_breakable


@pytest.mark.rule("runolfsson.phase.specials", "runolfsson.special.core-set")
def test_smoke_is_offered_at_the_model_itself_and_at_each_enemy() -> None:
    battle = table(
        {"at": [12, 30], "specials": ["smoke"]}, {"at": [30, 20], **BLUE}, {"at": [40, 8], **BLUE},
        {"at": [14, 30]},
    )  # fmt: skip
    set_phase(battle, Phase.SPECIALS)
    asked: list[Decision] = []

    def second(decision: Decision) -> Order:
        asked.append(decision)
        return decision.options[2]

    carry(battle, specials_phase(battle), second)

    assert [(o.verb, o.point) for o in asked[0].options] == [
        ("use none", None), ("smoke", (12.0, 30.0)), ("smoke", (30.0, 20.0)),
        ("smoke", (40.0, 8.0)),
    ]  # fmt: skip
    rows = battle.state.lists["smoke"]
    assert (rows.floats("x").tolist(), rows.floats("y").tolist()) == ([30.0], [20.0])
    assert battle.state.units.ints("cloaked").tolist() == [0, 0, 0, 0]


@pytest.mark.rule("runolfsson.special.core-set")
def test_a_cloak_is_on_once() -> None:
    battle = table({"at": [12, 30], "specials": ["cloak"]}, {"at": [30, 20], **BLUE})
    set_phase(battle, Phase.SPECIALS)

    carry(battle, specials_phase(battle), "cloak")

    assert battle.state.units.ints("cloaked").tolist() == [1, 0]
    assert carry(battle, specials_phase(battle)).asked == []


# Free models


@pytest.mark.rule("runolfsson.super.senseless-slaughter")
def test_each_unit_with_models_left_has_one_free_model_and_no_character_is_free() -> None:
    """A character stands before each unit; the leader of the first unit has fallen."""
    battle = slaughter(
        {"at": [4, 4], "character": True},
        {"at": [10, 10], "name": "one"}, {"at": [13, 10], "group": "one"},
        {"at": [16, 10], "group": "one"},
        {"at": [4, 40], "character": True, **BLUE},
        {"at": [10, 40], "name": "two", **BLUE}, {"at": [13, 40], "group": "two", **BLUE},
        {"at": [30, 40], **BLUE},
    )  # fmt: skip
    put(battle, 1, present=0)
    put(battle, 7, present=0)

    def last(decision: Decision) -> Order:
        return decision.options[-1]

    done = carry(battle, pick_free_models(battle), last, last)

    assert [[o.unit for o in decision.options] for decision in done.asked] == [[2, 3], [5, 6]]
    assert [decision.side for decision in done.asked] == [0, 1]
    assert battle.state.units.ints("free").tolist() == [0, 0, 0, 1, 0, 0, 1, 0]


# Mindless models


@pytest.mark.rule("runolfsson.special.mindless")
@pytest.mark.parametrize("specials", [[], ["jump"], ["teleport"], ["fly"]])
@pytest.mark.parametrize("foe", [(22, 34), (4, 31), (13, 20)])
def test_a_mindless_model_goes_at_full_speed_at_the_nearest_enemy(
    specials: list[str], foe: tuple[float, float]
) -> None:
    """Whatever its way to move, it ends 6 inches nearer, or in contact."""
    battle = slaughter(
        {"at": [12, 30], "specials": specials}, {"at": foe, **BLUE}, {"at": [44, 4], **BLUE}
    )
    before = ((foe[0] - 12) ** 2 + (foe[1] - 30) ** 2) ** 0.5

    carry(battle, move_mindless(battle, 0))

    x, y = spot(battle)
    after = ((foe[0] - x) ** 2 + (foe[1] - y) ** 2) ** 0.5
    assert after == pytest.approx(max(before - 6, 1.0), abs=0.05)
    assert cell(battle, 0, "done") == cell(battle, 0, "moved") == 1


@pytest.mark.rule("runolfsson.special.mindless")
def test_a_mindless_model_without_enemies_has_had_its_move() -> None:
    battle = slaughter({"at": [12, 30]}, {"at": [30, 20], **BLUE})
    put(battle, 1, present=0)

    done = carry(battle, move_mindless(battle, 0))

    assert mindless_move(battle, 0) is None
    assert [event.name for event in done.events] == ["stood still"]
    assert (cell(battle, 0, "done"), cell(battle, 0, "moved")) == (1, 0)


@pytest.mark.rule("runolfsson.special.mindless")
def test_mindless_models_move_before_the_free_one_is_asked() -> None:
    battle = slaughter(
        {"at": [12, 30], "name": "one"}, {"at": [12, 34], "group": "one"},
        {"at": [12, 38], "group": "one"}, {"at": [44, 4], **BLUE},
    )  # fmt: skip
    put(battle, 1, free=1)

    first, second = carry(battle, move_one(battle)), carry(battle, move_one(battle))
    third = carry(battle, move_one(battle), "choose", "stay")

    assert [event.unit for event in (*first.events, *second.events)] == [0, 0, 2, 2]
    assert first.asked == second.asked == []
    assert [order.unit for order in third.asked[0].of("choose")] == [1]

"""Ends of battles, models that leave them, and the leaders that they leave behind."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.facts import facts_of
from emlia3d.battle.setup import Edge
from emlia3d.rules.runolfsson import SYSTEM, answers
from emlia3d.rules.runolfsson.columns import Attacks, Phase
from emlia3d.rules.runolfsson.contacts import entry_of, models_of
from emlia3d.rules.runolfsson.morale import morale_phase
from emlia3d.rules.runolfsson.running import edges_of, foot_on, rout, rout_edge, run_to
from emlia3d.rules.runolfsson.turn import begin_turn
from emlia3d.rules.runolfsson.victory import has_lost, may_place_marker, winner_of
from emlia3d.scenario.scenario import load
from tests.rules.carrying import carry
from tests.rules.runolfsson.tables import cell, mark, put, set_phase, table
from tests.rules.runolfsson.walking import FAR

BLUE = {"side": "Blue"}

# Results


def result(battle: Battle, *gone: int) -> tuple[str | None, str] | None:
    """Return the winner and the reason, once these models are lost."""
    set_phase(battle, Phase.END)
    for row in gone:
        put(battle, row, present=0)
    found = winner_of(battle)
    return None if found is None else (found.winner, found.reason)


def armies(**other: Any) -> Battle:
    """Two models of Red, rows 0 and 1, against three of Blue."""
    red = [{"at": [10, 10]}, {"at": [14, 10]}]
    blue = [{"at": [10 + 4 * n, 40], **BLUE} for n in range(3)]
    return table(*red, *blue, size=(60, 60), **other)


@pytest.mark.parametrize("victory", ["position", "objectives"])
@pytest.mark.parametrize(
    ("gone", "winner"), [((0, 1), "Blue"), ((2, 3, 4), "Red"), ((0,), None), ((2, 3), None)]
)
def test_a_side_without_models_has_lost_at_once(
    victory: str, gone: tuple[int, ...], winner: str | None
) -> None:
    told = f"{winner} won: no model of the other army is left."

    assert result(armies(victory=victory), *gone) == ((winner, told) if winner else None)


@pytest.mark.rule("runolfsson.victory.sudden-death")
@pytest.mark.parametrize(
    ("gone", "expected"),
    [
        ((), None),
        ((2,), None),
        ((2, 3), ("Red", "Red won: half of the other army is lost.")),
        ((0,), ("Blue", "Blue won: half of the other army is lost.")),
        ((0, 2), ("Blue", "Blue won: half of the other army is lost.")),
        ((0, 2, 3), (None, "Equal: half of the other army is lost.")),
    ],
)
def test_half_of_an_army_lost_ends_sudden_death(
    gone: tuple[int, ...], expected: tuple[str | None, str] | None
) -> None:
    assert result(armies(), *gone) == expected
    assert [has_lost(5, lost) for lost in range(6)] == [False] * 3 + [True] * 3


@pytest.mark.parametrize(
    ("turns", "expected"), [(1, ("Blue", "Blue won: points left.")), (2, None)]
)
def test_points_decide_after_the_last_turn_alone(
    turns: int, expected: tuple[str, str] | None
) -> None:
    assert result(armies(turns=turns)) == expected


@pytest.mark.rule("runolfsson.victory.position")
def test_quadrants_are_held_by_points_and_not_by_models() -> None:
    """Two poor models of Blue against a dear one of Red in the south-west."""
    battle = table(
        {"at": [10, 10], "attack": 9}, {"at": [13, 10], "attack": 1, **BLUE},
        {"at": [16, 10], "attack": 1, **BLUE}, victory="position", turns=1,
    )  # fmt: skip

    assert result(battle) == ("Red", "Red won: quadrants held.")


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(
    ("x", "y", "on"),
    [(21.0, 20.0, False), (20.99, 20.0, True), (20.0, 20.99, True), (20.0, 19.0, False),
     (19.01, 20.0, True), (20.8, 20.8, False)],
)  # fmt: skip
def test_a_model_is_on_a_marker_that_its_base_overlaps(x: float, y: float, on: bool) -> None:
    battle = table({"at": [x, y]}, {"at": [40, 40], **BLUE}, victory="objectives", turns=1)
    mark(battle, (20.0, 20.0))
    told = "Red won: objective markers held." if on else "Equal: objective markers held."

    assert result(battle) == ("Red" if on else None, told)


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize("more", [0, 1])
def test_a_marker_is_of_the_side_with_more_models_on_it(more: int) -> None:
    battle = table(
        {"at": [20, 20]}, {"at": [20, 21], **BLUE}, {"at": [19.1, 20.5], **(BLUE if more else {})},
        victory="objectives", turns=1,
    )  # fmt: skip
    mark(battle, (20.0, 20.5), (30.0, 30.0))

    found = result(battle)

    assert found is not None
    assert found[0] == ("Red", "Blue")[more]


@pytest.mark.rule("runolfsson.victory.objectives")
@pytest.mark.parametrize(
    ("spot", "legal"),
    [
        ((12.5, 20.0), True), ((12.4, 20.0), False), ((35.5, 20.0), True), ((35.6, 20.0), False),
        ((20.0, 12.5), True), ((20.0, 12.4), False), ((20.0, 47.5), True), ((20.0, 47.6), False),
    ],
)  # fmt: skip
def test_a_marker_lies_12_inches_off_each_edge(spot: tuple[float, float], legal: bool) -> None:
    assert may_place_marker(spot, (48.0, 60.0), []) is legal


# Leaders that leave


def led(y: float, **other: Any) -> Battle:
    """A leader near its edge, with two members."""
    others = [{"at": [20 + 3 * n, y + 3], "group": "head"} for n in (1, 2)]
    return table({"at": [20, y], "name": "head", **other}, *others, FAR)


@pytest.mark.rule("runolfsson.leader.replace", "runolfsson.rout.off-table")
def test_a_leader_that_routs_off_the_table_may_be_replaced() -> None:
    battle = led(5)

    done = carry(battle, rout(battle, 0, 6), "name leader")

    assert [event.name for event in done.events] == ["left table", "new leader"]
    assert battle.state.units.ints("leader").tolist()[:3] == [1, 1, 1]


@pytest.mark.rule("runolfsson.leader.replace", "runolfsson.rout.stationary")
def test_a_fixed_leader_that_routs_may_be_replaced() -> None:
    battle = led(20, move=0)

    done = carry(battle, rout(battle, 0, 6), "name leader")

    assert [event.name for event in done.events] == ["destroyed", "new leader"]
    assert battle.state.units.ints("leader").tolist()[:3] == [1, 1, 1]
    assert cell(battle, 0, "hits_left") == 0


@pytest.mark.rule("runolfsson.leader.replace", "runolfsson.run.move")
def test_a_leader_that_runs_off_the_table_may_be_replaced() -> None:
    battle = led(5)

    done = carry(battle, run_to(battle, 0, "south", 6), "name leader")

    assert [event.name for event in done.events] == ["left table", "new leader"]
    assert done.events[0].because == ("runolfsson.run.move",)
    assert (done.events[1].unit, done.events[1].target) == (1, 0)


@pytest.mark.rule("runolfsson.rout.move")
@pytest.mark.parametrize(
    ("at", "edge", "off"),
    [
        ((20, 10), "south", 9.5), ((9, 20), "west", 8.5), ((40, 20), "east", 7.5),
        ((20, 44), "west", 19.5), ((24, 24), "south", 23.5),
    ],
)  # fmt: skip
def test_a_rout_goes_for_the_nearest_of_three_edges(
    at: tuple[float, float], edge: str, off: float
) -> None:
    """The way is measured from the base; the enemy's edge is none of them."""
    battle = table({"at": [*at]}, {"at": [47, 47], **BLUE})

    chosen = rout_edge(battle, 0)

    assert edges_of(battle.setup, 0) == ("south", "west", "east")
    assert chosen == edge
    assert foot_on(battle, 0, chosen)[1] == off


@pytest.mark.rule("runolfsson.run.move")
@pytest.mark.parametrize(
    ("edge", "place", "off"),
    [
        ("south", (20, -1), 9), ("north", (20, 41), 29), ("west", (-1, 10), 19),
        ("east", (61, 10), 39),
    ],
)  # fmt: skip
def test_a_model_has_left_the_table_once_its_whole_base_is_beyond_the_edge(
    edge: Edge, place: tuple[float, float], off: float
) -> None:
    battle = table({"at": [20, 10], "base": 2}, {"at": [50, 30], **BLUE}, size=(60, 40))

    assert foot_on(battle, 0, edge) == (place, off)


@pytest.mark.rule("runolfsson.run.move")
@pytest.mark.parametrize(("rate", "gone"), [(6.0, True), (6.0 - 1e-6, True), (6.0 - 3e-6, False)])
def test_a_model_that_runs_to_the_edge_of_the_table_is_gone(rate: float, gone: bool) -> None:
    battle = table({"at": [20, 6.5], "specials": ["machine"]}, {"at": [40, 40], **BLUE})

    carry(battle, run_to(battle, 0, "south", rate))

    assert (cell(battle, 0, "present") == 0) is gone


# Who checks


@pytest.mark.rule("runolfsson.character.cowardly")
@pytest.mark.parametrize(
    ("attacks", "checks"), [(Attacks.NONE, False), (Attacks.SOME, True), (Attacks.MANY, True)]
)
def test_a_cowardly_character_checks_if_any_die_was_thrown_at_it(
    attacks: Attacks, checks: bool
) -> None:
    battle = table(
        {"at": [10, 10], "grade": "cowardly", "character": True}, {"at": [40, 40], **BLUE}
    )
    set_phase(battle, Phase.MORALE_ONE)
    put(battle, 0, attacks=attacks)

    done = carry(battle, morale_phase(battle), dice=(9,) * checks)

    assert [event.because[0] for event in done.events] == ["runolfsson.character.cowardly"] * checks


# Super initiative


@pytest.mark.rule("runolfsson.super.roll", "runolfsson.super.fail")
@pytest.mark.parametrize(("face", "success"), [(5, True), (4, False)])
def test_a_roll_for_super_initiative_is_told(face: int, success: bool) -> None:
    battle = table({"at": [10, 10]}, {"at": [40, 40], **BLUE})
    answer = "move second" if success else "go first"

    done = carry(battle, begin_turn(battle), "try super initiative", answer, dice=(2, 9, face))

    told = done.named("super initiative")
    assert [event.facts.values() for event in told] == [
        {"side": "Blue", "face": face, "success": success}
    ]
    slug = "runolfsson.super.roll" if success else "runolfsson.super.fail"
    assert told[0].because == (slug,)
    assert done.asked[-1].asks == slug
    assert done.asked[-1].side == (1 if success else 0)
    assert done.named("turn chosen")[0].facts.values() == {"turn": "Normal", "first": "Red"}


# Battles of other rules


def test_units_of_other_rules_stand_where_they_stand_in_inches() -> None:
    facts = facts_of(load("bandits").deployed())
    inches = facts.field.scale.metres_per_gsu / 1.8
    abroad = answers.abroad(SYSTEM, facts)
    models = models_of(abroad)

    assert inches != 1
    for row, unit in enumerate(facts.units):
        (x, y) = unit.outline.centroid.coords[0]
        assert models.spot(row) == pytest.approx((x * inches, y * inches), abs=0.02)
        wide = min(2 * sqrt(unit.outline.area / pi) * inches, 6)
        assert models.radius[row] * 2 == pytest.approx(wide, abs=0.02)
        entry = entry_of(abroad.setup, row)
        assert (entry.attack, entry.save, entry.move, entry.range) == (1, 0, 0, 200)
    assert abroad.setup.field.scale.metres_per_height == 1.8

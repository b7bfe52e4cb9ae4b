"""Points and victory; specials; units and armies as they are printed."""

from __future__ import annotations

from math import hypot
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append
from emlia3d.battle.entries import Hired
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.runolfsson import SYSTEM
from emlia3d.rules.runolfsson.base_paths import start_walk
from emlia3d.rules.runolfsson.columns import Phase, Turn
from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.fire_line import ends_of
from emlia3d.rules.runolfsson.movement import may_move
from emlia3d.rules.runolfsson.specials import (
    EFFECTS,
    effect_of,
    mindless_move,
    move_mindless,
    specials_phase,
)
from emlia3d.rules.runolfsson.unit_set import Entry
from emlia3d.rules.runolfsson.victory import (
    _points_by_quadrant,
    condition_of,
    cost,
    force_cost,
    has_lost,
    may_place_marker,
    place_markers,
    quadrants_held,
    winner_of,
)
from emlia3d.scenario.scenario import from_text, load
from tests.rules.carrying import carry
from tests.rules.runolfsson.firing import judged
from tests.rules.runolfsson.tables import cell, feature, put, set_phase, table, text_of

BLUE = {"side": "Blue"}


# Victory


@pytest.mark.rule("runolfsson.victory.choice")
def test_the_condition_is_chosen_before_play() -> None:
    for condition in ("sudden death", "position", "objectives"):
        battle = table({"at": [20, 20]}, {"at": [30, 30], **BLUE}, victory=condition)
        assert condition_of(battle.setup) == condition


@pytest.mark.rule("runolfsson.victory.choice")
def test_without_a_choice_sudden_death_is_played_for_in_eight_turns() -> None:
    chosen = text_of([{"at": [20, 20]}, {"at": [30, 30], **BLUE}])
    text = chosen.replace('victory = "sudden death"\n', "").replace("turns = 8\n", "")
    assert "turns" not in text

    setup = from_text(text, "table").setup

    assert (setup.turns, condition_of(setup)) == (8, "sudden death")


def army(red: int, blue: int, **other: Any) -> Battle:
    models = [{"at": [2 + 2 * n, 4]} for n in range(red)]
    models += [{"at": [2 + 2 * n, 44], **BLUE} for n in range(blue)]
    battle = table(*models, **other)
    set_phase(battle, Phase.END)
    return battle


@pytest.mark.rule("runolfsson.victory.sudden-death")
@pytest.mark.parametrize(("lost", "over"), [(10, True), (9, False)])
def test_an_army_that_has_lost_half_has_lost(lost: int, over: bool) -> None:
    battle = army(20, 2)
    for row in range(lost):
        put(battle, row, present=0)

    result = winner_of(battle)

    assert has_lost(20, lost) is over
    assert (result is not None and result.winner == "Blue") is over


@pytest.mark.rule("runolfsson.victory.sudden-death")
def test_both_at_the_same_time_are_a_draw() -> None:
    battle = army(2, 2)
    put(battle, 0, present=0)
    put(battle, 3, present=0)

    result = winner_of(battle)

    assert result is not None
    assert (result.winner, result.level) == (None, "draw")


def test_after_the_last_turn_the_points_left_decide() -> None:
    battle = army(3, 2, turns=1)

    result = winner_of(battle)

    assert result is not None
    assert result.winner == "Red"


@pytest.mark.rule("runolfsson.victory.position")
def test_the_side_with_more_points_holds_a_quadrant() -> None:
    assert quadrants_held([(120, 80), (60, 60), (0, 30), (90, 10)]) == (2, 1)
    battle = table(
        {"at": [10, 10]}, {"at": [30, 10]}, {"at": [10, 30], **BLUE}, victory="position", turns=1
    )
    set_phase(battle, Phase.END)
    result = winner_of(battle)
    assert result is not None
    assert result.winner == "Red"
    put(battle, 0, marker=2)
    assert winner_of(battle) is not None
    assert winner_of(battle).winner is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("spot", "quadrant"),
    [((23, 23), 0), ((24, 23), 1), ((17, 24), 2), ((24, 24), 3), ((25, 17), 1), ((17, 17), 0)],
)
def test_a_model_on_the_centre_line_is_in_the_quadrant_beyond_it(
    spot: tuple[float, float], quadrant: int
) -> None:
    battle = table({"at": spot}, {"at": [40, 40], **BLUE}, victory="position", turns=1)
    put(battle, 1, present=0)
    held = [int(points[0] > 0) for points in _points_by_quadrant(battle)]

    assert held == [int(number == quadrant) for number in range(4)]


@pytest.mark.rule("runolfsson.victory.objectives")
def test_a_marker_lies_at_least_twelve_inches_from_edges_and_markers() -> None:
    size = (48.0, 48.0)

    assert may_place_marker((12.5, 20.0), size, [])
    assert not may_place_marker((12.4, 20.0), size, [])
    assert not may_place_marker((20.0, 35.6), size, [])
    assert not may_place_marker((20.0, 20.0), size, [(32.9, 20.0)])
    assert may_place_marker((20.0, 20.0), size, [(33.0, 20.0)])


@pytest.mark.rule("runolfsson.victory.objectives")
def test_the_side_on_more_markers_wins() -> None:
    battle = table(
        {"at": [14, 14]}, {"at": [30, 30]}, {"at": [30.9, 14], **BLUE},
        victory="objectives", turns=1,
    )  # fmt: skip
    for x, y in ((14, 14), (30, 30), (30, 14)):
        change = Append(table="marker", row={"x": float(x), "y": float(y)})
        battle.happen(Event(facts=Unread(event="put"), changes=(change,)))
    set_phase(battle, Phase.END)

    result = winner_of(battle)

    assert result is not None
    assert result.winner == "Red"
    assert not may_place_marker((0.0, 0.0), (48.0, 48.0), [])


def test_both_sides_place_two_markers_the_winner_of_the_roll_first() -> None:
    battle = table(
        {"at": [20, 20]}, {"at": [30, 30], **BLUE}, victory="objectives", size=(60, 60),
        terrain=[feature("lake", at=(14, 14, 22, 22))],
    )  # fmt: skip
    other = "place marker"

    done = carry(battle, place_markers(battle), other, other, other, other, dice=(4, 4, 3, 9))

    assert [decision.side for decision in done.asked] == [1, 1, 0, 0]
    spots = [event.facts.values()["at"] for event in done.named("markers placed")]
    assert all(hypot(a[0] - b[0], a[1] - b[1]) >= 13 for a in spots for b in spots if a != b)
    assert not any(14 <= x <= 22 and 14 <= y <= 22 for x, y in spots)


# Specials


@pytest.mark.rule("runolfsson.special.core-set")
def test_the_specials_of_the_core_set() -> None:
    assert len({effect_of(special) for special in EFFECTS}) == len(EFFECTS) - 1
    flyer = table(
        {"at": [20, 20], "move": 24, "specials": ["fly"]}, {"at": [46, 46], **BLUE},
        terrain=[feature("rock", at=(22, 10, 24, 30)), feature("marsh", at=(26, 10, 40, 30))],
    )  # fmt: skip
    assert start_walk(flyer, 0, 24, by="air").along([(44, 20)]).end == (44.0, 20.0)


@pytest.mark.rule("runolfsson.special.core-set")
def test_smoke_halves_dice_until_the_end_of_the_turn() -> None:
    battle = table({"at": [10, 20]}, {"at": [20, 20], "specials": ["smoke", "cloak"], **BLUE})
    set_phase(battle, Phase.SPECIALS)
    assert judged(battle) == (1, 0)

    carry(battle, specials_phase(battle), lambda d: d.of("smoke")[1], "cloak")

    assert effect_of("smoke").startswith("puts smoke")
    assert cell(battle, 1, "cloaked") == 1
    assert judged(battle, 1, 0) == (0.5, 0)


def test_a_mindless_model_that_may_not_move_stays() -> None:
    battle = table({"at": [20, 20]}, {"at": [30, 20], **BLUE})
    set_phase(battle, Phase.FIRST_MOVE, Turn.SENSELESS_SLAUGHTER)
    assert mindless_move(battle, 0) is not None

    put(battle, 0, marker=2)

    assert mindless_move(battle, 0) is None


@pytest.mark.rule("runolfsson.special.mindless")
def test_a_mindless_model_goes_for_the_nearest_enemy() -> None:
    battle = table({"at": [20, 20]}, {"at": [26, 20], **BLUE}, {"at": [20, 30], **BLUE})
    set_phase(battle, Phase.FIRST_MOVE, Turn.SENSELESS_SLAUGHTER)
    order = mindless_move(battle, 0)
    assert order is not None

    carry(battle, move_mindless(battle, 0))

    assert cell(battle, 0, "done") == 1, "it moves once"
    assert models_of(battle).spot(0) == pytest.approx((25.0, 20.0), abs=0.01)
    assert not may_move(battle, 0)
    assert cell(battle, 0, "done") == 1


# Units

PRINTED = {
    "trooper": (1, 6, 2, 1, 1, 24, "average", 6, 16),
    "leader": (1, 6, 3, 3, 2, 24, "average", 6, 29),
    "veteran": (1, 6, 3, 2, 1, 24, "average", 8, 22),
    "gunner": (1, 4, 5, 1, 1, 36, "average", 6, 26),
    "conscript": (1, 6, 1, 1, 1, 18, "cowardly", 4, 6),
    "fanatic": (1, 8, 3, 1, 1, 0, "fearless", 6, 32),
    "jumper": (1, 10, 2, 1, 1, 18, "average", 8, 17),
    "sniper": (1, 5, 2, 1, 1, 40, "average", None, 17),
    "brute": (1.5, 6, 4, 3, 2, 12, "average", 6, 30),
    "walker": (2, 8, 6, 4, 5, 36, "fearless", None, 112),
}


def entries() -> dict[str, Entry]:
    """The entries of the models of the scrapyard, by name."""
    found: dict[str, Entry] = {}
    for unit in load("scrapyard").battle().setup.units:
        assert isinstance(unit.entry, Entry)
        found[unit.kind.removeprefix("runolfsson/")] = unit.entry
    return found


@pytest.mark.rule("runolfsson.units.cost")
def test_the_walker_costs_a_hundred_and_twelve() -> None:
    assert cost(entries()["walker"]) == 112
    assert cost(entries()["walker"].model_copy(update={"grade": "average"})) == 56


@pytest.mark.rule("runolfsson.units.sample")
def test_the_sample_models_are_as_printed() -> None:
    found = entries()

    assert found.keys() == PRINTED.keys()
    for name, (base, move, attack, save, hits, reach, grade, radius, points) in PRINTED.items():
        entry = found[name]
        assert (entry.base, entry.move, entry.attack, entry.save) == (base, move, attack, save)
        assert (entry.hits, entry.range, entry.grade) == (hits, reach, grade)
        assert force_cost([Hired(name=name, entry=entry, kind=name)]) == points
        assert entry.character is (radius is None)
        assert radius is None or entry.command_radius == radius
    assert found["jumper"].has("jump")
    assert found["walker"].has("machine")


@pytest.mark.rule("runolfsson.units.sample-armies")
def test_the_sample_armies_have_18_and_28_models_of_451_and_448_points() -> None:
    setup = load("scrapyard").battle().setup
    forces: list[list[Hired]] = [[], []]
    for unit in setup.units:
        hired = Hired(name=unit.name, entry=unit.entry, kind=unit.kind)
        forces[unit.muster.side].append(hired)

    assert [len(force) for force in forces] == [18, 28]
    assert [force_cost(force) for force in forces] == [451, 448]
    assert setup.field.size == (48, 48)
    assert SYSTEM.cost(forces[0], "") == 451


def test_all_models_of_the_scrapyard_start_in_command_on_the_ground() -> None:
    battle = load("scrapyard").deployed()

    assert battle.state.units.ints("in_command").all()
    assert set(ends_of(battle).level.tolist()) == {0}

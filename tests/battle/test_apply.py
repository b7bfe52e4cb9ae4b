"""The only writer: what each change does."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.battle.changes import (
    Add,
    Append,
    Belong,
    Change,
    Clear,
    Fall,
    Fill,
    Leave,
    Pair,
    Place,
    Set,
    Stand,
)
from emlia3d.battle.state import State
from emlia3d.force import FULL_CIRCLE, FigureCondition
from tests.battle.toy_changes import make, place
from tests.battle.toy_system import BEAR, GUARDS, LANCERS, SAILORS

_, FALLEN, GONE = FigureCondition


def test_a_unit_that_is_placed_stands_there_with_all_its_members(state: State) -> None:
    make(state, place())

    units, figures = state.units, state.figures
    assert [units.value(name, GUARDS) for name in ("x", "y", "files")] == [30.0, 20.0, 3]
    assert units.integer("facing", GUARDS) == FULL_CIRCLE // 2
    assert figures["x"][:12].tolist() == [31.0, 30.0, 29.0] * 4, "left is east, facing south"
    assert figures["y"][:12].tolist() == [20.5] * 3 + [21.5] * 3 + [22.5] * 3 + [23.5] * 3
    assert set(figures["facing"][:12].tolist()) == {FULL_CIRCLE // 2}


def test_figures_stand_where_they_are_told_until_their_unit_is_placed_anew(state: State) -> None:
    usual = state.figures["x"][:2].tolist()
    before = state.stamps.copy()

    make(state, Stand(unit=GUARDS, figures=(0, 1), east=(1024, 1536), north=(2048, 2048)))
    assert state.figures["x"][:2].tolist() == [1.0, 1.5]
    assert state.figures["y"][:2].tolist() == [2.0, 2.0]
    assert np.flatnonzero(state.stamps != before).tolist() == [GUARDS]

    units = state.units
    x, y = (float(units.value(name, GUARDS)) for name in "xy")
    facing, formation, files = (
        units.integer(name, GUARDS) for name in ("facing", "formation", "files")
    )
    make(state, Place(unit=GUARDS, x=x, y=y, facing=facing, formation=formation, files=files))
    assert state.figures["x"][:2].tolist() == usual


def test_a_unit_belongs_to_another_until_it_stands_for_itself_again(state: State) -> None:
    before = state.stamps.copy()

    make(state, Belong(unit=LANCERS, parent=GUARDS))
    assert state.units.integer("parent", LANCERS) == GUARDS
    assert np.flatnonzero(state.stamps != before).tolist() == [GUARDS, LANCERS]

    make(state, Belong(unit=LANCERS, parent=-1))
    assert state.units.integer("parent", LANCERS) == -1


@pytest.mark.parametrize(("unit", "parent"), [(GUARDS, GUARDS), (BEAR, LANCERS), (GUARDS, BEAR)])
def test_a_part_has_no_parts_and_nothing_is_part_of_itself(
    state: State, unit: int, parent: int
) -> None:
    make(state, Belong(unit=LANCERS, parent=GUARDS))

    with pytest.raises(ValueError, match="cannot be part of"):
        make(state, Belong(unit=unit, parent=parent))


def test_placing_a_unit_moves_no_other(state: State) -> None:
    before = state.figures["x"][12:].tolist(), state.figures["y"][12:].tolist()

    make(state, place())

    assert (state.figures["x"][12:].tolist(), state.figures["y"][12:].tolist()) == before


def test_placing_leaves_the_fallen_where_they_fell(state: State) -> None:
    make(state, Fall(unit=GUARDS, figures=(5,)))
    spot = state.figures.value("x", 5), state.figures.value("y", 5)

    make(state, place())

    assert (state.figures.value("x", 5), state.figures.value("y", 5)) == spot
    assert spot == (24.5, 12.0)


def test_a_cell_is_set_and_grows(state: State) -> None:
    make(
        state,
        Set(table="unit", row=BEAR, column="spring", value=4),
        Add(table="unit", row=BEAR, column="spring", value=-6),
        Add(table="unit", row=BEAR, column="polish", value=0.5),
        Set(table="side", row=1, column="score", value=3),
        Set(table="figure", row=26, column="dents", value=255),
        Set(table="feature", row=0, column="present", value=0),
        Add(table="battle", row=0, column="turn", value=1),
    )

    assert state.units["spring"].tolist() == [9, 9, 9, -2]
    assert state.units.value("polish", BEAR) == 1.5
    assert state.sides["score"].tolist() == [0, 3]
    assert state.figures.integer("dents", 26) == 255
    assert state.features["present"].tolist() == [0]
    assert state.turn == 1


def test_a_column_is_filled(state: State) -> None:
    make(state, Fill(table="unit", column="spring", value=2))

    assert state.units["spring"].tolist() == [2, 2, 2, 2]


def test_pairs_have_a_value_until_it_is_taken_away(state: State) -> None:
    make(
        state,
        Pair(column="bumped", a=GUARDS, b=BEAR, value=1),
        Pair(column="bumped", a=BEAR, b=GUARDS, value=2),
    )
    assert state.pairs["bumped"] == {(GUARDS, BEAR): 1, (BEAR, GUARDS): 2}

    make(
        state,
        Pair(column="bumped", a=GUARDS, b=BEAR, value=None),
        Pair(column="bumped", a=SAILORS, b=BEAR, value=None),
    )
    assert state.pairs["bumped"] == {(BEAR, GUARDS): 2}


def test_a_list_grows_and_is_cleared(state: State) -> None:
    make(state, Append(table="bump", row={"by": BEAR}), Append(table="bump", row={"force": 2}))
    assert state.lists["bump"]["by"].tolist() == [BEAR, -1]
    assert state.lists["bump"]["force"].tolist() == [0.5, 2.0]

    make(state, Clear(table="bump"))
    assert len(state.lists["bump"]) == 0


def test_changes_are_made_in_their_order(state: State) -> None:
    make(
        state,
        Append(table="bump", row={}),
        Set(table="bump", row=0, column="on", value=3),
        Add(table="bump", row=0, column="on", value=-1),
    )

    assert state.lists["bump"]["on"].tolist() == [2]


def test_the_fallen_lie_where_they_stood(state: State) -> None:
    before = state.figures["x"].copy(), state.figures["y"].copy()

    make(state, Fall(unit=GUARDS, figures=(1, 6)))

    fallen = [1, 6]
    assert state.figures["condition"][fallen].tolist() == [FALLEN, FALLEN]
    assert state.figures["slot"][fallen].tolist() == [-1, -1]
    assert state.figures["x"][fallen].tolist() == before[0][fallen].tolist()
    assert state.figures["y"][fallen].tolist() == before[1][fallen].tolist()


def test_rear_men_step_into_the_places_of_the_fallen(state: State) -> None:
    """Twelve men in ranks of four; two of the front rank fall, two of the rear step up."""
    spots = np.stack([state.figures.floats("x"), state.figures.floats("y")], axis=1)

    make(state, Fall(unit=GUARDS, figures=(1, 2)))

    figures = state.figures
    assert figures["slot"][:12].tolist() == [0, -1, -1, 3, 4, 5, 6, 7, 8, 9, 1, 2]
    now = np.stack([figures.floats("x"), figures.floats("y")], axis=1)
    assert now[10].tolist() == spots[1].tolist()
    assert now[11].tolist() == spots[2].tolist()
    assert now[[0, 3, 4, 5, 6, 7]].tolist() == spots[[0, 3, 4, 5, 6, 7]].tolist()
    assert now[[8, 9], 0].tolist() == [24.5, 25.5], "what is left of the rear rank closes up"
    assert state.units.integer("members", GUARDS) == 10


def test_in_which_order_men_fall_does_not_matter(state: State, fresh) -> None:
    other = fresh().state

    make(state, Fall(unit=GUARDS, figures=(0, 2, 5)))
    make(other, Fall(unit=GUARDS, figures=(5, 2, 0)))

    assert state.key_frame() == other.key_frame()
    assert state.figures["slot"][9:12].tolist() == [0, 2, 5]


def test_the_last_of_a_unit_to_fall_leaves_it_off_the_field(state: State) -> None:
    make(state, Fall(unit=BEAR, figures=(26,)))

    assert state.units.integer("members", BEAR) == 0
    assert state.units.integer("present", BEAR) == 0
    assert state.units.integer("strength", BEAR) == 1


def test_a_unit_that_leaves_takes_those_who_stand_and_leaves_the_fallen(state: State) -> None:
    make(state, Fall(unit=LANCERS, figures=(14,)), Leave(unit=LANCERS))

    assert state.figures["condition"][12:17].tolist() == [GONE, GONE, FALLEN, GONE, GONE]
    assert state.units.integer("members", LANCERS) == 0
    assert state.units.integer("present", LANCERS) == 0


def test_nobody_need_fall(state: State) -> None:
    frame = state.key_frame()

    make(state, Fall(unit=GUARDS, figures=()))

    assert state.key_frame() == frame


def test_a_unit_has_a_later_stamp_when_it_has_changed(state: State) -> None:
    changes: list[tuple[Change, set[int]]] = [
        (place(), {GUARDS}),
        (Set(table="unit", row=BEAR, column="spring", value=4), {BEAR}),
        (Add(table="unit", row=BEAR, column="spring", value=0), {BEAR}),
        (Fill(table="unit", column="spring", value=9), {BEAR}),
        (Fall(unit=SAILORS, figures=(17,)), {SAILORS}),
        (Fall(unit=BEAR, figures=(26,)), {BEAR}),
        (Leave(unit=LANCERS), {LANCERS}),
        (Set(table="side", row=0, column="score", value=1), set()),
    ]
    for change, changed in changes:
        before = state.stamps.copy()

        make(state, change)

        assert set(np.flatnonzero(state.stamps != before).tolist()) == changed, change
        assert all(state.stamps[unit] > before.max() for unit in changed)


def test_a_unit_has_a_later_stamp_of_its_figures_when_any_of_them_has_changed(
    state: State,
) -> None:
    changes: list[tuple[Change, set[int]]] = [
        (place(), {GUARDS}),
        (Set(table="figure", row=13, column="dents", value=1), {LANCERS}),
        (Stand(unit=GUARDS, figures=(0,), east=(1024,), north=(2048,)), {GUARDS}),
        (Fall(unit=SAILORS, figures=(17,)), {SAILORS}),
        (Fall(unit=BEAR, figures=(26,)), {BEAR}),
        (Leave(unit=LANCERS), {LANCERS}),
        (Set(table="unit", row=GUARDS, column="spring", value=4), set()),
    ]
    for change, changed in changes:
        before = state.figure_stamps.copy()

        make(state, change)

        assert set(np.flatnonzero(state.figure_stamps != before).tolist()) == changed, change
        assert all(state.figure_stamps[unit] == state.stamps[unit] for unit in changed)


def test_a_sparse_column_has_a_later_stamp_when_it_has_changed(state: State) -> None:
    before = dict(state.pair_stamps)

    make(state, Pair(column="bumped", a=0, b=1, value=2))
    noted = state.pair_stamps["bumped"]
    make(state, Pair(column="bumped", a=0, b=1, value=None))

    assert before["bumped"] < noted < state.pair_stamps["bumped"]


def test_nobody_writes_through_what_a_state_shows(state: State) -> None:
    for table in (state.figures, state.units, state.sides, state.features, state.battle):
        for column in table.columns:
            with pytest.raises(ValueError, match="read-only"):
                table[column.name][0] = 1

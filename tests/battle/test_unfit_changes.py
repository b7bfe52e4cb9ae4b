"""What the only writer does not let in, and that the state holds together whatever is tried."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import (
    Add,
    Append,
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
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.state import State
from emlia3d.force import FULL_CIRCLE, FigureCondition, Formation
from tests.battle.toy_changes import make, place
from tests.battle.toy_system import BEAR, GUARDS, LANCERS


@pytest.mark.parametrize(
    "cells",
    [
        {"figures": (0,), "east": (1, 2), "north": (1,)},
        {"figures": (0,), "east": (10**12,), "north": (1,)},
        {"figures": (10**6,), "east": (1,), "north": (1,)},
        {"figures": (0, 0), "east": (1, 2), "north": (1, 2)},
    ],
)
def test_figures_that_cannot_stand_so_are_refused(state: State, cells: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="figure"):
        make(state, Stand(unit=GUARDS, **cells))


UNFIT: dict[str, Change] = {
    "a unit that is not there": place(4),
    "a unit before the first": place(-1),
    "a place far from the field": place(x=40_000.0),
    "a facing of more than a circle": place(facing=FULL_CIRCLE),
    "a facing below north": place(facing=-1),
    "a formation that nobody knows": place(formation=3),
    "a formation below the first": place(formation=-1),
    "no files": place(files=0),
    "a table that is not there": Set(table="moon", row=0, column="x", value=1),
    "a column that is not there": Set(table="unit", row=0, column="colour", value=1),
    "a column of another table": Set(table="side", row=0, column="spring", value=1),
    "a row after the last": Set(table="unit", row=4, column="spring", value=1),
    "a row before the first": Set(table="unit", row=-1, column="spring", value=1),
    "a row of an empty list": Set(table="bump", row=0, column="by", value=1),
    "more than a byte": Set(table="figure", row=0, column="dents", value=256),
    "more than four bytes": Set(table="figure", row=0, column="facing", value=2**31),
    "less than a byte": Set(table="figure", row=0, column="dents", value=-1),
    "half of what is counted": Set(table="unit", row=0, column="spring", value=0.5),
    "a word that the column has not": Set(table="unit", row=0, column="posture", value=2),
    "a word before the first": Set(table="unit", row=0, column="posture", value=-1),
    "no number": Set(table="unit", row=0, column="polish", value=float("nan")),
    "no end": Set(table="unit", row=0, column="polish", value=float("inf")),
    "more than a column holds": Set(table="unit", row=0, column="spring", value=2**63),
    "a sum of more than a byte": Add(table="figure", row=1, column="dents", value=250),
    "a sum of more than a column holds": Add(
        table="unit", row=1, column="spring", value=2**63 - 1
    ),
    "a sum without end": Add(table="unit", row=1, column="polish", value=1.7976931348623157e308),
    "a sum in a row that is not there": Add(table="unit", row=9, column="spring", value=1),
    "a sum in a column that is not there": Add(table="unit", row=1, column="colour", value=1),
    "to fill a column that is not there": Fill(table="unit", column="colour", value=1),
    "to fill with half": Fill(table="unit", column="spring", value=0.5),
    "a pair of a unit that is not there": Pair(column="bumped", a=0, b=4, value=1),
    "a pair before the first": Pair(column="bumped", a=-1, b=0, value=1),
    "a pair that nobody keeps": Pair(column="kissed", a=0, b=1, value=1),
    "a figure of another unit": Fall(unit=LANCERS, figures=(0,)),
    "a figure before the first": Fall(unit=GUARDS, figures=(-1,)),
    "a figure after the last": Fall(unit=BEAR, figures=(27,)),
    "a figure that fell before": Fall(unit=GUARDS, figures=(3, 11)),
    "a figure that falls twice": Fall(unit=GUARDS, figures=(4, 4)),
    "the fall of a unit that is not there": Fall(unit=-1, figures=()),
    "the leaving of a unit that is not there": Leave(unit=4),
    "a list that is not there": Append(table="moon", row={}),
    "a table that is no list": Append(table="unit", row={}),
    "a list without that column": Append(table="bump", row={"colour": 1}),
    "a list with half of what is counted": Append(table="bump", row={"by": 0.5}),
    "to clear what is no list": Clear(table="unit"),
    **{
        f"what {table}.{column} says, but by placing or falling": Set(
            table=table, row=0, column=column, value=1
        )
        for table, column in (
            ("figure", "unit"), ("figure", "slot"), ("figure", "condition"), ("figure", "x"),
            ("unit", "first"), ("unit", "strength"), ("unit", "members"), ("unit", "files"),
            ("unit", "side"), ("unit", "formation"), ("unit", "width"), ("unit", "facing"),
        )
    },
    "all members at once": Fill(table="unit", column="members", value=0),
}  # fmt: skip


@pytest.mark.parametrize("change", UNFIT.values(), ids=UNFIT)
def test_what_does_not_fit_is_not_written(state: State, change: Change) -> None:
    make(
        state,
        Fall(unit=GUARDS, figures=(3,)),
        Set(table="figure", row=1, column="dents", value=9),
        Set(table="unit", row=1, column="polish", value=1e308),
    )
    frame, stamps = state.key_frame(), state.stamps.tolist()

    with pytest.raises(ValueError, match=r"\w"):
        make(state, change)

    assert state.key_frame() == frame
    assert state.stamps.tolist() == stamps


@pytest.mark.parametrize("unit", [-1, 4])
def test_an_event_is_about_units_that_there_are(state: State, unit: int) -> None:
    for event in (
        Event(facts=Unread(event="waved"), unit=unit),
        Event(facts=Unread(event="waved"), unit=0, target=unit),
    ):
        with pytest.raises(ValueError, match="expected a unit from"):
            apply(state, event)


ROWS = st.integers(-1, 28)
NAMED = st.sampled_from(["figure", "unit", "side", "feature", "battle", "bump", "bumped", "moon"])
COLUMNS = st.sampled_from(
    ["spring", "polish", "posture", "dents", "score", "x", "slot", "members", "present", "by"]
)
VALUES = st.integers(-2, 3) | st.sampled_from([0.5, -1e300, 2**63, 300])
CHANGES = st.one_of(
    st.builds(
        Place,
        unit=ROWS,
        x=st.floats(-70, 70),
        y=st.floats(-70, 70),
        facing=st.integers(-1, FULL_CIRCLE),
        formation=st.integers(-1, 3),
        files=st.integers(0, 14),
    ),
    st.builds(Set, table=NAMED, row=ROWS, column=COLUMNS, value=VALUES),
    st.builds(Add, table=NAMED, row=ROWS, column=COLUMNS, value=VALUES),
    st.builds(Fill, table=NAMED, column=COLUMNS, value=VALUES),
    st.builds(Pair, column=NAMED, a=ROWS, b=ROWS, value=VALUES | st.none()),
    st.builds(Fall, unit=st.just(0), figures=st.lists(st.integers(-1, 12), max_size=4).map(tuple)),
    st.builds(Fall, unit=ROWS, figures=st.lists(ROWS, max_size=2).map(tuple)),
    st.builds(Leave, unit=ROWS),
    st.builds(Append, table=NAMED, row=st.dictionaries(COLUMNS, VALUES, max_size=2)),
    st.builds(Clear, table=NAMED),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(CHANGES, min_size=1, max_size=12))
def test_whatever_is_tried_the_state_holds_together(fresh, changes: list[Change]) -> None:
    battle: Battle = fresh()
    state = battle.state
    for change in changes:
        frame = state.key_frame()
        try:
            make(state, change)
        except ValueError:
            assert state.key_frame() == frame

    figures, units = state.figures, state.units
    for unit in range(len(units)):
        members = np.flatnonzero(
            (figures["unit"] == unit) & (figures["condition"] == FigureCondition.STANDING)
        )
        assert units.integer("members", unit) == len(members)
        assert sorted(figures["slot"][members].tolist()) == list(range(len(members)))
        assert units.value("present", unit) in {0, 1}
        assert Formation(units.integer("formation", unit)) in Formation
    assert np.isfinite(figures.floats("x")).all()
    twin = fresh().state
    twin.restore(state.key_frame())
    assert twin.key_frame() == state.key_frame()

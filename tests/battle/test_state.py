"""The state as a whole: copied, packed, restored."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Leave, Pair, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.state import State
from tests.battle.toy_changes import CHANGES, changed


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(CHANGES, max_size=8))
def test_a_state_comes_back_from_its_key_frame(fresh, changes: list[Any]) -> None:
    state = changed(fresh(), changes)
    twin: State = fresh().state

    twin.restore(state.key_frame())

    for name in ("figure", "unit", "side", "feature", "battle", "bump"):
        for column in state.table(name).columns:
            there, here = twin.table(name)[column.name], state.table(name)[column.name]
            assert there.dtype == here.dtype
            np.testing.assert_array_equal(there, here)
            assert not there.flags.writeable
    assert twin.pairs == state.pairs
    assert twin.stretch == state.stretch


def test_a_restored_unit_is_newer_than_all_before(state: State) -> None:
    apply(state, Event(facts=Unread(event="left"), changes=(Leave(unit=1),)))
    before = int(state.stamps.max())

    state.restore(state.key_frame())

    assert state.stamps.min() > before
    assert min(state.pair_stamps.values()) > before
    assert state.figure_stamps.min() > before


def test_a_copy_of_a_state_goes_its_own_way(battle: Battle, fresh) -> None:
    whole = fresh()
    list(whole.run())
    state = whole.state
    frame, stamps = state.key_frame(), state.stamps.tolist()

    twin = state.copy()
    assert (twin.key_frame(), twin.stamps.tolist(), twin.clock) == (frame, stamps, state.clock)
    apply(
        twin,
        Event(
            facts=Unread(event="made"),
            changes=(
                Set(table="unit", row=0, column="spring", value=99),
                Set(table="side", row=0, column="score", value=99),
                Set(table="battle", row=0, column="turn", value=99),
                Set(table="feature", row=0, column="present", value=0),
                Pair(column="bumped", a=0, b=1, value=99),
                Append(table="bump", row={}),
                Leave(unit=0),
            ),
        ),
    )

    assert state.key_frame() == frame
    assert state.stamps.tolist() == stamps


def test_places_of_a_key_frame_are_whole_1024ths(state: State) -> None:
    packed = state.key_frame()["tables"]["figure"]["x"]

    whole = np.frombuffer(zlib.decompress(base64.b64decode(packed)), dtype="<i4")

    assert whole[:4].tolist() == [23.5 * 1024, 24.5 * 1024, 25.5 * 1024, 26.5 * 1024]


def packed(raw: bytes) -> str:
    return base64.b64encode(zlib.compress(raw)).decode()


UNFIT: dict[str, Any] = {
    "no table": lambda frame: frame.pop("tables"),
    "no table of units": lambda frame: frame["tables"].pop("unit"),
    "no column": lambda frame: frame["tables"]["unit"].pop("spring"),
    "tables that are none": lambda frame: frame.update(tables=[1]),
    "a table that is none": lambda frame: frame["tables"].update(unit=[1]),
    "a column that is no text": lambda frame: frame["tables"]["unit"].update(spring=1),
    "text that is not packed": lambda frame: frame["tables"]["unit"].update(spring="?!"),
    "no zlib": lambda frame: frame["tables"]["unit"].update(spring="AAAA"),
    "half a packing": lambda frame: frame["tables"]["unit"].update(
        spring=base64.b64encode(zlib.compress(bytes(32))[:-6]).decode()
    ),
    "other units": lambda frame: frame["tables"]["unit"].update(spring=packed(bytes(24))),
    "half a number": lambda frame: frame["tables"]["unit"].update(spring=packed(bytes(31))),
    "a facing that no column holds": lambda frame: frame["tables"]["figure"].update(
        facing=packed(np.full(27, 2**31, dtype="<i8").tobytes())
    ),
    "columns of two lengths": lambda frame: frame["tables"]["bump"].update(by=packed(bytes(40))),
    "what would fill the memory": lambda frame: frame["tables"]["bump"].update(
        dict.fromkeys(("by", "on", "force"), packed(bytes(2**26 + 8)))
    ),
    "no pairs": lambda frame: frame.pop("pairs"),
    "pairs that are none": lambda frame: frame["pairs"].update(bumped=[[1, 2]]),
    "a pair of words": lambda frame: frame["pairs"].update(bumped=[[1, 2, "hard"]]),
    "a pair with half a unit": lambda frame: frame["pairs"].update(bumped=[[1, 2.5, 1]]),
    "a stretch that is no number": lambda frame: frame.update(stretch=None),
    "a stretch that is a word": lambda frame: frame.update(stretch="last"),
}


@pytest.mark.parametrize("spoil", UNFIT.values(), ids=UNFIT)
def test_a_key_frame_that_does_not_fit_is_refused_whole(state: State, fresh, spoil: Any) -> None:
    played: Battle = fresh()
    list(played.run())
    frame = played.state.key_frame()
    spoil(frame)
    before = state.key_frame()

    with pytest.raises(ValueError, match="key frame does not fit"):
        state.restore(frame)

    assert state.key_frame() == before

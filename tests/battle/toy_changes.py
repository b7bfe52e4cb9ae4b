"""Changes to a state of Tin: some that are made, and many that may fit or not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from emlia3d.battle.apply import apply
from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Change, Fall, Leave, Pair, Place, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.state import State
from emlia3d.force import FULL_CIRCLE
from tests.battle.toy_system import GUARDS

WHOLE = st.integers(-(2**63), 2**63 - 1)
REAL = st.floats(allow_nan=False, allow_infinity=False)
CHANGES = st.one_of(
    st.builds(
        Place,
        unit=st.integers(0, 3),
        x=st.floats(-(2**15), 2**15),
        y=st.floats(-(2**15), 2**15),
        facing=st.integers(0, FULL_CIRCLE - 1),
        formation=st.integers(0, 2),
        files=st.integers(1, 20),
    ),
    st.builds(
        Set, table=st.just("unit"), row=st.integers(0, 3), column=st.just("spring"), value=WHOLE
    ),
    st.builds(
        Set, table=st.just("unit"), row=st.integers(0, 3), column=st.just("polish"), value=REAL
    ),
    st.builds(
        Pair,
        column=st.just("bumped"),
        a=st.integers(0, 3),
        b=st.integers(0, 3),
        value=WHOLE | REAL | st.none(),
    ),
    st.builds(
        Append,
        table=st.just("bump"),
        row=st.fixed_dictionaries({"by": WHOLE, "force": REAL}),
    ),
    st.builds(Fall, unit=st.just(0), figures=st.integers(0, 11).map(lambda figure: (figure,))),
    st.builds(Leave, unit=st.integers(0, 3)),
)


def make(state: State, *changes: Change) -> None:
    """Make these changes, as one event."""
    apply(state, Event(facts=Unread(event="made"), changes=changes))


def place(unit: int = GUARDS, **other: float) -> Place:
    """Half a turn in the middle of the floor, in three files, unless something else is said."""
    said = {"x": 30.0, "y": 20.0, "facing": FULL_CIRCLE // 2, "formation": 2, "files": 3} | other
    return Place(
        unit=unit,
        x=said["x"],
        y=said["y"],
        facing=int(said["facing"]),
        formation=int(said["formation"]),
        files=int(said["files"]),
    )


def changed(battle: Battle, changes: list[Any]) -> State:
    """The state after these changes, less those that do not fit."""
    for change in changes:
        try:
            apply(battle.state, Event(facts=Unread(event="made"), changes=(change,)))
        except ValueError:
            assert isinstance(change, Fall), "this one fell before, or his unit has left"
    battle.state.stretch = len(changes)
    return battle.state

"""What a side knows of a battle, kept up with it change by change."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.changes import Append, Clear, Pair, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rulekit.knowledge import Knowledge
from tests.battle.toy_changes import CHANGES, changed

DENTS = st.builds(
    Set, table=st.just("figure"), row=st.integers(0, 26), column=st.just("dents"),
    value=st.integers(0, 9),
)  # fmt: skip
ROUNDS = st.lists(
    st.tuples(
        st.lists(CHANGES | DENTS | st.just(Clear(table="bump")), max_size=4),
        st.lists(st.booleans(), min_size=4, max_size=4),
        st.lists(st.booleans(), min_size=16, max_size=16),
    ),
    max_size=4,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=ROUNDS)
def test_who_follows_step_by_step_knows_what_he_would_learn_at_once(
    fresh, rounds: list[Any]
) -> None:
    battle = fresh()
    knowledge = Knowledge(battle, side=0)
    for changes, hidden, told in rounds:
        true = changed(battle, changes)
        unknown = np.array(hidden)
        lists = {"bump": np.array(told[: len(true.lists["bump"])], dtype=np.bool_)}

        step_by_step = knowledge.follow(true, unknown, lists)

        at_once = Knowledge(battle, side=0).follow(true, unknown, lists)
        assert step_by_step.state.key_frame() == at_once.state.key_frame()


def test_whoever_is_unknown_is_told_of_as_the_army_list_does(battle) -> None:
    knowledge = Knowledge(battle, side=0)
    battle.happen(
        Event(
            facts=Unread(event="made"),
            changes=(
                Set(table="unit", row=1, column="spring", value=3),
                Pair(column="bumped", a=0, b=1, value=2),
                Pair(column="bumped", a=0, b=2, value=4),
                Append(table="bump", row={"by": 1, "on": 0}),
                Append(table="bump", row={"by": 2, "on": 0}),
            ),
        )
    )
    unknown, told = np.arange(4) == 1, {"bump": np.array([False, True])}

    known = knowledge.follow(battle.state, unknown, told).state

    true, units = battle.state.units, known.units
    assert [units.value(name, 1) for name in ("present", "members", "spring")] == [0, 0, 9]
    assert units.integer("strength", 1) == true.integer("strength", 1)
    assert units.value("x", 2) == true.value("x", 2)
    assert known.pairs["bumped"] == {(0, 2): 4}
    assert known.lists["bump"]["by"].tolist() == [2]

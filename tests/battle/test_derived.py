"""Derived values are computed again only after a change of what they depend on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Append, Change, Clear, Fall, Fill, Pair, Place, Set
from emlia3d.battle.derived import (
    Anything,
    Columns,
    Derived,
    Each,
    FigureSource,
    List,
    Pairs,
    Rows,
    Source,
)
from emlia3d.battle.events import Event, Unread
from tests.battle.toy_changes import CHANGES, changed

POLISH = Set(table="unit", row=1, column="polish", value=0.5)
SPRING = Add(table="unit", row=2, column="spring", value=-1)


def happen(battle: Battle, *changes: Change) -> None:
    battle.happen(Event(facts=Unread(event="tinkering"), changes=changes))


class Counted(Derived[Any]):
    """A derived value that counts how often it is computed."""

    def __init__(self, *sources: Source, **more: Any) -> None:
        self.times = 0
        make = more.pop("make")

        def counted(battle: Battle) -> Any:
            self.times += 1
            return make(battle)

        super().__init__(*sources, make=counted, **more)


def springs(battle: Battle) -> tuple[int, ...]:
    return tuple(battle.state.units.ints("spring").tolist())


def test_a_value_is_computed_once_and_again_after_a_change_of_its_columns(fresh) -> None:
    battle, value = fresh(), Counted(Columns("spring"), make=springs)

    assert value(battle) == value(battle) == (9, 9, 9, 9)
    happen(battle, POLISH)
    assert value(battle) == (9, 9, 9, 9)
    assert value.times == 1
    happen(battle, SPRING)
    assert value(battle) == (9, 9, 8, 9)
    assert value.times == 2


def test_a_value_that_comes_out_equal_leaves_its_dependants_alone(fresh) -> None:
    battle = fresh()
    wound = Counted(Columns("spring"), make=lambda b: [spring > 5 for spring in springs(b)])
    count = Counted(wound, make=lambda b: sum(wound(b)))

    count(battle)
    happen(battle, SPRING)
    assert count(battle) == 4
    assert (wound.times, count.times) == (2, 1)
    happen(battle, Set(table="unit", row=0, column="spring", value=0))
    assert count(battle) == 3
    assert (wound.times, count.times) == (3, 2)


def test_a_value_without_sources_is_computed_once(fresh) -> None:
    battle, value = fresh(), Counted(make=springs)

    value(battle)
    happen(battle, SPRING)

    assert value(battle) == (9, 9, 9, 9)
    assert value.times == 1


@pytest.mark.parametrize(
    ("source", "change", "another"),
    [
        (Columns("spring"), Fill(table="unit", column="spring", value=3), POLISH),
        (Columns("x", "y"), Place(unit=0, x=20.0, y=9.0, facing=0, formation=1, files=4), POLISH),
        (Columns("members"), Fall(unit=2, figures=(17,)), SPRING),
        (Columns("height", table="feature"),
         Set(table="feature", row=0, column="height", value=2.0), SPRING),
        (FigureSource(), Fall(unit=2, figures=(17,)), SPRING),
        (FigureSource(), Set(table="figure", row=3, column="dents", value=1), SPRING),
        (Pairs("bumped"), Pair(column="bumped", a=0, b=2, value=1), SPRING),
        (List("bump"), Append(table="bump", row={"by": 0, "on": 2, "force": 0.5}), SPRING),
        (List("bump"), Clear(table="bump"), SPRING),
        (Anything(), SPRING, Set(table="side", row=0, column="score", value=1)),
    ],
)  # fmt: skip
def test_each_kind_of_source_notices_its_own_changes(
    fresh, source: Source, change: Change, another: Change
) -> None:
    battle = fresh()
    before = source.latest(battle)

    happen(battle, another)
    assert source.latest(battle) == before
    happen(battle, change)
    assert source.latest(battle) != before


@pytest.mark.parametrize(
    "change",
    [
        Append(table="bump", row={"by": 0, "on": 2, "force": 0.5}),
        Set(table="bump", row=0, column="force", value=2.0),
        Add(table="bump", row=0, column="force", value=1.0),
        Fill(table="bump", column="force", value=3.0),
        Clear(table="bump"),
    ],
)
def test_a_value_of_a_list_is_computed_again_after_a_change_of_the_list_alone(
    fresh, change: Change
) -> None:
    battle = fresh()
    forces = Derived(List("bump"), make=lambda b: b.state.lists["bump"].floats("force").tolist())
    happen(battle, Append(table="bump", row={"by": 0, "on": 1, "force": 1.0}))
    assert forces(battle) == [1.0]

    happen(battle, change)

    assert forces(battle) == battle.state.lists["bump"].floats("force").tolist() != [1.0]


class Sums:
    """By unit, the spring and the polish together, and which rows were computed in which calls."""

    def __init__(self, battle: Battle) -> None:
        self.sums = [0.0] * len(battle.state.units)
        self.calls: list[list[int]] = []

    def renew(self, battle: Battle, rows: Sequence[int]) -> list[int]:
        before, units = [*self.sums], battle.state.units
        self.calls.append([*rows])
        for row in rows:
            self.sums[row] = float(units.value("spring", row)) + float(units.value("polish", row))
        return [row for row in rows if self.sums[row] != before[row]]

    def forked(self, battle: Battle) -> Sums:
        twin = Sums(battle)
        twin.sums = [*self.sums]
        return twin


def sums() -> Rows[Sums]:
    return Rows(Columns("spring", "polish"), start=Sums, renew=Sums.renew, forks=True)


def test_only_the_rows_of_changed_units_are_computed_again(fresh) -> None:
    battle, value = fresh(), sums()
    value(battle)

    happen(battle, POLISH, SPRING)
    happen(battle, Set(table="unit", row=3, column="moved", value=1))

    assert value(battle).sums == [10.0, 9.5, 9.0, 10.0]
    assert value(battle).calls == [[0, 1, 2, 3], [1, 2]]


def test_rows_that_come_out_equal_keep_their_stamps(fresh) -> None:
    battle, value = fresh(), sums()
    value(battle)
    stamps, latest = [*value.rows(battle)], value.latest(battle)

    happen(battle, Add(table="unit", row=2, column="spring", value=1),
           Add(table="unit", row=2, column="polish", value=-1.0))  # fmt: skip

    assert [*value.rows(battle)] == stamps
    assert value.latest(battle) == latest
    happen(battle, SPRING)
    assert np.flatnonzero(value.rows(battle) != stamps).tolist() == [2]


def test_a_source_without_rows_makes_all_rows_stale_or_none(fresh) -> None:
    battle = fresh()
    whole = Rows(Columns("spring"), Pairs("bumped"), start=Sums, renew=Sums.renew)
    by_row = Rows(Columns("spring"), Pairs("bumped"), start=Sums, renew=Sums.renew, by_row=True)
    whole(battle), by_row(battle)
    latest = by_row.latest(battle)

    happen(battle, Pair(column="bumped", a=0, b=2, value=1))

    assert whole(battle).calls[1:] == [[0, 1, 2, 3]]
    assert by_row(battle).calls[1:] == [[]]
    assert by_row.latest(battle) > latest


def failing_once(make: Any) -> Any:
    """Return a function that raises the first time, and then does what *make* does."""
    fails = [True]

    def tried(*args: Any) -> Any:
        if fails:
            fails.clear()
            raise KeyboardInterrupt
        return make(*args)

    return tried


def test_a_value_is_computed_after_an_attempt_that_was_interrupted(fresh) -> None:
    battle = fresh()
    value = Derived(Columns("spring"), make=failing_once(springs))
    rows = Rows(Columns("spring", "polish"), start=Sums, renew=failing_once(Sums.renew))

    for one in (value, rows):
        with pytest.raises(KeyboardInterrupt):
            one(battle)
    battle.fork()

    assert value(battle) == (9, 9, 9, 9)
    assert rows(battle).sums == [10.0] * 4


def test_a_table_is_empty_after_a_change_of_its_sources(fresh) -> None:
    battle = fresh()
    table: Each[str, int] = Each(Columns("spring"))
    table(battle)["guards"] = 1

    happen(battle, POLISH)
    assert table(battle) == {"guards": 1}
    happen(battle, SPRING)
    assert table(battle) == {}


def test_an_entry_of_a_table_is_computed_once_until_its_sources_change(fresh) -> None:
    battle, made = fresh(), list[int]()
    table: Each[str, int] = Each(Columns("spring"))

    def make() -> int:
        made.append(len(made))
        return made[-1]

    found = [table.entry(battle, "guards", make) for _ in range(2)]
    happen(battle, SPRING)

    assert found == [0, 0]
    assert table.entry(battle, "guards", make) == 1


def test_a_value_can_be_put_until_its_sources_change(fresh) -> None:
    battle, value = fresh(), Counted(Columns("spring"), make=springs)

    value.put(battle, (1, 2, 3, 4))
    assert value(battle) == (1, 2, 3, 4)
    happen(battle, SPRING)
    assert value(battle) == (9, 9, 8, 9)


def test_a_fork_takes_values_over_and_changes_nothing_in_the_original(fresh) -> None:
    battle, value, rows = fresh(), Counted(Columns("spring"), make=springs), sums()
    table: Each[str, int] = Each()
    lost: Each[str, int] = Each(forks=False)
    value(battle), rows(battle), table(battle).update(a=1), lost(battle).update(a=1)

    twin = battle.fork()
    assert (value(twin), value.times, table(twin), lost(twin)) == ((9,) * 4, 1, {"a": 1}, {})
    happen(twin, SPRING, POLISH)
    table(twin)["b"] = 2

    assert (value(twin), rows(twin).sums) == ((9, 9, 8, 9), [10.0, 9.5, 9.0, 10.0])
    assert (value(battle), rows(battle).sums) == ((9,) * 4, [10.0] * 4)
    assert table(battle) == {"a": 1}
    assert battle.digest.hexdigest() == fresh().digest.hexdigest()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(rounds=st.lists(st.tuples(st.lists(CHANGES, max_size=4), st.integers(0, 3)), max_size=6))
def test_values_are_as_if_computed_anew_after_any_changes_forks_and_earlier_states(
    fresh, rounds: list[Any]
) -> None:
    battle = fresh()
    earlier = battle.state.copy()
    values = [
        Derived(Columns("spring"), make=springs),
        Derived(FigureSource(), make=lambda b: b.state.figures.ints("dents").tolist()),
        Derived(Pairs("bumped"), make=lambda b: dict(b.state.pairs["bumped"])),
    ]
    rows = sums()
    for changes, step in rounds:
        changed(battle, changes)
        if step == 1:
            battle = battle.fork()
        if step == 2:
            battle.state, earlier = earlier, battle.state.copy()
        if step == 3:
            [value(battle) for value in values], rows(battle)
        anew = Battle(battle.setup, battle.system, battle.seed)
        anew.state = battle.state.copy()
        assert [value(battle) for value in values] == [value(anew) for value in values]
        assert rows(battle).sums == rows(anew).sums

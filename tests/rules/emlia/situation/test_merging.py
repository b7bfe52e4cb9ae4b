"""What a unit that two have joined keeps of each: what was used, suffered and known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Append, Pair
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.columns import OWN
from emlia3d.rules.emlia.play.situation.merging import joined
from emlia3d.rules.emlia.play.situation.parts import parts_of

Build = Callable[..., Battle]
Put = Callable[..., None]
Pairs = dict[tuple[int, int], float]

MEN: tuple[dict[str, Any], ...] = (
    {"name": "one", "at": (60, 40), "members": 3, "formation": "close"},
    {"name": "other", "at": (66, 40), "members": 2, "formation": "close"},
    {"name": "foe", "at": (60, 80), "side": "Bob"},
)


def join(battle: Battle) -> None:
    """Make the second unit part of the first, with morale 1."""
    battle.happen(Event(facts=Unread(event="joined"), changes=tuple(joined(battle, 0, 1, 1))))


@pytest.mark.rule("emlia.mixed.timing-midturn", "emlia.lead.join")
@pytest.mark.parametrize(
    ("column", "cells", "of_both"),
    [
        *((column, cells, 2) for cells in ((1, 2), (2, 1)) for column in ("timing", "activations")),
        *((column, cells, 1) for cells in ((0, 1), (1, 0)) for column in (
            "activated", "delayed", "double_paced", "moved", "charged", "strike_owed", "disordered",
        )),
        *((column, cells, 0) for cells in ((0, 1), (1, 0)) for column in (
            "taking_cover", "posture", "ignoring", "leftover",
        )),
        ("strength_now", (3, 2), 5),
        ("strength_now", (-1, 2), 2),
        ("strength_now", (-1, -1), 0),
        ("lost_turn", (1, 2), 3),
        ("rows_given", (1, 2), 3),
        ("rows_given", (5, 4), 5),
        ("acted_at", (-1, 4), 4),
        ("hid", (3, 1), 1),
    ],
)  # fmt: skip
def test_each_count_of_two_that_join_becomes_the_highest_the_lowest_or_the_sum(
    field_of_battle: Build, put: Put, column: str, cells: tuple[int, int], of_both: int
) -> None:
    battle = field_of_battle(*MEN)
    for unit in (0, 1):
        put(battle, unit, **{column: cells[unit]})

    join(battle)

    units = battle.state.units
    assert units.integer(column, 0) == of_both
    assert (units.integer("morale", 0), units.integer("leader", 0)) == (1, OWN)
    assert parts_of(battle, 0) == (0, 1)


@pytest.mark.rule("emlia.mixed.timing-midturn")
@pytest.mark.parametrize("column", ["move_used", "primary_used", "free_used"])
@pytest.mark.parametrize(
    ("activated", "used", "of_both"),
    [
        ((1, 1), (1, 0), 1),
        ((1, 1), (0, 1), 1),
        ((1, 1), (0, 0), 0),
        ((0, 1), (1, 0), 0),
        ((1, 0), (0, 1), 0),
        ((0, 0), (1, 1), 0),
    ],
)
def test_only_what_a_unit_that_has_activated_used_is_used(
    field_of_battle: Build,
    put: Put,
    column: str,
    activated: tuple[int, int],
    used: tuple[int, int],
    of_both: int,
) -> None:
    battle = field_of_battle(*MEN)
    for unit in (0, 1):
        put(battle, unit, activated=activated[unit], **{column: used[unit]})

    join(battle)

    assert battle.state.units.integer(column, 0) == of_both


@pytest.mark.rule("emlia.lead.join", "emlia.aware.state")
@pytest.mark.parametrize(
    ("column", "before", "after"),
    [
        ("acquired", {(0, 2): 3}, {(0, 2): 3}),
        ("acquired", {(1, 2): 3}, {(0, 2): 3}),
        ("acquired", {(0, 2): 3, (1, 2): 5}, {(0, 2): 5}),
        ("acquired", {(0, 2): 5, (1, 2): 3}, {(0, 2): 5}),
        ("attacked", {(2, 1): 1}, {(2, 0): 1}),
        ("attacked", {(2, 0): 1, (2, 1): 2}, {(2, 0): 2}),
        ("acted_on", {(0, 1): 1}, {}),
        ("acted_on", {(1, 0): 1, (1, 2): 1}, {(0, 2): 1}),
        ("hidden", {(2, 0): 1}, {}),
        ("hidden", {(2, 1): 1}, {}),
        ("hidden", {(2, 0): 1, (2, 1): 1}, {(2, 0): 1}),
        ("hidden", {(0, 2): 1}, {}),
        ("hidden", {(0, 2): 1, (1, 2): 1}, {(0, 2): 1}),
    ],
)
def test_two_that_join_know_what_either_knew_and_hide_only_together(
    field_of_battle: Build, column: str, before: Pairs, after: Pairs
) -> None:
    battle = field_of_battle(*MEN)
    pairs = tuple(Pair(column=column, a=a, b=b, value=value) for (a, b), value in before.items())
    battle.happen(Event(facts=Unread(event="put"), changes=pairs))

    join(battle)

    assert dict(battle.state.pairs[column]) == after


@pytest.mark.rule("emlia.mixed.timing-midturn", "emlia.primary.focus")
@pytest.mark.parametrize(("focused", "subject"), [(0, 0), (1, 1)])
def test_hits_by_and_on_a_part_are_those_of_the_whole_and_focused_ones_stay_with_the_part(
    field_of_battle: Build, focused: int, subject: int
) -> None:
    battle = field_of_battle(*MEN)
    rows = [{"subject": 1, "attacker": 2}, {"subject": 2, "attacker": 1}]
    put = tuple(Append(table="marker", row={**row, "focused": focused, "hits": 1}) for row in rows)
    battle.happen(Event(facts=Unread(event="put"), changes=put))

    join(battle)

    markers = battle.state.lists["marker"]
    assert markers["subject"].tolist() == [subject, 2]
    assert markers["attacker"].tolist() == [2, 0]

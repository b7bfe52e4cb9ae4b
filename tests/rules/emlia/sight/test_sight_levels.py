"""The kernel that finds levels in one call, against the kernels that also give the reasons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Leave
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.kernels.sight_levels import OPEN, Members, SightField
from emlia3d.rules.emlia.play.sight.member_sight import MemberSight, scattered
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.scenario.synthetic_armies import armies

Build = Callable[..., Battle]


def begun(figures: int, units: int, *, ground: bool) -> Battle:
    battle = armies(figures, units, ground=ground).battle(0, turns=1)
    next(battle.run())
    return battle


def enemies(battle: Battle) -> tuple[Any, Any]:
    """All pairs of an observer of one side and an observed of the other."""
    here = battle.state.units.ints("present") != 0
    sides = battle.state.units.ints("side")
    one, other = (np.flatnonzero(here & (sides == side)) for side in (0, 1))
    return np.repeat(one, len(other)), np.tile(other, len(one))


@pytest.mark.parametrize("ground", [False, True])
def test_levels_by_boundary_are_those_that_come_with_reasons(ground: bool) -> None:
    battle = begun(2000, 40, ground=ground)
    batch_sight, (one, other) = sight_cache_of(battle).batch_sight, enemies(battle)

    levels, by, touch = batch_sight.field().by_boundary(
        np.column_stack((one, other)).astype(np.int32)
    )
    forth = batch_sight.look(batch_sight.units(), one, other, every=True)
    back = batch_sight.look(batch_sight.units(), other, one, every=True)

    known = levels != OPEN
    assert known.mean() > 0.9
    assert np.array_equal(levels[known[:, 0], 0], forth.levels[known[:, 0]])
    assert np.array_equal(levels[known[:, 1], 1], back.levels[known[:, 1]])
    assert np.array_equal(touch, forth.found.touch)
    assert len(np.unique(levels[known])) == 3
    assert (levels[by != -1] == Level.TOTAL).all()


@pytest.mark.parametrize("base_damage", [None, 1])
def test_levels_of_members_are_those_of_members_inspected_with_reasons(
    base_damage: int | None,
) -> None:
    battle = begun(2000, 40, ground=True)
    one, other = enemies(battle)
    floors = np.zeros(len(one), dtype=np.uint8)
    search = MemberSight(sight_cache_of(battle).batch_sight)

    levels = search.levels(one, other, floors, floors.astype(np.bool_), base_damage)
    # By the path that is left to pairs of which the kernel leaves some member open.
    expected = [
        0 if search.batch_sight.units().alone[far] else search._look(near, far, 0, base_damage)
        for near, far in zip(one.tolist(), other.tolist(), strict=True)
    ]

    assert levels.tolist() == expected
    assert len(set(expected)) > 1


def test_a_search_that_runs_out_of_room_goes_on_with_more(field_of_battle: Build) -> None:
    # The outline of such ground has more pieces than there is room for at first.
    bumps = np.random.default_rng(1).uniform(0, 4, (80, 80))
    line = {"members": 40, "files": 40, "formation": "ranked"}
    battle = field_of_battle(
        {"at": (100, 10), **line}, {"at": (100, 190), "side": "Bob", **line}, elevation_m=bumps
    )
    search, pair = MemberSight(sight_cache_of(battle).batch_sight), (np.array([0]), np.array([1]))
    batch_sight = search.batch_sight

    levels, _, _ = batch_sight.by_boundary(*pair)
    by_member = search.levels(*pair, np.zeros(1, np.uint8), np.zeros(1, np.bool_))

    both = np.array([0, 1]), np.array([1, 0])
    assert levels.tolist() == batch_sight.look(batch_sight.units(), *both).levels.tolist()
    assert by_member.tolist() == [search._look(0, 1, 0, None)]


def test_a_search_asks_every_member(field_of_battle: Build) -> None:
    # One gap in a palisade, before each member in turn: only it is exposed.
    line = {"at": (100, 60), "members": 37, "files": 37, "side": "Bob", "formation": "ranked"}
    for gap in (0, 1, 15, 16, 17, 36):
        plain = field_of_battle({"at": (100, 20)}, line)
        x, y = sight_cache_of(plain).batch_sight.situation.places(1)[gap].tolist()
        walls = [
            {"kind": "wall", "height": 9, "box": box}
            for box in ((40, y - 2, x - 0.5, y - 1.5), (x + 0.5, y - 2, 160, y - 1.5))
        ]
        battle = field_of_battle({"at": (x, 20)}, line, terrain=walls)
        search, none = MemberSight(sight_cache_of(battle).batch_sight), np.zeros(1, dtype=np.uint8)

        found = search.levels(np.array([0]), np.array([1]), none, none.astype(np.bool_))

        assert found.tolist() == [Level.NONE]
        assert search._exposed == {(0, 1): gap}


def test_a_unit_whose_exposed_member_has_fallen_is_asked_about_those_that_stand(
    field_of_battle: Build,
) -> None:
    """The last of five was seen; the two that are left stand behind a wall, others in view."""
    line: dict[str, Any] = {"side": "Bob", "formation": "ranked"}
    battle = field_of_battle(
        {"at": (100, 20)},
        {**line, "at": (60, 60), "members": 2, "files": 2},
        {**line, "at": (140, 60), "members": 5, "files": 5},
        terrain=[{"kind": "wall", "height": 9, "box": (40, 55, 80, 56)}],
    )
    search, none = MemberSight(sight_cache_of(battle).batch_sight), np.zeros(2, dtype=np.uint8)
    search._note(0, 1, 4)

    found = search.levels(np.array([0, 0]), np.array([1, 2]), none, none.astype(np.bool_))

    assert found.tolist() == [Level.TOTAL, Level.NONE]


@pytest.mark.parametrize(
    ("count", "first", "groups"),
    [
        (1, 0, [[0], [0]]),
        (2, 5, [[1], [0], [1]]),
        (17, 3, [[3], [0, 16], [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15]]),
    ],
)
def test_members_are_asked_about_first_one_then_a_few_far_apart_then_all(
    count: int, first: int, groups: list[list[int]]
) -> None:
    assert list(scattered(count, first)) == groups


def test_the_first_of_all_is_asked_about_first_if_no_other_is_named() -> None:
    assert next(scattered(9)) == [0]


def test_units_in_plain_view_are_found_without_members_of_units_in_cover(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    battle = begun(2000, 40, ground=True)
    one, other = enemies(battle)
    search, floors = MemberSight(sight_cache_of(battle).batch_sight), set[int]()
    expected = search.both_ways(one, other).levels[: len(one)] == Level.NONE
    inspect = SightField.by_members

    def noted(self: SightField, pairs: Any, known: Any, *rest: Any) -> Any:
        if pairs[0, 0] in one:
            floors.update(known.tolist())
        return inspect(self, pairs, known, *rest)

    monkeypatch.setattr(SightField, "by_members", noted)

    assert search.is_plain(one, other).tolist() == expected.tolist()
    assert floors == {Level.NONE}
    assert expected.any()
    assert not expected.all()


def test_a_unit_that_stands_nowhere_is_refused_and_not_read_past_its_columns(
    field_of_battle: Build,
) -> None:
    """One that has left the field, and a part, whose whole unit stands for it."""
    lines = {"members": 4, "files": 4, "side": "Bob"}
    battle = field_of_battle(
        {"at": (60, 100), "name": "men"},
        {"front": (62, 100.5), "group": "men"},
        {**lines, "at": (60, 140)},
        {**lines, "at": (90, 140)},
    )
    battle.suppose((Leave(unit=3),))
    field = sight_cache_of(battle).batch_sight.field()
    members = Members(
        spots=np.empty((0, 2)),
        footings=np.empty(0),
        figures=np.empty((0, 2)),
        places=np.empty((0, 5), dtype=np.int32),
    )

    for pair in ((0, 3), (3, 0), (1, 2), (2, 1)):
        pairs = np.array([pair], dtype=np.int32)
        with pytest.raises(IndexError, match="stands nowhere"):
            field.by_boundary(pairs)
        with pytest.raises(IndexError, match="stands nowhere"):
            field.by_members(pairs, np.zeros(1, dtype=np.uint8), members)

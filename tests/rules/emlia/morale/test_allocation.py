"""Hits shared out over whole armies, and what they suffer, as the book does it marker by marker."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.rules.emlia import Markers, Targets, allocate_hits, resolve_hits
from emlia3d.rules.emlia.tables import allocation as module

Unit = tuple[list[int], list[int]]
"""Members of its subunits, markers of its groups."""

units = st.lists(
    st.tuples(
        st.lists(st.integers(0, 40), min_size=1, max_size=6),
        st.lists(st.integers(0, 90), max_size=4),
    ),
    max_size=12,
)


def shared(army: Sequence[Unit]) -> list[list[list[int]]]:
    """The matrix of each unit."""
    members = [count for subunits, _ in army for count in subunits]
    hits = [count for _, groups in army for count in groups]
    out = allocate_hits(
        np.array(members, dtype=int),
        np.cumsum([0, *(len(subunits) for subunits, _ in army)]),
        np.arange(len(hits)),
        np.array(hits, dtype=int),
        np.cumsum([0, *(len(groups) for _, groups in army)]),
    )
    matrices, start = [], 0
    for subunits, groups in army:
        size = len(subunits) * len(groups)
        matrices.append(out[start : start + size].reshape(len(subunits), len(groups)).tolist())
        start += size
    assert start == len(out)
    return matrices


def one_by_one(members: Sequence[int], hits: Sequence[int]) -> list[list[int]]:
    """The book's rounds, marker by marker."""
    taken = [[0] * len(hits) for _ in members]
    rounds = [row for row in sorted(range(len(members)), key=lambda r: -members[r]) if members[row]]
    if not rounds:
        return taken
    smallest = members[rounds[-1]]
    turns = [row for row in rounds for _ in range(-(-members[row] // smallest))]
    at = 0
    for group in sorted(range(len(hits)), key=lambda g: -hits[g]):
        for _ in range(hits[group]):
            taken[turns[at % len(turns)]][group] += 1
            at += 1
    return taken


@pytest.mark.rule("emlia.hits.allocate", "emlia.hits.example-three", "emlia.hits.groups")
def test_the_books_three_subunits() -> None:
    # 10 at base damage 1, 4 at 5, 1 at 4
    (matrix,) = shared([([8, 2, 1], [10, 4, 1])])

    assert matrix == [[8, 3, 1], [2, 0, 0], [0, 1, 0]]


@pytest.mark.rule("emlia.hits.subunit-ties", "emlia.hits.example-two")
def test_the_books_two_equal_subunits() -> None:
    before, after = shared([([4, 4], [5, 3, 3]), ([4, 4], [5, 3, 3])])

    assert before == after == [[3, 1, 2], [2, 2, 1]]


@pytest.mark.rule("emlia.hits.subunit-quota")
def test_a_subunit_of_ten_takes_four_for_each_of_one_of_three() -> None:
    assert shared([([10, 3], [5]), ([9, 3], [4]), ([10, 3], [4])]) == [
        [[4], [1]],
        [[3], [1]],
        [[4], [0]],
    ]


@pytest.mark.rule("emlia.hits.group-order")
def test_the_largest_group_goes_first_wherever_it_stands_in_the_list() -> None:
    (matrix,) = shared([([8, 2, 1], [1, 10, 4])])

    assert matrix == [[1, 8, 3], [0, 2, 0], [0, 0, 1]]


def test_a_subunit_without_members_takes_none_and_is_not_the_smallest() -> None:
    (matrix, nobody) = shared([([4, 0, 2], [6]), ([0, 0], [6])])

    assert matrix == [[4], [0], [2]]
    assert nobody == [[0], [0]]


def test_a_unit_without_subunits_or_without_markers_shares_nothing() -> None:
    assert shared([([], [5]), ([3], [2]), ([], []), ([4, 2], [])]) == [[], [[2]], [], [[], []]]


@pytest.mark.parametrize("subunits", [1, 4, 5])
def test_as_many_members_as_there_can_be_are_one_to_one(subunits: int) -> None:
    (matrix,) = shared([([2**31 - 1] * subunits, [subunits + 1])])

    assert matrix == [[2], *[[1]] * (subunits - 1)]


@given(units)
def test_every_unit_shares_as_it_does_by_itself(army: list[Unit]) -> None:
    assert shared(army) == [one_by_one(members, hits) for members, hits in army]


def by_division(members: Sequence[int], hits: Sequence[int]) -> list[list[int]]:
    """The same in Python's whole numbers, for more markers than anyone could count."""
    smallest = min((count for count in members if count), default=1)
    quotas = [-(-count // smallest) for count in members]
    turn = max(sum(quotas), 1)

    def up_to(markers: int, row: int) -> int:
        rounds, rest = divmod(markers, turn)
        first = sorted(range(len(members)), key=lambda r: -members[r])
        ahead = sum(quotas[other] for other in first[: first.index(row)])
        return rounds * quotas[row] + min(max(rest - ahead, 0), quotas[row])

    begins, at = [0] * len(hits), 0
    for group in sorted(range(len(hits)), key=lambda g: -hits[g]):
        begins[group], at = at, at + hits[group]
    return [
        [up_to(at + count, row) - up_to(at, row) for at, count in zip(begins, hits, strict=True)]
        for row in range(len(members))
    ]


def test_thousands_of_units_of_all_shapes_and_sizes_share_as_each_does_by_itself() -> None:
    rng = np.random.default_rng(1815)
    army = []
    for _ in range(3_000):
        members = np.floor(2 ** rng.uniform(0, 31, rng.integers(1, 7))).astype(int) - 1
        hits = np.floor(2 ** rng.uniform(0, 28, rng.integers(0, 7))).astype(int) - 1
        army.append((members.tolist(), hits.tolist()))

    assert shared(army) == [by_division(members, hits) for members, hits in army]


@given(units)
def test_no_marker_is_made_or_lost_while_anyone_is_left(army: list[Unit]) -> None:
    for (members, hits), matrix in zip(army, shared(army), strict=True):
        taken = np.array(matrix).reshape(len(members), len(hits)).sum(axis=0).tolist()
        assert taken == (hits if any(members) else [0] * len(hits))


def test_hits_far_beyond_destruction_are_shared_out_too() -> None:
    (matrix,) = shared([([3, 1], [2**31 - 1])])

    assert matrix == [[1610612736], [536870911]]


def test_thread_count_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    army = [
        (rng.integers(1, 60, rng.integers(2, 5)).tolist(), rng.integers(0, 30, 2).tolist())
        for _ in range(20_000)
    ]
    found = []
    for threads in ("1", "2", "4"):
        monkeypatch.setenv("EMLIA3D_THREADS", threads)
        found.append(shared(army))

    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize(
    ("columns", "told"),
    [
        (([1.5], [0, 1], [0], [1], [0, 1]), "members need one row of whole numbers"),
        (([-1], [0, 1], [0], [1], [0, 1]), "members are whole numbers from 0"),
        (([1], [0, 2], [0], [1], [0, 1]), "member_offsets rise from 0 to 1"),
        (([1], [1, 1], [0], [1], [0, 1]), "member_offsets rise from 0 to 1"),
        (([1, 1], [0, 2, 1, 2], [0], [1], [0, 1, 1, 1]), "member_offsets rise from 0 to 2"),
        (([1], [0, 1], [0, 0], [1], [0, 1]), "damage and hits are of the same groups"),
        (([1], [0, 1], [0], [1], [0, 1, 1]), "are of the same units"),
        (([1], [0, 1], [0, 0], [2**31 - 1, 1], [0, 2]), "at most 2\\^31 - 1"),
    ],
)
def test_columns_that_do_not_fit_are_refused(columns: tuple[list[int], ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        allocate_hits(*columns)


def test_nobody_shares_nothing() -> None:
    assert shared([]) == []
    assert allocate_hits([], [0], [], [], [0]).tolist() == []


Suffering = tuple[list[tuple[int, int, int, int, int, int]], list[tuple[int, int]]]
"""Members, hits, limit, threshold, carried and suffered of its subunits; damage and hits."""

sufferings = st.lists(
    st.tuples(
        st.lists(
            st.tuples(
                st.integers(0, 9), st.integers(1, 6), st.integers(0, 4), st.integers(0, 5),
                st.integers(0, 7), st.integers(0, 30),
            ),
            min_size=1, max_size=4,
        ),
        st.lists(st.tuples(st.integers(0, 7), st.integers(0, 60)), max_size=3),
    ),
    max_size=8,
)  # fmt: skip


def suffered(army: Sequence[Suffering]) -> list[list[tuple[int, int, int, int]]]:
    """Points, members lost, damage kept and rolls of each subunit of each unit."""
    rows = np.array([row for rows, _ in army for row in rows], dtype=int).reshape(-1, 6).T
    groups = np.array([group for _, groups in army for group in groups], dtype=int).reshape(-1, 2)
    names = ("members", "hits", "limit", "threshold", "carried", "suffered")
    offsets = np.cumsum([0, *(len(rows) for rows, _ in army)])
    harm = resolve_hits(
        Targets(**dict(zip(names, rows, strict=True)), offsets=offsets),
        Markers(
            damage=groups[:, 0],
            hits=groups[:, 1],
            offsets=np.cumsum([0, *(len(groups) for _, groups in army)]),
        ),
    )
    columns = [column.tolist() for column in (harm.points, harm.lost, harm.carried, harm.rolls)]
    every = list(zip(*columns, strict=True))
    return [every[begin:end] for begin, end in itertools.pairwise(offsets.tolist())]


def suffered_step_by_step(
    rows: list[tuple[int, int, int, int, int, int]], groups: list[tuple[int, int]]
) -> list[tuple[int, int, int, int]]:
    """The book's words, hit by hit and point by point."""
    out = []
    matrix = one_by_one([row[0] for row in rows], [hits for _, hits in groups])
    for (members, hits, limit, threshold, carried, before), taken in zip(rows, matrix, strict=True):
        points = lost = rolls = 0
        for (damage, _), markers in zip(groups, taken, strict=True):
            points += markers // max(1, hits - damage)
        for point in range(points):
            if threshold and (before + point + 1) % threshold == 0:
                rolls += 1
        kept = carried + points
        while limit and kept >= limit and lost < members:
            kept -= limit
            lost += 1
        if limit and lost == members:
            kept = 0
        out.append((points, lost, kept, rolls))
    return out


@pytest.mark.rule("emlia.damage.per-group", "emlia.damage.points", "emlia.damage.modified-hits")
@given(sufferings)
def test_every_unit_suffers_as_it_does_hit_by_hit(army: list[Suffering]) -> None:
    assert suffered(army) == [suffered_step_by_step(rows, groups) for rows, groups in army]


@pytest.mark.rule("emlia.damage.points", "emlia.damage.per-group")
def test_the_books_points_are_made_by_each_group_for_itself() -> None:
    # (hits 3, 7 hits at 1), (hits 1, 4 hits at 1), (hits 3; 2 hits at 0 and 1 at 1)
    army: list[Suffering] = [
        ([(9, 3, 1, 0, 0, 0)], [(1, 7)]),
        ([(9, 1, 1, 0, 0, 0)], [(1, 4)]),
        ([(9, 3, 1, 0, 0, 0)], [(0, 2), (1, 1)]),
    ]

    assert [[row[0] for row in unit] for unit in suffered(army)] == [[3], [4], [0]]


@pytest.mark.rule("emlia.attr.damage-limit", "emlia.damage.carry", "emlia.attr.threshold")
def test_a_limit_costs_members_and_keeps_the_rest_and_a_threshold_asks_for_rolls() -> None:
    army: list[Suffering] = [
        ([(6, 1, 3, 0, 0, 0)], [(0, 5)]),
        ([(5, 1, 3, 0, 2, 3)], [(0, 1)]),
        ([(1, 1, 20, 0, 0, 0)], [(0, 9)]),
        ([(1, 1, 20, 0, 9, 9)], [(0, 11)]),
        ([(1, 1, 0, 10, 0, 0)], [(0, 30)]),
        ([(1, 1, 0, 10, 7, 17)], [(0, 5)]),
        ([(6, 1, 1, 0, 0, 0)], [(0, 50)]),
    ]

    # points, lost, kept, rolls
    assert [unit[0] for unit in suffered(army)] == [
        (5, 1, 2, 0),
        (1, 1, 0, 0),
        (9, 0, 9, 0),
        (11, 1, 0, 0),
        (30, 0, 30, 3),
        (5, 0, 12, 1),
        (50, 6, 0, 0),
    ]


@pytest.mark.rule("emlia.damage.per-group")
def test_markers_that_need_more_than_others_of_their_damage_make_points_by_themselves() -> None:
    harm = resolve_hits(
        Targets(members=[9], offsets=[0, 1], hits=3),
        Markers(damage=[1, 1], hits=[4, 4], offsets=[0, 2], needs=[2, 3]),
    )

    assert harm.points.tolist() == [3]


def test_any_number_of_threads_suffers_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    members, offsets = rng.integers(0, 30, 3000), np.arange(0, 3001, 3)
    targets = Targets(
        members=members, offsets=offsets, hits=rng.integers(1, 5, 3000), threshold=4,
        carried=rng.integers(0, 3, 3000), limit=rng.integers(0, 4, 3000),
    )  # fmt: skip
    markers = Markers(
        damage=rng.integers(0, 4, 2000), hits=rng.integers(0, 90, 2000), offsets=offsets // 3 * 2
    )
    whole = resolve_hits(targets, markers)
    monkeypatch.setattr(module, "_CHUNK", 77)

    for threads in ("1", "2", "4"):
        monkeypatch.setenv("EMLIA3D_THREADS", threads)
        harm = resolve_hits(targets, markers)

        for name in ("taken", "points", "lost", "carried", "rolls"):
            assert np.array_equal(getattr(harm, name), getattr(whole, name))


@pytest.mark.parametrize(
    ("needs", "told"), [([1], "needs: expected 2, one for each"), ([1, 0], "from 1 on")]
)
def test_needs_that_do_not_fit_are_refused(needs: list[int], told: str) -> None:
    targets = Targets(members=[3, 3], offsets=[0, 2])
    with pytest.raises(ValueError, match=told):
        resolve_hits(targets, Markers(damage=[0], hits=[5], offsets=[0, 1], needs=needs))


def test_a_limit_for_each_of_too_few_is_refused() -> None:
    with pytest.raises(ValueError, match="limit: expected one number, or 2"):
        resolve_hits(
            Targets(members=[3, 3], offsets=[0, 2], limit=[1]),
            Markers(damage=[0], hits=[5], offsets=[0, 1]),
        )


def test_without_more_said_nothing_was_carried_or_suffered_before() -> None:
    markers = Markers(damage=[0], hits=[2], offsets=[0, 1])

    plain = resolve_hits(Targets(members=[9], offsets=[0, 1]), markers)
    limited = resolve_hits(Targets(members=[9], offsets=[0, 1], limit=3), markers)
    tough = resolve_hits(Targets(members=[1], offsets=[0, 1], limit=0, threshold=3), markers)

    found = [
        (int(harm.points[0]), int(harm.lost[0]), int(harm.carried[0]), int(harm.rolls[0]))
        for harm in (plain, limited, tough)
    ]
    assert found == [(2, 2, 0, 0), (2, 0, 2, 0), (2, 0, 2, 0)]


@pytest.mark.parametrize(
    ("members", "offsets", "hits"),
    [([2**31], [0, 1], [1]), ([1], [], [1]), ([-1], [0, 1], [1]), ([1], [0, 1], [2**31])],
)
def test_whole_numbers_end_at_two_to_the_31st_less_one(
    members: list[int], offsets: list[int], hits: list[int]
) -> None:
    with pytest.raises(ValueError, match=r"whole numbers from 0 to 2\^31 - 1|rise from 0 to 1"):
        allocate_hits(members, offsets, [0], hits, [0, 1])
    largest = allocate_hits([2**31 - 1], [0, 1], [0], [2**31 - 1], [0, 1])
    assert largest.tolist() == [2**31 - 1]

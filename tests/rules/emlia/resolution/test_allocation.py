"""Hits shared out over whole armies, as the rule does it one unit at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.rules.emlia import allocate_hits

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


@pytest.mark.rule("emlia.hits.allocate", "emlia.hits.example-three")
def test_the_books_three_subunits() -> None:
    (matrix,) = shared([([8, 2, 1], [10, 4, 1])])

    assert matrix == [[8, 3, 1], [2, 0, 0], [0, 1, 0]]


@pytest.mark.rule("emlia.hits.subunit-ties", "emlia.hits.example-two")
def test_the_books_two_equal_subunits() -> None:
    before, after = shared([([4, 4], [5, 3, 3]), ([4, 4], [5, 3, 3])])

    assert before == after == [[3, 1, 2], [2, 2, 1]]


@given(units)
def test_every_unit_shares_as_it_does_by_itself(army: list[Unit]) -> None:
    assert shared(army) == [one_by_one(members, hits) for members, hits in army]


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
        (([1.5], [0, 1], [0], [1], [0, 1]), "members want one row of whole numbers"),
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

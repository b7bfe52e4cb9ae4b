"""Chains of tiles, compared with a plain search on random tiles."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.field.hexes import chains, is_one_chain, links, steps_between

Tile = tuple[int, int]


@pytest.mark.parametrize(
    ("tiles", "is_one"),
    [
        ([(0, 0), (2, 0), (4, 0)], True),
        ([(0, 0), (3, 0)], False),
        ([(4, 0), (0, 0), (2, 0)], True),
        ([(0, 0), (1, 1), (2, 2)], True),
        ([(0, 0)], True),
        ([], True),
    ],
)
def test_tiles_are_one_chain_if_steps_of_two_join_them(tiles: list[Tile], is_one: bool) -> None:
    assert is_one_chain(tiles, 2) is is_one


def searched(tiles: list[Tile], longest: int) -> list[int]:
    """The chain of each tile, found one tile at a time."""
    found = [-1] * len(tiles)
    for first in range(len(tiles)):
        if found[first] >= 0:
            continue
        number, waiting = max(found) + 1, [first]
        while waiting:
            here = waiting.pop()
            found[here] = number
            waiting += [
                other
                for other in range(len(tiles))
                if found[other] < 0 and steps_between(tiles[here], tiles[other]) <= longest
            ]
    return found


def compare(draw: np.random.Generator) -> None:
    tiles = draw.integers(0, 9, (draw.integers(0, 13), 2))
    longest = int(draw.integers(0, 4))

    assert chains(tiles, longest).tolist() == searched([tuple(tile) for tile in tiles], longest)


def test_chains_are_those_of_a_plain_search() -> None:
    draw = np.random.default_rng(2)
    for _ in range(300):
        compare(draw)


@pytest.mark.slow
def test_chains_are_those_of_a_plain_search_on_ten_thousand_boards() -> None:
    draw = np.random.default_rng(3)
    for _ in range(10_000):
        compare(draw)


def test_a_long_chain_in_any_order_is_one() -> None:
    row = np.column_stack((np.arange(0, 600, 2), np.zeros(300, dtype=int)))
    mixed = np.random.default_rng(1).permutation(row)

    assert is_one_chain(mixed, 2)
    assert chains(mixed, 1).tolist() == list(range(300))


def test_links_join_tiles_in_the_order_they_are_given() -> None:
    assert links([(0, 0), (5, 0), (2, 0), (4, 0)], 2).tolist() == [[0, 2], [1, 3], [2, 3]]
    assert links([], 2).shape == (0, 2)


def test_a_link_below_0_steps_is_refused() -> None:
    with pytest.raises(ValueError, match="a link is 0 steps or longer, not -1"):
        links([(0, 0)], -1)

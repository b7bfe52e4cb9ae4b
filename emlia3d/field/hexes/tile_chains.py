"""Chains of tiles: which tiles are connected by steps of a maximum length."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from emlia3d.field.hexes.axial import as_tiles, steps_between
from emlia3d.field.hexes.hex_board import HexBoard


def links(tiles: ArrayLike, longest: int) -> NDArray[np.int64]:
    """Return the pairs of tiles that are at most *longest* steps apart.

    tiles : (tiles, 2) integers

    Returns
    -------
    (pairs, 2) int64
        Places in *tiles*, the smaller first, in ascending order.
    """
    return np.argwhere(np.triu(_is_near(tiles, longest), k=1)).astype(np.int64)


def chains(tiles: ArrayLike, longest: int) -> NDArray[np.int64]:
    """Return the chain of each tile; links of at most *longest* steps join the tiles of a chain.

    tiles : (tiles, 2) integers

    Returns
    -------
    (tiles,) int64
        The number of its chain. Chains are numbered from 0 in the order of their first tiles.
    """
    is_near = _is_near(tiles, longest)
    count = len(is_near)
    first = np.arange(count)
    while count:
        # The earliest tile that is known to be in the chain passes on to all links at once.
        earlier = np.where(is_near, first[None, :], count).min(axis=1)
        earlier = earlier[earlier]
        if (earlier == first).all():
            break
        first = earlier
    return np.unique(first, return_inverse=True)[1].astype(np.int64).reshape(count)


def is_one_chain(tiles: ArrayLike, longest: int) -> bool:
    """Return whether links of at most *longest* steps join all tiles; True without tiles.

    tiles : (tiles, 2) integers
    """
    return not chains(tiles, longest).any()


def sizes_of_chains(
    board: HexBoard, is_member: NDArray[np.bool_], longest: int
) -> NDArray[np.int64]:
    """Return the number of tiles in the chain of each tile; 0 for tiles that are not members.

    is_member : (tiles,) whether each tile of the board may be in a chain

    Returns
    -------
    (tiles,) int64
    """
    sizes = np.zeros(len(board), dtype=np.int64)
    left = is_member.copy()
    while left.any():
        chain = np.zeros(len(board), dtype=np.bool_)
        frontier = np.flatnonzero(left)[:1]
        while frontier.size:
            chain[frontier] = True
            near = frontier
            for _ in range(longest):
                beside = board.neighbours[near].reshape(-1)
                near = np.union1d(near, beside[beside >= 0])
            frontier = near[is_member[near] & ~chain[near]]
        sizes[chain] = np.count_nonzero(chain)
        left &= ~chain
    return sizes


def _is_near(tiles: ArrayLike, longest: int) -> NDArray[np.bool_]:
    """Return whether each tile is at most *longest* steps from each, (tiles, tiles).

    Raises
    ------
    ValueError
        Steps below 0.
    """
    if longest < 0:
        raise ValueError(f"a link is 0 steps or longer, not {longest}")
    at = as_tiles(tiles).reshape(-1, 2)
    return steps_between(at[:, None, :], at[None, :, :]) <= longest

"""Deterministic positions of the trees, houses and boulders of features."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from emlia3d.view.moment.scene import DrawnGround, Patch
from emlia3d.view.panda.noise import fraction

Floats: TypeAlias = NDArray[np.float64]

NATURAL_M = {
    "conifer": 9.6,
    "broadleaf": 7.6,
    "apple": 4.0,
    "bush": 1.6,
    "rock": 1.0,
    "house_tile": 6.2,
    "house_slate": 6.2,
    "house_thatch": 6.2,
    "tent": 2.4,
}
HOUSES = ("house_tile", "house_slate", "house_thatch")
HOUSE_SIZE_M = (8.0, 12.0)
TREE_GAP_M, TREE_GAP = 5.2, 0.62  # at most, and as a share of a tree's height
TENT_GAP_M, TENT_STREET_M = 5.4, 17.0
RUBBLE_GAP_M = 1.5
MOST_TREES = 9000  # a wood; wider gaps beyond that


@dataclass(frozen=True, slots=True, eq=False)
class Props:
    """Copies of one model: two rows each, (n, 8) float32.

    The rows are x, y, facing in radians, ground; and stretch in x, y and z, variation of colour.
    """

    name: str
    rows: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)

    def places(self) -> NDArray[np.float32]:
        """Their feet, (n, 3), metres."""
        return self.rows[:, [0, 1, 3]]

    def heights(self) -> NDArray[np.float32]:
        """Their heights, (n,), metres."""
        return np.asarray(self.rows[:, 6] * np.float32(NATURAL_M[self.name]))


def place_all(terrain: DrawnGround) -> dict[str, Props]:
    """Return every prop of a terrain, by model."""
    found: dict[str, list[NDArray[np.float32]]] = defaultdict(list)
    clear = [
        patch for patch in terrain.patches if patch.kind in ("road", "track", "stream", "river")
    ]
    for patch in terrain.patches:
        planter = _PLANTERS.get(patch.kind)
        if planter is None:
            continue
        for name, x, y, facing, stretch, vary in planter(patch):
            keep = np.ones(len(x), bool)
            if name not in HOUSES:
                for lane in clear:
                    keep &= ~inside(lane, x, y)
            ground = terrain.heights(x, y)
            rows = np.column_stack([x, y, facing, ground, stretch, np.full(len(x), vary)]).astype(
                np.float32
            )
            found[name].append(rows[keep])
    return {name: Props(name, np.concatenate(parts)) for name, parts in found.items()}


def inside(patch: Patch, x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Return which points are inside a patch and outside its holes, (n,) bool."""
    within = np.zeros(len(x), bool)
    for ring in patch.outline_m:
        x0, y0 = ring[:, 0], ring[:, 1]
        x1, y1 = np.roll(x0, -1), np.roll(y0, -1)
        for ax, ay, bx, by in zip(x0, y0, x1, y1, strict=True):
            if ay != by:
                crosses = ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
                within ^= crosses
    return within


def centre_and_turn(patch: Patch) -> tuple[Floats, float, Floats]:
    """Return the centre, the bearing of the longest edge, and the extents; metres and radians."""
    ring = patch.outline_m[0]
    edges = np.roll(ring, -1, axis=0) - ring
    along = edges[int(np.argmax((edges**2).sum(axis=1)))]
    along = along / max(float(np.hypot(*along)), 1e-9)
    across = np.array([along[1], -along[0]])
    spread = np.stack([ring @ across, ring @ along], axis=1)
    low, high = spread.min(axis=0), spread.max(axis=0)
    middle = (low + high) / 2
    centre = across * middle[0] + along * middle[1]
    return centre, float(np.arctan2(along[0], along[1])), high - low


Planting: TypeAlias = Iterator[tuple[str, Floats, Floats, Floats, Floats, float]]


def _spread(patch: Patch, gap: float, jitter: float) -> tuple[Floats, Floats, Floats]:
    """Return points in a patch about `gap` apart, with a number in [0, 1) for each."""
    ring = patch.outline_m[0]
    low, high = ring.min(axis=0), ring.max(axis=0)
    gap = max(gap, float(np.sqrt(np.prod(high - low) / MOST_TREES)))
    column, row = np.meshgrid(
        np.arange(int(low[0] // gap), int(high[0] // gap) + 1),
        np.arange(int(low[1] // gap), int(high[1] // gap) + 1),
    )
    east, north = column.ravel(), row.ravel()
    own = fraction(east, north, patch.seed + 2)
    x = (east + 0.5 + jitter * (fraction(east, north, patch.seed) - 0.5)) * gap
    y = (north + 0.5 + jitter * (fraction(east, north, patch.seed + 1) - 0.5)) * gap
    keep = inside(patch, x, y)
    return x[keep], y[keep], own[keep]


def _trees(patch: Patch) -> Planting:
    """Return the trees of a wood: oaks, with spruces standing together."""
    height = patch.height_m or 9.0
    x, y, own = _spread(patch, min(TREE_GAP_M, TREE_GAP * height), 0.85)
    clump = fraction((x // 34).astype(int), (y // 34).astype(int), patch.seed + 9)
    spruce = own * 0.5 + clump * 0.5 > 0.62
    for name, chosen in (("conifer", spruce), ("broadleaf", ~spruce)):
        size = height / NATURAL_M[name] * (0.78 + 0.42 * ((own[chosen] * 7.7) % 1))
        stretch = np.column_stack([size, size, size])
        yield name, x[chosen], y[chosen], own[chosen] * 50 % 6.28, stretch, 1.0


def _orchard(patch: Patch) -> Planting:
    """Return apple trees in rows."""
    _, bearing, _ = centre_and_turn(patch)
    ring = patch.outline_m[0]
    middle = ring.mean(axis=0)
    reach = float(np.hypot(*(ring.max(axis=0) - ring.min(axis=0)))) / 2
    steps = np.arange(-reach, reach + 1, 7.0)
    across, along = (grid.ravel() for grid in np.meshgrid(steps, steps))
    x = middle[0] + across * np.cos(bearing) + along * np.sin(bearing)
    y = middle[1] - across * np.sin(bearing) + along * np.cos(bearing)
    keep = inside(patch, x, y)
    x, y = x[keep], y[keep]
    own = fraction(x.astype(int), y.astype(int), patch.seed)
    size = (patch.height_m or 4.0) / NATURAL_M["apple"] * (0.85 + 0.3 * own)
    yield "apple", x, y, own * 6.28, np.column_stack([size, size, size]), 1.0


def _bushes(patch: Patch) -> Planting:
    x, y, own = _spread(patch, 4.4, 0.95)
    keep = own < 0.62
    size = (patch.height_m or 1.6) / NATURAL_M["bush"] * (0.6 + 0.7 * ((own[keep] * 5.3) % 1))
    stretch = np.column_stack([size * 1.1, size * 1.1, size])
    yield "bush", x[keep], y[keep], own[keep] * 20, stretch, 1.0


def _reeds(patch: Patch) -> Planting:
    x, y, own = _spread(patch, 6.5, 0.95)
    keep = own < 0.35
    size = 0.35 + 0.3 * ((own[keep] * 5.3) % 1)
    yield "bush", x[keep], y[keep], own[keep] * 20, np.column_stack([size, size, size * 1.3]), 1.0


def _tree(patch: Patch) -> Planting:
    middle = patch.outline_m[0].mean(axis=0)
    name = "conifer" if patch.seed % 3 == 2 else "broadleaf"
    size = (patch.height_m or 8.0) / NATURAL_M[name]
    stretch = np.full((1, 3), size)
    yield name, middle[:1], middle[1:], np.array([patch.seed * 1.7]), stretch, 1.0


def _rock(patch: Patch) -> Planting:
    """Return a boulder in the outline, and a few stones around it."""
    centre, bearing, size = centre_and_turn(patch)
    height = patch.height_m or 2.0
    stretch = np.array([[size[0] / 2, size[1] / 2, height]])
    yield "rock", centre[:1], centre[1:], np.array([bearing]), stretch, 0.35
    number = np.arange(5)
    turn, reach, bulk = (fraction(number, np.full(5, part), patch.seed + 3) for part in range(3))
    x = centre[0] + np.cos(turn * 6.28) * size[0] * (0.42 + 0.25 * reach)
    y = centre[1] + np.sin(turn * 6.28) * size[1] * (0.42 + 0.25 * reach)
    own = (0.15 + 0.35 * bulk) * min(height, 2.0) * 0.5
    yield "rock", x, y, turn * 6.28, np.column_stack([own * 1.4, own, own * 1.2]), 0.35


def _house(patch: Patch) -> Planting:
    """Return a house that fills the outline."""
    centre, bearing, size = centre_and_turn(patch)
    name = HOUSES[patch.seed % len(HOUSES)]
    stretch = np.array(
        [[size[0] / HOUSE_SIZE_M[0], size[1] / HOUSE_SIZE_M[1], (patch.height_m or 6.0) / 6.2]]
    )
    yield name, centre[:1], centre[1:], np.array([bearing]), stretch, 0.35


def _village(patch: Patch) -> Planting:
    """Return houses along lanes, slightly rotated."""
    x, y, own = _spread(patch, 23.0, 0.45)
    _, bearing, _ = centre_and_turn(patch)
    kind = (own * 97 % len(HOUSES)).astype(int)
    for number, name in enumerate(HOUSES):
        chosen = kind == number
        share = own[chosen]
        turn = bearing + np.where(share * 31 % 1 > 0.5, np.pi / 2, 0) + (share - 0.5) * 0.3
        size = (patch.height_m or 6.0) / 6.2 * (0.85 + 0.3 * (share * 13 % 1))
        stretch = np.column_stack([size, size * (0.8 + 0.4 * (share * 7 % 1)), size])
        yield name, x[chosen], y[chosen], turn, stretch, 0.35


def _camp(patch: Patch) -> Planting:
    """Return tents in streets with facing doorways; some are missing."""
    _, bearing, _ = centre_and_turn(patch)
    ring = patch.outline_m[0]
    middle = ring.mean(axis=0)
    reach = float(np.hypot(*(ring.max(axis=0) - ring.min(axis=0)))) / 2
    across, along = (
        grid.ravel()
        for grid in np.meshgrid(
            np.arange(-reach, reach, TENT_GAP_M), np.arange(-reach, reach, TENT_STREET_M / 2)
        )
    )
    row = np.rint((along + reach) / (TENT_STREET_M / 2)).astype(int)
    along = along + np.where(row % 2 == 0, -0.6, 0.6)
    x = middle[0] + across * np.cos(bearing) + along * np.sin(bearing)
    y = middle[1] - across * np.sin(bearing) + along * np.cos(bearing)
    own = fraction(np.floor(x).astype(int), np.floor(y).astype(int), patch.seed)
    keep = inside(patch, x, y) & (own < 0.93)
    own = own[keep]
    turn = bearing + np.where(row[keep] % 2 == 0, 0.0, np.pi) + (own - 0.5) * 0.12
    size = (patch.height_m or 2.4) / NATURAL_M["tent"] * (0.94 + 0.12 * (own * 13 % 1))
    yield "tent", x[keep], y[keep], turn, np.column_stack([size, size, size]), 0.25


def _rubble(patch: Patch) -> Planting:
    """Return stones that fell from the walls of a ruin."""
    x, y, own = _spread(patch, RUBBLE_GAP_M, 0.95)
    keep = own < 0.55
    size = 0.12 + 0.3 * ((own[keep] * 7.7) % 1) ** 2
    stretch = np.column_stack([size * 1.3, size, size * 0.9])
    yield "rock", x[keep], y[keep], own[keep] * 40, stretch, 0.35


_PLANTERS: dict[str, Callable[[Patch], Planting]] = {
    "wood": _trees,
    "orchard": _orchard,
    "scrub": _bushes,
    "marsh": _reeds,
    "tree": _tree,
    "rock": _rock,
    "building": _house,
    "farm": _house,
    "village": _village,
    "camp": _camp,
    "ruin": _rubble,
}

"""Masonry under raised units without a drawn support."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from emlia3d.view.moment.scene import Banner, DrawnGround, Patch
from emlia3d.view.panda.land.placing import inside

LEAST_LIFT_M = 0.3
LEDGE_M = 0.9  # beyond the unit's own outline
ENOUGH = 0.6  # relative to the lift; a feature of this height supports the unit


def stood_on(banners: Sequence[Banner], terrain: DrawnGround) -> tuple[Patch, ...]:
    """Return a block for each raised unit without a drawn support."""
    return tuple(
        _block(banner)
        for banner in banners
        if banner.lift_m >= LEAST_LIFT_M
        and not banner.aloft
        and banner.outline_m is not None
        and len(banner.outline_m) >= 3
        and not _on_a_feature(banner, terrain)
    )


def same_blocks(one: tuple[Patch, ...], two: tuple[Patch, ...]) -> bool:
    """Return whether blocks and positions are equal."""
    return len(one) == len(two) and all(
        a.height_m == b.height_m and np.array_equal(a.outline_m[0], b.outline_m[0])
        for a, b in zip(one, two, strict=True)
    )


def _block(banner: Banner) -> Patch:
    assert banner.outline_m is not None
    ring = np.asarray(banner.outline_m, np.float64)
    off = ring - ring.mean(axis=0)
    ledge = off / np.maximum(np.linalg.norm(off, axis=1, keepdims=True), 1e-9) * LEDGE_M * 1.4
    return Patch(kind="wall", outline_m=(ring + ledge,), height_m=banner.lift_m, seed=banner.team)


def _on_a_feature(banner: Banner, terrain: DrawnGround) -> bool:
    x, y = np.array([banner.x_m]), np.array([banner.y_m])
    return any(
        patch.height_m >= ENOUGH * banner.lift_m and bool(inside(patch, x, y)[0])
        for patch in terrain.patches
    )

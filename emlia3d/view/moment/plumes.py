"""Smoke over damaged bodies and wrecks."""

from __future__ import annotations

from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.base_heights import lift_m
from emlia3d.view.moment.figures import height_m
from emlia3d.view.moment.morale_bands import damage_share
from emlia3d.view.moment.scale import block_m
from emlia3d.view.moment.scene import DrawnGround, Plume

FROM_TOP = 0.8
"""Height of the smoke's source, relative to the body's height."""


def plumes_of(setup: Setup, state: State, terrain: DrawnGround) -> tuple[Plume, ...]:
    """Return a plume for each damaged body on the field and each wreck."""
    plumes = []
    for unit in range(len(setup.units)):
        share = damage_share(state, unit)
        if share:
            x, y = block_m(setup, state, unit).mean(axis=0).tolist()
            tall = FROM_TOP * height_m(setup.units[unit].muster.troops, setup.field.scale)
            up = lift_m(setup, state, unit) + (tall if share < 1 else tall / 2)
            plumes.append(Plume(start=(x, y, terrain.height(x, y) + up), share=share, size_m=tall))
    return tuple(plumes)

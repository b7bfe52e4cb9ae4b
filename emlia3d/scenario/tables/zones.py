"""Checks that units start in the deployment zones of their sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from emlia3d.battle.setup import Outline, Side, deployment_zone
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.messages import listed
from emlia3d.scenario.tables.starting import StartingPlace


def look_at_zones(
    collector: ErrorCollector,
    sides: Mapping[int, Side],
    units: Sequence[StartingPlace],
    areas: Mapping[str, Outline | None],
) -> None:
    """Report every unit, except reinforcements, that starts outside its side's zone.

    areas : outlines of areas and features; None for an invalid one
    """
    for number, side in sides.items():
        zones = [found for name in side.deploys if (found := areas.get(name)) is not None]
        if not zones or len(zones) < len(side.deploys):
            continue
        zone = deployment_zone(zones)
        for unit in units:
            if unit.side == number and not unit.arrives and not zone.covers(unit.shape):
                told = (
                    f"{unit.name} starts at least partly outside {listed(side.deploys)}, "
                    f"where {side.name} deploys; move it inside"
                )
                collector.wrong(unit.place, told)

"""True if every unit starts in the zone in which its side deploys."""

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
    """Note every unit that does not start wholly in its side's zone; who arrives later may.

    areas : outlines of areas and features; None for one that is wrong
    """
    for number, side in sides.items():
        zones = [found for name in side.deploys if (found := areas.get(name)) is not None]
        if not zones or len(zones) < len(side.deploys):
            continue
        zone = deployment_zone(zones)
        for unit in units:
            if unit.side == number and not unit.arrives and not zone.covers(unit.shape):
                told = (
                    f"{unit.name} does not start wholly in {listed(side.deploys)}, where "
                    f"{side.name} deploys; move it in"
                )
                collector.wrong(unit.place, told)

"""Whether every unit starts in the zone in which its side deploys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from emlia3d.battle.setup import Outline, Side, UnitSetup, deployment_zone
from emlia3d.scenario.ledger import Ledger
from emlia3d.scenario.words import listed


def look_at_zones(
    ledger: Ledger,
    sides: Sequence[Side],
    units: Sequence[UnitSetup],
    areas: Mapping[str, Outline],
) -> None:
    """Note every unit that does not start wholly in its side's zone; who arrives later may.

    areas : outlines of areas and features
    """
    rows = ledger.names("unit")
    for number, side in enumerate(sides):
        zones = [areas[name] for name in side.deploys if name in areas]
        if not zones or len(zones) < len(side.deploys):
            continue
        zone = deployment_zone(zones)
        for unit in units:
            if unit.muster.side != number or unit.arrives:
                continue
            if not zone.covers(unit.starts_in):
                told = (
                    f"{unit.name} does not start wholly in {listed(side.deploys)}, where "
                    f"{side.name} deploys; move it in"
                )
                key = "outline" if unit.outline else "at"
                ledger.wrong(("unit", rows[unit.name], key), told)

"""``[cameras]``: named views of the battle."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.setup import Viewpoint
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.file_model import CameraTable
from emlia3d.scenario.toml_lines import Path


def read_cameras(collector: ErrorCollector) -> tuple[Viewpoint, ...]:
    """Return every valid camera."""
    given = collector.document.data.get("cameras", {})
    found = []
    for name in given if isinstance(given, Mapping) else ():
        place: Path = ("cameras", name)
        table, wrong = collector.salvage(CameraTable, place)
        if table is None or not _one_kind(collector, place, table, wrong):
            continue
        found.append(
            Viewpoint(
                name=name,
                eye=_spot(table.from_),
                look_at=_spot(table.at),
                angle_deg=table.angle,
                unit=table.unit,
            )
        )
    return tuple(found)


def _one_kind(
    collector: ErrorCollector, place: Path, table: CameraTable, wrong: frozenset[str]
) -> bool:
    """Return whether a camera has either its two points or a known unit."""
    known = table.unit is None or collector.known(
        (*place, "unit"), "unit", table.unit, collector.names("unit")
    )
    if wrong & {"from", "at", "angle", "unit"}:
        return False
    if table.unit is not None:
        if table.from_ is None and table.at is None and table.angle is None:
            return known
    elif table.from_ is not None and table.at is not None:
        return True
    collector.wrong(place, "a camera needs from and at, or unit")
    return False


def _spot(given: tuple[float, ...] | None) -> tuple[float, float, float] | None:
    """Return a point with its height above the ground, 0 by default."""
    if given is None:
        return None
    east, north, *height = given
    return east, north, height[0] if height else 0.0

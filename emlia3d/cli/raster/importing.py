"""A scenario from a raster of elevations and vector maps."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from emlia3d.cli.raster.raster_options import numbers
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import Error, FileError, quoted
from emlia3d.field import Reading, Scale
from emlia3d.scenario import import_terrain, importing
from emlia3d.scenario.import_terrain import LayerReport
from emlia3d.scenario.import_text import counted
from emlia3d.scenario.importing import ImportedField

SCALE = Scale().metres_per_gsu
"""Default number of metres per GSU."""


def import_scenario(  # noqa: PLR0913  the options of the command
    raster: str,
    *,
    out: Path,
    terrain: Sequence[str],
    size: str,
    centre: str | None,
    crs: str | None,
    scale: float | None,
    title: str | None,
    armies: bool,
    mend: bool,
    force: bool,
    band: int | None,
    unit: str | None,
    nodata: float | None,
    cell: float | None,
) -> None:
    """Answer ``emlia3d import RASTER --out FILE.toml``."""
    check_writable(out, (".toml",), "scenarios")
    ground = importing.ground_file(out)
    if ground.exists() and Path(raster).exists() and ground.samefile(raster):
        raise FileError(f"{out}: {ground.name} is the raster itself; choose another name")
    importing.refuse_existing(out, force=force)
    if crs is not None and centre is None:
        raise Error("--crs: only with --centre, whose reference system it is")
    x, y = (None, None) if centre is None else numbers("--centre", centre, "X,Y")
    found = importing.import_field(
        Path(raster),
        [import_terrain.TerrainSource.parsed(one) for one in terrain],
        title=_title(out.stem if title is None else title),
        size_m=_size(size),
        centre=None if x is None or y is None else (x, y),
        crs=crs,
        metres_per_gsu=SCALE if scale is None else scale,
        reading=Reading(band, unit, nodata),
        cell_m=cell,
        mend=mend,
    )
    for note in found.cut.notes:
        echo(f"{raster}: {note}", err=True)
    ground = importing.write_field(found, out, force=force, armies=armies)
    for line in _report(found, out, ground):
        echo(line)


def _size(given: str) -> tuple[float, float]:
    found = re.fullmatch(r"([\d.]+)(?:[xX]([\d.]+))?", given.strip())
    try:
        width = float(found[1]) if found else math.nan
        height = float(found[2] or found[1]) if found else math.nan
    except ValueError:
        width = height = math.nan
    if not (math.isfinite(width) and math.isfinite(height)):
        raise Error(f"--size: expected metres such as 2000 or 2000x1500, got {quoted(given)}")
    return width, height


def _title(given: str) -> str:
    if not given.isprintable() or not given.strip() or len(given) > 200:
        raise Error(f"--title: expected up to 200 printable characters, got {quoted(given)}")
    return given


def _report(found: ImportedField, out: Path, ground: Path) -> Iterator[str]:
    """Yield the report: position, scale, relief, terrain and omitted features."""
    x, y = found.cut.centre
    where = "" if found.crs is None else f" ({found.crs})"
    yield f"{out}: {_metres(found.cut.size_m)} around {x:.10g},{y:.10g}{where}"
    yield from _rounded(found)
    east, north = found.size
    yield f"Scale    {found.scale.metres_per_gsu:g} m per GSU: {east:.7g} x {north:.7g} GSU"
    low, high = found.heights_m
    read = ", read at new centres" if found.cut.resampled else ""
    yield (
        f"Relief   {high - low:.1f} m, from {low:.1f} to {high:.1f} m, in cells of "
        f"{found.cut.cell_m:.4g} m{read} ({ground.name})"
    )
    kinds = Counter(feature.kind for feature in found.features)
    yield f"Terrain  {counted(kinds) or 'none'}"
    for layer in found.layers:
        yield f"         {_of_layer(layer)}"


def _rounded(found: ImportedField) -> Iterator[str]:
    """Yield the changes of size and centre from rounding to cells, if a metre or more."""
    moved = math.hypot(*found.moved_m)
    sides = zip(found.cut.size_m, found.wanted_m, strict=True)
    parts = [f"{_metres(found.wanted_m)} wanted"] * any(abs(a - b) >= 1 for a, b in sides)
    parts += [f"centre moved by {moved:.0f} m"] * (moved >= 1)
    if parts:
        yield f"         rounded to whole cells: {', '.join(parts)}"


def _of_layer(layer: LayerReport) -> str:
    """Return the result for the features of a layer."""
    if not layer.features:
        return f"{layer.name}: it has no features"
    parts = [f"{layer.features} feature{'' if layer.features == 1 else 's'}"]
    if not layer.outlines:
        parts.append("no terrain on the field")
    if layer.off:
        parts.append(f"{layer.off} off the field")
    parts += [f"{number} left out ({why})" for why, number in layer.left_out.most_common()]
    return f"{layer.name}: {', '.join(parts)}"


def _metres(size_m: tuple[float, float]) -> str:
    return f"{size_m[0]:,.7g} x {size_m[1]:,.7g} m"

"""Viewsheds of a raster, in words, in JSON and in files."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import emlia3d
from emlia3d.atomic_write import atomic_write
from emlia3d.cli.area_files import check_area_files, is_tiff
from emlia3d.cli.parameters import EYE_M
from emlia3d.cli.raster.raster_options import (
    Observers,
    RasterOptions,
    RasterViewshedOptions,
    about,
    curvature_of,
    numbers,
    progress_on,
)
from emlia3d.cli.writing import check_writable, echo
from emlia3d.dem.categories import LEVELS
from emlia3d.dem.limits import Limits
from emlia3d.dem.viewshed_kinds import Show
from emlia3d.dem.visible_ground import DemViewshed, no_data_of, viewshed
from emlia3d.errors import Error
from emlia3d.field.geotiff_writing import write_geotiff

_VECTORS = (".gpkg", ".geojson")

_LAYERS = {
    Show.LEVELS: "0 seen, 1 seen in part, 2 hidden",
    Show.COUNTS: "number of observers that see the target",
    Show.PROPORTION: "proportion of observers that see the target",
    Show.EACH: "a layer for each observer: 0 seen, 1 seen in part, 2 hidden",
    Show.LEAST: "the smallest height above the ground that shows, m",
    Show.SHARE: "share of the target that shows",
    Show.ANGLE: "angle of the target above the horizontal, degrees",
}


def show_raster(  # noqa: PLR0913  the options of the command
    source: str,
    options: RasterViewshedOptions,
    *,
    cell: float | None,
    show: Show,
    out: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Answer ``emlia3d viewshed RASTER --from X,Y``."""
    check_area_files(out, picture, show)
    _check_outputs(options, show, out)
    curvature = curvature_of(options.curvature, options.refraction)
    limits = _limits(options)
    limits.check()
    model = RasterOptions(source, options.band, options.unit, cell, options.nodata).model()
    eye = EYE_M if options.eye is None else options.eye
    observers = Observers(
        options.places, options.file, options.every, eye, options.crs, options.absolute
    ).stations(model)
    with progress_on(source) as progress:
        found = viewshed(
            model, observers, EYE_M if options.target is None else options.target,
            show=show, curvature=curvature, limits=limits, progress=progress,
        )  # fmt: skip
    if out is not None:
        _write(out, found, cloud_optimized=options.cloud_optimized)
    if picture is not None:
        from emlia3d.view.plans.dem_map import draw_viewshed  # noqa: PLC0415  to draw only

        draw_viewshed(found, picture)
    if options.polygons is not None:
        from emlia3d.dem.polygons import write_polygons  # noqa: PLC0415  needs an extra

        write_polygons(options.polygons, found)
    if as_json:
        echo(json.dumps(to_json(found), ensure_ascii=False))
        return
    echo(_in_words(found))
    if out is not None:
        echo(f"{out}: {_LAYERS[show]}")
    if picture is not None:
        echo(f"{picture}: a map of what is seen")
    if options.polygons is not None:
        echo(f"{options.polygons}: polygons of ground that is seen, seen in part and hidden")


def to_json(found: DemViewshed) -> dict[str, Any]:
    """Return the answer as plain JSON values."""
    model = found.model
    rows, columns = model.shape
    west, south, east, north = model.bounds
    limits = found.limits
    return {
        **about(model),
        "observers": len(found.observers),
        "target_m": found.target_m,
        "refraction": None if found.curvature is None else found.curvature.refraction,
        "limits": {
            "min_m": limits.min_m,
            "max_m": None if math.isinf(limits.max_m) else limits.max_m,
            "sector": limits.sector,
            "pitch": limits.pitch,
        },
        "rows": rows,
        "columns": columns,
        "cell_m": list(model.spacing_m),
        "extent": {"west": west, "south": south, "east": east, "north": north},
        "cells": found.asked,
        "visible": found.visible,
        "visible_share": found.visible / found.asked,
        "visible_km2": _square_km(found),
    }


def _check_outputs(options: RasterViewshedOptions, show: Show, out: Path | None) -> None:
    """Raise Error if an output file cannot be written; call it before reading input."""
    check_writable(options.polygons, _VECTORS, "polygons")
    if options.cloud_optimized and not is_tiff(out):
        raise Error("--cog: name a GeoTIFF with --out FILE.tif")
    if options.polygons is not None and show is not Show.LEVELS:
        raise Error(f"--polygons: drawn of levels; leave out --show {show}")


def _limits(options: RasterViewshedOptions) -> Limits:
    sector = options.sector and numbers("--sector", options.sector, "FROM,TO")
    pitch = options.pitch and numbers("--pitch", options.pitch, "LOW,HIGH")
    return Limits(
        0.0 if options.min_distance is None else options.min_distance,
        math.inf if options.max_distance is None else options.max_distance,
        (sector[0], sector[1]) if sector else None,
        (pitch[0], pitch[1]) if pitch else None,
    )


def _write(out: Path, found: DemViewshed, *, cloud_optimized: bool) -> None:
    model, show, kind = found.model, found.show, out.suffix.lower()
    if kind == ".npy":
        values = found.values if show is Show.EACH else found.values[0]
        with atomic_write(out) as fresh:
            np.save(fresh, values, allow_pickle=False)
    else:
        values = _as_written(found)
        write_geotiff(
            out,
            values,
            crs=model.crs,
            transform=model.transform,
            names=_names(found) if show is Show.EACH else [_LAYERS[show]],
            tags={
                "emlia3d": emlia3d.__version__,
                "raster": Path(model.name).name,
                "observers": str(len(found.observers)),
                "target_m": f"{found.target_m:g}",
            },
            nodata=no_data_of(values),
            categories=LEVELS if show is Show.LEVELS else (),
            cloud_optimized=cloud_optimized,
        )


def _as_written(found: DemViewshed) -> NDArray[Any]:
    """Return values in their smallest data type; infinite heights become nodata."""
    values = found.values
    if found.show is Show.COUNTS and len(found.observers) < 2**15:
        return values.astype(np.int16)
    if found.show is Show.LEAST:
        return np.where(np.isinf(values), np.nan, values).astype(np.float32)
    return values


def _names(found: DemViewshed) -> list[str]:
    return [f"{eye.x:.10g},{eye.y:.10g},{eye.height:g}" for eye in found.observers]


def _square_km(found: DemViewshed) -> float:
    return found.visible * math.prod(found.model.spacing_m) / 1e6


def _in_words(found: DemViewshed) -> str:
    count = len(found.observers)
    who = "The observer sees" if count == 1 else f"The {count} observers together see"
    what = "the ground" if found.target_m == 0 else f"a target {found.target_m:g} m high"
    share = found.visible / found.asked if found.asked else 0.0
    rows, columns = found.model.shape
    east, north = found.model.spacing_m
    cells = f"{columns} x {rows} cells of {east:.4g} x {north:.4g} m"
    partly = ""
    if found.show is Show.LEVELS and found.target_m > 0:
        whole = int(np.count_nonzero(found.values[0] == 0))
        partly = f", {whole / max(found.asked, 1):.1%} whole"
    return (
        f"{who} {what} on {share:.1%} of the raster ({_square_km(found):.4g} km2, {cells}){partly}."
    )

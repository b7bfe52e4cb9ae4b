"""Options that several commands about rasters of elevations have, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EYE_M = 1.7
"""Height of an observer's eye, and of a target, above the ground if none is given, metres."""

Raster = Annotated[
    str, typer.Argument(metavar="RASTER", help="A raster of elevations (.tif, .hgt...).")
]
Source = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO|BATTLE|RASTER",
        help="A scenario file, a bundled scenario, a battle file, or a raster of elevations "
        "(.tif, .hgt...).",
    ),
]
From = Annotated[
    list[str] | None,
    typer.Option(
        "--from",
        metavar="X,Y[,H]",
        help="An observer: its place in the coordinates of the raster, and its eye's height, m.",
    ),
]
ObserversFile = Annotated[
    Path | None,
    typer.Option("--observers", metavar="FILE", help="Observers: .csv, .geojson, .gpkg, .shp."),
]
Observing = Annotated[
    list[str] | None,
    typer.Option(
        "--observers",
        metavar="FILE|NAME|X,Y[,H]",
        help="On a raster, a file of observers (.csv, .geojson, .gpkg, .shp). In a scenario, a "
        "unit, a side or a place; may be repeated.",
    ),
]
Every = Annotated[float | None, typer.Option(metavar="METRES", help="Observers on a grid.")]
Absolute = Annotated[
    bool, typer.Option("--absolute", help="Heights of eyes are above the raster's zero.")
]
Crs = Annotated[
    str | None,
    typer.Option(metavar="EPSG:N", help="Reference system of places. [default: the raster's]"),
]
Band = Annotated[int | None, typer.Option(min=1, help="Number of the band to read.")]
Unit = Annotated[str | None, typer.Option(help="Unit of the elevations: m, ft, ftUS, cm...")]
Nodata = Annotated[float | None, typer.Option(help="Value of cells without data.")]
CellM = Annotated[
    float | None,
    typer.Option(metavar="METRES", help="Cell size, for a raster that does not state it."),
]
Curved = Annotated[bool, typer.Option("--curvature", help="The ground sinks with distance.")]
Refraction = Annotated[
    float | None, typer.Option(help="Refraction of light, with --curvature. [default: 0.13]")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Eye = Annotated[
    float | None, typer.Option(help=f"Height of eyes above the ground, m. [default: {EYE_M}]")
]
Target = Annotated[
    float | None, typer.Option(help=f"Height of the target above the ground, m. [default: {EYE_M}]")
]

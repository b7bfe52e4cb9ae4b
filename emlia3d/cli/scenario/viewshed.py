"""Viewsheds of the field of a scenario."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import emlia3d
from emlia3d.atomic_write import atomic_write
from emlia3d.battle.questions.area import SightArea, cells_of
from emlia3d.battle.unit_outlines import places_of
from emlia3d.cli.area_files import check_area_files
from emlia3d.cli.raster.raster_options import progress_on
from emlia3d.cli.scenario.position import position_in
from emlia3d.cli.writing import echo
from emlia3d.dem.categories import LEVELS
from emlia3d.dem.viewshed_kinds import HIDDEN, Show
from emlia3d.errors import Error
from emlia3d.field import NOWHERE, Field, write_geotiff
from emlia3d.field.hexes import named_place
from emlia3d.scenario import Scenario

_WIDTH, _LETTERS = 96, (72, 30)
_MARKS = ".+#"


def show_area(  # noqa: PLR0913  the options of the command
    scenario: str,
    observers: Sequence[str],
    *,
    at: int | None,
    height: float,
    rules: str | None,
    cell: float | None,
    reverse: bool,
    show: Show,
    out: Path | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Answer ``emlia3d viewshed SCENARIO OBSERVER...``."""
    if show not in _LAYERS:
        raise Error(f"--show {show}: only for a raster; of a scenario {', '.join(_LAYERS)}")
    check_area_files(out, picture, show)
    asked = position_in(scenario, at)
    with progress_on(asked.title) as progress:
        area = asked.viewshed(
            *observers, height=height, rules=rules, cell=cell, reverse=reverse, progress=progress
        )
    if out is not None:
        _write(out, asked, area, show)
    if picture is not None:
        from emlia3d.view.plans.areaplan import draw_area  # noqa: PLC0415  to draw only

        now = asked.position()
        draw_area(now.setup, now.state, area, picture, counts=show is Show.COUNTS)
    if as_json:
        echo(json.dumps(to_json(asked, area), ensure_ascii=False))
        return
    echo("\n".join(textwrap.wrap(area.text, _WIDTH, break_on_hyphens=False)))
    echo("")
    if out is not None:
        echo(f"{out}: {_LAYERS[show]}")
    if picture is not None:
        echo(f"{picture}: a map of what is seen")
    if out is None and picture is None:
        echo("\n".join(_in_letters(asked, area)))


_LAYERS = {
    Show.LEVELS: "the least concealment from any observer: 0 none, 1 partial, 2 total",
    Show.COUNTS: "number of observers that see something",
    Show.EACH: "a layer for each observer: 0 no concealment, 1 partial, 2 total",
}


def to_json(scenario: Scenario, area: SightArea) -> dict[str, Any]:
    """Return the answer as plain JSON values."""
    field, grid = scenario.setup.field, area.grid
    west, south, east, north = grid.extent
    cells = _named(cells_of(area.levels))
    return {
        "program": emlia3d.__version__,
        "scenario": scenario.title,
        "observers": list(area.observers),
        "rules": area.rules,
        "height": area.height,
        "reverse": area.reverse,
        "resolution": {
            "cell": grid.cell,
            "cell_m": field.scale.metres_of_gsu(grid.cell),
            "rows": grid.rows,
            "columns": grid.columns,
            "ground": _ground(field),
        },
        "extent": {"west": west, "south": south, "east": east, "north": north},
        "cells": cells,
        "shares": {name: count / area.levels.size for name, count in cells.items()},
        "counts": np.bincount(area.counts.ravel(), minlength=len(area.observers) + 1).tolist(),
        "each": [
            {"observer": name, **_named(cells_of(levels))}
            for name, levels in zip(area.observers, area.each, strict=True)
        ],
        "hides": [{"name": name, "cells": count} for name, count in area.hides],
        "because": list(area.because),
        "text": area.text,
        "digest": area.digest,
    }


def _named(cells: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("none", "partial", "total"), cells, strict=True))


def _ground(field: Field) -> dict[str, Any] | None:
    """Return the resolution of the elevation; None for level ground."""
    ground = field.ground
    if ground.is_level:
        return None
    rows, columns = ground.elevation_m.shape
    return {
        "cell": ground.cell,
        "cell_m": field.scale.metres_of_gsu(ground.cell),
        "rows": rows,
        "columns": columns,
    }


def _layers(area: SightArea, show: Show) -> NDArray[Any]:
    """Return the layers of a file, (n, rows, columns)."""
    if show is Show.EACH:
        return area.each
    if show is Show.LEVELS:
        return area.levels[None]
    return area.counts[None].astype(np.uint8 if len(area.observers) < 256 else np.uint16)


def _write(out: Path, scenario: Scenario, area: SightArea, show: Show) -> None:
    kind, layers = out.suffix.lower(), _layers(area, show)
    if kind == ".npy":
        with atomic_write(out) as fresh:
            np.save(fresh, layers if show is Show.EACH else layers[0], allow_pickle=False)
    else:
        field, grid = scenario.setup.field, area.grid
        place = field.ground.georeference or NOWHERE
        north_m, cell_m = (field.scale.metres_of_gsu(gsu) for gsu in (grid.north, grid.cell))
        write_geotiff(
            out,
            layers,
            crs=place.crs,
            transform=place.transform(0.0, north_m, cell_m),
            names=area.observers if show is Show.EACH else [_LAYERS[show]],
            tags={
                "emlia3d": emlia3d.__version__,
                "scenario": scenario.title,
                "observers": "; ".join(area.observers),
                "rules": area.rules,
                "height": f"{area.height:g}",
                "reverse": "yes" if area.reverse else "no",
                "digest": area.digest,
            },
            nodata=HIDDEN + 1 if show is Show.LEVELS else None,
            categories=LEVELS if show is Show.LEVELS else (),
        )


def _in_letters(scenario: Scenario, area: SightArea) -> Iterator[str]:
    """Yield the field as an ASCII map, north at the top."""
    levels, grid = area.levels, area.grid
    width = min(_LETTERS[0], grid.columns, 2 * _LETTERS[1] * grid.columns // grid.rows or 1)
    height = max(1, min(grid.rows, round(width * grid.rows / grid.columns / 2)))
    rows = (np.arange(height) + 0.5) * grid.rows / height
    columns = (np.arange(width) + 0.5) * grid.columns / width
    letters = np.array(list(_MARKS))[levels[np.ix_(rows.astype(int), columns.astype(int))]]
    for x, y in _places(scenario, area):
        row = int((grid.north - y) / grid.cell * height / grid.rows)
        column = int(x / grid.cell * width / grid.columns)
        letters[min(row, height - 1), min(column, width - 1)] = "@"
    yield from ("".join(line) for line in letters.tolist())
    yield ""
    told = "target" if area.reverse else "observer"
    yield f". seen    + in part    # not seen    @ {told}"


def _places(scenario: Scenario, area: SightArea) -> Iterator[tuple[float, float]]:
    now = scenario.position()
    rows = {unit.name: row for row, unit in enumerate(now.setup.units)}
    for name in area.observers:
        if name in rows:
            x, y = places_of(now.state, rows[name]).mean(axis=0).tolist()
        else:
            x, y = named_place(now.setup.field, name)
        yield x, y

"""Arguments and options that several commands share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem
from typing_extensions import override

EYE_M = 1.7
"""Default height of an observer's eye, and of a target, above the ground, metres."""

LARGEST_PX = 8192
"""Maximum length of the longer side of a picture or a window, pixels."""

Command = TypeVar("Command", bound=Callable[..., Any])


class FileName(click.Path):
    """The name of a file or a folder; not empty, because that would mean the current folder."""

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = FileName(path_type=Path)
"""The type of file names; the command itself checks the file."""


class ScenarioName(click.ParamType[str]):
    """The name of a bundled scenario or a file, with shell completion of both."""

    name = "scenario"

    @override
    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from emlia3d.scenario.shelves import scenario_files  # noqa: PLC0415  not for --help

        names = sorted(name for name in scenario_files() if name.startswith(incomplete))
        return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


class Whole(click.IntRange):
    """An integer in a range."""

    name = "integer"


class PixelSize(click.ParamType[tuple[int, int]]):
    """A width and a height, such as 1280x720."""

    name = "WxH"

    @override
    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        found = re.fullmatch(r"([1-9]\d{0,4})[xX]([1-9]\d{0,4})", value)
        if found is None or max(int(found[1]), int(found[2])) > LARGEST_PX:
            raise click.BadParameter(
                f"--size: expected width x height in pixels up to {LARGEST_PX}, such as 1280x720"
            )
        return int(found[1]), int(found[2])


class Number(click.FloatRange):
    """A number in a range, without "nan"."""

    name = "number"

    @override
    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        found = super().convert(value, param, ctx)
        if math.isnan(found):
            self.fail(f"{value!r} is not a valid {self.name}.", param, ctx)
        return found


def together(*options: Callable[[Any], Any]) -> Callable[[Command], Command]:
    """Return the decorator that gives a command several options, in this order."""

    def given(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return given


# Of windows
SIZE = click.option(
    "--size",
    type=PixelSize(),
    metavar="WxH",
    help="Size of the window, pixels. [default: the last window's]",
)
FULL_SCREEN = click.option(
    "--fullscreen", "full_screen", is_flag=True, help="Open the window in full screen."
)

# Of battles
PACE = click.option(
    "--pace",
    type=click.Choice(("unit", "phase", "turn")),
    help="In the window, show unit by unit, a phase at once, or a turn at once.",
)

SEED = click.option("--seed", type=Whole(0, 2**63 - 1), help="Random seed.")
TURNS = click.option("--turns", type=Whole(1, 1000), help="Maximum number of turns.")
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")

COMMANDER = click.option(
    "--commander",
    multiple=True,
    metavar="SIDE=NAME",
    help="Set the commander of a side: an AI such as doctrine:bold, human (in the terminal), an "
    "installed one, python:MODULE:CLASS or exec:COMMAND.",
)
TIME_LIMIT = click.option(
    "--time-limit",
    type=Number(0.01, 86400),
    metavar="SECONDS",
    help="Time for each answer of python:, exec: and installed commanders. [default: 10]",
)

# Of scenarios
AT = click.option(
    "--at",
    type=Whole(0),
    metavar="TURN",
    help=(
        "For a battle file: use the end of this turn; 0 is the start. [default: the last position]"
    ),
)
RULES = click.option(
    "--rules",
    metavar="NAME|true",
    help="For a scenario: a rule system, or true for geometry. [default: the scenario's]",
)
HEIGHT = click.option(
    "--height",
    type=float,
    help=(
        "For a scenario: height and size of the moving figure, height "
        "units. [default: the mover's, or 1]"
    ),
)
MOVER = click.option(
    "--mover",
    metavar="UNIT",
    help=(
        "For a scenario: the unit that moves. It hides nothing, and the "
        "route avoids terrain that it cannot enter."
    ),
)

# Of scenarios and rasters
SOURCE = click.argument(
    "source",
    type=ScenarioName(),
    metavar="SCENARIO|BATTLE|RASTER",
    help="A scenario file, a bundled scenario, a battle file, or a raster of elevations "
    "(.tif, .hgt...).",
)
OBSERVING = click.option(
    "--observers",
    multiple=True,
    metavar="FILE|NAME|X,Y[,H]",
    help=(
        "For a raster, a file of observers (.csv, .geojson, .gpkg, .shp). "
        "For a scenario, a unit, a side or a point; may be repeated."
    ),
)

# Of rasters
RASTER = click.argument("raster", metavar="RASTER", help="A raster of elevations (.tif, .hgt...).")
FROM = click.option(
    "--from",
    "from_",
    multiple=True,
    metavar="X,Y[,H]",
    help="An observer: position in the raster's coordinates, and height of the eye, m.",
)
OBSERVERS_FILE = click.option(
    "--observers",
    "observers_file",
    type=FILE,
    metavar="FILE",
    help="Observers: .csv, .geojson, .gpkg, .shp.",
)
EVERY = click.option("--every", type=float, metavar="METRES", help="Observers on a grid.")
EYE = click.option(
    "--eye", type=float, help=f"Height of eyes above the ground, m. [default: {EYE_M}]"
)
TARGET = click.option(
    "--target", type=float, help=f"Height of the target above the ground, m. [default: {EYE_M}]"
)
ABSOLUTE = click.option(
    "--absolute", is_flag=True, help="Measure heights of eyes from the raster's zero."
)
CRS = click.option(
    "--crs", metavar="EPSG:N", help="Reference system of positions. [default: the raster's]"
)
BAND = click.option("--band", type=Whole(1), help="Number of the band to read.")
UNIT = click.option("--unit", help="Unit of the elevations: m, ft, ftUS, cm...")
NODATA = click.option("--nodata", type=float, help="Value of cells without data.")
CELL_M = click.option(
    "--cell",
    type=float,
    metavar="METRES",
    help="Cell size, if the raster does not state it.",
)
CURVATURE = click.option("--curvature", is_flag=True, help="Include the curvature of the earth.")
REFRACTION = click.option(
    "--refraction",
    type=float,
    help="Refraction of light, with --curvature. [default: 0.13]",
)

# Groups
MOVING = together(AT, RULES, HEIGHT, MOVER)
"""The figure that moves through a scenario, and the rules that decide."""

STATIONS = together(FROM, OBSERVING, EVERY, EYE, TARGET)
"""Observers, and the heights of eyes and targets."""

ELEVATIONS = together(ABSOLUTE, CRS, BAND, UNIT, NODATA)
"""Reading of a raster, and of places and heights on it."""

CURVED = together(CURVATURE, REFRACTION)
"""The shape of the earth."""

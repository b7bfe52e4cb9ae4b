"""The tables of a scenario file, format 1, each as a pydantic model.

The description of a key states its valid values. Error messages quote it: "at: expected a point
[east, north] in GSU, got 7". Each table is validated separately, so that one invalid table does not
hide errors in the next.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from annotated_types import Len
from pydantic import (
    BeforeValidator,
    Field,
    Strict,
    StringConstraints,
    model_validator,
)

from emlia3d.field.outline import FARTHEST
from emlia3d.field.placement import ANCHORS
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.samples import SAMPLE

FORMAT = 1
"""The version of the scenario format that this program reads and writes."""

MOST_HEIGHT = 10_000
"""Maximum height above and depth below the ground, height units."""

Formation = Literal["open", "close", "ranked"]
Edge = Literal["north", "east", "south", "west"]

# TOML has only lists; a tuple is an immutable list of known length.
Point = Annotated[tuple[float, float], Strict(False)]
Length = Annotated[float, Field(gt=0, le=FARTHEST)]
Size = Annotated[tuple[Length, Length], Strict(False)]
# Far beyond these limits, lengths of one unit are zero or infinite in the other.
Metres = Annotated[float, Field(ge=0.0001, le=10_000)]
Tile = Annotated[tuple[int, int], Strict(False)]
Tiles = Annotated[tuple[Tile, ...], Strict(False)]
Points = Annotated[tuple[Point, ...], Strict(False)]
Names = Annotated[tuple[str, ...], Strict(False)]
Spot = Annotated[tuple[float, ...], Strict(False), Len(2, 3)]
Circle = Annotated[tuple[float, float, float], Strict(False)]


def _several(given: Any) -> Any:
    """Convert a single name to a list."""
    return (given,) if isinstance(given, str) else given


OneOrMore = Annotated[
    tuple[str, ...],
    BeforeValidator(_several, json_schema_input_type=str | tuple[str, ...]),
    Strict(False),
]
Window = Annotated[tuple[int, int, int, int], Strict(False)]
Coordinates = Annotated[tuple[float, float], Strict(False)]
Anchor = Literal[
    "south-west",
    "south",
    "south-east",
    "west",
    "centre",
    "east",
    "north-west",
    "north",
    "north-east",
]

# Terminals and banners show names: no control characters, and not only spaces.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069"
Name = Annotated[
    str,
    StringConstraints(max_length=200, pattern=rf"^[^{_CONTROL}]*[^{_CONTROL}\s][^{_CONTROL}]*$"),
]

_NAME = "a name in quotation marks, of up to 200 characters that can be printed"
_METRES = "a number of metres from 0.0001 to 10000"
_POINTS = "a list of points [[east, north], ...] in GSU"
_TILES = "a list of tiles [[q, r], ...] of whole numbers"
_CIRCLE = "a circle [east, north, radius] in GSU"
_SPOT = "a point [east, north] or [east, north, height], in GSU and height units above the ground"
_LINES = "an edge of the field, a point [east, north], or the name of an area"
_PLACES = "the name of an area or of a terrain feature, or a list of them"


class Heading(StrictModel):
    """The keys above the first table, and the possible tables."""

    format: Literal[1] = Field(description="1, the only format")
    title: Name = Field(description="a title in quotation marks, of up to 200 characters")
    rules: str = Field(description=f'the name of a rule system, such as "{SAMPLE.rules}"')
    turns: int | None = Field(
        default=None, ge=1, le=1000, description="a whole number of turns from 1 to 1000"
    )
    summary: str = Field(
        default="", max_length=400, description="a sentence of up to 400 characters"
    )
    field: dict[str, Any] = Field(description="a table [field]")
    terrain: list[Any] = Field(default=[], description="tables [[terrain]]")
    side: list[Any] = Field(default=[], description="tables [[side]]")
    area: list[Any] = Field(default=[], description="tables [[area]]")
    unit: list[Any] = Field(default=[], description="tables [[unit]]")
    victory: list[Any] = Field(default=[], description="tables [[victory]]")
    event: list[Any] = Field(default=[], description="tables [[event]]")
    house: dict[str, Any] = Field(default={}, description="a table [house]")
    game: dict[str, Any] = Field(default={}, description="a table [game]")
    cameras: dict[str, Any] = Field(default={}, description="tables [cameras.NAME]")


class GroundFile(StrictModel):
    """Elevation cut and resampled from a file."""

    file: str = Field(min_length=1, description="the name of a file beside the scenario")
    window: Window | None = Field(
        default=None, description="[first column, first row, end column, end row] of the raster"
    )
    cell_m: Metres | None = Field(default=None, description=f"{_METRES}, between heights")
    low_m: float | None = Field(default=None, description="a number of metres")
    high_m: float | None = Field(default=None, description="a number of metres")
    band: int | None = Field(default=None, ge=1, description="the number of a band, from 1")
    unit: str | None = Field(
        default=None,
        min_length=1,
        max_length=40,
        description="the unit of the heights, such as foot",
    )
    nodata: float | None = Field(default=None, description="the value of cells without data")
    anchor: Anchor = Field(default="south-west", description=f"one of {', '.join(ANCHORS)}")
    at: Coordinates | None = Field(
        default=None, description="[x, y] in the reference system of the raster"
    )


class FieldTable(StrictModel):
    """``[field]``; ground and relief are read separately, because they have several forms."""

    size: Size = Field(description=f"two lengths [east, north] above 0 and up to {FARTHEST} GSU")
    metres_per_gsu: Metres | None = Field(default=None, description=_METRES)
    scale: Any = Field(default=None, description="the name of a scale, or a table of one")
    metres_per_height: Metres = Field(default=1.83, description=_METRES)
    ground: Any = Field(default=None, description="the name of a file, or a table with a file")
    relief: dict[str, Any] | None = Field(default=None, description="a table of relief")
    look: Literal["country", "space"] = Field(default="country", description="country or space")
    cells: Literal["none", "hexes"] = Field(default="none", description="none or hexes")


class ScaleTable(StrictModel):
    """The measures from which a scale follows."""

    figure_mm: float = Field(
        ge=0.1, le=1000, description="a figure height in millimetres from 0.1 to 1000"
    )
    gsu: Literal["cm", "inch", "dm"] | None = Field(default=None, description="cm, inch or dm")
    ground: float | None = Field(
        default=None,
        ge=0.01,
        le=100_000,
        description="a ratio of ground to table from 0.01 to 100000",
    )


class TerrainTable(StrictModel):
    """One ``[[terrain]]``: a kind, a shape, and values that override the values of the kind."""

    name: Name | None = Field(default=None, description=_NAME)
    kind: str | None = Field(default=None, description="a kind of terrain in quotation marks")
    from_: dict[str, Any] | None = Field(
        default=None, alias="from", description="a table with the file of a vector map"
    )
    outline: Points | None = Field(default=None, description=_POINTS)
    circle: Circle | None = Field(default=None, description=_CIRCLE)
    path: Points | None = Field(default=None, description=_POINTS)
    width: float | None = Field(default=None, gt=0, description="a number of GSU above 0")
    tiles: Tiles | None = Field(default=None, description=_TILES)
    height: float | None = Field(
        default=None,
        ge=-MOST_HEIGHT,
        le=MOST_HEIGHT,
        description="a number of height units from -10000 to 10000",
    )
    body: Literal["solid", "sparse"] | None = Field(default=None, description="solid or sparse")
    size: float | None = Field(
        default=None, gt=0, le=MOST_HEIGHT, description="a size above 0 and up to 10000"
    )
    hits: int | None = Field(
        default=None, ge=1, le=1_000_000, description="a whole number of hits from 1 to 1000000"
    )
    damage_limit: int = Field(
        default=1, ge=1, le=1_000_000, description="a whole number of damage points from 1"
    )
    as_: dict[str, str] = Field(
        default={},
        alias="as",
        description="a table of rule systems and the kind of terrain for each",
    )


class TerrainFile(StrictModel):
    """``from`` of a ``[[terrain]]``: the features of one layer of a vector map."""

    file: str = Field(min_length=1, description="the name of a file beside the scenario")
    kind: str = Field(description='a kind of terrain in quotation marks, or "osm"')
    layer: str | None = Field(default=None, description="the name of a layer of the file")
    crs: str | None = Field(
        default=None, description='a reference system such as "EPSG:4326", or "local" for metres'
    )
    where: dict[str, Any] = Field(default={}, description="a table of columns and their values")
    height: str | float | None = Field(
        default=None, description="a number of height units, or a column with metres"
    )
    width: float | None = Field(
        default=None, gt=0, le=FARTHEST, description="a number of GSU above 0, for lines"
    )
    radius: float | None = Field(
        default=None, gt=0, le=FARTHEST, description="a number of GSU above 0, for points"
    )
    mend: bool = Field(default=False, description="true or false")


class SideTable(StrictModel):
    """One ``[[side]]``."""

    name: Name = Field(description=_NAME)
    colour: str | None = Field(
        default=None, pattern=r"^#[0-9a-fA-F]{6}$", description='a colour such as "#2a5caa"'
    )
    commander: str = Field(default="doctrine", description="the name of a commander")
    brigades: dict[str, str] = Field(
        default={}, description="a table of sections of its units and their commanders"
    )
    lines: Any = Field(default=None, description=_LINES)
    allies: Names = Field(default=(), description="a list of names of sides")
    objective: str | None = Field(
        default=None, description="the name of an area or of a terrain feature"
    )
    army: str | None = Field(
        default=None, description='a unit set and an army, such as "siege/garrison"'
    )
    points: float | None = Field(default=None, ge=0, description="a number of points from 0")
    general: str | None = Field(default=None, description="the name of a unit of the side")
    stance: Literal["advance", "hold"] = Field(default="advance", description="advance or hold")
    game: dict[str, Any] = Field(default={}, description="a table of the side's game")
    deploys: OneOrMore = Field(default=(), description=_PLACES)


class AreaTable(StrictModel):
    """One ``[[area]]``: a named area that sides can hold."""

    name: Name = Field(description=_NAME)
    outline: Points | None = Field(default=None, description=_POINTS)
    circle: Circle | None = Field(default=None, description=_CIRCLE)
    tiles: Tiles | None = Field(default=None, description=_TILES)
    edge: Edge | None = Field(default=None, description="an edge of the field")
    depth: float | None = Field(
        default=None, gt=0, description="a number of GSU from the edge above 0"
    )
    of: OneOrMore | None = Field(default=None, description=_PLACES)


class RowTable(StrictModel):
    """``row`` of a ``[[unit]]``: several units from one table."""

    count: int = Field(ge=2, le=1000, description="a whole number of units from 2 to 1000")
    step: Length = Field(description="a number of GSU above 0, between centres")
    ranks: int = Field(default=1, ge=1, le=1000, description="a whole number of ranks from 1")

    @model_validator(mode="after")
    def _ranks_are_filled(self) -> Self:
        if self.ranks > self.count:
            raise ValueError(f"ranks: expected at most {self.count} ranks, got {self.ranks}")
        return self


class UnitTable(StrictModel):
    """One ``[[unit]]``, without the keys that override its entry."""

    name: Name = Field(description=_NAME)
    side: str = Field(description="the name of a side")
    type: str | None = Field(
        default=None, description=f'a unit set and an entry, such as "{SAMPLE.troops[1]}"'
    )
    at: Point | None = Field(default=None, description="a point [east, north] in GSU")
    tile: Tile | None = Field(default=None, description="a tile [q, r] of whole numbers")
    facing: float = Field(
        default=0.0,
        ge=-360,
        le=360,
        description="a number of degrees clockwise from north, from -360 to 360",
    )
    formation: Formation | None = Field(default=None, description="open, close or ranked")
    members: int | None = Field(
        default=None, ge=1, le=100_000, description="a whole number of members from 1 to 100000"
    )
    files: int | None = Field(
        default=None, ge=1, le=100_000, description="a whole number of files from 1 to 100000"
    )
    outline: Points | None = Field(default=None, description=_POINTS)
    on_height: float = Field(
        default=0.0,
        ge=0,
        le=MOST_HEIGHT,
        description="a number of height units above the ground, up to 10000",
    )
    states: Names = Field(default=(), description='a list of states, such as ["prone"]')
    group: Name | None = Field(default=None, description=_NAME)
    row: RowTable | None = Field(
        default=None, description="a table such as {count = 8, step = 1.5, ranks = 2}"
    )
    lines: Any = Field(default=None, description=_LINES)
    arrives: int = Field(default=0, ge=0, le=1000, description="the number of a turn")
    options: Names = Field(default=(), description="a list of options of its entry")
    section: str = Field(
        default="", description="sections of the army, largest first, separated by /"
    )

    @property
    def sections(self) -> tuple[str, ...]:
        """The parts of `section`."""
        return tuple(part for part in self.section.split("/") if part)


class EventTable(StrictModel):
    """One ``[[event]]``: a scheduled event and its turns."""

    name: Name = Field(description=_NAME)
    turns: Any = Field(description="every, odd, even, or a list of turns")
    strike: dict[str, Any] | None = Field(
        default=None, description="a table that describes a bombardment"
    )
    harms: dict[str, Any] | None = Field(
        default=None, description="a table that describes a hazard"
    )
    shakes: str | None = Field(
        default=None, description="the name of an area or of a terrain feature"
    )
    destroys: OneOrMore = Field(
        default=(), description="the name of a terrain feature, or a list of them"
    )


class CameraTable(StrictModel):
    """One ``[cameras.NAME]``: a point to look from and a point to look at, or a unit."""

    from_: Spot | None = Field(default=None, alias="from", description=_SPOT)
    at: Spot | None = Field(default=None, description=_SPOT)
    angle: float | None = Field(
        default=None, ge=5, le=120, description="a number of degrees from 5 to 120"
    )
    unit: str | None = Field(default=None, description="the name of a unit")


class VictoryTable(StrictModel):
    """One ``[[victory]]``: the conditions for a side to win, and the level of victory."""

    side: str = Field(description="the name of a side")
    level: str = Field(description="the level of the victory")
    controls: OneOrMore = Field(default=(), description=_PLACES)
    denied: OneOrMore = Field(default=(), description=_PLACES)
    conceded: OneOrMore = Field(default=(), description=_PLACES)
    unguarded: OneOrMore = Field(default=(), description=_PLACES)
    outnumbers: str | None = Field(
        default=None, description="the name of an area or of a terrain feature"
    )
    gone: str | None = Field(default=None, description="the name of a side or of a unit")
    destroyed: str | None = Field(default=None, description="the name of a side or of a unit")
    cleared: str | None = Field(default=None, description="the name of a side")
    lost: str | None = Field(default=None, description="the name of a unit")
    after: int = Field(default=0, ge=0, le=1000, description="the number of a turn")
    turns: int = Field(default=1, ge=1, le=1000, description="a whole number of turns from 1")
    ends: bool = Field(default=False, description="true or false")

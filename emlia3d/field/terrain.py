"""Terrain: the kinds that every rule system knows, and the features that stand on a field.

Here are physical facts only. What a wood does to movement or to sight is each system's own
affair; it has a table by these names.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from shapely import Polygon

from emlia3d.errors import quoted

Body = Literal["solid", "sparse"]
Shape = Literal["area", "line", "point"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainKind:
    """The properties of a kind of terrain, before any rule.

    height : height units above the ground; negative below it
    body : solid, or sparse with gaps to look through
    shape : its usual layout on the board
    size, hits : of a single piece; None without own values (hits: indestructible)
    water : whether it is filled with water
    stood_on : whether units stand on its top
    system : the rule system that adds it; "" for a kind that every system knows
    look : the kind whose look and meaning it has for other systems; "" for itself
    """

    name: str
    height: float
    body: Body
    shape: Shape
    size: float | None = None
    hits: int | None = None
    water: bool = False
    stood_on: bool = False
    system: str = ""
    look: str = ""


def _kind(  # noqa: PLR0913, PLR0917  one column of the table below each
    name: str,
    height: float,
    body: Body,
    shape: Shape,
    size: float | None = None,
    hits: int | None = None,
    water: bool = False,
    stood_on: bool = False,
) -> TerrainKind:
    return TerrainKind(
        name=name, height=height, body=body, shape=shape, size=size, hits=hits, water=water,
        stood_on=stood_on,
    )  # fmt: skip


# The first eight are from `emlia.terrain.examples`, with the taller of two printed heights for
# scrub. The others are what battlefields have besides, from castles to villages; a height unit is
# a tall person.
# fmt: off
KINDS: Mapping[str, TerrainKind] = MappingProxyType({kind.name: kind for kind in (
    #     name          height  body      shape    size hits
    _kind("shrub",        0.5, "sparse", "point",   1,   1),
    _kind("tree",         2.0, "sparse", "point",   2,   3),
    _kind("large-tree",   3.0, "sparse", "point",   3,   5),
    _kind("scrub",        1.0, "sparse", "area"),
    _kind("forest",       3.0, "sparse", "area"),
    _kind("hill",        10.0, "solid",  "area",  stood_on=True),
    _kind("river",       -2.0, "sparse", "line",  water=True),
    _kind("building",     3.0, "solid",  "point"),
    _kind("village",      3.0, "solid",  "area"),
    _kind("camp",         1.25, "sparse", "area"),
    _kind("orchard",      2.0, "sparse", "area"),
    _kind("field",        0.5, "sparse", "area"),
    _kind("plough",       0.0, "sparse", "area"),
    _kind("hedge",        1.0, "sparse", "line"),
    _kind("fence",        0.5, "sparse", "line"),
    _kind("wall",         0.5, "solid",  "line"),
    _kind("earthwork",    0.75, "solid", "line"),
    _kind("rampart",      2.0, "solid",  "line",  stood_on=True),
    _kind("tower",        4.0, "solid",  "point", stood_on=True),
    _kind("gate",         2.0, "solid",  "point", hits=12),
    _kind("keep",         7.0, "solid",  "point"),
    _kind("rock",         2.0, "solid",  "area"),
    _kind("road",         0.0, "sparse", "line"),
    _kind("track",        0.0, "sparse", "line"),
    _kind("bridge",       0.0, "solid",  "line"),
    _kind("stream",      -0.5, "sparse", "line",  water=True),
    _kind("ford",        -0.25, "sparse", "area", water=True),
    _kind("lake",        -2.0, "sparse", "area",  water=True),
    _kind("marsh",        0.0, "sparse", "area",  water=True),
)})
# fmt: on
"""The kinds of terrain by name."""

OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "wood": "forest",
        "woods": "forest",
        "house": "building",
        "farm": "village",
        "crops": "field",
        "stone-wall": "wall",
        "castle-wall": "rampart",
        "brook": "stream",
        "pond": "lake",
        "rocks": "rock",
        "tents": "camp",
    }
)
"""Everyday names for some of them."""


def kind_named(name: str) -> TerrainKind:
    """Return the kind of terrain with a name or a synonym.

    Raises
    ------
    ValueError
        If no kind has the name; the message suggests the most similar one.
    """
    found = KINDS.get(OTHER_NAMES.get(name, name))
    if found is None:
        near = difflib.get_close_matches(name, [*KINDS, *OTHER_NAMES], n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(sorted(KINDS))}"
        raise ValueError(f"unknown kind of terrain {quoted(name)}; {hint}")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """A terrain feature on the field.

    name : unique name
    kind : a name in `KINDS`
    outline : a valid polygon without holes, on the grid of 1/1024 GSU (`emlia3d.field.outline`)
    height : height units above the ground at its position; negative below it
    body : solid or sparse
    size : size of a single piece, such as a shrub of scrub; None for no size of its own
    hits : its resistance to damage; None if nothing destroys it
    damage_limit : damage that destroys it
    as_ : rule system -> what that system is to take it for, such as ``{"SYSTEM": "KIND"}``
    own : the facts of a kind that a rule system adds; None for a kind in `KINDS`

    Raises
    ------
    ValueError
        What is given does not fit these words.
    """

    name: str
    kind: str
    outline: Polygon
    height: float
    body: Body
    size: float | None = None
    hits: int | None = None
    damage_limit: int = 1
    as_: Mapping[str, str] = field(default_factory=dict)
    own: TerrainKind | None = None

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("a feature needs a name")
        if self.kind not in KINDS and (self.own is None or self.own.name != self.kind):
            raise ValueError(f"unknown kind of terrain {quoted(self.kind)}")
        if self.look not in KINDS:
            raise ValueError(f"a kind of terrain is drawn as one of all systems, not {self.look}")
        if self.outline.is_empty or not self.outline.is_valid or self.outline.interiors:
            raise ValueError("a feature's outline is one simple polygon without holes")
        if not math.isfinite(self.height):
            raise ValueError(
                f"height: expected a number of height units, got {quoted(self.height)}"
            )
        if self.body not in {"solid", "sparse"}:
            raise ValueError(f'body: expected "solid" or "sparse", got {quoted(self.body)}')
        if self.size is not None and not (math.isfinite(self.size) and self.size > 0):
            raise ValueError(f"size: expected a number above 0, got {quoted(self.size)}")
        if self.hits is not None and self.hits < 1:
            raise ValueError(f"hits: expected at least 1, got {quoted(self.hits)}")
        if self.damage_limit < 1:
            raise ValueError(f"damage_limit: expected at least 1, got {quoted(self.damage_limit)}")
        object.__setattr__(self, "as_", MappingProxyType(dict(self.as_)))

    @property
    def facts(self) -> TerrainKind:
        """The physical properties of its kind."""
        return KINDS[self.kind] if self.own is None else self.own

    @property
    def look(self) -> str:
        """The kind in `KINDS` that pictures show."""
        return self.kind if self.own is None else self.own.look

    def kind_for(self, system: str) -> str:
        """Return the kind of the feature under a rule system.

        A kind of another system counts as the kind that pictures show.
        """
        usual = self.kind if self.facts.system in {"", system} else self.look
        return self.as_.get(system, usual)


def feature_of(  # noqa: PLR0913  the keys that a scenario's terrain table has
    name: str,
    kind: str | TerrainKind,
    outline: Polygon,
    *,
    height: float | None = None,
    body: Body | None = None,
    size: float | None = None,
    hits: int | None = None,
    damage_limit: int = 1,
    as_: Mapping[str, str] | None = None,
) -> Feature:
    """Return a feature of a kind; properties that are not given come from the kind.

    Raises
    ------
    ValueError
        As `kind_named` and `Feature`.
    """
    found = kind_named(kind) if isinstance(kind, str) else kind
    return Feature(
        name=name,
        kind=found.name,
        outline=outline,
        height=found.height if height is None else height,
        body=found.body if body is None else body,
        size=found.size if size is None else size,
        hits=found.hits if hits is None else hits,
        damage_limit=damage_limit,
        as_=as_ or {},
        own=found if found.system else None,
    )

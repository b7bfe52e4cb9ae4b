"""The facts of a battle: all that a rule system may read of one that is fought by other rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapely import Polygon

from emlia3d.battle.setup import Side
from emlia3d.battle.standing import outline_of, places_of
from emlia3d.field import Field
from emlia3d.force import FormationLayout

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitFacts:
    """A unit as anyone could see it; GSU and height units of its own field.

    side : its row among the sides
    pose : the middle of its front line
    facing : in 64ths of a degree
    drill : how its members stand, as many as there are now
    outline : its boundary
    drawn : whether it is a single body with a boundary of its own
    on_height : of what it stands on, above the ground
    height : of its members as they hold themselves
    """

    name: str
    side: int
    pose: tuple[float, float]
    facing: int
    drill: FormationLayout
    outline: Polygon
    drawn: bool
    on_height: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Facts:
    """A battle as any observer could see it.

    rules : the title of the rule system that it is fought by
    field : with the features that still stand
    units : the units on the field
    """

    title: str
    rules: str
    field: Field
    sides: tuple[Side, ...]
    units: tuple[UnitFacts, ...]


def facts_of(moment: Moment) -> Facts:
    """Return the facts of a battle as it stands."""
    setup, state = moment.setup, moment.state
    units = state.units
    found = [
        UnitFacts(
            name=unit.name,
            side=unit.muster.side,
            pose=(float(units.value("x", row)), float(units.value("y", row))),
            facing=units.integer("facing", row),
            drill=state.roster.drill(row),
            outline=outline_of(setup, state, row),
            drawn=unit.outline is not None,
            on_height=float(units.value("on_height", row)),
            height=moment.system.height(moment, row),
        )
        for row, unit in enumerate(setup.units)
        if len(places_of(state, row))
    ]
    stands = [
        feature
        for row, feature in enumerate(setup.field.features)
        if state.features.value("present", row)
    ]
    return Facts(
        title=setup.title,
        rules=moment.system.title,
        field=Field(
            size=setup.field.size,
            scale=setup.field.scale,
            ground=setup.field.ground,
            features=tuple(stands),
        ),
        sides=setup.sides,
        units=tuple(found),
    )

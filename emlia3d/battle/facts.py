"""The facts of a battle, which a rule system may read even if the battle uses other rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from shapely import Polygon

from emlia3d.battle.setup import Side
from emlia3d.battle.unit_outlines import outline_of, places_of
from emlia3d.field import Field
from emlia3d.force import FormationLayout

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitFacts:
    """The visible facts of a unit, in GSU and height units of its own field.

    side : the row of its side
    pose : the centre of its front line
    facing : its facing, 64ths of a degree
    drill : the formation of its present members
    outline : its boundary
    drawn : whether it is a single body with a drawn boundary
    on_height : height of the surface that it stands on, above the ground
    height : height of its members in their present posture
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
class BattleFacts:
    """The visible facts of a battle.

    rules : the title of its rule system
    field : its field, without destroyed features
    units : the units on the field
    """

    title: str
    rules: str
    field: Field
    sides: tuple[Side, ...]
    units: tuple[UnitFacts, ...]


def facts_of(moment: Moment) -> BattleFacts:
    """Return the facts of a battle at this moment."""
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
    return BattleFacts(
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

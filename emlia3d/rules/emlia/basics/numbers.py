"""Values of Emlia that house rules and studies can change, with the rulebook's defaults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from emlia3d.errors import quoted
from emlia3d.rules.emlia.basics.measuring import CELLS, Cells
from emlia3d.rules.emlia.basics.tables import TableRow, amended
from emlia3d.rules.rulebook import rule

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseNumbers:
    """Values set under ``[house]`` of a scenario.

    elevation_step : minimum difference of base elevation that counts as elevation, height units
        (`emlia.primary.elevation-row`)
    command_range : reach of leadership actions, GSU (`emlia.lead.range`)
    near : distance that counts as near in the morale tables, GSU (`emlia.morale.neg`)
    rough_slope, very_rough_slope : minimum gradients of raster ground that counts as rough and very
        rough terrain; the rulebook has no slopes, so this is our house rule
    cells : "squares" or "hexes" if distances are counted in cells of 1 GSU (`emlia.measure.cells`),
        "none" on a table
    ceiling : the highest altitude of a flyer, height units; 0 for none
        (`emlia.mode.flying.altitude`)
    bodies : maximum number of units into which a deployed unit can be split, which the rulebook
        does not limit; the state has a row for each (`emlia.lead.split`)
    contact_steps : number of steps of contact from a fighting pair that belong to its engagement; 0
        for no limit, as in the rulebook (`emlia.engage.group`)
    rows : changed modifiers of single table rows, by slug
    """

    elevation_step: float = 0.5
    command_range: float = 20.0
    near: float = 20.0
    rough_slope: float = 0.35
    very_rough_slope: float = 0.7
    cells: Cells = "none"
    ceiling: float = 0.0
    bodies: int = 3
    contact_steps: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.cells not in CELLS:
            raise ValueError(f"cells: expected {', '.join(CELLS)}, got {quoted(self.cells)}")
        if self.bodies < 1:
            raise ValueError(f"bodies: expected 1 or more, got {self.bodies}")
        if self.contact_steps < 0:
            raise ValueError(f"contact_steps: expected 0 or more, got {self.contact_steps}")


T = TypeVar("T", bound=TableRow)


def numbers_of(moment: Moment) -> HouseNumbers:
    """Return the values of a battle."""
    numbers = moment.setup.numbers
    assert isinstance(numbers, HouseNumbers)
    return numbers


@rule("emlia.meta.authority")
def in_force(moment: Moment, rows: Sequence[T]) -> Sequence[T]:
    """Return a table with the modifiers from the battle's house rules."""
    return amended(rows, numbers_of(moment).rows)

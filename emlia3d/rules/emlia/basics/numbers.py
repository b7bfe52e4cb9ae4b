"""Values of Emlia that a house rule or a study may vary, with the book's defaults."""

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
    near : how near "near" is in the morale tables, GSU (`emlia.morale.neg`)
    rough_slope, very_rough_slope : from which gradient on raster ground counts as rough or very
        rough terrain; the book knows no slopes, so this is a house rule of ours
    cells : "squares" or "hexes" where the field is a board on which distances are counted in cells
        of 1 GSU (`emlia.measure.cells`), "none" on a table
    ceiling : the highest altitude of a flyer, height units; 0 for none
        (`emlia.mode.flying.altitude`)
    bodies : maximum number of units that a deployed unit may be split into at once, which the book
        does not limit; the state has a row for each (`emlia.lead.split`)
    contact_steps : how many steps of contact from a fighting pair still count as its engagement; 0
        for no limit, as in the book (`emlia.engage.group`)
    rows : modifiers of single rows of the book's tables, by slug, that are not the book's
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
    """Return the values in force in a battle."""
    numbers = moment.setup.numbers
    assert isinstance(numbers, HouseNumbers)
    return numbers


@rule("emlia.meta.authority")
def in_force(moment: Moment, rows: Sequence[T]) -> Sequence[T]:
    """Return a table of the book with the modifiers that the battle's house rules give its rows."""
    return amended(rows, numbers_of(moment).rows)

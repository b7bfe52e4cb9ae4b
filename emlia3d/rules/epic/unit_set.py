"""Units as a unit set prints them, and what an army costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, Strict

from emlia3d.battle.entries import Hired
from emlia3d.battle.setup import Setup
from emlia3d.field import Scale
from emlia3d.force.figure_models import Model
from emlia3d.force.roster import Troops
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.rulebook import rule

UnitType = Literal["INF", "LV", "AV", "WE"]
Value = Annotated[int, Field(ge=0, le=6)]
Rating = Annotated[int, Field(ge=1, le=6)]

_VALUE = "a value from 0 to 6"


class WeaponEntry(StrictModel):
    """A weapon; it hits with dice at or below its value.

    range : tiles
    ap, at, mw : values against infantry, against vehicles, and of a macro-weapon; 0: none
    shots : dice that it rolls
    small_arms : whether it stands for the FF value only, and is never used to shoot
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    range: int = Field(default=0, ge=0, le=99, description="tiles from 0 to 99")
    ap: Value = Field(default=0, description=_VALUE)
    at: Value = Field(default=0, description=_VALUE)
    mw: Value = Field(default=0, description=_VALUE)
    shots: int = Field(default=1, ge=1, le=12, description="a number of dice from 1 to 12")
    small_arms: bool = Field(default=False, description="true or false")


class Entry(StrictModel):
    """A kind of unit.

    members : soldiers that are drawn; the unit is destroyed as one
    speed : tiles of one move
    save, cc, ff : values for saves, for close combat and for firefights
    macro : whether its close combat or its firefight is one of macro-weapons
    dc : damage capacity of a War Engine
    carry : infantry units that it carries
    carried_by : in a scenario, the unit that carries it at the start
    officer : whether the officer of its formation is in it
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    model: Model = Field(default="rifleman", description="the body that is drawn")
    members: int = Field(default=1, ge=1, le=8, description="a number of bodies from 1 to 8")
    across: float = Field(default=0.8, gt=0, le=1, description="a width above 0, at most 1 tile")
    unit_type: UnitType = Field(description='"INF", "LV", "AV" or "WE"')
    speed: int = Field(ge=0, le=24, description="tiles from 0 to 24")
    save: Value = Field(description=_VALUE)
    cc: Value = Field(description=_VALUE)
    ff: Value = Field(description=_VALUE)
    macro: Annotated[tuple[Literal["cc", "ff"], ...], Strict(False)] = Field(
        default=(), description='a list of "cc", "ff"'
    )
    weapons: Annotated[tuple[WeaponEntry, ...], Strict(False)] = Field(
        default=(), description="a list of weapons"
    )
    dc: int = Field(default=1, ge=1, le=20, description="a damage capacity from 1 to 20")
    carry: int = Field(default=0, ge=0, le=12, description="a number of units from 0 to 12")
    carried_by: str = Field(default="", description="the name of a unit")
    officer: bool = Field(default=False, description="true or false")
    points: float = Field(default=0, ge=0, description="points from 0")
    formation: Literal["ranked"] = Field(default="ranked", description='"ranked"')

    @property
    def files(self) -> int:
        """The bodies stand in one rank."""
        return self.members

    def troops(self, scale: Scale) -> Troops:
        """Return the room of one body; all together are as wide as `across`."""
        side = self.across / self.members
        return Troops(model=self.model, width=side, depth=max(side, 0.25), base="square")

    @property
    def is_engine(self) -> bool:
        """True for a War Engine."""
        return self.unit_type == "WE"

    @property
    def guns(self) -> tuple[WeaponEntry, ...]:
        """The weapons that shoot."""
        return tuple(weapon for weapon in self.weapons if can_shoot(weapon))


def can_shoot(weapon: WeaponEntry) -> bool:
    """Return whether a weapon is ever used to shoot."""
    return not weapon.small_arms and weapon.range > 0


@rule("epic.struct.soldier", "epic.struct.unit")
def bodies_of(entry: Entry) -> int:
    """Return the soldiers that are drawn in a unit; all of them fall with it."""
    return entry.members


@rule("epic.struct.unit-types")
def types_hit(value: str) -> frozenset[str]:
    """Return the types of unit that hits of a kind fall on: "ap", "at" or "mw"."""
    return {
        "ap": frozenset({"INF", "LV"}),
        "at": frozenset({"LV", "AV", "WE"}),
        "mw": frozenset({"INF", "LV", "AV", "WE"}),
    }[value]


class SideGameTable(StrictModel):
    """The table game of a side.

    strategy_rating : added to its strategy roll
    cr : of its formations
    """

    strategy_rating: Rating = Field(default=2, description="a strategy rating from 1 to 6")
    cr: Rating = Field(default=4, description="a CR from 1 to 6")


class GameTable(StrictModel):
    """The table [game] of a scenario.

    objectives : tiles
    """

    objectives: Annotated[tuple[Annotated[tuple[int, int], Strict(False)], ...], Strict(False)] = (
        Field(default=(), description="a list of tiles [[q, r], ...] of whole numbers")
    )


@dataclass(frozen=True)
class Options:
    """Options of the rules, which house rules set.

    zoc : whether enemies have zones of control
    broken_extra_shock : whether Shock that a broken formation would take destroys units
    """

    zoc: bool = True
    broken_extra_shock: bool = True


def options_of(setup: Setup) -> Options:
    """Return the options of a battle; the book's in a battle of other rules."""
    return setup.numbers if isinstance(setup.numbers, Options) else Options()


def game_of(setup: Setup) -> GameTable:
    """Return the table [game] of a battle."""
    return setup.game if isinstance(setup.game, GameTable) else GameTable()


def side_game(setup: Setup, side: int) -> SideGameTable:
    """Return the ratings of a side."""
    game = setup.sides[side].game
    return game if isinstance(game, SideGameTable) else SideGameTable()


def entry_of(setup: Setup, unit: int) -> Entry:
    """Return a unit as its unit set prints it."""
    entry = setup.units[unit].entry
    assert isinstance(entry, Entry)
    return entry


@rule("epic.struct.formation")
def formation_of(setup: Setup, unit: int) -> int:
    """Return the formation of a unit, by its leader's row; the leader's death changes nothing."""
    return setup.leader_of(unit)


@rule("epic.units.sample", "epic.units.sample-armies")
def force_cost(force: Sequence[Hired]) -> float:
    """Return the points of units together."""
    return sum(hired.entry.points for hired in force if isinstance(hired.entry, Entry))

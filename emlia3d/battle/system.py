"""What a rule system is, seen from the battle: a handful of functions and declared columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from pydantic import BaseModel

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.changes import Change
    from emlia3d.battle.decisions import Decision, Order, Procedure
    from emlia3d.battle.dice import Dice
    from emlia3d.battle.events import Event
    from emlia3d.battle.events import Facts as EventFacts
    from emlia3d.battle.facts import Facts
    from emlia3d.battle.questions.answer import Answer
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.result import Result
    from emlia3d.battle.setup import Setup
    from emlia3d.field import Scale
    from emlia3d.force.roster import Troops
    from emlia3d.force.table import Column


class Picture(Protocol):
    """What a side knows; nothing in it leads to what it does not know.

    battle : the battle as the side knows it, in which there is nothing else
    """

    @property
    def battle(self) -> Battle: ...  # noqa: D102


class Commander(Protocol):
    """Whoever decides for a side. Keeps nothing between decisions, so play can restart anywhere."""

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        """The answer to *decision*, from what the side knows."""
        ...


class Entry(Protocol):
    """A unit-set entry as its rule system reads it; the scenario needs no more than this of it.

    members, files : as they stand where the scenario says nothing; files None for the usual
    formation : by name, as `emlia3d.force.FORMATIONS` has it
    """

    @property
    def members(self) -> int: ...  # noqa: D102
    @property
    def files(self) -> int | None: ...  # noqa: D102
    @property
    def formation(self) -> str: ...  # noqa: D102

    def troops(self, scale: Scale) -> Troops:
        """What the roster needs to know of it."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Something that whoever writes a scenario might think of; no mistake.

    slug : of the rule that asks for it
    about : the kind of table, and the name that it has; () for the scenario as a whole
    """

    slug: str
    told: str
    about: tuple[str, ...] = ()


@runtime_checkable
class Adviser(Protocol):
    """A rule system whose book advises those who write scenarios."""

    def advice(self, setup: Setup, purpose: str) -> Sequence[Advice]:
        """What might be better about a scenario.

        purpose : its summary
        """
        ...


@runtime_checkable
class Striker(Protocol):
    """A rule system in which a scenario may have bombardments.

    strike_model : the pydantic model of one, as a scenario prints it
    """

    strike_model: type[BaseModel]


class Harm(Protocol):
    """What harms those who come near a place of a scenario."""

    @property
    def near(self) -> str:
        """The name of an area or of a terrain feature."""
        ...


@runtime_checkable
class Harmer(Protocol):
    """A rule system in which something on the field may harm those near it.

    harm_model : the pydantic model of that, as a scenario prints it; what it makes is a `Harm`
    """

    harm_model: type[BaseModel]


class RuleSystem(Protocol):
    """The meaning of a battle.

    name : as a scenario's ``rules`` says it
    title : for people
    columns : what it keeps in the state beside the core columns
    events : the kinds of event that may happen, as `emlia3d.battle.events.Facts` has them
    numbers : the figures that a house rule may vary, a frozen dataclass with the book's values
    rows : the rows of its tables, by slug, with the book's modifiers; a house rule may name any,
        and is then in the field "rows" of the numbers
    entry_model : the pydantic model of its unit-set entries; what it makes is an `Entry`
    terrain : the kinds of terrain that it has effects for
    states : the states that a scenario may start a unit in
    """

    name: str
    title: str
    columns: tuple[Column, ...]
    events: tuple[type[EventFacts], ...]
    numbers: Any
    rows: Mapping[str, int]
    entry_model: type[BaseModel]
    terrain: tuple[str, ...]
    states: tuple[str, ...]

    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        """What one GSU is at a scale.

        scale : the "name" of one, or what a table is played with: "figure_mm", how tall a man's
            figure is, and "gsu" and "ground", None where the system is to say

        Raises ValueError, with what would be right, for a scale that the system does not know.
        """
        ...

    def opening(self, setup: Setup) -> tuple[Change, ...]:
        """The changes that put the rule system's own columns as the battle starts."""
        ...

    def next_step(self, battle: Battle) -> Procedure[None] | None:
        """The next stretch of play, fresh; None when the battle is over."""
        ...

    def result(self, battle: Battle) -> Result | None:
        """How the battle ended; None while it goes on."""
        ...

    def picture(self, battle: Battle, side: int) -> Picture:
        """What a side knows of the battle."""
        ...

    def commander(self, name: str) -> Commander | None:
        """One who decides, by name; None if there is none of that name."""
        ...

    def sight(
        self, battle: Battle, observer: int, target: int, damage: int, what_if: bool = False
    ) -> Answer:
        """What one unit sees of another, and its cover against base damage *damage*.

        what_if : say also what would alter the concealment
        """
        ...

    def sight_of(self, facts: Facts, observer: int, target: int, damage: int) -> Answer:
        """What one unit sees of another in a battle of other rules; rows of the facts' units.

        Lengths and heights are taken by metres, and the text says how the troops are taken.
        """
        ...

    def odds(
        self, battle: Battle, attacker: int, target: int, action: str | None, weapon: str | None
    ) -> Odds:
        """What may come of an attack of one unit on another, as the battle stands.

        action, weapon : by name; the first that may be made and that serves where None

        Raises Error for a name that there is not.
        """
        ...

    def height(self, battle: Battle, unit: int) -> float:
        """How high a unit's members are as they hold themselves now, height units of the field."""
        ...

    def tell(self, battle: Battle, event: Event) -> str:
        """An event in a sentence; "" for what is no news."""
        ...

    def card(self, battle: Battle, unit: int) -> tuple[tuple[str, str], ...]:
        """A unit in words and figures: (label, value) pairs."""
        ...

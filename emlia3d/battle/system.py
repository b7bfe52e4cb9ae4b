"""The base class of all rule systems, with defaults for everything optional.

A system must define the flow of play, the end of a battle, and sight. Other methods have a default
for any rules or raise `UnansweredError`; see `System.can`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel

from emlia3d.battle.commanders import Commander, OpenPicture, Picture, RandomCommander
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.formatting import Words
from emlia3d.battle.questions.area import silent
from emlia3d.battle.questions.attacks import ReadsAttacks
from emlia3d.battle.questions.captions import card_of
from emlia3d.battle.questions.cohesion import JoinsUnits
from emlia3d.battle.questions.highlights import key_events
from emlia3d.battle.questions.objectives import NamesObjectives
from emlia3d.battle.questions.pointing import order_towards, pointed_verbs, reach_corners
from emlia3d.battle.questions.report import plain_report
from emlia3d.battle.unit_outlines import members_ahead
from emlia3d.errors import UnansweredError

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.battle import Battle
    from emlia3d.battle.changes import Change
    from emlia3d.battle.decisions import Decision, Order, Procedure
    from emlia3d.battle.entries import Advice, Fault, Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.events import Facts as EventFacts
    from emlia3d.battle.facts import BattleFacts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import SightAnswer
    from emlia3d.battle.questions.area import Floats, Observer, PointVisibility, Progress
    from emlia3d.battle.questions.highlights import Highlight
    from emlia3d.battle.questions.intents import Intent
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.options import Place
    from emlia3d.battle.questions.ranges import Range
    from emlia3d.battle.questions.report import Happening, Passage
    from emlia3d.battle.result import Result
    from emlia3d.battle.setup import Setup, UnitSetup
    from emlia3d.field.terrain import TerrainKind
    from emlia3d.force.table import Column


@dataclass(frozen=True, slots=True)
class NoNumbers:
    """Values of a system without values that a house rule may vary."""


_PLAIN = Words()


class System(ReadsAttacks, JoinsUnits, NamesObjectives, ABC):
    """Base class of rule systems.

    name : value of ``rules`` in a scenario
    title : name for people
    entry_model : pydantic model of its unit-set entries, an `emlia3d.battle.entries.Entry`
    columns : its columns of the state, in addition to the core columns
    events : its kinds of event, subclasses of `emlia3d.battle.events.Facts`
    phases : kinds of event that begin a phase of the turn
    numbers : values that a house rule can change, a frozen dataclass with the rulebook's values
    rows : modifiers of the rows of its tables, by slug, from the rulebook; the field "rows" of
        *numbers* has the rows that a house rule changes
    terrain : shared kinds of terrain for which it has effects
    own_terrain : kinds that it adds, each with its name in `system` and a `look`
    cells : kinds of cells into which a field can be divided, ("hexes",); () for none
    states : states in which a scenario can start a unit
    strike_model : pydantic model of a bombardment in a scenario; None without bombardments
    harm_model : model of a hazard, an `emlia3d.battle.entries.Hazard`; None without hazards
    army_model : model of a unit set's ``[army.NAME]``; None without armies and hire values
    game_model : pydantic model of a scenario's table ``[game]``; None without one
    side_game_model : pydantic model of the table ``game`` of a side; None without one
    groups : "parts" if the units of a ``group`` are one unit, "leaders" if each unit follows the
        unit that its ``group`` names
    commanders : names that `commander` accepts, for messages
    deploys : whether units without a position in the scenario start off the field, and the system
        places them in play
    turns : maximum number of turns if the scenario states none; None if the scenario must
    rehearses : whether commanders rehearse orders (`emlia3d.rulekit.commander.rehearse`). Play then
        stores the state before each segment, and the dice and answers of the segment
    levels : levels of ``[[victory]]``, the lowest first; () if it has victory conditions of its own
    """

    name: ClassVar[str]
    title: ClassVar[str]
    entry_model: ClassVar[type[BaseModel]]
    columns: ClassVar[tuple[Column, ...]] = ()
    events: ClassVar[tuple[type[EventFacts], ...]] = ()
    phases: ClassVar[tuple[type[EventFacts], ...]] = ()
    numbers: ClassVar[Any] = NoNumbers()
    terrain: ClassVar[tuple[str, ...]] = ()
    own_terrain: ClassVar[tuple[TerrainKind, ...]] = ()
    cells: ClassVar[tuple[str, ...]] = ()
    states: ClassVar[tuple[str, ...]] = ()
    strike_model: ClassVar[type[BaseModel] | None] = None
    harm_model: ClassVar[type[BaseModel] | None] = None
    game_model: ClassVar[type[BaseModel] | None] = None
    side_game_model: ClassVar[type[BaseModel] | None] = None
    groups: ClassVar[Literal["parts", "leaders"]] = "parts"
    commanders: ClassVar[tuple[str, ...]] = ("doctrine",)
    deploys: ClassVar[bool] = False
    turns: ClassVar[int | None] = None
    rehearses: ClassVar[bool] = False
    levels: ClassVar[tuple[str, ...]] = ()

    @property
    def rows(self) -> Mapping[str, int]:
        """Modifiers of the rows of its tables, by slug; loaded on first use."""
        return {}

    @property
    def army_model(self) -> type[BaseModel] | None:
        """The model of armies; loaded on first use."""
        return None

    @property
    def words(self) -> Words:
        """The words for events, orders and decisions; see `emlia3d.rulekit.words`."""
        return _PLAIN

    def can(self, question: Callable[..., Any]) -> bool:
        """Return whether this system overrides an optional method.

        question : the method of `System`, for instance ``System.odds``
        """
        return getattr(type(self), question.__name__) is not question

    def decline(self, what: str) -> UnansweredError:
        """Return the exception for a question that this system does not answer.

        what : the subject of the question, for instance "sight over an area"
        """
        return UnansweredError(f"the rules of {self.title} do not define {what}")

    # Play

    @abstractmethod
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        """Return a new procedure for the next segment of play; None when the battle is over."""

    @abstractmethod
    def result(self, moment: Moment) -> Result | None:
        """Return the result of the battle; None while it goes on."""

    def opening(self, setup: Setup) -> tuple[Change, ...]:
        """Return the changes that set the system's own columns at the start of a battle."""
        return ()

    def picture(self, battle: Battle, side: int) -> Picture:
        """Return what a side knows of the battle; by default everything except future dice."""
        known = battle.fork()
        known.seed, known.dice = 0, SeededDice(0, battle.state.stretch)
        return OpenPicture(known, side)

    def commander(self, name: str) -> Commander | None:
        """Return a commander by name; None if the name is unknown.

        "doctrine" is the system's own AI; by default it gives random legal orders.
        """
        return RandomCommander() if name == "doctrine" else None

    def worth(self, moment: Moment, side: int) -> float:
        """Return the value of a moment for a side, for commanders that compare outcomes of orders.

        By default it is the number of its and its allies' members minus the enemies' members.
        """
        return members_ahead(moment, side)

    def bodies(self, setup: Setup, unit: UnitSetup) -> int:
        """Return the maximum number of parts into which a unit can be divided, itself included."""
        return 1

    # Sight, height and odds

    @abstractmethod
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> SightAnswer:
        """Return the sight of one unit on another, and the cover against base damage *damage*.

        what_if : whether the answer lists changes that would alter the concealment
        """

    def sight_of(self, facts: BattleFacts, observer: int, target: int, damage: int) -> SightAnswer:
        """Return the sight of one unit on another in a battle with other rules.

        Metres convert lengths and heights. The text of the answer states how these rules interpret
        the units.

        observer, target : rows of the facts' units
        """
        raise self.decline("sight in a battle of other rules")

    def taken_over(self, facts: BattleFacts) -> Moment | None:
        """Return a battle of other rules as `sight_of` converts it; None without conversion."""
        return None

    def sight_area(
        self,
        moment: Moment,
        post: Observer,
        spots: Floats,
        height: float,
        reverse: bool,
        progress: Progress = silent,
    ) -> PointVisibility:
        """Return what an observer sees of a figure of this height and size at each point.

        post : the observer
        spots : (n, 2) float64, GSU; all points in one array, even millions
        reverse : whether to return what the figure at each point sees of *post* instead
        progress : called from time to time with the proportion done
        """
        raise self.decline("sight over an area")

    def height(self, moment: Moment, unit: int) -> float:
        """Return the height of a unit's members in their current posture, height units.

        By default it is 1, the height of a standing person.
        """
        return 1.0

    def is_aware(self, moment: Moment, observer: int, observed: int) -> bool:
        """Return whether one unit is aware of another."""
        return True

    def hidden_from(self, moment: Moment, side: int) -> tuple[int, ...]:
        """Return the units on the field of which a side is not aware."""
        return ()

    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        """Return the possible outcomes of an attack of one unit on another at this moment.

        action, weapon : names; None for the first legal action and the first suitable weapon

        Raises Error for an unknown name.
        """
        raise self.decline("the odds of an attack")

    # Words

    def tell(self, moment: Moment, event: Event) -> str:
        """Return a sentence for the log about the latest event; "" to omit it."""
        return self.words.sentence(moment, event)

    def card(self, moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
        """Return a description of a unit as (label, value) pairs."""
        return card_of(moment.setup, moment.state, unit)

    def intents(self, moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
        """Return the tasks of a side's units according to its plan; () without a plan.

        order : an order with a possible plan; None for the current plan
        """
        return ()

    def report(
        self, battle: Battle, story: Iterable[Happening], *, dice: bool
    ) -> Iterator[Passage]:
        """Yield the passages of a battle report.

        battle : the battle, in which each event of *story* has just happened when it is yielded
        story : orders and events, each order before its events
        dice : whether to include dice and modifiers

        Raises ValueError for an event that lacks a fact.
        """
        return plain_report(battle, story, self.words.reporter(battle))

    def question(self, moment: Moment, decision: Decision) -> str:
        """Return a decision as a question to the player."""
        return self.words.question(moment, decision)

    def phrase(self, moment: Moment, order: Order) -> str:
        """Return an order in words, for a list of options."""
        return self.words.phrase(moment, order)

    # Orders given by pointing at the field

    def pointed(self, moment: Moment, decision: Decision) -> tuple[str, ...]:
        """Return the verbs of orders that a point on the field completes.

        By default it returns each verb with which the decision's validator allows orders to points.
        """
        return pointed_verbs(moment, decision)

    def more(self, moment: Moment, decision: Decision) -> list[Order]:
        """Return useful orders that the validator allows, to offer in addition to the options."""
        return []

    def order_to(
        self, moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        """Return the order that leads as far as possible towards a point; None without one.

        The order may be illegal. The decision's validator then returns the reason.

        facing : facing at the end of a move, 64ths of a degree; None for the default
        """
        return order_towards(moment, decision, verb, place, facing)

    def reach_of(self, moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
        """Return the corners of the area that orders of a verb can reach; () if they reach none."""
        return reach_corners(moment, decision, verb)

    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        """Return the possible outcomes of an order at this moment; None if it is no attack.

        Raises Error if there are too many outcomes.
        """
        return None

    def ranges(self, moment: Moment, unit: int) -> tuple[Range, ...]:
        """Return the ranges of a unit's actions, the farthest first."""
        return ()

    def grounds(self, moment: Moment, unit: int) -> Iterator[BaseGeometry]:
        """Yield areas in which the centre of a unit can end a move, GSU.

        Each area contains the one before it. The last one is complete.
        """
        return iter(())

    def impassable(self, moment: Moment, unit: int | None) -> Sequence[BaseGeometry]:
        """Return the outlines that a unit cannot enter, GSU.

        unit : None for a single figure on foot without a unit
        """
        return ()

    # Key events

    def highlights(self, setup: Setup, event: Event) -> tuple[Highlight, ...]:
        """Return the kinds of key event that an event is; () for most."""
        return key_events(event)

    # Scenarios and unit sets

    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        """Return the length of one GSU at a scale, metres.

        scale : the "name" of a scale, or measures from a table: "figure_mm", the height of a
            human figure, and "gsu" and "ground", which are None to let the system choose

        Raises ValueError with the valid values if the system does not know the scale.
        """
        raise ValueError(f"{self.title} has no scales of its own; give metres_per_gsu")

    def advice(self, setup: Setup, purpose: str) -> Sequence[Advice]:
        """Return suggestions for a better scenario.

        purpose : the scenario's summary
        """
        return ()

    def faults(self, setup: Setup) -> Iterable[Fault]:
        """Return the errors of a scenario that involve more than one of its tables.

        It is called only if the field, sides, units and game have no errors of their own.
        """
        return ()

    def with_options(self, entry: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
        """Return an entry with these options; raise ValueError for an option that it lacks."""
        raise self.decline("options of units")

    def entries_of(self, army: BaseModel) -> set[str]:
        """Return the entries that an army names."""
        return set()

    def cost(self, force: Sequence[Hired], army: str) -> float:
        """Return the sum of the hire values of a force.

        army : the name of its army; "" for none
        """
        raise self.decline("the cost of units")

    def army_faults(
        self, army: BaseModel, force: Sequence[Hired]
    ) -> Sequence[tuple[int | None, str]]:
        """Return violations of an army's restrictions: (row of a unit or None, reason)."""
        return ()

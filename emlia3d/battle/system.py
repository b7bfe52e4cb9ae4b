"""The base class of all rule systems, with defaults for everything optional.

A system defines the flow of play, the end of a battle, and sight. All else has a default that
holds for any rules, or is declined with `UnansweredError`; see `System.can`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import BaseModel

from emlia3d.battle.commanders import Commander, OpenPicture, Picture, RandomCommander
from emlia3d.battle.dice import SeededDice
from emlia3d.battle.questions.area import silent
from emlia3d.battle.questions.captions import card_of
from emlia3d.battle.questions.highlights import BY_GESTURE
from emlia3d.battle.questions.pointing import order_towards, pointed_verbs, reach_corners
from emlia3d.battle.questions.report import plain_report
from emlia3d.battle.standing import members_ahead
from emlia3d.battle.words import Words
from emlia3d.errors import UnansweredError

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from emlia3d.battle.battle import Battle
    from emlia3d.battle.changes import Change
    from emlia3d.battle.decisions import Decision, Order, Procedure
    from emlia3d.battle.entries import Advice, Fault, Hired
    from emlia3d.battle.events import Event
    from emlia3d.battle.events import Facts as EventFacts
    from emlia3d.battle.facts import Facts
    from emlia3d.battle.moment import Moment
    from emlia3d.battle.questions.answer import Answer
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
    """The figures of a system of which a house rule may vary none."""


_PLAIN = Words()


class System(ABC):
    """The meaning of a battle.

    name : as a scenario's ``rules`` says it
    title : for people
    entry_model : the pydantic model of its unit-set entries; what it makes is an
        `emlia3d.battle.entries.Entry`
    columns : what it keeps in the state beside the core columns
    events : the kinds of event that may happen, as `emlia3d.battle.events.Facts` has them
    numbers : the figures that a house rule may vary, a frozen dataclass with the book's values
    rows : the rows of its tables, by slug, with the book's modifiers; a house rule may name any,
        and is then in the field "rows" of the numbers
    terrain : the kinds of terrain of all systems that it has effects for
    own_terrain : kinds that it adds, each with its name in `system` and a `look`
    states : the states that a scenario may start a unit in
    strike_model : the pydantic model of a bombardment in a scenario; None where there are none
    harm_model : of harm near a place, makes an `emlia3d.battle.entries.Harm`
    army_model : of a unit set's ``[army.NAME]``; None where the system knows no armies, and so
        neither options of entries nor hire values
    game_model : the pydantic model of a scenario's table ``[game]``; None if the system has none
    side_game_model : the pydantic model of the table ``game`` of a side; None if it has none
    groups : "parts" if the units of a ``group`` are one unit, "leaders" if each follows the unit
        that it names
    commanders : names that `commander` knows, for messages
    deploys : whether units without a place in a scenario start off the field, for the system to
        put them there in play
    rehearses : whether commanders try orders out (`emlia3d.rulekit.commander.rehearse`), so that
        play keeps the state before each stretch, with the faces and answers in it
    levels : the levels of a scenario's ``[[victory]]``, the lowest first; () if the system has
        victory conditions of its own
    """

    name: ClassVar[str]
    title: ClassVar[str]
    entry_model: ClassVar[type[BaseModel]]
    columns: ClassVar[tuple[Column, ...]] = ()
    events: ClassVar[tuple[type[EventFacts], ...]] = ()
    numbers: ClassVar[Any] = NoNumbers()
    terrain: ClassVar[tuple[str, ...]] = ()
    own_terrain: ClassVar[tuple[TerrainKind, ...]] = ()
    states: ClassVar[tuple[str, ...]] = ()
    strike_model: ClassVar[type[BaseModel] | None] = None
    harm_model: ClassVar[type[BaseModel] | None] = None
    game_model: ClassVar[type[BaseModel] | None] = None
    side_game_model: ClassVar[type[BaseModel] | None] = None
    groups: ClassVar[Literal["parts", "leaders"]] = "parts"
    commanders: ClassVar[tuple[str, ...]] = ("doctrine",)
    deploys: ClassVar[bool] = False
    rehearses: ClassVar[bool] = False
    levels: ClassVar[tuple[str, ...]] = ()

    @property
    def rows(self) -> Mapping[str, int]:
        """See the class; a property, so that tables are loaded only for house rules."""
        return {}

    @property
    def army_model(self) -> type[BaseModel] | None:
        """See the class; a property, so that a model is loaded only where there is an army."""
        return None

    @property
    def words(self) -> Words:
        """The words for events, orders and questions; a system may have a table of its own.

        See `emlia3d.rulekit.words.WordTable`.
        """
        return _PLAIN

    def can(self, question: Callable[..., Any]) -> bool:
        """Return whether this system answers a question that others may decline.

        question : the method of `System` that asks it, for instance ``System.odds``
        """
        return getattr(type(self), question.__name__) is not question

    def decline(self, what: str) -> UnansweredError:
        """Return the exception for a question that this system does not answer."""
        return UnansweredError(f"the rules of {self.title} do not define {what}")

    # Play

    @abstractmethod
    def next_step(self, battle: Battle) -> Procedure[None] | None:
        """Return the next stretch of play, fresh; None when the battle is over."""

    @abstractmethod
    def result(self, moment: Moment) -> Result | None:
        """Return how the battle ended; None while it goes on."""

    def opening(self, setup: Setup) -> tuple[Change, ...]:
        """Return the changes that put the system's own columns as the battle starts."""
        return ()

    def picture(self, battle: Battle, side: int) -> Picture:
        """Return what a side knows of the battle; by default everything but the dice to come."""
        known = battle.fork()
        known.seed, known.dice = 0, SeededDice(0, battle.state.stretch)
        return OpenPicture(known, side)

    def commander(self, name: str) -> Commander | None:
        """Return one who decides, by name; None if there is none of that name.

        "doctrine" is the system's own; by default one that gives any legal order.
        """
        return RandomCommander() if name == "doctrine" else None

    def worth(self, moment: Moment, side: int) -> float:
        """Return how well a side stands, for commanders that compare what orders lead to.

        By default the members that are left to it and its allies, less the enemies' members.
        """
        return members_ahead(moment, side)

    def bodies(self, setup: Setup, unit: UnitSetup) -> int:
        """Return into how many bodies a unit may come to be divided, itself included."""
        return 1

    # Sight, height and odds

    @abstractmethod
    def sight(
        self, moment: Moment, observer: int, target: int, damage: int, what_if: bool = False
    ) -> Answer:
        """Return what one unit sees of another, and its cover against base damage *damage*.

        what_if : say also what would alter the concealment
        """

    def sight_of(self, facts: Facts, observer: int, target: int, damage: int) -> Answer:
        """Return what one unit sees of another in a battle of other rules.

        Lengths and heights are taken by metres, and the text says how the troops are taken.

        observer, target : rows of the facts' units
        """
        raise self.decline("sight in a battle of other rules")

    def sight_area(
        self,
        moment: Moment,
        post: Observer,
        spots: Floats,
        height: float,
        reverse: bool,
        progress: Progress = silent,
    ) -> PointVisibility:
        """Return what a post sees of a figure of this height and size at each place.

        spots : (n, 2) float64, GSU; of millions of places all come at once
        reverse : what the figure at each place sees of the post, instead
        progress : called now and then with the proportion that is done
        """
        raise self.decline("sight over an area")

    def height(self, moment: Moment, unit: int) -> float:
        """Return how high a unit's members are as they hold themselves now, height units.

        By default 1, a man.
        """
        return 1.0

    def is_aware(self, moment: Moment, observer: int, observed: int) -> bool:
        """Return whether one unit knows of another."""
        return True

    def hidden_from(self, moment: Moment, side: int) -> tuple[int, ...]:
        """Return the units on the field of which a side has no knowledge."""
        return ()

    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        """Return what may come of an attack of one unit on another, as the battle stands.

        action, weapon : by name; the first that may be made and that serves where None

        Raises Error for a name that there is not.
        """
        raise self.decline("the odds of an attack")

    # Words

    def tell(self, moment: Moment, event: Event) -> str:
        """Return a sentence about an event that has just been applied; "" for what is no news."""
        return self.words.sentence(moment, event)

    def card(self, moment: Moment, unit: int) -> tuple[tuple[str, str], ...]:
        """Return a unit in words and figures: (label, value) pairs."""
        return card_of(moment.setup, moment.state, unit)

    def intents(self, moment: Moment, side: int, order: Order | None = None) -> tuple[Intent, ...]:
        """Return the tasks of a side's units by its plan; () without a plan.

        order : a plan that the side may make; None for the one that stands
        """
        return ()

    def report(
        self, battle: Battle, story: Iterable[Happening], *, dice: bool
    ) -> Iterator[Passage]:
        """Yield a battle as a report, passage by passage.

        battle : as it is when each event of the story has just happened
        story : orders and events, each order before what came of it
        dice : include dice and modifiers

        Raises ValueError for an event that lacks a fact.
        """
        return plain_report(battle, story, self.words.reporter(battle))

    def question(self, moment: Moment, decision: Decision) -> str:
        """Return what is asked, as a question to the player."""
        return self.words.question(moment, decision)

    def phrase(self, moment: Moment, order: Order) -> str:
        """Return an order in words, as an answer to choose."""
        return self.words.phrase(moment, order)

    # Orders that are given by pointing at the field

    def pointed(self, moment: Moment, decision: Decision) -> tuple[str, ...]:
        """Return the verbs of orders that a place on the field completes.

        By default each verb that the reach of the decision allows to places.
        """
        return pointed_verbs(moment, decision)

    def more(self, moment: Moment, decision: Decision) -> list[Order]:
        """Return orders that the reach allows and that are worth offering beside the options."""
        return []

    def order_to(
        self, moment: Moment, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        """Return the order that a place completes, as far that way as it may lead; or None.

        facing : that a move ends in, 64ths of a degree; as it comes where None

        It may still be refused: ask the decision's reach.
        """
        return order_towards(moment, decision, verb, place, facing)

    def reach_of(self, moment: Moment, decision: Decision, verb: str) -> tuple[Place, ...]:
        """Return corners round the places that orders of a verb lead to; none for nowhere."""
        return reach_corners(moment, decision, verb)

    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        """Return what may come of an order, as the battle stands; None if it is no attack.

        Raises Error where that can go in too many ways.
        """
        return None

    def ranges(self, moment: Moment, unit: int) -> tuple[Range, ...]:
        """Return everything that a unit has a range for, what reaches farthest first."""
        return ()

    def grounds(self, moment: Moment, unit: int) -> Iterator[BaseGeometry]:
        """Yield the ground on which the middle of a unit may end a move, GSU.

        Found little by little, each time a little more; the last is all of it.
        """
        return iter(())

    def impassable(self, moment: Moment, unit: int | None) -> Sequence[BaseGeometry]:
        """Return the outlines that a unit may not enter, GSU.

        unit : None for a man on foot who belongs to no unit
        """
        return ()

    # Turning points

    def highlights(self, setup: Setup, event: Event) -> tuple[Highlight, ...]:
        """Return the kinds of key event that an event is; () for most."""
        kind = BY_GESTURE.get(event.gesture)
        return () if kind is None else (kind,)

    def contacts(self, moment: Moment) -> Sequence[tuple[int, int]]:
        """Return who is at close quarters: (unit, enemy that it can strike)."""
        return ()

    # Scenarios and unit sets

    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        """Return what one GSU is at a scale.

        scale : the "name" of one, or what a table is played with: "figure_mm", how tall a man's
            figure is, and "gsu" and "ground", None where the system is to say

        Raises ValueError, with what would be right, for a scale that the system does not know.
        """
        raise ValueError(f"{self.title} has no scales of its own; give metres_per_gsu")

    def advice(self, setup: Setup, purpose: str) -> Sequence[Advice]:
        """Return what might be better about a scenario.

        purpose : its summary
        """
        return ()

    def faults(self, setup: Setup) -> Iterable[Fault]:
        """Return the errors of a scenario that its tables do not show one by one.

        It is called only for a scenario whose tables are right by themselves.
        """
        return ()

    def with_options(self, entry: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
        """Return an entry with the options that are taken; ValueError for one that it lacks."""
        raise self.decline("options of units")

    def entries_of(self, army: BaseModel) -> set[str]:
        """Return the entries that an army names."""
        return set()

    def cost(self, force: Sequence[Hired], army: str) -> float:
        """Return the hire values of a force together.

        army : the name of the army that it is of; "" for none
        """
        raise self.decline("the cost of units")

    def army_faults(
        self, army: BaseModel, force: Sequence[Hired]
    ) -> Sequence[tuple[int | None, str]]:
        """Return what an army's restrictions forbid: the unit by number, None for all, and why."""
        return ()

"""Emlia as a rule system: what the battle asks of it, answered by its chapters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from shapely.geometry.base import BaseGeometry

from emlia3d.battle.changes import Append, Change, Pair, Set
from emlia3d.rules.emlia import questions
from emlia3d.rules.emlia.basics.numbers import Numbers
from emlia3d.rules.emlia.basics.scale import metres_at
from emlia3d.rules.emlia.columns import COLUMNS
from emlia3d.rules.emlia.doctrine.commander import Doctrine
from emlia3d.rules.emlia.doctrine.mind import manner_of
from emlia3d.rules.emlia.events import EVENTS
from emlia3d.rules.emlia.play.sight.awareness import is_aware, unknown_to_side
from emlia3d.rules.emlia.play.sight.picture import Picture
from emlia3d.rules.emlia.play.situation.contact import contacts
from emlia3d.rules.emlia.play.situation.parts import head_of, starting_morale
from emlia3d.rules.emlia.play.situation.situation import lie_of
from emlia3d.rules.emlia.play.turn import aims, timing
from emlia3d.rules.emlia.tables import (
    awareness,
    disengage,
    fire,
    leadership,
    melee,
    morale,
    skills,
    volley,
)
from emlia3d.rules.emlia.tables.modes import starting_speed
from emlia3d.rules.emlia.tables.terrain import EFFECTS
from emlia3d.rules.emlia.unit_sets import hire
from emlia3d.rules.emlia.unit_sets.strike import Harm, Strike
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.decisions import Decision, Order, Procedure
    from emlia3d.battle.events import Event
    from emlia3d.battle.facts import Facts
    from emlia3d.battle.questions.adjutant import Place
    from emlia3d.battle.questions.answer import Answer
    from emlia3d.battle.questions.area import Floats, Looks, Post
    from emlia3d.battle.questions.highlights import Highlight
    from emlia3d.battle.questions.hiring import Hired
    from emlia3d.battle.questions.odds import Odds
    from emlia3d.battle.questions.ranges import Range
    from emlia3d.battle.questions.report import Happening, Passage
    from emlia3d.battle.result import Result
    from emlia3d.battle.setup import Setup, UnitSetup
    from emlia3d.battle.system import Advice, Commander
    from emlia3d.rules.emlia.basics.tables import TableRow

TABLES: tuple[Sequence[TableRow], ...] = (
    skills.GENERAL, fire.MODIFIERS, melee.MODIFIERS, *leadership.TABLES.values(),
    morale.TABLE, morale.SECOND_PASS, awareness.CONCEAL, awareness.DETECT,
    volley.AREA_MODIFIERS, volley.CONCENTRATED_MODIFIERS, disengage.MODIFIERS,
)  # fmt: skip
"""The tables of which a house rule may name rows."""

POSTURES = {"prone": ("posture", 1), "taking cover": ("taking_cover", 1)}
CONCEALED = "concealed"
"""A state to start in: hidden from all enemies but those who see the unit without concealment."""


class Emlia:
    """The rule system."""

    name = "emlia"
    title = "Emlia"
    columns = COLUMNS
    events = EVENTS
    numbers: Any = Numbers()
    rows: Mapping[str, int] = MappingProxyType(
        {row.slug: row.modifier for table in TABLES for row in table}
    )
    entry_model: type[BaseModel] = Entry
    terrain = tuple(EFFECTS)
    states = (*POSTURES, CONCEALED)

    def metres_per_gsu(self, scale: Mapping[str, Any]) -> float:
        """What one GSU is at a scale of the book, or on a table with figures of a size."""
        return metres_at(scale)

    strike_model: type[BaseModel] = Strike
    harm_model: type[BaseModel] = Harm

    @property
    def army_model(self) -> type[BaseModel]:
        """The pydantic model of a unit set's ``[army.NAME]``."""
        return questions.Army

    def with_options(self, entry: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
        """An entry with the options that are taken; ValueError for one that it does not have."""
        return hire.with_options(entry, options)

    def entries_of(self, army: BaseModel) -> set[str]:
        """The entries that an army names."""
        assert isinstance(army, questions.Army)
        return army.named()

    def cost(self, force: Sequence[Hired], army: str) -> float:
        """The hire values of a force together."""
        return questions.cost(force, army)

    def army_faults(
        self, army: BaseModel, force: Sequence[Hired]
    ) -> Sequence[tuple[int | None, str]]:
        """What an army's restrictions forbid."""
        assert isinstance(army, questions.Army)
        return questions.army_faults(army, force)

    def advice(self, setup: Setup, purpose: str) -> list[Advice]:
        """What the book would have otherwise about a scenario."""
        return questions.advice(setup, purpose)

    def bodies(self, setup: Setup, unit: UnitSetup) -> int:
        """In how many bodies the men of a unit may come to stand: one man in no more than one."""
        assert isinstance(setup.numbers, Numbers)
        return setup.numbers.bodies if unit.muster.members > 1 else 1

    def opening(self, setup: Setup) -> tuple[Change, ...]:
        """Morale and posture of every unit as it is printed, and who is hidden from whom."""
        changes: list[Change] = [Append(table="aim", row={}) for _ in setup.aims]
        for row, unit in enumerate(setup.units):
            if unit.muster.spare_for >= 0:
                continue
            assert isinstance(unit.entry, Entry)
            whole = [row, *(part for part, u in enumerate(setup.units) if u.muster.parent == row)]
            cells: list[tuple[str, float]] = [
                ("morale", starting_morale(setup, whole)),
                ("timing", unit.entry.timing or 0),
            ]
            if unit.entry.starting_speed:
                cells.append(("last_speed", starting_speed(unit.entry.starting_speed)))
            cells += [POSTURES[state] for state in unit.states if state in POSTURES]
            changes += [
                Set(table="unit", row=row, column=name, value=value) for name, value in cells
            ]
            if unit.arrives:
                changes.append(Set(table="unit", row=row, column="present", value=0))
            if CONCEALED in unit.states and unit.muster.parent < 0:
                changes += [
                    Pair(column="hidden", a=enemy, b=row, value=1)
                    for enemy, other in enumerate(setup.units)
                    if max(other.muster.parent, other.muster.spare_for) < 0
                    and setup.hostile(other.muster.side, unit.muster.side)
                ]
        return tuple(changes)

    def next_step(self, battle: Battle) -> Procedure[None] | None:
        """The next stretch of play; None when the battle is over."""
        return timing.next_step(battle)

    def result(self, battle: Battle) -> Result | None:
        """How the battle ended; None while it goes on."""
        return aims.decided(battle) if battle.state.battle.value("ended", 0) else None

    def picture(self, battle: Battle, side: int) -> Picture:
        """What a side knows."""
        return Picture(battle, side)

    def commander(self, name: str) -> Commander | None:
        """The doctrine commander, by his name: "doctrine", or "doctrine:bold" for his manner."""
        kind, colon, words = name.partition(":")
        manner = manner_of(words if colon else "steady")
        return Doctrine(manner) if kind == "doctrine" and manner is not None else None

    def sight(
        self, battle: Battle, observer: int, target: int, damage: int, what_if: bool = False
    ) -> Answer:
        """What one unit sees of another, and its cover against base damage *damage*.

        Of a part of a mixed unit the whole is asked.

        what_if : say also what would alter the concealment
        """
        return questions.answer(
            battle, head_of(battle, observer), head_of(battle, target), damage, what_if
        )

    def sight_area(
        self, battle: Battle, post: Post, spots: Floats, height: float, reverse: bool
    ) -> Looks:
        """What a post sees of a figure at each place; or, in *reverse*, what each sees of it."""
        whole = post if post.unit is None else replace(post, unit=head_of(battle, post.unit))
        return questions.sight_area(battle, whole, spots, height, reverse)

    def sight_of(self, facts: Facts, observer: int, target: int, damage: int) -> Answer:
        """What one unit sees of another in a battle of other rules; rows of the facts' units."""
        return questions.answer_abroad(self, facts, observer, target, damage)

    def odds(
        self,
        battle: Battle,
        attacker: int,
        target: int,
        action: str | None = None,
        weapon: str | None = None,
    ) -> Odds:
        """Return the possible outcomes of an attack of one unit on another, as the battle stands.

        A part of a mixed unit stands for the whole, as in `sight`.
        """
        rows = head_of(battle, attacker), head_of(battle, target)
        return questions.odds(battle, *rows, action, weapon)

    def question(self, battle: Battle, decision: Decision) -> str:
        """What a decision asks, as a question to the player."""
        return questions.question(battle, decision)

    def phrase(self, battle: Battle, order: Order) -> str:
        """An order in words."""
        return questions.phrase(battle, order)

    def hidden_from(self, battle: Battle, side: int) -> tuple[int, ...]:
        """Enemies on the field that nobody on a side is aware of."""
        return unknown_to_side(battle, side)

    def pointed(self, battle: Battle, decision: Decision) -> tuple[str, ...]:
        """Verbs of orders that a place on the field completes."""
        return questions.pointed(battle, decision)

    def more(self, battle: Battle, decision: Decision) -> list[Order]:
        """Orders that are allowed and not on the shortlist."""
        return questions.more(battle, decision)

    def order_to(
        self, battle: Battle, decision: Decision, verb: str, place: Place, facing: int | None
    ) -> Order | None:
        """The order that a place completes."""
        return questions.order_to(battle, decision, verb, place, facing)

    def reach_of(self, battle: Battle, decision: Decision, verb: str) -> tuple[Place, ...]:
        """Corners round the places that orders of a verb lead to."""
        return questions.reach_of(battle, decision, verb)

    def odds_of(self, battle: Battle, order: Order) -> Odds | None:
        """What may come of an order; None if it is no attack on a unit."""
        return questions.odds_of(battle, order)

    def ranges(self, battle: Battle, unit: int) -> tuple[Range, ...]:
        """How far a unit can shoot, strike and move."""
        return questions.ranges(battle, unit)

    def grounds(self, battle: Battle, unit: int) -> Iterator[BaseGeometry]:
        """The ground on which the middle of a unit may end a move; who has joined one, with it."""
        return questions.grounds(battle, head_of(battle, unit))

    def height(self, battle: Battle, unit: int) -> float:
        """How high a unit's members are as they hold themselves now, height units."""
        return lie_of(battle).height(unit)

    def tell(self, battle: Battle, event: Event) -> str:
        """An event in a sentence."""
        return questions.tell(battle, event)

    def chronicle(
        self, battle: Battle, story: Iterable[Happening], *, dice: bool
    ) -> Iterator[Passage]:
        """A battle as a report."""
        return questions.chronicle(battle, story, dice=dice)

    def highlights(self, event: Event) -> tuple[Highlight, ...]:
        """What kinds of turning point an event is."""
        return questions.highlights(event)

    def contacts(self, battle: Battle) -> Sequence[tuple[int, int]]:
        """Who engages whom: (unit, enemy in its combat range)."""
        return contacts(battle)

    def is_aware(self, battle: Battle, observer: int, observed: int) -> bool:
        """Whether a unit is aware of another; who has joined one sees and is seen as it."""
        return is_aware(battle, head_of(battle, observer), head_of(battle, observed))

    def card(self, battle: Battle, unit: int) -> tuple[tuple[str, str], ...]:
        """A unit in words and figures."""
        return questions.card(battle, unit)


SYSTEM = Emlia()

"""A battle of Emlia as a report: turn by turn, step by step, unit by unit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event, Mustered
from emlia3d.battle.questions.report import Happening, Passage, Rank
from emlia3d.rulekit.english import ReportNames, listed, sentence
from emlia3d.rules.emlia.events.losses import Encouraged, Reordered, Steadied
from emlia3d.rules.emlia.events.turn import (
    ActedOfItself,
    Activated,
    ActivationEnded,
    BattleEnded,
    Delayed,
    FirstDrawn,
    Prepared,
    Resolved,
    Revealed,
    StepBegun,
    TurnBegun,
    TurnEnded,
)
from emlia3d.rules.emlia.preparation import Note
from emlia3d.rules.emlia.report import deployment
from emlia3d.rules.emlia.report.moves import MOVES, PreviousPositions
from emlia3d.rules.emlia.report.paragraph import Paragraph
from emlia3d.rules.emlia.report.rolls import bracket
from emlia3d.rules.emlia.report.step_results import StepOutcome
from emlia3d.rules.emlia.words.phrases import WORDS

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle

_SPEAKS_FOR_ITSELF = (Reordered, Encouraged, Steadied, Revealed)
"""Events whose purpose is clear without a reason."""

_ENDS_A_PARAGRAPH = (Activated, ActivationEnded, StepBegun, TurnEnded)


def chronicle(battle: Battle, story: Iterable[Happening], *, dice: bool) -> Iterator[Passage]:
    """Yield the passages that `emlia3d.battle.system.System.report` requires."""
    teller = _Teller(battle, dice)
    for one in story:
        if isinstance(one, Order):
            teller.hear(one)
        else:
            yield from teller.tell(one)
    yield from teller.leave()


class _Teller:
    """The state of a report in progress.

    lost_from : the members of each side as the turn began
    waiting : the units that only wait, by side and reason
    """

    def __init__(self, battle: Battle, dice: bool) -> None:
        self._battle = battle
        self._dice = dice
        self._names = ReportNames(battle.setup)
        self._where = PreviousPositions(battle.state)
        self._paragraph = Paragraph(self._names)
        self._outcome = StepOutcome(self._names)
        self._step = ""
        self._activation, self._activating = False, 0
        self._side = ""
        self._deeds = 0
        self._waits: str | None = None
        self._of_itself = False
        self._waiting: dict[tuple[int, str], list[int]] = {}
        self._target: int | None = None
        self._told_why: set[str] = set()
        self._why: tuple[int | None, str] = (None, "")
        self._lost_from = deployment.figures_left(battle)

    def hear(self, order: Order) -> None:
        """Record an order; its reason belongs to its unit's next action."""
        if order.why:
            self._why = (order.unit, order.why)

    def tell(self, event: Event) -> Iterator[Passage]:
        """Yield the passages that an event completes, and record the event."""
        if isinstance(event.facts, _ENDS_A_PARAGRAPH):
            yield from self._finished()
        match event.facts:
            case Mustered():
                yield from self._muster()
            case FirstDrawn(faces=faces):
                dice = f" [{', '.join(map(str, faces))}]" if self._dice and faces else ""
                yield self._passage("deed", sentence(f"{self._words(event)}{dice}"))
            case TurnBegun():
                self._lost_from = deployment.figures_left(self._battle)
                yield self._passage("turn", self._words(event))
            case StepBegun():
                self._step = self._words(event)
            case Resolved():
                yield from self._resolved()
            case TurnEnded():
                yield self._passage("step", self._words(event))
                for words in deployment.tally(self._battle, self._lost_from):
                    yield self._passage("item", words)
            case BattleEnded():
                yield from self._end(event)
            case Delayed():
                self._note(event)
                yield from self._finished()
            case _:
                self._note(event)
        if isinstance(event.facts, Activated) and event.unit is not None:
            self._activation, self._activating = True, event.unit
        self._where.note(self._battle.state)

    def leave(self) -> Iterator[Passage]:
        """Yield the end of the report after the last recorded event."""
        yield from self._finished()
        if self._battle.result is None:
            turn = self._battle.state.turn
            yield self._passage("turn", "The battle continues")
            yield self._passage("deed", f"The record ends here, in turn {turn}.")

    def _note(self, event: Event) -> None:
        """Add an action to the paragraph, or a result to the outcome."""
        entry = WORDS.words_for(event)
        if entry is not None and entry.report == "":
            return
        dice = bracket(event) if self._dice else ""
        same = event.unit == self._paragraph.subject and event.target == self._target
        again = self._target if same else None
        self._names.name_again(again)
        words = WORDS.report(event, self._names)
        self._names.name_again(None)
        if words is not None and event.unit is not None and isinstance(event.facts, MOVES):
            words = self._where.moves(event.unit, words, self._battle.state)
        is_deed = words is not None and not (entry is not None and entry.whole)
        named = words is not None and is_deed and self._names.unit(event.target) in words
        self._target = event.target if named or again is not None else None
        if words is None or (is_deed and event.unit is None):
            self._say(f"{WORDS.sentence(self._battle, event)}{dice}")
        elif not is_deed:
            self._say(f"{words}{dice}")
        elif words and self._activation:
            self._do(event, words, dice)
        elif words:
            self._outcome.add(event, words, dice)

    def _do(self, event: Event, deed: str, dice: str) -> None:
        assert event.unit is not None
        reason = self._reason(event)
        self._deeds += 1
        self._of_itself |= isinstance(event.facts, ActedOfItself)
        told = f' ("{reason}")' if reason else ""
        if isinstance(event.facts, Prepared):
            self._waits, told = reason, f": {reason}"
        self._paragraph.add(event.unit, deed, f"{dice}{told}")

    def _say(self, words: str) -> None:
        if self._activation:
            self._deeds += 1
            self._paragraph.say(words)
        else:
            self._outcome.say(words)

    def _reason(self, event: Event) -> str:
        """Return the commander's reason for an action, once; "" if there is none."""
        unit, why = self._why
        if unit == event.unit and why:
            self._why = (None, "")
            if (
                self._of_itself
                or isinstance(event.facts, _SPEAKS_FOR_ITSELF)
                or why in self._told_why
            ):
                return ""
            self._told_why.add(why)
            return why
        if isinstance(event.facts, Prepared):
            return f"ready for {listed(Note.model_validate_json(event.facts.note).do)}"
        return ""

    def _finished(self) -> Iterator[Passage]:
        """Yield the paragraph of an activation; collect units that only wait for one sentence."""
        subject, told = self._paragraph.subject, self._paragraph.text()
        if self._deeds == 1 and self._waits is not None and subject is not None:
            mine = self._battle.setup.units[subject].muster.side
            self._waiting.setdefault((mine, self._waits), []).append(subject)
        elif told:
            yield from self._heading()
            yield self._passage("deed", f"{self._whose(self._activating)}{told}")
        self._activation, self._deeds, self._waits = False, 0, None
        self._told_why.clear()
        self._of_itself = False

    def _resolved(self) -> Iterator[Passage]:
        """Yield the units that wait, and then the results of the step."""
        for (_, why), units in self._waiting.items():
            yield from self._heading()
            verb = (
                self._names.agreed(units[0], "<prepares> actions")
                if len(units) == 1
                else "prepare actions"
            )
            who = listed([self._names.unit(unit) for unit in units])
            told = sentence(f"{who} {verb}: {why}")
            yield self._passage("deed", f"{self._whose(units[0])}{told}")
        self._waiting.clear()
        for told in self._outcome.sentences():
            yield from self._heading()
            yield self._passage("item", told)

    def _heading(self) -> Iterator[Passage]:
        """Yield the heading of the step, before its first passage."""
        if self._step:
            yield self._passage("step", self._step)
            self._step = self._side = ""

    def _whose(self, unit: int) -> str:
        """Return the side of a unit if it differs from the previous paragraph's, else ""."""
        mine = self._battle.setup.sides[self._battle.setup.units[unit].muster.side].name
        told = "" if mine == self._side else f"{mine}. "
        self._side = mine
        return told

    def _muster(self) -> Iterator[Passage]:
        setup = self._battle.setup
        yield self._passage("title", setup.title)
        for words in deployment.musters(self._battle):
            yield self._passage("item", words)
        for words in deployment.wants(setup):
            yield self._passage("item", words)

    def _end(self, event: Event) -> Iterator[Passage]:
        yield from self._finished()
        yield self._passage("turn", "The end")
        yield self._passage("deed", self._words(event))
        for words in deployment.losses(self._battle):
            yield self._passage("item", words)

    def _words(self, event: Event) -> str:
        """Return the words for an event that has a sentence of its own in a report."""
        words = WORDS.report(event, self._names)
        assert words is not None
        return words

    def _passage(self, rank: Rank, words: str) -> Passage:
        return Passage(rank=rank, text=words, turn=self._battle.state.turn)

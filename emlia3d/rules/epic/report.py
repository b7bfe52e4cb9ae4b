"""The report: a paragraph for each action; units with the same result share a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from emlia3d.battle.battle import Battle
from emlia3d.battle.decisions import Order
from emlia3d.battle.events import Event
from emlia3d.battle.moment import Moment
from emlia3d.battle.questions.report import Happening, Passage
from emlia3d.rulekit.english import ReportNames, agreed, counted, listed, sentence
from emlia3d.rulekit.turn_events import BattleEnded
from emlia3d.rules.epic import events
from emlia3d.rules.epic.unit_set import formation_of
from emlia3d.rules.epic.words import WORDS, counted_tiles, formation_in, moves

OPENS = (
    events.RoundBegan, events.ActionTested, events.EndPhaseBegan, events.Rallied,
    events.Retained, BattleEnded,
)  # fmt: skip
"""Kinds of event that begin a paragraph."""

_ROLLS = re.compile(r" \((?:rolls [^)]*|(?:AP|AT|MW) -?\d+)\)")
"""Rolls and values in a sentence."""

MOST_NAMED = 2
"""Maximum number of named units in a sentence; more are counted."""


class _Paragraph:
    """The sentences of the current paragraph.

    rows, does : the units of the last, open sentence, and its verb
    tiles : that each of them moves
    """

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        self._names = ReportNames(moment.setup)
        self._sentences: list[str] = []
        self._rows: list[int] = []
        self._does = ""
        self._tiles: list[int] = []

    def add(self, event: Event) -> None:
        """Add an event; units of a formation with the same event share a sentence."""
        entry, does = WORDS.words_for(event), WORDS.report(event, self._names)
        if does is None or (entry is not None and entry.whole):
            self._close()
            whole = WORDS.sentence(self._moment, event) if does is None else does
            self._sentences += [sentence(whole)] if whole else []
        elif does and event.unit is not None:
            tiles = []
            if isinstance(event.facts, events.Moved):
                does, tiles = moves(event.facts), [event.facts.tiles]
            if does != self._does or not self._is_joined_by(event.unit):
                self._close()
            self._rows, self._does = [*self._rows, event.unit], does
            self._tiles += tiles

    def _is_joined_by(self, unit: int) -> bool:
        """Return whether a unit is another one of the same formation."""
        setup, rows = self._moment.setup, self._rows
        return unit not in rows and all(
            formation_of(setup, unit) == formation_of(setup, row) for row in rows
        )

    def _close(self) -> None:
        rows, names = self._rows, self._names
        if rows:
            subject = listed(map(names.unit, rows))
            if len(rows) > MOST_NAMED:
                subject = f"{counted(len(rows), 'unit')} of {formation_in(names, rows[0])}"
            told = " ".join(filter(None, (subject, self._does, _range(self._tiles))))
            one = names.agreed(rows[0], told) if len(rows) == 1 else agreed(told, many=True)
            self._sentences.append(sentence(one))
        self._rows, self._does, self._tiles = [], "", []

    def finish(self) -> str:
        """Return the paragraph, and start the next."""
        self._close()
        told, self._sentences = " ".join(self._sentences), []
        return told


def _range(tiles: list[int]) -> str:
    """Return the distance of moves in words; "" for none."""
    if not tiles:
        return ""
    low, high = min(tiles), max(tiles)
    return counted_tiles(high) if low == high else f"{low} to {counted_tiles(high)}"


def paragraphs(battle: Battle, story: Iterable[Happening], *, dice: bool) -> Iterator[Passage]:
    """Yield the title, each turn, and a paragraph for each action.

    battle : in the state after each event of *story*
    dice : whether to include rolls and target values
    """
    yield Passage(rank="title", text=battle.setup.title, turn=0)
    turn, open_ = 0, _Paragraph(battle)

    def finished() -> Iterator[Passage]:
        text = open_.finish() if dice else _ROLLS.sub("", open_.finish())
        if text:
            yield Passage(rank="deed", text=text, turn=turn)

    for one in story:
        if isinstance(one, Order):
            continue
        if isinstance(one.facts, OPENS):
            yield from finished()
        if battle.state.turn != turn:
            yield from finished()
            turn = battle.state.turn
            yield Passage(rank="turn", text=f"Turn {turn}", turn=turn)
        open_.add(one)
    yield from finished()

"""Slow answers that are computed in the background, so that the window never waits."""

from __future__ import annotations

import queue
import threading

from emlia3d.battle.decisions import Order
from emlia3d.battle.formatting import format_value, percent
from emlia3d.battle.questions.odds import Odds, mean
from emlia3d.battle.questions.options import Place
from emlia3d.errors import Error
from emlia3d.view.orders.game_thread import QuestionSheet

WORKING = "computing the odds..."


class BackgroundOdds:
    """Computes slow answers in the background: odds of orders, ranges of moves."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[tuple[QuestionSheet, Order | str] | None] = (
            queue.SimpleQueue()
        )
        self._odds: dict[Order, str] = {}
        self._reaches: dict[str, tuple[Place, ...]] = {}
        self._sheet: QuestionSheet | None = None
        self._thread: threading.Thread | None = None

    def odds(self, sheet: QuestionSheet, order: Order) -> str:
        """Return the odds as one line; "" for an order without odds."""
        self._turn_to(sheet)
        if order not in self._odds:
            self._odds[order] = WORKING
            self._ask(sheet, order)
        return self._odds[order]

    def reach(self, sheet: QuestionSheet, verb: str) -> tuple[Place, ...]:
        """Return the outline of the reach of orders with a verb; empty until it is known."""
        self._turn_to(sheet)
        if verb not in self._reaches:
            self._reaches[verb] = ()
            self._ask(sheet, verb)
        return self._reaches[verb]

    def close(self) -> None:
        """Stop computing."""
        self._asked.put(None)

    def _turn_to(self, sheet: QuestionSheet) -> None:
        if sheet is not self._sheet:
            self._sheet, self._odds, self._reaches = sheet, {}, {}

    def _ask(self, sheet: QuestionSheet, what: Order | str) -> None:
        self._asked.put((sheet, what))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            sheet, what = asked
            if sheet is not self._sheet:
                continue
            odds, reaches = self._odds, self._reaches
            if isinstance(what, str):
                reaches[what] = reach_of(sheet, what)
            else:
                odds[what] = odds_line(sheet, what)


def reach_of(sheet: QuestionSheet, verb: str) -> tuple[Place, ...]:
    """Return the outline of the reach of orders with a verb, GSU; empty if there is none."""
    system = sheet.scene.system
    outline = system.reach_of(sheet.scene, sheet.question.decision, verb)
    return outline if len(outline) >= 3 else ()


def odds_line(sheet: QuestionSheet, order: Order) -> str:
    """Return the odds of an order as one line; "" without odds."""
    system = sheet.scene.system
    try:
        odds = system.odds_of(sheet.scene, order)
    except Error as flaw:
        return str(flaw)
    return "" if odds is None else format_odds(odds)


def format_odds(odds: Odds) -> str:
    """Return odds as one line: the check, the hits, and the fate of the target."""
    if odds.refusal is not None:
        return odds.refusal
    parts = [_checks(odds)] if odds.checks else []
    hits = format_value(float(mean(odds.hits)))
    parts.append(f"{hits} hit{'' if hits == '1' else 's'}")
    fate = odds.fates.get(odds.target)
    if fate is not None:
        parts.append(f"{format_value(float(mean(fate.lost)))} lost")
        if fate.destroyed:
            parts.append(f"destroyed {percent(fate.destroyed)}")
        if fate.morale:
            likely = max(fate.morale, key=lambda value: fate.morale[value])
            parts.append(f"morale {likely:+d} at {percent(fate.morale[likely])}")
    return ", ".join(parts)


def _checks(odds: Odds) -> str:
    """Return the dice of the first check and of checks with the same target and modifier."""
    first = odds.checks[0]
    alike = [
        check
        for check in odds.checks
        if (check.target, check.modifier) == (first.target, first.modifier)
    ]
    chances = [percent(check.chance) for check in sorted(alike, key=lambda check: check.chance)]
    each = chances[0] if chances[0] == chances[-1] else f"{chances[0]} to {chances[-1]}"
    dice = sum(check.dice for check in alike)
    return f"{dice} dice at {first.modifier:+d} ({each} each)"

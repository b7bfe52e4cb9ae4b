"""What may come of an order, worked out beside the window and never waited for."""

from __future__ import annotations

import queue
import threading

from emlia3d.battle.adjutant import Adjutant
from emlia3d.battle.decisions import Order
from emlia3d.battle.odds import CheckOdds, Odds, mean
from emlia3d.battle.words import figure
from emlia3d.errors import Error
from emlia3d.view.orders.desk import Sheet

WORKING = "working out the odds..."


class Consult:
    """Somebody who works out the odds of orders, one after another."""

    def __init__(self) -> None:
        self._asked: queue.SimpleQueue[tuple[Sheet, Order] | None] = queue.SimpleQueue()
        self._found: dict[Order, str] = {}
        self._sheet: Sheet | None = None
        self._thread: threading.Thread | None = None

    def about(self, sheet: Sheet, order: Order) -> str:
        """The odds in a line; "" for an order that has none, or while they are not known."""
        if sheet is not self._sheet:
            self._sheet, self._found = sheet, {}
        if order not in self._found:
            self._found[order] = WORKING
            self._asked.put((sheet, order))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
        return self._found[order]

    def close(self) -> None:
        """Work out no more."""
        self._asked.put(None)

    def _work(self) -> None:
        while (asked := self._asked.get()) is not None:
            sheet, order = asked
            line = odds_line(sheet, order)
            if sheet is self._sheet:
                self._found[order] = line


def odds_line(sheet: Sheet, order: Order) -> str:
    """The odds of an order in a line; "" where there are none to tell."""
    system = sheet.scene.system
    if not isinstance(system, Adjutant):
        return ""
    try:
        odds = system.odds_of(sheet.scene, order)
    except Error as flaw:
        return str(flaw)
    return "" if odds is None else told(odds)


def told(odds: Odds) -> str:
    """Odds in a line: the check, the hits, and what becomes of the target."""
    if odds.refusal is not None:
        return odds.refusal
    parts = [_check(check) for check in odds.checks[:1]]
    parts.append(f"{figure(float(mean(odds.hits)))} hits")
    fate = odds.fates.get(odds.target)
    if fate is not None:
        parts.append(f"{figure(float(mean(fate.lost)))} lost")
        if fate.destroyed:
            parts.append(f"destroyed {float(fate.destroyed):.0%}")
        if fate.morale:
            likely = max(fate.morale, key=lambda value: fate.morale[value])
            parts.append(f"morale {likely:+d} at {float(fate.morale[likely]):.0%}")
    return ", ".join(parts)


def _check(check: CheckOdds) -> str:
    return f"{check.dice} dice at {check.modifier:+d} ({float(check.chance):.0%} each)"

"""A table to play at in a window, on a picture buffer with a mouse and keys that a test moves."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from emlia3d.battle.files.record import read_record
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.panda.app import App
from tests.view.panda.window_driver import Hand

SIZE = (960, 540)
PATIENCE_S = 120.0


class Table:
    """A battle in a window, and whoever sits there."""

    def __init__(self, app: App, game_thread: GameThread) -> None:
        self.app, self.game_thread = app, game_thread
        self.hand = Hand(app)

    @property
    def entry(self):
        entry = self.app.viewer.entry
        assert entry is not None
        return entry

    def wait(self, until: Callable[[], bool] | None = None) -> None:
        """Let time go by until someone is asked, or a curtain falls, or something else is so."""
        so = until or (lambda: self.entry.sheet is not None or self.may_lift)
        end = time.monotonic() + PATIENCE_S
        while not so():
            assert time.monotonic() < end, "nobody is asked"
            assert not self.app.viewer.alarm, self.app.viewer.alarm
            self.app.step(0.5)
            time.sleep(0.001)
        self.app.step(0.0)

    @property
    def may_lift(self) -> bool:
        """Whether a curtain hides a question."""
        return self.entry.curtain is not None and self.entry.curtain.may_be_lifted

    def press(self, *keys: str) -> None:
        for key in keys:
            self.hand.press(key)

    @property
    def words(self) -> list[str]:
        card = self.app.viewer.status().orders
        assert card is not None
        return [line.text for line in card.lines]

    def take(self, words: str) -> None:
        """Take an order in hand by its words, whatever kind it is of."""
        sheet = self.entry.sheet
        assert sheet is not None
        row = next(row for row, text in enumerate(sheet.phrases) if text.startswith(words))
        kind = sheet.kinds[row]
        while self.entry.back():
            pass
        for _ in range(3):
            lines = self.app.viewer.status().orders.lines
            at = next((n for n, line in enumerate(lines, 1) if line.order == row), None)
            if at is None:
                at = next(
                    n for n, line in enumerate(lines, 1) if line.order is None and line.kind == kind
                )
                self.press(str(at))
                continue
            self.press(str(at))
            return
        raise AssertionError(f"{words} is on no page")

    def orders(self) -> list[str]:
        """The verbs of those that stand in the file."""
        lines = read_record(self.game_thread.game.path).lines
        return [line.body["order"] for line in lines if "order" in line.body]


Sit = Callable[..., Table]


def pixels(table: Table, place: tuple[float, float]) -> tuple[float, float]:
    """The place of the window where a place of the ground, GSU, is seen."""
    metres = table.app._setup.field.scale.metres_per_gsu
    x_m, y_m = place[0] * metres, place[1] * metres
    spot = np.array([[x_m, y_m, table.app._showing.scene.terrain.height(x_m, y_m)]])
    x, y = table.app._stage.project(spot)[0]
    return float(x), float(y)

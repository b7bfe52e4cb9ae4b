"""Events of a battle that is being played, brought to a window that must not wait for them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable

from emlia3d.battle.game import Told


class Feed:
    """Pulls events in a thread of its own, at most *ahead* more than were taken."""

    def __init__(self, events: Iterable[Told], ahead: int = 512) -> None:
        self._waiting: queue.Queue[Told] = queue.Queue(maxsize=ahead)
        self._stopped = threading.Event()
        self._over = threading.Event()
        self._flaw: Exception | None = None
        self._thread = threading.Thread(target=self._pull, args=(events,), daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """True if every event that there will be has been taken."""
        return self._over.is_set() and self._waiting.empty()

    def take(self, most: int = 256) -> list[Told]:
        """Return the events since the last call, at most *most*; never waits.

        Raises the battle's error, once, after all earlier events were taken.
        """
        taken: list[Told] = []
        while len(taken) < most:
            try:
                taken.append(self._waiting.get_nowait())
            except queue.Empty:
                break
        if not taken and self.finished and self._flaw is not None:
            flaw, self._flaw = self._flaw, None
            raise flaw
        return taken

    def stop(self) -> None:
        """Pull no more; returns when the event that is being played is done."""
        self._stopped.set()
        self._thread.join()

    def _pull(self, events: Iterable[Told]) -> None:
        try:
            for told in events:
                self._hand_over(told)
                if self._stopped.is_set():
                    return
        except Exception as flaw:
            self._flaw = flaw  # for `take` to raise where someone listens
        finally:
            self._over.set()

    def _hand_over(self, told: Told) -> None:
        while not self._stopped.is_set():
            try:
                self._waiting.put(told, timeout=0.1)
                return
            except queue.Full:
                continue

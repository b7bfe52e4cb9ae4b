"""Reliable handling of Ctrl-C: it is recorded at once, and takes effect between two events.

Python raises KeyboardInterrupt anywhere in the main thread. If this happens in a finaliser, in a
weak reference's callback, or in a library that clears exceptions, the exception is lost and the
battle would continue.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

T = TypeVar("T")

_pressed = threading.Event()


@contextmanager
def noted() -> Iterator[None]:
    """Record interrupts while the block runs, unless the process ignores them."""
    _pressed.clear()
    if (
        threading.current_thread() is not threading.main_thread()
        or signal.getsignal(signal.SIGINT) is not signal.default_int_handler
    ):
        yield
        return
    report = sys.unraisablehook

    def report_others(dropped: sys.UnraisableHookArgs) -> None:
        if dropped.exc_type is not KeyboardInterrupt:
            report(dropped)

    signal.signal(signal.SIGINT, _note)
    sys.unraisablehook = report_others
    try:
        yield
    finally:
        sys.unraisablehook = report
        signal.signal(signal.SIGINT, signal.default_int_handler)


def was_pressed() -> bool:
    """Return whether an interrupt was recorded."""
    return _pressed.is_set()


def heed() -> None:
    """Raise KeyboardInterrupt in the main thread if an interrupt was recorded."""
    if _pressed.is_set() and threading.current_thread() is threading.main_thread():
        raise KeyboardInterrupt


def heeded(events: Iterable[T]) -> Iterator[T]:
    """Yield the events, and raise KeyboardInterrupt once an interrupt is recorded."""
    for event in events:
        heed()
        yield event


def _note(number: int, frame: FrameType | None) -> None:
    _pressed.set()
    raise KeyboardInterrupt

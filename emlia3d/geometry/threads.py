"""Spreading a kernel's rows over the cores: fixed chunks, so that no answer depends on how many."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

_thread = threading.local()


def cores() -> int:
    """Return the number of threads for the kernels: EMLIA3D_THREADS, or the cores of this process.

    Raise ValueError if EMLIA3D_THREADS is not a whole number above 0.
    """
    wish = os.environ.get("EMLIA3D_THREADS", "")
    if wish:
        if not wish.isascii() or not wish.isdigit() or int(wish) == 0:
            raise ValueError(f"EMLIA3D_THREADS: expected a whole number above 0, got {wish!r}")
        return int(wish)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_chunks(work: Callable[[int, int], object], count: int, chunk: int) -> None:
    """Call work(begin, end) for each chunk of *count* rows, on one thread for each core.

    *work* writes only rows begin to end of its output, and releases the GIL. Its errors are raised
    here, after all threads have stopped. If *work* calls this function, the inner call uses one
    thread.
    """
    left = deque(range(0, count, chunk))
    others = min(cores(), len(left)) - 1

    def share() -> None:
        while left:
            try:
                start = left.popleft()
            except IndexError:  # another thread was quicker
                return
            work(start, min(start + chunk, count))

    if others < 1 or getattr(_thread, "is_one_of_many", False):
        share()
        return
    from concurrent.futures import wait  # noqa: PLC0415  a short command has no other thread

    helpers = [_helpers(others).submit(share) for _ in range(others)]
    _thread.is_one_of_many = True
    try:
        share()
    finally:
        _thread.is_one_of_many = False
        left.clear()
        # Threads not yet begun have nothing left to do; the others still write their part.
        begun = [helper for helper in helpers if not helper.cancel()]
        wait(begun)
    for helper in begun:
        helper.result()


@cache
def _helpers(count: int) -> ThreadPoolExecutor:
    """Return threads that wait for work from then on: to start one takes longer than a batch."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  a short command has none

    return ThreadPoolExecutor(count, "emlia3d", initializer=_be_one_of_many)


if hasattr(os, "register_at_fork"):
    # The threads stay behind in the parent.
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def _be_one_of_many() -> None:
    _thread.is_one_of_many = True

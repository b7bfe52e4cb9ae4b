"""Spreading a kernel's rows over the cores: fixed chunks, so that no answer depends on how many."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

_thread = threading.local()


def cores() -> int:
    """How many threads the kernels may use: EMLIA3D_THREADS, or the cores of this process.

    ValueError where EMLIA3D_THREADS is not a whole number above 0.
    """
    wish = os.environ.get("EMLIA3D_THREADS", "")
    if wish:
        if not wish.isascii() or not wish.isdigit() or int(wish) == 0:
            raise ValueError(f"EMLIA3D_THREADS wants a whole number above 0, not {wish!r}")
        return int(wish)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_chunks(work: Callable[[int, int], object], count: int, chunk: int) -> None:
    """Call work(begin, end) for every chunk of count rows, on as many threads as there are cores.

    *work* writes rows begin to end of its output and nothing else, and lets go of the GIL. What
    it raises is raised here. Work that spreads work in its turn does that on its own thread.
    """
    starts = range(0, count, chunk)
    if len(starts) <= 1 or cores() == 1 or getattr(_thread, "is_one_of_many", False):
        for start in starts:
            work(start, min(start + chunk, count))
        return
    with ThreadPoolExecutor(min(cores(), len(starts)), initializer=_be_one_of_many) as pool:
        for done in [pool.submit(work, start, min(start + chunk, count)) for start in starts]:
            done.result()


def _be_one_of_many() -> None:
    _thread.is_one_of_many = True

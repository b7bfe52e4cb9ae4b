"""Work in equal parts on several processes, with results in the order of the parts."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from threading import Thread
from types import ModuleType
from typing import TypeVar

from emlia3d.errors import Error
from emlia3d.geometry.threads import cores

Part = TypeVar("Part")
Result = TypeVar("Result")

ATTEMPTS = 3
"""Maximum number of successive pools that break without a result."""

MOST_TASKS = 20_000
"""Maximum number of tasks that wait in a pool; each has one or more parts."""


def in_processes(
    work: Callable[[Part], Result], parts: Sequence[Part], processes: int | None
) -> Generator[Result]:
    """Yield the results of parts in the order of the parts.

    If a process dies, for example because memory is full, another pool does the rest.

    processes : None for the number of cores; one part or one process runs in this process

    Raises
    ------
    Error
        Processes died three times in a row, with no result in between.
    """
    wanted = min(processes or cores(), len(parts))
    if wanted <= 1:
        yield from map(work, parts)
        return
    done = broken = 0
    while done < len(parts):
        try:
            for result in _in_pool(work, parts[done:], min(wanted, len(parts) - done)):
                done, broken = done + 1, 0
                yield result
        except BrokenProcessPool:
            broken += 1
            if broken == ATTEMPTS:
                told = f"processes died {ATTEMPTS} times in a row"
                raise Error(f"{told}; fewer at once need less memory (--processes)") from None


def _in_pool(
    work: Callable[[Part], Result], parts: Sequence[Part], processes: int
) -> Iterator[Result]:
    """Yield the result of each part in order; raise BrokenProcessPool if a process dies."""
    others = multiprocessing.active_children()
    size = 1 + len(parts) // MOST_TASKS
    with ProcessPoolExecutor(
        processes, mp_context=multiprocessing.get_context("spawn"), initializer=_be_one_of_many
    ) as pool:
        try:
            with _main_program_left_out():
                tasks = deque(
                    pool.submit(_each, work, parts[first : first + size])
                    for first in range(0, len(parts), size)
                )
            while tasks:
                yield from tasks.popleft().result()
        except BaseException:
            # A part can take minutes, and its result is no longer needed. Tasks are not cancelled,
            # because the pool fails at a cancelled task when its processes end.
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()
            raise


def _each(work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
    return [work(part) for part in parts]


@contextmanager
def _main_program_left_out() -> Iterator[None]:
    """Start processes that do not run the main program's file again.

    Therefore a script needs no check for the main program before a study, and processes start
    faster. The work of a process is never a function of the main program.
    """
    main = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = main


def _be_one_of_many() -> None:
    """Limit a process to one thread, and leave interrupts to the parent."""
    os.environ["EMLIA3D_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Exit when the parent has died, because no process would use the results."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)

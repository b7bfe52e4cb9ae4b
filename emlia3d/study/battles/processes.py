"""Work of many equal parts on several processes, with results in the order of the parts."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

from emlia3d.geometry.threads import cores

Part = TypeVar("Part")
Result = TypeVar("Result")


def in_processes(
    work: Callable[[Part], Result], parts: Sequence[Part], processes: int | None
) -> Iterator[Result]:
    """Yield the result of each part in order, whichever ends first.

    processes : None for as many as there are cores; one part or one process runs in this process
    """
    wanted = min(processes or cores(), len(parts))
    if wanted <= 1:
        yield from map(work, parts)
        return
    others = multiprocessing.active_children()
    with ProcessPoolExecutor(
        wanted, mp_context=multiprocessing.get_context("spawn"), initializer=_be_one_of_many
    ) as pool:
        try:
            yield from pool.map(work, parts, chunksize=1 + len(parts) // 20_000)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            # A part may take minutes, and its result is no longer needed.
            for process in multiprocessing.active_children():
                if process not in others:
                    process.terminate()
            raise


def _be_one_of_many() -> None:
    """Use one thread, because there are as many processes as cores; let the parent stop it."""
    os.environ["EMLIA3D_THREADS"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)

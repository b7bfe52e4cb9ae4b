"""Battles of a study on the workers of a Dask cluster."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Generator, Sequence
from threading import Thread

from emlia3d.errors import Error, MissingExtraError
from emlia3d.studies.battles.contest import Job, Played, play_chunk

CHUNK_S = 2.0
"""Duration of the battles that a worker gets at once, seconds."""

CONNECT_S = 5.0
"""Time limit for the answer of a scheduler, seconds."""


def on_cluster(address: str, jobs: Sequence[Job]) -> Generator[Played]:
    """Play battles on a cluster; yield each result when it is ready.

    If a worker dies, another worker plays its battles again.

    address : address of the scheduler, such as ``tcp://127.0.0.1:8786``

    Raises
    ------
    Error
        If the scheduler does not answer or ends, or if the cluster gives up a battle.
    MissingExtraError
        The optional libraries of studies are missing.
    """
    try:
        from distributed import (  # noqa: PLC0415  optional
            CancelledError,
            Client,
            KilledWorker,
            as_completed,
        )
    except ImportError as fault:
        raise MissingExtraError("a study on a cluster", "study") from fault
    if not jobs:
        return
    _check_answer(address)
    with Client(address, timeout=CONNECT_S, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        begun = time.monotonic()
        try:
            # One battle measures their duration here.
            first = client.submit(play_chunk, (jobs[0],), pure=False).result()
            yield from first
            size = max(1, int(CHUNK_S / max(time.monotonic() - begun, 1e-3)))
            chunks = [tuple(jobs[at : at + size]) for at in range(1, len(jobs), size)]
            futures = client.map(play_chunk, chunks, pure=False, retries=3)
            for done in as_completed(futures, loop=client.loop):  # type: ignore[no-untyped-call]
                yield from done.result()
        except KilledWorker as fault:
            raise Error(f"{address}: its workers died several times at one battle") from fault
        except CancelledError as fault:
            raise Error(f"{address}: the scheduler has ended, and not all is played") from fault


def _check_answer(address: str) -> None:
    """Raise Error if no scheduler answers, because a Client would wait forever."""
    from distributed.comm.core import connect  # noqa: PLC0415  optional

    faults: list[Exception] = []

    async def connection() -> None:
        connected = await connect(address, timeout=CONNECT_S)  # type: ignore[no-untyped-call]
        await connected.close()

    def attempt() -> None:
        try:
            asyncio.run(asyncio.wait_for(connection(), CONNECT_S))
        except Exception as fault:  # another server can send anything
            faults.append(fault)

    # In a thread, because in a notebook this thread has an event loop.
    trial = Thread(target=attempt)
    trial.start()
    trial.join()
    for fault in faults:
        is_no_address = isinstance(fault, ValueError)
        told = "expected tcp://HOST:PORT" if is_no_address else type(fault).__name__
        raise Error(f"{address}: no Dask scheduler answers there ({told})")

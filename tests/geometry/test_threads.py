"""Work that is spread over threads: each row once, and what goes wrong is raised."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from emlia3d.geometry.threads import in_chunks


@pytest.fixture(autouse=True, params=["1", "2", "4"])
def threads(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("EMLIA3D_THREADS", request.param)
    return str(request.param)


@pytest.mark.parametrize(("count", "chunk"), [(0, 5), (1, 5), (5, 5), (6, 5), (1000, 7)])
def test_every_row_is_worked_on_once_in_the_same_chunks(count: int, chunk: int) -> None:
    times, begins = np.zeros(count, int), list[int]()

    def work(begin: int, end: int) -> None:
        times[begin:end] += 1
        begins.append(begin)

    in_chunks(work, count, chunk)

    assert (times == 1).all()
    assert sorted(begins) == list(range(0, count, chunk))


@pytest.mark.parametrize("flaw", [IndexError, ValueError])
def test_what_goes_wrong_in_any_chunk_is_raised(flaw: type[Exception]) -> None:
    for bad in (0, 40, 99):

        def work(begin: int, _end: int, bad: int = bad) -> None:
            if begin == bad:
                raise flaw("no")

        with pytest.raises(flaw, match="no"):
            in_chunks(work, 100, 1)
        in_chunks(lambda *_: None, 100, 1)


def test_nobody_is_at_work_any_more_when_what_went_wrong_is_raised() -> None:
    at_work = list[int]()

    def work(begin: int, _end: int) -> None:
        at_work.append(begin)
        time.sleep(0.01 * (begin % 4))
        at_work.remove(begin)
        raise ValueError

    for _ in range(5):
        with pytest.raises(ValueError):  # noqa: PT011  any will do
            in_chunks(work, 8, 1)

        assert not at_work


def test_work_that_spreads_work_does_so_on_its_own_thread() -> None:
    inner = list[bool]()

    def outer(_begin: int, _end: int) -> None:
        mine = threading.get_ident()
        in_chunks(lambda *_: inner.append(threading.get_ident() == mine), 4, 1)

    in_chunks(outer, 6, 1)

    assert inner == [True] * 24


def test_threads_are_kept_from_one_work_to_the_next(threads: str) -> None:
    who = set[threading.Thread]()
    for _ in range(50):
        in_chunks(lambda *_: who.add(threading.current_thread()), 8, 1)

    assert len(who) <= int(threads)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process is forked here")
def test_a_forked_process_has_threads_of_its_own() -> None:
    program = """
import os, signal
from emlia3d.geometry.threads import in_chunks
in_chunks(lambda *_: None, 8, 1)
child = os.fork()
if not child:
    signal.alarm(20)
    done = []
    in_chunks(lambda begin, _: done.append(begin), 8, 1)
    os._exit(0 if sorted(done) == list(range(8)) else 3)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    )

    assert told.stdout.strip() == "0"

"""Processes that play battles: they need no main program, and end silently or with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

PARENT = """
import os, time
from emlia3d.studies.battles.processes import in_processes
from tests.studies.battles.test_processes import own_number

for number in in_processes(own_number, range(100), 2):
    print(number, flush=True)
"""


SCRIPT = """
import emlia3d

found = emlia3d.study("duel", runs=2, turns=1, processes=2)
print("battles:", found.battles.num_rows)
"""


STOPPED = """
import time
from emlia3d.studies.battles.processes import in_processes

for _ in range(3):
    found = in_processes(time.sleep, [0.05] * 40, 2)
    print(next(found))
    found.close()
"""


def own_number(part: int) -> int:
    """The process that does a part: the first parts at once, the others take a minute."""
    if part > 3:
        time.sleep(60)
    return os.getpid()


@pytest.mark.long
def test_a_script_needs_no_guard_to_begin_a_study(tmp_path: Path) -> None:
    script = tmp_path / "plain_script.py"
    script.write_text(SCRIPT, encoding="utf-8")

    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)

    assert (ran.stdout, ran.returncode) == ("battles: 2\n", 0), ran.stderr


@pytest.mark.long
def test_work_that_is_stopped_early_ends_its_processes_silently() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", STOPPED], capture_output=True, text=True, check=False, timeout=120
    )

    assert (ran.stdout, ran.stderr, ran.returncode) == ("None\nNone\nNone\n", "", 0)


@pytest.mark.long
@pytest.mark.skipif(os.name != "posix", reason="kills by signals")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["KILL", "TERM"])
def test_processes_end_when_their_parent_is_killed(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        workers = {int(parent.stdout.readline()) for _ in range(4)}
        parent.send_signal(number)
        parent.wait()

    deadline = time.monotonic() + 20
    while any(map(_runs, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)

    assert [worker for worker in workers if _runs(worker)] == []


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True

"""Play a study, and print what it costs and whether an interruption changes its table.

`python -m benchmarks.studies duel 1000 50` plays 1,000 battles of `duel` on all cores. Then it
plays the first 50 again: once killed in the middle and begun again, and once on a local Dask
cluster of two workers, one of which is killed. `brigades` in place of `duel` is half of the battle
`ridge`: 2,012 figures in 14 units. Any other word is a scenario.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from distributed import LocalCluster

from emlia3d.scenario.bundled import path_of
from emlia3d.studies.battles.store import PARTS, in_order

BRIGADES = (
    "General Amory", "1st Southern Rifles", "Bessing Regiment", "Carrow Regiment",
    "Dunmere Regiment", "Southern Hussars", "Finch's Battery",
    "General Voss", "1st Northern Jaegers", "Holm Fusiliers", "Jarlby Regiment",
    "Kestrel Regiment", "Northern Dragoons", "Oster's Battery",
)  # fmt: skip
"""Units of `ridge` that take part in `brigades`."""


def brigades(folder: Path) -> str:
    """Write `ridge` with these units alone; return the file."""
    tables = re.split(r"(?m)^(?=\[\[?)", path_of("ridge").read_text("utf-8"))
    kept = [
        table
        for table in tables
        if not table.startswith("[[unit]]") or table.split('"')[1] in BRIGADES
    ]
    file = folder / "brigades.toml"
    file.write_text("".join(kept), encoding="utf-8")
    return str(file)


def begin(scenario: str, runs: int, out: Path, *words: str) -> subprocess.Popen[bytes]:
    """Begin a study in a session of its own, with all of its processes."""
    command = [sys.executable, "-m", "emlia3d", "study", scenario, "--runs", str(runs)]
    return subprocess.Popen(
        [*command, "--out", str(out), *words], stdout=subprocess.DEVNULL, start_new_session=True
    )


def kept(out: Path) -> pa.Table:
    """Return the battles of a study in order."""
    return in_order(pq.read_table(sorted(out.glob(PARTS))))


def await_battles(out: Path, count: int) -> None:
    """Wait until a study has kept so many battles."""
    while not list(out.glob(PARTS)) or kept(out).num_rows < count:
        time.sleep(0.2)


def cost(scenario: str, runs: int, out: Path) -> None:
    """Play a study and print its time."""
    begun = time.perf_counter()
    _, status, usage = os.wait4(begin(scenario, runs, out).pid, 0)
    if status:
        raise SystemExit(f"{scenario}: exit status {os.waitstatus_to_exitcode(status)}")
    wall, cpu = time.perf_counter() - begun, usage.ru_utime + usage.ru_stime
    seconds = sum(kept(out)["seconds"].to_pylist())
    report(
        f"{runs:,} battles: {wall:.0f} s, {cpu:.1f} s CPU, {seconds:.1f} s in battles "
        f"({seconds / cpu:.1%})"
    )


def killed(scenario: str, runs: int, out: Path) -> pa.Table:
    """Play a study that is killed in the middle and begun again."""
    study = begin(scenario, runs, out)
    await_battles(out, runs // 3)
    os.killpg(study.pid, signal.SIGKILL)
    study.wait()
    report(f"killed after {kept(out).num_rows:,} of {runs:,} battles")
    begin(scenario, runs, out).wait()
    return kept(out)


def on_two_workers(scenario: str, runs: int, out: Path) -> pa.Table:
    """Play a study on a cluster of two workers, one of which is killed."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:  # type: ignore[no-untyped-call]
        study = begin(scenario, runs, out, "--scheduler", cluster.scheduler_address)
        await_battles(out, max(runs // 4, 1))
        worker: Any = next(iter(cluster.workers.values()))
        os.kill(worker.pid, signal.SIGKILL)
        report(f"killed a worker after {kept(out).num_rows:,} of {runs:,} battles")
        study.wait()
    return kept(out)


def report(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(name: str = "duel", runs: str = "1000", again: str = "50") -> None:
    """Run the command."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        scenario = brigades(folder) if name == "brigades" else name
        cost(scenario, int(runs), folder / "whole")
        whole = kept(folder / "whole").drop_columns(["seconds"])
        whole = whole.filter([run < int(again) for run in whole["run"].to_pylist()])
        for what, play in (("killed", killed), ("cluster", on_two_workers)):
            table = play(scenario, int(again), folder / what).drop_columns(["seconds"])
            same = table.equals(whole)
            report(f"{what}: {'the same table' if same else 'ANOTHER TABLE'}")


if __name__ == "__main__":
    main(*sys.argv[1:])

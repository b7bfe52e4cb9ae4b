"""Time both commands of the README in a fresh copy of HEAD, and print what takes the time.

`python -m benchmarks.delivery` runs the steps of each command up to its last: it plays no battle,
and it stops the tests at the first result. Each step has its wall and CPU seconds; the steps of pip
are divided by what its output reports.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).parents[1]

PHASES = (
    (r"Processing /|Obtaining file", "read the project"),
    (r"Installing build dependencies: started", "install build requirements"),
    (r"Getting requirements to build|Checking if build backend", "run setup.py for metadata"),
    (r"Collecting |Downloading ", "find and download dependencies"),
    (r"Building (wheel|editable) .*: started", "pack the modules"),
    (r"\[ *1/\d+\] Cythonizing|Generating shared module", "translate kernels to C"),
    (r"_ext\.\S+: compiling", "compile kernels"),
    (r"_ext\.\S+: unchanged", "reuse kernels"),
    (r"creating build/bdist|adding 'emlia3d/__init__", "pack the modules"),
    (r"Installing collected packages", "install dependencies"),
)
"""What pip prints when a phase begins, and the phase; a phase lasts until another begins."""

RESULT = re.compile(r"\b(PASSED|FAILED|SKIPPED|ERROR)\b")


@dataclass
class Timing:
    """Seconds of one step, and of its phases."""

    wall: float = 0.0
    cpu: float = 0.0
    phases: dict[str, float] = field(default_factory=dict)


def main() -> None:
    """Run the command."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "emlia3d")
        subprocess.run(["git", "clone", "-q", HERE, tree], check=True)
        lines = (tree / "README.md").read_text("utf-8").splitlines()
        commands = [line for line in lines if line.startswith("python3 -m venv .venv && ")]
        for command in commands:
            steps = command.split(" && ")
            timings = {step: timed(tree, step) for step in steps[:-1]}
            if "pytest" in steps[-1]:
                timings[f"{steps[-1]}, to the first result"] = timed(tree, f"{steps[-1]} -v")
            report(command, timings)


def timed(tree: Path, step: str) -> Timing:
    """Return the time of one step; of tests, until the first result."""
    words = shlex.split(step.replace("pip install", "pip install -v"))
    found, phase = Timing(), "start pip"
    since = began = time.perf_counter()
    tests = "pytest" in words[0]
    with subprocess.Popen(
        words,
        cwd=tree,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            if tests and RESULT.search(line):
                os.killpg(child.pid, signal.SIGKILL)
                break
            begun = [name for pattern, name in PHASES if re.search(pattern, line)]
            if begun and "pip" in words[0]:
                now = time.perf_counter()
                found.phases[phase] = found.phases.get(phase, 0.0) + now - since
                phase, since = begun[0], now
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode and not tests:
        raise SystemExit(f"{step}: exit status {child.returncode}")
    found.phases[phase] = found.phases.get(phase, 0.0) + time.perf_counter() - since
    found.wall, found.cpu = time.perf_counter() - began, usage.ru_utime + usage.ru_stime
    return found


def report(command: str, timings: dict[str, Timing]) -> None:
    """Print the time of a command and of its steps."""
    total = sum(each.wall for each in timings.values())
    lines = [f"{command}", f"  {total:6.1f} s in all"]
    for step, each in timings.items():
        lines.append(f"  {each.wall:6.1f} s ({each.cpu:.1f} s CPU)  {step}")
        if len(each.phases) > 1:
            lines += [f"           {wall:6.1f} s  {name}" for name, wall in each.phases.items()]
    sys.stdout.write("\n".join(lines) + "\n\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

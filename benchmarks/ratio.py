"""Play the same two armies for six turns in an old commit and in this tree, and print the ratio.

`python -m benchmarks.ratio FOLDER 20000 200` puts the old commit into FOLDER and builds its
kernels there, unless they are built. The processes take turns, so that both meet the same load. The
values are CPU seconds on one thread; the ratio is that of the worst turns.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).parents[1]
COMMIT = "860d66f"

_CHILD = """
import gc, sys, time
try:
    from emlia3d.scenario.synthetic_armies import armies
except ModuleNotFoundError:  # its name in old commits
    from emlia3d.scenario.mustering import armies
gc.set_threshold(10_000, 20, 20)
battle = armies(int(sys.argv[1]), int(sys.argv[2]), ground=True).battle(0, turns=int(sys.argv[3]))
events, turn = battle.run(), 1
while True:
    sys.stdin.readline()
    since = time.process_time()
    running = any(battle.state.turn > turn for _ in events)
    print(time.process_time() - since, flush=True)
    turn += 1
    if not running:
        break
"""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ratio", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder that keeps the old commit")
    parser.add_argument("figures", type=int)
    parser.add_argument("units", type=int)
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--commit", default=COMMIT)
    asked = parser.parse_args()
    make_tree(asked.folder, asked.commit)
    trees = {asked.commit: asked.folder, "this tree": HERE}
    worst = dict.fromkeys(trees, 0.0)
    with ExitStack() as stack:
        children = {}
        for name, tree in trees.items():
            child = _child(tree, asked.figures, asked.units, asked.turns)
            children[name] = stack.enter_context(child)
        for turn in range(1, asked.turns + 1):
            seconds = {name: _next_turn(child) for name, child in children.items()}
            worst = {name: max(worst[name], seconds[name] or 0.0) for name in trees}
            _say(f"turn {turn}", seconds)
    _say("worst turn", dict(worst))
    old, new = worst.values()
    sys.stdout.write(f"{old / new:.2f} times as fast\n")


def make_tree(folder: Path, commit: str) -> None:
    """Put the files of a commit into a folder and build its kernels, unless they are there."""
    built = folder / f"built-{commit}"
    if built.exists():
        return
    folder.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(
        ["git", "archive", commit], cwd=HERE, check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "-x"], cwd=folder, input=archive, check=True)
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=folder, check=True)
    built.touch()


def _child(tree: Path, figures: int, units: int, turns: int) -> subprocess.Popen[str]:
    """Start a process that plays one turn for each line that it reads."""
    command = [sys.executable, "-c", _CHILD, str(figures), str(units), str(turns)]
    environment = {**os.environ, "PYTHONPATH": str(tree), "EMLIA3D_THREADS": "1"}
    return subprocess.Popen(
        command, cwd=tree, env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def _next_turn(child: subprocess.Popen[str]) -> float | None:
    """Return the CPU seconds of the next turn; None if the battle is over."""
    assert child.stdin is not None
    assert child.stdout is not None
    if child.poll() == 0:
        return None
    child.stdin.write("\n")
    child.stdin.flush()
    answer = child.stdout.readline()
    if not answer and child.wait():
        raise SystemExit("the battle of one tree ended with an error")
    return float(answer) if answer else None


def _say(what: str, seconds: dict[str, float | None]) -> None:
    """Print one line of the table."""
    told = ", ".join(
        f"{name} {'over' if value is None else f'{value:.2f} s'}" for name, value in seconds.items()
    )
    sys.stdout.write(f"{what}: {told}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()

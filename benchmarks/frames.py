"""Draw the same 100,000 figures in an old commit and in this tree, and print the ratio of frames.

`python -m benchmarks.frames FOLDER` puts the old commit into FOLDER and builds its kernels there,
unless they are built. The scene is that of each tree's `benchmarks.test_view`, and Mesa draws no
pixel (GALLIUM_NOOP). The processes take turns, so that both meet the same load. The values are the
lowest CPU times of a frame.

`--pixels 1920 1080` draws the frames, to measure a graphics card. The values are then wall times,
each the mean of frames that are drawn before the last is read back.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from benchmarks.ratio import COMMIT, HERE, make_tree

KINDS = ("camera moves", "camera rests", "figures move")

_CHILD = """
import gc, os, sys, time
from panda3d.core import GraphicsEngine, GraphicsOutput, Texture
from benchmarks.test_view import SIDES, army, terrain_of
from emlia3d.view.moment.scene import Camera, Scene
from emlia3d.view.panda.display import probe
from emlia3d.view.panda.stage import Stage

cells, *pixels = map(int, sys.argv[1:])
found = probe("p3headlessgl", False)
if not pixels:
    os.environ["GALLIUM_NOOP"] = "true"
terrain = terrain_of(cells)
figures, banners = army(terrain)
stage = Stage(found, tuple(pixels) or (1280, 720))
stage.show(Scene(terrain=terrain, sides=SIDES, figures=figures, banners=banners))
engine = GraphicsEngine.get_global_ptr()
size = terrain.size_m[0]

def look(number, away, up):
    x, y = size / 2 + 2 * number, size / 2 - away
    floor = terrain.height(x, y)
    stage.look(Camera(eye=(x, y, floor + up), look_at=(x, size / 2, floor)))

def frame():
    stage.output.set_active(True)
    engine.render_frame()

def drawn():
    stage.output.add_render_texture(Texture(), GraphicsOutput.RTM_copy_ram)
    frame()
    stage.output.clear_render_textures()

def lowest_ms(work, times):
    if pixels:
        drawn()
        start = time.perf_counter()
        for number in range(times):
            work(number)
        drawn()
        return (time.perf_counter() - start) * 1000 / (times + 1)
    took = []
    for number in range(times):
        start = time.process_time()
        work(number)
        took.append(time.process_time() - start)
    return min(took) * 1000

look(0, 400.0, 150.0)
frame()
stage.output.clear_render_textures()
gc.collect()
print("ready", flush=True)
while sys.stdin.readline():
    moving = max(
        lowest_ms(lambda n: (look(n, away, up), frame()), 20)
        for away, up in ((80.0, 3.0), (500.0, 160.0), (1500.0, 700.0), (10.0, 2500.0))
    )
    resting = lowest_ms(lambda n: frame(), 200)
    ticking = lowest_ms(lambda n: (stage.update_figures(figures), frame()), 100)
    print(moving, resting, ticking, flush=True)
"""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frames", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder that keeps the old commit")
    parser.add_argument("--cells", type=int, default=2049, help="cells of the ground on a side")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument(
        "--pixels", type=int, nargs=2, default=(), metavar=("WIDTH", "HEIGHT"), help="draw frames"
    )
    parser.add_argument("--commit", default=COMMIT)
    asked = parser.parse_args()
    make_tree(asked.folder, asked.commit)
    trees = {asked.commit: asked.folder, "this tree": HERE}
    scene = [str(number) for number in (asked.cells, *asked.pixels)]
    lowest = {name: [float("inf")] * len(KINDS) for name in trees}
    with ExitStack() as stack:
        children = {name: stack.enter_context(_child(tree, scene)) for name, tree in trees.items()}
        for child in children.values():
            _next_line(child)
        for _ in range(asked.rounds):
            for name, child in children.items():
                times = map(float, _next_line(child, ask=True).split())
                lowest[name] = [min(pair) for pair in zip(lowest[name], times, strict=True)]
        for child in children.values():
            child.communicate()
    for kind, old, new in zip(KINDS, *lowest.values(), strict=True):
        sys.stdout.write(
            f"{kind}: {asked.commit} {old:.3f} ms a frame, this tree {new:.3f} ms, "
            f"ratio {new / old:.2f}\n"
        )


def _child(tree: Path, scene: list[str]) -> subprocess.Popen[str]:
    """Start a process that shows the scene, and times frames for each line that it reads."""
    return subprocess.Popen(
        [sys.executable, "-c", _CHILD, *scene], cwd=tree, text=True,
        env={**os.environ, "PYTHONPATH": str(tree)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip


def _next_line(child: subprocess.Popen[str], *, ask: bool = False) -> str:
    """Return the next line of a process, after asking for it."""
    assert child.stdin is not None
    assert child.stdout is not None
    if ask:
        child.stdin.write("\n")
        child.stdin.flush()
    line = child.stdout.readline()
    if not line:
        raise SystemExit("a process ended before its frames were timed")
    return line


if __name__ == "__main__":
    main()

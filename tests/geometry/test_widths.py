"""Loops compiled for vectors of another width give the same bits."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from emlia3d.geometry import Surface
from emlia3d.geometry.sightline import relief_of

SOURCES = Path(__file__).parents[2] / "ext"
WIDTHS = ["avx2", "avx512f"]

LANES = """
#include <string.h>
#include "circles.h"
#include "middle.h"
void near(const double *window, const float *circles, const int32_t *rows, uint64_t *marked,
          uint64_t *shut) {
    const float *radius = circles + 512, *inner = circles + 768;
    const struct Circles one = {256, circles, circles + 256, radius, inner};
    const struct Circles blocks = {16, circles, circles + 256, circles + 1024, inner};
    struct Window w;
    float *numbers = (float *)&w;
    for (int k = 0; k < 14; k++)
        numbers[k] = (float)window[k];
    mark_near(&w, &blocks, &one, rows, marked, shut);
}
void measure(const double *numbers, const double *x, const double *y, const int32_t *rings,
             const int32_t *bodies, const int32_t *rows, const uint64_t *shut, double *found) {
    const struct Rings outlines = {x, y, rings, bodies};
    struct Middle m;
    memcpy(&m, numbers, sizeof m);
    measure_middle(&m, &outlines, rows, 40, shut, 1e-12, found);
}
"""

RAYS = """
#include "mesh_edges.h"
size_t size(void) { return sizeof(struct LineBatch); }
size_t states(void) { return offsetof(struct LineBatch, state); }
void walk(const double *heights, int rows, int cols, const double *frame, const float *planes,
          const ptrdiff_t *levels, int many, const double *a, const double *b,
          struct LineBatch *out) {
    struct Slabs slabs = {planes, {0}, {0}, 4, many - 1, 2, cols - 1, rows - 1, 0x1p-46, 0x1p-47};
    struct RasterMesh bed;
    for (int k = 0; k < many; k++) {
        slabs.first[k] = levels[3 * k];
        slabs.cols[k] = levels[3 * k + 2];
    }
    init_mesh(&bed, heights, rows, cols, 2 * (frame[4] - frame[3]));
    load_batch(&slabs, a, b, frame, out);
    for (int k = 0; k < 60; k++) {
        aim_batch(&slabs, out);
        descend_batch(&slabs, out);
        test_batch(&bed, out);
    }
}
"""

SHARES = """
#include "emlia/allocation.h"
ptrdiff_t share(const int32_t *members, const int32_t *member_offsets, const int32_t *hits,
                const int32_t *hit_offsets, const int64_t *starts, int32_t *cells, ptrdiff_t count,
                int32_t *others) {
    const struct HitTables army = {members, member_offsets, hits, hit_offsets, starts, cells};
    return share_by_shape(&army, 0, count, others);
}
"""

pytestmark = pytest.mark.skipif(
    not SOURCES.exists() or shutil.which("gcc") is None, reason="needs the sources and gcc"
)


def runs(width: str) -> bool:
    """Whether this processor has vectors of that width."""
    facts = Path("/proc/cpuinfo")
    return facts.exists() and width in facts.read_text().split()


def compiled(folder: Path, code: str, *flags: str) -> ctypes.CDLL:
    """The loops as the kernels have them, but for one width, which the flags name."""
    source, library = folder / "loops.c", folder / "loops.so"
    source.write_text(code)
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O3", "-ffp-contract=off", "-fno-trapping-math",
         "-DEMLIA3D_ONE_WIDTH", "-I", SOURCES, *flags, source, "-o", library], check=True,
    )  # fmt: skip
    return ctypes.CDLL(str(library))


def pointer(column: np.ndarray) -> ctypes.c_void_p:
    return column.ctypes.data_as(ctypes.c_void_p)


def covers(lanes: ctypes.CDLL) -> bytes:
    """Which of 256 circles are near a hundred corridors, and what forty outlines cover of each."""
    rng = np.random.default_rng(6)
    edges = rng.choice([4, 4, 9, 9, 9, 17], 40)
    rings = np.append(0, np.cumsum(edges + 1)).astype(np.int32)
    bodies, rows = np.arange(41, dtype=np.int32), rng.permutation(256).astype(np.int32)
    every, shares = b"", set()
    for _ in range(100):
        outlines = [outline(rng, corners) for corners in edges]
        x, y = np.concatenate(outlines).T.copy()
        slopes = [rng.uniform(-0.1, 0), rng.uniform(0, 0.1)]
        middle = np.array([
            *rng.uniform(-5, 5, 2), 1, rng.uniform(-0.1, 0.1), 15, 80,
            0, -5, slopes[0], 0, 5, slopes[1], 1e-6, 1e-12, 1e-14,
        ])  # fmt: skip
        window = np.array([
            1, 0, 40, 0, 40, 8, -5, slopes[0], 1.01, 5, slopes[1], 1.01, 40, 35,
        ])  # fmt: skip
        circles = np.concatenate([
            rng.uniform(-20, 120, 256), rng.uniform(-30, 30, 256), rng.uniform(1, 20, 256),
            rng.uniform(-5, 15, 256), np.full(16, 99.0),
        ]).astype(np.float32)  # fmt: skip
        marked, shut, found = np.zeros(4, np.uint64), np.zeros(4, np.uint64), np.zeros(40)
        lanes.near(*map(pointer, (window, circles, rows, marked, shut)))
        lanes.measure(*map(pointer, (middle, x, y, rings, bodies, bodies, shut, found)))
        every += marked.tobytes() + shut.tobytes() + found.tobytes()
        shares |= {float(share) for share in found if -1 <= share <= 1}
        assert marked.any()
        assert shut.any()
    assert {-1, 0, 1} < shares
    return every


def outline(rng: np.random.Generator, corners: int) -> np.ndarray:
    """A closed ring round a place at the height of the corridor."""
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    ring = rng.uniform(2, 9, corners) * np.array([np.cos(angles), np.sin(angles)])
    ring += np.array([[rng.uniform(20, 75)], [rng.uniform(-12, 12)]])
    return np.column_stack([ring, ring[:, :1]]).T


def walks(rays: ctypes.CDLL) -> bytes:
    """All that is known in the end of three thousand lines low over rough ground."""
    rng = np.random.default_rng(8)
    rows, cols = 70, 90
    heights = rng.uniform(0, 3, (rows, cols)) + 6 * np.sin(np.arange(cols) / 9)
    relief = relief_of(Surface(heights=heights, cell=2.0, west=-5.0, north=140.0))
    size, states = rays.size(), rays.states()
    every, known = b"", set()
    for _ in range(100):
        a, b = (rng.uniform([-5, 2, 3], [173, 140, 16], (32, 3)) for _ in "ab")
        out = np.zeros(size, dtype=np.uint8)
        rays.walk(
            pointer(relief.heights), rows, cols, pointer(relief.frame), pointer(relief.slabs),
            pointer(relief.levels), len(relief.levels), pointer(a), pointer(b), pointer(out),
        )  # fmt: skip
        every += out.tobytes()
        known |= set(out[states : states + 128].view(np.int32).tolist())
    assert {0, 1} <= known
    return every


def shares(hits: ctypes.CDLL) -> bytes:
    """The hits of a thousand units of up to five subunits, each from up to five groups."""
    rng = np.random.default_rng(9)
    rows, groups = rng.integers(1, 6, (2, 1000))
    offsets = [np.append(0, np.cumsum(each)).astype(np.int32) for each in (rows, groups)]
    starts = np.append(0, np.cumsum(rows * groups)).astype(np.int64)
    members = rng.integers(0, 300, offsets[0][-1]).astype(np.int32)
    marks = rng.integers(0, 90, offsets[1][-1]).astype(np.int32)
    cells, others = np.zeros(starts[-1], np.int32), np.zeros(1000, np.int32)
    hits.share.restype = ctypes.c_ssize_t
    left = hits.share(
        pointer(members), pointer(offsets[0]), pointer(marks), pointer(offsets[1]),
        pointer(starts), pointer(cells), ctypes.c_ssize_t(1000), pointer(others),
    )  # fmt: skip
    assert 0 < left < 1000
    assert cells.any()
    return cells.tobytes() + others.tobytes()


@pytest.mark.long
@pytest.mark.parametrize(
    ("code", "answers"),
    [(LANES, covers), (RAYS, walks), (SHARES, shares)],
    ids=["corridors", "lines", "hits"],
)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_width_of_a_vector_changes_no_bit(
    tmp_path_factory, width: str, code: str, answers: Callable[[ctypes.CDLL], bytes]
) -> None:
    if not runs(width):
        pytest.skip(f"this processor has no {width}")
    narrow = compiled(tmp_path_factory.mktemp("narrow"), code)
    wide = compiled(tmp_path_factory.mktemp("wide"), code, f"-m{width}", "-mfma")

    assert answers(wide) == answers(narrow)

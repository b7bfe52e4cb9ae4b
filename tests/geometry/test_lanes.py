"""Loops compiled for vectors of another width give the same bits."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

HEADER = Path(__file__).parents[2] / "ext" / "lanes.h"
EDGES, PLACES = 9, 16
WIDTHS = ["avx2", "avx512f"]

pytestmark = pytest.mark.skipif(
    not HEADER.exists() or shutil.which("gcc") is None, reason="wants the sources and gcc"
)


def runs(width: str) -> bool:
    """Whether this processor has vectors of that width."""
    facts = Path("/proc/cpuinfo")
    return facts.exists() and width in facts.read_text().split()


def compiled(folder: Path, *flags: str) -> ctypes.CDLL:
    """The loops as the kernels have them, but for one width, which the flags name."""
    source = folder / "lanes.c"
    source.write_text(
        f'#include "{HEADER}"\n'
        "void see(double **c) { see_points(c[0], c[1], 10, c[2], c[3], c[4], c[5], c[6], c[7]);\n"
        "  cross_sides(c[5], c[6], c[7], 9, c[3], c[4], c[8], c[9], c[10]); }\n"
        "void cover(double **c) { c[15][0] = cover_places(c[5], c[6], c[8], 9, c[11], c[12],\n"
        "  c[13], c[14], 16, 1e-6, 1e-6); }\n"
    )
    library = folder / "lanes.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O3", "-ffp-contract=off", "-fno-trapping-math",
         "-DEMLIA3D_ONE_WIDTH", *flags, source, "-o", library], check=True,
    )  # fmt: skip
    return ctypes.CDLL(str(library))


def answers(lanes: ctypes.CDLL) -> bytes:
    """What the loops make of a hundred outlines of nine corners in a corridor ten wide."""
    rng = np.random.default_rng(6)
    every = b""
    for _ in range(100):
        columns = [np.zeros(2 * PLACES) for _ in range(16)]
        x, y, frame, low, high, s, above, below, _, _, _, places, widths, own, known, _ = columns
        angles = np.sort(rng.uniform(0, 2 * np.pi, EDGES))
        radii = rng.uniform(2, 9, EDGES)
        x[:EDGES], y[:EDGES] = 40 + radii * np.cos(angles), radii * np.sin(angles)
        x[EDGES], y[EDGES] = x[0], y[0]
        frame[:4] = [*rng.uniform(-5, 5, 2).tolist(), 1.0, rng.uniform(-0.1, 0.1)]
        low[:3], high[:3] = (0, -5, rng.uniform(-0.1, 0)), (0, 5, rng.uniform(0, 0.1))
        pointers = (ctypes.POINTER(ctypes.c_double) * len(columns))(
            *(column.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for column in columns)
        )
        lanes.see(pointers)
        places[:EDGES], widths[:EDGES] = s[:EDGES], above[:EDGES] + below[:EDGES]
        own[:], own[0] = -1, 3
        known[0] = 2
        lanes.cover(pointers)
        every += b"".join(column.tobytes() for column in columns)
        assert columns[-1][0] > 0
    return every


@pytest.mark.parametrize("width", WIDTHS)
def test_the_width_of_a_vector_changes_no_bit(tmp_path_factory, width: str) -> None:
    if not runs(width):
        pytest.skip(f"this processor has no {width}")
    narrow = compiled(tmp_path_factory.mktemp("narrow"))
    wide = compiled(tmp_path_factory.mktemp("wide"), f"-m{width}", "-mfma")

    assert answers(wide) == answers(narrow)

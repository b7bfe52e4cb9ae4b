"""Damaged ground is one line and status 2 from every command that reads a scenario."""

from __future__ import annotations

import shutil
import struct
from pathlib import Path

import numpy as np
import pytest


def crafted(descr: str, shape: str) -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 64


GROUNDS = {
    "billion.npy": crafted("|V1000000000", "(2, 2)"),
    "floats.npy": crafted("<f8", "(4.0, 4)"),
    "truths.npy": crafted("<f8", "(True, True)"),
    "cut.npz": b"PK\x03\x04",
    "cut.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
}


@pytest.fixture
def scenario(tmp_path: Path, bandits: Path) -> Path:
    for army in bandits.parent.glob("*.toml"):
        shutil.copy(army, tmp_path)
    return tmp_path / bandits.name


@pytest.mark.parametrize("name", GROUNDS)
@pytest.mark.parametrize(
    "words",
    [
        ["check", "SCENARIO"],
        ["sight", "SCENARIO", "archers", "bandits"],
        ["viewshed", "SCENARIO", "archers"],
        ["view", "SCENARIO"],
    ],
    ids=lambda words: words[0],
)
def test_damaged_ground_is_one_line(run, tmp_path, scenario, words, name) -> None:
    (tmp_path / name).write_bytes(GROUNDS[name])
    text = scenario.read_text().replace("[field]\n", f'[field]\nground = "{name}"\n', 1)
    scenario.write_text(text)

    told = run([str(scenario) if word == "SCENARIO" else word for word in words])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert name in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize("spacing", [float("inf"), float("nan")])
def test_a_geotiff_without_a_finite_spacing_is_one_line(run, tmp_path, scenario, spacing) -> None:
    rasterio = pytest.importorskip("rasterio")
    grid = {"driver": "GTiff", "width": 4, "height": 4, "count": 1, "dtype": "float32"}
    place = rasterio.Affine(spacing, 0, 5e5, 0, -10, 5e6)
    with rasterio.open(tmp_path / "a.tif", "w", crs="EPSG:32632", transform=place, **grid) as file:
        file.write(np.zeros((4, 4), np.float32), 1)
    text = scenario.read_text().replace("[field]\n", '[field]\nground = "a.tif"\n', 1)
    scenario.write_text(text)

    told = run(["check", scenario])

    assert (told.status, len(told.complaints)) == (2, 1)

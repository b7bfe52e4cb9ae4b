"""The commands of docs/real-ground.md run as they stand."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Run

rasterio = pytest.importorskip("rasterio")
pytest.importorskip("pyogrio")

PAGE = Path(__file__).parents[2] / "docs/real-ground.md"


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    return [line for block in blocks for line in block.strip().splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The files that the page names: an elevation model of 120 x 100 cells of 10 m, and posts."""
    row, column = np.indices((100, 120))
    heights = 40 * np.sin(column / 9) * np.cos(row / 7) + 0.8 * row + 60
    transform = rasterio.Affine(10, 0, 500_000, 0, -10, 5_000_000)
    with rasterio.open(
        tmp_path / "hills.tif", "w", driver="GTiff", height=100, width=120, count=1,
        dtype="float32", crs="EPSG:32632", transform=transform,
    ) as file:  # fmt: skip
        file.write(heights.astype(np.float32), 1)
        file.units = ("m",)
    (tmp_path / "posts.csv").write_text("x,y,height\n500205,4999695,2\n500905,4999305,\n")
    return tmp_path


def test_the_page_has_its_commands() -> None:
    assert [line.split()[1] for line in commands()] == [
        "sight", "viewshed", "viewshed", "viewshed", "viewshed", "exposure", "route",
    ]  # fmt: skip


def test_the_python_of_the_page_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    monkeypatch.chdir(folder)

    exec(compile(block, str(PAGE), "exec"), {})

    visible, least, share = capsys.readouterr().out.splitlines()
    assert visible.startswith(("True", "False"))
    assert float(least) == 0
    assert 0 <= float(share) <= 1


@pytest.mark.parametrize("command", commands())
def test_a_command_of_the_page_runs_and_writes_its_files(
    run: Run, folder: Path, command: str
) -> None:
    program, *words = shlex.split(command)

    told = run(words)

    assert program == "emlia3d"
    assert (told.status, told.err) == (0, "")
    written = [
        word for word in words if re.fullmatch(r"\w+\.(png|geojson)|(seen|share)\.tif", word)
    ]
    assert written
    for name in written:
        assert (folder / name).stat().st_size > 100
        if name.endswith(".geojson"):
            assert json.loads((folder / name).read_text())["features"]

"""The commands of docs/real-ground.md run as they stand."""

from __future__ import annotations

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely

from emlia3d.scenario import load
from tests.cli.conftest import Run
from tests.needing import needs

pytestmark = needs("rasterio", "pyogrio")

PAGE = Path(__file__).parents[2] / "docs/real-ground.md"


def commands() -> list[str]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE.read_text("utf-8"), flags=re.DOTALL)
    return [line for block in blocks for line in block.strip().splitlines()]


def block(language: str, number: int) -> str:
    """A code block of the page, by its number among those in a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)[number]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The files that the page names: the elevation model and posts that it lists, and a map."""
    monkeypatch.chdir(tmp_path)
    exec(compile(block("python", 0), str(PAGE), "exec"), {})
    wood, road, house = (
        shapely.box(500_300, 4_999_600, 500_500, 4_999_700),
        shapely.LineString([(500_000, 4_999_300), (501_200, 4_999_400)]),
        shapely.box(500_700, 4_999_420, 500_720, 4_999_435),
    )
    import pyogrio.raw

    tags = {"natural": ["wood", None, None], "highway": [None, "track", None],
            "building": [None, None, "yes"]}  # fmt: skip
    pyogrio.raw.write(
        tmp_path / "map.gpkg", shapely.to_wkb(np.array([wood, road, house])),
        [np.array(values, object) for values in tags.values()], list(tags),
        geometry_type="Unknown", crs="EPSG:32632", layer="map",
    )  # fmt: skip
    (tmp_path / "posts.csv").write_text(block("text", 0), encoding="utf-8")
    return tmp_path


def test_the_page_has_its_commands() -> None:
    assert [line.split()[1] for line in commands()] == [
        "sight", "viewshed", "viewshed", "viewshed", "viewshed", "exposure", "route",
        "exposure", "route",
        "import", "check", "view", "viewshed", "import", "battle",
    ]  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_the_python_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(block("python", 1), str(PAGE), "exec"), {})

    visible, least, share = capsys.readouterr().out.splitlines()
    assert visible.startswith(("True", "False"))
    assert float(least) == 0
    assert 0 <= float(share) <= 1


@pytest.mark.long
def test_the_commands_of_the_page_run_one_after_another_and_write_their_files(
    run: Run, folder: Path
) -> None:
    for command in commands():
        program, *words = shlex.split(command)

        told = run(words)

        assert program == "emlia3d"
        assert (told.status, told.err) == (0, ""), command
        outputs = ("--out", "--picture", "--polygons")
        written = [name for key, name in pairwise(words) if key in outputs]
        assert written or words[0] == "check"
        for name in written:
            assert (folder / name).stat().st_size > 100
            if name.endswith(".geojson"):
                assert json.loads((folder / name).read_text())["features"]


def test_the_scenario_of_the_page_has_the_terrain_of_the_map(run: Run, folder: Path) -> None:
    for command in commands():
        if command.split()[1] == "import":
            assert run(shlex.split(command)[1:]).status == 0

    setup = load(folder / "valley.toml").setup

    assert [feature.name for feature in setup.field.features] == [
        "forest 1", "track 1", "building 1",
    ]  # fmt: skip
    assert setup.field.size == (400, 300)
    assert len(setup.units) == 4

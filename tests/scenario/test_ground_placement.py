"""A field lies on a part of a larger raster, and check reports the part."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from emlia3d.field import Ground, Scale, placed
from emlia3d.scenario import load, review
from tests.field.elevation_files import georeferenced, saved

SCENARIO = """
format = 1
title = "Part of a raster"
rules = "emlia"
turns = 1
[field]
size = [20, 10]
metres_per_gsu = 2.0
ground = {ground}
[[side]]
name = "A"
colour = "#2a5caa"
lines = "south"
[[side]]
name = "B"
colour = "#b3261e"
lines = "north"
[[unit]]
name = "a"
side = "A"
type = "emlia/warrior"
at = [4, 2]
[[unit]]
name = "b"
side = "B"
type = "emlia/warrior"
at = [4, 8]
"""

# 8 columns of 10 m eastwards and 6 rows southwards; the value is 10 times the column plus the row.
STEPS = np.add.outer(np.arange(6.0), 10 * np.arange(8.0)).astype(np.float32)


def scenario(folder: Path, ground: str) -> Path:
    path = folder / "a.toml"
    path.write_text(SCENARIO.replace("{ground}", ground))
    return path


def raster(folder: Path) -> Path:
    pytest.importorskip("rasterio")
    return georeferenced(folder / "a.tif", STEPS, grid=(500_000, 5_000_060, 10, -10))


@pytest.mark.parametrize(
    ("anchor", "rows", "columns"),
    [
        ("south-west", (4, 6), (0, 4)),
        ("south-east", (4, 6), (4, 8)),
        ("north-west", (0, 2), (0, 4)),
        ("north-east", (0, 2), (4, 8)),
        ("centre", (2, 4), (2, 6)),
        ("north", (0, 2), (2, 6)),
    ],
)
def test_an_anchor_chooses_the_part_of_a_raster(tmp_path, anchor, rows, columns) -> None:
    raster(tmp_path)
    path = scenario(tmp_path, f'{{file = "a.tif", anchor = "{anchor}"}}')

    ground = load(path).setup.field.ground

    np.testing.assert_array_equal(ground.elevation_m, STEPS[slice(*rows), slice(*columns)])
    assert ground.georeference is not None
    assert ground.georeference.west == 500_000 + 10 * columns[0]
    assert ground.georeference.south == 5_000_060 - 10 * rows[1]


def test_coordinates_place_the_anchor_of_the_field(tmp_path: Path) -> None:
    raster(tmp_path)
    path = scenario(tmp_path, '{file = "a.tif", anchor = "centre", at = [500050, 5000030]}')

    ground = load(path).setup.field.ground

    np.testing.assert_array_equal(ground.elevation_m, STEPS[2:4, 3:7])


def test_a_place_between_centres_reads_the_surface_there() -> None:
    slope = np.add.outer(np.zeros(6), np.arange(8.0))

    ground = Ground.laid(slope, (4.0, 2.0), 1.0, corner=(1.25, 2.5))

    np.testing.assert_allclose(ground.elevation_m[0], [1.25, 2.25, 3.25, 4.25])


@pytest.mark.parametrize(
    ("ground", "why"),
    [
        ('{file = "a.tif", at = [500050, 5000030]}', "reaches past the raster of 40 x 30 GSU"),
        ('{file = "a.tif", at = [499990, 5000000]}', "reaches past the raster of 40 x 30 GSU"),
        ('{file = "a.tif", anchor = "middle"}', "anchor"),
        ('{file = "a.tif", at = [500050]}', "at"),
        ('{file = "a.npy", at = [0, 0]}', "anchor and at need a raster with known spacing"),
        ('{file = "a.npy", cell_m = 10, at = [0, 0]}', "at: expected a raster with a reference"),
        ('{file = "a.tif", band = 2}', "band: expected 1 to 1, got 2"),
        ('{file = "a.tif", unit = "parsec"}', "unit: expected m, .* got 'parsec'"),
        ('{file = "a.npy", nodata = nan}', "nodata"),
    ],
)
def test_a_wrong_placement_is_one_line_at_its_key(tmp_path: Path, ground: str, why: str) -> None:
    raster(tmp_path)
    saved(tmp_path / "a.npy", STEPS)

    (found,) = review(scenario(tmp_path, ground)).diagnostics

    assert found.line == 9
    assert "\n" not in str(found)
    assert re.search(why, str(found))


def test_check_tells_the_part_in_use_and_the_assumed_unit(tmp_path: Path) -> None:
    raster(tmp_path)
    path = scenario(tmp_path, '"a.tif"')

    advice = [str(one) for one in review(path).advice if "ground:" in str(one)]

    assert advice == [
        f"{path}:9: ground: heights are taken as metres, because the file states no unit",
        f"{path}:9: ground: uses 40 x 20 m of 80 x 60 m, from the south-west corner",
    ]


def test_a_unit_of_a_scenario_converts_the_heights(tmp_path: Path) -> None:
    saved(tmp_path / "a.npy", STEPS)
    path = scenario(tmp_path, '{file = "a.npy", cell_m = 10, unit = "foot", nodata = 35}')

    ground = load(path).setup.field.ground

    np.testing.assert_allclose(ground.elevation_m[0, :3], STEPS[4, :3] * 0.3048)
    # The hole in row 5, column 3 has the mean of its three neighbours.
    assert ground.elevation_m[1, 3] == pytest.approx((34 + 25 + 45) / 3 * 0.3048)


def test_a_battle_keeps_the_hash_of_each_file_of_its_raster(tmp_path: Path) -> None:
    pytest.importorskip("rasterio")
    (tmp_path / "maps").mkdir()
    STEPS.astype("<f4").tofile(tmp_path / "maps" / "a.flt")
    header = tmp_path / "maps" / "a.hdr"
    header.write_text(
        "NROWS 6\nNCOLS 8\nNBITS 32\nPIXELTYPE FLOAT\nBYTEORDER LSBFIRST\n"
        "ULXMAP 5\nULYMAP 55\nXDIM 10\nYDIM 10\n"
    )

    found = load(scenario(tmp_path, '{file = "maps/a.flt", cell_m = 10}'))

    assert sorted(found.files) == ["maps/a.flt", "maps/a.hdr"]
    assert found.files["maps/a.hdr"]["size"] == header.stat().st_size


def test_a_raster_of_the_field_s_size_needs_no_note() -> None:
    assert placed((5, 10), 4.0, (20.0, 10.0), Scale(2.0)).note is None

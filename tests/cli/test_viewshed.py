"""`emlia3d viewshed`: in words and letters, as a document, as GeoTIFF, picture and array."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import emlia3d

Run = Callable[[list[str | Path]], Any]

REAL = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"

COARSE = ["--cell", "4"]

ON_REAL_GROUND = """\
format = 1
title = "A look round"
rules = "emlia"
turns = 1

[field]
size = [3000, 2000]
metres_per_gsu = 2.0
ground = {file = "real.tif", window = [40, 40, 100, 80]}

[[side]]
name = "Blue"

[[unit]]
name = "watch"
side = "Blue"
at = [1500, 1000]
members = 1
size = 1
height = 1
"""


def test_it_says_what_is_seen_and_draws_it_in_letters(run: Run, bandits: Path) -> None:
    told = run(["viewshed", bandits, "archers", *COARSE])

    lines = told.out.splitlines()
    field = lines[lines.index("") + 1 : -2]
    assert told.status == 0
    assert told.out.startswith("On 8")
    assert "archers can see a figure of height 1 without concealment" in told.out.replace("\n", " ")
    assert len({len(line) for line in field}) == 1
    assert {letter for line in field for letter in line} == set(".+#@")
    assert "@" in field[-1]
    assert lines[-1] == ". seen    + in part    # not seen    @ observer"


def test_it_prints_one_document(run: Run, bandits: Path) -> None:
    told = run(["viewshed", bandits, "archers", "60,70", *COARSE, "--json"])

    document = json.loads(told.out)
    assert document["observers"] == ["archers", "60,70"]
    assert document["rules"] == "emlia"
    assert document["resolution"] == {
        "cell": 4, "cell_m": 4, "rows": 20, "columns": 30, "ground": None,
    }  # fmt: skip
    assert document["extent"] == {"west": 0, "south": 0, "east": 120, "north": 80}
    assert sum(document["cells"].values()) == 600
    assert sum(document["shares"].values()) == pytest.approx(1)
    assert sum(document["counts"]) == 600
    assert [one["observer"] for one in document["each"]] == ["archers", "60,70"]
    assert sum(document["each"][0][level] for level in ("none", "partial", "total")) == 600
    assert document["hides"][0]["name"] == "rock"
    assert "emlia.sight.shadow-total-depth" in document["because"]
    assert document["program"] == emlia3d.__version__
    assert "600" not in document["text"]
    assert len(document["digest"]) == 64


def test_an_array_holds_what_was_asked_for(run: Run, bandits: Path, tmp_path: Path) -> None:
    asked = ["viewshed", bandits, "archers", "raiders", *COARSE]
    area = emlia3d.load(bandits).viewshed("archers", "raiders", cell=4)

    for show in ("levels", "counts", "each"):
        told = run([*asked, "--show", show, "--out", f"{show}.npy"])
        assert (told.status, told.err) == (0, "")

    levels, counts, each = (
        np.load(tmp_path / f"{show}.npy") for show in ("levels", "counts", "each")
    )
    assert levels.dtype == counts.dtype == each.dtype == np.uint8
    assert (levels == area.levels).all()
    assert (counts == area.counts).all()
    assert (each == area.each).all()


def test_a_geotiff_of_no_place_on_earth_is_in_metres(
    run: Run, bandits: Path, tmp_path: Path
) -> None:
    rasterio = pytest.importorskip("rasterio")

    run(["viewshed", bandits, "archers", *COARSE, "--rules", "true", "--out", "seen.tif"])

    with rasterio.open(tmp_path / "seen.tif") as seen:
        assert seen.bounds == (0, 0, 120, 80)
        assert 'UNIT["metre",1' in seen.crs.to_wkt()
        assert seen.tags()["observers"] == "archers"
        assert seen.tags()["rules"] == "true"
        assert seen.colormap(1)[2][:3] == (107, 63, 160)
        levels = seen.read(1)
    area = emlia3d.load(bandits).viewshed("archers", cell=4, rules="true")
    assert (levels == area.levels).all()


def test_a_geotiff_has_a_band_for_each_observer(run: Run, bandits: Path, tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")

    run(["viewshed", bandits, "Bandits", *COARSE, "--show", "each", "--out", "each.tif"])

    with rasterio.open(tmp_path / "each.tif") as each:
        assert each.descriptions == ("bandits", "raiders")
        assert each.count == 2


@pytest.mark.skipif(not REAL.exists(), reason="the measured elevation is not here")
def test_a_geotiff_of_measured_ground_lies_where_that_does(run: Run, tmp_path: Path) -> None:
    rasterio = pytest.importorskip("rasterio")
    shutil.copy(REAL, tmp_path / "real.tif")
    (tmp_path / "real.toml").write_text(ON_REAL_GROUND, encoding="utf-8")

    told = run(["viewshed", "real.toml", "watch", "--rules", "true", "--out", "seen.tif"])

    assert told.status == 0
    assert "60 x 40 cells of 50 GSU (100 m)" in told.out.replace("\n", " ")
    with rasterio.open(REAL) as ground, rasterio.open(tmp_path / "seen.tif") as seen:
        assert seen.crs == ground.crs
        assert seen.res == (100, 100)
        assert seen.bounds.left == pytest.approx(ground.bounds.left + 4_000)
        assert seen.bounds.top == pytest.approx(ground.bounds.top - 4_000)
        assert set(np.unique(seen.read(1))) >= {0, 2}


def test_a_picture_shows_what_is_hidden_and_who_looks(
    run: Run, bandits: Path, tmp_path: Path
) -> None:
    told = run(["viewshed", bandits, "archers", *COARSE, "--picture", "seen.png"])

    picture = np.asarray(Image.open(tmp_path / "seen.png").convert("RGB"), dtype=int)
    assert told.status == 0
    assert told.out.splitlines()[-1] == "seen.png: a map of what is seen"
    assert "@ observer" not in told.out, "the picture shows it"
    purple = (picture[..., 2] > picture[..., 1] + 40) & (picture[..., 0] > picture[..., 1])
    assert purple.sum() > 10_000


def test_it_asks_from_where_a_spot_is_seen(run: Run, bandits: Path) -> None:
    told = run(["viewshed", bandits, "bandits", *COARSE, "--reverse"])

    assert told.status == 0
    assert "of the field a figure of height 1 can see bandits" in told.out.replace("\n", " ")
    assert told.out.splitlines()[-1].endswith("@ target")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["archer"], 'unknown unit or side "archer"; did you mean archers?'),
        (["rock"], "rock is terrain; expected a unit, a side or a point x,y"),
        (["archers", "--height", "0"], "height: expected a number of height units above 0"),
        (["archers", "--cell", "0"], "cell: expected a number of GSU from"),
        (["200,1"], "200,1 is not on the field"),
        (["archers", "--rules", "all"], "expected one method: the rules emlia, or"),
        (["archers", "--rules", "emila"], 'unknown rule system "emila"; did you mean emlia?'),
        (["archers", "--out", "seen.gif"], "name that ends in .tif, .tiff or .npy"),
        (["archers", "--out", "gone/seen.tif"], "there is no folder gone"),
        (["archers", "--picture", "gone/seen.png"], "there is no folder gone"),
        (["archers", "--picture", "seen.tif"], "name that ends in .png"),
        (["archers", "--out", "seen.png"], "--picture seen.png draws a map"),
        (["archers", "--show", "each", "--picture", "seen.png"], "a picture has one layer"),
        (["archers", "--show", "everything"], "everything"),
        (["archers", "--show", "counts"], "--show counts: needs --out or --picture"),
        (["1,2,3,4"], "1,2,3,4 is not a point: expected x,y or x,y,h"),
        (["nan,2"], "nan,2 is not a point"),
        (["1,2,-1"], "1,2,-1: h is a number of height units above the ground, up to 10000"),
        (["1,2,1e300"], "1,2,1e300: h is a number of height units above the ground"),
        ([], "expected an observer"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    run: Run, bandits: Path, words: list[str], complaint: str
) -> None:
    told = run(["viewshed", bandits, *words])

    assert (told.status, told.out) == (2, "")
    assert len(told.complaints) == 1
    assert complaint in told.err


def test_without_rasterio_it_says_what_to_install(
    run: Run, bandits: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rasterio", None)
    monkeypatch.setitem(sys.modules, "rasterio.errors", None)

    told = run(["viewshed", bandits, "archers", "--out", "seen.tif"])

    assert (told.status, told.out) == (1, "")
    assert told.complaints == [
        "writing a GeoTIFF needs an optional library: pip install 'emlia3d[geo]'"
    ]


def test_plain_geometry_says_that_its_figure_has_no_width(run: Run, bandits: Path) -> None:
    told = run(["viewshed", bandits, "archers", "--rules", "true", *COARSE])

    words = told.out.replace("\n", " ")
    assert "a figure as thin as a vertical line" in words
    assert "For the visible fraction of a unit, use emlia3d sight." in words

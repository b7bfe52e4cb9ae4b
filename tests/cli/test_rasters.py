"""The commands about rasters of elevations, on files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.cli.conftest import Run

rasterio = pytest.importorskip("rasterio")

WEST, NORTH = 500_000, 5_000_000


def write(path: Path, heights: Any, crs: str | None = "EPSG:32632", **profile: Any) -> Path:
    band = np.asarray(heights, dtype=np.float32)
    transform = rasterio.Affine(10, 0, WEST, 0, -10, NORTH)
    with rasterio.open(
        path, "w", driver="GTiff", height=len(band), width=band.shape[1], count=1, dtype="float32",
        transform=transform, crs=crs, **profile,
    ) as file:  # fmt: skip
        file.write(band, 1)
        file.units = ("m",)
    return path


@pytest.fixture
def ridge(tmp_path: Path) -> Path:
    """Level ground of 41 x 21 cells of 10 m; a wall 9 m high across it in column 20."""
    heights = np.zeros((21, 41))
    heights[:, 20] = 9
    return write(tmp_path / "ridge.tif", heights)


def at(column: float, row: float = 10) -> str:
    return f"{WEST + 10 * column + 5},{NORTH - 10 * row - 5}"


def test_a_line_is_settled_with_its_figures(run: Run, ridge: Path) -> None:
    told = run(["sight", ridge, "--from", f"{at(0)},5", "--to", f"{at(40)},7"])

    assert (told.status, told.err) == (0, "")
    assert "500005,4999895 (5 m above the ground at 0.0 m)" in told.out
    assert told.out.splitlines()[0].endswith(": blocked")
    for line in (
        "Distance        400.0 m",
        "Bearing         90.00 degrees",
        "Vertical angle  +0.286 degrees",
        "Blocked at      500205,4999895, 200.0 m from the observer; the ground rises 3.00 m",
        "Shows from      13.00 m above the ground",
        "Along the line  visible 0-",
    ):
        assert line in told.out


def test_a_line_is_settled_in_json_and_drawn(run: Run, ridge: Path, tmp_path: Path) -> None:
    words = ["sight", ridge, "--from", f"{at(0)},12", "--to", f"{at(40)},7"]
    told = run([*words, "--json", "--picture", "line.png"])

    answer = json.loads(told.out)
    assert answer["line_of_sight"] is True
    assert answer["closest"]["gap_m"] == pytest.approx(0.5)
    assert answer["blocked"] is None
    assert answer["observer"] == {
        "x": 500005.0, "y": 4999895.0, "ground_m": 0.0, "height_m": 12.0,
    }  # fmt: skip
    with Image.open(tmp_path / "line.png") as picture:
        assert picture.size == (1600, 640)
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or ()}
    assert (31, 122, 61) in colours  # the free line
    told = run([*words[:-1], f"{at(40)},1", "--picture", "line.png"])
    with Image.open(tmp_path / "line.png") as picture:
        colours = {colour for _, colour in picture.convert("RGB").getcolors(1 << 20) or ()}
    assert (31, 122, 61) not in colours


def test_places_may_be_in_longitude_and_latitude(run: Run, ridge: Path) -> None:
    from rasterio.warp import transform

    (x, y), (u, v) = (map(float, at(c).split(",")) for c in (0, 40))
    (a, b), (c, d) = transform("EPSG:32632", "EPSG:4326", [x, u], [y, v])
    ends = ["--from", f"{a},{c},12", "--to", f"{b},{d},7"]

    told = run(["sight", ridge, *ends, "--crs", "EPSG:4326", "--json"])

    answer = json.loads(told.out)
    assert answer["line_of_sight"] is True
    assert answer["distance_m"] == pytest.approx(400, abs=0.01)


def test_a_viewshed_is_written_as_a_geotiff(run: Run, ridge: Path, tmp_path: Path) -> None:
    told = run(["viewshed", ridge, "--from", f"{at(5)},2", "--target", "3", "--out", "seen.tif"])

    assert told.status == 0
    assert "The observer sees a target 3 m high on" in told.out
    with rasterio.open(tmp_path / "seen.tif") as seen:
        levels = seen.read(1)
        assert seen.bounds == (WEST, NORTH - 210, WEST + 410, NORTH)
        assert seen.crs.to_epsg() == 32632
        assert seen.nodata == 3
        assert seen.colormap(1)[2] == (107, 63, 160, 255)
        assert len(seen.colormap(1)) == 4
    # The wall's top is seen, and nothing behind it for a long way.
    assert (levels[:, :20] == 0).all()
    assert levels[10, 20] == 0
    assert (levels[:, 22:40] == 2).all()


def test_counts_of_many_observers_come_from_files_and_grids(
    run: Run, ridge: Path, tmp_path: Path
) -> None:
    (tmp_path / "posts.csv").write_text("name,X,y,height\na,500055,4999895,2\nb,500355,4999895,\n")
    base = ["viewshed", ridge, "--target", "0", "--show", "counts"]
    told = run([*base, "--observers", "posts.csv", "--out", "counts.npy"])

    assert told.status == 0
    counts = np.load(tmp_path / "counts.npy")
    assert counts[10, 2] == counts[10, 38] == 1
    assert counts[10, 20] == 2
    grid = run([*base, "--every", "100", "--show", "proportion", "--out", "share.npy"])
    assert "The 8 observers together see the ground" in grid.out
    assert np.load(tmp_path / "share.npy").max() == 1


def test_observers_and_paths_come_from_geojson(run: Run, ridge: Path, tmp_path: Path) -> None:
    def geojson(name: str, kind: str, places: list[Any], crs: Any) -> None:
        shape = {"type": kind, "coordinates": places}
        table = {"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": shape}]}
        (tmp_path / name).write_text(json.dumps({**table, "crs": crs}))

    named = {"type": "name", "properties": {"name": "EPSG:32632"}}
    geojson("posts.geojson", "MultiPoint", [[500055, 4999895], [500355, 4999895]], named)
    geojson("path.geojson", "LineString", [[500005, 4999895], [500405, 4999895]], named)

    told = run(
        ["exposure", ridge, "--path", "path.geojson", "--observers", "posts.geojson", "--eye", "2",
         "--target", "0", "--json"]
    )  # fmt: skip

    answer = json.loads(told.out)
    assert answer["length_m"] == pytest.approx(400)
    assert answer["first"]["observer"] == 0
    assert [each["runs"][0]["visible"] for each in answer["observers"]] == [True, False]
    assert answer["observers"][0]["visible_m"] == pytest.approx(200, abs=10)


def test_an_exposure_is_told_and_drawn(run: Run, ridge: Path, tmp_path: Path) -> None:
    path = f"{at(39)};{at(1)}"
    told = run(
        ["exposure", ridge, "--path", path, "--from", f"{at(5)},2", "--target", "0", "--picture",
         "path.png", "--speed", "6"]
    )  # fmt: skip

    assert told.out.splitlines()[0].endswith(
        "of 380 m of the path (50%) are in view of the observer."
    )
    assert "First seen after 190.0 m (1.9 min at 6 km/h), at 500205,4999895" in told.out
    with Image.open(tmp_path / "path.png") as picture:
        assert picture.size == (1600, 640)


def test_a_route_stays_behind_the_wall(run: Run, ridge: Path, tmp_path: Path) -> None:
    told = run(
        ["route", ridge, "--start", at(22, 2), "--end", at(38, 18), "--from", f"{at(5)},2",
         "--target", "1", "--out", "route.geojson", "--picture", "route.png", "--json"]
    )  # fmt: skip

    answer = json.loads(told.out)
    assert answer["seen_m"] == 0
    assert answer["way"][0] == [500225, 4999975]
    document = json.loads((tmp_path / "route.geojson").read_text())
    assert document["features"][0]["geometry"]["type"] == "LineString"
    assert document["features"][0]["properties"]["seen_m"] == 0
    assert (tmp_path / "route.png").is_file()


@pytest.mark.parametrize("show", ["levels", "counts", "proportion", "least", "share", "angle"])
def test_each_kind_of_value_is_drawn_as_a_map(
    run: Run, ridge: Path, tmp_path: Path, show: str
) -> None:
    words = ["viewshed", ridge, "--from", f"{at(5)},2", "--target", "3", "--show", show]
    told = run([*words, "--picture", "map.png"])

    assert told.out.splitlines()[-1] == "map.png: a map of what is seen"

    with Image.open(tmp_path / "map.png") as picture:
        assert picture.width == 1400 + 2 * 28
        # The ground before the wall, and that behind it, differ in colour.
        scale = 1400 / 41
        before, behind = (
            picture.getpixel((28 + round(column * scale), picture.height // 2))
            for column in (12, 30)
        )
    assert before != behind


def test_polygons_cover_the_raster(run: Run, ridge: Path, tmp_path: Path) -> None:
    words = ["viewshed", ridge, "--from", f"{at(5)},2", "--target", "12"]
    run([*words, "--polygons", "seen.geojson"])

    features = json.loads((tmp_path / "seen.geojson").read_text())["features"]
    areas = [feature["properties"]["area_m2"] for feature in features]
    assert sum(areas) == pytest.approx(410 * 210)
    assert {feature["properties"]["name"] for feature in features} == {
        "seen", "seen in part", "hidden",
    }  # fmt: skip


def test_a_unit_that_nothing_states_is_told_and_can_be_stated(run: Run, tmp_path: Path) -> None:
    path = write(tmp_path / "bare.tif", np.full((4, 4), 100.0))
    with rasterio.open(path, "r+") as file:
        file.units = (None,)
    words = ["sight", path, "--from", "500005,4999995", "--to", "500025,4999975"]

    bare, stated = run(words), run([*words, "--unit", "ft"])

    assert bare.err == f"{path}: heights are taken as metres, because the file states no unit\n"
    assert "at 100.0 m" in bare.out
    assert stated.err == f"{path}: heights in feet were converted to metres, as stated\n"
    assert "at 30.5 m" in stated.out


BAD = {
    "off": (["--from", "499000,4999895"], "499000,4999895 is off the raster, which covers x from"),
    "words": (["--from", "here,there"], "--from: expected X,Y or X,Y,H as numbers, got"),
    "under": (["--from", f"{at(5)},-3"], "expected a height on or above the ground"),
    "none": ([], "expected an observer: --from X,Y, --observers FILE or --every METRES"),
    "crs": (
        ["--from", at(5), "--crs", "EPSG:99"],
        "a coordinate reference system such as EPSG",
    ),
    "sector": (["--from", at(5), "--sector", "90"], "--sector: expected FROM,TO as numbers"),
    "pitch": (["--from", at(5), "--pitch", "20,-20"], "pitch: expected LOW,HIGH from -90"),
    "bend": (["--from", at(5), "--refraction", "0.1"], "--refraction: only with --curvature"),
    "rules": (["--from", at(5), "--rules", "true"], "--rules does not apply, because"),
    "unit name": (["archers"], "a raster: expected --from X,Y, --observers FILE or --every METRES"),
    "unit name too": (["archers", "--from", "1,1"], "OBSERVER does not apply, because"),
    "band": (["--from", at(5), "--band", "4"], "band: expected 1 to 1, got 4"),
    "unit": (["--from", at(5), "--unit", "cubit"], "unit: expected m, km, dm, cm, mm, foot,"),
    "cell": (["--from", at(5), "--cell", "5"], "says how long its cells are; leave --cell out"),
    "step": (["--every", "0"], "expected a number of metres above 0 between observers"),
    "crowd": (["--every", "0.01"], "expected at most 1000000 observers"),
    "no file": (["--observers", "none.csv"], "none.csv: No such file"),
    "cog": (["--from", at(5), "--cog"], "--cog: name a GeoTIFF with --out FILE.tif"),
    "share": (
        ["--from", at(5), "--show", "share", "--out", "a.npy", "--target", "0"],
        "expected a target above the ground to show a share of it",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_mistake_about_a_raster_is_one_line(run: Run, ridge: Path, name: str) -> None:
    words, why = BAD[name]

    told = run(["viewshed", ridge, *words])

    assert (told.status, told.out, len(told.complaints)) == (2, "", 1)
    assert why in told.err


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.csv", "lon,lat\n1,2\n", "a.csv:1: expected columns x and y, got lon, lat"),
        ("a.csv", "x,y\n500055,north\n", "a.csv:2: y: expected a number, got 'north'"),
        ("a.csv", "x,y\n", "a.csv: expected points, got none"),
        ("a.csv", b"\xff\xfe\x00", "a.csv: not a readable CSV file"),
        ("a.geojson", "{", "a.geojson: expected a readable vector file"),
        ("a.geojson", '{"type": "FeatureCollection", "features": []}', "expected features in"),
        (
            "a.geojson",
            '{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}',
            "expected points, got a LineString",
        ),
        ("a.gpkg", "words", "a.gpkg: expected"),
        ("a.txt", "words", "expected a vector file (.geojson"),
    ],
)
def test_a_bad_file_of_observers_is_one_line(
    run: Run, ridge: Path, tmp_path: Path, name: str, text: str | bytes, why: str
) -> None:
    if name.endswith(".gpkg"):
        pytest.importorskip("pyogrio")
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    told = run(["viewshed", ridge, "--observers", name])

    assert (told.status, told.out, len(told.complaints)) == (2, "", 1)
    assert why in told.err


def test_a_scenario_has_no_options_of_a_raster(run: Run, bandits: Path) -> None:
    told = run(["viewshed", bandits, "archers", "--from", "1,2"])
    line = run(["sight", bandits, "archers", "bandits", "--curvature"])

    assert (told.status, line.status) == (2, 2)
    assert told.err == f"--from does not apply, because {bandits} is a scenario\n"
    assert line.err == f"--curvature does not apply, because {bandits} is a scenario\n"


def test_an_option_of_the_other_kind_is_refused_if_it_is_zero(
    run: Run, ridge: Path, bandits: Path
) -> None:
    told = run(["viewshed", bandits, "archers", "--min-distance", "0"])
    raster = run(["viewshed", ridge, "--from", at(5), "--height", "0"])

    assert (told.status, raster.status) == (2, 2)
    assert told.err.startswith("--min-distance does not apply")
    assert raster.err.startswith("--height does not apply")


def test_a_path_of_one_place_is_refused(run: Run, ridge: Path) -> None:
    told = run(["exposure", ridge, "--path", at(3), "--from", at(5)])

    assert told.status == 2
    assert "--path: expected two places X,Y;X,Y at least" in told.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--from", at(5)], "is off the raster, which covers x from"),
        (["--from", at(5), "--crs", "EPSG:99"], "a coordinate reference system such as EPSG"),
        ([], "expected an observer"),
    ],
)
def test_a_path_that_leaves_the_raster_or_has_no_observers_is_one_line(
    run: Run, ridge: Path, words: list[str], complaint: str
) -> None:
    told = run(["exposure", ridge, "--path", f"{at(3)};9e6,9e6", *words])

    assert (told.status, told.out, len(told.complaints)) == (2, "", 1)
    assert complaint in told.err

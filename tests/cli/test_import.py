"""``import``: maps into a scenario, in a few lines, and one line for each mistake."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from PIL import Image

from tests.cli.conftest import Run
from tests.field.elevation_files import georeferenced, saved
from tests.needing import needs
from tests.scenario.map_files import HILLS, at, hills, mapped

pytestmark = needs("rasterio", "pyogrio")

REAL = Path(__file__).parents[2].parent / "shared/data/jasper_srtm.tif"

BOX = shapely.box(0, 0, 50, 40)
BOW = shapely.Polygon([(0, 0), (40, 40), (40, 0), (0, 40)])


@pytest.fixture
def maps(tmp_path: Path) -> Path:
    """Elevation models and maps, right and wrong ones, in the folder of the command."""
    with_hole = HILLS.copy()
    with_hole[40, 50] = np.nan
    georeferenced(tmp_path / "hole.tif", with_hole, nodata=np.nan)
    saved(tmp_path / "a.npy", HILLS)
    hills(tmp_path)
    mapped(tmp_path / "woods.gpkg", [at(400, 400, BOX)], use=["wood"], tall=[9.15])
    mapped(tmp_path / "words.gpkg", [at(400, 400, BOX)], tall=["high"])
    mapped(tmp_path / "far.gpkg", [at(5000, 400, BOX)], use=["wood"])
    mapped(tmp_path / "bow.gpkg", [at(400, 400, BOW)], use=["wood"])
    mapped(tmp_path / "nowhere.gpkg", [BOX], None, use=["wood"])
    (tmp_path / "none.geojson").write_text('{"type": "FeatureCollection", "features": []}')
    (tmp_path / "torn.geojson").write_text('{"type": "FeatureCollection", "features": [')
    (tmp_path / "junk.tif").write_bytes(b"II*\0junk")
    (tmp_path / "map.txt").write_text("")
    return tmp_path


def test_the_report_tells_place_scale_relief_and_terrain(run: Run, maps: Path) -> None:
    told = run([
        "import", "hills.tif", "--terrain", "woods.gpkg=wood@tall", "--terrain", "far.gpkg=road",
        "--terrain", "woods.gpkg", "--terrain", "none.geojson", "--size", "603x400",
        "--centre", "500600,4999503", "--scale", "4", "--unit", "m", "--out", "my.toml",
    ])  # fmt: skip

    assert (told.status, told.err) == (0, "")
    assert told.out.splitlines() == [
        "my.toml: 600 x 400 m around 500600,4999500 (WGS 84 / UTM zone 32N)",
        "         rounded to whole cells: 603 x 400 m wanted, centre moved by 3 m",
        "Scale    4 m per GSU: 150 x 100 GSU",
        "Relief   98.3 m, from 54.8 to 153.1 m, in cells of 10 m (my-ground.tif)",
        "Terrain  1 forest",
        "         woods.gpkg: 1 feature",
        "         far.gpkg: 1 feature, no terrain on the field, 1 off the field",
        "         woods.gpkg: 1 feature, no terrain on the field, 1 left out (tags that mean no "
        "terrain)",
        "         none.geojson: it has no features",
    ]
    assert "height = 5\n" in (maps / "my.toml").read_text()
    assert run(["check", "my.toml"]).out.splitlines()[-1] == "my.toml: OK"


def test_longitude_and_latitude_name_the_same_place(run: Run, maps: Path) -> None:
    words = ["import", "hills.tif", "--size", "600", "--unit", "m"]
    # 500,600 east and 4,999,500 north in zone 32 of UTM.
    degrees = ["--centre", "9.0076325,45.1489761", "--crs", "EPSG:4326"]

    one = run([*words, "--centre", "500600,4999500", "--out", "one.toml"])
    other = run([*words, *degrees, "--out", "other.toml"])

    assert (one.status, other.status) == (0, 0)
    assert (maps / "one-ground.tif").read_bytes() == (maps / "other-ground.tif").read_bytes()


def test_the_field_is_viewed_and_asked_about_and_nothing_else_is_needed(
    run: Run, maps: Path
) -> None:
    words = ["import", "hills.tif", "--terrain", "woods.gpkg=wood", "--size", "600"]
    assert run([*words, "--out", "my.toml"]).status == 0
    for path in maps.iterdir():
        if not path.name.startswith("my"):
            path.unlink()

    seen = run(["view", "my.toml", "--picture", "my.png", "--camera", "top", "--size", "640x360"])
    asked = run(["viewshed", "my.toml", "150,150", "--rules", "true"])

    assert (seen.status, seen.err, asked.status, asked.err) == (0, "", 0, "")
    with Image.open(maps / "my.png") as picture:
        assert np.asarray(picture.convert("L")).std() > 5


def test_armies_are_put_on_the_field_and_fight(run: Run, maps: Path) -> None:
    words = ["import", "hills.tif", "--size", "600", "--armies", "--title", "Two hills"]
    assert run([*words, "--out", "my.toml"]).status == 0

    checked = run(["check", "my.toml"])
    fought = run(["battle", "my.toml", "--headless", "--turns", "3"])

    assert checked.out.splitlines() == ["my.toml: OK"]
    assert (fought.status, fought.err) == (0, "")
    assert fought.out.startswith("Two hills (emlia, seed 0): 3 turns")


def test_no_file_is_replaced_without_force(run: Run, maps: Path) -> None:
    words = ["import", "hills.tif", "--size", "600", "--unit", "m"]
    (maps / "my-ground.tif").write_text("mine")

    refused = run([*words, "--out", "my.toml"])

    assert (refused.status, refused.complaints) == (
        2, ["my-ground.tif: exists; --force replaces it"],
    )  # fmt: skip
    assert (maps / "my-ground.tif").read_text() == "mine"
    assert not (maps / "my.toml").exists()
    assert run([*words, "--out", "my.toml", "--force"]).status == 0
    assert run([*words, "--out", "my.toml"]).complaints == ["my.toml: exists; --force replaces it"]
    own = run(["import", "my-ground.tif", "--size", "90", "--out", "my.toml", "--force"])
    assert own.complaints == ["my.toml: my-ground.tif is the raster itself; choose another name"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("hills.tif", "hills.tif: --size: expected at most 1200x1000 metres around 500600,4999500"),
        ("hills.tif --size 600 --centre 1,2", "hills.tif: centre 1,2 is off the raster"),
        ("hills.tif --size 600 --centre 1", "--centre: expected X,Y as numbers, got '1'"),
        ("hills.tif --size 9000000", "--size: expected metres above 0 and up to 65536 at 2 m per"),
        ("hills.tif --size 0", "--size: expected metres above 0"),
        ("hills.tif --size big", "--size: expected metres such as 2000 or 2000x1500, got 'big'"),
        ("hills.tif --size 1.2.3", "--size: expected metres such as 2000 or 2000x1500"),
        ("hills.tif --size 9", "hills.tif: --size: expected at least 2 cells of 10 m each way"),
        ("hills.tif --size 600 --scale 0", "--scale: expected metres per GSU from 0.0001"),
        ("hills.tif --size 600 --unit parsec", "hills.tif: unit: expected m, km"),
        ("hills.tif --size 600 --band 2", "hills.tif: band: expected 1 to 1, got 2"),
        ("hills.tif --size 600 --cell 5", "hills.tif: states how long its cells are"),
        ("hills.tif --size 600 --crs EPSG:4326", "--crs: only with --centre"),
        ("hills.tif --size 600 --centre 9,45 --crs EPSG:0", "--crs: expected a coordinate ref"),
        ("hills.tif --size 600 --centre 9,200 --crs EPSG:4326", "--crs: expected corners inside"),
        ("hole.tif --size 600", "hole.tif: expected data in every cell of the field, got none in"),
        ("a.npy --size 600", "a.npy: does not state how long its cells are; state --cell METRES"),
        (
            "a.npy --cell 10 --size 600 --terrain woods.gpkg=wood",
            "a.npy: expected a reference system, because woods.gpkg has one",
        ),
        ("junk.tif --size 600", "junk.tif: not a readable GeoTIFF"),
        ("gone.tif --size 600", "gone.tif: there is no such file"),
        ("hills.tif --size 600 --terrain map.txt", "--terrain: expected FILE, FILE:LAYER or"),
        ("hills.tif --size 600 --terrain gone.gpkg", "gone.gpkg: there is no such file"),
        ("hills.tif --size 600 --terrain torn.geojson", "torn.geojson: expected a readable vector"),
        ("hills.tif --size 600 --terrain woods.gpkg:mop=wood", "woods.gpkg: layer: expected 'map'"),
        (
            "hills.tif --size 600 --terrain woods.gpkg=wod",
            "--terrain: woods.gpkg=wod: unknown kind of",
        ),
        ("hills.tif --size 600 --terrain woods.gpkg=wood@tal", "woods.gpkg: height: expected a co"),
        ("hills.tif --size 600 --terrain words.gpkg=wood@tall", "words.gpkg: height: expected a n"),
        ("hills.tif --size 600 --terrain bow.gpkg=wood", "bow.gpkg: feature 1: expected a valid"),
        (
            "hills.tif --size 600 --terrain nowhere.gpkg=wood",
            "nowhere.gpkg: expected a reference system, because hills.tif has one",
        ),
        ("hills.tif --size 600 --title \u0007", "--title: expected up to 200 printable"),
    ],
)
def test_bad_input_is_one_line_and_nothing_is_written(
    run: Run, maps: Path, words: str, told: str
) -> None:
    before = sorted(path.name for path in maps.iterdir())

    found = run(["import", *words.split(" "), "--out", "my.toml"])

    assert (found.status, found.out) == (2, "")
    assert len(found.complaints) == 1
    assert found.err.startswith(told)
    assert sorted(path.name for path in maps.iterdir()) == before


@pytest.mark.parametrize(
    ("out", "told"),
    [("my.txt", "name that ends in .toml"), ("gone/my.toml", "there is no folder gone")],
)
def test_a_name_that_cannot_be_written_is_refused(
    run: Run, maps: Path, out: str, told: str
) -> None:
    found = run(["import", "hills.tif", "--size", "600", "--out", out])

    assert (found.status, len(found.complaints)) == (2, 1)
    assert told in found.err


@pytest.mark.skipif(not REAL.exists(), reason="the measured elevation is not here")
def test_measured_elevation_becomes_a_field_with_a_battle_on_it(run: Run, tmp_path: Path) -> None:
    told = run(["import", REAL, "--size", "4000", "--armies", "--out", "jasper.toml"])

    assert told.status == 0
    assert "4,000 x 4,000 m around 330009.8649,5899989.109 (NAD83(CSRS)" in told.out
    assert "Relief   347.6 m, from 1388.2 to 1735.8 m, in cells of 100 m" in told.out
    fought = run(["battle", "jasper.toml", "--headless", "--turns", "3"])
    assert (fought.status, fought.err) == (0, "")

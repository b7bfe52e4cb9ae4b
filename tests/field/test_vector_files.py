"""Vector maps in files: formats, coordinates, bad input."""

from __future__ import annotations

import contextlib
import random
from pathlib import Path

import numpy as np
import pytest
import shapely

from emlia3d.errors import FileError, MissingExtraError
from emlia3d.field import vector_files
from emlia3d.field.vector_files import read_vectors, reprojected, write_vectors
from tests.needing import needs

pytestmark = needs("pyogrio", "rasterio")

WOODS = np.array([shapely.box(11, 46, 11.01, 46.01), shapely.box(11.02, 46, 11.03, 46.02)])
NAMES = np.array(["north", "south"], dtype=object)


def written(path: Path, *, driver: str | None = None, shapes=WOODS, crs="EPSG:4326") -> Path:
    import pyogrio.raw

    pyogrio.raw.write(
        path, shapely.to_wkb(shapes), [NAMES[: len(shapes)], np.arange(len(shapes)) + 2.5],
        ["kind", "height"], geometry_type="Polygon", crs=crs, driver=driver, layer=path.stem,
    )  # fmt: skip
    return path


@pytest.mark.parametrize("ending", ["geojson", "gpkg", "shp", "fgb"])
def test_each_format_gives_the_same_shapes_and_columns(tmp_path, ending):
    path = written(tmp_path / f"woods.{ending}")

    found = read_vectors(path, columns=("kind", "height"))

    order = np.argsort(found.columns["height"])
    assert shapely.equals(found.shapes[order], WOODS).all()
    assert found.columns["kind"][order].tolist() == ["north", "south"]
    assert found.columns["height"][order].tolist() == [2.5, 3.5]
    assert found.crs == "EPSG:4326"
    assert len(set(found.ids.tolist())) == 2


@pytest.mark.parametrize("ending", ["geojson", "gpkg"])
def test_what_is_written_is_read_back(tmp_path, ending):
    path = tmp_path / f"woods.{ending}"

    write_vectors(path, WOODS, {"kind": NAMES}, "EPSG:4326")

    found = read_vectors(path, columns=None)
    assert shapely.equals(found.shapes, WOODS).all()
    assert found.columns["kind"].tolist() == ["north", "south"]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_geojson_is_written_in_longitude_and_latitude(tmp_path):
    moved = reprojected(WOODS, "EPSG:4326", "EPSG:32632")

    write_vectors(tmp_path / "woods.geojson", moved, {}, "EPSG:32632")

    found = read_vectors(tmp_path / "woods.geojson")
    assert found.crs == "EPSG:4326"
    assert (
        np.abs(shapely.get_coordinates(found.shapes) - shapely.get_coordinates(WOODS)).max() < 1e-6
    )


def test_the_central_meridian_of_a_zone_lies_at_500_km_east():
    """Zone 32: meridian 9, scale 0.9996; a meridian arc from the equator to 45 is 4984944.378 m."""
    place = np.array([shapely.Point(9, 45)])

    (found,) = reprojected(place, "EPSG:4326", "EPSG:32632")

    assert found.x == pytest.approx(500_000, abs=1e-3)
    assert found.y == pytest.approx(0.9996 * 4_984_944.378, abs=0.01)


def test_mercator_places_follow_from_its_formula():
    place = np.array([shapely.Point(12.5, 41.9)])

    (found,) = reprojected(place, "EPSG:4326", "EPSG:3857")

    radius = 6_378_137.0
    north = radius * np.log(np.tan(np.pi / 4 + np.radians(41.9) / 2))
    assert (found.x, found.y) == pytest.approx((radius * np.radians(12.5), north), abs=1e-6)


def test_a_reprojection_leaves_the_given_shapes_alone():
    before = shapely.get_coordinates(WOODS).tolist()

    reprojected(WOODS, "EPSG:4326", "EPSG:32632")

    assert shapely.get_coordinates(WOODS).tolist() == before


def refusal(path: Path, **options: object) -> str:
    with pytest.raises(FileError) as told:
        read_vectors(path, **options)
    assert "\n" not in str(told.value)
    assert str(told.value).startswith(f"{path}: ")
    return str(told.value).removeprefix(f"{path}: ")


def test_a_missing_file_layer_or_column_is_named_with_the_nearest(tmp_path):
    path = written(tmp_path / "woods.gpkg")

    assert refusal(tmp_path / "no.gpkg") == "there is no such file"
    assert refusal(path, layer="wood") == (
        "layer: expected 'woods', got 'wood'; did you mean 'woods'?"
    )
    assert refusal(path, columns=("kinds",)) == (
        "column: expected 'kind', 'height', got 'kinds'; did you mean 'kind'?"
    )


def test_of_several_layers_one_is_named(tmp_path):
    path = tmp_path / "map.gpkg"
    import pyogrio.raw

    for name in ("wood", "road"):
        pyogrio.raw.write(path, shapely.to_wkb(WOODS), [NAMES], ["kind"], geometry_type="Polygon",
                          crs="EPSG:4326", layer=name, append=path.exists())  # fmt: skip

    assert refusal(path) == "layer: expected one of 'wood', 'road', got no layer"
    assert len(read_vectors(path, layer="road").shapes) == 2


def test_a_file_without_features_is_refused(tmp_path):
    path = tmp_path / "none.geojson"
    path.write_text('{"type": "FeatureCollection", "features": []}')

    assert refusal(path) == "expected features in layer 'none', got none"


def test_only_vector_files_of_known_endings_are_read(tmp_path):
    (tmp_path / "woods.vrt").write_text("<OGRVRTDataSource/>")
    (tmp_path / "woods.gpkg").write_text("<OGRVRTDataSource/>")

    assert refusal(tmp_path / "woods.vrt").startswith("expected a vector file (.geojson")
    assert refusal(tmp_path / "woods.gpkg").startswith("expected the contents of a .gpkg file")
    assert refusal(Path("/vsicurl/http://localhost/woods.gpkg")) == "there is no such file"


def test_a_json_file_cannot_name_another_file_or_an_address(tmp_path):
    other = written(tmp_path / "other.gpkg")
    (tmp_path / "a.json").write_text(
        '{"type": "gdal_streamed_alg", "command_line": '
        f'"gdal vector pipeline ! read {other} ! write streamed --format stream"}}'
    )
    (tmp_path / "b.json").write_text(
        '{"type": "FeatureCollection", "features": [], "crs": '
        '{"type": "link", "properties": {"href": "http://localhost:9/crs"}}}'
    )

    assert "damaged" in refusal(tmp_path / "a.json")
    assert "an address on a network" in refusal(tmp_path / "b.json")


def test_limits_hold(tmp_path, monkeypatch):
    path = written(tmp_path / "woods.gpkg")

    monkeypatch.setattr(vector_files, "MOST_VERTICES", 9)
    assert refusal(path) == "expected at most 9 vertices, got 10"
    monkeypatch.setattr(vector_files, "MOST_VERTICES", 1)
    assert refusal(path) == "expected at most 1 features, got 2"
    monkeypatch.setattr(vector_files, "MOST_BYTES", 100)
    assert refusal(path).startswith("expected at most 100 bytes, got ")


def test_an_unknown_reference_system_is_one_line():
    with pytest.raises(FileError, match="such as EPSG:4326, got 'EPSG:1'"):
        reprojected(WOODS, "EPSG:1", "EPSG:4326")


def test_a_corner_beyond_a_map_is_named():
    with pytest.raises(FileError, match="expected corners inside EPSG:3857, got"):
        reprojected(np.array([shapely.Point(0, 95)]), "EPSG:4326", "EPSG:3857")


def test_without_pyogrio_the_extra_is_named(tmp_path, monkeypatch):
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(vector_files.importlib, "import_module", missing)

    with pytest.raises(MissingExtraError, match=r"emlia3d\[geo\]"):
        read_vectors(tmp_path / "woods.gpkg")


@pytest.mark.parametrize("ending", ["geojson", "gpkg", "shp", "fgb"])
def test_damaged_files_are_read_or_refused(tmp_path, ending):
    whole = written(tmp_path / f"woods.{ending}").read_bytes()
    dice = random.Random(ending)

    for number in range(40):
        damaged = bytearray(whole[: dice.randrange(1, len(whole))] if number % 2 else whole)
        for _ in range(dice.randrange(1, 30)):
            damaged[dice.randrange(len(damaged))] = dice.randrange(256)
        path = tmp_path / f"damaged{number}.{ending}"
        path.write_bytes(damaged)
        with contextlib.suppress(FileError):
            read_vectors(path)

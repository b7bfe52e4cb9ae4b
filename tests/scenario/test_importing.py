"""A field from maps, written as a scenario that is read as it was meant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely

from emlia3d.errors import Error, FileError
from emlia3d.field import Scale, can_write_geotiff
from emlia3d.scenario import load, review
from emlia3d.scenario.import_terrain import TerrainSource
from emlia3d.scenario.import_text import BELOW
from emlia3d.scenario.importing import ImportedField, import_field, write_field
from tests.field.elevation_files import georeferenced, saved
from tests.needing import needs
from tests.scenario.map_files import HILLS, SOUTH, WEST, at, hills, mapped

pytestmark = needs("rasterio", "pyogrio")


def imported(folder: Path, *terrain: TerrainSource, size_m=(600, 400), **stated) -> ImportedField:
    return import_field(hills(folder), terrain, title="Hills", size_m=size_m, **stated)


def test_the_elevation_is_read_back_bit_by_bit_and_lies_where_it_did(tmp_path: Path) -> None:
    found = imported(tmp_path)
    write_field(found, tmp_path / "my.toml")

    field = load(tmp_path / "my.toml").setup.field

    np.testing.assert_array_equal(field.ground.elevation_m, HILLS[30:70, 30:90])
    assert field.size == (300, 200)
    assert field.scale == Scale(2.0)
    place = field.ground.georeference
    assert place is not None
    assert (place.west, place.south) == (WEST + 300, SOUTH + 300)
    assert review(tmp_path / "my.toml").diagnostics == ()
    assert [one.message for one in review(tmp_path / "my.toml").advice] == [
        "no unit is on the field: it can be viewed, but not played"
    ]


@pytest.mark.parametrize(
    ("crs", "grid"),
    [
        ("EPSG:4326", (9, 47, 1 / 3600, -1 / 3600)),
        ("EPSG:3857", (1e6, 6e6, 10, -10)),
        ("EPSG:32632+5703", (500_000, 5_000_000, 10, -10)),
        ("EPSG:2263", (980_000, 200_000, 33, -33)),
        ("EPSG:4326", (9, 0.01, 1 / 3600, -1 / 3600)),
    ],
)
def test_no_reference_system_makes_reading_resample_again(tmp_path: Path, crs: str, grid) -> None:
    path = georeferenced(tmp_path / "a.tif", HILLS, crs=crs, grid=grid)
    found = import_field(path, title="A", size_m=(500, 400), metres_per_gsu=1.5)
    write_field(found, tmp_path / "my.toml")

    field = load(tmp_path / "my.toml").setup.field

    np.testing.assert_array_equal(field.ground.elevation_m, found.cut.elevation_m)
    assert field.ground.cell * 1.5 == pytest.approx(found.cut.cell_m, rel=1e-9)
    assert review(tmp_path / "my.toml").diagnostics == ()
    place = field.ground.georeference
    assert place is not None
    assert place.west == pytest.approx(found.cut.georeference.west, rel=1e-12)
    assert place.south == pytest.approx(found.cut.georeference.south, rel=1e-12, abs=1e-9)


def test_elevations_that_need_it_are_written_in_64_bits(tmp_path: Path) -> None:
    heights = HILLS.astype(np.float64) + 1e-7
    path = georeferenced(tmp_path / "fine.tif", heights)
    write_field(import_field(path, title="A", size_m=(100, 100)), tmp_path / "my.toml")

    ground = load(tmp_path / "my.toml").setup.field.ground

    np.testing.assert_array_equal(ground.elevation_m, heights[45:55, 55:65])


def test_depths_below_all_land_are_read_back(tmp_path: Path) -> None:
    path = georeferenced(tmp_path / "deep.tif", HILLS - 600, nodata=-9999)
    write_field(import_field(path, title="A", size_m=(100, 100)), tmp_path / "my.toml")

    assert load(tmp_path / "my.toml").setup.field.ground.high_m < -450


def test_random_shapes_are_read_back_on_the_same_corners(tmp_path: Path) -> None:
    dice = np.random.default_rng(5)
    shapes = []
    for _ in range(40):
        turn = np.linspace(0, 2 * np.pi, 17)[:-1]
        reach = dice.uniform(5, 90, 16)
        corners = np.column_stack([reach * np.cos(turn), reach * np.sin(turn)])
        shapes.append(at(*dice.uniform(0, 1000, 2), shapely.Polygon(corners)))
    source = TerrainSource(mapped(tmp_path / "woods.gpkg", shapes, ok=["x"] * 40), kind="forest")
    found = imported(tmp_path, source, metres_per_gsu=1.7)
    write_field(found, tmp_path / "my.toml")

    scenario = load(tmp_path / "my.toml")

    features = scenario.setup.field.features
    assert len(features) >= 15
    assert [one.name for one in features] == [one.name for one in found.features]
    for written, read in zip(found.features, features, strict=True):
        assert shapely.equals_identical(written.outline.normalize(), read.outline.normalize())
        assert (written.kind, written.height) == (read.kind, read.height)
    (layer,) = found.layers
    assert layer.features == 40
    assert layer.off + len({one.outline.wkt for one in features}) >= 40
    covered = shapely.union_all(shapes) & shapely.box(
        WEST + 300, SOUTH + 300, WEST + 900, SOUTH + 700
    )
    area = shapely.union_all([one.outline for one in features]).area * 1.7**2
    assert area == pytest.approx(covered.area, rel=1e-3)


def test_all_layers_of_openstreetmap_become_terrain_with_their_names(tmp_path: Path) -> None:
    path = tmp_path / "osm.gpkg"
    import pyogrio.raw

    def layer(called: str, shapes: list[object], **tags: list[object]) -> None:
        pyogrio.raw.write(
            path, shapely.to_wkb(np.array(shapes)),
            [np.array(values, object) for values in tags.values()], list(tags),
            geometry_type="Unknown", crs="EPSG:32632", layer=called, append=path.exists(),
        )  # fmt: skip

    box = shapely.box(0, 0, 50, 40)
    layer(
        "areas", [at(400, 400, box), at(500, 400, box), at(600, 600, box), at(0, 0, box)],
        natural=["wood", "wood", None, "wood"], building=[None, None, "yes", None],
        name=["Long Wood", "Long Wood", 'The "Mill"\t', "Far Wood"], height=[None, None, "9", None],
    )  # fmt: skip
    layer(
        "lines", [at(400, 500, shapely.LineString([(0, 0), (100, 0)]))] * 2,
        highway=["primary", None], power=[None, "line"],
    )  # fmt: skip
    layer("points", [at(700, 400, shapely.Point(0, 0))] * 2, natural=["tree", "peak"])

    found = imported(tmp_path, TerrainSource(path))
    write_field(found, tmp_path / "my.toml")

    features = {one.name: one for one in load(tmp_path / "my.toml").setup.field.features}
    assert list(features) == ["Long Wood 1", "Long Wood 2", 'The "Mill"', "road 1", "tree 1"]
    assert [one.kind for one in features.values()] == [
        "forest", "forest", "building", "road", "tree",
    ]  # fmt: skip
    assert features['The "Mill"'].height == pytest.approx(9 / 1.83, abs=1e-4)
    assert features["Long Wood 1"].outline.equals(shapely.box(50, 50, 75, 70))
    assert features["road 1"].outline.equals(shapely.box(50, 97.75, 100, 102.25))
    told = [(one.name, one.features, one.off, dict(one.left_out)) for one in found.layers]
    assert told == [
        ("osm.gpkg:areas", 4, 1, {}),
        ("osm.gpkg:lines", 2, 0, {"tags that mean no terrain": 1}),
        ("osm.gpkg:points", 2, 0, {"tags that mean no terrain": 1}),
    ]


@pytest.mark.parametrize("ending", [".gpkg", ".geojson", ".fgb", ".shp"])
def test_each_format_is_reprojected_to_the_raster(tmp_path: Path, ending: str) -> None:
    from emlia3d.field.vector_files import reprojected

    shape = at(400, 400, shapely.box(0, 0, 50, 40))
    degrees = reprojected(np.array([shape]), "EPSG:32632", "EPSG:4326")
    source = mapped(tmp_path / f"m{ending}", list(degrees), "EPSG:4326", use=["wood"])

    (feature,) = imported(tmp_path, TerrainSource(source, kind="forest")).features

    assert shapely.hausdorff_distance(feature.outline, shapely.box(50, 50, 75, 70)) < 0.01


def test_lines_and_points_have_the_usual_width_of_their_kind(tmp_path: Path) -> None:
    line = at(400, 500, shapely.LineString([(0, 0), (100, 0)]))
    road = TerrainSource(mapped(tmp_path / "a.gpkg", [line], a=["x"]), kind="road")

    (feature,) = imported(tmp_path, road).features

    assert feature.outline.equals(shapely.box(50, 98.5, 100, 101.5))


def test_lines_and_points_of_a_kind_without_a_width_are_left_out(tmp_path: Path) -> None:
    shapes = [at(400, 500, shapely.Point(0, 0)), at(400, 400, shapely.box(0, 0, 50, 40))]
    woods = TerrainSource(mapped(tmp_path / "a.gpkg", shapes, a=["x", "y"]), kind="forest")

    found = imported(tmp_path, woods)

    assert [one.name for one in found.features] == ["forest 1"]
    assert dict(found.layers[0].left_out) == {"forest without width": 1}


def test_a_column_states_heights_in_metres(tmp_path: Path) -> None:
    shape = at(400, 400, shapely.box(0, 0, 50, 40))
    path = mapped(tmp_path / "a.gpkg", [shape], tall=[18.3])

    (feature,) = imported(tmp_path, TerrainSource(path, None, "building", "tall")).features

    assert feature.height == pytest.approx(10)


def test_a_shape_that_crosses_itself_matters_only_on_the_field(tmp_path: Path) -> None:
    bow = shapely.Polygon([(0, 0), (40, 40), (40, 0), (0, 40)])
    off = mapped(tmp_path / "off.gpkg", [at(10, 10, bow)], a=["x"])
    on = mapped(tmp_path / "on.gpkg", [at(400, 400, bow)], a=["x"])

    assert imported(tmp_path, TerrainSource(off, kind="forest")).features == ()
    with pytest.raises(FileError, match=r"on.gpkg: feature 1: .*500420 4999420.*; --mend makes"):
        imported(tmp_path, TerrainSource(on, kind="forest"))
    mended = imported(tmp_path, TerrainSource(on, kind="forest"), mend=True)
    assert sum(one.outline.area for one in mended.features) == pytest.approx(200)


def test_without_reference_systems_places_are_metres_from_the_raster_s_corner(
    tmp_path: Path,
) -> None:
    woods = mapped(tmp_path / "a.gpkg", [shapely.box(400, 400, 450, 440)], None, a=["x"])
    found = import_field(
        saved(tmp_path / "a.npy", HILLS), [TerrainSource(woods, kind="forest")],
        title="A", size_m=(600, 400), cell_m=10, centre=(600, 500),
    )  # fmt: skip
    write_field(found, tmp_path / "my.toml")

    field = load(tmp_path / "my.toml").setup.field

    np.testing.assert_array_equal(field.ground.elevation_m, HILLS[30:70, 30:90])
    assert field.ground.georeference is None
    assert field.features[0].outline.equals(shapely.box(50, 50, 75, 70))


@pytest.mark.parametrize("metres_per_gsu", [0.2, 0.5, 2, 5])
def test_two_armies_stand_beside_the_terrain_and_fight(
    tmp_path: Path, metres_per_gsu: float
) -> None:
    shape = at(450, 400, shapely.box(0, 0, 200, 200))
    lake = TerrainSource(mapped(tmp_path / "a.gpkg", [shape], a=["x"]), kind="lake")
    found = imported(tmp_path, lake, size_m=(1000, 1000), metres_per_gsu=metres_per_gsu)
    write_field(found, tmp_path / "my.toml", armies=True)

    assert review(tmp_path / "my.toml").diagnostics == ()
    battle = load(tmp_path / "my.toml").battle(seed=1, turns=3)
    battle.run_to_end()

    assert battle.state.turn == 3
    assert [side.name for side in battle.setup.sides] == ["South", "North"]
    pond = battle.setup.field.features[0].outline
    assert not any(unit.starts_in.intersects(pond) for unit in battle.setup.units)
    before = load(tmp_path / "my.toml").deployed().state.units["y"]
    assert (battle.state.units["y"] != before)[:4].any()


def test_a_feature_leaves_the_names_of_the_example_s_areas_alone(tmp_path: Path) -> None:
    shapes = [at(310, 310, shapely.box(0, 0, 9, 9))] * 2
    tags = {"natural": ["wood"] * 2, "name": ["middle ground", "forest 1"]}
    found = imported(tmp_path, TerrainSource(mapped(tmp_path / "a.gpkg", shapes, **tags)))
    write_field(found, tmp_path / "my.toml", armies=True)

    assert [one.name for one in found.features] == ["middle ground 1", "forest 1"]
    assert review(tmp_path / "my.toml").diagnostics == ()


def test_removing_the_marks_of_the_comment_gives_the_same_armies(tmp_path: Path) -> None:
    found = imported(tmp_path)
    write_field(found, tmp_path / "with.toml", armies=True)
    write_field(found, tmp_path / "my.toml")
    assert load(tmp_path / "my.toml").setup.units == ()

    above, example = (tmp_path / "my.toml").read_text().split(BELOW)
    lines = [line.removeprefix("# ") for line in example.splitlines()]
    (tmp_path / "my.toml").write_text(above + "\n".join(lines))

    mine, given = (load(tmp_path / f"{name}.toml").setup for name in ("my", "with"))
    assert [(unit.name, unit.muster.at) for unit in mine.units] == [
        (unit.name, unit.muster.at) for unit in given.units
    ]
    assert len(mine.units) == 4
    assert mine.sides == given.sides


def test_armies_without_a_free_place_are_refused_and_left_out_of_the_comment(
    tmp_path: Path,
) -> None:
    lake = mapped(tmp_path / "a.gpkg", [at(0, 0, shapely.box(0, 0, 1200, 1000))], a=["x"])
    found = imported(tmp_path, TerrainSource(lake, kind="lake"))

    with pytest.raises(Error, match="--armies: expected a free place for two lines"):
        write_field(found, tmp_path / "my.toml", armies=True)
    assert not (tmp_path / "my.toml").exists()
    assert not (tmp_path / "my-ground.tif").exists()
    write_field(found, tmp_path / "my.toml")
    assert BELOW not in (tmp_path / "my.toml").read_text()


def test_too_much_terrain_for_a_scenario_is_refused_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("emlia3d.scenario.importing.MOST_BYTES", 400)

    with pytest.raises(FileError, match=r"expected at most 400 bytes, got .* smaller --size"):
        write_field(imported(tmp_path), tmp_path / "my.toml")

    assert sorted(path.name for path in tmp_path.iterdir()) == ["hills.tif"]


def test_a_file_that_cannot_be_written_leaves_the_old_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    can_write_geotiff()
    found = imported(tmp_path)
    write_field(found, tmp_path / "my.toml")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def broken(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("emlia3d.scenario.importing.write_geotiff", broken)
    with pytest.raises(OSError, match="No space left"):
        write_field(found, tmp_path / "my.toml", force=True)

    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a.gpkg", TerrainSource(Path("a.gpkg"))),
        ("maps/a.b.GeoJSON", TerrainSource(Path("maps/a.b.GeoJSON"))),
        ("a.gpkg:wood", TerrainSource(Path("a.gpkg"), "wood")),
        ("a.gpkg=wood", TerrainSource(Path("a.gpkg"), None, "forest")),
        ("a=b.shp=road", TerrainSource(Path("a=b.shp"), None, "road")),
        ("c:/a.fgb:old town=house@h", TerrainSource(Path("c:/a.fgb"), "old town", "building", "h")),
        ("a.gpkg:x=osm", TerrainSource(Path("a.gpkg"), "x")),
    ],
)  # fmt: skip
def test_a_source_of_terrain_names_file_layer_kind_and_column(
    text: str, source: TerrainSource
) -> None:
    assert TerrainSource.parsed(text) == source


@pytest.mark.parametrize("text", ["a.txt", "a.gpkg:", "a.gpkg=", "", "a.gpkg=wod", "a.gpkg=wood@"])
def test_another_source_of_terrain_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(Error, match=r"^--terrain: ") as refused:
        TerrainSource.parsed(text)

    assert "\n" not in str(refused.value)

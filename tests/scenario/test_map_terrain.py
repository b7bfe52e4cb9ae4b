"""Terrain of a scenario from a vector map."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
import shapely

from emlia3d.field import Georeference, Scale
from emlia3d.field.map_features import laid_shapes, osm_kind, outlines_of
from emlia3d.scenario import load, review
from tests.needing import needs

pytestmark = needs("pyogrio", "rasterio")

FIELD = """\
format = 1
title = "A map"
rules = "emlia"
turns = 3

[field]
size = [200, 100]
"""

SIDES = """
[[side]]
name = "Alice"

[[side]]
name = "Bob"

[[unit]]
name = "watch"
side = "Alice"
type = "emlia/longbowmen"
at = [150, 90]
members = 20
files = 10
"""


def with_map(folder: Path, shapes: list[object], table: str, **columns: list[object]) -> Path:
    """Write a map in metres, where a GSU is 2 m, and a scenario with a terrain table of it."""
    import pyogrio.raw

    with warnings.catch_warnings(action="ignore"):  # pyogrio warns of a map without a place
        pyogrio.raw.write(
            folder / "map.gpkg",
            shapely.to_wkb(np.array(shapes)),
            [
                np.array(values, None if isinstance(values[0], float) else object)
                for values in columns.values()
            ],
            list(columns),
            geometry_type="Unknown",
            crs=None,
            layer="map",
        )
    path = folder / "battle.toml"
    path.write_text(f'{FIELD}\n[[terrain]]\nfrom = {{file = "map.gpkg", {table}}}\n{SIDES}')
    return path


def refusal(path: Path) -> str:
    (fault,) = review(path).diagnostics
    assert "\n" not in str(fault)
    return fault.message


def test_woods_of_a_map_are_clipped_to_the_field_and_named(tmp_path):
    inside, across, off = (
        shapely.box(20, 20, 60, 40), shapely.box(380, 0, 500, 20), shapely.box(900, 0, 950, 20),
    )  # fmt: skip
    path = with_map(tmp_path, [inside, across, off], 'kind = "wood", height = 2.5')

    features = load(path).setup.field.features

    assert [(one.name, one.kind, one.height) for one in features] == [
        ("wood 1", "forest", 2.5), ("wood 2", "forest", 2.5),
    ]  # fmt: skip
    assert features[0].outline.equals(shapely.box(10, 10, 30, 20))
    assert features[1].outline.equals(shapely.box(190, 0, 200, 10))


def test_a_check_reports_what_came_of_a_map(tmp_path):
    shapes = [shapely.box(20, 20, 60, 40), shapely.box(900, 0, 950, 20), shapely.box(0, 0, 9, 9)]
    path = with_map(
        tmp_path, shapes, 'kind = "wood", where = {use = "wood"}', use=["wood", "wood", "meadow"]
    )

    found = review(path)

    assert not found.diagnostics
    assert found.advice[0].message == (
        "map.gpkg: 3 features, 1 outlines on the field; 1 features off the field, 1 not chosen"
    )
    assert found.advice[0].line == 10


def test_a_column_of_heights_is_in_metres(tmp_path):
    path = with_map(
        tmp_path, [shapely.box(0, 0, 9, 9)], 'kind = "building", height = "tall"', tall=[18.3]
    )

    (feature,) = load(path).setup.field.features

    assert feature.height == pytest.approx(10)


def test_lines_and_points_take_a_width_and_a_radius(tmp_path):
    line, point = shapely.LineString([(20, 20), (80, 20)]), shapely.Point(100, 100)
    road = load(with_map(tmp_path, [line], 'kind = "road", width = 4')).setup.field.features
    tree = load(with_map(tmp_path, [point], 'kind = "tree", radius = 2')).setup.field.features

    assert road[0].outline.equals(shapely.box(10, 8, 40, 12))
    assert tree[0].outline.area == pytest.approx(np.pi * 4, rel=0.03)
    assert tree[0].outline.centroid.distance(shapely.Point(50, 50)) < 0.01


def test_a_clearing_is_kept_and_the_wood_around_it_split(tmp_path):
    wood = shapely.box(0, 0, 100, 100) - shapely.box(40, 40, 60, 60)
    path = with_map(tmp_path, [wood, shapely.MultiPolygon([shapely.box(200, 0, 210, 10),
                    shapely.box(220, 0, 230, 10)])], 'kind = "wood"')  # fmt: skip

    features = load(path).setup.field.features

    assert len(features) == 4
    whole = shapely.union_all([one.outline for one in features])
    assert whole.area == (100 * 100 - 20 * 20 + 2 * 100) / 4
    assert not whole.contains(shapely.Point(25, 25))
    assert sum(one.outline.area for one in features) == whole.area


def test_outlines_of_random_polygons_cover_what_is_on_the_field():
    dice = np.random.default_rng(7)
    for _ in range(60):
        holes = shapely.union_all(
            [shapely.Point(*dice.uniform(0, 50, 2)).buffer(dice.uniform(0.001, 6), 3)
             for _ in range(12)]
        )  # fmt: skip
        shape = shapely.Point(25, 25).buffer(24, 6) - holes

        found = outlines_of(shape, (40.0, 40.0))

        wanted = shape & shapely.box(0, 0, 40, 40)
        assert not any(one.interiors for one in found)
        assert (shapely.union_all(found) ^ wanted).area < 1
        assert sum(one.area for one in found) == pytest.approx(wanted.area, abs=1)


def test_a_map_is_laid_by_the_grounds_own_place():
    place = Georeference(crs="EPSG:32632", west=500_000, south=4_000_000)
    degrees = np.array([shapely.Point(9, 40)])

    (found,) = laid_shapes(degrees, "EPSG:4326", place, Scale(metres_per_gsu=10))

    assert found.x == pytest.approx(0, abs=1e-3)
    # Meridian arc from the equator to 40 degrees: 4429529.030 m on WGS 84.
    assert found.y == pytest.approx((0.9996 * 4_429_529.03 - 4_000_000) / 10, abs=1e-2)


@pytest.mark.parametrize(
    ("tags", "kind", "height_m"),
    [
        ({"natural": "wood"}, "forest", None),
        ({"landuse": "forest"}, "forest", None),
        ({"natural": "water"}, "lake", None),
        ({"waterway": "stream"}, "stream", None),
        ({"highway": "primary"}, "road", None),
        ({"highway": "residential"}, "road", None),
        ({"highway": "track"}, "track", None),
        ({"building": "yes", "height": "12 m"}, "building", 12.0),
        ({"building": "house", "building:levels": "2"}, "building", 6.0),
        ({"building": "yes", "height": "10'"}, "building", 3.048),
        ({"barrier": "wall"}, "wall", None),
        ({"barrier": "hedge", "height": "1,5"}, "hedge", 1.5),
        ({"barrier": "fence"}, "fence", None),
        ({"other_tags": '"landuse"=>"orchard","name"=>"x"'}, "orchard", None),
    ],
)
def test_tags_of_openstreetmap_mean_kinds(tags, kind, height_m):
    found = osm_kind(tags)

    assert (found.kind, found.height_m) == (kind, pytest.approx(height_m) if height_m else None)


@pytest.mark.parametrize("tags", [{}, {"building": "no"}, {"barrier": "gate"}, {"name": "wood"}])
def test_other_tags_mean_no_terrain(tags):
    assert osm_kind(tags) is None


def test_a_map_of_openstreetmap_becomes_terrain_of_several_kinds(tmp_path):
    shapes = [shapely.box(20, 20, 60, 40), shapely.LineString([(0, 60), (100, 60)]),
              shapely.box(100, 0, 110, 10)]  # fmt: skip
    path = with_map(
        tmp_path, shapes, 'kind = "osm"', natural=["wood", None, None],
        highway=[None, "tertiary", None], building=[None, None, "yes"],
    )  # fmt: skip

    features = load(path).setup.field.features

    assert [one.name for one in features] == ["forest 1", "road 1", "building 1"]
    assert features[1].outline.equals(shapely.box(0, 28.5, 50, 31.5))


BOW = shapely.Polygon([(0, 0), (20, 20), (20, 0), (0, 20)])


@pytest.mark.parametrize(
    ("shape", "table", "told"),
    [
        (BOW, 'kind = "wood"', "map.gpkg: feature 1"),
        (BOW, 'kind = "wod"', "unknown kind of terrain"),
        (BOW, 'kind = "wood", layer = "mop"', "did you mean 'map'?"),
        (BOW, 'kind = "wood", height = "tal"', "column: expected 'tall', got 'tal'"),
        (BOW, 'kind = "wood", where = {tal = 3}', "did you mean 'tall'?"),
        (BOW, 'kind = "wood", where = {tall = 3.0}', "expected values that a feature has"),
        (shapely.Point(9, 9), 'kind = "tree", crs = "EPSG:4326"', "[field] ground: expected"),
        (shapely.Point(9, 9), 'kind = "tree"', "radius: expected a number of GSU"),
        (shapely.LineString([(0, 0), (9, 9)]), 'kind = "road"', "width: expected a number of GSU"),
    ],
)  # fmt: skip
def test_a_wrong_table_is_one_line(tmp_path, shape, table, told):
    assert told in refusal(with_map(tmp_path, [shape], table, tall=[2.0]))


def test_a_polygon_that_crosses_itself_is_refused_with_the_place_or_mended(tmp_path):
    path = with_map(tmp_path, [BOW], 'kind = "wood"')
    assert "Self-intersection[10 10]" in refusal(path)

    path = with_map(tmp_path, [BOW], 'kind = "wood", mend = true')

    assert sum(one.outline.area for one in load(path).setup.field.features) == 50


def test_a_polygon_that_crosses_itself_off_the_field_does_not_matter(tmp_path):
    off = shapely.transform(BOW, lambda corners: corners + 900)
    path = with_map(tmp_path, [off, shapely.box(0, 0, 9, 9)], 'kind = "wood"')

    assert [one.name for one in load(path).setup.field.features] == ["wood 1"]


def test_a_map_beside_other_shapes_is_refused(tmp_path):
    path = with_map(tmp_path, [shapely.box(0, 0, 9, 9)], 'kind = "wood"')
    path.write_text(path.read_text().replace(SIDES, f"circle = [10, 10, 5]\n{SIDES}"))

    assert refusal(path) == "circle cannot be combined with from"


def test_a_map_outside_the_scenarios_folder_is_refused(tmp_path):
    path = with_map(tmp_path, [shapely.box(0, 0, 9, 9)], 'kind = "wood"')
    path.write_text(path.read_text().replace("map.gpkg", "../map.gpkg"))

    assert "lies within it" in refusal(path)


def test_the_names_of_other_features_are_left_to_them(tmp_path):
    path = with_map(tmp_path, [shapely.box(0, 0, 9, 9)], 'kind = "wood"')
    path.write_text(
        path.read_text() + '[[terrain]]\nname = "wood 1"\nkind = "wood"\ncircle = [90, 50, 5]\n'
    )

    assert [one.name for one in load(path).setup.field.features] == ["wood 2", "wood 1"]

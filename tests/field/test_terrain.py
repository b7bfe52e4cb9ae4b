from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from shapely import Polygon, box

from emlia3d.field import (
    KINDS,
    OTHER_NAMES,
    Feature,
    Field,
    Ground,
    Scale,
    feature_of,
    kind_named,
)

SIZE = (100.0, 60.0)


def field_of(*features: Feature) -> Field:
    return Field(size=SIZE, scale=Scale(), ground=Ground.flat(SIZE), features=features)


# emlia.terrain.examples: body, hits, size, height; scrub and forest with their taller heights.
@pytest.mark.parametrize(
    ("name", "body", "hits", "size", "height"),
    [
        ("shrub", "sparse", 1, 1, 0.5),
        ("tree", "sparse", 3, 2, 2),
        ("large-tree", "sparse", 5, 3, 3),
        ("scrub", "sparse", None, None, 1),
        ("forest", "sparse", None, None, 3),
        ("hill", "solid", None, None, 10),
        ("river", "sparse", None, None, -2),
    ],
)
def test_the_catalogues_examples_are_listed_as_printed(name, body, hits, size, height) -> None:
    kind = kind_named(name)

    assert (kind.body, kind.hits, kind.size, kind.height) == (body, hits, size, height)


def test_everyday_names_lead_to_kinds_and_hide_none() -> None:
    assert kind_named("woods").name == "forest"
    assert kind_named("house").name == "building"
    assert set(OTHER_NAMES.values()) <= set(KINDS)
    assert not set(OTHER_NAMES) & set(KINDS)


def test_only_what_holds_water_is_water() -> None:
    wet = {kind.name for kind in KINDS.values() if kind.water}

    assert wet == {"river", "stream", "ford", "lake", "marsh"}


def test_a_slip_of_the_keyboard_is_answered_with_the_nearest_kind() -> None:
    with pytest.raises(ValueError, match="'forrest'; did you mean 'forest'"):
        kind_named("forrest")
    with pytest.raises(ValueError, match="there are bridge, "):
        kind_named("qqq")


def test_a_feature_takes_from_its_kind_what_it_does_not_say() -> None:
    feature = feature_of("Long wood", "wood", box(0, 0, 30, 20))

    assert (feature.kind, feature.height, feature.body, feature.hits) == (
        "forest",
        3.0,
        "sparse",
        None,
    )
    assert dict(feature.as_) == {}


def test_what_a_feature_says_goes_before_its_kind() -> None:
    feature = feature_of(
        "Scree", "rock", box(0, 0, 9, 9), height=0.0, body="sparse", hits=4, as_={"dbmm": "RH"}
    )

    assert (feature.height, feature.body, feature.hits) == (0.0, "sparse", 4)
    assert feature.as_["dbmm"] == "RH"


def test_what_a_feature_is_taken_for_does_not_change_behind_its_back() -> None:
    given = {"dbmm": "RH"}
    feature = feature_of("Scree", "rock", box(0, 0, 9, 9), as_=given)

    given["dbmm"] = "WH"

    assert feature.as_["dbmm"] == "RH"
    with pytest.raises(TypeError):
        feature.as_["dbmm"] = "WH"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": " "}, "needs a name"),
        ({"kind": "wood"}, "unknown kind of terrain"),
        ({"outline": Polygon()}, "one simple polygon"),
        ({"outline": Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])}, "one simple polygon"),
        ({"outline": box(0, 0, 9, 9) - box(3, 3, 6, 6)}, "one simple polygon"),
        ({"height": math.nan}, "height: expected a number"),
        ({"body": "thick"}, "body: expected"),
        ({"hits": 0}, "hits: expected at least 1"),
    ],
)
def test_a_feature_that_is_none_is_refused(change, why) -> None:
    rock = feature_of("rock", "rock", box(0, 0, 9, 9))

    with pytest.raises(ValueError, match=why):
        dataclasses.replace(rock, **change)


def test_a_field_finds_its_features_by_name() -> None:
    wood = feature_of("Long wood", "wood", box(0, 0, 30, 20))
    rock = feature_of("Rock", "rock", box(5, 5, 9, 9))

    field = field_of(wood, rock)

    assert field.feature_named("Rock") is rock
    with pytest.raises(KeyError):
        field.feature_named("rock")


def test_two_features_of_one_name_are_refused() -> None:
    rock = feature_of("Rock", "rock", box(5, 5, 9, 9))

    with pytest.raises(ValueError, match="two features are called 'Rock'"):
        field_of(rock, rock)


def test_footing_is_the_ground_in_height_units() -> None:
    ground = Ground(elevation_m=np.array([[36.6, 0.0]]), size=(40.0, 20.0), cell=20.0)
    field = Field(size=(40.0, 20.0), scale=Scale(), ground=ground)

    assert field.footing([10, 30], 10) == pytest.approx([20, 0])


@pytest.mark.parametrize("size", [(0.0, 60.0), (math.nan, 60.0), (40_000.0, 60.0)])
def test_a_field_without_extent_or_without_end_is_refused(size) -> None:
    with pytest.raises(ValueError, match="a field is above 0 and up to 32768 GSU"):
        Field(size=size, scale=Scale(), ground=Ground.flat(SIZE))


def test_ground_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="another size"):
        Field(size=(100.0, 61.0), scale=Scale(), ground=Ground.flat(SIZE))

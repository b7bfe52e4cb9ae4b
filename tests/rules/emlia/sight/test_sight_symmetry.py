"""A sight question has one answer, wherever its scene lies and however it is turned."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import Polygon, affinity, box

from emlia3d.battle.battle import Battle
from emlia3d.battle.questions.answer import SightAnswer

Build = Callable[..., Battle]
Table = Mapping[str, Any]

_MIDDLE = (100.0, 100.0)


def _moved(shape: Any) -> Any:
    return affinity.translate(shape, 7, -11)


def _turned(shape: Any) -> Any:
    return affinity.rotate(shape, 90, origin=_MIDDLE)


def _mirrored(shape: Any) -> Any:
    return affinity.scale(shape, -1, 1, origin=_MIDDLE)


# What is done to every shape, and to a facing in degrees.
WAYS: Mapping[str, tuple[Callable[[Any], Any], Callable[[float], float]]] = {
    "moved": (_moved, lambda facing: facing),
    "turned by a quarter": (_turned, lambda facing: (facing - 90) % 360),
    "mirrored": (_mirrored, lambda facing: -facing % 360),
}

UNITS = st.fixed_dictionaries(
    {
        "facing": st.sampled_from([0, 45, 90, 180, 200]),
        "formation": st.sampled_from(["open", "close", "ranked"]),
        "files": st.integers(1, 4),
        "members": st.integers(1, 3),
        "height": st.sampled_from([1, 1, 2, 5]),
        "on_height": st.sampled_from([0, 0, 0, 6]),
        "states": st.sampled_from([(), (), ("prone",), ("taking cover",)]),
    }
)
THINGS = st.lists(
    st.fixed_dictionaries(
        {
            "kind": st.sampled_from(["rock", "wall", "scrub", "forest", "hill"]),
            "height": st.sampled_from([0.5, 1, 3]),
            "place": st.tuples(st.integers(80, 120), st.integers(72, 128)),
            "size": st.tuples(st.integers(1, 30), st.integers(1, 12)),
            "degrees": st.sampled_from([0, 0, 30, 75]),
        }
    ),
    min_size=1,
    max_size=5,
)


def asked(
    build: Build, units: tuple[Table, Table], things: list[dict[str, Any]], way: str | None
) -> SightAnswer:
    """The answer of the scene, with everything in it moved, turned or mirrored."""
    shape, facing = WAYS[way] if way else (lambda same: same, lambda same: same)
    placed = []
    for unit, at, side in zip(units, ((92, 60), (108, 140)), ("Alice", "Bob"), strict=True):
        (x, y), *_ = shape(box(*at, *at).centroid).coords
        whole = {"members": unit["members"] * unit["files"], "facing": facing(unit["facing"])}
        placed.append({**unit, **whole, "at": (x, y), "side": side})
    terrain = [
        {"kind": thing["kind"], "name": f"thing {number}", "height": thing["height"],
         "outline": shape(_outline(thing))}
        for number, thing in enumerate(things)
    ]  # fmt: skip
    battle = build(*placed, terrain=terrain)
    return battle.system.sight(battle, 0, 1, 1)


def _outline(thing: dict[str, Any]) -> Polygon:
    (x, y), (east, north) = thing["place"], thing["size"]
    return affinity.rotate(box(x - east, y - north, x + east, y + north), thing["degrees"])


@pytest.mark.rule("emlia.sight.corridor.relative", "emlia.sight.fraction")
@pytest.mark.parametrize("way", WAYS)
@given(units=st.tuples(UNITS, UNITS), things=THINGS)
def test_moving_turning_and_mirroring_a_scene_changes_no_verdict(
    field_of_battle: Build, way: str, units: tuple[Table, Table], things: list[dict[str, Any]]
) -> None:
    one, other = (asked(field_of_battle, units, things, each) for each in (None, way))

    assert (other.concealment, other.cover) == (one.concealment, one.cover)
    assert {*other.because} == {*one.because}
    assert other.distance == pytest.approx(one.distance, abs=0.01)
    given_by = {each.entity: each.gives for each in one.intervening if each.fraction > 0.01}
    again = {each.entity: each.gives for each in other.intervening if each.fraction > 0.01}
    assert again == given_by

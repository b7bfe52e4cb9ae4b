"""Fire lines at their limits: touching bases and edges, friends, openings, and contact."""

from __future__ import annotations

from typing import Any

import pytest

from emlia3d.rules.runolfsson import SYSTEM
from emlia3d.rules.runolfsson.contacts import touching
from emlia3d.rules.runolfsson.fire_line import ends_of, narrow_openings
from emlia3d.rules.runolfsson.terrain import terrain_of
from tests.rules.runolfsson.firing import X, Y, across, blue, hill, judged, line, model
from tests.rules.runolfsson.tables import feature, put, table

# What a base touches


@pytest.mark.rule("runolfsson.contour.touch", "runolfsson.geometry.primitives")
@pytest.mark.parametrize("base", [0.5, 1.0, 2.0])
@pytest.mark.parametrize(
    ("off", "touched"), [(0.0, True), (0.04, True), (0.05, True), (0.06, False)]
)
def test_a_base_touches_edges_and_pieces_up_to_the_limit(
    base: float, off: float, touched: bool
) -> None:
    """The edge of a hill to the west, of a tree to the east; a larger base is on the table too."""
    x, west = X + base / 2 + off, X - base / 2 - off
    terrain = [
        feature("tree", at=(x, Y - 2, x + 2, Y + 2)), feature("hill", at=(1, Y - 2, west, Y + 2)),
    ]  # fmt: skip
    battle = table(model(0, base=base), blue(25, base=3), terrain=terrain)
    ends = ends_of(battle)

    assert ends.piece[0].tolist() == [touched]
    assert ends.edge[0].tolist() == [touched]
    assert not ends.piece[1].any()
    assert not ends.edge[1].any()


@pytest.mark.rule("runolfsson.contour.touch")
def test_a_model_in_the_middle_of_a_hill_touches_no_edge() -> None:
    battle = table(model(0), blue(25), terrain=[hill(-5, 5), hill(-4, 4)])

    ends = ends_of(battle)

    assert ends.holds[0].tolist() == [True, True]
    assert not ends.edge.any()


@pytest.mark.rule("runolfsson.tree.close")
@pytest.mark.parametrize("kind", ["tree", "shrub", "rock", "wall"])
def test_only_trees_and_bushes_part_models_in_contact(kind: str) -> None:
    """A feature between the model and one of its two enemies separates only those two."""
    thing = feature(kind, at=(X + 0.48, Y - 2, X + 0.52, Y + 2))
    battle = table(model(0), blue(1), blue(-1), blue(20), terrain=[thing])
    parts = kind in {"tree", "shrub"}

    assert touching(battle, 0) == ([2] if parts else [1, 2])
    assert touching(battle, 1) == ([] if parts else [0])
    assert bool(line(battle).close[0]) is not parts
    assert line(battle, 0, 2).close[0]


@pytest.mark.rule("runolfsson.core.terms-close")
def test_contact_is_close_whatever_stands_elsewhere() -> None:
    """Nothing stops a close attack, and nothing is named as its hindrance."""
    terrain = [across("tree", 8, 9), across("rock", 14, 15), across("stream", -1, 3)]
    battle = table(model(0), blue(1), model(0, 1), terrain=terrain)

    found = line(battle)

    assert (bool(found.close[0]), float(found.multiplier[0]), int(found.by[0])) == (True, 1.0, -1)
    assert str(found.stopped[0]) == ""
    assert SYSTEM.sight(battle, 0, 1, 0).lines[0].stopped_by is None
    rock = table(model(0), blue(1), terrain=[feature("rock", at=(X + 0.48, Y - 2, X + 0.52, Y))])
    assert int(line(rock).by[0]) == -1


# Friends


@pytest.mark.rule("runolfsson.elevation.over-units", "runolfsson.elevation.fire-up")
@pytest.mark.parametrize(("target", "fires"), [(12.25, True), (12.0, False)])
def test_a_friend_is_shot_over_uphill_by_its_near_edge(target: float, fires: bool) -> None:
    """Its base begins at 8 inches, as the rock of the catalogue does: 3.75 against 7.5 / 2."""
    battle = table(model(0), blue(target), model(8.5), terrain=[hill(target - 0.5, 25)])

    assert judged(battle) == ((1, -1) if fires else (0, 0))


@pytest.mark.rule("runolfsson.plunging.base", "runolfsson.through.friendly")
@pytest.mark.parametrize(
    ("base", "at", "because"),
    [
        (2, 5.0, ("runolfsson.plunging.base",)),
        (2, 1.5, ()),  # touched, so that nothing is plunged over
        (2, 12.0, ()),  # behind the target
        (1, 1.0, ()),
    ],
)
def test_only_a_friend_in_the_way_is_plunged_over(
    base: float, at: float, because: tuple[str, ...]
) -> None:
    battle = table(model(0, base=base), blue(10), model(at))

    found = line(battle)

    assert float(found.multiplier[0]) == 1
    assert found.because(0) == because


# Openings


def rock(x: float, low: float, high: float) -> dict[str, Any]:
    return feature("rock", at=(X + x, Y + low, X + x + 1, Y + high))


def round_rocks(x: float) -> list[dict[str, Any]]:
    """Two rocks with an opening of 0.9 inches at a distance from the attacker."""
    return [feature("rock", circle=[X + x, Y + side * 1.45, 1]) for side in (1, -1)]


OPENINGS: dict[str, tuple[list[Any], list[Any], bool]] = {
    "between rocks": ([], [rock(4, 0.4, 3), rock(4, -3, -0.4)], False),
    "between rocks, wide enough": ([], [rock(4, 0.5, 3), rock(4, -3, -0.5)], True),
    "a rock and a friend": ([model(4.5, -0.9)], [rock(4, 0.4, 3)], False),
    "an enemy forms none": ([blue(4.5, -0.9)], [rock(4, 0.4, 3)], True),
    "a friend that is touched": ([model(0.7, -0.75)], [rock(0.2, 0.3, 3)], True),
    "a rock that is touched": ([model(1.3, -0.8)], [rock(0.5, 0.2, 3)], True),
    "a friend beside one that is touched": (
        [model(0.7, -0.75), model(2.2, 0.7)], [], True,
    ),
    "a wall and a tree": (
        [], [feature("wall", at=(X + 4, Y + 0.4, X + 6, Y + 0.6)), across("tree", 30, 31),
             feature("tree", at=(X + 4, Y - 2, X + 6, Y - 0.4))], False,
    ),
    "before the target": ([], round_rocks(9.2), False),
    "behind the target": ([], round_rocks(10.8), True),
    "behind the attacker": ([], round_rocks(-0.8), True),
}  # fmt: skip
"""Other models, terrain, and whether the first model may fire at the second, 10 inches away."""


@pytest.mark.rule("runolfsson.gap.minimum")
@pytest.mark.parametrize("name", OPENINGS)
def test_which_openings_stop_fire(name: str) -> None:
    others, terrain, fires = OPENINGS[name]
    battle = table(model(0), blue(10), *others, terrain=terrain)

    found = line(battle)

    assert (float(found.multiplier[0]) > 0) is fires
    assert fires or found.because(0) == ("runolfsson.gap.minimum",)
    assert int(found.by[0]) == -1


@pytest.mark.rule("runolfsson.gap.minimum", "runolfsson.plunging.base")
@pytest.mark.parametrize(("base", "fires"), [(1.5, True), (1.4, False)])
def test_friends_that_are_plunged_over_form_no_opening(base: float, fires: bool) -> None:
    battle = table(model(0, base=base), blue(10), model(5, 0.95), model(5, -0.95))

    assert (judged(battle)[0] > 0) is fires
    assert len(narrow_openings(battle, 0)) == 1
    assert len(narrow_openings(battle, 1)) == 0


# Streams


@pytest.mark.rule("runolfsson.stream.double", "runolfsson.stream.half")
def test_no_place_is_in_a_stream_where_there_is_none() -> None:
    battle = table(model(0), blue(10))

    assert terrain_of(battle).stream_at(ends_of(battle).spots).tolist() == [-1, -1]
    assert ends_of(battle).stream.tolist() == [-1, -1]


@pytest.mark.rule("runolfsson.contour.many", "runolfsson.elevation.ground-between")
def test_a_model_that_is_gone_is_in_nothing() -> None:
    battle = table(model(0), blue(10), model(5))
    assert judged(battle)[0] == 0

    put(battle, 2, present=0)

    assert judged(battle)[0] == 1

"""How high units stand, and what they are now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from shapely import Polygon

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Change, Fall, Leave, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.rules.emlia.play.situation.situation import situation_after, situation_of

Build = Callable[..., Battle]


@pytest.mark.rule("emlia.terrain.standing-on")
def test_a_man_on_a_hill_of_ten_rises_to_eleven(field_of_battle: Build) -> None:
    hill = {"kind": "hill", "height": 10, "box": (80, 80, 120, 120)}
    battle = field_of_battle({"at": (100, 100)}, {"at": (150, 100)}, terrain=[hill])
    situation = situation_of(battle)

    assert situation.footing(0) + situation.height(0) == 11
    assert situation.footing(1) + situation.height(1) == 1


@pytest.mark.rule("emlia.terrain.depression")
def test_a_man_in_a_river_bed_rises_to_one_below_the_board(field_of_battle: Build) -> None:
    river = {"kind": "river", "height": -2, "box": (80, 80, 120, 120)}
    situation = situation_of(field_of_battle({"at": (100, 100)}, terrain=[river]))

    assert situation.footing(0) + situation.height(0) == -1


@pytest.mark.rule("emlia.terrain.standing-on")
def test_nobody_stands_on_a_wood(field_of_battle: Build) -> None:
    wood = {"kind": "forest", "box": (80, 80, 120, 120)}

    assert situation_of(field_of_battle({"at": (100, 100)}, terrain=[wood])).footing(0) == 0


@pytest.mark.rule("emlia.terrain.occupancy")
@pytest.mark.parametrize(("east_edge", "footing"), [(101, 0), (103, 4)])
def test_a_unit_stands_where_its_median_man_does(
    field_of_battle: Build, east_edge: float, footing: float
) -> None:
    hill = {"kind": "hill", "height": 4, "box": (90, 90, east_edge, 110)}
    line = {"formation": "ranked", "members": 7, "files": 7, "front": (102, 100)}
    situation = situation_of(field_of_battle(line, terrain=[hill]))

    assert situation.footing(0) == footing


@pytest.mark.rule("emlia.terrain.standing-on", "emlia.meta.metric-scale")
def test_raster_ground_counts_in_height_units(field_of_battle: Build) -> None:
    plateau = np.full((10, 10), 18.3)
    situation = situation_of(
        field_of_battle({"at": (100, 100), "on_height": 0.5}, elevation_m=plateau)
    )

    assert situation.footing(0) == pytest.approx(10.5)


@pytest.mark.rule("emlia.sight.raster-features")
def test_a_feature_stands_on_the_median_of_the_ground_under_it(field_of_battle: Build) -> None:
    """Most of its corners are in the west; most of it is on the eastern terrace."""
    terrace = np.zeros((100, 100))
    terrace[:, 40:] = 3 * 1.83
    jagged = [(60, 90 + 2 * step) if step % 2 else (62, 90 + 2 * step) for step in range(9)]
    wood = {"kind": "forest", "outline": Polygon([*jagged, (140, 110), (140, 90)])}
    rail = {"kind": "fence", "outline": Polygon([(85, 85), (115, 115), (115.01, 115), (85, 84.99)])}
    situation = situation_of(
        field_of_battle({"at": (100, 100)}, terrain=[wood, rail], elevation_m=terrace)
    )

    assert situation.feature_footing(0) == 3
    assert situation.feature_footing(1) == 3


@pytest.mark.rule("emlia.move.drop-down", "emlia.move.stand-up")
def test_the_prone_are_half_as_tall_and_half_as_large(field_of_battle: Build, put: Any) -> None:
    battle = field_of_battle({"at": (100, 100), "states": ("prone",)})
    situation = situation_of(battle)
    assert (situation.height(0), situation.size(0)) == (0.5, 0.5)

    put(battle, 0, posture=0)
    assert (situation_of(battle).height(0), situation_of(battle).size(0)) == (1, 1)


@pytest.mark.rule("emlia.measure.closest-edges")
def test_distances_are_between_nearest_edges(field_of_battle: Build) -> None:
    line = {"formation": "ranked", "members": 10, "files": 10, "front": (100, 100)}
    battle = field_of_battle(line, {"at": (100, 107.5), "side": "Bob"})

    assert situation_of(battle).distance(0, 1) == 7


@pytest.mark.rule("emlia.entity.boundary")
def test_the_boundary_shrinks_with_the_unit(field_of_battle: Build) -> None:
    line = {"formation": "ranked", "members": 10, "files": 10, "front": (100, 100)}
    battle = field_of_battle(line)
    assert situation_of(battle).outline(0).bounds == (95, 99, 105, 100)

    battle.happen(Event(facts=Unread(event="fell"), changes=(Fall(unit=0, figures=(0, 1, 2, 3)),)))

    assert situation_of(battle).outline(0).bounds == (97, 99, 103, 100)
    assert len(situation_of(battle).places(0)) == 6


@pytest.mark.rule("emlia.terrain.standing-on")
@pytest.mark.parametrize(
    ("changes", "footings", "places"),
    [
        ((), (4, 0), (1, 1)),
        ((Set(table="feature", row=0, column="present", value=0),), (0, 0), (1, 1)),
        ((Set(table="unit", row=1, column="on_height", value=2.0),), (4, 2), (1, 1)),
        ((Leave(unit=1),), (4, None), (1, 0)),
    ],
    ids=["nothing", "the hill is gone", "a unit is higher", "a unit is gone"],
)
def test_what_a_side_knows_takes_over_what_is_the_same_in_truth_alone(
    field_of_battle: Build,
    changes: tuple[Change, ...],
    footings: tuple[float | None, ...],
    places: tuple[int, ...],
) -> None:
    hill = {"kind": "hill", "height": 4, "box": (80, 80, 120, 120)}
    true = field_of_battle({"at": (100, 100)}, {"at": (150, 100), "side": "Bob"}, terrain=[hill])
    told = true.fork()
    told.happen(Event(facts=Unread(event="put"), changes=changes))

    situation = situation_after(situation_of(true), told)

    assert [len(situation.places(unit)) for unit in range(2)] == [*places]
    assert [situation.outline(unit).is_empty for unit in range(2)] == [
        not count for count in places
    ]
    for unit, footing in enumerate(footings):
        assert footing is None or situation.footing(unit) == footing
    assert [situation_of(true).footing(unit) for unit in range(2)] == [4, 0]

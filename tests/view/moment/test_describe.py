"""From a battle to a scene, in metres."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from shapely import box

from emlia3d.battle.apply import apply
from emlia3d.battle.changes import Leave, Place, Set
from emlia3d.battle.events import Event, Unread
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.field import feature_of
from emlia3d.force.figure_models import MODELS
from emlia3d.rules.emlia.events.movement import Fled
from emlia3d.view.moment.banners import banners_of, on_the_way
from emlia3d.view.moment.describe import scene_of, sides_of
from emlia3d.view.moment.figures import figures_of, whereabouts_of
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import FALLEN, PRONE, STANDING
from tests.made_up import made_up


def test_a_figure_stands_where_the_table_says_in_metres(setup: Setup, start: State) -> None:
    figures = figures_of(setup, start)

    assert len(figures) == 27
    assert (figures.x_m[0], figures.y_m[0]) == (111.0, 23.0)
    assert list(figures.team[[0, 20, 26]]) == [0, 1, 1]
    assert figures.facing_deg[26] == 270.0


def test_a_unit_is_drawn_with_the_body_of_its_troops(setup: Setup, start: State) -> None:
    figures = figures_of(setup, start)

    assert MODELS[figures.model[0]] == "foot_bow"
    assert MODELS[figures.model[26]] == "dragon"
    assert MODELS[figures.model[20]] == "warrior", "a body that nobody has drawn"


def test_the_fallen_lie_and_those_who_left_are_not_shown(setup: Setup, later: State) -> None:
    figures = figures_of(setup, later)

    assert list(figures.pose[18:23]) == [STANDING, STANDING, FALLEN, FALLEN, STANDING]
    apply(later, Event(facts=made_up(Fled), changes=(Leave(unit=1),)))
    assert len(figures_of(setup, later)) == 23


def test_a_unit_that_has_lost_figures_looks_more_worn(setup: Setup, later: State) -> None:
    figures = figures_of(setup, later)

    assert figures.shade[22] > figures.shade[0] == 0


def test_a_unit_that_fights_no_longer_looks_worn_though_it_lost_nobody(
    setup: Setup, start: State
) -> None:
    change = Set(table="unit", row=0, column="state", value=2)
    apply(start, Event(facts=made_up(Fled), changes=(change,)))

    assert figures_of(setup, start).shade[0] > 6


def test_a_giant_fills_its_base(setup: Setup, start: State) -> None:
    units = list(setup.units)
    muster = units[2].muster
    wide = replace(muster, troops=replace(muster.troops, width=9.0, depth=14.0))
    units[2] = replace(units[2], muster=wide)

    sizes = figures_of(replace(setup, units=tuple(units)), start).size

    assert sizes[26] == pytest.approx(18.0 / 9.2, abs=0.01), "eighteen metres from tip to tip"
    assert set(sizes[:26]) == {1.0}


def test_a_single_fighter_carries_no_standard(setup: Setup, start: State) -> None:
    archers, bandits, dragon = banners_of(setup, start)

    assert archers.standard
    assert bandits.standard
    assert not dragon.standard
    assert archers.strength == 1.0


def test_a_posture_by_its_word_lays_a_unit_down(setup: Setup, start: State) -> None:
    change = Set(table="unit", row=0, column="posture", value=1)
    apply(start, Event(facts=Unread(event="dropped"), changes=(change,)))

    figures = figures_of(setup, start)

    assert set(figures.pose[:20]) == {PRONE}
    assert set(figures.pose[20:]) == {STANDING}


def test_height_stood_on_is_in_metres(setup: Setup, start: State) -> None:
    assert figures_of(setup, start).lift_m[26] == pytest.approx(3.66)


def test_figures_come_from_where_they_were(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    before = whereabouts_of(setup, start)
    apply(start, story[2])

    figures = figures_of(setup, start, before)

    assert figures.was_y_m is not None
    assert (figures.was_y_m[0], figures.y_m[0]) == (23.0, 39.0)
    assert figures.was_y_m[25] == figures.y_m[25]


def test_where_nobody_moved_there_is_nothing_to_blend(setup: Setup, start: State) -> None:
    figures = figures_of(setup, start, whereabouts_of(setup, start))

    assert figures.was_x_m is None
    assert figures.alpha == 1.0


def test_a_figure_turns_the_shorter_way(setup: Setup, start: State) -> None:
    def faced(degrees: int) -> Event:
        pose = Place(unit=0, x=60.0, y=12.0, facing=degrees * 64, formation=2, files=10)
        return Event(facts=Unread(event="wheeled"), changes=(pose,))

    apply(start, faced(350))
    before = whereabouts_of(setup, start)
    apply(start, faced(10))

    figures = figures_of(setup, start, before)

    assert figures.was_facing_deg is not None
    assert figures.facing_deg[0] - figures.was_facing_deg[0] == 20.0


def test_the_drawn_ground_is_the_ground_of_the_battle(setup: Setup, start: State) -> None:
    terrain = terrain_of(setup, start, stated=True)
    x, y = np.array([3.0, 60.0, 77.7, 119.0]), np.array([5.0, 30.0, 41.3, 80.0])

    drawn = terrain.heights(x * 2.0, y * 2.0)

    np.testing.assert_allclose(drawn, setup.field.ground.elevations_m(x, y), atol=1e-5)


def test_a_feature_is_a_patch_in_metres(setup: Setup, start: State) -> None:
    rock, grove = terrain_of(setup, start).patches

    assert (rock.kind, rock.name, rock.height_m) == ("rock", "rock", pytest.approx(9.15))
    assert rock.outline_m[0].shape == (4, 2)
    assert tuple(rock.outline_m[0].max(axis=0)) == (132.0, 72.0)
    assert grove.kind == "wood"


def test_a_feature_that_is_gone_is_not_drawn(setup: Setup, start: State) -> None:
    change = Set(table="feature", row=0, column="present", value=0)
    apply(start, Event(facts=Unread(event="shattered"), changes=(change,)))

    assert [patch.name for patch in terrain_of(setup, start).patches] == ["grove"]


def test_a_hill_of_the_table_is_raised_ground(setup: Setup, start: State) -> None:
    hill = feature_of("hill", "hill", box(20, 20, 50, 50), height=4.0)
    field = replace(setup.field, features=(setup.field.features[0], hill))

    terrain = terrain_of(replace(setup, field=field), start)

    bare = setup.field.ground.elevations_m(35.0, 35.0)
    assert terrain.height(70.0, 70.0) == pytest.approx(float(bare) + 4 * 1.83, abs=0.05)
    assert [patch.name for patch in terrain.patches] == ["rock"]


def test_a_banner_names_its_unit_and_says_how_it_is(setup: Setup, later: State) -> None:
    archers, bandits, dragon = scene_of(setup, later, selected=2).banners

    assert (archers.text, archers.subtext) == ("archers", "20, steady")
    assert (bandits.text, bandits.subtext) == ("bandits", "4 of 6, shaken")
    assert (archers.x_m, archers.y_m) == (120.0, 38.0)
    assert dragon.emphasis == "selected"


def test_a_broken_unit_has_a_broken_banner(setup: Setup, later: State) -> None:
    change = Set(table="unit", row=1, column="state", value=2)
    apply(later, Event(facts=Unread(event="broke"), changes=(change,)))

    assert scene_of(setup, later).banners[1].emphasis == "broken"


def test_a_unit_that_left_has_no_banner(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    for event in story:
        apply(start, event)

    assert [banner.text for banner in scene_of(setup, start).banners] == ["archers", "dragon"]


def test_a_banner_is_carried_along_with_its_marching_unit(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    before = whereabouts_of(setup, start)
    apply(start, story[2])
    there = banners_of(setup, start)

    archers, bandits, _ = on_the_way(there, setup, start, before, alpha=0.25)

    assert (archers.x_m, archers.y_m) == (120.0, 26.0)
    assert archers.outline_m is not None
    assert archers.outline_m[:, 1].max() == 28.0
    assert bandits is there[1]


def test_sides_differ_in_colour_and_in_pattern(setup: Setup) -> None:
    alice, bob = sides_of(setup)

    assert (alice.name, alice.colour) == ("Alice", "#2a5caa")
    assert alice.pattern != bob.pattern


def test_a_system_without_columns_of_its_own_is_shown_too(setup: Setup) -> None:
    bare = State.mustered([unit.muster for unit in setup.units], 2, [1.0, 1.0])

    scene = scene_of(setup, bare)

    assert [banner.subtext for banner in scene.banners] == ["20", "6", ""]
    assert set(scene.figures.pose) == {STANDING}

"""One call for a picture, and where named views look from."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup, Viewpoint
from emlia3d.battle.state import State
from emlia3d.errors import DisplayError, Error
from emlia3d.view import blows_of, picture, watch
from emlia3d.view.camera.shots import behind, camera_of, framed, in_the_thick
from emlia3d.view.moment.describe import scene_of
from emlia3d.view.moment.ground import terrain_of
from tests.view.panda.window_driver import drawing


def test_importing_the_view_loads_no_graphics_library() -> None:
    program = "import sys, emlia3d.view; print('panda3d' in sys.modules)"

    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert printed.stdout.strip() == "False"


@pytest.mark.long
@pytest.mark.parametrize("view", ["overview", "fight", "top", "eye"])
def test_a_picture_is_drawn_and_kept(
    setup: Setup, later: State, story: tuple[Event, ...], view: str, tmp_path: Path
) -> None:
    path = tmp_path / "battle.png"
    with drawing():
        image = picture(setup, later, view, events=story[3:5], size=(320, 180), path=path)

    assert image.shape == (180, 320, 3)
    np.testing.assert_array_equal(np.asarray(Image.open(path)), image)
    blue = (image[..., 2] > 1.4 * image[..., 0]) & (image[..., 2] > 1.4 * image[..., 1])
    assert blue.sum() > 12, "Alice's archers are in every view"


@pytest.mark.long
def test_a_picture_joins_those_at_close_quarters_who_do_not_strike(
    setup: Setup, later: State, story: tuple[Event, ...]
) -> None:
    struck = tuple(event for event in story if event.gesture == "strike")
    pair = [(event.unit, event.target) for event in struck]
    with drawing():
        bare, joined, with_blows, both = (
            picture(setup, later, "top", events=events, contacts=contacts, size=(320, 180))
            for events in ((), struck)
            for contacts in ((), pair)
        )

    assert (bare != joined).any()
    np.testing.assert_array_equal(with_blows, both)


def test_a_watcher_without_a_screen_is_told_so(
    setup: Setup, start: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("there is always a screen here")
    monkeypatch.delenv("DISPLAY", raising=False)

    with pytest.raises(DisplayError, match="window"):
        watch(setup, start, ())


def test_the_eye_looks_the_way_its_unit_faces(setup: Setup, start: State) -> None:
    camera = behind(setup, start, scene_of(setup, start), unit=2)

    east, north = np.subtract(camera.look_at, camera.eye)[:2]
    assert east < -50.0, "the dragon faces west"
    assert abs(north) < 1.0


def test_the_eye_turns_to_an_enemy_who_is_nearly_ahead(setup: Setup, start: State) -> None:
    start.units.writable("facing")[0] = 20 * 64
    start.units.writable("y")[0] = 40.0

    camera = behind(setup, start, scene_of(setup, start), unit=0)

    east, north = np.subtract(camera.look_at, camera.eye)[:2]
    assert north > 20.0
    assert abs(east) < 0.25 * north, "the bandits are due north, twenty degrees off the front"


def test_a_scenario_s_own_camera_stands_on_the_ground_of_its_place(
    setup: Setup, start: State
) -> None:
    hill = Viewpoint(name="overview", eye=(20.0, 40.0, 10.0), look_at=(60.0, 30.0, 0.0))
    named = replace(setup, viewpoints=(hill,))
    scene = scene_of(named, start)

    camera = camera_of(named, start, scene, "overview", unit=None, aspect=1.8)

    ground = scene.terrain.height
    assert camera.eye == pytest.approx((40.0, 80.0, ground(40.0, 80.0) + 18.3))
    assert camera.look_at == pytest.approx((120.0, 60.0, ground(120.0, 60.0)))
    assert camera != framed(named, start, scene, "overview", unit=None, aspect=1.8)


def test_a_camera_that_follows_a_unit_looks_over_its_shoulders_until_it_is_gone(
    setup: Setup, start: State
) -> None:
    names = [unit.name for unit in setup.units]
    named = replace(setup, viewpoints=(Viewpoint(name="ranker", unit=names[2]),))
    scene = scene_of(named, start)

    followed = camera_of(named, start, scene, "ranker", unit=None, aspect=1.8)
    start.units.writable("present")[2] = 0
    after = camera_of(named, start, scene, "ranker", unit=None, aspect=1.8)

    assert followed == behind(named, start, scene, unit=2)
    assert after == behind(named, start, scene, in_the_thick(named, start, scene.terrain))


def test_a_camera_that_nobody_named_is_refused_with_those_that_there_are(
    setup: Setup, start: State
) -> None:
    with pytest.raises(Error, match="unknown camera crow; there are overview, fight, top, eye"):
        picture(setup, start, "crow")


def test_the_thick_of_it_is_where_men_in_ranks_see_the_enemy(setup: Setup, start: State) -> None:
    start.units.writable("y")[0] = 42.0  # the archers have gone round the rock
    archers, bandits, dragon = setup.units
    troops = replace(bandits.muster.troops, model="ogre")
    ogres = replace(bandits, muster=replace(bandits.muster, troops=troops))
    against_ogres = replace(setup, units=(archers, ogres, dragon))

    assert in_the_thick(setup, start, terrain_of(setup, start)) == 1
    assert in_the_thick(against_ogres, start, terrain_of(setup, start)) == 0


def test_nobody_is_in_the_thick_of_it_behind_a_rock(setup: Setup, start: State) -> None:
    start.units.writable("x")[:] = (63.0, 63.0, 90.0)
    start.units.writable("y")[:] = (26.0, 38.0, 26.0)

    chosen = in_the_thick(setup, start, terrain_of(setup, start))

    assert chosen == 2, "archers and bandits look at a rock, the dragon at the archers' flank"


def test_blows_are_the_shots_and_strokes_of_what_happened(story: tuple[Event, ...]) -> None:
    assert [event.name for event in blows_of(story)] == ["shot", "struck"]


def test_one_looks_over_all_of_a_single_large_body_and_what_it_stands_on(
    setup: Setup, start: State
) -> None:
    scene = scene_of(setup, start)

    eye = behind(setup, start, scene, unit=2).eye

    ground = scene.terrain.height(eye[0], eye[1])
    assert eye[2] - ground == pytest.approx(1.35 * 4.2 + 2 * 1.83), "4.2 m tall, on 2 of 1.83 m"
    assert eye[0] > 180.0 + 4.2, "it looks west from 180 m, and is seen from behind"


def test_the_eye_of_a_unit_that_has_left_is_that_of_one_that_has_not(
    setup: Setup, start: State
) -> None:
    scene = scene_of(setup, start)
    start.units.writable("present")[1] = 0

    camera = camera_of(setup, start, scene, "eye", unit=1, aspect=1.8)

    assert camera == behind(setup, start, scene, unit=0)

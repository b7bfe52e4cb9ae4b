"""The sight tool as it is seen: overlays on the ground, drawn lines, the window with the tool."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from emlia3d.battle.events import Event
from emlia3d.battle.questions.answer import SightAnswer
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.view.moment.scene import Camera, DrawnGround, Overlay, Scene, Stroke, flat
from emlia3d.view.panda.app import App
from emlia3d.view.panda.display import Display, probe
from emlia3d.view.panda.stage import Stage
from emlia3d.view.rules import ObserverSpec
from tests.view.panda.window_driver import Hand, opened
from tests.view.ruled import ruled
from tests.view.sight.sight_oracle import answer_of

SIZE = (640, 360)
ABOVE = Camera(eye=(100, 20, 120), look_at=(100, 100, 0))


@pytest.fixture(params=["p3headlessgl", "p3tinydisplay"])
def display(request: pytest.FixtureRequest) -> Display:
    found = probe(request.param, False)
    if not isinstance(found, Display):
        pytest.skip(f"{request.param} draws nothing here: {found.reason}")
    return found


def violet(bounds_m: tuple[float, float, float, float]) -> Overlay:
    picture = np.zeros((64, 64, 4), np.uint8)
    picture[:] = (120, 40, 200, 255)
    return Overlay(picture=picture, bounds_m=bounds_m)


def is_violet(image: NDArray[np.uint8]) -> NDArray[np.bool_]:
    red, green, blue = image.astype(int).transpose(2, 0, 1)
    return (blue > 1.3 * red) & (red > 1.5 * green)


def spots(
    stage: Stage, terrain: DrawnGround, places: list[tuple[float, float]]
) -> NDArray[np.int64]:
    flat_places = np.array(places)
    height = terrain.heights(flat_places[:, 0], flat_places[:, 1])
    return stage.project(np.column_stack([flat_places, height])).astype(np.int64)


def test_an_overlay_lies_where_it_belongs(display: Display) -> None:
    stage = Stage(display, SIZE)
    terrain = flat((200.0, 200.0))
    stage.show(Scene(terrain=terrain, overlays=(violet((80, 90, 120, 110)),)))
    stage.look(ABOVE)
    seen = is_violet(stage.image())
    inside = spots(stage, terrain, [(82, 92), (118, 92), (118, 108), (82, 108), (100, 100)])
    outside = spots(stage, terrain, [(77, 100), (123, 100), (100, 87), (100, 113)])
    stage.close()

    assert all(seen[y, x] for x, y in inside)
    assert not any(seen[y, x] for x, y in outside)


def test_an_overlay_follows_hills_and_sinks_nowhere(display: Display) -> None:
    """Crests that are steeper than a coarser mesh would follow."""
    east = np.linspace(0, 12 * np.pi, 128)
    waves = (3 * np.sin(east))[None] * np.cos(east)[:, None]
    terrain = DrawnGround(elevation_m=waves.astype(np.float32), size_m=(200.0, 200.0))
    stage = Stage(display, SIZE)
    camera = Camera(eye=(100, 99, 160), look_at=(100, 100, 0))
    stage.show(Scene(terrain=terrain, overlays=(violet((60, 60, 140, 140)),)))
    stage.look(camera)
    seen = is_violet(stage.image())
    corners = spots(stage, terrain, [(65, 135), (135, 65)])
    stage.close()

    (left, top), (right, bottom) = corners
    assert seen[top:bottom, left:right].mean() > 0.99


def test_an_overlay_that_is_taken_away_is_gone(display: Display) -> None:
    stage = Stage(display, SIZE)
    stage.show(Scene(terrain=flat((200.0, 200.0)), overlays=(violet((80, 90, 120, 110)),)))
    stage.show_overlays(())
    stage.look(ABOVE)
    image = stage.image()
    stage.close()

    assert not is_violet(image).any()


def test_drawn_lines_are_all_drawn_and_show_through_a_hill(display: Display) -> None:
    hill = np.zeros((65, 65), np.float32)
    hill[30:35, :] = 40.0
    terrain = DrawnGround(elevation_m=hill, size_m=(200.0, 200.0))
    low = Camera(eye=(100, 2, 12), look_at=(100, 190, 8))
    lines = tuple(
        Stroke(start=(x, 150.0, 2.0), end=(x, 150.0, 30.0), tone="hidden", drawn=True)
        for x in np.linspace(60, 140, 150).tolist()
    )
    images = []
    stage = Stage(display, SIZE)
    for marks in ((), lines):
        stage.show(Scene(terrain=terrain, marks=marks))
        stage.look(low)
        images.append(stage.image().astype(int))
    stage.close()

    changed = np.abs(images[1] - images[0]).sum(axis=2) > 15
    assert changed.any(axis=0).sum() > 120


def test_a_shot_in_an_arc_is_drawn_over_its_straight_line(display: Display) -> None:
    def rows(rise_m: float) -> NDArray[np.intp]:
        shot = Stroke(start=(40, 100, 2), end=(160, 100, 2), tone="hit", rise_m=rise_m)
        stage = Stage(display, SIZE)
        images = []
        for marks in ((), (shot,)):
            stage.show(Scene(terrain=flat((200.0, 200.0)), marks=marks))
            stage.look(Camera(eye=(100, -60, 40), look_at=(100, 100, 15)))
            images.append(stage.image().astype(int))
        stage.close()
        changed = np.abs(images[1] - images[0]).sum(axis=2) > 60
        return np.flatnonzero(changed[:, SIZE[0] // 2 - 6 : SIZE[0] // 2 + 6].any(axis=1))

    assert rows(30.0).max() < rows(0.0).min() - 20, "upwards is towards the first row"


@pytest.fixture
def app(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    def ask(observer: int, target: int, damage: int, state: State) -> SightAnswer:
        return answer_of(setup, observer, target)

    app = opened(setup, start, story, rules=ruled(setup, sight=ask))
    app.step(0.0)
    yield app
    app.close()


def shaded(app: App, x_gsu: float, y_gsu: float) -> bool:
    """Whether the ground there looks violet."""
    terrain = app._showing.scene.terrain
    place = np.array([[2 * x_gsu, 2 * y_gsu, terrain.height(2 * x_gsu, 2 * y_gsu)]])
    x, y = app._stage.project(place)[0].astype(int)
    _, green, blue = app.image()[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3).mean(axis=0)
    return bool(blue > 1.15 * green)


def test_the_tool_is_used_with_the_mouse_and_left_with_escape(app: App) -> None:
    hand = Hand(app)
    hand.press("2")
    before = shaded(app, 61.0, 42.0)
    hand.press("v")
    hand.click_unit(0)
    hand.click_unit(1)
    card = app.viewer.status().sight
    during = shaded(app, 61.0, 42.0)
    hand.press("escape")
    after = shaded(app, 61.0, 42.0)

    assert card is not None
    assert (card.observer[0], card.target[0]) == ("archers", "bandits")
    assert (before, during, after) == (False, True, False)
    assert app.viewer.status().sight is None


def test_the_tool_is_used_with_keys_alone(app: App) -> None:
    hand = Hand(app)
    for key in ("v", "n", "tab", "n", "x"):
        hand.press(key)

    tool = app.viewer.tool
    assert (tool.observer, tool.target) == (1, 0), "archers, bandits, exchanged"


def test_the_corridor_comes_into_the_picture_beside_the_panel(app: App) -> None:
    hand = Hand(app)
    for key in ("v", "n", "tab", "n", "4"):
        hand.press(key)
    app.step(0.0)

    sight = app.viewer.sight()
    assert sight is not None
    places = app._stage.project(sight.sight_overlay.places_m)
    panel = min(rect.x for rect in app._mouse.layout.panels if rect.x > SIZE[0] / 2)
    assert places[:, 0].min() > 0
    assert places[:, 0].max() < panel
    assert places[:, 1].min() > 0
    assert places[:, 1].max() < SIZE[1]


def test_playing_on_keeps_the_question(app: App) -> None:
    hand = Hand(app)
    for key in ("v", "n", "tab", "n", "end"):
        hand.press(key)

    card = app.viewer.status().sight
    assert card is not None
    assert card.note == "bandits is not on the field at this moment"
    hand.press("page_up")
    card = app.viewer.status().sight
    assert card is not None
    assert card.degree == "total"


def test_the_ground_that_is_hidden_is_shaded_live_under_the_pointer(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    """Everything more than 12 GSU from the lookout is hidden."""

    def survey(
        lookout: ObserverSpec, spots: NDArray[np.float64], height: float, state: State
    ) -> NDArray[np.uint8]:
        at = lookout.place if lookout.unit is None else (60.0, 12.0)
        return np.where(np.hypot(*(spots - at).T) > 12, 2, 0).astype(np.uint8)

    app = opened(setup, start, story, rules=ruled(setup, survey=survey))
    hand = Hand(app)
    for key in ("2", "v", "n", "g"):
        hand.press(key)
    app.step(0.1)
    from_unit = shaded(app, 45.0, 42.0)
    hand.press("g")
    terrain = app._showing.scene.terrain
    foot = np.array([[90.0, 84.0, terrain.height(90.0, 84.0)]])
    hand.point(*app._stage.project(foot)[0])
    app.step(0.1)
    from_pointer = shaded(app, 45.0, 42.0)
    elsewhere = shaded(app, 85.0, 25.0)
    app.close()

    assert (from_unit, from_pointer, elsewhere) == (True, False, True)


def test_the_tape_measures_between_two_clicks(app: App) -> None:
    hand = Hand(app)
    hand.press("2")
    hand.press("m")
    terrain = app._showing.scene.terrain
    for x, y in ((60.0, 60.0), (160.0, 60.0)):
        place = np.array([[x, y, terrain.height(x, y)]])
        hand.click(*app._stage.project(place)[0])
    card = app.viewer.status().card

    assert card is not None
    distance = dict(card.rows)["distance"]
    assert float(distance.split()[0]) == pytest.approx(50.0, abs=1.0), distance
    middle = np.array([[110.0, 60.0, terrain.height(110.0, 60.0)]])
    x, y = app._stage.project(middle)[0].astype(int)
    spot = app.image()[y - 3 : y + 4, x - 3 : x + 4].reshape(-1, 3).astype(int)
    assert (spot[:, 0] - spot[:, 2]).max() > 90, "a yellow line"


def test_the_tape_is_laid_with_keys_alone(app: App) -> None:
    hand = Hand(app)
    app.surface.input.set_mouse_on(False)
    for key in ("m", "enter", "arrow_right", "arrow_right", "enter"):
        hand.press(key)

    card = app.viewer.status().card
    assert card is not None
    assert float(dict(card.rows)["distance"].split()[0]) > 1.0

"""The window, clicked for real: on a picture buffer, with a mouse and keys that a test moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from panda3d.core import ButtonHandle, ButtonRegistry, EventParameter, EventQueue, MouseButton
from panda3d.core import Event as PandaEvent
from PIL import Image

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import DisplayError, Error
from emlia3d.view.panda.app import App
from emlia3d.view.panda.window import Backroom
from emlia3d.view.window.deeds import Recorded
from emlia3d.view.window.keys import ACTIONS
from emlia3d.view.window.opening import Found, Library, Opened

SIZE = (640, 360)


class Hand:
    """Someone at mouse and keys."""

    def __init__(self, app: App) -> None:
        assert isinstance(app.surface, Backroom)
        self._app = app
        self._mouse = app.surface.input
        self._mouse.set_mouse_on(True)

    def point(self, x: float, y: float) -> None:
        self._mouse.set_mouse_pos(round(x), round(y))
        self._app.step(0.0)

    def hold(self, button: ButtonHandle) -> None:
        self._mouse.press_button(button)
        self._app.step(0.0)

    def let_go(self, button: ButtonHandle) -> None:
        self._mouse.release_button(button)
        self._app.step(0.0)

    def click(self, x: float, y: float) -> None:
        self.point(x, y)
        self.hold(MouseButton.one())
        self.let_go(MouseButton.one())

    def press(self, key: str) -> None:
        button = ButtonRegistry.ptr().get_button(key)
        self.hold(button)
        self.let_go(button)

    def write(self, words: str) -> None:
        """As a keyboard does: a key goes down, and with it comes a letter."""
        prefix = self._app._controls._prefix
        for letter in words:
            if letter.isascii():
                self.hold(ButtonRegistry.ptr().get_button(letter.replace(" ", "space")))
            written = PandaEvent(prefix + "keystroke")
            written.add_parameter(EventParameter(letter))
            EventQueue.get_global_event_queue().queue_event(written)
            self._app.step(0.1)
            if letter.isascii():
                self.let_go(ButtonRegistry.ptr().get_button(letter.replace(" ", "space")))

    def click_within_a_frame(self, x: float, y: float, after: str = "") -> None:
        """A key perhaps, then a click, all of them before the window looks again."""
        self._mouse.set_mouse_pos(round(x), round(y))
        keys = [ButtonRegistry.ptr().get_button(after)] if after else []
        for button in (*keys, MouseButton.one()):
            self._mouse.press_button(button)
            self._mouse.release_button(button)
        self._app.step(0.0)

    def click_button(self, name: str) -> None:
        rect = dict(self._app._mouse.layout.buttons)[name]
        self.click(rect.x + rect.w / 2, rect.y + rect.h / 2)

    def click_unit(self, unit: int) -> None:
        banner = self._app._showing.scene.banners[unit]
        ground = self._app._showing.scene.terrain.height(banner.x_m, banner.y_m)
        foot = np.array([[banner.x_m, banner.y_m, ground + banner.lift_m + 0.8]])
        self.click(*self._app._stage.project(foot)[0])


@pytest.fixture
def app(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    try:
        app = App(setup, start, story, offscreen=True, size=SIZE)
    except DisplayError as flaw:
        pytest.skip(str(flaw))
    app.step(0.0)
    yield app
    app.close()


@pytest.fixture
def hand(app: App) -> Hand:
    return Hand(app)


@pytest.fixture
def browsing(setup: Setup, start: State, story: tuple[Event, ...]) -> Iterator[App]:
    """A window from which the battle's end may be opened as a battle of its own, and a bad file."""

    def take(path: Path) -> Opened:
        if path.name == "bad.toml":
            raise Error("bad.toml:1: this is no scenario")
        other = replace(setup, title="Another quarrel", units=setup.units)
        return Opened(setup=other, state=start, events=story[:3], library=library)

    found = tuple(Found(Path(name), name, "") for name in ("good.toml", "bad.toml"))
    library = Library(look=lambda: found, take=take)
    try:
        app = App(setup, start, story, offscreen=True, size=SIZE, library=library)
    except DisplayError as flaw:
        pytest.skip(str(flaw))
    app.step(0.0)
    yield app
    app.close()


def test_another_battle_is_opened_in_the_same_window_by_keys(browsing: App) -> None:
    hand, before = Hand(browsing), browsing.image().astype(int)
    hand.click_unit(0)
    browsing.viewer.like(replace(browsing.viewer.liking.settings, text_size=1.5))

    hand.press("insert")
    hand.press("enter")
    browsing.step(0.0)

    status = browsing.viewer.status()
    assert (status.title, status.steps, status.card) == ("Another quarrel", 3, None)
    assert status.text_size == 1.5, "the window is liked as before"
    assert browsing.surface.output.get_num_active_display_regions() == regions(browsing)
    changed = np.abs(browsing.image().astype(int) - before).sum(axis=2) > 30
    assert changed[:40].any(), "another title"
    assert changed.mean() < 0.4, "the same field, seen as at first"
    hand.click_unit(1)
    assert browsing.viewer.selected == 1, "mouse and keys go on"


def regions(app: App) -> int:
    """How many layers a window has that has shown one battle alone."""
    twin = App(app._setup, app.viewer.state, (), offscreen=True, size=SIZE)
    twin.step(0.0)
    count = twin.surface.output.get_num_active_display_regions()
    twin.close()
    return int(count)


def test_a_file_that_cannot_be_opened_is_one_line_in_the_window(browsing: App) -> None:
    hand = Hand(browsing)

    hand.press("6")
    hand.click_button("file:1")
    browsing.step(0.0)

    status = browsing.viewer.status()
    assert status.alarm == "bad.toml:1: this is no scenario"
    assert status.title == "A quarrel"


def test_a_click_on_a_unit_shows_its_card(app: App, hand: Hand) -> None:
    for unit, name in enumerate(("archers", "bandits", "dragon")):
        hand.click_unit(unit)

        card = app.viewer.status().card
        assert card is not None
        assert card.name == name


def test_a_click_on_empty_ground_chooses_none(app: App, hand: Hand) -> None:
    hand.click_unit(0)

    hand.click(150, 200)

    assert app.viewer.selected is None


def test_a_click_on_a_button_does_not_reach_the_field(app: App, hand: Hand) -> None:
    hand.click_unit(0)
    camera = app.steering.camera

    step = app.viewer.playback.position.step

    hand.click_button("forward")

    assert app.viewer.playback.position.step == step + 1
    assert (app.viewer.selected, app.steering.camera) == (0, camera)


def test_a_click_on_a_panel_does_not_reach_the_field(app: App, hand: Hand) -> None:
    hand.click_unit(0)

    hand.click(SIZE[0] / 2, 5)

    assert app.viewer.selected == 0


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        ([], 1),
        ("...", 4),
        ("...,", 3),
        (["page_down", "page_down"], 5),
        (["end"], 7),
        (["end", "page_up"], 5),
    ],
)
def test_keys_step_through_the_battle(
    app: App, hand: Hand, keys: str | list[str], step: int
) -> None:
    for key in keys:
        hand.press(key)

    assert app.viewer.playback.position.step == step


def test_space_plays_and_the_battle_goes_on(app: App, hand: Hand) -> None:
    hand.press("space")
    for _ in range(100):
        app.step(0.1)

    assert app.viewer.playback.position.step == 7


def test_the_timeline_can_be_dragged(app: App, hand: Hand) -> None:
    rail = app._mouse.layout.timeline
    hand.point(rail.x + 2, rail.y + rail.h / 2)
    hand.hold(MouseButton.one())

    hand.point(rail.x + rail.w * 4 / 7, rail.y + rail.h / 2)
    shown = app.viewer.playback.position.step
    hand.let_go(MouseButton.one())
    hand.point(rail.x + rail.w, rail.y + rail.h / 2)

    assert (shown, app.viewer.playback.position.step) == (4, 4)


def test_a_click_within_a_frame_seeks_on_the_timeline(app: App, hand: Hand) -> None:
    rail = app._mouse.layout.timeline

    hand.click_within_a_frame(rail.x + rail.w * 4 / 7, rail.y + rail.h / 2)
    hand.point(rail.x + rail.w, rail.y + rail.h / 2)

    assert app.viewer.playback.position.step == 4


def test_a_click_within_a_frame_goes_where_the_small_map_is_clicked(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None

    hand.click_within_a_frame(rect.x + rect.w / 4, rect.y + rect.h / 4)

    assert app.steering.camera.look_at[:2] == pytest.approx((60.0, 120.0), abs=3.0)


def test_a_click_finds_what_a_key_of_the_same_frame_has_opened(app: App, hand: Hand) -> None:
    hand.press("f7")
    row = dict(app._mouse.layout.buttons)["kind:2"]
    hand.press("escape")
    before = app.viewer.status().highlights

    hand.click_within_a_frame(row.x + row.w / 2, row.y + row.h / 2, after="f7")

    assert len(app.viewer.status().highlights) < len(before)


def test_a_drag_moves_the_field_and_chooses_nothing(app: App, hand: Hand) -> None:
    before = app.steering.camera
    hand.point(300, 200)
    hand.hold(MouseButton.one())
    hand.point(360, 220)
    hand.let_go(MouseButton.one())

    after = app.steering.camera
    assert app.viewer.selected is None
    assert after.look_at[:2] != before.look_at[:2]
    np.testing.assert_allclose(
        np.subtract(after.eye, after.look_at), np.subtract(before.eye, before.look_at), atol=1.0
    )


def test_a_click_on_the_small_map_goes_there(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None

    hand.click(rect.x + rect.w / 4, rect.y + rect.h / 4)

    assert app.steering.camera.look_at[:2] == pytest.approx((60.0, 120.0), abs=3.0)
    assert app.viewer.selected is None


def test_the_view_goes_where_the_pointer_is_dragged_on_the_small_map(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None
    hand.point(rect.x + 5, rect.y + 5)
    hand.hold(MouseButton.one())
    hand.point(rect.x + rect.w / 2, rect.y + rect.h / 2)
    hand.let_go(MouseButton.one())
    hand.point(rect.x + rect.w - 5, rect.y + rect.h - 5)

    assert app.steering.camera.look_at[:2] == pytest.approx((120.0, 80.0), abs=3.0)


def test_the_small_map_shows_the_country_and_is_put_away_by_its_key(app: App, hand: Hand) -> None:
    rect = app._mouse.layout.small_map
    assert rect is not None
    part = (
        slice(round(rect.y), round(rect.y + rect.h)),
        slice(round(rect.x), round(rect.x + rect.w)),
    )
    app.image()
    there = app.image()[part].astype(int)

    hand.press("o")
    app.image()
    gone = app.image()[part].astype(int)

    assert app._mouse.layout.small_map is None
    assert there.mean() > 130, "pale, as a map on paper"
    blue = (there[..., 2] > there[..., 0] + 60).sum()
    assert blue > 10, "the archers' sign"
    assert np.abs(there - gone).mean() > 25


def test_nothing_of_the_small_map_is_drawn_anew_while_nothing_moves(app: App, hand: Hand) -> None:
    camera = app.steering.camera
    rect = app._mouse.layout.small_map

    still = app._small_map.update(rect, app.viewer, camera)
    hand.press("n")
    moved = app._small_map.update(rect, app.viewer, camera)

    assert not still
    assert moved, "another camera's view, and a chosen unit"


def test_keys_change_the_letters_and_the_contrast(app: App, hand: Hand) -> None:
    sizes = [app._stage.text_size]
    for key in ("f10", "f10", "f9"):
        hand.press(key)
        sizes.append(app._stage.text_size)
    hand.press("f11")

    assert sizes == [1.0, 1.15, 1.3, 1.15]
    assert app.viewer.status().stark


def test_a_right_drag_goes_round_what_is_looked_at(app: App, hand: Hand) -> None:
    before = app.steering.camera
    hand.point(300, 200)
    hand.hold(MouseButton.three())
    hand.point(400, 200)
    hand.let_go(MouseButton.three())

    after = app.steering.camera
    assert after.look_at == before.look_at
    assert abs(after.eye[0] - before.eye[0]) > 5.0


def test_the_wheel_goes_nearer(app: App, hand: Hand) -> None:
    before = app.steering.camera.eye[2]
    hand.point(320, 180)

    hand.press("wheel_up")

    assert app.steering.camera.eye[2] < before


def test_next_chooses_a_unit_and_brings_it_into_the_middle(app: App, hand: Hand) -> None:
    hand.press("n")

    assert app.viewer.selected == 0
    assert app.steering.camera.look_at[:2] == (120.0, 22.0)


def test_the_panels_are_drawn_over_the_picture(app: App, hand: Hand) -> None:
    def pale(image: NDArray[np.uint8], rows: slice) -> float:
        return float((image[rows].min(axis=2) > 180).mean())

    shut = app.image()
    hand.press("f1")
    opened = app.image()

    bar = slice(0, round(32 * 0.62))
    assert 0.005 < pale(shut, bar) < 0.4, "light letters in a dark bar"
    middle = opened[140:220, 280:300].mean()
    assert middle < shut[140:220, 280:300].mean() * 0.6, "a dark sheet over the field"


def test_the_picture_shows_the_moment(app: App, hand: Hand) -> None:
    """The bandits flee in the last step: their red is gone from where they stood."""

    def red(image: NDArray[np.uint8]) -> int:
        place = app._stage.project(np.array([[120.0, 100.0, 6.0]]))[0].astype(int)
        spot = image[place[1] - 14 : place[1] + 8, place[0] - 14 : place[0] + 14].astype(int)
        return int((spot[..., 0] > 1.6 * spot[..., 1]).sum())

    there = red(app.image())
    hand.press("end")
    gone = red(app.image())

    assert there > 8
    assert gone < there / 4


def test_f2_draws_the_ground_another_way_and_back(app: App, hand: Hand) -> None:
    seen = [app.image()]
    for _ in range(3):
        hand.press("f2")
        told = app.viewer.status().notice
        assert "ground" in told
        app.viewer.say("")
        app.step(0.0)
        seen.append(app.image())
    assert "as it is" in told
    middle = [picture[180:300, 200:500].astype(int) for picture in seen]
    for one, two in ((0, 1), (1, 2), (2, 3)):
        assert np.abs(middle[one] - middle[two]).mean() > 8
    assert np.abs(middle[0] - middle[3]).mean() < 1


def test_the_camera_goes_along_with_the_chosen_unit_until_it_is_gone(app: App, hand: Hand) -> None:
    def play() -> None:
        hand.press(".")
        for _ in range(80):
            app.step(0.05)

    hand.click_unit(0)
    hand.press("5")
    before = app.steering.camera.look_at
    play()
    play()
    marched = app.steering.camera.look_at
    hand.press("5")
    hand.press(",")
    for _ in range(20):
        app.step(0.05)
    assert marched[1] - before[1] == pytest.approx(16.0, abs=0.2), "eight GSU to the north"
    assert app.steering.camera.look_at == marched, "it was let go"

    hand.click_unit(1)
    hand.press("5")
    hand.press("end")
    app.step(0.1)
    assert "bandits is on the field no longer" in app.viewer.status().notice


def test_without_a_chosen_unit_there_is_nobody_to_go_along_with(app: App, hand: Hand) -> None:
    hand.press("5")

    assert "choose" in app.viewer.status().notice


def test_every_key_of_the_list_does_something(app: App) -> None:
    assert set(ACTIONS.values()) == set(app._acts)


def test_the_next_turning_point_is_a_key_or_a_click_away(app: App, hand: Hand) -> None:
    hand.press("f6")
    by_key = app.viewer.course.step
    hand.click_button("mark:7")
    by_click = app.viewer.course.step
    hand.press("f5")

    assert (by_key, by_click, app.viewer.course.step) == (4, 7, 6)


def test_a_list_takes_its_digits_and_escape_closes_it(app: App, hand: Hand) -> None:
    camera = app.steering.camera
    hand.press("f7")
    hand.press("1")
    hand.click_button("kind:2")
    shown = app.viewer.status().highlights
    hand.press("escape")

    assert [one.kind for one in shown] == ["gone"]
    assert app.viewer.status().drawer is None
    assert app.steering.camera == camera, "1 is the view of the whole battle at other times"


def test_a_name_is_written_by_letters_whatever_their_keys_do_else(
    setup: Setup, start: State, story: tuple[Event, ...], tmp_path: Path
) -> None:
    try:
        app = App(
            setup,
            start,
            story,
            record=Recorded(tmp_path / "q.battle.jsonl"),
            offscreen=True,
            size=SIZE,
        )
    except DisplayError as flaw:
        pytest.skip(str(flaw))
    hand = Hand(app)
    try:
        camera = app.steering.camera
        hand.press("f3")
        hand.write("wéq 1")
        hand.press("enter")
        hand.press("enter")
        assert app.viewer.marking.bookmarks.marks[0].name == "wéq 1"
        assert app.steering.camera == camera
    finally:
        app.close()


def test_a_window_keeps_a_picture(
    app: App, hand: Hand, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("pictures")
    monkeypatch.chdir(folder)

    hand.press("f12")
    hand.press("f12")

    assert sorted(path.name for path in folder.iterdir()) == ["emlia3d-1.png", "emlia3d-2.png"]
    assert app.viewer.status().notice == "saved emlia3d-2.png"


def test_a_picture_shows_what_a_key_of_the_same_frame_does(
    app: App, hand: Hand, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    plain = app.image().astype(int)

    for key in ("f1", "f12"):
        app.surface.input.press_button(ButtonRegistry.ptr().get_button(key))
        app.surface.input.release_button(ButtonRegistry.ptr().get_button(key))
    app.step(0.0)

    with Image.open(tmp_path / "emlia3d-1.png") as saved:
        differs = np.abs(np.asarray(saved).astype(int) - plain).max(axis=2) > 40
    assert differs.mean() > 0.1, "the list of keys lies over the field"


def test_a_battle_can_be_watched_while_it_is_fought(
    setup: Setup, start: State, story: tuple[Event, ...], app: App
) -> None:
    live = App(setup, start, iter(story), offscreen=True, size=SIZE)
    try:
        live.viewer.playback.toggle()
        for _ in range(2000):
            live.step(0.1)
            if live.viewer.playback.at_end:
                break
        assert live.viewer.playback.position.step == 7
    finally:
        live.close()

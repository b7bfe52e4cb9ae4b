"""Other battles are opened from a list, by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import LogError
from emlia3d.view.window.opening import Found, Library, Opened
from emlia3d.view.window.sheet import layout
from emlia3d.view.window.status import FilesCard, KindsCard
from emlia3d.view.window.viewer import Viewer
from tests.view.panda.window_driver import opened

NAMES = ("one.battle.jsonl", "two.battle.jsonl", "torn.battle.jsonl", "duel.toml")


@pytest.fixture
def library(setup: Setup, start: State) -> Library:
    def take(path: Path) -> Opened:
        if path.name == "torn.battle.jsonl":
            raise LogError("torn.battle.jsonl:3: this line is torn\nand this one too")
        return Opened(setup=setup, state=start, events=(), record=None)

    found = tuple(Found(Path(name), name, f"what is in {name}") for name in NAMES)
    return Library(look=lambda: found, take=take)


@pytest.fixture
def viewer(setup: Setup, start: State, story: tuple[Event, ...], library: Library) -> Viewer:
    return Viewer(setup, start, story, library=library)


def press(viewer: Viewer, *keys: str) -> None:
    for key in keys:
        if key == "open":
            viewer.lists.toggle("files")
        else:
            viewer.press(key)
        viewer.tick(0.0)


def card(viewer: Viewer) -> FilesCard:
    found = viewer.status().drawer
    assert isinstance(found, FilesCard)
    return found


def test_the_list_has_every_file_with_what_is_in_it(viewer: Viewer) -> None:
    press(viewer, "open")

    assert [name for name, _ in card(viewer).rows] == list(NAMES)
    assert card(viewer).rows[3][1] == "what is in duel.toml"


def test_arrows_choose_and_enter_opens(viewer: Viewer) -> None:
    press(viewer, "open", "arrow_up", "arrow_down", "arrow_down", "arrow_up")
    assert card(viewer).chosen == 1

    press(viewer, "enter")

    assert viewer.opening.opened is not None
    assert viewer.status().drawer is None


def test_a_digit_opens_its_row_and_one_beyond_the_list_nothing(viewer: Viewer) -> None:
    press(viewer, "open", "9")
    assert viewer.opening.opened is None

    press(viewer, "4")

    assert viewer.opening.opened is not None


def test_what_is_wrong_with_a_file_is_one_line_and_the_battle_stays(viewer: Viewer) -> None:
    press(viewer, "open", "3")

    assert viewer.status().alarm == "torn.battle.jsonl:3: this line is torn (and 1 more)"
    assert viewer.opening.opened is None
    assert card(viewer).chosen == 2, "so that another is chosen next"


def test_escape_closes_the_list_and_another_list_takes_its_place(viewer: Viewer) -> None:
    press(viewer, "open")
    viewer.dismiss()
    assert viewer.status().drawer is None

    press(viewer, "open")
    viewer.lists.toggle("kinds")

    assert isinstance(viewer.status().drawer, KindsCard)


def test_arrows_do_not_move_the_camera_while_the_list_is_open(viewer: Viewer) -> None:
    assert viewer.lists.steers("arrow_up")

    press(viewer, "open")

    assert not viewer.lists.steers("arrow_up")
    assert viewer.lists.steers("w")


def test_the_wheel_goes_through_a_list_of_any_length(viewer: Viewer) -> None:
    press(viewer, "open")

    viewer.lists.scroll(2)
    viewer.lists.scroll(40)

    assert card(viewer).chosen == 3


def test_without_a_library_one_is_told_so(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    viewer = Viewer(setup, start, story)

    press(viewer, "open")

    assert viewer.status().notice == "there are no files to open here"


@pytest.mark.parametrize("size", [(640, 360), (1024, 640), (2560, 1440)])
def test_rows_are_buttons_within_the_panel_and_the_chosen_one_is_shown(
    size: tuple[int, int], viewer: Viewer, library: Library
) -> None:
    many = tuple(Found(Path(f"{n}"), f"battle-{n:03}", "a quarrel") for n in range(120))
    viewer.opening._library = Library(look=lambda: many, take=library.take)
    press(viewer, "open")
    viewer.lists.scroll(70)

    found = layout(viewer.status(), size, lambda text, points, bold: 0.55 * points * len(text))

    rows = {name: box for name, box in found.buttons if name.startswith("file:")}
    assert "file:70" in rows
    assert all(any(panel.holds(box.x, box.y) for panel in found.panels) for box in rows.values())
    assert any(text.text == "battle-070" for text in found.texts)


def test_small_pictures_are_shown_under_their_files(
    setup: Setup, start: State, story: tuple[Event, ...], tmp_path: Path
) -> None:
    red, torn = tmp_path / "red.png", tmp_path / "torn.png"
    Image.new("RGB", (256, 144), (250, 0, 0)).save(red)
    torn.write_bytes(red.read_bytes()[:40])
    found = (
        Found(Path("a"), "a", "a battle", red),
        Found(Path("b"), "b", "another", torn),
        Found(Path("c"), "c", "a third"),
    )
    library = Library(
        look=lambda: found, take=lambda path: Opened(setup=setup, state=start, events=())
    )
    app = opened(setup, start, story, library=library, size=(1280, 720))
    app.viewer.lists.toggle("files")
    app.step(0.0)

    shown = app._mouse.layout.pictures
    assert [picture.path for picture in shown] == [red, torn]
    rect = shown[0].rect
    middle = app.image()[round(rect.y + rect.h / 2), round(rect.x + rect.w / 2)]
    assert middle[0] > 200
    assert max(middle[1:]) < 50
    app.close()

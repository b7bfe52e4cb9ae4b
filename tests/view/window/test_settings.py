"""What whoever looks on likes."""

from __future__ import annotations

import pytest

from emlia3d.battle.events import Event
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.errors import FileError
from emlia3d.view.window.settings import Settings, SettingsStore
from emlia3d.view.window.viewer import Viewer


def test_letters_grow_and_shrink_by_steps_and_no_farther_than_the_last() -> None:
    assert Settings().larger(1).text_size == 1.15
    assert Settings().larger(-1).text_size == 0.9
    assert Settings(text_size=1.6).larger(1).text_size == 1.6
    assert Settings(text_size=0.8).larger(-1).text_size == 0.8


def test_a_size_between_two_steps_goes_to_the_next_of_them() -> None:
    assert Settings(text_size=1.2).larger(1).text_size == 1.3
    assert Settings(text_size=1.2).larger(-1).text_size == 1.15


def test_contrast_goes_to_and_fro() -> None:
    high = Settings().other_contrast()

    assert (high.contrast, high.other_contrast().contrast) == ("high", "normal")


def test_what_is_changed_is_kept_and_what_is_not_changed_is_not_written_again() -> None:
    kept: list[Settings] = []
    liking = SettingsStore(keep=kept.append)

    liking.change(Settings())
    liking.change(Settings(text_size=1.3))

    assert kept == [Settings(text_size=1.3)]


def test_a_battle_begins_at_the_speed_that_is_liked(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    viewer = Viewer(setup, start, story, liking=SettingsStore(Settings(speed=4.0)))

    assert viewer.status().speed == 4.0


def test_what_cannot_be_kept_is_told_and_holds_all_the_same(
    setup: Setup, start: State, story: tuple[Event, ...]
) -> None:
    def keep(settings: Settings) -> None:
        raise FileError("settings.toml: cannot be written: no room")

    viewer = Viewer(setup, start, story, liking=SettingsStore(keep=keep))
    viewer.like(Settings(contrast="high", text_size=1.3))

    told = viewer.status()
    assert told.alarm == "settings.toml: cannot be written: no room"
    assert (told.stark, told.text_size) == (True, 1.3)


@pytest.mark.parametrize(("wanted", "shape"), [(True, 1.5), (False, None)])
def test_the_small_map_has_the_fields_shape_where_it_is_wanted(
    setup: Setup, start: State, story: tuple[Event, ...], wanted: bool, shape: float | None
) -> None:
    viewer = Viewer(setup, start, story, liking=SettingsStore(Settings(small_map=wanted)))

    assert viewer.status().small_map == shape

"""The viewer's settings: text size, contrast, colours, speed. No file here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from emlia3d.view.actions.key_map import DEFAULT_KEYS, KeyMap
from emlia3d.view.pace import PACES, Pace

if TYPE_CHECKING:
    from emlia3d.battle.questions.highlights import Highlight

Contrast: TypeAlias = Literal["normal", "high"]
Palette: TypeAlias = Literal["safe", "scenario"]

CONTRASTS: tuple[Contrast, ...] = get_args(Contrast)
TEXT_SIZES = (0.8, 0.9, 1.0, 1.15, 1.3, 1.45, 1.6)
"""Text sizes that keys select, relative to the normal size."""

LEAST_TEXT, MOST_TEXT = TEXT_SIZES[0], TEXT_SIZES[-1]

SMALLEST, LARGEST = (320, 240), (16384, 16384)
"""Sizes of a window, pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of the window.

    text_size : of the usual size, `LEAST_TEXT` to `MOST_TEXT`
    contrast : "high" for opaque panels and bright text
    palette : "safe" replaces colours of sides that some viewers could confuse
        by others; "scenario" keeps them
    speed : of play at the beginning
    small_map : whether the window begins with it
    pace : the part of a battle that is shown at a time
    width, height : of the window when it was last closed, pixels
    full_screen : whether the window fills the screen
    unmarked : kinds of key event that the timeline does not mark
    keys : the keys of all actions; the window does not change them
    """

    text_size: float = 1.0
    contrast: Contrast = "normal"
    palette: Palette = "safe"
    speed: float = 1.0
    small_map: bool = True
    pace: Pace = "unit"
    width: int = 1280
    height: int = 720
    full_screen: bool = False
    unmarked: tuple[Highlight, ...] = ()
    keys: KeyMap = DEFAULT_KEYS

    def larger(self, by: int) -> Settings:
        """Return the settings with text *by* steps larger; smaller for a negative number."""
        order = TEXT_SIZES if by > 0 else TEXT_SIZES[::-1]
        beyond = [size for size in order if (size - self.text_size) * by > 1e-9]
        if not beyond:
            return self
        return replace(self, text_size=beyond[min(abs(by), len(beyond)) - 1])

    def next_pace(self) -> Settings:
        """Return the settings with the next pace."""
        return replace(self, pace=PACES[(PACES.index(self.pace) + 1) % len(PACES)])

    def other_contrast(self) -> Settings:
        """Return the settings with the next contrast."""
        at = CONTRASTS.index(self.contrast)
        return replace(self, contrast=CONTRASTS[(at + 1) % len(CONTRASTS)])


USUAL = Settings()
Keep: TypeAlias = Callable[[Settings], None]


class SettingsStore:
    """The settings of one window, and their store.

    settings : current values; flaw : why stored settings could not be used, in one line
    """

    def __init__(
        self, settings: Settings = USUAL, keep: Keep | None = None, flaw: str = ""
    ) -> None:
        """Begin with these; *keep* stores each change and raises Error if it cannot."""
        self.settings = settings
        self.flaw = flaw
        self._keep = keep

    def change(self, settings: Settings) -> None:
        """Use these settings from now on; Error if they cannot be stored."""
        if settings != self.settings:
            self.settings = settings
            if self._keep is not None:
                self._keep(settings)

"""The settings file of the window: its path, reading and writing."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from emlia3d.atomic_write import atomic_write
from emlia3d.battle.files.regular_file import regular
from emlia3d.battle.questions.highlights import HIGHLIGHTS, Highlight
from emlia3d.cli.preferences.key_table import TABLE, read_keys
from emlia3d.cli.preferences.settings_text import text_with
from emlia3d.errors import FileError, ScenarioError, unwritable
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.toml_lines import Document, read_document
from emlia3d.view.pace import Pace
from emlia3d.view.session.playback import SPEEDS
from emlia3d.view.window.settings import (
    LARGEST,
    LEAST_TEXT,
    MOST_TEXT,
    SMALLEST,
    USUAL,
    Contrast,
    Palette,
    Settings,
    SettingsStore,
)

NAME = "settings.toml"
_FOLDERS = {
    ("win32", "settings"): ("APPDATA", "AppData/Roaming"),
    ("win32", "data"): ("LOCALAPPDATA", "AppData/Local"),
    ("", "settings"): ("XDG_CONFIG_HOME", ".config"),
    ("", "data"): ("XDG_DATA_HOME", ".local/share"),
}
"""Environment variable and default folder in the home folder, by platform and purpose."""

HEADING = "# The settings of emlia3d's window; docs/files.md explains each.\n"


def _a_speed(given: float) -> float:
    if given not in SPEEDS:
        known = ", ".join(f"{speed:g}" for speed in SPEEDS)
        raise ValueError(f"speed: expected one of {known}, got {given:g}")
    return given


class _SettingsTable(StrictModel):
    text_size: float = Field(
        default=USUAL.text_size, ge=LEAST_TEXT, le=MOST_TEXT,
        description=f"a number from {LEAST_TEXT} to {MOST_TEXT}",
    )  # fmt: skip
    contrast: Contrast = Field(default=USUAL.contrast, description='"normal" or "high"')
    palette: Palette = Field(default=USUAL.palette, description='"safe" or "scenario"')
    speed: Annotated[float, AfterValidator(_a_speed)] = Field(
        default=USUAL.speed, description="a number"
    )
    small_map: bool = Field(default=USUAL.small_map, description="true or false")
    unmarked: tuple[Highlight, ...] = Field(
        default=USUAL.unmarked,
        strict=False,
        description=f"a list of kinds of {', '.join(HIGHLIGHTS)}",
    )
    pace: Pace = Field(default=USUAL.pace, description='"unit", "phase" or "turn"')
    width: int = Field(
        default=USUAL.width, ge=SMALLEST[0], le=LARGEST[0],
        description=f"a number of pixels from {SMALLEST[0]} to {LARGEST[0]}",
    )  # fmt: skip
    height: int = Field(
        default=USUAL.height, ge=SMALLEST[1], le=LARGEST[1],
        description=f"a number of pixels from {SMALLEST[1]} to {LARGEST[1]}",
    )  # fmt: skip
    full_screen: bool = Field(default=USUAL.full_screen, description="true or false")
    keys: dict[str, Any] = Field(default={}, description="a table [keys]")


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings from the file.

    place : path of their file, existing or not; diagnostics : errors of an unused file, one a line
    """

    place: Path
    settings: Settings
    diagnostics: tuple[str, ...] = ()


def place(environment: Mapping[str, str] = os.environ, platform: str | None = None) -> Path:
    """Return the path of the settings file, in the platform's folder for settings."""
    return users_folder("settings", environment, platform) / NAME


def users_folder(
    purpose: Literal["settings", "data"],
    environment: Mapping[str, str] = os.environ,
    platform: str | None = None,
) -> Path:
    """Return this program's folder in the platform's folder for a user's settings or data.

    platform : as `sys.platform`, which is the default
    """
    platform = platform or sys.platform
    home = Path(environment.get("HOME") or environment.get("USERPROFILE") or Path.home())
    if platform == "darwin":
        return home / "Library" / "Application Support" / "emlia3d"
    variable, usual = _FOLDERS["win32" if platform == "win32" else "", purpose]
    return (_absolute(environment, variable) or home / usual) / "emlia3d"


def read(file: Path) -> LoadedSettings:
    """Return the settings in a file; the defaults if it is missing or unusable."""
    try:
        document = _document(file)
        return LoadedSettings(file, USUAL if document is None else _settings_in(document))
    except ScenarioError as flaw:
        return LoadedSettings(
            file, USUAL, tuple(str(diagnostic) for diagnostic in flaw.diagnostics)
        )
    except FileError as flaw:
        return LoadedSettings(file, USUAL, (str(flaw),))


def _document(file: Path) -> Document | None:
    """Return the text of a file and its data; None if missing; raise FileError if unusable."""
    try:
        text = regular(file).read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise FileError(f"{file}: this is not UTF-8 text") from None
    except OSError as flaw:
        raise FileError(f"{file}: cannot be read: {flaw.strerror}") from None
    return read_document(str(file), text)


def _settings_in(document: Document) -> Settings:
    """Return the settings of a document; raise ScenarioError with all its errors."""
    collector = ErrorCollector(document)
    table = collector.table(_SettingsTable, ())
    keys = read_keys(collector)
    collector.settle()
    assert table is not None, "a collector without errors has read its table"
    return Settings(**{**table.model_dump(), "keys": keys})


def liking(kept: LoadedSettings, liked: Settings) -> SettingsStore:
    """Return the initial settings of a window, and a function that stores changes.

    A file with errors is never overwritten.
    """
    if kept.diagnostics:
        return SettingsStore(
            liked, flaw=f"{kept.diagnostics[0]}; the default settings apply, and none is saved"
        )

    def keep(changed: Settings) -> None:
        try:
            write(kept.place, changed)
        except ScenarioError as flaw:
            raise FileError(f"{flaw.diagnostics[0]}; no setting is saved") from None
        except OSError as flaw:
            raise FileError(unwritable(kept.place, flaw)) from None

    return SettingsStore(liked, keep)


def write(file: Path, settings: Settings) -> None:
    """Save settings in an atomic write.

    Only changed values are written. The table of keys, comments and other lines stay.

    Raises
    ------
    FileError
        If the file has an error.
    OSError
        If it cannot be written.
    """
    document = _document(file)
    values = _values(settings)
    if document is None:
        text = "".join((HEADING, *(f"{name} = {value}\n" for name, value in values.items())))
    else:
        before = _values(_settings_in(document))
        changed = {name: value for name, value in values.items() if value != before[name]}
        text = text_with(document, changed)
    file.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(file) as fresh:
        fresh.write_text(text, "utf-8")


def _values(settings: Settings) -> dict[str, str]:
    """Return all settings except the keys, in TOML."""
    names = (each.name for each in fields(settings) if each.name != TABLE)
    return {name: _value_text(getattr(settings, name)) for name in names}


def _absolute(environment: Mapping[str, str], name: str) -> Path | None:
    """Return an absolute folder from the environment; None for other values."""
    found = environment.get(name, "")
    return Path(found) if Path(found).is_absolute() else None


def _value_text(value: str | float | bool | tuple[str, ...]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value_text, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) else f"{value:g}"

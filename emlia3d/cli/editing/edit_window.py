"""``emlia3d edit``: edit a scenario in a window, play it, and edit it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from emlia3d.cli import settings
from emlia3d.cli.drawing import has_window
from emlia3d.cli.editing.edited_file import EditedFile
from emlia3d.cli.interrupt import heed
from emlia3d.cli.playing import play_battle
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import DisplayError, Error
from emlia3d.scenario.bundled import path_of
from emlia3d.scenario.editing.new_scenario import new_text, with_sides
from emlia3d.scenario.editing.scenario_editor import ScenarioEditor
from emlia3d.scenario.importing import ImportedField, ground_file, import_field, write_field
from emlia3d.scenario.shelves import scenario_file

NEW = "new.toml"
"""Default file of a new scenario."""

SIZES_M = (2000.0, 1000.0, 500.0, 200.0)
"""Default lengths and widths of a field on real ground, metres, in order of preference."""


def edit_scenario(
    scenario: str | None,
    *,
    dem: Path | None,
    metres: float | None,
    size: tuple[int, int] | None,
    full_screen: bool,
    text_size: float | None,
) -> None:
    """Answer ``emlia3d edit [SCENARIO]``."""
    if not has_window():
        raise DisplayError("no display found; the editor needs a window")
    edited = EditedFile(opened_editor(scenario, dem, metres))
    while (played := _in_window(edited, size, full_screen, text_size)) is not None:
        # The editor opens again afterwards, with its undo history.
        play_battle(
            str(played), seed=None, turns=None, save=None, text=False, text_size=text_size,
            size=size, full_screen=full_screen,
        )  # fmt: skip
    if not edited.is_saved:
        draft = edited.save_draft()
        echo(f"{edited.path}: not saved; the edit is in {draft}")


def opened_editor(
    scenario: str | None, dem: Path | None = None, metres: float | None = None
) -> ScenarioEditor:
    """Return the editor of a scenario; of a new one if the file does not exist.

    dem : a raster of elevations, whose centre is the ground of the new scenario
    metres : length and width of that field; None for the largest of `SIZES_M` that fits

    Raises
    ------
    ScenarioError
        The file cannot be read.
    Error
        With *dem*: the scenario or its ground already exists.
    """
    path = _free_new() if scenario is None else Path(scenario)
    if dem is not None:
        return _on_real_ground(path, dem, SIZES_M if metres is None else (metres,))
    if path.exists() or scenario_file(str(path)) is not None or not path.suffix:
        return ScenarioEditor(path_of(scenario or path))
    check_writable(path, (".toml",), "scenarios")
    return ScenarioEditor(path, text=new_text(path.stem))


def _on_real_ground(path: Path, dem: Path, sizes_m: tuple[float, ...]) -> ScenarioEditor:
    """Write a scenario on the ground of a raster, and return its editor."""
    check_writable(path, (".toml",), "scenarios")
    for each in (path, ground_file(path)):
        if each.exists():
            raise Error(f"{each}: exists; with --dem, name a new scenario")
    found = _field_of(path, dem, sizes_m)
    for note in found.cut.notes:
        echo(f"{dem}: {note}", err=True)
    write_field(found, path)
    return ScenarioEditor(path, text=with_sides(path.read_text(encoding="utf-8")))


def _field_of(path: Path, dem: Path, sizes_m: tuple[float, ...]) -> ImportedField:
    """Return the field at the centre of a raster, with the first size that fits."""
    for number, metres in enumerate(sizes_m, start=1):
        try:
            return import_field(dem, title=path.stem, size_m=(metres, metres))
        except Error as fault:
            if number == len(sizes_m):
                raise Error(str(fault).replace("--size", "--metres")) from None
    raise AssertionError("there is a size")


def _free_new() -> Path:
    path, number = Path(NEW), 1
    while path.exists():
        number += 1
        path = Path(f"{Path(NEW).stem}-{number}.toml")
    return path


def _in_window(
    edited: EditedFile, size: tuple[int, int] | None, full_screen: bool, text_size: float | None
) -> Path | None:
    """Edit in a window until it is closed; return the file to play, if any."""
    from emlia3d.view.panda.edit_app import EditApp  # noqa: PLC0415  loaded to draw only

    kept = settings.read(settings.place())
    for diagnostic in kept.diagnostics:
        echo(diagnostic, err=True)
    liked = kept.settings if text_size is None else replace(kept.settings, text_size=text_size)
    app = EditApp(
        edited,
        liking=settings.liking(kept, liked),
        size=(liked.width, liked.height) if size is None else size,
        full_screen=full_screen or (liked.full_screen and size is None),
    )
    return app.run(heed)

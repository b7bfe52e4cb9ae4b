"""``emlia3d edit`` on a command line: new scenarios, real ground, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.cli.editing import edit_window
from emlia3d.scenario import check, load
from tests.cli.conftest import Run
from tests.cli.editing.edit_hand import inside
from tests.scenario.map_files import hills


@pytest.fixture
def raster(tmp_path: Path) -> Path:
    """An elevation model of 1.2 by 1 km."""
    pytest.importorskip("rasterio")
    hills(tmp_path)
    return tmp_path / "hills.tif"


@pytest.fixture
def closed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that is closed as soon as it has opened."""
    monkeypatch.setattr(edit_window, "has_window", lambda: True)
    monkeypatch.setattr(edit_window, "_in_window", lambda *_: None)


def test_without_a_display_the_editor_is_refused_in_one_line(run: Run) -> None:
    told = run(["edit", "bandits"])

    assert told.status == 1
    assert told.complaints == ["no display found; the editor needs a window"]


@pytest.mark.usefixtures("closed_at_once")
def test_an_unsaved_edit_is_kept_as_a_draft(run: Run, tmp_path: Path) -> None:
    told = run(["edit", "my.toml"])

    assert (told.status, told.err) == (0, "")
    assert told.out == "my.toml: not saved; the edit is in my.draft.toml\n"
    assert check(tmp_path / "my.draft.toml") == ()


@pytest.mark.usefixtures("closed_at_once")
def test_a_scenario_that_is_only_looked_at_is_left_alone(run: Run, tmp_path: Path) -> None:
    assert run(["edit", "bandits"]).out == ""
    assert not {name for name in inside(tmp_path) if name.endswith(".toml")}


@pytest.mark.usefixtures("closed_at_once")
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("title = ", "broken.toml:1: this is not TOML"),
        ("", "broken.toml: the file is empty"),
        ("format = 1\ntitle = 'a'\n", "broken.toml: field is missing"),
    ],
)
def test_a_file_that_cannot_be_shown_is_explained_in_lines(
    run: Run, tmp_path: Path, text: str, complaint: str
) -> None:
    (tmp_path / "broken.toml").write_text(text, "utf-8")

    told = run(["edit", "broken.toml"])

    assert told.status == 2
    assert any(line.startswith(complaint) for line in told.complaints), told.err
    assert "Traceback" not in told.err


@pytest.mark.usefixtures("closed_at_once")
def test_a_new_scenario_in_no_folder_is_refused(run: Run) -> None:
    told = run(["edit", "nowhere/my.toml"])

    assert told.status == 2
    assert len(told.complaints) == 1


@pytest.mark.usefixtures("closed_at_once")
def test_a_new_scenario_takes_the_middle_of_real_ground(
    run: Run, tmp_path: Path, raster: Path
) -> None:
    told = run(["edit", "valley.toml", "--dem", raster])

    assert told.status == 0
    scenario = load(tmp_path / "valley.draft.toml")
    assert scenario.setup.field.size == (500, 500)
    assert [side.name for side in scenario.setup.sides] == ["South", "North"]
    assert (tmp_path / "valley-ground.tif").exists()

    again = run(["edit", "valley.toml", "--dem", raster])
    assert again.status == 2
    assert again.complaints == ["valley.toml: exists; with --dem, name a new scenario"]


@pytest.mark.usefixtures("closed_at_once")
def test_a_field_that_the_raster_does_not_hold_is_refused(run: Run, raster: Path) -> None:
    told = run(["edit", "valley.toml", "--dem", raster, "--metres", "5000"])

    assert told.status == 2
    assert "--metres: expected at most 1200x1000 metres" in told.err

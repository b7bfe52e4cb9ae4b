"""The settings' file: where it lies, how it is read, and that it is whole at any moment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from emlia3d.cli.settings import liking, place, read, write
from emlia3d.errors import FileError
from emlia3d.view.window.settings import Settings

HOME = str(Path("/home/somebody").absolute())
ODD = Settings(
    text_size=1.45,
    contrast="high",
    palette="scenario",
    speed=8.0,
    small_map=False,
    width=1920,
    height=1080,
    full_screen=True,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_it_lies_where_each_platform_keeps_settings() -> None:
    known = {"HOME": HOME}
    config, roaming = str(Path("/elsewhere").absolute()), str(Path("/roaming").absolute())

    assert place(known, "linux") == Path(HOME, ".config/emlia3d/settings.toml")
    assert place({**known, "XDG_CONFIG_HOME": config}, "linux") == Path(
        config, "emlia3d/settings.toml"
    )
    assert place(known, "darwin") == Path(HOME, "Library/Application Support/emlia3d/settings.toml")
    assert place({**known, "APPDATA": roaming}, "win32") == Path(roaming, "emlia3d/settings.toml")
    assert place({"USERPROFILE": HOME}, "win32") == Path(
        HOME, "AppData/Roaming/emlia3d/settings.toml"
    )


def test_a_place_that_is_not_absolute_does_not_count() -> None:
    assert place({"HOME": HOME, "XDG_CONFIG_HOME": "here"}, "linux") == place(
        {"HOME": HOME}, "linux"
    )


def test_without_a_file_all_is_as_usual(file: Path) -> None:
    kept = read(file)

    assert (kept.settings, kept.diagnostics) == (Settings(), ())


def test_what_is_written_is_read_again(file: Path) -> None:
    write(file, ODD)

    assert read(file).settings == ODD


def test_a_file_that_names_some_leaves_the_others_as_usual(file: Path) -> None:
    file.write_text("# mine\ntext_size = 1\nspeed = 2\n")

    kept = read(file)

    assert kept.diagnostics == ()
    assert kept.settings == Settings(speed=2.0)


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ("text_size = 3\n", 1, "0.8 to 1.6, got 3"),
        ("\ntext_size = true\n", 2, "0.8 to 1.6, got true"),
        ("speed = 3\n", 1, "0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, got 3"),
        ('contrast = "loud"\n', 1, "contrast"),
        ('speed = 2\npalette = "grey"\n', 2, "palette"),
        ("small_map = 1\n", 1, "true or false, got 1"),
        ("text_sise = 1.3\n", 1, "text_sise"),
        ("[window]\nspeed = 2\n", 1, "window"),
        ("speed = \n", 1, "TOML"),
    ],
)
def test_a_mistake_is_one_line_with_its_place_and_nothing_of_the_file_is_used(
    file: Path, text: str, line: int, told: str
) -> None:
    file.write_text(text)

    kept = read(file)

    (diagnostic,) = kept.diagnostics
    assert diagnostic.startswith(f"{file}:{line}: ")
    assert told in diagnostic
    assert kept.settings == Settings()


def test_a_file_that_is_no_text_is_told_of(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00")

    assert read(file).diagnostics == (f"{file}: this is not UTF-8 text",)


def test_a_folder_in_its_place_is_told_of(tmp_path: Path) -> None:
    (diagnostic,) = read(tmp_path).diagnostics

    assert diagnostic.startswith(f"{tmp_path}: cannot be read: ")


@pytest.mark.skipif(os.name != "posix", reason="a device stands under a name of its own")
def test_a_device_in_its_place_is_told_of() -> None:
    (diagnostic,) = read(Path(os.devnull)).diagnostics

    assert diagnostic == f"{os.devnull}: cannot be read: this is not a regular file"


def test_a_change_in_the_window_is_kept_in_a_folder_that_is_made_for_it(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "er" / "settings.toml"
    kept = read(file)

    liking(kept, kept.settings).change(ODD)

    assert read(file).settings == ODD
    assert [each.name for each in file.parent.iterdir()] == ["settings.toml"]


def test_a_file_that_somebody_has_to_mend_is_never_written_over(file: Path) -> None:
    file.write_text("speed = 3\n")
    kept = read(file)
    window = liking(kept, kept.settings)

    window.change(ODD)

    assert window.flaw.startswith(f"{file}:1: ")
    assert file.read_text() == "speed = 3\n"


def test_where_nothing_can_be_written_one_line_says_so(tmp_path: Path) -> None:
    file = tmp_path / "emlia3d" / "settings.toml"
    kept = read(file)
    file.parent.write_text("a file where the folder should be")

    with pytest.raises(FileError, match=r"settings\.toml: cannot be written: "):
        liking(kept, ODD).change(Settings())


def test_the_doctor_says_where_it_lies_and_what_is_wrong_with_it(run, tmp_path: Path) -> None:
    file = tmp_path / "config" / "emlia3d" / "settings.toml"

    before = run(["doctor"]).out
    write(file, ODD)
    there = run(["doctor"]).out
    file.write_text("speed = 3\n")
    wrong = run(["doctor"])

    assert f"{file} (missing: defaults apply)" in before
    assert f"settings  {file}\n" in there
    assert f"settings  {file}:1: speed: expected one of" in wrong.out
    assert wrong.status == 0


def test_kinds_of_key_event_are_kept_and_unknown_ones_are_errors(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"

    write(file, Settings(unmarked=("volley", "push"), pace="turn"))
    kept = read(file)
    file.write_text('unmarked = ["volleys"]\n')
    wrong = read(file)

    assert kept.settings == Settings(unmarked=("volley", "push"), pace="turn")
    assert "unmarked" in wrong.diagnostics[0]

"""Keys in the settings: read, wrong in many ways, and left alone when the window writes."""

from __future__ import annotations

import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from emlia3d.cli.settings import liking, read, write
from emlia3d.errors import FileError
from emlia3d.view.actions.key_map import KeyMap
from emlia3d.view.actions.key_names import KEYS
from emlia3d.view.actions.window_actions import ACTIONS
from emlia3d.view.window.settings import Settings

PAGE = Path(__file__).parents[3] / "docs" / "files.md"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


def test_an_action_has_the_key_or_the_keys_that_it_is_given(file: Path) -> None:
    file.write_text(
        'speed = 2\n[keys]\nopen = "ctrl+p"\nsight = ["F8", "Ctrl+V", "f8"]\nfollow_unit = []\n'
        'latest = "Page Down"\nturn_forward = "End"\n'
    )

    kept = read(file)

    assert kept.diagnostics == ()
    assert kept.settings == Settings(
        speed=2.0,
        keys=KeyMap(
            (
                ("open", ("ctrl+p",)),
                ("sight", ("f8", "ctrl+v")),
                ("follow_unit", ()),
                ("latest", ("page_down",)),
                ("turn_forward", ("end",)),
            )
        ),
    )


def test_the_example_of_the_page_is_right(file: Path) -> None:
    (text,) = re.findall(r"^```toml\n(\[keys\].*?)```$", PAGE.read_text("utf-8"), re.S | re.M)
    file.write_text(text)

    kept = read(file)

    assert kept.diagnostics == ()
    assert kept.settings.keys.keys("open") == ("ctrl+p",)


@pytest.mark.parametrize(
    ("text", "line", "told"),
    [
        ('opem = "6"', 2, "there is no action opem; did you mean open?"),
        ('zzzz = "6"', 2, "there is no action zzzz; there are "),
        ('open = "page_dwn"', 2, 'open: unknown key "page_dwn"; did you mean page_down?'),
        ('open = [\n "6",\n "Ctrl+Insrt",\n]', 4, "did you mean ctrl+insert?"),
        ('open = "ö"', 2, 'open: unknown key "ö"; a key is a letter, '),
        ('open = ""', 2, 'open: unknown key ""; a key is a letter, '),
        ("open = 6", 2, 'open: expected a key such as "ctrl+o", or a list of keys, got 6'),
        ("open = [6]", 2, 'open: expected a key such as "ctrl+o", or a list of keys, got [6]'),
        ('[keys.open]\nkey = "6"', 2, "open: expected a key"),
        ('open = "h"', 2, 'open: "h" is also a key of "overview"; give one of them another key'),
        ('exchange = "space"', 2, 'exchange: "space" is also a key of "play"'),
        ('open = "ctrl+p"\nsave_as = ["ctrl+s", "ctrl+p"]', 3, 'is also a key of "open"'),
        ('\ngive = "4"', 3, 'give: "4" chooses an order; give it another key'),
    ],
)
def test_an_error_in_it_is_one_line_with_its_place(
    file: Path, text: str, line: int, told: str
) -> None:
    file.write_text(f"[keys]\n{text}\n", encoding="utf-8")

    kept = read(file)

    assert f"{file}:{line}: " in kept.diagnostics[0]
    assert told in kept.diagnostics[0]
    assert kept.settings == Settings()


def test_all_errors_are_reported_in_the_order_of_lines(file: Path) -> None:
    file.write_text('keys = { opem = "6", open = "xyz" }\nspeed = 3\nkees = 1\n')
    places = [diagnostic.split(": ")[0] for diagnostic in read(file).diagnostics]
    file.write_text("keys = 3\n")
    (wrong,) = read(file).diagnostics

    assert places == [f"{file}:{line}" for line in (1, 1, 2, 3)]
    assert wrong == f"{file}:1: keys: expected a table [keys], got 3"


@given(
    st.dictionaries(
        st.sampled_from([*ACTIONS]) | st.text(max_size=9),
        st.recursive(
            st.sampled_from([*KEYS]) | st.text(max_size=9) | st.integers() | st.booleans(),
            lambda values: st.lists(values, max_size=3),
            max_leaves=4,
        ),
        max_size=4,
    )
)
def test_any_table_gives_keys_or_errors_of_one_line(table: dict[str, object]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "settings.toml")
        lines = (f"{json.dumps(name)} = {json.dumps(value)}\n" for name, value in table.items())
        # JSON escapes letters beyond 16 bits in two parts, and DEL not at all, unlike TOML.
        text = "".join(lines)
        assume("\\ud" not in text and "\x7f" not in text)
        file.write_text(f"[keys]\n{text}", encoding="utf-8")

        kept = read(file)

    assert [
        diagnostic for diagnostic in kept.diagnostics if len(diagnostic.splitlines()) != 1
    ] == []
    assert kept.diagnostics or not [*kept.settings.keys.shared()]
    assert all(name in ACTIONS for name, _ in kept.settings.keys.chosen)


def test_the_window_keeps_keys_and_comments_when_it_writes(file: Path) -> None:
    text = '# mine\nspeed = 2  # not too fast\n\n# keys of my own\n[keys]\nopen = "ctrl+p"\n'
    file.write_text(text)
    kept = read(file)

    liking(kept, kept.settings).change(Settings(speed=8.0, small_map=False))

    assert file.read_text() == (
        '# mine\nspeed = 8  # not too fast\nsmall_map = false\n\n'
        '# keys of my own\n[keys]\nopen = "ctrl+p"\n'
    )  # fmt: skip


def test_keys_of_the_window_are_not_written(file: Path) -> None:
    write(file, Settings(keys=KeyMap((("open", ("ctrl+p",)),))))

    assert "keys" not in file.read_text()
    assert read(file).settings == Settings()


def test_a_file_that_has_become_wrong_since_is_not_written_over(file: Path) -> None:
    file.write_text("speed = 2\n")
    kept = read(file)
    file.write_text('[keys]\nopen = "xyz"\n')

    with pytest.raises(FileError, match=r"settings\.toml:2: open: unknown key .*is saved$"):
        liking(kept, kept.settings).change(Settings(speed=4.0))

    assert file.read_text() == '[keys]\nopen = "xyz"\n'

"""A change of settings leaves the rest of their file alone."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.cli.preferences.settings_text import text_with
from emlia3d.scenario.toml_lines import read_document

OTHERS = (
    "# a comment",
    "",
    'size = "#2"  # of what',
    'many = [  # several\n  "one", # 1\n  "two",\n]',
    'path.to = """\n# no comment\n[no table]\n"""',
    'table = { x = 1, y = "[z]" }',
)
OURS = ("speed = 2 # fast", '"speed"=2', "  speed =\t2", "speed = 2")
TABLES = ("# of keys\n[keys]", '[keys]\nopen = "6" # open\nspeed = 9', "[[row]]\nspeed = 1")


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", "speed = 4\n"),
        ("speed = 2", "speed = 4\n"),
        ("speed = 2   # my speed\nwidth = 3\n", "speed = 4  # my speed\nwidth = 3\n"),
        ('width = 3\n[keys]\nopen = "6"\n', 'width = 3\nspeed = 4\n[keys]\nopen = "6"\n'),
        ("# mine\n\n# keys\n[keys]\n", "# mine\nspeed = 4\n\n# keys\n[keys]\n"),
        ("# keys\n[keys]\n", "speed = 4\n# keys\n[keys]\n"),
        ("speed = [\n  1, # one\n]\n# end\n", "speed = 4\n# end\n"),
        ('speed = "a#b" # c#d\n', "speed = 4  # c#d\n"),
    ],
)
def test_a_value_is_changed_where_it_stands_and_another_comes_after_the_last(
    text: str, changed: str
) -> None:
    assert text_with(read_document("s", text), {"speed": "4"}) == changed


@given(
    st.permutations(OTHERS),
    st.integers(0, len(OTHERS)),
    st.sampled_from((None, *OURS)),
    st.lists(st.sampled_from(TABLES), unique=True, max_size=1),
)
def test_nothing_else_of_a_file_changes(
    others: list[str], before: int, ours: str | None, tables: list[str]
) -> None:
    here = [] if ours is None else [ours]
    text = "\n".join([*others[:before], *here, *others[before:], *tables, ""])

    changed = text_with(read_document("s", text), {"speed": "4", "new": '"x"'})

    assert tomllib.loads(changed) == {**tomllib.loads(text), "speed": 4, "new": "x"}
    mine = {"speed = 4", "speed = 4  # fast", 'new = "x"'}
    rest = [line for line in changed.splitlines() if line not in mine]
    assert [line for line in rest if line] == [
        line for line in text.splitlines() if line and line not in OURS
    ]

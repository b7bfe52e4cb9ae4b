"""Every key of generated TOML is found on the line that it was written on."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.errors import ScenarioError
from emlia3d.scenario.toml_lines import read_document

SCALARS = st.sampled_from(
    ["1", "-0.5", "true", '"a # b = c"', "'[[x]]'", '"q\\"="', "1979-05-27 07:32:01", "0xff"]
)
LONG = st.sampled_from(['"""\nk0 = 1\n[k1]\n"""', "'''k2 = '\n''\n'''", '"""a\\""\n""""'])
LISTS = st.sampled_from(["[]", "[1, 2]", "[\n  1, # k3 = 4\n\n  [2, 'x]'],\n]", '["]", "a,b"]'])
INLINE = st.sampled_from(["{}", "{ @ = 1 }", "{ @.@ = 'x}', @ = [1,\n 2] }"])
VALUES = st.one_of(SCALARS, LONG, LISTS, INLINE)
NOISE = st.sampled_from(["", "\n", "# k0 = 1\n", "\n  # [k1]\n\t\n"])
KEYS = st.sampled_from(["@", '"@"', "'@'", "@.@", "@ . '@'"])
HEADERS = st.sampled_from(["[@]", "[[@]]", "[ @ . @ ]", "[[ @.@ ]]", "[^.@]", "[[^.@]]"])


@st.composite
def documents(draw: st.DrawFn) -> str:
    """TOML in which every key stands once; @ becomes a fresh key, ^ the latest header's first."""
    parts = [draw(NOISE)]
    for _ in range(draw(st.integers(1, 8))):
        if draw(st.booleans()):
            parts.append(draw(HEADERS) + "  # a table\n")
        else:
            parts.append(f"{draw(KEYS)} = {draw(VALUES)}\n")
        parts.append(draw(NOISE))
    fresh = (f"key{number}" for number in itertools.count())
    text, first = "", ""
    for part in parts:
        for letter in part:
            if letter == "@":
                text += (latest := next(fresh))
                if part.startswith("[") and "^" not in part and "." not in part:
                    first = latest
            elif letter == "^":
                text += first or next(fresh)
            else:
                text += letter
    return text


def keys_in(data: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in items:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from keys_in(value, (*path, key))


@given(documents())
def test_the_line_of_a_key_holds_that_key(text: str) -> None:
    document = read_document("a.toml", text)
    rows = text.split("\n")

    for path in keys_in(document.data):
        line = document.lines[path]
        key = path[-1]
        if isinstance(key, str):
            written = rows[line - 1].split("#")[0] if "#" in rows[line - 1] else rows[line - 1]
            assert key in written, (path, line)
    assert set(document.lines) == set(keys_in(document.data))


def test_items_of_lists_and_tables_have_lines_of_their_own() -> None:
    text = 'a = [1,\n 2]\n[[u]]\nn = """\nx\n"""\n[[u]]\n"n" = { b = 1 }\n'

    document = read_document("a.toml", text)

    assert document.lines[("a", 1)] == 2
    assert document.lines[("u", 0)] == 3
    assert document.lines[("u", 1)] == 7
    assert document.lines[("u", 1, "n", "b")] == 8


def test_what_is_not_there_stands_where_its_table_does() -> None:
    document = read_document("a.toml", "x = 1\n\n[[u]]\nn = 1\n")

    assert document.line_of(("u", 0, "at", 1)) == 3
    assert document.line_of(("nothing",)) is None


def test_lines_are_counted_alike_with_either_line_end() -> None:
    assert read_document("a", "a = 1\r\n\r\nb = 2\r\n").lines[("b",)] == 3


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \n", 2),
        ("a = 1\na = 2\n", 2),
        ("a = 1\n\nb = [1,\n", 3),
        ('a = "\n', 1),
        ("[" * 5000, 1),
        ("x = 1\na = " + "9" * 5000, 2),
        ("a = " + "[" * 20000 + "]" * 20000, None),
        ("[" + ".".join("a" * 300) + "]", None),
    ],
)
def test_text_that_is_not_toml_is_one_mistake_with_its_line(text: str, line: int | None) -> None:
    with pytest.raises(ScenarioError) as caught:
        read_document("bad.toml", text)

    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.file, diagnostic.line) == ("bad.toml", line)
    assert "\n" not in str(diagnostic)

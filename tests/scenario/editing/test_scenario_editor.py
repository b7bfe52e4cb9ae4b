"""Edits of scenarios as text: all bundled ones, and what each edit leaves untouched."""

from __future__ import annotations

import importlib
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from emlia3d.errors import Error, MissingExtraError
from emlia3d.scenario import check, load
from emlia3d.scenario.bundled import path_of
from emlia3d.scenario.editing.relief_brush import raised
from emlia3d.scenario.editing.scenario_editor import KINDS, ScenarioEditor
from emlia3d.scenario.editing.table_text import TableText, changed, copied, deleted, inserted
from emlia3d.scenario.shelves import scenario_files
from tests.scenario.editing.text_lines import comments, is_part_of

NAMES = sorted(scenario_files())
TEXTS = {name: path_of(name).read_text(encoding="utf-8") for name in NAMES}


def rows(text: str) -> list[tuple[str, int]]:
    tables = TableText(text)
    return [(kind, row) for kind in KINDS for row in range(tables.count((kind,)))]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bandits.toml").write_text(TEXTS["bandits"], encoding="utf-8")
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_change_of_any_table_keeps_every_other_line(name: str) -> None:
    text = TEXTS[name]
    for kind, row in rows(text):
        after = changed(text, (kind, row), {"name": "another", "turns": 7})

        before = tomllib.loads(text)
        before[kind][row] |= {"name": "another", "turns": 7}
        assert tomllib.loads(after) == before
        first, end = TableText(text).own_lines((kind, row))
        lines, more = text.split("\n"), after.split("\n")
        assert more[:first] == lines[:first]
        assert more[len(more) - (len(lines) - end) :] == lines[end:]
        assert is_part_of(comments(text), comments(after))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_deleted_table_is_gone_and_no_comment_outside_it(name: str) -> None:
    text = TEXTS[name]
    for kind, row in rows(text):
        after = deleted(text, (kind, row))

        before = tomllib.loads(text)
        del before[kind][row]
        if not before[kind]:
            del before[kind]
        assert tomllib.loads(after) == before
        first, end = TableText(text).all_lines((kind, row))
        lines = text.split("\n")
        outside = comments("\n".join([*lines[:first], *lines[end:]]))
        assert comments(after) == outside
        assert is_part_of(after.split("\n"), lines)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_copy_stands_below_its_original(name: str) -> None:
    text = TEXTS[name]
    for kind, row in rows(text):
        after = copied(text, (kind, row), {"name": "another"})

        before = tomllib.loads(text)
        before[kind].insert(row + 1, before[kind][row] | {"name": "another"})
        assert tomllib.loads(after) == before
        assert is_part_of(text.split("\n"), after.split("\n"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_new_table_is_the_last_of_its_kind(name: str, kind: str) -> None:
    text = TEXTS[name]
    values = {"name": 'a "name"', "circle": [1.0, 2.5, 3], "row": {"count": 2, "step": 1.5}}

    after = inserted(text, (kind,), values)

    before = tomllib.loads(text)
    before.setdefault(kind, []).append(values)
    assert tomllib.loads(after) == before
    assert is_part_of(text.split("\n"), after.split("\n"))


def test_comments_inside_a_list_stay_when_it_is_reshaped() -> None:
    text = "[[terrain]]\noutline = [\n  [0, 0],  # the ford\n  [4, 0],\n  [4, 4],\n]  # all\n"

    after = changed(text, ("terrain", 0), {"outline": [[0, 0], [5.004, 0], [4, 4], [0, 4]]})

    assert tomllib.loads(after)["terrain"][0]["outline"] == [[0, 0], [5, 0], [4, 4], [0, 4]]
    assert "[0, 0],  # the ford\n" in after
    assert "# all" in after


def test_a_header_inside_a_string_is_no_table() -> None:
    text = 'title = """\n[[unit]]\n"""\n\n[[unit]]\nname = "a"\n'

    after = deleted(text, ("unit", 0))

    assert tomllib.loads(after) == {"title": "[[unit]]\n"}


def test_tables_that_are_one_value_are_refused_in_one_line() -> None:
    with pytest.raises(Error, match=r"no table \[unit\] with a header of its own"):
        deleted('unit = [{name = "a"}]\n', ("unit", 0))


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_generated_ground_rises_where_the_brush_is(name: str, tmp_path: Path) -> None:
    text = TEXTS[name]
    field = tomllib.loads(text)["field"]
    size = field["size"]
    at = (size[0] / 2, size[1] / 2)
    if "ground" in field:
        with pytest.raises(Error, match="this ground is from a file"):
            raised(text, at, 20, 5)
        return

    radius = min(20, min(size) / 3)
    once = raised(text, at, radius, 5)
    twice = raised(once, at, radius, 2)

    low, high = load(name).setup.field.ground, _loaded(twice, tmp_path).ground
    # A level field has few cells, all of one height.
    same = low.elevation_m.shape == high.elevation_m.shape
    rise = high.elevation_m - (low.elevation_m if same else low.elevation_m[0, 0])
    assert same or low.elevation_m.min() == low.elevation_m.max()
    # The top of a hill may lie between the places of which the height is kept.
    assert rise.max() == pytest.approx(7, abs=max(1, 7 * high.cell / radius))
    assert rise.min() == pytest.approx(0, abs=0.01)
    assert tomllib.loads(twice)["field"]["relief"]["parts"][-1]["hills"][-1][3] == 7
    assert is_part_of(comments(text), comments(twice))


def _loaded(text: str, folder: Path):
    (folder / "raised.toml").write_text(text, encoding="utf-8")
    return load(folder / "raised.toml").setup.field


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["change", "copy", "delete", "add", "raise", "undo", "redo"]),
        st.sampled_from(KINDS),
        st.integers(0, 1000),
        st.floats(-1000, 1000),
    ),
    max_size=12,
)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), EDITS)
def test_undo_after_any_edits_gives_the_first_text(
    name: str, edits: list[tuple[str, str, int, float]]
) -> None:
    editor = ScenarioEditor(name)
    for what, kind, number, value in edits:
        rows = editor.count(kind)
        if what == "add":
            assert editor.add(kind, {"name": "new", "at": [value, 0]}) == rows
        elif what == "raise" and "ground" not in tomllib.loads(editor.text)["field"]:
            editor.raise_ground((value, value), 10, 3)
        elif what in {"undo", "redo"}:
            getattr(editor, what)()
        elif rows and what == "change":
            editor.change(kind, number % rows, {"at": [value, value]})
        elif rows and what == "copy":
            editor.copy(kind, number % rows, {"at": [value, 1]})
        elif rows and what == "delete":
            editor.delete(kind, number % rows)
        tomllib.loads(editor.text)
    last = editor.text

    steps = 0
    while editor.undo():
        steps += 1
    assert editor.text == TEXTS[name]
    for _ in range(steps):
        assert editor.redo()
    assert editor.text == last


def test_a_unit_is_placed_moved_turned_copied_and_saved(folder: Path) -> None:
    editor = ScenarioEditor(folder / "bandits.toml")

    new = editor.place_unit(
        "raiders", "Bandits", "emlia/bandits", (30, 70), 180, members=10, morale=6
    )
    editor.move_unit(new, (60, 60.126))
    editor.turn_unit(new, -90)
    twin = editor.copy("unit", new, {"at": [100, 30]})
    path = editor.save()

    units = {unit.name for unit in load(path).setup.units}
    assert editor.table("unit", new)["at"] == [60, 60.13]
    assert editor.table("unit", new)["facing"] == 270
    assert editor.table("unit", twin)["name"] == "raiders 3"
    assert {"raiders", "raiders 2", "raiders 3"} <= units
    assert editor.is_saved


def test_a_feature_gets_another_kind_of_shape(folder: Path) -> None:
    editor = ScenarioEditor(folder / "bandits.toml")

    editor.shape("terrain", 1, {"path": [[80, 40], [90, 70]], "width": 4})

    assert editor.table("terrain", 1) == {
        "name": "thicket", "kind": "scrub", "path": [[80, 40], [90, 70]], "width": 4,
    }  # fmt: skip
    assert not editor.review().diagnostics


def test_errors_are_those_of_check_and_only_a_draft_is_saved(folder: Path) -> None:
    editor = ScenarioEditor(folder / "bandits.toml")
    editor.delete("unit", 2)

    with pytest.raises(Error, match=r"1 error; it can be saved as a draft: bandits\.draft\.toml"):
        editor.save()
    draft = editor.save_draft()

    found = editor.review().diagnostics
    assert [(one.line, one.message) for one in found] == [
        (one.line, one.message) for one in check(draft)
    ]
    assert "raiders" in found[0].message
    assert (folder / "bandits.toml").read_text(encoding="utf-8") == TEXTS["bandits"]
    assert not editor.is_saved


def test_a_file_that_cannot_be_written_keeps_the_edit(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = ScenarioEditor(folder / "bandits.toml")
    editor.move_unit(0, (61, 2))
    edited = editor.text

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(Error, match=r"bandits\.toml: cannot be written: No space left on device"):
        editor.save()

    assert editor.text == edited
    assert not editor.is_saved
    assert [path.name for path in folder.iterdir()] == ["bandits.toml"]


def test_lines_end_as_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "duel.toml"
    path.write_bytes(TEXTS["duel"].replace("\n", "\r\n").encode())
    editor = ScenarioEditor(path)

    editor.change_heading({"turns": 5})
    editor.save()

    assert path.read_bytes().count(b"\r\n") == path.read_bytes().count(b"\n")
    assert tomllib.loads(path.read_text(encoding="utf-8"))["turns"] == 5


@pytest.mark.parametrize(
    "relief",
    [
        '[field.relief]  # hand-made\nkind = "valley"\ncell = 4\nline = [[0, 0], [40, 40]]\n'
        "depth_m = 3\nwidth = 20\n",
        'relief = {kind = "valley", cell = 4, line = [[0, 0], [40, 40]], '
        "depth_m = 3, width = 20}\n",
        '[field.relief]\ncell = 4\n[[field.relief.parts]]\nkind = "valley"\n'
        "line = [[0, 0], [40, 40]]\ndepth_m = 3\nwidth = 20\n",
    ],
)
def test_a_single_landform_becomes_the_first_part(relief: str) -> None:
    text = f"[field]\nsize = [40, 40]\n{relief}# the end\n"
    landform = {"kind": "valley", "line": [[0, 0], [40, 40]], "depth_m": 3, "width": 20}

    after = raised(text, (20, 20), 10, -2.5)

    assert tomllib.loads(after)["field"]["relief"] == {
        "cell": 4,
        "parts": [landform, {"kind": "hills", "wander": 0, "hills": [[20, 20, 10, -2.5]]}],
    }
    assert "# the end" in after


def test_a_missing_library_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "tomlkit", None)
    monkeypatch.delitem(sys.modules, "emlia3d.scenario.editing.table_text")

    with pytest.raises(MissingExtraError, match=r"pip install 'emlia3d\[edit\]'"):
        importlib.import_module("emlia3d.scenario.editing.table_text")

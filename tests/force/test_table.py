"""Tables: read by everyone, written by one."""

from __future__ import annotations

import numpy as np
import pytest

from emlia3d.force import Column, Table

COLUMNS = (
    Column(table="unit", name="courage", default=5, label="courage"),
    Column(table="unit", name="x", dtype="f8", default=0.5),
    Column(table="unit", name="present", dtype="u1", default=1, words=("no", "yes")),
)


@pytest.fixture
def table() -> Table:
    return Table(COLUMNS, 3)


def test_a_new_table_holds_defaults_of_the_declared_types(table: Table) -> None:
    assert len(table) == 3
    assert [table[column.name].dtype.str[1:] for column in COLUMNS] == ["i8", "f8", "u1"]
    assert table["courage"].tolist() == [5, 5, 5]
    assert table["x"].tolist() == [0.5, 0.5, 0.5]
    assert "courage" in table
    assert "colour" not in table


def test_writing_through_a_readers_column_raises(table: Table) -> None:
    for column in (table["courage"], table.ints("courage"), table.floats("x")):
        with pytest.raises(ValueError, match="read-only"):
            column[0] = 9

    assert table["courage"].tolist() == [5, 5, 5]


def test_a_readers_column_follows_what_is_written_later(table: Table) -> None:
    seen = table["courage"]

    table.writable("courage")[1] = 9

    assert seen.tolist() == [5, 9, 5]
    assert not seen.flags.writeable


def test_cells_are_plain_numbers(table: Table) -> None:
    table.writable("courage")[2] = 7

    assert table.value("courage", 2) == 7
    assert type(table.value("courage", 2)) is int
    assert type(table.value("x", 0)) is float
    assert type(table.integer("present", 0)) is int


def test_a_list_grows_by_rows_with_defaults_for_what_they_do_not_say() -> None:
    rows = Table(COLUMNS, 0)

    rows.append({"courage": 3})
    rows.append({"x": 2.25, "present": 0})

    assert len(rows) == 2
    assert rows["courage"].tolist() == [3, 5]
    assert rows["x"].tolist() == [0.5, 2.25]
    assert rows["present"].tolist() == [1, 0]
    assert rows["present"].dtype == np.uint8
    assert not rows["courage"].flags.writeable


def test_a_list_that_is_cleared_is_empty_and_grows_again() -> None:
    rows = Table(COLUMNS, 0)
    rows.append({"courage": 3})

    rows.clear()

    assert len(rows) == 0
    assert rows["courage"].tolist() == []
    rows.append({"courage": 4})
    assert rows["courage"].tolist() == [4]


def test_replacing_takes_copies_of_all_columns(table: Table) -> None:
    data = {"courage": np.array([1, 2]), "x": np.array([0.0, 1.0]), "present": np.array([0, 1])}

    table.replace(data)
    data["courage"][0] = 99

    assert len(table) == 2
    assert table["courage"].tolist() == [1, 2]
    assert table["present"].dtype == np.uint8


def test_replacing_wants_every_column_and_all_of_one_length(table: Table) -> None:
    courage, x = np.array([1, 2]), np.array([0.0, 1.0])

    with pytest.raises(AssertionError):
        table.replace({"courage": courage, "x": x})
    with pytest.raises(AssertionError):
        table.replace({"courage": courage, "x": x, "present": np.array([1])})

    assert table["courage"].tolist() == [5, 5, 5]


def test_a_copy_goes_its_own_way(table: Table) -> None:
    twin = table.copy()

    table.writable("courage")[0] = 1
    twin.writable("courage")[0] = 2

    assert (table.value("courage", 0), twin.value("courage", 0)) == (1, 2)
    assert len(twin) == 3
    assert not twin["courage"].flags.writeable


def test_a_table_without_columns_keeps_its_rows_when_it_is_copied() -> None:
    assert len(Table((), 4).copy()) == 4


def test_what_was_declared_of_a_column_can_be_asked(table: Table) -> None:
    assert table.declared("present") == COLUMNS[2]
    assert table.declared("colour") is None


def test_a_table_becomes_another_row_by_row_or_as_a_whole(table: Table) -> None:
    other, grown = Table(COLUMNS, 3), Table(COLUMNS, 0)
    other.writable("courage")[:] = (1, 2, 3)
    other.writable("x")[:] = (1.5, 2.5, 3.5)

    table.take(other, np.array([2]))
    grown.become(other, np.array([True, False, True]))

    assert table["courage"].tolist() == [5, 5, 3]
    assert table["x"].tolist() == [0.5, 0.5, 3.5]
    assert (len(grown), grown["courage"].tolist()) == (2, [1, 3])
    grown.writable("courage")[0] = 9
    assert other.value("courage", 0) == 1


def test_a_table_has_another_stamp_when_it_has_been_written(table: Table) -> None:
    other = Table(COLUMNS, 3)
    stamps = [table.stamp, other.stamp]
    for write in (
        lambda: table.writable("courage"),
        lambda: table.take(other),
        lambda: table.append({}),
        lambda: table.become(other),
        lambda: table.replace({column.name: other[column.name] for column in COLUMNS}),
        table.clear,
    ):
        write()
        stamps.append(table.stamp)

    table["courage"].tolist()

    assert len({*stamps}) == len(stamps)
    assert table.stamp == stamps[-1]

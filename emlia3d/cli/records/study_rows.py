"""Detail rows of a study's battles, and the data for its page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from emlia3d.battle.questions.place_counts import PlaceKind, grid_of
from emlia3d.studies.battles.study_result import StudyResult
from emlia3d.studies.battles.tally import Summary, spread

Row = Mapping[str, Any]
BySide = dict[str, list[Summary]]
"""Summaries of values after each turn, by side."""


def kept_rows(folder: Path, name: str, found: StudyResult) -> list[dict[str, Any]]:
    """Return the rows of one kind of table, without duplicate battles."""
    most = max(found.battles["run"].to_pylist(), default=-1)
    seen: set[tuple[Any, ...]] = set()
    rows: list[dict[str, Any]] = []
    for file in sorted(folder.glob(f"{name}-*.parquet")):
        table = pq.read_table(file).to_pylist()
        rows += [row for row in table if row["run"] <= most and battle_of(row) not in seen]
        seen.update(map(battle_of, table))
    return rows


def battle_of(row: Row) -> tuple[Any, ...]:
    """Return the key of a row's battle."""
    return row["variant"], row["run"], row["swapped"]


def strengths(sides: Iterable[str], rows: Sequence[Row]) -> BySide:
    """Return the strengths of the sides after each turn, over all battles."""
    last = max((row["turn"] for row in rows), default=0)
    out = {}
    for side in sides:
        battles: dict[tuple[Any, ...], list[float]] = {}
        for row in rows:
            if row["side"] == side:
                battles.setdefault(battle_of(row), []).append(float(row["members"]))
        whole = [each + [each[-1]] * (last + 1 - len(each)) for each in battles.values()]
        out[side] = [spread(column.tolist()) for column in np.array(whole).T]
    return out


def morales(sides: Iterable[str], rows: Sequence[Row]) -> BySide:
    """Return the mean morale of the sides after each turn, over battles still in progress.

    Empty if the rules have no morale. Before the first turn it can be undefined.
    """
    by_turn: dict[str, dict[int, list[float]]] = {side: {} for side in sides}
    for row in rows:
        if row["morale"] is not None and row["turn"] > 0:
            by_turn[row["side"]].setdefault(row["turn"], []).append(row["morale"])
    return {
        side: [spread(turns[turn]) for turn in sorted(turns)]
        for side, turns in by_turn.items()
        if turns
    }


def places(
    size: tuple[float, float], found: StudyResult, rows: Sequence[Row]
) -> dict[PlaceKind, dict[str, NDArray[np.float64]]]:
    """Return the mean number of figures in each square, north row first, by kind and side.

    size : of the field, GSU
    """
    columns, lines = grid_of(size)
    kinds: tuple[PlaceKind, ...] = get_args(PlaceKind)
    sheets = {kind: {side: np.zeros((lines, columns)) for side in found.sides} for kind in kinds}
    for row in rows:
        sheets[row["kind"]][row["side"]][lines - 1 - row["row"], row["column"]] += row["figures"]
    count = max(found.battles.num_rows, 1)
    return {
        kind: {side: sheet / count for side, sheet in sides.items()}
        for kind, sides in sheets.items()
    }

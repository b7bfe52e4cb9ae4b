"""Further tables of a study, with rows for each unit, turn, side's luck and square of the field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, fields
from typing import Any

from emlia3d.battle.questions.place_counts import PlaceCount
from emlia3d.battle.questions.statistics import SideLuck, SideTurn, UnitStatistics
from emlia3d.errors import MissingExtraError
from emlia3d.studies.battles.contest import Played

try:
    import pyarrow as pa
except ImportError as fault:
    raise MissingExtraError("a study", "study") from fault

ROWS: dict[str, type[UnitStatistics | SideTurn | SideLuck | PlaceCount]] = {
    "units": UnitStatistics,
    "turns": SideTurn,
    "luck": SideLuck,
    "places": PlaceCount,
}
"""The tables by name, each with the class of its rows."""

_TYPES = {
    "int": pa.int32(), "float": pa.float64(), "bool": pa.bool_(), "str": pa.string(),
    "PlaceKind": pa.string(),
}  # fmt: skip


def detail_tables(played: Iterable[Played]) -> Iterator[tuple[str, pa.Table]]:
    """Yield each table of some battles, with its name.

    Each row begins with the battle's `variant`, `run` and `swapped`, followed by the fields
    of its class.
    """
    known = [one for one in played if one.statistics is not None]
    for name, kind in ROWS.items():
        columns = [(each.name, _TYPES[str(each.type).split(" ")[0]]) for each in fields(kind)]
        schema = pa.schema([
            ("variant", pa.int32()), ("run", pa.int32()), ("swapped", pa.bool_()), *columns,
        ])  # fmt: skip
        rows: list[dict[str, Any]] = [
            {**asdict(one.trial), **asdict(row)}
            for one in known
            for row in getattr(one.statistics, name)
        ]
        yield name, pa.Table.from_pylist(rows, schema=schema)

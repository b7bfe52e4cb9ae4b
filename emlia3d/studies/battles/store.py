"""The folder of a study: its design in one file, and result files that are added over time.

``study.json`` contains the design. Each ``battles-*.parquet`` contains finished battles and is an
atomic write, so that a killed study loses only the seconds since the last one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from emlia3d.atomic_write import atomic_write
from emlia3d.battle.files.file_lock import FileLock
from emlia3d.errors import Error, FileError, MissingExtraError
from emlia3d.studies.battles.contest import Played
from emlia3d.studies.battles.design import Trial, Variant
from emlia3d.studies.battles.details import detail_tables

try:
    import pyarrow as pa
    import pyarrow.parquet as pq
except ImportError as fault:
    raise MissingExtraError("a study", "study") from fault

FORMAT = 3
MANIFEST = "study.json"
PARTS = "battles-*.parquet"


class Battles:
    """The table of a study's battles: its columns and rows.

    variants : variants in the order of their numbers
    sides : names of the sides
    """

    def __init__(self, variants: Sequence[Variant], sides: Sequence[str]) -> None:
        self.variants, self.sides = tuple(variants), tuple(sides)
        self.keys = tuple(self.variants[0].settings)
        self.schema = pa.schema(
            [
                ("variant", pa.int32()),
                ("name", pa.string()),
                *((f"value of {key}", pa.string()) for key in self.keys),
                ("run", pa.int32()),
                ("seed", pa.int64()),
                ("swapped", pa.bool_()),
                ("winner", pa.string()),
                ("level", pa.string()),
                ("reason", pa.string()),
                ("turns", pa.int32()),
                *(
                    (f"{what} of {side}", pa.int32())
                    for side in self.sides
                    for what in ("units left", "figures left", "figures lost")
                ),
                ("digest", pa.string()),
                ("seconds", pa.float64()),
            ]
        )

    def table(self, played: Iterable[Played]) -> pa.Table:
        """Return a table with a row for each battle, in their order."""
        return pa.Table.from_pylist([self._row(one) for one in played], schema=self.schema)

    def _row(self, one: Played) -> dict[str, Any]:
        trial, result = one.trial, one.result
        variant = self.variants[trial.variant]
        row = {
            "variant": trial.variant, "name": variant.name, "run": trial.run,
            "seed": result.seed, "swapped": trial.swapped, "winner": result.winner,
            "level": result.level, "reason": one.reason, "turns": result.turns,
            "digest": result.digest, "seconds": one.seconds,
        }  # fmt: skip
        for key, value in variant.settings.items():
            row[f"value of {key}"] = value
        for side in self.sides:
            row[f"units left of {side}"] = one.units_left[side]
            row[f"figures left of {side}"] = one.figures_left[side]
            row[f"figures lost of {side}"] = result.lost[side]
        return row


class Store:
    """The folder of a study, open for more results.

    Parameters
    ----------
    folder
        created with the first results, if it is missing
    manifest
        the design, as JSON values; equal for all results in one folder
    battles
        the columns

    Raises
    ------
    FileError
        The folder cannot be read or written.
    Error
        It contains another study or no study, or another process writes to it.
    """

    def __init__(self, folder: Path, manifest: Mapping[str, Any], battles: Battles) -> None:
        self.folder, self.manifest, self.battles = folder, dict(manifest), battles
        self._lock: FileLock | None = None
        try:
            self._open()
        except Error:
            self.close()
            raise
        except (OSError, ValueError) as fault:
            self.close()
            raise FileError(f"{folder}: {_one_line(fault)}") from None

    def _open(self) -> None:
        """Read the folder, and lock it against other studies."""
        file = self.folder / MANIFEST
        if file.exists():
            if os.access(file, os.W_OK):
                self._lock = FileLock(file)
            _check_same(self.folder, _manifest_in(file), self.manifest)
        elif self.folder.exists() and any(self.folder.iterdir()):
            raise Error(f"{self.folder}: not empty, and not the folder of a study")
        self._parts = sorted(self.folder.glob(PARTS))
        self.table = self._read()

    def check_writable(self) -> None:
        """Raise FileError if results cannot be written here; call it before the first battle."""
        place = self.folder.absolute()
        while not os.path.lexists(place):
            place = place.parent
        if not place.is_dir():
            raise FileError(f"{self.folder}: cannot be written: {place} is not a folder")
        if not os.access(place, os.W_OK | os.X_OK):
            raise FileError(f"{self.folder}: cannot be written: no permission in {place}")

    def add(self, played: Sequence[Played], table: pa.Table) -> None:
        """Write more results to disk.

        table : of the battles, from `Battles.table`
        """
        first = played[0].trial
        ending = f"-{first.run:06d}-{first.variant:05d}-{int(first.swapped)}.parquet"
        try:
            self._begin()
            # Battles are written last, because their file marks all of these as complete.
            for name, each in (*detail_tables(played), ("battles", table)):
                with atomic_write(self.folder / (name + ending)) as fresh:
                    pq.write_table(each, fresh)
        except OSError as fault:
            raise FileError(f"{self.folder}: {_one_line(fault)}") from None

    def _begin(self) -> None:
        """Create the folder and write the design, before the first results."""
        file = self.folder / MANIFEST
        if not file.exists():
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_write(file) as fresh:
                told = json.dumps(self.manifest, ensure_ascii=False, indent=1)
                fresh.write_text(told, encoding="utf-8")
            self._lock = FileLock(file)

    def close(self) -> None:
        """Release the lock of the folder, so that other studies can use it."""
        if self._lock is not None:
            self._lock.close()

    def _read(self) -> pa.Table:
        tables = [pq.read_table(part, schema=self.battles.schema) for part in self._parts]
        return pa.concat_tables([self.battles.schema.empty_table(), *tables])


def in_order(table: pa.Table) -> pa.Table:
    """Return battles by variant, run and swap, without duplicates."""
    keys = ("variant", "run", "swapped")
    table = table.sort_by([(key, "ascending") for key in keys])
    seen: set[tuple[Any, ...]] = set()
    first = []
    for at, row in enumerate(zip(*(table[key].to_pylist() for key in keys), strict=True)):
        if row not in seen:
            seen.add(row)
            first.append(at)
    return table if len(first) == len(table) else table.take(first)


def winners_of(table: pa.Table) -> dict[Trial, str | None]:
    """Return the winner of each battle; None for a draw."""
    columns = (table[name].to_pylist() for name in ("variant", "run", "swapped", "winner"))
    return {
        Trial(variant=variant, run=run, swapped=swapped): winner
        for variant, run, swapped, winner in zip(*columns, strict=True)
    }


def _manifest_in(file: Path) -> Any:
    """Return the contents of a manifest; None if it is not JSON."""
    try:
        return json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return None


def _check_same(folder: Path, old: Any, new: Mapping[str, Any]) -> None:
    """Raise Error if a folder contains a different study."""
    if not isinstance(old, dict) or old.get("format") != FORMAT:
        raise Error(f"{folder / MANIFEST}: not the design of a study that this program reads")
    for key, value in json.loads(json.dumps(new)).items():
        if old.get(key) != value:
            told = f"its {key} is {_short(old.get(key))}, not {_short(value)}"
            raise Error(f"{folder}: holds a study of something else: {told}")


def _short(value: Any) -> str:
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= 60 else f"{words[:57]}..."


def _one_line(fault: Exception) -> str:
    return (getattr(fault, "strerror", None) or str(fault)).splitlines()[0]

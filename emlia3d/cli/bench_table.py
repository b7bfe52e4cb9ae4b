"""Measurements as a table and as a JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import emlia3d
from emlia3d.cli.bench_run import Measure, SkippedSize
from emlia3d.cli.machine import Machine
from emlia3d.studies.growth import exponent


def _series(found: Sequence[Measure]) -> list[tuple[tuple[str, str], list[Measure]]]:
    """Return the measurements of each task on each ground, by size."""
    series: dict[tuple[str, str], list[Measure]] = {}
    for measure in found:
        series.setdefault((measure.task, measure.ground), []).append(measure)
    return list(series.items())


def _growth(found: Sequence[Measure]) -> list[tuple[str, str, float | None]]:
    """Return the scaling exponent of CPU time for each task on each ground."""
    return [
        (*key, exponent([m.figures for m in own], [m.processor for m in own]))
        for key, own in _series(found)
    ]


def seconds_by_size(
    found: Sequence[Measure | SkippedSize],
) -> dict[tuple[str, str], list[tuple[int, float]]]:
    """Return figures and CPU seconds, by task and ground."""
    measures = [one for one in found if isinstance(one, Measure)]
    return {key: [(m.figures, m.processor) for m in own] for key, own in _series(measures)}


def document_of(here: Machine, found: Sequence[Measure | SkippedSize]) -> dict[str, Any]:
    """Return the measurements as plain JSON values."""
    measures = [one for one in found if isinstance(one, Measure)]
    return {
        "program": emlia3d.__version__,
        "machine": here,
        "measures": [asdict(one) for one in measures],
        "growth": [
            {"task": task, "ground": ground, "exponent": _rounded(power)}
            for task, ground, power in _growth(measures)
        ],
        "left_out": [asdict(one) for one in found if isinstance(one, SkippedSize)],
    }


def _rounded(power: float | None) -> float | None:
    return None if power is None else round(power, 3)


_HEADS = ("figures", "work", "time", "processor", "each", "memory", "checksum", "times as fast as")
_WIDTHS = (11, 19, 9, 11, 9, 9, -18, -16)
"""Widths of the columns; negative ones are aligned right."""


def table_lines(here: Machine, found: Sequence[Measure | SkippedSize]) -> Iterator[str]:
    """Yield the table and its notes, line by line."""
    measures = [one for one in found if isinstance(one, Measure)]
    left_out = [one for one in found if isinstance(one, SkippedSize)]
    cores, threads = (_counted(here[key], key[:-1]) for key in ("cores", "threads"))
    yield f"{here['processor']}: {cores}, {threads}; Python {here['python']}, NumPy {here['numpy']}"
    growth = {(task, ground): power for task, ground, power in _growth(measures)}
    for (task, ground), own in _series(measures):
        power = growth[task, ground]
        yield ""
        grows = "" if power is None else f": time grows as figures^{power:.2f}"
        yield f"{task}, {ground} ground{grows}" if ground == "level" else f"{task}, {ground}{grows}"
        yield _line(_HEADS)
        yield from (_line(_row(measure)) for measure in own)
    if left_out:
        yield ""
    for size in left_out:
        where = f"{size.task}, {size.ground}, {size.figures:,} figures"
        yield f"left out: {where}: about {size.forecast:,.0f} s (see --longest)"
    baselines = [baseline for measure in measures for baseline in measure.baselines]
    if missing := dict.fromkeys(one.name for one in baselines if one.ratio is None):
        yield f"not installed: {', '.join(missing)}: pip install 'emlia3d[bench]'"
    if differing := dict.fromkeys(one.name for one in baselines if one.agrees is False):
        yield f"different results: {', '.join(differing)}"


_SECONDS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
# A value that rounds to 1000 of a unit is printed as 1 of the next unit.
_NEARLY = 0.9995


def _counted(count: object, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _row(measure: Measure) -> tuple[str, ...]:
    held = measure.bytes
    return (
        f"{measure.figures:,}",
        f"{measure.count:,} {measure.counted}",
        in_seconds(measure.seconds),
        in_seconds(measure.processor),
        in_seconds(measure.processor / measure.count),
        "" if held is None else _scaled(held, ((1e6, "MB"), (1e3, "kB"), (1.0, "B"))),
        measure.checksum,
        ", ".join(f"{r.name} {_short(r.ratio)}" for r in measure.baselines if r.ratio is not None),
    )


def _line(cells: Sequence[str]) -> str:
    return "".join(
        f"{cell:>{width}}" if width > 0 else f"  {cell:<{-width}}"
        for cell, width in zip(cells, _WIDTHS, strict=True)
    ).rstrip()


def in_seconds(seconds: float) -> str:
    """Return a time to three digits, in s, ms, us or ns."""
    return _scaled(seconds, _SECONDS)


def _scaled(number: float, scales: Sequence[tuple[float, str]]) -> str:
    size, name = next((scale for scale in scales if number >= _NEARLY * scale[0]), scales[-1])
    return f"{_short(number / size)} {name}"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"

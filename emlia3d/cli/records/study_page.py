"""The page of a study: one file that opens from disk, with charts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from emlia3d.atomic_write import atomic_write
from emlia3d.errors import FileError, MissingExtraError, unwritable
from emlia3d.study.battles.estimates import holm, variance_parts
from emlia3d.study.battles.study_run import StudyResult
from emlia3d.study.battles.tally import Summary, score, spread

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 60rem; margin: 2rem auto;
  padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem }
th, td { padding: 0.2rem 0.7rem; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left }
.named th:nth-child(2), .named td:nth-child(2) { text-align: left }
svg { max-width: 100%; height: auto }
p.note { color: #555; font-size: 0.9rem } section { break-inside: avoid }
@media print { body { margin: 0; font-size: 12px } }
"""


def write_page(file: Path, found: StudyResult, folder: Path, scenario: str, seed: int) -> None:
    """Write the page of a study whose results are kept in a folder.

    Raises
    ------
    FileError
        The page cannot be written.
    MissingExtraError
        The optional library for charts is missing.
    """
    html = "".join(_page(found, folder, scenario, seed))
    try:
        with atomic_write(file) as fresh:
            fresh.write_text(html, encoding="utf-8")
    except OSError as fault:
        raise FileError(unwritable(file, fault)) from None


def _page(found: StudyResult, folder: Path, scenario: str, seed: int) -> Iterator[str]:
    try:
        from emlia3d.cli.records import study_charts as charts  # noqa: PLC0415  optional library
    except ImportError as fault:
        raise MissingExtraError("the page of a study", "plots") from fault

    title = f"{scenario}: {_finding(found)}"
    yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
    yield f"<style>{STYLE}</style><h1>{escape(title)}</h1>"
    count = len(found.variants)
    yield (
        f"<p>{found.battles.num_rows:,} battles of {count:,} variant{'' if count == 1 else 's'}; "
        f"study seed {seed}. Intervals are 95% confidence intervals.</p>"
    )
    rates = [(one.name, found.win_rates(number)) for number, one in enumerate(found.variants)]
    yield _section("Win rates", charts.win_rates(rates), "Wilson intervals.")
    if count > 1 and found.variants[0].settings:
        yield _section("Differences between variants", _differences(found), _paired_note(found))
    if len(found.variants[0].settings) > 1:
        yield _section("Influence of each key", *_parts(found))
    turns = _rows(folder, "turns", found)
    yield _section(
        "Strength by turn",
        charts.strengths(_strengths(found, turns)),
        "Median of all battles, with the middle half of them. A battle that is over keeps its "
        "last strength.",
    )
    yield _section("Units", _units(_rows(folder, "units", found)), "Means a battle.")
    yield _section("Luck", *_luck(found, _rows(folder, "luck", found)))
    yield "</html>\n"


def _finding(found: StudyResult) -> str:
    """Return the main result of a study in words."""
    names = [one.name for one in found.variants]
    side = found.sides[0]
    rates = [found.win_rates(number)[side] for number in range(len(names))]
    if len(names) == 1:
        best = max(found.win_rates().items(), key=lambda one: one[1].share)
        return (
            f"{best[0]} won {best[1].share:.0%} of the battles "
            f"({best[1].low:.0%} to {best[1].high:.0%})"
        )
    low, high = min(rate.share for rate in rates), max(rate.share for rate in rates)
    return f"{side} won {low:.0%} to {high:.0%} of the battles, depending on the variant"


def _section(title: str, body: str, note: str) -> str:
    told = f'<p class="note">{escape(note)}</p>' if note else ""
    return f"<section><h2>{escape(title)}</h2>{body}{told}</section>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "") -> str:
    cells = "".join(f"<th>{escape(head)}</th>" for head in heads)
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return f'<table class="{kind}"><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>'


def _paired_note(found: StudyResult) -> str:
    return (
        f"Score of {found.sides[0]} (a win 1, a draw 0.5) less that of "
        f"“{found.variants[0].name}” with the same seeds; intervals by Student's t."
    )


def _differences(found: StudyResult) -> str:
    gaps = [found.difference(found.sides[0], number) for number in range(1, len(found.variants))]
    return _table(
        ("variant", "seeds", "difference", "95% interval"),
        (
            (one.name, f"{gap.count:,}", f"{gap.mean:+.3f}", f"{gap.low:+.3f} to {gap.high:+.3f}")
            for one, gap in zip(found.variants[1:], gaps, strict=True)
        ),
    )


def _parts(found: StudyResult) -> tuple[str, str]:
    """Return the table of the factors' parts in the variance of the score, and a note."""
    scores = [score(winner, found.sides[0]) for winner in found.battles["winner"].to_pylist()]
    keys = list(found.variants[0].settings)
    values = {key: found.battles[f"value of {key}"].to_pylist() for key in keys}
    parts = variance_parts(scores, values)
    table = _table(("key", "part of the variance"), ((key, f"{parts[key]:.1%}") for key in keys))
    return table, f"Main effects on the score of {found.sides[0]}; the rest is dice and interplay."


def _rows(folder: Path, name: str, found: StudyResult) -> list[dict[str, Any]]:
    """Return the rows of one kind of table, each battle's once."""
    files = sorted(folder.glob(f"{name}-*.parquet"))
    runs = found.battles["run"].to_pylist()
    most = max(runs, default=-1)
    seen: set[tuple[Any, ...]] = set()
    rows = []
    for row in pq.read_table(files).to_pylist() if files else []:
        key = (*(row[k] for k in ("variant", "run", "swapped")), row.get("name", row.get("side")))
        key += (row.get("turn"),)
        if row["run"] <= most and key not in seen:
            seen.add(key)
            rows.append(row)
    return rows


def _strengths(found: StudyResult, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Summary]]:
    """Return the strengths of the sides after each turn, over all battles."""
    last = max((row["turn"] for row in rows), default=0)
    out = {}
    for side in found.sides:
        battles: dict[tuple[Any, ...], list[float]] = {}
        for row in rows:
            if row["side"] == side:
                key = (row["variant"], row["run"], row["swapped"])
                battles.setdefault(key, []).append(float(row["members"]))
        whole = [each + [each[-1]] * (last + 1 - len(each)) for each in battles.values()]
        out[side] = [spread(column.tolist()) for column in np.array(whole).T]
    return out


def _units(rows: Sequence[Mapping[str, Any]]) -> str:
    units: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        units.setdefault((row["side"], row["name"]), []).append(row)

    def mean(unit: Sequence[Mapping[str, Any]], key: str) -> str:
        return f"{np.mean([row[key] for row in unit]):,.1f}"

    keys = ("strength", "left", "shots", "blows", "hits", "inflicted", "distance")
    return _table(
        ("unit", "side", "start", "left", "shots", "blows", "hits", "inflicted", "GSU", "out"),
        (
            (
                name, side, *(mean(unit, key) for key in keys),
                f"{np.mean([row['out'] is not None for row in unit]):.0%}",
            )
            for (side, name), unit in units.items()
        ),
        kind="named",
    )  # fmt: skip


def _luck(found: StudyResult, rows: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """Return the table of hits against those to expect, and a note."""
    corrected = holm([row["p_value"] for row in rows])
    lines = []
    for side in found.sides:
        mine = [(row, p) for row, p in zip(rows, corrected, strict=True) if row["side"] == side]
        odd = sum(p < 0.05 for _, p in mine)
        hits, expected = (sum(row[key] for row, _ in mine) for key in ("hits", "expected"))
        dice = sum(row["dice"] for row, _ in mine)
        lines.append((side, f"{dice:,}", f"{hits:,}", f"{expected:,.1f}", f"{odd:,}"))
    note = "Unlikely: battles with p below 0.05 after Holm's correction for their number."
    return _table(("side", "dice", "hits", "expected", "unlikely battles"), lines), note

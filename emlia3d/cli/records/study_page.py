"""The page of a study: one file that opens from disk, with charts and tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from emlia3d.atomic_write import atomic_write
from emlia3d.battle.questions.place_counts import SQUARES, PlaceKind, grid_of
from emlia3d.battle.setup import Setup
from emlia3d.errors import FileError, MissingExtraError, unwritable
from emlia3d.scenario import load
from emlia3d.study.battles.estimates import holm, variance_parts
from emlia3d.study.battles.study_run import StudyResult
from emlia3d.study.battles.tally import Summary, score, spread
from emlia3d.view.plans.country import country_map

MAP_PX = 320
"""Longer side of the ground under a map of places, pixels."""

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
    morales = _morales(found, turns)
    if morales:
        yield _section(
            "Morale by turn",
            charts.morales(morales),
            "Mean of the units on the field: median of all battles, with the middle half of them.",
        )
    places = _rows(folder, "places", found)
    if places:
        yield _section("On the field", *_maps(charts, found, scenario, places))
    yield _section("Units", _units(_rows(folder, "units", found)), "Means a battle.")
    yield _section("Luck", *_luck(found, _rows(folder, "luck", found)))
    sizes, told = _times(found)
    yield _section("Time", charts.times(sizes) if len(sizes) > 1 else "", told)
    yield "</html>\n"


def _maps(
    charts: ModuleType, found: StudyResult, scenario: str, rows: Sequence[Mapping[str, Any]]
) -> tuple[str, str]:
    """Return the maps of where figures stood, were seen and fell, and a note."""
    battle = load(scenario).deployed()
    setup, state = battle.setup, battle.state
    east, north = setup.field.size
    longest = max(east, north)
    size = max(round(MAP_PX * east / longest), 1), max(round(MAP_PX * north / longest), 1)
    ground = country_map(setup, state, size)
    square = longest / SQUARES
    note = (
        f"Figures a battle in squares of {square:.3g} GSU, counted at the centre of their unit: as "
        "each turn ends on the field, as it ends in units that an enemy is aware of, and fallen. "
        "The darkest square of each kind is full; north is up."
    )
    return charts.maps(ground, (east, north), _places(setup, found, rows)), note


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
    most = max(found.battles["run"].to_pylist(), default=-1)
    seen: set[tuple[Any, ...]] = set()
    rows: list[dict[str, Any]] = []
    for file in sorted(folder.glob(f"{name}-*.parquet")):
        table = pq.read_table(file).to_pylist()
        rows += [row for row in table if row["run"] <= most and _battle_of(row) not in seen]
        seen.update(map(_battle_of, table))
    return rows


def _battle_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["variant"], row["run"], row["swapped"]


def _strengths(found: StudyResult, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Summary]]:
    """Return the strengths of the sides after each turn, over all battles."""
    last = max((row["turn"] for row in rows), default=0)
    out = {}
    for side in found.sides:
        battles: dict[tuple[Any, ...], list[float]] = {}
        for row in rows:
            if row["side"] == side:
                battles.setdefault(_battle_of(row), []).append(float(row["members"]))
        whole = [each + [each[-1]] * (last + 1 - len(each)) for each in battles.values()]
        out[side] = [spread(column.tolist()) for column in np.array(whole).T]
    return out


def _morales(found: StudyResult, rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Summary]]:
    """Return the mean morale of the sides after each turn, over the battles that go on by then.

    Empty if the rules know no morale. Before the first turn it need not be settled yet.
    """
    by_turn: dict[str, dict[int, list[float]]] = {side: {} for side in found.sides}
    for row in rows:
        if row["morale"] is not None and row["turn"] > 0:
            by_turn[row["side"]].setdefault(row["turn"], []).append(row["morale"])
    return {
        side: [spread(turns[turn]) for turn in sorted(turns)]
        for side, turns in by_turn.items()
        if turns
    }


def _places(
    setup: Setup, found: StudyResult, rows: Sequence[Mapping[str, Any]]
) -> dict[PlaceKind, dict[str, NDArray[np.float64]]]:
    """Return figures a battle in each square, north row first, by kind and side."""
    columns, lines = grid_of(setup.field.size)
    kinds: tuple[PlaceKind, ...] = get_args(PlaceKind)
    sheets = {kind: {side: np.zeros((lines, columns)) for side in found.sides} for kind in kinds}
    for row in rows:
        sheets[row["kind"]][row["side"]][lines - 1 - row["row"], row["column"]] += row["figures"]
    count = max(found.battles.num_rows, 1)
    return {
        kind: {side: sheet / count for side, sheet in sides.items()}
        for kind, sides in sheets.items()
    }


def _times(found: StudyResult) -> tuple[dict[int, Summary], str]:
    """Return the CPU seconds of battles by the figures at their start, and a sentence."""
    columns = [
        found.battles[f"{what} of {side}"].to_numpy()
        for side in found.sides
        for what in ("figures left", "figures lost")
    ]
    figures, seconds = np.sum(columns, axis=0), found.battles["seconds"].to_numpy()
    all_of = spread(seconds.tolist())
    told = (
        f"A battle took {all_of.median:.2g} s of CPU time (median; the middle half "
        f"{all_of.lower:.2g} to {all_of.upper:.2g} s)."
    )
    sizes = np.unique(figures)
    return {int(size): spread(seconds[figures == size].tolist()) for size in sizes}, told


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

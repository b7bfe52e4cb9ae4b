"""Tables of a study's page, as HTML."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

import numpy as np

from emlia3d.cli.records.study_rows import Row, battle_of
from emlia3d.rules.rule_entries import rule_entry
from emlia3d.studies.battles.estimates import holm, shared_luck_p_value, variance_parts
from emlia3d.studies.battles.study_result import StudyResult
from emlia3d.studies.battles.tally import Proportion, score

NO_BREAK = "\u00a0"
"""No-break space, which keeps an interval on one line of a narrow table."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], names: int = 1) -> str:
    """Return a table; its first *names* columns contain words, the others numbers."""

    def cells(kind: str, row: Sequence[str]) -> str:
        return "".join(
            f"<{kind}{' class=name' if at < names else ''}>{escape(cell)}</{kind}>"
            for at, cell in enumerate(row)
        )

    lines = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{cells('th', heads)}</tr></thead><tbody>{lines}</tbody></table>"


def rating_table(found: StudyResult) -> str:
    """Return the ratings of commanders, the best first."""
    return table(
        ("commander", "battles", "score", "Elo", "95% interval"),
        (
            (
                one.commander, f"{one.battles:,}", f"{one.score:.1%}", f"{one.elo:+.0f}",
                f"{one.low:+.0f} to {one.high:+.0f}",
            )
            for one in found.ratings()
        ),
    )  # fmt: skip


def rate_table(found: StudyResult, numbers: Sequence[int]) -> str:
    """Return the battles of some variants that each side won, and the draws."""
    return table(
        ("variant", "battles", *found.sides, "no side (draw)"),
        (
            (
                found.variants[at].name, f"{found.battles_of(at):,}",
                *map(_rate, (*found.win_rates(at).values(), found.draws(at))),
            )
            for at in numbers
        ),
    )  # fmt: skip


def commander_table(found: StudyResult, numbers: Sequence[int]) -> str:
    """Return the battles that each commander won, in variants with exchanged commanders."""
    rows: list[tuple[str, ...]] = []
    for at in numbers:
        if found.is_swapped(at):
            cells = ((name, _rate(rate)) for name, rate in found.commander_rates(at).items())
            rows.append((f"{found.battles_of(at):,}", *(cell for pair in cells for cell in pair)))
    widest = max(map(len, rows), default=0)
    heads = ("battles", *(("commander", "won") * ((widest - 1) // 2)))
    return table(heads, (row + ("",) * (widest - len(row)) for row in rows), names=0)


def _rate(rate: Proportion) -> str:
    interval = f"({100 * rate.low:.1f} to {100 * rate.high:.1f})"
    return f"{rate.share:.1%} {interval.replace(' ', NO_BREAK)}"


def difference_table(found: StudyResult, numbers: Sequence[int]) -> str:
    """Return the differences in the first side's score between variants and the first one."""
    gaps = {at: found.difference(found.sides[0], at) for at in numbers if at}
    return table(
        ("variant", "seeds", "difference", "95% interval"),
        (
            (
                found.variants[at].name, f"{gap.count:,}", f"{gap.mean:+.3f}",
                f"{gap.low:+.3f} to {gap.high:+.3f}",
            )
            for at, gap in gaps.items()
        ),
    )  # fmt: skip


def influence(found: StudyResult) -> dict[str, float]:
    """Return the part of the variance of the first side's score that each key explains."""
    scores = [score(winner, found.sides[0]) for winner in found.battles["winner"].to_pylist()]
    keys = list(found.variants[0].settings)
    return variance_parts(
        scores, {key: found.battles[f"value of {key}"].to_pylist() for key in keys}
    )


def unit_table(rows: Sequence[Row]) -> str:
    """Return the means of each unit for a battle, and how often it routed and was out."""
    units: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        units.setdefault((row["side"], row["name"]), []).append(row)
    heads = {
        "strength": "at start", "left": "at end", "inflicted": "losses inflicted",
        "shots": "shots", "blows": "blows", "hits": "hits",
        "distance": "moved, GSU", "turns_known": "turns in view",
    }  # fmt: skip
    knows_morale = any(row["lowest_morale"] is not None for row in rows)

    def line(name: str, unit: Sequence[Row]) -> Iterator[str]:
        yield name
        for key in heads:
            mean = np.mean([row[key] for row in unit])
            yield f"{mean:,.0f}" if key == "distance" else f"{mean:,.1f}"
        if knows_morale:
            lowest = [row["lowest_morale"] for row in unit if row["lowest_morale"] is not None]
            yield f"{np.mean(lowest):.1f}" if lowest else ""
            yield f"{np.mean([row['broke'] is not None for row in unit]):.0%}"
        yield f"{np.mean([row['out'] is not None for row in unit]):.0%}"

    columns = (*heads.values(), *(("lowest morale", "routed") if knows_morale else ()), "gone")
    parts = (
        table(
            (side, *columns),
            [tuple(line(name, unit)) for (of, name), unit in units.items() if of == side],
        )
        for side in dict.fromkeys(side for side, _ in units)
    )
    return "".join(parts)


def first_to_rout(found: StudyResult, rows: Sequence[Row]) -> str:
    """Return which units were the first to rout, how often, and the most frequent causes.

    Empty if no unit routed.
    """
    first = [row for row in rows if row["broke_first"]]
    if not first:
        return ""
    count = found.battles.num_rows
    units: dict[tuple[str, str], list[Row]] = {}
    for row in first:
        units.setdefault((row["name"], row["side"]), []).append(row)
    lines = []
    for (name, side), mine in sorted(units.items(), key=lambda one: -len(one[1])):
        turn = np.median([row["broke"] for row in mine])
        lines.append((name, side, _causes(mine), f"{len(mine) / count:.0%}", f"{turn:g}"))
    none = count - len({battle_of(row) for row in first})
    lines.append(("no unit", "", "", f"{none / count:.0%}", ""))
    return table(("unit", "side", "most frequent causes", "battles", "turn"), lines, names=3)


def _causes(rows: Sequence[Row]) -> str:
    """Return the titles of the two most frequent modifiers, or of the first rules."""
    counts: Counter[str] = Counter()
    for row in rows:
        entries = [rule_entry(slug) for slug in row["broke_because"].split()]
        known = [entry for entry in entries if entry is not None]
        causes = [entry.title for entry in known if entry.modifier is not None]
        counts.update(causes or [entry.title for entry in known[:1]])
    return "; ".join(title for title, _ in counts.most_common(2))


def luck_table(sides: Iterable[str], rows: Sequence[Row]) -> str:
    """Return rolled and expected hits of each side, with corrected p-values."""
    every = holm([row["p_value"] for row in rows])
    sums: dict[str, dict[str, Any]] = {}
    for side in sides:
        mine = [(row, p) for row, p in zip(rows, every, strict=True) if row["side"] == side]
        total = {key: sum(row[key] for row, _ in mine) for key in ("dice", "hits", "expected")}
        seeds = defaultdict[int, list[tuple[float, float]]](list)
        for row, _ in mine:
            seeds[row["run"]].append((row["hits"] - row["expected"], row["deviation"]))
        total["p"] = shared_luck_p_value(seeds.values())
        total["odd"] = sum(p < 0.05 for _, p in mine)
        sums[side] = total
    corrected = holm([one["p"] for one in sums.values()])
    return table(
        (
            "side", "attack dice", "hits", "expected hits", "more than expected", "p",
            "unlikely battles",
        ),
        (
            (
                side, f"{one['dice']:,}", f"{one['hits']:,}", f"{one['expected']:,.1f}",
                f"{one['hits'] / one['expected'] - 1:+.1%}" if one["expected"] else "",
                f"{p:.2f}" if p >= 0.01 else "below 0.01", f"{one['odd']:,}",
            )
            for (side, one), p in zip(sums.items(), corrected, strict=True)
        ),
    )  # fmt: skip

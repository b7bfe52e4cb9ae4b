"""The report page of a study: one self-contained HTML file with charts and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import emlia3d
from emlia3d.atomic_write import atomic_write
from emlia3d.battle.questions.place_counts import SQUARES, PlaceKind
from emlia3d.cli.records import study_tables as tables
from emlia3d.cli.records.study_rows import BySide, Row, kept_rows, morales, places, strengths
from emlia3d.errors import FileError, MissingExtraError, unwritable
from emlia3d.scenario import Scenario, load
from emlia3d.studies.battles.study_result import StudyResult
from emlia3d.studies.battles.tally import Proportion, Summary, share, spread
from emlia3d.view.plans.country import country_map

MAP_PX = 320
"""Longer side of the ground under a map, pixels."""

MOST_VARIANTS = 40
"""Maximum number of variants in charts and tables: the variants with the most and the fewest
wins."""

MOST_PANELS = 6
"""With more variants, the curves by turn summarise all variants together."""

STYLE = """
html { font-size: 16px }
body { font: 1rem/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem }
h3 { font-size: 1rem; margin: 1rem 0 0.3rem }
h1, h2, h3 { break-after: avoid } figure { margin: 0; break-inside: avoid }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.85rem;
  margin: 0.5rem 0 }
th, td { padding: 0.2rem 0.3rem; text-align: right; border-bottom: 1px solid #ddd;
  vertical-align: bottom }
th { font-size: 0.75rem } tr { break-inside: avoid }
td { vertical-align: top }
th.name, td.name { text-align: left; overflow-wrap: break-word; min-width: 6rem }
svg { display: block; width: 100%; height: auto }
p.note { color: #555; font-size: 0.9rem; margin: 0.4rem 0 0; break-before: avoid }
@page { size: A4; margin: 14mm }
@media print { html { font-size: 12px } body { margin: 0; padding: 0; max-width: none } }
"""

PLACES: Mapping[PlaceKind, tuple[str, str]] = {
    "stood": (
        "Figures on the field",
        "figures that stand there as a turn ends, added up over turns",
    ),
    "seen": ("Figures known to an enemy", "such figures in units that an enemy is aware of"),
    "fell": ("Fallen figures", "figures that fall there"),
}
"""Title and unit of each kind of map."""


def check_charts() -> None:
    """Raise MissingExtraError without the library for charts; call it before any battle."""
    try:
        from emlia3d.cli.records import study_charts  # noqa: F401, PLC0415  optional library
    except ImportError as fault:
        raise MissingExtraError("the page of a study", "plots") from fault


def write_page(file: Path, found: StudyResult, folder: Path, scenario: str, seed: int) -> None:
    """Write the page of a study with results in a folder.

    Raises
    ------
    FileError
        The page cannot be written.
    MissingExtraError
        The optional library for charts is missing.
    """
    check_charts()
    from emlia3d.cli.records import study_charts as charts  # noqa: PLC0415  optional library

    html = "".join(_Page(charts, found, folder, load(scenario), seed).parts())
    try:
        with atomic_write(file) as fresh:
            fresh.write_text(html, encoding="utf-8")
    except OSError as fault:
        raise FileError(unwritable(file, fault)) from None


class _Page:
    """The parts of a page, the main result first."""

    def __init__(
        self, charts: ModuleType, found: StudyResult, folder: Path, scenario: Scenario, seed: int
    ) -> None:
        self.charts, self.found, self.folder = charts, found, folder
        self.scenario, self.seed = scenario, seed
        self.side = found.sides[0]
        self.rates = [found.win_rates(number) for number in range(len(found.variants))]
        self.listed = _listed([rate[self.side].share for rate in self.rates])
        self.keys = list(found.variants[0].settings)
        self.rated = bool(found.variants[0].commanders) and len(found.sides) == 2

    def parts(self) -> Iterator[str]:
        found, title = self.found, f"{self.scenario.title}: {self.finding()}"
        yield f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(title)}</title>'
        yield f"<style>{STYLE}</style><h1>{escape(title)}</h1><p>{escape(self.summary())}</p>"
        if self.rated:
            yield self.ratings()
        yield self.win_rates()
        if len(found.variants) > 1 and self.keys:
            yield self.differences()
        if len(self.keys) > 1:
            yield self.influence()
        turns = kept_rows(self.folder, "turns", found)
        yield self.strength(turns)
        yield self.morale(turns)
        yield self.maps(kept_rows(self.folder, "places", found))
        units = kept_rows(self.folder, "units", found)
        yield _section("Units", tables.unit_table(units), self.unit_note(units))
        yield self.first_to_rout(units)
        yield self.luck(kept_rows(self.folder, "luck", found))
        yield self.times()
        yield _section("Scenario and version", "", self.provenance())
        yield "</html>\n"

    def finding(self) -> str:
        """Return the main result of the study in words."""
        if self.rated:
            ratings = self.found.ratings()
            best = ratings[0]
            equals = [one.commander for one in ratings if round(one.elo) == round(best.elo)]
            told = f"Elo {best.elo:+.0f}, {best.low:+.0f} to {best.high:+.0f}"
            are = "is" if len(equals) == 1 else "are"
            return f"{' and '.join(equals)} {are} rated highest ({told})"
        if len(self.rates) == 1:
            side, rate = max(self.rates[0].items(), key=lambda one: one[1].share)
            return f"{side} won {rate.share:.0%} of battles ({rate.low:.0%} to {rate.high:.0%})"
        shares = [rate[self.side].share for rate in self.rates]
        return f"{self.side} won {min(shares):.0%} to {max(shares):.0%} of battles, by variant"

    def summary(self) -> str:
        """Return the battles played, and the extreme variants or the most important key."""
        found, count = self.found, len(self.found.variants)
        variants = (
            "the scenario as it is" if count == 1 and not self.keys else f"{count:,} variants"
        )
        told = (
            f"{found.battles.num_rows:,} battles of {variants}. "
            "Intervals are 95% confidence intervals."
        )
        if self.rated or count == 1:
            return told
        shares = [rate[self.side].share for rate in self.rates]
        names = [one.name for one in found.variants]
        best, worst = (names[int(at)] for at in (np.argmax(shares), np.argmin(shares)))
        told += f" {self.side} won most often with “{best}”, and least often with “{worst}”."
        if len(self.keys) > 1:
            parts = tables.influence(found)
            key = max(parts, key=parts.__getitem__)
            told += f" The key {key} matters most: it explains {parts[key]:.0%} of the variance."
        return told

    def ratings(self) -> str:
        found = self.found.ratings()
        return _section(
            "Ratings of the commanders",
            _figure(self.charts.ratings(found)) + tables.rating_table(self.found),
            "Each pair of commanders played on both sides. A win scores 1 and a draw 0.5. Ratings "
            "are Elo points, 0 on average (Bradley-Terry model): 100 points more are expected to "
            "score 64%, 400 points more 91%.",
        )

    def win_rates(self) -> str:
        rows = [(self.found.variants[at].name, self.rates[at]) for at in self.listed]
        note = "Part of the battles, with Wilson intervals."
        if not self.keys and not self.rated:
            note += " “As it is” means the scenario without changes."
        body = _figure(self.charts.win_rates(rows)) + tables.rate_table(self.found, self.listed)
        if any(self.found.is_swapped(at) for at in self.listed):
            note += (
                " The commanders also played in each other's place; the last table counts the "
                "battles that each commander won, on whatever side."
            )
            body += tables.commander_table(self.found, self.listed)
        return _section("Win rates", body, note + self.left_out())

    def left_out(self) -> str:
        """Return a sentence about omitted variants."""
        more = len(self.rates) - len(self.listed)
        return f" {more:,} variants between these are left out." if more else ""

    def differences(self) -> str:
        return _section(
            "Differences between variants",
            tables.difference_table(self.found, self.listed),
            f"Score of {self.side} (a win 1, a draw 0.5) less that of "
            f"“{self.found.variants[0].name}”, compared seed by seed; intervals by Agresti and "
            "Min. If an interval does not contain 0, the variant matters." + self.left_out(),
        )

    def influence(self) -> str:
        parts = tables.influence(self.found)
        rows = sorted(
            ((key, f"{part:.1%}") for key, part in parts.items()), key=lambda r: -parts[r[0]]
        )
        values = {key: self.won_by_value(key) for key in parts}
        return _section(
            "Influence of each key",
            _figure(
                tables.table(("key", "part of the variance"), rows)
                + self.charts.effects(self.side, values)
            ),
            f"The part of the variance of the score of {self.side} that each key explains: "
            "its main effect, or if each variant has a value of its own, a straight line. The rest "
            "is dice, and keys that work together. The chart has the battles won at each value, "
            "whatever the other keys.",
        )

    def won_by_value(self, key: str) -> dict[str, Proportion]:
        column, winners = (
            self.found.battles[name].to_pylist() for name in (f"value of {key}", "winner")
        )
        won: dict[str, list[bool]] = {}
        for value, winner in zip(column, winners, strict=True):
            won.setdefault(value, []).append(winner == self.side)
        return {value: share(sum(each), len(each)) for value, each in won.items()}

    def panels(self, rows: Sequence[Row], curves: Any) -> dict[str, BySide]:
        """Return the curves of each variant by its name, or of all variants together."""
        names = [one.name for one in self.found.variants]
        if len(names) == 1:
            return {"": curves(self.found.sides, rows)}
        if len(names) > MOST_PANELS:
            return {"all variants together": curves(self.found.sides, rows)}
        return {
            name: curves(self.found.sides, [row for row in rows if row["variant"] == number])
            for number, name in enumerate(names)
        }

    def strength(self, rows: Sequence[Row]) -> str:
        drawn = self.charts.by_turn(self.panels(rows, strengths), "figures on the field", first=0)
        return _section(
            "Strength by turn",
            _figure(drawn),
            "Lines are medians of the battles, bands their middle half. Turn 0 is the start. A "
            "battle that is over keeps its last strength.",
        )

    def morale(self, rows: Sequence[Row]) -> str:
        panels = self.panels(rows, morales)
        if not all(panels.values()):
            return ""
        scale = self.scenario.battle(0).system.morale_scale
        return _section(
            "Morale by turn",
            _figure(self.charts.by_turn(panels, "mean morale", first=1)),
            "Mean morale of a side's units on the field; lines are medians of the battles that go "
            f"on by then, bands their middle half. Higher is better ({scale}).",
        )

    def maps(self, rows: Sequence[Row]) -> str:
        """Return the maps of the positions at which figures stood, were seen and fell."""
        if not rows:
            return ""
        battle = self.scenario.deployed()
        east, north = battle.setup.field.size
        longest = max(east, north)
        pixels = max(round(MAP_PX * east / longest), 1), max(round(MAP_PX * north / longest), 1)
        ground = country_map(battle.setup, battle.state, pixels)
        body = ""
        for kind, sheets in places((east, north), self.found, rows).items():
            title, unit = PLACES[kind]
            most = max(float(sheet.max()) for sheet in sheets.values())
            drawn = self.charts.maps(ground, (east, north), sheets)
            told = f"Darkest square: {_rounded(most)} a battle ({unit})."
            body += _figure(f"<h3>{title}</h3>{drawn}{_note(told)}")
        together = " Means of all variants together." if len(self.rates) > 1 else ""
        return _section(
            "On the field",
            body,
            f"Squares of {longest / SQUARES:.3g} GSU, north is up. A figure counts at the centre "
            f"of its unit.{together}",
        )

    def unit_note(self, rows: Sequence[Row]) -> str:
        together = " of all variants together" if len(self.rates) > 1 else ""
        morale = ""
        if any(row["lowest_morale"] is not None for row in rows):
            morale = " Lowest morale is that at the end of a turn."
        return (
            f"Means a battle{together}: figures at the start and at the end, losses inflicted "
            "(enemy figures that fell to its hits), attacks from afar and at close quarters, hits. "
            f"Turns in view: an enemy was aware of it as the turn ended.{morale} Gone: the part of "
            "battles in which its last figure fell or left the field."
        )

    def first_to_rout(self, rows: Sequence[Row]) -> str:
        body = tables.first_to_rout(self.found, rows)
        note = "Part of all battles in which the unit was the first to rout, and the median turn."
        return _section("First to rout", body, note) if body else ""

    def luck(self, rows: Sequence[Row]) -> str:
        return _section(
            "Luck",
            tables.luck_table(self.found.sides, rows),
            "Hits of all battles, compared with those to expect from the dice and their modifiers. "
            "p is the probability that chance alone differs that much; unlikely battles have p "
            "below 0.05. All p-values are corrected for their number (Holm). Battles of one seed "
            "may share dice, so they count as one battle for p.",
        )

    def times(self) -> str:
        """Return the CPU time of battles, by the initial number of figures if it varies."""
        columns = [
            self.found.battles[f"{what} of {side}"].to_numpy()
            for side in self.found.sides
            for what in ("figures left", "figures lost")
        ]
        figures, seconds = np.sum(columns, axis=0), self.found.battles["seconds"].to_numpy()
        middle = spread(seconds.tolist())
        sizes: dict[int, Summary] = {
            int(size): spread(seconds[figures == size].tolist()) for size in np.unique(figures)
        }
        return _section(
            "Time",
            _figure(self.charts.times(sizes)) if len(sizes) > 1 else "",
            f"A battle took {middle.median:.2g} s of CPU time (median; the middle half "
            f"{middle.lower:.2g} to {middle.upper:.2g} s).",
        )

    def provenance(self) -> str:
        led = ", ".join(
            f"{side} by {name}"
            for side, name in zip(self.found.sides, self.found.commanders[0], strict=True)
        )
        led = "" if self.rated or len(set(self.found.commanders)) > 1 else f" {led}."
        return (
            f"Scenario {self.scenario.name}, rules {self.scenario.setup.rules}, "
            f"emlia3d {emlia3d.__version__}, study seed {self.seed}.{led} The folder "
            f"{self.folder.name} has all results; the same command with the same version gives the "
            "same results on any machine, but for the times."
        )


def _listed(shares: Sequence[float]) -> list[int]:
    """Return the numbers of the listed variants, in their order."""
    order = sorted(range(len(shares)), key=lambda at: shares[at])
    half = MOST_VARIANTS // 2
    return sorted({*order[:half], *order[-half:], 0})


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _figure(drawn: str) -> str:
    return f"<figure>{drawn}</figure>"


def _note(told: str) -> str:
    return f'<p class="note">{escape(told)}</p>'


def _section(title: str, body: str, note: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{body}{_note(note)}</section>"

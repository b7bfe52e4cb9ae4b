"""Charts of a study, each as SVG that stands in a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from emlia3d.study.battles.tally import Proportion, Summary

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that people with any kind of colour vision can tell apart (Okabe and Ito)."""

ROW_IN = 0.28
"""Height of a row, inches."""


def win_rates(rows: Sequence[tuple[str, Mapping[str, Proportion]]]) -> str:
    """Return win rates with their intervals: a row for each variant, a mark for each side."""
    sides = list(rows[0][1])
    high = 1.0 + ROW_IN * len(rows) * (len(sides) * 0.6 + 0.6)
    figure, axes = _figure(7.6, high)
    for number, side in enumerate(sides):
        at = [row + 0.22 * (number - (len(sides) - 1) / 2) for row in range(len(rows))]
        rates = [rate[side] for _, rate in rows]
        shares = [100 * rate.share for rate in rates]
        reach = [
            [100 * (rate.share - rate.low) for rate in rates],
            [100 * (rate.high - rate.share) for rate in rates],
        ]
        axes.errorbar(
            shares, at, xerr=reach, fmt="osD^v<"[number % 6], capsize=3,
            color=COLOURS[number % len(COLOURS)], label=side,
        )  # fmt: skip
    axes.set(xlim=(-2, 102), xlabel="battles won, %")
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.4)
    figure.legend(loc="outside upper right", ncols=len(sides), frameon=False)
    return _svg(figure)


def strengths(sides: Mapping[str, Sequence[Summary]]) -> str:
    """Return the strength of each side after each turn: the median, and the middle half."""
    figure, axes = _figure(7.6, 3.4)
    for number, (side, turns) in enumerate(sides.items()):
        colour, at = COLOURS[number % len(COLOURS)], range(len(turns))
        axes.fill_between(
            at, [one.lower for one in turns], [one.upper for one in turns], color=colour, alpha=0.2
        )
        axes.plot(
            at, [one.median for one in turns], color=colour, marker="osD^v<"[number % 6], label=side
        )
    axes.set(xlabel="turn", ylabel="figures on the field")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.4)
    figure.legend(loc="outside upper right", ncols=len(sides), frameon=False)
    return _svg(figure)


def _figure(wide: float, high: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(wide, high), layout="constrained")
    FigureCanvasSVG(figure)
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _svg(figure: Figure) -> str:
    """Return a figure as an SVG element; the same figure always gives the same text."""
    file = StringIO()
    with rc_context({"svg.hashsalt": "emlia3d", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]

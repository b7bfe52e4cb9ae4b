"""Charts of a study, each as SVG that stands in a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

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
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.4)
    figure.legend(loc="outside upper right", ncols=len(sides), frameon=False)
    return _svg(figure)


def strengths(sides: Mapping[str, Sequence[Summary]]) -> str:
    """Return the strength of each side after each turn: the median, and the middle half."""
    return _by_turn(sides, "figures on the field", first=0, from_zero=True)


def morales(sides: Mapping[str, Sequence[Summary]]) -> str:
    """Return the morale of each side from turn 1 on: the median, and the middle half."""
    return _by_turn(sides, "mean morale of units", first=1, from_zero=False)


def _by_turn(
    sides: Mapping[str, Sequence[Summary]], label: str, *, first: int, from_zero: bool
) -> str:
    """Return a line for each side, from turn *first* on."""
    figure, axes = _figure(7.6, 3.4)
    for number, (side, turns) in enumerate(sides.items()):
        colour, at = COLOURS[number % len(COLOURS)], range(first, first + len(turns))
        axes.fill_between(
            at, [one.lower for one in turns], [one.upper for one in turns], color=colour, alpha=0.2
        )
        axes.plot(
            at, [one.median for one in turns], color=colour, marker="osD^v<"[number % 6], label=side
        )
    axes.set(xlabel="turn", ylabel=label)
    if from_zero:
        axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.4)
    figure.legend(loc="outside upper right", ncols=len(sides), frameon=False)
    return _svg(figure)


def times(sizes: Mapping[int, Summary]) -> str:
    """Return the CPU time of a battle against its figures: the median, and the middle half."""
    figure, axes = _figure(7.6, 3.0)
    medians = [one.median for one in sizes.values()]
    reach = [
        [one.median - one.lower for one in sizes.values()],
        [one.upper - one.median for one in sizes.values()],
    ]
    axes.errorbar(list(sizes), medians, yerr=reach, fmt="o", capsize=3, color=COLOURS[0])
    axes.set(xlabel="figures at the start", ylabel="CPU time of a battle, s")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.4)
    return _svg(figure)


def maps(
    ground: NDArray[np.uint8],
    size: tuple[float, float],
    kinds: Mapping[str, Mapping[str, NDArray[np.float64]]],
) -> str:
    """Return a map for each kind of place and each side, over the ground.

    ground : (rows, columns, 3) uint8, north row first; size : of the field, GSU
    kinds : by kind and side, values by square, north row first
    """
    sides = list(next(iter(kinds.values())))
    east, north = size
    wide = 7.6 / len(sides)
    figure = Figure(figsize=(7.6, len(kinds) * (wide * north / east + 0.45)), layout="constrained")
    FigureCanvasSVG(figure)
    grid = figure.subplots(len(kinds), len(sides), squeeze=False)
    pale = (255 - (255 - ground.astype(float)) * 0.35).astype(np.uint8)
    for line, (kind, sheets) in zip(grid, kinds.items(), strict=True):
        most = max(float(sheet.max()) for sheet in sheets.values())
        for number, (axes, side) in enumerate(zip(line, sides, strict=True)):
            axes.imshow(pale, extent=(0, east, 0, north), interpolation="bilinear")
            axes.imshow(
                _heat(sheets[side], most, COLOURS[number % len(COLOURS)]),
                extent=_extent(sheets[side].shape, size), interpolation="nearest",
            )  # fmt: skip
            axes.set(xlim=(0, east), ylim=(0, north), xticks=[], yticks=[])
            full = f"; {_rounded(most)} figures at the darkest" if most else ""
            axes.set_title(f"{side}: {kind}{full}", fontsize=9)
    return _svg(figure)


def _rounded(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def _heat(sheet: NDArray[np.float64], most: float, colour: str) -> NDArray[np.float64]:
    """Return squares (rows, columns, 4) of a colour, the fuller the darker."""
    share = np.sqrt(sheet / most) if most else sheet
    red, green, blue = to_rgb(colour)
    heat = np.empty((*sheet.shape, 4))
    for channel, bright in enumerate((red, green, blue)):
        heat[..., channel] = bright * (1 - 0.45 * share)
    heat[..., 3] = np.where(sheet > 0, 0.2 + 0.8 * share, 0.0)
    return heat


def _extent(shape: tuple[int, ...], size: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return where the squares lie: whole ones, from the south-west corner."""
    square = max(size) / max(shape)
    return 0.0, shape[1] * square, 0.0, shape[0] * square


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

"""Charts of a study, as inline SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import StringIO
from textwrap import wrap

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from emlia3d.studies.battles.estimates import Rating
from emlia3d.studies.battles.tally import Proportion, Summary

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Colours that are distinct for any kind of colour vision (Okabe and Ito)."""

MARKS = "osD^v<"

WIDE_IN = 7.6
"""Width of a chart, inches: a column of the page."""

MAP_IN = 3.3
"""Maximum height of a map, inches; maps of two kinds fit on a sheet of paper."""

LINE_IN = 0.17
"""Height of a line of text, inches."""

NAME_CHARACTERS = 34
"""Maximum number of characters of a variant's name on one line."""


def win_rates(rows: Sequence[tuple[str, Mapping[str, Proportion]]]) -> str:
    """Return win rates with their intervals: a row for each variant, a marker for each side."""
    sides, names = list(rows[0][1]), [wrap(name, NAME_CHARACTERS) for name, _ in rows]
    tall = [LINE_IN * max(len(name), len(sides), 2) + 0.08 for name in names]
    at = np.cumsum(tall) - np.array(tall) / 2
    figure, axes = _figure(sum(tall) + 1.0)
    for number, side in enumerate(sides):
        off = 0.13 * (number - (len(sides) - 1) / 2)
        _intervals(axes, at + off, [rate[side] for _, rate in rows], number, label=side)
    axes.set(xlim=(-2, 102), xlabel="battles won, %")
    axes.set_yticks(at, ["\n".join(name) for name in names])
    axes.set_ylim(sum(tall), 0)
    axes.grid(axis="x", alpha=0.4)
    _name_sides(figure, axes)
    return _svg(figure)


def _intervals(
    axes: Axes,
    at: NDArray[np.float64],
    rates: Sequence[Proportion],
    number: int,
    *,
    label: str = "",
    upright: bool = False,
) -> None:
    """Draw percentages with their intervals, horizontally or vertically."""
    shares = [100 * rate.share for rate in rates]
    reach = [
        [100 * (rate.share - rate.low) for rate in rates],
        [100 * (rate.high - rate.share) for rate in rates],
    ]
    x, y = (at, shares) if upright else (shares, at)
    axes.errorbar(
        x, y, yerr=reach if upright else None, xerr=None if upright else reach,
        fmt=MARKS[number % 6], capsize=3, color=COLOURS[number % 6], label=label,
    )  # fmt: skip


def ratings(found: Sequence[Rating]) -> str:
    """Return the ratings of commanders with their intervals."""
    figure, axes = _figure(0.9 + 0.34 * len(found))
    elos = [one.elo for one in found]
    reach = [[one.elo - one.low for one in found], [one.high - one.elo for one in found]]
    axes.errorbar(elos, range(len(found)), xerr=reach, fmt="o", capsize=3, color=COLOURS[0])
    axes.set(xlabel="rating, Elo points")
    axes.set_yticks(range(len(found)), [one.commander for one in found])
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.grid(axis="x", alpha=0.4)
    return _svg(figure)


def effects(side: str, keys: Mapping[str, Mapping[str, Proportion]]) -> str:
    """Return the win rates of a side at each value of each key, one panel a key."""
    columns = min(len(keys), 3)
    lines = -(-len(keys) // columns)
    figure, panels = _panels(lines, columns, 2.5 * lines)
    for axes, (key, values) in zip(panels, keys.items(), strict=False):
        numbers = _as_numbers(list(values))
        at = np.arange(len(values), dtype=float) if numbers is None else numbers
        _intervals(axes, at, list(values.values()), 0, upright=True)
        if len(values) <= 6:
            axes.set_xticks(at, list(values))
        elif not (at % 1).any():
            axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        axes.set(xlabel=key, ylim=(-3, 103))
        axes.grid(axis="y", alpha=0.4)
    for axes in panels[::columns]:
        axes.set_ylabel(f"won by {side}, %")
    return _svg(figure)


def by_turn(
    panels: Mapping[str, Mapping[str, Sequence[Summary]]], label: str, *, first: int
) -> str:
    """Return a line for each side from turn *first* on: the median and the quartiles.

    panels : by title, summaries after each turn by side
    """
    columns = {1: 1, 2: 2, 4: 2}.get(len(panels), 3)
    lines = -(-len(panels) // columns)
    figure, grid = _panels(lines, columns, 2.9 if lines == 1 else 2.5 * lines)
    for axes, (title, sides) in zip(grid, panels.items(), strict=False):
        for number, (side, turns) in enumerate(sides.items()):
            colour, at = COLOURS[number % 6], range(first, first + len(turns))
            low, high = [one.lower for one in turns], [one.upper for one in turns]
            axes.fill_between(at, low, high, color=colour, alpha=0.2)
            middle = [one.median for one in turns]
            axes.plot(at, middle, color=colour, marker=MARKS[number % 6], ms=4, label=side)
        axes.set_title("\n".join(wrap(title, 2 * NAME_CHARACTERS // columns)), fontsize=9)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6, min_n_ticks=2))
        axes.set_xlabel("turn")
        axes.grid(alpha=0.4)
    if first == 0:
        grid[0].set_ylim(bottom=0)
    for axes in grid[::columns]:
        axes.set_ylabel(label)
    _name_sides(figure, grid[0])
    return _svg(figure)


def times(sizes: Mapping[int, Summary]) -> str:
    """Return the CPU time of a battle over its figures: the median and the quartiles."""
    figure, axes = _figure(2.6)
    medians = [one.median for one in sizes.values()]
    reach = [
        [one.median - one.lower for one in sizes.values()],
        [one.upper - one.median for one in sizes.values()],
    ]
    axes.errorbar(list(sizes), medians, yerr=reach, fmt="o", capsize=3, color=COLOURS[0])
    axes.set(xlabel="figures at the start", ylabel="CPU time of a battle, s")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.4)
    return _svg(figure)


def maps(
    ground: NDArray[np.uint8],
    size: tuple[float, float],
    sheets: Mapping[str, NDArray[np.float64]],
) -> str:
    """Return a map for each side on the ground; fuller squares are darker.

    ground : (rows, columns, 3) uint8, north row first; size : of the field, GSU
    sheets : by side, values by square, north row first
    """
    (east, north), columns = size, min(len(sheets), 3)
    wide = min(WIDE_IN / columns - 0.35, MAP_IN * east / north)
    lines = -(-len(sheets) // columns)
    figure, grid = _panels(lines, columns, lines * (wide * north / east + 0.6), share="none")
    pale = (255 - (255 - ground.astype(float)) * 0.35).astype(np.uint8)
    most = max(float(sheet.max()) for sheet in sheets.values())
    for number, (axes, (side, sheet)) in enumerate(zip(grid, sheets.items(), strict=False)):
        axes.imshow(pale, extent=(0, east, 0, north), interpolation="bilinear")
        axes.imshow(
            _heat(sheet, most, COLOURS[number % 6]), extent=_extent(sheet.shape, size),
            interpolation="nearest",
        )  # fmt: skip
        axes.spines[["top", "right"]].set_visible(True)
        axes.set(xlim=(0, east), ylim=(0, north), xticks=[0, east], yticks=[0, north])
        axes.set_xticklabels(["0", f"{east:,g} GSU"])
        axes.set_yticklabels(["0", f"{north:,g}"] if number % columns == 0 else ["", ""])
        axes.tick_params(labelsize=8)
        axes.set_title(side, fontsize=9)
    return _svg(figure)


def _heat(sheet: NDArray[np.float64], most: float, colour: str) -> NDArray[np.float64]:
    """Return squares (rows, columns, 4) of a colour; fuller squares are darker."""
    share = np.sqrt(sheet / most) if most else sheet
    red, green, blue = to_rgb(colour)
    heat = np.empty((*sheet.shape, 4))
    for channel, bright in enumerate((red, green, blue)):
        heat[..., channel] = bright * (1 - 0.45 * share)
    heat[..., 3] = np.where(sheet > 0, 0.2 + 0.8 * share, 0.0)
    return heat


def _extent(shape: tuple[int, ...], size: tuple[float, float]) -> tuple[float, float, float, float]:
    """Return the extent of the squares: whole squares from the south-west corner."""
    square = max(size) / max(shape)
    return 0.0, shape[1] * square, 0.0, shape[0] * square


def _as_numbers(values: Sequence[str]) -> NDArray[np.float64] | None:
    """Return values as numbers; None if one is a word."""
    try:
        return np.array([float(value) for value in values])
    except ValueError:
        return None


def _figure(high: float) -> tuple[Figure, Axes]:
    figure, (axes,) = _panels(1, 1, high)
    return figure, axes


def _panels(lines: int, columns: int, high: float, share: str = "y") -> tuple[Figure, list[Axes]]:
    """Return a plot of height *high*, inches, and its panels by line; *shared* shares the axes."""
    figure = Figure(figsize=(WIDE_IN, high), layout=ConstrainedLayoutEngine(h_pad=0.08))
    FigureCanvasSVG(figure)
    grid = figure.subplots(lines, columns, squeeze=False, sharey=share == "y")
    panels: list[Axes] = list(grid.flat)
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
    return figure, panels


def _name_sides(figure: Figure, axes: Axes) -> None:
    handles, names = axes.get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=len(names), frameon=False)


def _svg(figure: Figure) -> str:
    """Return a figure as an SVG element; the same figure always gives the same text."""
    for axes in figure.axes:
        if not axes.has_data():
            axes.remove()
    file = StringIO()
    with rc_context({"svg.hashsalt": "emlia3d", "svg.fonttype": "none"}):
        figure.savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]

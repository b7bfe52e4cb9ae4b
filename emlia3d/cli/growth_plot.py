"""Plot of time over the size of the armies, with logarithmic axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from emlia3d.atomic_write import atomic_write
from emlia3d.cli.bench_table import in_seconds
from emlia3d.studies.growth import exponent

Series: TypeAlias = Mapping[tuple[str, str], Sequence[tuple[int, float]]]
"""Figures and CPU seconds, by task and ground."""

_MARKS = "os^Dv<P>X*hpd"
# Sizes within this factor share a label, because two labels would overlap.
_APART = 1.3


def draw(path: Path, series: Series) -> None:
    """Write a plot of each task's time over figures; lines for hills are dashed."""
    figure = figure_of(series)
    with atomic_write(path) as fresh:
        figure.savefig(fresh, dpi=150)


def figure_of(series: Series) -> Figure:
    """Return the plot, with a colour and marker for each task and a legend from the top down."""
    figure = Figure(figsize=(11, 7), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    tasks = list(dict.fromkeys(task for task, _ in series))
    for (task, ground), points in sorted(series.items(), key=lambda each: -each[1][-1][1]):
        sizes, seconds = zip(*points, strict=True)
        hills, row = ground == "hills", tasks.index(task)
        axes.plot(
            sizes, seconds, marker=_MARKS[row % len(_MARKS)], color=f"C{row % 10}",
            linestyle="--" if hills else "-", markerfacecolor="white" if hills else f"C{row % 10}",
            label=_name(task, ground, exponent(sizes, seconds)),
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="figures of both armies")
    axes.set(title="CPU time of each task", ylabel="CPU time")
    axes.yaxis.set_major_formatter(lambda value, _: in_seconds(value))
    labelled = _far_apart(sorted({size for points in series.values() for size, _ in points}))
    axes.set_xticks(labelled, [f"{size:,}" for size in labelled])
    axes.set_xticks([], minor=True)
    axes.grid(visible=True, which="major", alpha=0.4)
    figure.legend(loc="outside right upper", fontsize="small", handlelength=3.5)
    return figure


def _name(task: str, ground: str, power: float | None) -> str:
    """Return the label of a line, with its exponent."""
    grows = "" if power is None else f": figures^{power:.2f}"
    return f"{task}, {ground}{grows}"


def _far_apart(sizes: Sequence[int]) -> list[int]:
    """Return the sizes whose labels have room beside each other."""
    found: list[int] = []
    for size in sizes:
        if not found or size >= _APART * found[-1]:
            found.append(size)
    return found

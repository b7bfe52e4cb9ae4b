"""Time over the size of the armies, both in powers of ten; the only place that knows matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure


def draw(path: Path, series: Mapping[tuple[str, str], Sequence[tuple[int, float]]]) -> None:
    """Write a picture of each task's seconds over figures; what is on hills is dashed.

    series : by task and ground, the figures and the seconds of the processor
    """
    figure = Figure(figsize=(9, 6), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    tasks = list(dict.fromkeys(task for task, _ in series))
    for (task, ground), points in series.items():
        sizes, seconds = zip(*points, strict=True)
        hills = ground == "hills"
        axes.plot(
            sizes, seconds, marker="o", color=f"C{tasks.index(task) % 10}",
            linestyle="--" if hills else "-", label=f"{task}, {ground}",
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlabel="figures", ylabel="seconds of the processor")
    marks = sorted({size for points in series.values() for size, _ in points})
    axes.set_xticks(marks, [f"{size:,}" for size in marks])
    axes.set_xticks([], minor=True)
    axes.grid(visible=True, which="major", alpha=0.4)
    figure.legend(loc="outside right upper", fontsize="small")
    figure.savefig(path, dpi=150)

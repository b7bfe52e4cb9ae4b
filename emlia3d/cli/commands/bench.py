"""``emlia3d bench``: the speed of kernels and turns, and how it scales."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from emlia3d.cli.parameters import FILE, JSON, Number, Whole
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import MissingExtraError, quoted

if TYPE_CHECKING:
    from emlia3d.cli.bench_run import Measure, SkippedSize

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
QUICK = (1_000, 3_000)
FEWEST, MOST = 40, 10_000_000
"""Minimum and maximum number of figures of both armies."""
TASKS = (
    "corridors,concealment,ground,silhouettes,lines,viewshed,hits,damage,dice,neighbours,ways,turn"
)


@click.command()
@click.option(
    "--sizes",
    metavar="N,N,...",
    help=f"Numbers of figures. [default: {','.join(map(str, SIZES))}]",
)
@click.option("--tasks", default=TASKS, metavar="NAME,...", help="The tasks to measure.")
@click.option(
    "--unit",
    type=Whole(20, 500),
    default=100,
    metavar="N",
    help="Mean number of figures of a unit.",
)
@click.option(
    "--threads",
    type=Whole(1, 1024),
    help="Number of threads. [default: all cores]",
)
@click.option(
    "--longest",
    type=Number(0),
    default=60.0,
    metavar="SECONDS",
    help="Skip sizes predicted to take longer.",
)
@click.option(
    "--quick", is_flag=True, help="Use small armies, and only tasks that take less than a second."
)
@click.option("--seed", type=Whole(0, 2**63 - 1), default=0, help="Random seed of the armies.")
@click.option("--plot", type=FILE, metavar="FILE", help="Draw time over size: .png, .svg, .pdf.")
@JSON
def bench(  # noqa: PLR0913  one parameter an option
    *,
    sizes: str | None,
    tasks: str,
    unit: int,
    threads: int | None,
    longest: float,
    quick: bool,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Measure the kernels and the longest of six turns.

    Print time, memory, growth with the number of figures, and baselines from the same run.
    """
    # Imported only here, because they import all rules and every kernel.
    from emlia3d.cli.bench_run import kinds_of, measures  # noqa: PLC0415
    from emlia3d.cli.bench_table import document_of, seconds_by_size, table_lines  # noqa: PLC0415
    from emlia3d.cli.machine import machine  # noqa: PLC0415

    figures, kinds = _sizes(sizes, quick), kinds_of(tasks)
    check_writable(plot, (".png", ".svg", ".pdf"), "plots")
    if plot is not None:
        _can_plot()
    limit = min(longest, 1.0) if quick else longest
    with _on_threads(threads):
        here = machine()
        found = list(_progress(measures(kinds, figures, limit, seed=seed, unit=unit)))
    if as_json:
        echo(
            json.dumps({"seed": seed, "unit": unit, **document_of(here, found)}, ensure_ascii=False)
        )
    else:
        echo("\n".join(table_lines(here, found)))
    if plot is not None:
        from emlia3d.cli.growth_plot import draw  # noqa: PLC0415  matplotlib may be missing

        draw(plot, seconds_by_size(found))


def _sizes(given: str | None, quick: bool) -> Sequence[int]:
    if given is None:
        return QUICK if quick else SIZES
    try:
        found = sorted({int(word) for word in given.replace("_", "").split(",")})
    except ValueError:
        found = [0]
    if found[0] < FEWEST or found[-1] > MOST:
        raise click.BadParameter(
            f"--sizes: expected numbers of figures from {FEWEST} to {MOST:,}, such as 1000,10000, "
            f"got {quoted(given)}"
        )
    return found


@contextmanager
def _on_threads(threads: int | None) -> Iterator[None]:
    before = os.environ.get("EMLIA3D_THREADS")
    if threads is not None:
        os.environ["EMLIA3D_THREADS"] = str(threads)
    try:
        yield
    finally:
        if threads is not None:
            os.environ.pop("EMLIA3D_THREADS")
            if before is not None:
                os.environ["EMLIA3D_THREADS"] = before


def _progress(found: Iterator[Measure | SkippedSize]) -> Iterator[Measure | SkippedSize]:
    """Yield the measurements; on a terminal, print the progress."""
    from rich.console import Console  # noqa: PLC0415  not for --help

    console = Console(stderr=True)
    if not console.is_terminal:
        yield from found
        return
    with console.status("emlia3d bench") as status:
        for measure in found:
            status.update(f"{measure.task}, {measure.ground}, {measure.figures:,} figures done")
            yield measure


def _can_plot() -> None:
    try:
        import matplotlib  # noqa: F401, PLC0415  asked for before hours are spent
    except ImportError as fault:
        raise MissingExtraError("drawing a plot", "plots") from fault

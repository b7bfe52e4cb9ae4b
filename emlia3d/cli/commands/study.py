"""``emlia3d study``: many battles of a scenario and its variants."""

from __future__ import annotations

from pathlib import Path

import click

from emlia3d.cli.parameters import (
    COMMANDER,
    FILE,
    JSON,
    SEED,
    TIME_LIMIT,
    TURNS,
    ScenarioName,
    Whole,
)


@click.command()
@click.argument(
    "scenario", type=ScenarioName(), metavar="SCENARIO", help="A file, or a bundled scenario."
)
@click.option(
    "--runs",
    type=Whole(1, 1_000_000),
    help=(
        "Number of seeds; with --until, the maximum. If the sides have "
        "different commanders, each seed is played twice, with exchanged "
        "commanders. [default: 100; with --until 10000]"
    ),
)
@SEED
@TURNS
@COMMANDER
@TIME_LIMIT
@click.option("--no-swap", is_flag=True, help="Do not exchange the commanders.")
@click.option(
    "--vary",
    multiple=True,
    metavar="KEY=A,B,C",
    help="Values of a key of the scenario, such as unit.archers.members=10,20 or game.victory; "
    "may be repeated. With --design lhs:N also a range, KEY=LOW:HIGH.",
)
@click.option(
    "--design",
    default="grid",
    metavar="grid|lhs:N",
    show_default=True,
    help="Variants: all combinations, or a Latin hypercube of N.",
)
@click.option(
    "--against", metavar="A,B,C", help="Commanders that play against each other, with Elo ratings."
)
@click.option(
    "--until",
    metavar="PERCENT",
    help="Stop when each win rate is known to within this, such as 2% (95% confidence).",
)
@click.option(
    "--out",
    type=FILE,
    metavar="FOLDER",
    help="Store the results in a folder, or continue the study there.",
)
@click.option(
    "--page",
    type=FILE,
    metavar="FILE.html",
    help="With --out: write a report with charts and tables.",
)
@click.option("--processes", type=Whole(1, 1024), help="Number of battles at once.")
@click.option(
    "--scheduler", metavar="tcp://HOST:PORT", help="Play on the workers of a Dask cluster."
)
@JSON
def study(  # noqa: PLR0913  one parameter an option
    *,
    scenario: str,
    runs: int | None,
    seed: int | None,
    turns: int | None,
    commander: tuple[str, ...],
    time_limit: float | None,
    no_swap: bool,
    vary: tuple[str, ...],
    design: str,
    against: str | None,
    until: str | None,
    out: Path | None,
    page: Path | None,
    processes: int | None,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Play many battles and compare variants.

    Print win rates, differences and ratings with 95% confidence intervals. With --out, store the
    battles as Parquet files; if the study is interrupted, the same command continues it.
    """
    from emlia3d.cli.records.studies import play_study  # noqa: PLC0415  not for --help

    play_study(
        scenario, runs=runs, seed=seed or 0, turns=turns, commanders=commander,
        time_limit_s=time_limit, swap=not no_swap, vary=vary, design=design,
        against=against, until=until, out=out, page=page, processes=processes,
        scheduler=scheduler,
        as_json=as_json,
    )  # fmt: skip

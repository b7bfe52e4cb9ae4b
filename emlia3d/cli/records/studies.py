"""Studies on the command line: progress, and results in tables or as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click
from rich.progress import TimeRemainingColumn

import emlia3d
from emlia3d.cli.interrupt import heeded
from emlia3d.cli.mustering import HUMAN, appointments, is_human
from emlia3d.cli.progress import bar_of
from emlia3d.cli.records.study_page import check_charts, write_page
from emlia3d.cli.writing import check_writable, echo
from emlia3d.studies.battles.study_result import StudyResult
from emlia3d.studies.battles.study_run import study
from emlia3d.studies.battles.tally import Proportion


def play_study(  # noqa: PLR0913  as the command's options
    scenario: str, *, runs: int | None, seed: int, turns: int | None, commanders: tuple[str, ...],
    time_limit_s: float | None, swap: bool, vary: tuple[str, ...], design: str,
    against: str | None, until: str | None, out: Path | None, page: Path | None,
    processes: int | None,
    scheduler: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Play a study and print its results."""
    if is_human(commanders):
        raise click.BadParameter(f"{HUMAN} plays one battle at a time: emlia3d battle")
    if page is not None and out is None:
        raise click.BadParameter("--page draws the results that --out keeps; give both")
    check_writable(page, (".html",), "pages")
    if page is not None:
        check_charts()
    aim = None if until is None else _part(until)
    with bar_of(TimeRemainingColumn()) as bar:
        task = bar.add_task(scenario, total=None)

        def progress(done: int, count: int) -> None:
            told = f"{scenario}: {done:,} of {count:,}"
            bar.update(task, completed=done, total=count, description=told)

        found = study(
            scenario, runs=runs, seed=seed, turns=turns, commanders=appointments(commanders),
            time_limit_s=time_limit_s, swap=swap, vary=vary, design=design,
            against=() if against is None else tuple(against.split(",")), until=aim, out=out,
            processes=processes, scheduler=scheduler, progress=progress, watch=heeded,
        )  # fmt: skip
    if page is not None and out is not None:
        write_page(page, found, out, scenario, seed)
    if as_json:
        echo(json.dumps(_document(found, seed), ensure_ascii=False))
    else:
        echo("\n".join(_result_lines(found, scenario, seed, rated=against is not None)))
        if aim is not None and found.widest_interval() > aim:
            echo(f"\n{_width_line(found, aim)}")


def _part(words: str) -> float:
    """Parse a percentage; return it as a proportion."""
    try:
        part = float(words.removesuffix("%")) / 100
    except ValueError:
        part = 0.0
    if not 0 < part < 0.5:
        raise click.BadParameter(f"--until {words}: expected a percentage from 0% to 50%")
    return part


def _width_line(found: StudyResult, aim: float) -> str:
    reach = f"An interval reaches {found.widest_interval():.1%} to either side, not {aim:.1%}"
    return f"{reach}, because --runs ended the study."


def _document(found: StudyResult, seed: int) -> dict[str, Any]:
    """Return the results as plain JSON values."""
    rated = found.variants[0].commanders and len(found.sides) == 2
    return {
        "program": emlia3d.__version__,
        "seed": seed,
        "battles": found.battles.num_rows,
        "variants": [
            {
                "name": variant.name,
                "settings": dict(variant.settings),
                "commanders": dict(variant.commanders),
                "won": {side: asdict(rate) for side, rate in found.win_rates(number).items()},
                "draws": asdict(found.draws(number)),
                "won_by_commander": {
                    name: asdict(rate) for name, rate in found.commander_rates(number).items()
                },
                "difference": None if number == 0 else asdict(
                    found.difference(found.sides[0], number)
                ),
            }
            for number, variant in enumerate(found.variants)
        ],
        "ratings": [asdict(one) for one in found.ratings()] if rated else [],
    }  # fmt: skip


def _result_lines(found: StudyResult, scenario: str, seed: int, *, rated: bool) -> Iterator[str]:
    """Yield the tables, line by line."""
    count, battles = len(found.variants), found.battles.num_rows
    yield (
        f"{scenario}: {battles:,} battle{'' if battles == 1 else 's'} of {count:,} "
        f"variant{'' if count == 1 else 's'}, study seed {seed}"
    )
    yield ""
    if rated:
        yield from _ratings(found)
        yield ""
    yield from _win_rates(found)
    if count > 1 and not rated:
        yield ""
        yield from _differences(found)


def _win_rates(found: StudyResult) -> Iterator[str]:
    names = [variant.name for variant in found.variants]
    width = max(map(len, names))
    led = {name for each in found.commanders for name in each}
    wide = max(*map(len, found.sides), *map(len, led), len("draw"))
    yield f"{'won by':{width + 2 + wide}}  {'battles':>7}  {'rate':>6}  95% interval"
    for number, name in enumerate(names):
        rates = {**found.win_rates(number), "draw": found.draws(number)}
        if found.is_swapped(number):
            rates |= found.commander_rates(number)
        for row, (side, rate) in enumerate(rates.items()):
            yield f"{'' if row else name:{width}}  {side:{wide}}  {_rate(rate)}"


def _rate(rate: Proportion) -> str:
    return f"{rate.count:>7,}  {rate.share:>6.1%}  {rate.low:>5.1%} to {rate.high:>6.1%}"


def _differences(found: StudyResult) -> Iterator[str]:
    side, names = found.sides[0], [variant.name for variant in found.variants]
    width = max(map(len, names))
    yield f"score of {side}, less that of the first variant with the same seeds"
    yield f"{'':{width}}  {'seeds':>7}  {'mean':>7}  95% interval"
    for number, name in enumerate(names[1:], 1):
        gap = found.difference(side, number)
        told = f"{gap.low:>+6.3f} to {gap.high:>+6.3f}"
        yield f"{name:{width}}  {gap.count:>7,}  {gap.mean:>+7.3f}  {told}"


def _ratings(found: StudyResult) -> Iterator[str]:
    ratings: Sequence[Any] = found.ratings()
    width = max(len(one.commander) for one in ratings)
    yield f"{'':{width}}  {'battles':>7}  {'score':>6}  {'Elo':>6}  95% interval"
    for one in ratings:
        yield (
            f"{one.commander:{width}}  {one.battles:>7,}  {one.score:>6.1%}  {one.elo:>+6.0f}  "
            f"{one.low:>+6.0f} to {one.high:>+6.0f}"
        )

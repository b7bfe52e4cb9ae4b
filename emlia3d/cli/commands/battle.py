"""``emlia3d battle``: play a battle to its end, with or without a window."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from emlia3d import cli
from emlia3d.cli.interrupt import heeded
from emlia3d.cli.mustering import HUMAN, is_human, mustered
from emlia3d.cli.parameters import (
    COMMANDER,
    FILE,
    FULL_SCREEN,
    JSON,
    PACE,
    SEED,
    SIZE,
    TIME_LIMIT,
    TURNS,
    ScenarioName,
    Whole,
)
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import DisplayError
from emlia3d.scenario import DEFAULT

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.events import Event
    from emlia3d.battle.files.log import BattleLog
    from emlia3d.view.pace import Pace

CLOSING_PICTURE = Path("battle.png")


@click.command()
@click.argument(
    "scenarios",
    type=ScenarioName(),
    nargs=-1,
    metavar="[SCENARIO]",
    help=f"A file, or a bundled scenario such as {DEFAULT}. With --verify: battle files.",
)
@SEED
@TURNS
@click.option("--swap-sides", is_flag=True, help="Exchange the commanders of the sides.")
@COMMANDER
@TIME_LIMIT
@click.option("--headless", is_flag=True, help="Run without a window.")
@click.option(
    "--save", type=FILE, metavar="FILE.battle.jsonl", help="Record the battle as it happens."
)
@click.option(
    "--resume",
    type=FILE,
    metavar="FILE.battle.jsonl",
    help="Resume a recorded battle.",
)
@click.option("--picture", type=FILE, metavar="FILE.png", help="Draw the end of the battle.")
@click.option(
    "--times",
    type=Whole(1, 1_000_000),
    help="Run this number of battles without a window and report win rates.",
)
@click.option(
    "--verify", is_flag=True, help="Play recorded battles again and report the first difference."
)
@click.option(
    "--processes",
    type=Whole(1, 1024),
    help="With --times and --verify: number of battles at once.",
)
@SIZE
@FULL_SCREEN
@PACE
@JSON
def battle(  # noqa: PLR0913  one parameter an option
    *,
    scenarios: tuple[str, ...],
    seed: int | None,
    turns: int | None,
    swap_sides: bool,
    commander: tuple[str, ...],
    time_limit: float | None,
    headless: bool,
    save: Path | None,
    resume: Path | None,
    picture: Path | None,
    times: int | None,
    verify: bool,
    processes: int | None,
    size: tuple[int, int] | None,
    full_screen: bool,
    pace: Pace | None,
    as_json: bool,
) -> int:
    """Play a battle to its end.

    With a display the battle opens in a window. Without one, its end is drawn to battle.png. With
    --times, it is played with consecutive seeds from --seed on. With --verify, recorded battles
    are replayed from their orders and compared.
    """
    _check_together(scenarios, commander)
    if verify:
        return cli.verify_files([Path(name) for name in scenarios], processes, as_json=as_json)
    name = scenarios[0] if scenarios else DEFAULT
    if times is not None:
        seeds = range(seed or 0, (seed or 0) + times)
        cli.many_battles.play_many(
            name, seeds, turns=turns, commanders=commander, time_limit_s=time_limit,
            swap_sides=swap_sides, processes=processes, as_json=as_json,
        )  # fmt: skip
        return 0
    started = time.monotonic()
    if is_human(commander):
        return cli.playing.play_battle(
            name if resume is None else str(resume), commander=commander, time_limit=time_limit,
            seed=seed, turns=turns, save=save, text=True,
        )  # fmt: skip
    check_writable(picture)
    check_writable(save, cli.battle_file.BATTLE_ENDINGS, "battles")
    watched = not headless and cli.drawing.has_window()
    kept = watched and (save, resume) == (None, None)
    if resume is None:
        scenario = mustered(name, commander, swap_sides, time_limit)
        if kept:
            fought, written = cli.begin_kept(scenario, seed or 0, turns, name)
        else:
            fought, written = cli.battle_file.begun(scenario, seed or 0, turns, save)
    else:
        fought, written = cli.battle_file.taken_up(resume, commander, time_limit)
    try:
        last = _play(
            fought,
            written,
            watched,
            beside=resume or Path(name),
            pace=pace,
            size=size,
            full_screen=full_screen,
        )
    finally:
        if written is not None:
            written.close()
    outcome = cli.outcome.outcome_of(fought, time.monotonic() - started)
    words = json.dumps(outcome, ensure_ascii=False) if as_json else cli.outcome.in_words(outcome)
    echo(words)
    if kept and written is not None and written.whole:
        cli.keep_picture(written.path, fought, last)
        echo(f"Kept in {written.path}", err=as_json)
    if picture is not None:
        cli.drawing.draw_end(fought, last, picture)
    elif not (watched or headless or as_json):
        _draw_the_end(fought, last)
    return 1 if outcome["result"] is None else 0


def _check_together(scenarios: tuple[str, ...], commanders: tuple[str, ...]) -> None:
    """Raise BadParameter for options that exclude each other."""
    values = click.get_current_context().params
    given = {
        name for name in values if values[name] not in (None, ()) and values[name] is not False
    }
    told = None
    if "verify" in given:
        if not scenarios or given - {"verify", "scenarios", "processes", "as_json"}:
            told = "--verify takes battle files, and only the options --processes and --json"
    elif len(scenarios) > 1:
        told = f"expected one scenario, got {len(scenarios)}"
    elif "times" in given:
        if given & {"save", "resume", "picture"}:
            told = "--times cannot be combined with --save, --resume and --picture"
    elif "processes" in given:
        told = "--processes needs --times or --verify"
    elif "resume" in given and given & {"scenarios", "seed", "turns", "save", "swap_sides"}:
        told = "--resume excludes SCENARIO, --seed, --turns, --save and --swap-sides"
    elif is_human(commanders) and given & {"picture", "as_json", "swap_sides"}:
        told = f"{HUMAN} cannot be combined with --picture, --json and --swap-sides"
    if told is not None:
        raise click.BadParameter(told)


def _play(
    fought: Battle, written: BattleLog | None, watched: bool, *, beside: Path, **window: Any
) -> list[Event]:
    """Play to the end, or until the window is closed; return the events of the last turn.

    beside : file in the folder from which the window offers other battles
    window : its size and other arguments, as for `show_in_window`
    """
    last: list[Event] = []
    events = _kept(fought.run(recorder=written), last)
    if watched:
        cli.drawing.show_in_window(
            fought,
            events,
            file=None if written is None else written.path,
            library=cli.opening.library_of(beside),
            **window,
            directed=True,
        )
    else:
        shown = cli.progress.by_turns(fought, events) if sys.stderr.isatty() else events
        for _ in heeded(shown):
            pass
    if written is not None and fought.result is not None:
        written.finish(fought.result)
    return last


def _kept(events: Iterable[Event], last: list[Event]) -> Iterator[Event]:
    """Yield the events, and store events of the current turn in *last*."""
    for event in events:
        if event.gesture == "turn":
            last.clear()
        last.append(event)
        yield event


def _draw_the_end(fought: Battle, last: list[Event]) -> None:
    try:
        cli.drawing.draw_end(fought, last, CLOSING_PICTURE)
    except (DisplayError, OSError) as flaw:
        echo(f"No picture: {flaw}", err=True)
    else:
        echo(f"No display found; the end of the battle is in {CLOSING_PICTURE}.")

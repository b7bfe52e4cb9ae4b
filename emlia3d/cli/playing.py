"""Battles with players, in the window or in the terminal."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence
from pathlib import Path

import click

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files.copying import free_name
from emlia3d.battle.files.record import read_record
from emlia3d.cli.battle_file import BATTLE_ENDINGS, is_battle_file, resumed_scenario
from emlia3d.cli.drawing import has_window, show_in_window
from emlia3d.cli.game_file import begun, fresh, named_after
from emlia3d.cli.mustering import commanded, is_human
from emlia3d.cli.opening import library_of
from emlia3d.cli.outcome import in_words, outcome_of
from emlia3d.cli.terminal_game import TerminalGame
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import DisplayError
from emlia3d.scenario import load
from emlia3d.view.orders.game_thread import GameThread
from emlia3d.view.pace import Pace


def play_battle(  # noqa: PLR0913  the options of the command
    scenario: str,
    *,
    side: Sequence[str] = (),
    commander: Sequence[str] = (),
    time_limit: float | None = None,
    seed: int | None,
    turns: int | None,
    save: Path | None,
    text: bool,
    no_fog: bool = False,
    text_size: float | None = None,
    pace: Pace | None = None,
    size: tuple[int, int] | None = None,
    full_screen: bool = False,
) -> int:
    """Answer ``emlia3d play [SCENARIO]``; return the exit status."""
    started = time.monotonic()
    if not text and not has_window():
        raise DisplayError("no display found; emlia3d play --text plays in the terminal")
    recorded = is_battle_file(Path(scenario))
    if recorded and (seed, turns, save) != (None, None, None):
        raise click.BadParameter("--seed, --turns and --save need a scenario, not a battle file")
    check_writable(save, BATTLE_ENDINGS, "battles")
    if recorded:
        record, made, humans = resumed_scenario(Path(scenario), commander, time_limit)
        seed, turns = record.header["seed"], record.header["turns"]
    else:
        made, humans = commanded(load(scenario), commander, time_limit)
    battle = made.battle(seed or 0, turns)
    people = _people(battle, [*side, *humans] or [battle.setup.sides[0].name])
    file = Path(scenario)
    if not recorded:
        file = save or free_name(named_after(scenario))
        begun(made, file, seed or 0, turns)
    if text:
        fought = TerminalGame(file, battle, people, fog=not no_fog).play()
    else:
        fought = in_window(
            file, battle, people, fog=not no_fog, text_size=text_size, pace=pace, size=size,
            full_screen=full_screen,
        )  # fmt: skip
    echo(in_words(outcome_of(fought, time.monotonic() - started)))
    if fought.result is None:
        words = ["emlia3d", "play", str(file)]
        if people != (0,):
            words += [word for row in people for word in ("--side", battle.setup.sides[row].name)]
        for one in commander:
            if not is_human([one]):
                words += ["--commander", one]
        echo(f"Resume with: {shlex.join(words)}")
    return 1 if fought.result is None else 0


def in_window(  # noqa: PLR0913  what a window may be given, each by its name
    file: Path,
    battle: Battle,
    people: tuple[int, ...],
    *,
    fog: bool,
    text_size: float | None = None,
    pace: Pace | None = None,
    size: tuple[int, int] | None = None,
    full_screen: bool = False,
) -> Battle:
    """Play a battle file in the window until it is closed; return the battle."""
    known, game_thread = sat_down(file, battle, people, fog=fog)
    show_in_window(
        battle, known, size, game_thread=game_thread, text_size=text_size, pace=pace,
        full_screen=full_screen, library=library_of(file),
    )  # fmt: skip
    return game_thread.game.battle


def sat_down(
    file: Path, battle: Battle, people: tuple[int, ...], *, fog: bool
) -> tuple[tuple[Event, ...], GameThread]:
    """Return the events in a battle file, and the game thread that continues it."""
    known = tuple(read_record(file).events(kinds_by_name(battle.system.events)))
    return known, GameThread(file, fresh(battle), people, before=len(known), fog=fog)


def _people(battle: Battle, names: Sequence[str]) -> tuple[int, ...]:
    """Return the rows of the sides with these names."""
    rows = {side.name: row for row, side in enumerate(battle.setup.sides)}
    for name in names:
        if name not in rows:
            raise click.BadParameter(f"--side: expected one of {', '.join(rows)}, got {name}")
    return tuple(sorted({rows[name] for name in names}))

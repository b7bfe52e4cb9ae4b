"""``emlia3d play``: people take sides in a battle."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from emlia3d.battle.battle import Battle
from emlia3d.battle.events import Event, kinds_by_name
from emlia3d.battle.files.record import read_record
from emlia3d.cli.battle_file import BATTLE_ENDINGS, is_battle_file, opened
from emlia3d.cli.drawing import has_window, show_in_window
from emlia3d.cli.game_file import begun, free_name, fresh, named_after
from emlia3d.cli.opening import library_of
from emlia3d.cli.outcome import in_words, outcome_of
from emlia3d.cli.settings import TextSize
from emlia3d.cli.text_table import TerminalGame
from emlia3d.cli.writing import check_writable, echo
from emlia3d.errors import DisplayError
from emlia3d.scenario import DEFAULT, load
from emlia3d.view.orders.desk import GameThread


def play(  # noqa: PLR0913, PLR0917  one parameter an option
    scenario: Annotated[
        str,
        typer.Argument(metavar="[SCENARIO]", help="A scenario or a battle file."),
    ] = DEFAULT,
    side: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A side that people play, again for each; or the first."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="What decides all dice.")
    ] = None,
    turns: Annotated[int | None, typer.Option(min=1, max=1000, help="Play so many turns.")] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE.battle.jsonl", help="Where the battle is written down."),
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Play in the terminal.")] = False,
    no_fog: Annotated[
        bool, typer.Option("--no-fog", help="Show those too whom no unit is aware of.")
    ] = False,
    text_size: TextSize = None,
) -> int:
    """Play a battle yourself: every decision of your side is yours.

    The battle is written down as it goes, in a new file beside you where --save names none.
    """
    started = time.monotonic()
    if not text and not has_window():
        raise DisplayError("there is no display here; emlia3d play --text plays in the terminal")
    recorded = is_battle_file(Path(scenario))
    if recorded and (seed, turns, save) != (None, None, None):
        raise typer.BadParameter("its file says which battle it is; give it alone")
    check_writable(save, BATTLE_ENDINGS, "battles")
    made = None if recorded else load(scenario)
    battle = opened(Path(scenario))[1] if made is None else made.battle(seed or 0, turns)
    people = _people(battle, side or [battle.setup.sides[0].name])
    file = Path(scenario)
    if made is not None:
        file = save or free_name(named_after(scenario))
        begun(made, file, seed or 0, turns)
    if text:
        fought = TerminalGame(file, battle, people, fog=not no_fog).play()
    else:
        fought = in_window(file, battle, people, fog=not no_fog, text_size=text_size)
    echo(in_words(outcome_of(fought, time.monotonic() - started)))
    if fought.result is None:
        echo(f"Go on with: emlia3d play {file}")
    return 1 if fought.result is None else 0


def in_window(
    file: Path,
    battle: Battle,
    people: tuple[int, ...],
    *,
    fog: bool,
    text_size: float | None = None,
) -> Battle:
    """Play a battle file in the window until it is closed; the battle as it stands then."""
    known, desk = sat_down(file, battle, people, fog=fog)
    show_in_window(battle, known, desk=desk, text_size=text_size, library=library_of(file))
    return desk.game.battle


def sat_down(
    file: Path, battle: Battle, people: tuple[int, ...], *, fog: bool
) -> tuple[tuple[Event, ...], GameThread]:
    """What is in a battle file already, and the desk at which people play on."""
    known = tuple(read_record(file).events(kinds_by_name(battle.system.events)))
    return known, GameThread(file, fresh(battle), people, before=len(known), fog=fog)


def _people(battle: Battle, names: list[str]) -> tuple[int, ...]:
    """The sides of these names, by row."""
    rows = {side.name: row for row, side in enumerate(battle.setup.sides)}
    for name in names:
        if name not in rows:
            raise typer.BadParameter(f"--side wants one of {', '.join(rows)}, not {name}")
    return tuple(sorted({rows[name] for name in names}))

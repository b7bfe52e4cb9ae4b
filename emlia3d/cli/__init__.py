"""The commands: words on a command line, and one line for each mistake of whoever typed them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Annotated

import typer

from emlia3d import __version__
from emlia3d.cli import interrupt
from emlia3d.cli.writing import echo
from emlia3d.errors import DisplayError, Error, MissingExtraError, ScenarioError
from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.cli import battle_file, drawing, many_battles, opening, outcome, played, progress

__all__ = [
    "battle_file", "drawing", "main", "many_battles", "opening", "outcome", "played", "progress",
]  # fmt: skip

DONE, NO_RESULT, MISTAKE, INTERRUPTED = 0, 1, 2, 130

COMMANDS = (
    "battle", "play", "view", "report", "sight", "viewshed", "exposure", "route", "odds", "import",
    "check", "scenarios", "rules", "bench", "models", "doctor",
)  # fmt: skip
"""In the order in which they are listed; each is the function of its name in its own module."""

_FUNCTIONS = {"import": "import_field"}
"""Functions, and their modules, of commands whose names are words of Python."""

_SHARED = ("battle_file", "drawing", "many_battles", "opening", "outcome", "played", "progress")
"""Modules that commands have loaded only if they come to need them."""

__getattr__ = on_demand(__name__, {name: f"emlia3d.cli.{name}" for name in _SHARED})


def _app(commands: Sequence[str]) -> typer.Typer:
    """What reads the words of a command line, for some of the commands."""
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        help="Plays, shows in 3D and explains tabletop battles.",
    )
    app.callback(invoke_without_command=True)(emlia3d)
    for name in commands:
        function = _FUNCTIONS.get(name, name)
        module = import_module(f"emlia3d.cli.commands.{function}")
        app.command(name)(getattr(module, function))
    return app


def emlia3d(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Plays, shows in 3D and explains tabletop battles."""
    if version:
        echo(f"emlia3d {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that *arguments* (those of the process if None) ask for; the exit status.

    0 done, 1 there is no result, 2 the user's mistake, 130 interrupted. A mistake is one line on
    standard error, and never a traceback.
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    # Where the first word names a command, what the others need is not loaded.
    named = [name for name in COMMANDS if given[:1] == [name]]
    try:
        with interrupt.noted():
            command = typer.main.get_command(_app(named or COMMANDS))
            status = command.main(given, prog_name="emlia3d", standalone_mode=False)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except typer.TyperException as flaw:
        asked = " ".join(["emlia3d", *named, "--help"])
        return _refuse(f"{flaw.format_message()} ({asked} lists what there is)")
    except ScenarioError as flaw:
        return _refuse(*(str(mistake) for mistake in flaw.mistakes))
    except (DisplayError, MissingExtraError) as flaw:
        _refuse(str(flaw))
        return NO_RESULT
    except Error as flaw:
        return _refuse(str(flaw))
    except OSError as flaw:
        return _refuse(f"{flaw.filename or 'emlia3d'}: {flaw.strerror or flaw}")
    if status == INTERRUPTED or interrupt.was_pressed():
        status = INTERRUPTED
        _refuse("emlia3d: interrupted")
    return DONE if status is None else int(status)


def _refuse(*mistakes: str) -> int:
    for mistake in mistakes:
        echo(" ".join(mistake.split()), err=True)
    return MISTAKE

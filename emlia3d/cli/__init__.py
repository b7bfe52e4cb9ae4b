"""The commands: words on a command line, and one line for each mistake of whoever typed them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from emlia3d import __version__
from emlia3d.cli.battle import battle
from emlia3d.cli.bench import bench
from emlia3d.cli.check import check
from emlia3d.cli.doctor import doctor
from emlia3d.cli.models import models
from emlia3d.cli.odds import odds
from emlia3d.cli.play import play
from emlia3d.cli.report import report
from emlia3d.cli.rules import rules
from emlia3d.cli.scenarios import scenarios
from emlia3d.cli.sight import sight
from emlia3d.cli.view import view
from emlia3d.cli.viewshed import viewshed
from emlia3d.errors import DisplayError, Error, MissingExtraError, ScenarioError

DONE, NO_RESULT, MISTAKE, INTERRUPTED = 0, 1, 2, 130

app = typer.Typer(
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Plays, shows in 3D and explains tabletop battles.",
)
COMMANDS = (
    battle, play, view, report, sight, viewshed, odds, check, scenarios, rules, bench, models,
    doctor,
)  # fmt: skip
for command in COMMANDS:
    app.command()(command)


@app.callback(invoke_without_command=True)
def emlia3d(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Plays, shows in 3D and explains tabletop battles."""
    if version:
        typer.echo(f"emlia3d {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that *arguments* (those of the process if None) ask for; the exit status.

    0 done, 1 there is no result, 2 the user's mistake, 130 interrupted. A mistake is one line on
    standard error, and never a traceback.
    """
    command = typer.main.get_command(app)
    given = None if arguments is None else list(arguments)
    try:
        status = command.main(given, prog_name="emlia3d", standalone_mode=False)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except typer.TyperException as flaw:
        return _refuse(f"{flaw.format_message()} (emlia3d --help lists what there is)")
    except ScenarioError as flaw:
        return _refuse(*(str(mistake) for mistake in flaw.mistakes))
    except (DisplayError, MissingExtraError) as flaw:
        _refuse(str(flaw))
        return NO_RESULT
    except Error as flaw:
        return _refuse(str(flaw))
    except OSError as flaw:
        return _refuse(f"{flaw.filename or 'emlia3d'}: {flaw.strerror or flaw}")
    if status == INTERRUPTED:
        _refuse("emlia3d: interrupted")
    return DONE if status is None else int(status)


def _refuse(*mistakes: str) -> int:
    for mistake in mistakes:
        print(" ".join(mistake.split()), file=sys.stderr)  # noqa: T201
    return MISTAKE

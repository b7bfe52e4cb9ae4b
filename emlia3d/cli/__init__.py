"""The command line: commands, and the output of errors as one line."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

import click
from typing_extensions import override

from emlia3d import __version__
from emlia3d.cli import interrupt
from emlia3d.cli.writing import echo
from emlia3d.errors import DisplayError, Error, MissingExtraError, ScenarioError
from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.cli import (
        battle_file,
        drawing,
        many_battles,
        opening,
        outcome,
        played,
        playing,
        progress,
    )
    from emlia3d.cli.records.kept_battles import begin_kept, keep_picture
    from emlia3d.cli.records.verifying import verify_files

__all__ = [
    "battle_file", "begin_kept", "drawing", "keep_picture", "main", "many_battles", "opening",
    "outcome", "played", "playing", "progress", "verify_files",
]  # fmt: skip

DONE, NO_RESULT, MISTAKE, INTERRUPTED = 0, 1, 2, 130

COMMANDS = (
    "battle", "play", "view", "edit", "report", "sight", "viewshed", "exposure", "route", "odds",
    "import", "check", "schema", "scenarios", "rules", "study", "bench", "models", "doctor",
)  # fmt: skip
"""Commands in the order of the help; each is the function of its name in a module of its own."""

COMPLETES = "_EMLIA3D_COMPLETE"
"""The environment variable with which a completion script requests the possible words."""

_FUNCTIONS = {"import": "import_field"}
"""Functions, and their modules, of commands whose names are words of Python."""

_SHARED = (
    "battle_file", "drawing", "many_battles", "opening", "outcome", "played", "playing", "progress",
)  # fmt: skip
"""Modules that commands import only when they need them."""

__getattr__ = on_demand(
    __name__,
    {name: f"emlia3d.cli.{name}" for name in _SHARED}
    | {
        "begin_kept": "emlia3d.cli.records.kept_battles",
        "keep_picture": "emlia3d.cli.records.kept_battles",
        "verify_files": "emlia3d.cli.records.verifying",
    },
)


class _Commands(click.Group):
    """The commands, each imported on first use."""

    @override
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    @override
    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        function = _FUNCTIONS.get(cmd_name, cmd_name)
        module = import_module(f"emlia3d.cli.commands.{function}")
        command: click.Command = getattr(module, function)
        return command

    @override
    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            raise click.NoSuchCommand(args[0], possibilities=COMMANDS, ctx=ctx)
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, invoke_without_command=True, context_settings={"show_default": True})
@click.version_option(__version__, message="%(prog)s %(version)s", help="Print the version.")
@click.option(
    "--completion",
    type=click.Choice(("bash", "zsh", "fish")),
    is_eager=True,
    expose_value=False,
    callback=lambda context, _, shell: _complete(context, shell),
    help='Print the completion script of a shell; eval "$(emlia3d --completion bash)" uses it.',
)
@click.pass_context
def _emlia3d(context: click.Context) -> None:
    """Plays, shows in 3D and explains tabletop battles."""
    if context.invoked_subcommand is None:
        echo(context.get_help())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command in *arguments* (None for the process's); return the exit status.

    The status is 0 for success, 1 for no result, 2 for a user error, and 130 for an interrupt. An
    error is one line on standard error, without a traceback.
    """
    if asked := os.environ.get(COMPLETES):
        from click.shell_completion import shell_complete  # noqa: PLC0415  for shells only

        return shell_complete(_emlia3d, {}, "emlia3d", COMPLETES, asked)
    return _run(sys.argv[1:] if arguments is None else list(arguments))


def _run(given: list[str]) -> int:
    """Run a command; return its exit status."""
    try:
        with interrupt.noted(), _emlia3d.make_context("emlia3d", given.copy()) as context:
            status = _emlia3d.invoke(context)
    except click.exceptions.Exit as wanted:
        status = wanted.exit_code
    except KeyboardInterrupt:
        status = INTERRUPTED
    except click.ClickException as flaw:
        named = [name for name in COMMANDS if given[:1] == [name]]
        asked = " ".join(["emlia3d", *named, "--help"])
        return _refuse(f"{flaw.format_message()} (see {asked})")
    except ScenarioError as flaw:
        return _refuse(*(str(diagnostic) for diagnostic in flaw.diagnostics))
    except (DisplayError, MissingExtraError) as flaw:
        _refuse(str(flaw))
        return NO_RESULT
    except Error as flaw:
        return _refuse(str(flaw))
    except BrokenPipeError:
        _close_output()
        status = NO_RESULT
    except OSError as flaw:
        return _refuse(f"{flaw.filename or 'emlia3d'}: {flaw.strerror or flaw}")
    if status == INTERRUPTED or interrupt.was_pressed():
        status = INTERRUPTED
        _refuse("emlia3d: interrupted")
    return DONE if status is None else int(status)


def _complete(context: click.Context, shell: str | None) -> None:
    if shell is None or context.resilient_parsing:
        return
    from click.shell_completion import get_completion_class  # noqa: PLC0415  not for --help

    script = get_completion_class(shell)
    assert script is not None, "click has a script for each of these shells"
    echo(script(_emlia3d, {}, "emlia3d", COMPLETES).source())
    context.exit()


def _refuse(*diagnostics: str) -> int:
    for diagnostic in diagnostics:
        echo(" ".join(diagnostic.split()), err=True)
    return MISTAKE


def _close_output() -> None:
    """Discard further output, because the program that read it, such as ``head``, has ended."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())

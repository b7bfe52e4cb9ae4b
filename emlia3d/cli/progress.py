"""Progress of slow work: a bar on a terminal, silence elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn, TimeElapsedColumn
from rich.text import Text

from emlia3d.errors import printable

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.events import Event


class _Description(TextColumn):
    """A task's description as plain text, without markup and control characters."""

    def render(self, task: Task) -> Text:
        return Text(printable(task.description))


def bar_of(*after: ProgressColumn) -> Progress:
    """Return a transient bar on standard error, with the columns *after* at its right."""
    console = Console(stderr=True)
    return Progress(
        _Description("{task.description}"), BarColumn(), *after,
        console=console, transient=True, disable=not console.is_terminal,
    )  # fmt: skip


@contextmanager
def progress_of(title: str) -> Iterator[Callable[[float], None]]:
    """Yield a function that sets a progress bar, from 0 to 1."""
    with bar_of(TimeElapsedColumn()) as bar:
        task = bar.add_task(title, total=1.0)
        yield lambda share: bar.update(task, completed=share)


def by_turns(fought: Battle, events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events, with a progress bar of the turns."""
    with bar_of(TimeElapsedColumn()) as bar:
        task = bar.add_task(fought.setup.title, total=fought.setup.turns)
        for event in events:
            turn = fought.state.turn
            bar.update(task, completed=turn - 1, description=f"{fought.setup.title}: turn {turn}")
            yield event

"""The connection to the code of a commander: one message out, one answer back, within a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

MOST_BYTES = 2**20
"""Length of the longest answer."""


class NoAnswerError(Exception):
    """Raised if a commander gives no answer; the message is the reason, in one line."""


class Channel(Protocol):
    """The connection to a commander that has been given the facts of its battle."""

    def ask(self, message: dict[str, Any], limit_s: float) -> Any:
        """Return the answer to a message as plain JSON values.

        Raises
        ------
        NoAnswerError
            If none comes within *limit_s* seconds, or none will come.
        ValueError
            If the answer is not JSON; the next message may be answered.
        """
        ...

    def close(self) -> None:
        """End the commander."""
        ...


Opener: TypeAlias = Callable[[dict[str, Any]], Channel]
"""Starts a commander with the facts of its battle; it may raise NoAnswerError."""

"""A commander as a Python class of other code, asked in a thread of its own."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeAlias

from emlia3d.battle.exchange.channel import NoAnswerError
from emlia3d.errors import cut

Factory: TypeAlias = Callable[[dict[str, Any]], Any]
"""The class of a commander: called with the facts of its battle, it gives an object that decides.

The object's method ``decide`` takes the message of a decision and returns the answer.
"""


@dataclass(frozen=True, slots=True)
class _Raised:
    """An exception of the code, and whether its object answers no more."""

    what: str
    is_over: bool


class PythonChannel:
    """Channel to a Python object whose method ``decide`` answers decisions.

    Python cannot end a thread, so the thread of a method that never returns stays until the program
    ends; it receives no further decisions.
    """

    def __init__(self, factory: Factory, battle: dict[str, Any]) -> None:
        """Have *factory* make the object, in the thread in which it decides."""
        self._messages = SimpleQueue[dict[str, Any] | None]()
        self._answers = SimpleQueue[Any]()
        Thread(
            target=_answer, args=(factory, battle, self._messages, self._answers), daemon=True
        ).start()
        # The thread ends with its battle, even if the commander is only dropped.
        self._ended = weakref.finalize(self, self._messages.put, None)

    def ask(self, message: dict[str, Any], limit_s: float) -> Any:
        """Return the answer to a message; a number of another library becomes an int."""
        self._messages.put(message)
        try:
            answer = self._answers.get(timeout=limit_s)
        except Empty:
            raise NoAnswerError(f"no answer within {limit_s:g} s") from None
        if isinstance(answer, _Raised):
            text = f"it raised {answer.what}"
            raise NoAnswerError(text) if answer.is_over else ValueError(text)
        return answer

    def close(self) -> None:
        """Let the thread end after its current answer."""
        self._ended()


def _answer(
    factory: Factory,
    battle: dict[str, Any],
    messages: SimpleQueue[dict[str, Any] | None],
    answers: SimpleQueue[Any],
) -> None:
    """Answer messages until one is None, or the code cannot begin or exits."""
    try:
        commander = factory(battle)
    except BaseException as fault:  # the code of others, which may even exit
        answers.put(_Raised(in_words(fault), is_over=True))
        return
    while (message := messages.get()) is not None:
        try:
            answers.put(_plain(commander.decide(message)))
        except Exception as fault:  # the code of others
            answers.put(_Raised(in_words(fault), is_over=False))
        except BaseException as fault:
            answers.put(_Raised(in_words(fault), is_over=True))
            return


def in_words(fault: BaseException) -> str:
    """Return an exception in one line."""
    text = " ".join(f"{type(fault).__name__}: {fault}".split())
    return cut(text.removesuffix(":"))


def _plain(answer: Any) -> Any:
    """Return the integer that an object of another library stands for, or the answer itself."""
    is_integer = hasattr(answer, "__index__") and not isinstance(answer, bool)
    return operator.index(answer) if is_integer else answer

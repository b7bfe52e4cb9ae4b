"""A commander in another process, which speaks JSON lines over standard input and output."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import weakref
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, Queue, SimpleQueue
from threading import Event, Thread
from typing import IO, Any

from emlia3d.battle.exchange.channel import MOST_BYTES, NoAnswerError
from emlia3d.errors import cut, quoted

_LEAVE_S = 0.5
"""Seconds that a process has to end by itself once its standard input is closed."""


class ProcessChannel:
    """A process that reads one message a line and answers each decision with one line.

    Threads read and write, because a process that does neither blocks the other end of a pipe.
    """

    def __init__(self, words: Sequence[str], battle: dict[str, Any]) -> None:
        """Start the program *words* and send it the facts of its battle.

        Raises
        ------
        NoAnswerError
            If it cannot be started.
        """
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as flaw:
            raise NoAnswerError(f"it cannot be started: {flaw.strerror}") from None
        assert self._process.stdin is not None, "it is a pipe"
        assert self._process.stdout is not None, "it is a pipe"
        self._messages = SimpleQueue[bytes | None]()
        self._lines = Queue[bytes](maxsize=1)
        self._closed = Event()
        # At the end of the program too, so that no process outlives its battle.
        self._ended = weakref.finalize(self, _end, self._process, self._messages, _LEAVE_S)
        for work, *with_ in (
            (_write, self._process.stdin, self._messages),
            (_read, self._process.stdout, self._lines, self._closed),
        ):
            Thread(target=work, args=with_, daemon=True).start()
        self._send(battle)

    def ask(self, message: dict[str, Any], limit_s: float) -> Any:
        """Return the answer to a message."""
        with suppress(Empty):
            self._next_line(0)
            raise NoAnswerError("it wrote a line that no message asked for")
        self._send(message)
        try:
            line = self._next_line(limit_s)
        except Empty:
            raise NoAnswerError(f"no answer within {limit_s:g} s") from None
        if len(line) > MOST_BYTES:
            raise NoAnswerError(f"its answer is longer than {MOST_BYTES:,} bytes")
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            text = line.decode("utf-8", "replace").strip()
            raise ValueError(f"expected JSON, got {quoted(cut(text, 60))}") from None

    def close(self) -> None:
        """Kill the process."""
        self._ended.detach()
        _end(self._process, self._messages, leave_s=0)
        self._closed.set()
        # The thread that reads may wait for room.
        with suppress(Empty):
            self._lines.get_nowait()

    def _send(self, message: dict[str, Any]) -> None:
        self._messages.put(f"{json.dumps(message, separators=(',', ':'))}\n".encode())

    def _next_line(self, limit_s: float) -> bytes:
        """Return the next line; raise Empty if none comes in time, NoAnswerError at the end."""
        line = self._lines.get(timeout=limit_s) if limit_s else self._lines.get_nowait()
        if line:
            return line
        try:
            status = self._process.wait(_LEAVE_S)
        except subprocess.TimeoutExpired:
            raise NoAnswerError("it closed its standard output") from None
        raise NoAnswerError(f"its process ended with status {status}")


def _write(stream: IO[bytes], messages: SimpleQueue[bytes | None]) -> None:
    """Write messages until one is None, or the process reads no more; close the stream."""
    with suppress(OSError), stream:
        while (message := messages.get()) is not None:
            stream.write(message)
            stream.flush()


def _read(stream: IO[bytes], lines: Queue[bytes], closed: Event) -> None:
    """Pass on lines, in pieces of at most `MOST_BYTES` + 1 bytes, and b"" at the end."""
    with suppress(OSError), stream:
        while line := stream.readline(MOST_BYTES + 1):
            lines.put(line)
            if closed.is_set():
                return
    lines.put(b"")


def _end(
    process: subprocess.Popen[bytes], messages: SimpleQueue[bytes | None], leave_s: float
) -> None:
    """Close the standard input of a process, and kill it with its children if it goes on."""
    messages.put(None)
    try:
        process.wait(leave_s)
    except subprocess.TimeoutExpired:
        if os.name == "posix":
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
        process.wait()

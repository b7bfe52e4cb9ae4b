"""Digest of the events of a battle: battles with equal digests have equal events."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from emlia3d.battle import events as _events
from emlia3d.battle.events import Event


def line_of(body: Mapping[str, Any]) -> str:
    """Return a JSON object as a line of a battle file: sorted keys, no spaces, no line end."""
    return json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False,
                      allow_nan=False)  # fmt: skip


class EventDigest:
    """SHA-256 of the event lines of a battle, each with its line end."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.events = 0

    def add(self, event: Event) -> str:
        """Add one event and return its line."""
        line = line_of(_events.to_json(event))
        self._hash.update(line.encode() + b"\n")
        self.events += 1
        return line

    def hexdigest(self) -> str:
        """Return the digest of all events so far."""
        return self._hash.hexdigest()

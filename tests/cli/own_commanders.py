"""Commanders of other code for tests: those of the tutorial, and some that fail."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "own-commander.md"

MISBEHAVING = {
    "hangs": "sleep 1000",
    "reads but hangs": "cat >/dev/null",
    "dies at once": "exit 3",
    "dies when asked": "read -r battle; read -r decision; exit 4",
    "answers nonsense": 'read -r battle; while read -r decision; do echo "fly to the moon"; done',
    "answers illegally": "read -r battle; while read -r decision; do echo 99999; done",
    "floods its output": "yes 0",
    "writes an endless line": r"tr '\000' x </dev/zero",
    "closes its output": "exec >&-; sleep 1000",
}
"""Shell scripts by what they do."""


def block(language: str) -> str:
    """The first code block of a language in the tutorial."""
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text("utf-8"), re.S | re.M)
    assert found
    return found[1]


def script(folder: Path, text: str, name: str = "commander.sh") -> Path:
    """A shell script in a folder."""
    file = folder / name
    file.write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n", "utf-8")
    file.chmod(0o755)
    return file


def lines_of(file: Path) -> list[dict[str, Any]]:
    """The lines of a battle file."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def orders_of(file: Path, side: int) -> list[dict[str, Any]]:
    """The orders of a side in a battle file."""
    return [line for line in lines_of(file) if "order" in line and line["side"] == side]


def forfeits_of(file: Path, side: int) -> list[str]:
    """The reasons of the orders that a side's commander forfeited."""
    whys = [order.get("why", "") for order in orders_of(file, side)]
    return [why for why in whys if why.startswith("forfeit")]


def events_of(file: Path) -> list[dict[str, Any]]:
    """The events in a battle file."""
    return [line for line in lines_of(file) if "event" in line]

"""docs/documents.md lists every key of the documents of `emlia3d bench` and of many battles."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "documents.md").read_text("utf-8")


def documents() -> list[dict[str, Any]]:
    """The documents of the page that stand there as JSON."""
    found = []
    for text in re.findall(r"^```json\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        try:
            found.append(json.loads(text))
        except json.JSONDecodeError:
            continue
    return found


def keys(document: Any, path: str = "") -> Iterator[str]:
    """Every key, with those above it; names of sides, and of levels, are all one."""
    match document:
        case dict():
            for key, value in document.items():
                own = "NAME" if path in {".won", ".levels", ".lost", ".each.lost"} else key
                yield f"{path}.{own}"
                if path != ".levels":
                    yield from keys(value, f"{path}.{own}")
        case list():
            for value in document:
                yield from keys(value, path)


@pytest.mark.parametrize(
    ("words", "known_by"),
    [
        (["bench", "--sizes", "100,10000000", "--tasks", "dice", "--longest", "0.1"], "measures"),
        (["battle", "duel", "--times", "2", "--turns", "1", "--processes", "1"], "bloodiest"),
    ],
    ids=["bench", "battle"],
)
def test_every_key_is_told_and_none_that_is_not_there(run, words: list[str], known_by: str) -> None:
    (told,) = [document for document in documents() if known_by in document]

    found = json.loads(run([*words, "--json"]).out)

    assert set(keys(found)) == set(keys(told))
    assert list(found) == list(told)

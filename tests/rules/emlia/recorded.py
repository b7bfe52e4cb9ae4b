"""Goldens of small battles: a line for each board, with a digest for each subject."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

from emlia3d.battle.battle import Battle
from tests.rules.emlia.answers import Subject, answers_of


def digests_of(
    battle: Battle, subjects: Iterable[Subject], most: int | None = None
) -> dict[str, str]:
    """Return a short digest of what the rules answer on each subject, by its name.

    most : the answers on so many units at most
    """
    return {
        subject.__name__: hashlib.sha256(answers_of(battle, subject, most).encode()).hexdigest()[
            :12
        ]
        for subject in subjects
    }


def recorded(
    golden: Path, number: int, found: dict[str, str], *, regenerate: bool, separator: str = " "
) -> dict[str, str]:
    """Return the digests that a golden has for a board, by subject.

    found : the digests of now, which take their place first if it is regenerated
    """
    lines = golden.read_text("utf-8").splitlines() if golden.exists() else []
    by_board = {int(line.split(separator)[0]): line for line in lines}
    if regenerate:
        pairs = (f"{name}:{digest}" for name, digest in found.items())
        by_board[number] = separator.join([str(number), *pairs])
        golden.write_text("".join(f"{by_board[key]}\n" for key in sorted(by_board)), "utf-8")
    return dict(pair.split(":") for pair in by_board[number].split(separator)[1:])

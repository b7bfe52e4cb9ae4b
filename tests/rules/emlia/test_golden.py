"""Battles that ship go the way they have always gone: their transcripts stand in ``golden/``.

A transcript shows each event in words, with the rules and the dice behind it, and ends with the
digest of the battle. After a change of the rules, the commander or the scenarios,
``pytest --regenerate`` rewrites the transcripts, and the commit says why they differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d import maps
from emlia3d.scenario import load
from tests.rules.emlia.transcript import transcript

FOLDER = Path(__file__).with_name("golden")

MOST_TURNS = {"castle": 4, "ford": 4, "marle": 3, "ridge": 4, "wendel": 3}
"""Of the longest battles the first turns are enough; the others are played to their end."""

LARGE = ("marle",)
"""Battles of which even the first turns take long."""

BATTLES = sorted(
    path.stem
    for path in Path(maps.__file__).parent.glob("*.toml")
    if 'rules = "emlia"' in path.read_text("utf-8")
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.long) if name in LARGE else name for name in BATTLES],
)
def test_a_battle_goes_as_it_always_went(
    name: str, regenerate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = load(name).battle(seed=1, turns=MOST_TURNS.get(name))
    recorded = FOLDER / f"{name}.txt"

    found = list(transcript(battle, monkeypatch))

    if regenerate:
        recorded.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == recorded.read_text("utf-8").splitlines()


def test_every_transcript_is_of_a_battle_that_ships() -> None:
    kept = sorted(path.stem for path in FOLDER.glob("*.txt"))

    assert kept == sorted([*BATTLES, "answers", "boards", "crowds", "homes", "orders", "ways"])

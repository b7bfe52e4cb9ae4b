"""Battles that ship go the way they have always gone: their digests stand here.

A digest says that something changed, and its commit says why: `pytest --regenerate` rewrites
the digests after a change of the rules, the commander or the scenarios.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from emlia3d.scenario import load

GOLDEN = {
    ("bandits", 1, None): "43dadb5e8e6680904103167a834c3525016eeac32a36a8d93262797bfcae93f6",
    ("castle", 1, 2): "3cb8f9810cc0b54276cd9ed1f1c1470455de93ad3ce21c76dc6fa4df3ae50849",
    ("duel", 1, None): "c13ebb2baa10de03679d97798828d0b45ffa0e566850e8eccd999f64ca4d17d0",
    ("ridge", 1, 2): "d245ca71f1342949909426f7b129672546f6936e27cc7b53c377e6ac72ee661f",
    ("thieves", 1, None): "2a922d49d2c80a49946d1bec72a1063197edea2475a666f2a23c9bf2b6e4ff85",
}


@pytest.mark.parametrize(
    ("name", "seed", "turns"), GOLDEN, ids=[f"{name} by seed {seed}" for name, seed, _ in GOLDEN]
)
def test_a_battle_goes_as_it_always_went(
    name: str, seed: int, turns: int | None, regenerate: bool
) -> None:
    battle = load(name).battle(seed=seed, turns=turns)

    battle.run_to_end()

    found = battle.digest.hexdigest()
    if regenerate:
        _rewrite((name, seed, turns), found)
    assert found == GOLDEN[name, seed, turns]


def _rewrite(battle: tuple[str, int, int | None], digest: str) -> None:
    here = Path(__file__)
    key = re.escape(str(battle).replace("'", '"'))
    text = re.sub(f'({key}: )"[0-9a-f]*"', f'\\1"{digest}"', here.read_text("utf-8"))
    here.write_text(text, encoding="utf-8")

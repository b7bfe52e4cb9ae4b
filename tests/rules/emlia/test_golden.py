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
    ("bandits", 1, None): "99d3cbfba63754b18d08e19beadcd90af4065b1b6bf13e1d84e55cc67e1a0011",
    ("duel", 1, None): "f8e021b2c35acc5b35d521f7f955805ef23081f215fbf51591878a48542fdcef",
    ("ridge", 1, 2): "dde9d326bb544057fadcd1dda539f370451745946fb6f3387d3bb2d1e9a77193",
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

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
    ("bandits", 1, None): "6e36c1f38a61974ed4e11fd861bfd1fa2d3fc7e14b0922b937409f454f75dc01",
    ("castle", 1, 2): "121e6a307677468a900e3a6fbee48fd825c1657e9d6932acd9590662ddc423d2",
    ("duel", 1, None): "dfb3484382326ae33e16eb934f79619dde71b1f78daf33794914c8bb27129392",
    ("ridge", 1, 2): "134bbf7f9609658e8e817e90554190eba7716996dcde72cc344a732346783f99",
    ("thieves", 1, None): "2c82dbe5b633dc1935c4a69d8b7e429f0b18d64f478c66f755912eb67ebc29c6",
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

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
    ("bandits", 1, None): "e36e3b67fe37fe82a4f7d204ba3f05a2424ce323a7f0a65a53723b96aaae1561",
    ("castle", 1, 2): "655b09790218d943381db23da5bf9cba71703bb52b573c5c9afd774e9743853c",
    ("duel", 1, None): "cb7469f01ad691a65047ea0ecefac0fc9db4dff5e17b5498f0179e8d0c38fec1",
    ("ridge", 1, 2): "eeb7615abf9d3cdc8a0f33452209a231fa0b09ae9d198213f50b55a149e3b7e6",
    ("thieves", 1, None): "e2df12cf0f541f69bc5252ca9e6020d9d38f40acfe9ec92c1ad23016a67bc3ff",
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

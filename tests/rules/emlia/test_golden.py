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
    ("bandits", 1, None): "3cd288b8223021a231ecd98b02c0922787e33bb24eeb3ac9912c1ef8ba2f694c",
    ("castle", 1, 2): "e7489e4da4062597c221bde8ffc63a5704900de3996f3f90d942e4fb287630f3",
    ("duel", 1, None): "3e1ea62aace5ca7825f2e762e7a7d15be2b2c16952b89d8a963cfd964b16d415",
    ("ridge", 1, 2): "c6384c3183a28fdfd4a0a39c5d87553db38559746a77a67bacb8d9810baca793",
    ("thieves", 1, None): "860990d1ff81b2d7bebdc38d539ca8a6f0bf2f0ec6abe5c094916ad30811edad",
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

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
    ("bandits", 1, None): "bbc2d913d4b8420b5190ce02845fbcb2be1979769dde6e00cdbb5cc99f7958d8",
    ("castle", 1, 2): "05fe41749cfb49e5cf6e2446e89d2065e4d6ceefa62f8f5e3cadc29f6cb5d4ad",
    ("duel", 1, None): "a44233bc726a566507bd67ca225f6b7ce9d38bfdf1459fec164bb22b4de2ee34",
    ("ridge", 1, 2): "ede59f2ae74f5fccf982ae65f09ce63aec0727e9925bb660d040d4668f689638",
    ("thieves", 1, None): "ea406acc496f85f1a3d594944f20f8403b656bd03a35882461631c7b80fca6cb",
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

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
    ("castle", 1, 2): "7217268f0cb95b48dd874e2c36004f97b8412e4ef0c544bc77701f793ecd1e5f",
    ("duel", 1, None): "ab1329eabfae9bb78e1f5a37c45f8df44c8b37b048838aa5aa373456d372ac32",
    ("ridge", 1, 2): "c94c8e2d2dd4affc50eccbfb54b3942843a02c919b3adbb52bda7c19c314b0eb",
    ("thieves", 1, None): "8fda9a457cfbcdc83671f0264be3679e4a4ad786fe92b4c51a374f4a5fdb1156",
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

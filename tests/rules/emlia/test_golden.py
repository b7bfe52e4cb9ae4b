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
    ("bandits", 1, None): "1b57abe9cc6180722afd3518374369558f71148c74b5423f27dab9ef8d37955f",
    ("castle", 1, 2): "bb58cfa0abb866a0bdd7b7434f5c936c1ec2ff2316edc2354749cda1aedaf1d2",
    ("duel", 1, None): "fc48c8e374129db22542ebd828b3c0017e414fab964c9507b72438a6f45be570",
    ("ridge", 1, 2): "4b3680be33b968a0efb0ab7f6020ccddad85c2155d39271cb8febc840bc7710a",
    ("thieves", 1, None): "b74fb9aff524438e9c4480d528bad5b731c7c9af518fad33766260724f3995cf",
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

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
    ("bandits", 1, None): "508fb05dcfc3beec9204e9ee9cb32dae06da318b1a15ff988a40d9a64239fb6d",
    ("castle", 1, 2): "70d313e21e4cfba98adcbb53847e0587dccd5d292c7d843b958fd2ae8a85c7dc",
    ("duel", 1, None): "ab1329eabfae9bb78e1f5a37c45f8df44c8b37b048838aa5aa373456d372ac32",
    ("ridge", 1, 2): "fff1f116a598fddae0b3b4c92340f7fce0a57371e8edaee4d7de1fd1902111b1",
    ("thieves", 1, None): "2418c730a0c9e3cf49b5396323e368404680e9601d919138b441d212897910e6",
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

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
    ("bandits", 1, None): "32bc6794ddd10a89bc5ebe5bd5c4d37b999b1b6cfb1aceee30a155918a3c045d",
    ("castle", 1, 2): "c9b1703780d67e4028ff2b62ca2f7bac37269efcbf4d459536fe8c931cc6cf7b",
    ("duel", 1, None): "f11c8c23a60b2c012fafee57863c41c529ac396e4c036d051c7a9e6f4b41e3c7",
    ("ridge", 1, 2): "656cd5f5c72011936082a233e421cd6f8fcc77a3bcde1d8d0883069654507be6",
    ("thieves", 1, None): "3890e7d58cbe867c2e11b9ff52a9ac600d87818f25ee3c01e82c69bd1b4af33c",
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

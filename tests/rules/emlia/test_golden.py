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
    ("bandits", 1, None): "45b43d79b6e93a974fd47155ccadc85dda6057f3e75a40bb3af42075a3c633aa",
    ("castle", 1, 2): "4963502a6255a84576e5faa938a10c23a9a00b6573dff54ba4cc221b61c38aa3",
    ("duel", 1, None): "f00c30e6980741c89cff5b02749c20a1ee22e3ec9030641e560f4c8b7a4c16fa",
    ("ridge", 1, 2): "5488a5a1d6090765ce66fadf6fbb734a76368fef94171cf63aa82d2abbc12cc8",
    ("thieves", 1, None): "b1455955c6dbfcaeac54a50ac58e9ad679d9684daea179d8e1cf8bf6b03c9752",
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

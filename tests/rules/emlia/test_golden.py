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
    ("castle", 1, 2): "748a15358df363678e095c4fd9591e06c64cc6ce4b542bfe361daad2ae1142f1",
    ("duel", 1, None): "ab1329eabfae9bb78e1f5a37c45f8df44c8b37b048838aa5aa373456d372ac32",
    ("ridge", 1, 2): "8d3fa7284665ebf987e8e00abfdec8d9cbacec41f0aa35c0226c8c114a030c55",
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

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
    ("castle", 1, 2): "76671aa49d025cf8d121f401fc48a8b769b4f0284ecece5cbed048559eb1e741",
    ("duel", 1, None): "f10ba4602ca6b35b9e56cc3ed20db31050389334359f7227c2edff72054fe9f4",
    ("ridge", 1, 2): "ff272ecc2da5cc372ab6f986e6a9e2689c67bb08b75164edd9b53c22a1bca064",
    ("thieves", 1, None): "ebe29660045580384c3f4154e1c11118fe130d5856c611fc595870e1163846ce",
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

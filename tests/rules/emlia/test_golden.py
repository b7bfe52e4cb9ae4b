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
    ("bandits", 1, None): "151ccd8444bf163e7ba4d51e4c0ebb9d11c0c0510cbfa3aac2b3296e4ac9e6d8",
    ("castle", 1, 2): "402e750b0f0bbd173fd4e2c035afede0fccf0ef92c5f235ba34109bdeb9c8197",
    ("duel", 1, None): "908959ca8e864184eba64db3f52ed35df5404900b7586bb97ef839ca2c5b1966",
    ("ridge", 1, 2): "a0470afd750f41149d594b14cb7322a4a4b75378e62b191504c3f3fd1c2bd244",
    ("thieves", 1, None): "1d96ac1ab0810b76bdf5fe444e77730bffec969925dc27bdbd9b2af6545524a2",
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

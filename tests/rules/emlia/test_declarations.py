"""Derived values read nothing of the state but what they declare."""

from __future__ import annotations

import pytest

from emlia3d.scenario import load
from tests.rules.emlia.declarations import Declarations

QUICK = {"bandits": None, "duel": None, "landing": 3, "thieves": 2}
OTHERS = {"castle": 3, "cavemen": None, "crossroads": None, "cruisers": None, "fieldday": None,
          "ford": 3, "remnants": None, "ridge": 3}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "turns"),
    [
        *QUICK.items(),
        *(pytest.param(*battle, marks=pytest.mark.slow) for battle in OTHERS.items()),
    ],
)
def test_derived_values_read_what_they_declare(
    name: str, turns: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = load(name).battle(seed=1, turns=turns)
    declarations = Declarations(monkeypatch)

    battle.run_to_end()

    assert {"situation_of", "sight_cache_of", "reaches_of"} <= declarations.computed
    assert "\n".join(declarations.undeclared()) == ""

"""A policy learns from what the environment shows it."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest


@pytest.mark.slow
def test_a_linear_policy_learns_to_beat_random_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    learn = import_module("benchmarks.learning").learn

    first, *_, last = learn("kings-road", 180)

    assert first[2] <= 0.35
    assert last[0] == "new seeds"
    assert last[2] >= 0.8

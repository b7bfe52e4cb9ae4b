"""The moment of a battle with nothing computed yet, for comparison with values kept up to date."""

from __future__ import annotations

from emlia3d.battle.battle import Battle


def recomputed(battle: Battle) -> Battle:
    """Return a battle with an equal state and no derived values."""
    twin = battle.fork()
    twin.derived = {}
    return twin

"""Fire lines that are judged together, against the catalogue's algorithm for one pair."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from emlia3d.rules.runolfsson.contacts import models_of
from emlia3d.rules.runolfsson.fire_line import ends_of, judge
from tests.rules.runolfsson.fire_oracle import Oracle
from tests.rules.runolfsson.tables import feature, table

COUNTS = {"hill": 3, "rock": 4, "tree": 4, "wall": 3, "shrub": 2, "stream": 1}


def scene(seed: int) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Models and terrain, close together on 24 by 24 inches."""
    random = Random(seed)
    models: list[dict[str, object]] = [
        {
            "at": [random.uniform(1.5, 22.5), random.uniform(1.5, 22.5)],
            "side": random.choice(("Red", "Blue")) if n > 1 else ("Red", "Blue")[n],
            "base": random.choice((1.0, 1.0, 1.5, 2.0)),
        }
        for n in range(14)
    ]
    terrain = []
    for kind, count in COUNTS.items():
        for _ in range(count):
            x, y = random.uniform(3, 21), random.uniform(3, 21)
            size = random.uniform(3, 7) if kind in {"hill", "stream"} else random.uniform(0.4, 1.5)
            if kind == "wall":
                terrain.append(feature(kind, at=(x, y, x + random.uniform(0.5, 4), y + 0.4)))
            else:
                terrain.append(feature(kind, circle=[x, y, size]))
    # A hill on a hill.
    x, y, size = terrain[0]["circle"]
    terrain.append(feature("hill", circle=[x + 0.3, y, size - 1.2]))
    return models, terrain


@pytest.mark.parametrize("seed", range(12))
def test_lines_are_as_the_algorithm_of_the_catalogue_has_them(seed: int) -> None:
    models, terrain = scene(seed)
    battle = table(*models, terrain=terrain, size=(24, 24))
    oracle, places, ends = Oracle(battle), models_of(battle), ends_of(battle)
    for side in (0, 1):
        own, foes = places.of_side(side), places.of_side(1 - side)
        one, other = np.repeat(own, len(foes)), np.tile(foes, len(own))

        lines = judge(battle, ends, one, ends, other)

        for row, pair in enumerate(zip(one.tolist(), other.tolist(), strict=True)):
            multiplier = float(lines.multiplier[row])
            found = multiplier, int(lines.modifier[row]) if multiplier else 0
            assert found == oracle.fire(*pair), (pair, lines.because(row))

"""Which members go round an enemy: those out of reach, as far as they may, next to the others."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray
from shapely import box

from emlia3d.force import Formation
from emlia3d.rules.emlia.play.engagement.enveloping import surrounding
from emlia3d.rules.emlia.tables.manoeuvres import is_linked

ENEMY = box(-1, 1, 1, 3)
NOTHING: NDArray[np.object_] = np.empty(0, dtype=object)


def moved(
    spots: list[tuple[float, float]], left: float | list[float], *obstacles: shapely.Polygon
) -> list[bool]:
    """Which of some men of 1 GSU with a reach of 1 move to surround the enemy."""
    before = np.array(spots, dtype=np.float64)
    after = surrounding(
        before, 0.5, ENEMY, 1.0, np.asarray(left) if isinstance(left, list) else left,
        np.array(obstacles, dtype=object),
    )  # fmt: skip
    return (after != before).any(axis=1).tolist()


@pytest.mark.rule("emlia.align.envelop")
@pytest.mark.parametrize(
    ("spots", "left", "goes"),
    [
        # 1 and 1.1 GSU from the enemy's front, with their edges half a GSU nearer: both reach him.
        ([(0, 0), (1.5, 0)], 20.0, [False, False]),
        # 2.2 GSU away is too far; there is room beside the second.
        ([(0, 0), (1.5, 0), (3, 0)], 20.0, [False, False, True]),
        ([(0, 0), (1.5, 0), (3, 0)], 0.0, [False, False, False]),
        ([(0, 0), (1.5, 0), (3, 0)], 0.25, [False, False, False]),
        ([(0, 0), (1.5, 0), (3, 0)], [20.0, 20.0, 0.25], [False, False, False]),
        ([(0, 0), (1.5, 0), (3, 0)], [0.0, 0.0, 20.0], [False, False, True]),
        # Exactly in reach is in reach.
        ([(0, 0), (1, -0.5)], 20.0, [False, False]),
        ([(0, 0), (1, -0.75)], 20.0, [False, True]),
        # A place in reach lies 2 GSU straight ahead of the second: exactly that far is allowed.
        ([(-0.25, -0.25), (1, -2.25)], 2.0, [False, True]),
        ([(-0.25, -0.25), (1, -2.25)], [0.0, 2.0], [False, True]),
        ([(-0.25, -0.25), (1, -2.25)], 1.99, [False, False]),
        # Where nobody has him in reach there is nobody to stand next to.
        ([(0, -3), (1.5, -3)], 20.0, [False, False]),
    ],
)
def test_who_has_the_enemy_in_reach_stays_and_others_go_as_far_as_they_may(
    spots: list[tuple[float, float]], left: float | list[float], goes: list[bool]
) -> None:
    assert moved(spots, left) == goes


@pytest.mark.rule("emlia.align.envelop")
def test_nobody_goes_round_where_others_stand() -> None:
    three = [(0, 0), (1.5, 0), (3, 0)]
    all_round = ENEMY.buffer(3).difference(shapely.MultiPoint(three).buffer(0.6))

    assert moved(three, 20.0) == [False, False, True]
    assert moved(three, 20.0, all_round) == [False, False, False]


@pytest.mark.rule("emlia.align.envelop", "emlia.form.close")
@pytest.mark.parametrize("seed", range(40))
def test_whoever_goes_is_in_reach_in_nobodys_way_and_linked(seed: int) -> None:
    chance = Random(seed)
    files, radius = chance.randint(2, 6), chance.choice([0.5, 0.5, 1.0])
    count, reach = chance.randint(3, 14), chance.choice([0.5, 1.0, 2.0])
    step = 3 * radius
    enemy = box(0, 0, chance.uniform(1, 8), chance.uniform(1, 5))
    west, ahead = chance.uniform(-6, 3), radius + chance.uniform(0, reach)
    before = np.array(
        [(west + step * (one % files), -ahead - step * (one // files)) for one in range(count)]
    )
    left = chance.choice([0.0, 2.0, 6.0, 20.0])
    others = [box(x, y, x + 2, y + 2) for x, y in (
        (chance.uniform(-6, 12), chance.uniform(-3, 8)) for _ in range(chance.randint(0, 2))
    )]  # fmt: skip

    after = surrounding(before, radius, enemy, reach, left, np.array(others, dtype=object))

    goes = (after != before).any(axis=1)
    near = shapely.distance(shapely.points(before), enemy) <= radius + reach
    assert left or not goes.any()
    assert not (goes & near).any()
    at = shapely.points(after[goes])
    assert (shapely.distance(at, enemy) <= radius + reach).all()
    assert (np.hypot(*(after - before).T)[goes] <= left + 0.01).all()
    assert not shapely.intersects(at.reshape(-1, 1), shapely.buffer(others, radius * 0.9)).any()
    apart = shapely.distance(shapely.points(after).reshape(-1, 1), at)
    assert (np.sort(apart, axis=0)[1:] >= 2 * radius - 0.01).all()
    assert not goes.any() or is_linked(after, radius, Formation.CLOSE)
    # Next to one who has the enemy in reach: no more than a GSU between the two.
    fights = after[goes | near]
    beside = shapely.distance(shapely.points(fights).reshape(-1, 1), at)
    assert (np.sort(beside, axis=0)[1:2] <= 2 * radius + 1.01).all()

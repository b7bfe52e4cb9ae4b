"""What `emlia3d bench` measures, as cases of pytest-benchmark.

Each group is one task on one ground; its rows are sizes. `checksum` is the same in every run and
on any number of threads. `emlia3d bench` draws the growth from them and compares with baselines.
"""

from __future__ import annotations

import pytest

from emlia3d.studies.host import SyntheticArmies, checksum
from emlia3d.studies.tasks import KINDS, TaskSpec

SIZES = (1_000, 10_000, 100_000)
# Of these the next size would take seconds a round.
LARGEST = {"turn": 1_000, "concealment": 10_000, "ground": 10_000}
CASES = [
    pytest.param(kind, hills, size, id=f"{kind.name} {'hills' if hills else 'level'} {size}")
    for kind in KINDS
    for hills in (False, True)
    if (kind.on_hills if hills else kind.on_level)
    for size in SIZES
    if size <= LARGEST.get(kind.name, SIZES[-1])
]


@pytest.mark.parametrize(("kind", "hills", "size"), CASES)
def test_growth(benchmark, kind: TaskSpec, hills: bool, size: int) -> None:
    task = kind.make(SyntheticArmies(size, hills=hills))
    benchmark.group = f"{kind.name}, {'hills' if hills else 'level ground'}"
    expected = checksum(task.once())

    result = benchmark.pedantic(task.work, setup=lambda: ((task.fresh(),), {}), rounds=3)

    assert checksum(result) == expected
    info = benchmark.extra_info
    info["figures"], info["counted"], info["count"] = size, task.counted, task.count
    info["checksum"] = expected

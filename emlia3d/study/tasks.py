"""Benchmark tasks: each kernel, and the longest of six turns, on armies of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emlia3d.study import fighting, looking
from emlia3d.study.host import SyntheticArmies, Task


@dataclass(frozen=True, slots=True)
class Kind:
    """A task by name; on_level, on_hills : the grounds on which it is something of its own."""

    name: str
    make: Callable[[SyntheticArmies], Task]
    on_level: bool = True
    on_hills: bool = True


KINDS = (
    Kind("corridors", looking.corridors, on_hills=False),
    Kind("concealment", looking.concealment),
    Kind("ground", looking.shut_by_ground, on_level=False),
    Kind("silhouettes", looking.silhouettes),
    Kind("lines", looking.lines, on_level=False),
    Kind("viewshed", looking.all_seen, on_level=False),
    Kind("hits", fighting.shared_hits, on_hills=False),
    Kind("damage", fighting.harm, on_hills=False),
    Kind("dice", fighting.checks, on_hills=False),
    Kind("neighbours", fighting.steps, on_hills=False),
    Kind("ways", fighting.ways, on_hills=False),
    Kind("turn", fighting.turn),
)
"""All benchmark tasks, in the order of the report."""

"""Benchmark tasks: each kernel, and the longest of six turns, on armies of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from emlia3d.studies import fighting, looking
from emlia3d.studies.host import SyntheticArmies, Task


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """A task by name; on_level, on_hills : whether it is different on that ground."""

    name: str
    make: Callable[[SyntheticArmies], Task]
    on_level: bool = True
    on_hills: bool = True


KINDS = (
    TaskSpec("corridors", looking.corridors, on_hills=False),
    TaskSpec("concealment", looking.concealment),
    TaskSpec("ground", looking.shut_by_ground, on_level=False),
    TaskSpec("silhouettes", looking.silhouettes),
    TaskSpec("lines", looking.lines, on_level=False),
    TaskSpec("viewshed", looking.all_seen, on_level=False),
    TaskSpec("hits", fighting.shared_hits, on_hills=False),
    TaskSpec("damage", fighting.harm, on_hills=False),
    TaskSpec("dice", fighting.checks, on_hills=False),
    TaskSpec("neighbours", fighting.steps, on_hills=False),
    TaskSpec("ways", fighting.ways, on_hills=False),
    TaskSpec("turn", fighting.turn),
)
"""All benchmark tasks, in the order of the report."""

"""Which entries of a catalogue the marked tests show to hold.

A test that is marked with an entry proves it, if it passes, in one of two ways:

- it executes the function that claims the entry, and that function claims at most three;
- the entry is a row of a table, and that row comes out of the function that reads the table.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, FunctionType
from typing import Any

from emlia3d.rules.emlia import actions
from emlia3d.rules.emlia.basics import scale, sizes, tables, unit_edges
from emlia3d.rules.emlia.tables import modes, terrain
from emlia3d.rules.emlia.unit_sets import unit_set, weapon
from emlia3d.rules.rulebook import ROWS, RULES

MOST_CLAIMS = 3
"""Entries that a function may claim, table rows aside, for its execution to prove them."""


def _example(of: str) -> Callable[[Mapping[str, Any], Any], tuple[str, ...]]:
    return lambda given, _: (f"{of}.examples.{str(given['printed']).replace(' ', '-')}",)


def _skill_of_cavemen(given: Mapping[str, Any], _: object) -> tuple[str, ...]:
    if given["self"].name != "Green Caveman Infantry":
        return ()
    return (f"emlia.caveman.{given['name'].replace(' ', '-')}",)


def _named_action(given: Mapping[str, Any], _: object) -> tuple[str, ...]:
    name = given["name"].replace("/", "-").replace(" ", "-")
    return (f"emlia.action.basic-list.{name}",)


WEAPONS = {
    "Warhammer": ("emlia.equip.melee.examples.warhammer",),
    "Sword and Dagger": ("emlia.equip.melee.examples.sword-dagger",),
    "Spear": ("emlia.equip.melee.examples.spear",),
    "Clubs": ("emlia.equip.melee.examples.club", "emlia.caveman.clubs"),
    "Longbow": ("emlia.equip.ranged.examples.longbow",),
    "Crossbow": ("emlia.equip.ranged.examples.crossbow",),
    "12-Gauge Shotgun": ("emlia.equip.ranged.examples.shotgun",),
    "Laser Rifle": ("emlia.equip.ranged.examples.laser",),
    "Mortar": ("emlia.equip.ranged.examples.mortar",),
    "Rocks": ("emlia.equip.ranged.examples.rocks", "emlia.caveman.rocks"),
}
MODES = {"G": "ground", "F": "flying", "B": "boat", "H": "hover", "S": "swimming"}


def named_rows(_: Mapping[str, Any], result: Any) -> Collection[str]:
    """The rows that a result names itself."""
    return (result.slug,) if hasattr(result, "slug") else getattr(result, "because", ())


READERS: Mapping[Callable[..., Any], Callable[[Mapping[str, Any], Any], Collection[str]]] = {
    tables.total: named_rows,
    sizes.size_of: _example("emlia.attr.size"),
    sizes.height_of: _example("emlia.attr.height"),
    scale.scale_named: lambda given, _: (f"emlia.scale.examples.{given['name']}",),
    actions.action: _named_action,
    unit_set.Entry.skill: _skill_of_cavemen,
    weapon.Weapon.usable_for: lambda given, _: WEAPONS.get(given["self"].name, ()),
    modes.medium_of: lambda given, _: (f"emlia.mode.{MODES[given['mode']]}",),
    unit_edges.align_cost: lambda given, _: (
        f"emlia.align.cost.{given['side'].value.rpartition(' ')[2]}",
    ),
    terrain.movement_cost: lambda given, _: (f"emlia.terrain.examples.{given['feature'].kind}",),
}
"""Which rows come out of a function that reads a table, from its arguments and its result.

A function that is not named here gives a result that names its rows in `because` or `slug`.
"""


class Proofs:
    """The entries that were proven so far.

    passed : marked tests that passed, by their node ids
    """

    def __init__(self) -> None:
        self.entries: set[str] = set()
        self.passed: set[str] = set()
        claims = Counter(id(RULES[slug]) for slug in RULES.keys() - ROWS)
        self._by_code: dict[int, set[str]] = {}
        for slug in RULES.keys() - ROWS:
            function = RULES[slug]
            if isinstance(function, FunctionType) and claims[id(function)] <= MOST_CLAIMS:
                self._by_code.setdefault(id(function.__code__), set()).add(slug)
        self._readers = {id(RULES[slug].__code__): named_rows for slug in ROWS}
        self._readers |= {id(function.__code__): reader for function, reader in READERS.items()}

    @contextmanager
    def of(self, slugs: Collection[str]) -> Iterator[None]:
        """Prove entries by what is executed inside; an exception proves none.

        Entries that are proven already are not looked for, so that few tests become slower.
        """
        wanted = set(slugs) - self.entries
        shown: set[str] = set()

        def watch(frame: FrameType, event: str, result: Any) -> None:
            if event == "call":
                shown.update(self._by_code.get(id(frame.f_code), ()))
            elif event == "return" and id(frame.f_code) in self._readers:
                shown.update(self._readers[id(frame.f_code)](frame.f_locals, result))
            if wanted <= shown:
                sys.setprofile(None)

        if wanted:
            sys.setprofile(watch)
        try:
            yield
        finally:
            sys.setprofile(None)
        self.entries |= wanted & shown

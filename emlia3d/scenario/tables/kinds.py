"""Kinds of terrain in a scenario: the kinds of all systems and a system's own."""

from __future__ import annotations

from collections.abc import Mapping

from emlia3d.battle.system import System
from emlia3d.field import KINDS, OTHER_NAMES
from emlia3d.field.terrain import TerrainKind
from emlia3d.rules.catalogue import SYSTEMS
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.systems import Systems
from emlia3d.scenario.toml_lines import Path


def terrain_names(system: System | None) -> set[str]:
    """Return the names of the kinds of terrain of a rule system."""
    kinds = set(KINDS) if system is None else set(system.terrain) & set(KINDS)
    own = set() if system is None else {kind.name for kind in system.own_terrain}
    return kinds | own | {other for other, meant in OTHER_NAMES.items() if meant in kinds}


def taken_for(
    collector: ErrorCollector, place: Path, given: Mapping[str, str], systems: Systems
) -> dict[str, str]:
    """Return the kind of terrain of a feature under each rule system.

    The word for a system that is not installed is unchanged.
    """
    found = {}
    for name, word in given.items():
        meant = collector.meant((*place, name), "rule system", name, {*SYSTEMS, *systems})
        if meant is None:
            continue
        kind: str | None = word
        if meant in systems:
            known = terrain_names(systems[meant])
            kind = collector.meant((*place, name), f"terrain of {meant}", word, known)
        if kind is not None:
            found[meant] = OTHER_NAMES.get(kind, kind) if meant in systems else kind
    return found


def kind_of(system: System | None, name: str) -> str | TerrainKind:
    """Return a kind that the rule system adds, or the name."""
    own = () if system is None else system.own_terrain
    return next((kind for kind in own if kind.name == name), name)

"""Emlia, one module a chapter: its figures and tables, and how they are played."""

from emlia3d.rules.emlia.allocation import Harm, Markers, Targets, allocate_hits, resolve_hits
from emlia3d.rules.emlia.play.sight.matrix import conceal_matrix
from emlia3d.rules.emlia.system import SYSTEM

__all__ = [
    "SYSTEM",
    "Harm",
    "Markers",
    "Targets",
    "allocate_hits",
    "conceal_matrix",
    "resolve_hits",
]

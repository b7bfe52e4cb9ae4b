"""Entries of scenario tables that a rule system reads: unit sets, armies, hazards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from emlia3d.field import Scale
    from emlia3d.force.roster import Troops


class Entry(Protocol):
    """A unit-set entry as its rule system reads it; the scenario needs no more than this of it.

    members, files : as they stand where the scenario says nothing; files None for the usual
    formation : by name, as `emlia3d.force.FORMATIONS` has it
    """

    @property
    def members(self) -> int: ...  # noqa: D102
    @property
    def files(self) -> int | None: ...  # noqa: D102
    @property
    def formation(self) -> str: ...  # noqa: D102

    def troops(self, scale: Scale) -> Troops:
        """Return what the roster requires."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hired:
    """One unit of a force.

    entry : what its rule system knows of it, validated
    kind : the entry's own name in its unit set; "" for a unit of none
    section : the part of the army in which it serves, from the largest down; empty for the army
    """

    name: str
    entry: object
    kind: str
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Advice to the author of a scenario; no error.

    slug : of the rule that asks for it
    about : the kind of table, and its name; () for the whole scenario
    """

    slug: str
    told: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error of a scenario that its rule system finds.

    message : one line, "KEY: expected WHAT, got VALUE"
    at : the keys and indices that lead to its place in the file, such as ("game", "markers", 0);
        after "side" or "unit" stands the row of the setup
    """

    message: str
    at: tuple[str | int, ...] = ()


class Hazard(Protocol):
    """A hazard for units that come near a place of a scenario."""

    @property
    def near(self) -> str:
        """The name of an area or of a terrain feature."""
        ...

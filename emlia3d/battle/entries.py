"""Entries of scenario tables that a rule system defines: unit sets, armies, hazards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from emlia3d.field import Scale
    from emlia3d.force.roster import Troops


class Entry(Protocol):
    """Unit-set entry of a rule system, as far as the scenario reads it.

    members, files : used if the scenario sets none; None for the default number of files
    formation : a name from `emlia3d.force.FORMATIONS`, used if the scenario sets none
    """

    @property
    def members(self) -> int: ...  # noqa: D102
    @property
    def files(self) -> int | None: ...  # noqa: D102
    @property
    def formation(self) -> str: ...  # noqa: D102

    def troops(self, scale: Scale) -> Troops:
        """Return the data of the unit that the roster needs."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Hired:
    """One unit of a force.

    entry : its rule system's data, validated
    kind : the entry's name in its unit set; "" for a unit without an entry
    section : the sections of the army in which it serves, from the largest down; () for none
    """

    name: str
    entry: object
    kind: str
    section: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Advice to the author of a scenario, which is not an error.

    slug : the rule that recommends it
    about : the kind of table and its name; () for the whole scenario
    """

    slug: str
    told: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An error of a scenario that its rule system finds.

    message : one line, "KEY: expected WHAT, got VALUE"
    at : the path of keys and indices in the file, such as ("game", "markers", 0); the row of the
        setup follows "side" or "unit"
    """

    message: str
    at: tuple[str | int, ...] = ()


class Hazard(Protocol):
    """Hazard for units that come near an area or terrain feature of a scenario."""

    @property
    def near(self) -> str:
        """The name of an area or of a terrain feature."""
        ...

"""Building an army from a unit set, as the scenario asks a rule system about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel


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


@runtime_checkable
class Hirer(Protocol):
    """A rule system that knows hire values, options of units and armies with restrictions."""

    @property
    def army_model(self) -> type[BaseModel]:
        """The pydantic model of a unit set's ``[army.NAME]``."""
        ...

    def with_options(self, entry: Mapping[str, Any], options: Sequence[str]) -> dict[str, Any]:
        """An entry with the options that are taken; ValueError for one that it does not have."""
        ...

    def entries_of(self, army: BaseModel) -> set[str]:
        """The entries that an army names."""
        ...

    def cost(self, force: Sequence[Hired], army: str) -> float:
        """The hire values of a force together.

        army : the name of the army that it is of; "" for none
        """
        ...

    def army_faults(
        self, army: BaseModel, force: Sequence[Hired]
    ) -> Sequence[tuple[int | None, str]]:
        """What an army's restrictions forbid: the unit by number, None for the whole, and why."""
        ...

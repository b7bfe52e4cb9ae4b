"""Armies of a unit set, with the entries that each allows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, Field, Strict
from typing_extensions import override

from emlia3d.battle.entries import Hired
from emlia3d.battle.system import System
from emlia3d.rulekit.strict_model import StrictModel


class Army(StrictModel):
    """An army of a unit set.

    entries : names of the allowed entries
    """

    title: str = Field(default="", max_length=200, description="a title in quotation marks")
    entries: Annotated[tuple[str, ...], Strict(False)] = Field(
        description="a list of names of entries"
    )


def army_faults(army: Army, force: Sequence[Hired]) -> list[tuple[int | None, str]]:
    """Return the number of each unit that the army does not allow, and the reason."""
    return [
        (number, f"{hired.name} is no entry of {army.title or 'the army'}")
        for number, hired in enumerate(force)
        if hired.kind not in army.entries
    ]


class ListedArmies(System):
    """Rule system whose armies list the entries that they allow."""

    @override
    @property
    def army_model(self) -> type[BaseModel]:
        return Army

    @override
    def entries_of(self, army: BaseModel) -> set[str]:
        assert isinstance(army, Army)
        return set(army.entries)

    @override
    def army_faults(
        self, army: BaseModel, force: Sequence[Hired]
    ) -> Sequence[tuple[int | None, str]]:
        assert isinstance(army, Army)
        return army_faults(army, force)

"""Armies of a unit set that name the entries which may serve in them."""

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

    entries : that may serve in it
    """

    title: str = Field(default="", max_length=200, description="a title in quotation marks")
    entries: Annotated[tuple[str, ...], Strict(False)] = Field(
        description="a list of names of entries"
    )


def army_faults(army: Army, force: Sequence[Hired]) -> list[tuple[int | None, str]]:
    """Return each unit that is none of the army's entries, by number, and why."""
    return [
        (number, f"{hired.name} is no entry of {army.title or 'the army'}")
        for number, hired in enumerate(force)
        if hired.kind not in army.entries
    ]


class ListedArmies(System):
    """A rule system whose armies name the entries which may serve in them."""

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

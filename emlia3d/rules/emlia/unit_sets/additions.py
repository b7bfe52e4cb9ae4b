"""Emlia, chapters 3 and 5: skills and modes of movement that a unit set adds to the book's."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.tables.modes import MODES
from emlia3d.rules.emlia.tables.skills import SKILLS
from emlia3d.rules.emlia.unit_sets.abilities import Ability, GrantedAction, Modifier
from emlia3d.rules.rulebook import rule

Letter = Annotated[str, StringConstraints(pattern="^[A-Z]$")]


class AddedMode(StrictModel):
    """A mode of movement that a unit set adds.

    name : its name
    moves_as : letter of the book's mode whose movement and terrain rules it uses
    """

    name: str = Field(min_length=1, description="a name in quotation marks")
    moves_as: Literal["G", "F", "B", "H", "S"] = Field(description="G, F, B, H or S")


@rule("emlia.skill.names")
def check_skills(names: Iterable[str], added: Iterable[str]) -> None:
    """Raise ValueError for the first skill that neither the core nor the unit set has."""
    known = [*SKILLS, *added]
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise ValueError(f"unknown skill {name}; {hint}")


def skills_named(abilities: Iterable[Ability]) -> list[str]:
    """Return the skills that abilities name."""
    return [
        ability.skill
        for ability in abilities
        if isinstance(ability, Modifier | GrantedAction) and ability.skill is not None
    ]


def letters_of(added: Mapping[str, AddedMode]) -> dict[str, str]:
    """Return the book's mode for the letter of each added mode; ValueError for a taken letter."""
    for letter in added:
        if letter in MODES:
            raise ValueError(f"{letter} is already a mode of the rulebook: {MODES[letter]}")
    return {letter: mode.moves_as for letter, mode in added.items()}

"""Emlia, chapters 3.3 and 23: the cost of a unit, and options that change it.

Holds `emlia.unitset.options`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field

from emlia3d.errors import cut
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.rulebook import rule


class HireValue(StrictModel):
    """Conditional hire value; the first whose condition is met applies.

    army : in a force of this army of the unit set
    with_entry : in a force that also has a unit of this entry
    """

    value: float = Field(ge=0, description="a number from 0")
    army: str | None = Field(default=None, description="the name of an army")
    with_entry: str | None = Field(default=None, description="the name of an entry")


class Option(StrictModel):
    """Option with which a unit may be hired.

    hire_value : amount that it adds to the unit's hire value, or subtracts
    sets : attributes of the entry that it replaces
    """

    text: str = Field(default="", max_length=400, description="a sentence")
    hire_value: float = Field(default=0.0, description="a number")
    sets: dict[str, Any] = Field(default={}, description="a table of attributes of the entry")


@rule("emlia.unitset.options")
def with_options(entry: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Return an entry with options: attributes replaced, and hire values changed.

    Raises
    ------
    ValueError
        The entry has no such option, or one would bring a hire value below 0.
    """
    changed = dict(entry)
    known: Mapping[str, Any] = entry.get("options", {})
    for name in names:
        if name not in known:
            there = f"there is {', '.join(sorted(known))}" if known else "it has none"
            raise ValueError(f"{entry.get('name', 'this unit')} has no option {cut(name)}; {there}")
        option = Option.model_validate(known[name])
        changed |= option.sets
        changed["hire_value"] = changed.get("hire_value", 0) + option.hire_value
        changed["hire_values"] = [
            {**value, "value": value["value"] + option.hire_value}
            for value in changed.get("hire_values", ())
        ]
        if min(changed["hire_value"], *(v["value"] for v in changed["hire_values"]), 0) < 0:
            raise ValueError(f"the option {name} would bring the hire value below 0")
    return changed

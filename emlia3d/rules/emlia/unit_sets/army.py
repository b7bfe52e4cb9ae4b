"""Emlia, chapter 23: armies of a unit set, and the check of a force against one.

Holds `emlia.unitset.definition`, `emlia.unitset.restrictions` and `emlia.unitset.points`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field, Strict, ValidationInfo, field_validator

from emlia3d.battle.entries import Hired
from emlia3d.battle.formatting import percent
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.emlia.unit_sets.abilities import shares_keyword
from emlia3d.rules.emlia.unit_sets.unit_set import Entry
from emlia3d.rules.rulebook import rule

Names = Annotated[tuple[str, ...], Strict(False)]


def _at_least(most: int | None, info: ValidationInfo) -> int | None:
    """Return *most*; raise ValueError if it is below the minimum."""
    least = info.data.get("least", 0)
    if most is not None and least > most:
        raise ValueError(f"least: expected at most {most}, got {least}")
    return most


class Limit(StrictModel):
    """A limit on units of some entries, or with some keywords, in a section of an army.

    entries, keywords : a unit counts if it is of one of the entries or has one of the keywords
    least, most : minimum and maximum number of such units together
    least_share, most_share : minimum and maximum share of the section's units
    """

    entries: Names = Field(default=(), description="a list of names of entries")
    keywords: Names = Field(
        default=(), validate_default=True, description="a list of keywords of entries"
    )
    least: int = Field(default=0, ge=0, description="a whole number of units from 0")
    most: int | None = Field(default=None, ge=0, description="a whole number of units from 0")
    least_share: float = Field(default=0.0, ge=0, le=1, description="a number from 0 to 1")
    most_share: float = Field(default=1.0, ge=0, le=1, description="a number from 0 to 1")

    @field_validator("keywords")
    @classmethod
    def _limits_some(cls, keywords: Names, info: ValidationInfo) -> Names:
        if not keywords and info.data.get("entries") == ():
            raise ValueError("a limit needs entries or keywords")
        return keywords

    def counts(self, hired: Hired) -> bool:
        """Return whether the limit counts a unit."""
        assert isinstance(hired.entry, Entry)
        return hired.kind in self.entries or shares_keyword(hired.entry.keywords, self.keywords)

    @field_validator("most")
    @classmethod
    def _not_less_than_least(cls, most: int | None, info: ValidationInfo) -> int | None:
        return _at_least(most, info)


class ArmyList(StrictModel):
    """An army of a unit set, or a section of one: battalion, company, platoon.

    entries : entries allowed in it outside its sections; None allows all of the set, or none if
        the army has only sections
    limits : limits on the numbers of units
    sections : its parts, each with restrictions of its own
    least, most : units in it, with all its sections
    """

    title: str = Field(default="", max_length=200, description="a title in quotation marks")
    entries: Names | None = Field(default=None, description="a list of names of entries")
    least: int = Field(default=0, ge=0, description="a whole number of units from 0")
    most: int | None = Field(default=None, ge=0, description="a whole number of units from 0")
    limits: Annotated[tuple[Limit, ...], Strict(False)] = Field(
        default=(), description="a list of tables, each with entries"
    )
    sections: dict[str, ArmyList] = Field(default={}, description="tables, each a section")

    @field_validator("most")
    @classmethod
    def _not_less_than_least(cls, most: int | None, info: ValidationInfo) -> int | None:
        return _at_least(most, info)

    def named(self) -> set[str]:
        """All entries that the army names, in sections too."""
        names = {*(self.entries or ()), *(name for one in self.limits for name in one.entries)}
        return names.union(*(section.named() for section in self.sections.values()))


@rule("emlia.unitset.restrictions", "emlia.unitset.definition")
def army_faults(army: ArmyList, force: Sequence[Hired]) -> list[tuple[int | None, str]]:
    """Return violations of an army's restrictions: units not allowed, wrong numbers.

    Each comes with the unit's number in the force, or None for the whole force.
    """
    units = [(number, hired, hired.section) for number, hired in enumerate(force)]
    return list(_faults(army, units, "the army"))


Serving = tuple[int, Hired, tuple[str, ...]]


def _faults(
    army: ArmyList, units: Sequence[Serving], what: str
) -> Iterator[tuple[int | None, str]]:
    within: dict[str, list[Serving]] = {name: [] for name in army.sections}
    direct: list[Hired] = []
    for number, hired, path in units:
        if path and path[0] in within:
            within[path[0]].append((number, hired, path[1:]))
        elif path:
            there = f"there is {', '.join(within)}" if within else "it has none"
            yield number, f"{what} has no section {path[0]}; {there}"
        elif army.entries is None and army.sections:
            yield number, f"{hired.name} is in no section of {what}: {', '.join(within)}"
        elif army.entries is not None and hired.kind not in army.entries:
            yield number, f"{hired.name} may not serve in {what}: {', '.join(army.entries)} may"
        else:
            direct.append(hired)
    yield from _wrong_number(len(units), army.least, army.most, f"{what}: expected")
    for limit in army.limits:
        count = sum(map(limit.counts, direct))
        named = " and ".join((*limit.entries, *limit.keywords))
        yield from _wrong_number(count, limit.least, limit.most, f"{named} in {what}: expected")
        share = count / len(direct) if direct else 0.0
        if not limit.least_share <= share <= limit.most_share:
            bounds = f"{percent(limit.least_share)} to {percent(limit.most_share)}"
            yield None, f"{named}: expected {bounds} of the units of {what}, got {percent(share)}"
    for name, section in army.sections.items():
        yield from _faults(section, within[name], name)


def _wrong_number(
    count: int, least: int, most: int | None, told: str
) -> Iterator[tuple[int | None, str]]:
    if count < least:
        yield None, f"{told} at least {least} units, got {count}"
    if most is not None and count > most:
        yield None, f"{told} at most {most} units, got {count}"


@rule("emlia.unitset.points", "emlia.attr.hire-value", "emlia.castle.forces")
def cost(force: Sequence[Hired], army: str) -> float:
    """Return the total hire value of a force, each unit's by its own condition.

    army : name of its army; "" for none
    """
    kinds = {hired.kind for hired in force}
    return sum(_hire_value(hired, kinds, army) for hired in force)


def _hire_value(hired: Hired, kinds: set[str], army: str) -> float:
    entry = hired.entry
    assert isinstance(entry, Entry)
    for value in entry.hire_values:
        here = value.army is None or value.army == army
        if here and (value.with_entry is None or value.with_entry in kinds):
            return value.value
    return entry.hire_value

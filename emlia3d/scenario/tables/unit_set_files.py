"""Unit-set files, and the entries that a ``[[unit]]`` uses and overrides."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from emlia3d.battle.system import System
from emlia3d.errors import FileError, RuleSystemError, ScenarioError, near
from emlia3d.rulekit.strict_model import StrictModel
from emlia3d.rules.samples import SAMPLE
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.messages import complaints, nearest, shown
from emlia3d.scenario.sources import Sources
from emlia3d.scenario.systems import Systems
from emlia3d.scenario.toml_lines import Document, Path


class UnitSetHeading(StrictModel):
    """The keys of a unit-set file."""

    format: Literal[1] = Field(description="1, the only format")
    rules: str = Field(description=f'the name of a rule system, such as "{SAMPLE.rules}"')
    title: str = Field(min_length=1, max_length=200, description="a title in quotation marks")
    summary: str = Field(default="", max_length=400, description="a sentence")
    entry: dict[str, Any] = Field(description="tables [entry.name]")
    common: dict[str, Any] = Field(default={}, description="a table of attributes of all entries")
    army: dict[str, Any] = Field(default={}, description="tables [army.name]")


def with_common(document: Document) -> Document:
    """Return a unit set in which each entry has the common attributes.

    An entry's own attributes override them.
    """
    common, entries = document.data.get("common"), document.data.get("entry")
    if not isinstance(common, Mapping) or not isinstance(entries, Mapping):
        return document
    whole = {
        name: {**common, **entry} if isinstance(entry, Mapping) else entry
        for name, entry in entries.items()
    }
    return replace(document, data={**document.data, "entry": whole})


def check_unit_set(document: Document, systems: Systems) -> ErrorCollector:
    """Return the collected errors of a unit-set file."""
    document = with_common(document)
    collector = ErrorCollector(document)
    heading = collector.table(UnitSetHeading, ())
    rules = document.data.get("rules")
    entries = document.data.get("entry")
    meant = None
    if isinstance(rules, str):
        meant = collector.meant(("rules",), "rule system", rules, systems)
    system = None if meant is None else loaded(collector, systems, meant)
    if system is not None:
        for name in entries if isinstance(entries, Mapping) else ():
            collector.table(system.entry_model, ("entry", name))
            _check_options(collector, system, ("entry", name))
        _check_armies(collector, system, entries)
    if heading is not None and not heading.entry:
        collector.wrong(("entry",), "a unit set needs at least one [entry.name]")
    return collector


def loaded(collector: ErrorCollector, systems: Systems, name: str) -> System | None:
    """Return a rule system; report an error at the key "rules" if it cannot be loaded."""
    try:
        return systems[name]
    except RuleSystemError as fault:
        collector.wrong(("rules",), str(fault))
        return None


def _check_options(collector: ErrorCollector, system: System, place: Path) -> None:
    """Report every option that makes an entry invalid."""
    if system.army_model is None:
        return
    entry, model = collector.at(place), system.entry_model
    if not isinstance(entry, Mapping) or not isinstance(entry.get("options"), Mapping):
        return
    wrong = {inner[:2] for inner, _ in _faults(model, entry)}
    spoilt = {inner[0] for inner in wrong if inner and inner[0] != "options"}
    usable = {key: value for key, value in entry.items() if key not in spoilt}
    before = _faults(model, usable)
    for name in entry["options"]:
        spot = (*place, "options", name)
        if ("options", name) in wrong:
            continue
        try:
            changed = system.with_options(usable, [name])
        except ValueError as fault:
            collector.wrong(spot, str(fault))
            continue
        for inner, message in _faults(model, changed):
            if (inner, message) not in before:
                collector.wrong((*spot, "sets", *inner), message)


def _faults(model: type[BaseModel], entry: object) -> list[tuple[Path, str]]:
    """Return the errors of an entry with their places."""
    try:
        model.model_validate(entry)
    except ValidationError as fault:
        return complaints(fault, model)
    return []


def _check_armies(collector: ErrorCollector, system: System, entries: object) -> None:
    """Report every army that is invalid or names an unknown entry."""
    armies = collector.document.data.get("army", {})
    if not isinstance(armies, Mapping) or not isinstance(entries, Mapping):
        return
    for name in armies:
        if system.army_model is None:
            collector.wrong(("army", name), f"{system.title} has no armies")
            continue
        army, _ = collector.salvage(system.army_model, ("army", name))
        for word in sorted(system.entries_of(army)) if army is not None else ():
            collector.known(("army", name), "entry of this set", word, entries)


class UnitSetLibrary:
    """The entries of a scenario's units.

    used : every entry in use, as in its file, by "set/entry"
    """

    def __init__(self, collector: ErrorCollector, sources: Sources, system: System) -> None:
        self.used: dict[str, dict[str, Any]] = {}
        self._collector = collector
        self._sources = sources
        self._system = system
        self._sets: dict[str, Document | None] = {}
        self._wrong: set[str] = set()

    @property
    def model(self) -> type[BaseModel]:
        """The model that validates an entry."""
        return self._system.entry_model

    def take(self, unit: Path, kind: str) -> dict[str, Any] | None:
        """Return the entry of a type, as in its file.

        For an unknown name, return the entry that the message suggests. If there is none, or it has
        errors, report that and return None.
        """
        name, stroke, key = kind.partition("/")
        place = (*unit, "type")
        if not stroke:
            wanted = f'a unit set and an entry, such as "{SAMPLE.troops[1]}"'
            self._collector.wrong(place, f"type: expected {wanted}, got {shown(kind)}")
            return None
        document = self.document(place, name)
        meant = name
        if document is None and name not in self._wrong:
            meant = near(name, self._sources.unit_sets()) or name
            document = self._known(meant)
        if document is None:
            return None
        entries = document.data.get("entry")
        if not isinstance(entries, Mapping):
            self._collector.wrong(
                place, f"{document.name} is not a unit set: it has no [entry.name]"
            )
            return None
        found = self._collector.meant(place, f"entry of {meant}", key, entries)
        if found is None or not self._right(document, f"{meant}/{found}", found):
            return None
        self.used[f"{meant}/{found}"] = entries[found]
        return dict(entries[found])

    def document(self, place: Path, name: str) -> Document | None:
        """Return the unit set with a name; report an error and return None if there is none."""
        document = self._known(name)
        if document is None and name not in self._wrong:
            near = nearest(name, self._sources.unit_sets())
            self._collector.wrong(place, f"unknown unit set {shown(name)}; {near}")
        return document

    def _known(self, name: str) -> Document | None:
        if name not in self._sets:
            self._sets[name] = self._read(name)
        return self._sets[name]

    def _read(self, name: str) -> Document | None:
        try:
            document = self._sources.unit_set(name)
        except ScenarioError as fault:
            self._wrong.add(name)
            for diagnostic in fault.diagnostics:
                self._collector.note(diagnostic)
            return None
        except FileError as fault:
            self._wrong.add(name)
            self._collector.wrong((), str(fault))
            return None
        document = document and with_common(document)
        rules = document.data.get("rules") if document else None
        if document and rules not in {None, self._system.name}:
            told = f"this set is for the rules {rules}, not for {self._system.name}"
            self._collector.note(document.diagnostic(("rules",), told))
        return document

    def _right(self, document: Document, kind: str, key: str) -> bool:
        """Return whether the entry alone is valid; report errors once, for its own file."""
        if kind in self.used:
            return True
        own = ErrorCollector(document)
        if own.table(self.model, ("entry", key)) is None:
            for diagnostic in own.diagnostics:
                self._collector.note(diagnostic)
            return False
        return True

    def read(
        self,
        unit: Path,
        base: Mapping[str, Any],
        overrides: Mapping[str, Any],
        spelt: Iterable[str],
    ) -> Any:
        """Return the entry of one unit.

        Errors are reported, and invalid overrides ignored. Return None if the entry is invalid
        without them.

        spelt : keys that are only misspelt
        """
        try:
            return self.model.model_validate({**base, **overrides})
        except ValidationError as fault:
            wrong = {str(error["loc"][0]) for error in fault.errors() if error["loc"]}
            for place, message in complaints(fault, self.model, spelt):
                spot = (*unit, *place) if place and place[0] in overrides else unit
                self._collector.wrong(spot, message)
        usable = {key: value for key, value in overrides.items() if key not in wrong}
        try:
            return self.model.model_validate({**base, **usable})
        except ValidationError:
            return None

    def check(self, unit: Path, overrides: Mapping[str, Any]) -> None:
        """Report errors in the overrides of a unit with an unknown entry."""
        # The maximum number of files depends on the members.
        whole = {k: v for k, v in overrides.items() if k != "files" or "members" in overrides}
        try:
            self.model.model_validate(whole)
        except ValidationError as fault:
            for place, message in complaints(fault, self.model):
                if place and place[0] in overrides:
                    self._collector.wrong((*unit, *place), message)

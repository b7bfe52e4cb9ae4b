"""Collector of the errors of one file while it is read."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError, create_model

from emlia3d.errors import Diagnostic, ScenarioError, near
from emlia3d.scenario.messages import complaints, meant_by, nearest, shown
from emlia3d.scenario.toml_lines import Document, Path

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class NameReference:
    """A reference by name to another object of a document.

    place : of the name; kind : of the object, as in errors, such as "area or terrain"
    """

    place: Path
    kind: str
    name: str


class ErrorCollector:
    """The errors of a document so far, and its references.

    Reading continues after an error: the reader reports it here and uses None as the value.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._diagnostics: dict[Diagnostic, None] = {}
        self._advice: dict[Diagnostic, None] = {}
        self.references: list[NameReference] = []
        self._wrong: set[str | int] = set()
        self._noted = False

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All errors in the order of the lines, this document's first."""
        own = self.document.name
        return tuple(
            sorted(
                self._diagnostics,
                key=lambda diagnostic: (
                    diagnostic.file != own,
                    diagnostic.file,
                    diagnostic.line or 0,
                ),
            )
        )

    @property
    def advice(self) -> tuple[Diagnostic, ...]:
        """Advice for the author of the document."""
        return tuple(self._advice)

    def advise(self, place: Path, message: str) -> None:
        """Add advice about a place, one line."""
        self._advice[self.document.diagnostic(place, message)] = None

    def settle(self) -> None:
        """Raise ScenarioError if there are errors."""
        if self._diagnostics:
            raise ScenarioError(self.diagnostics)

    def wrong(self, place: Path, message: str) -> None:
        """Report an error at a place."""
        self._wrong.update(place[:1])
        self._diagnostics[self.document.diagnostic(place, message)] = None

    def note(self, diagnostic: Diagnostic) -> None:
        """Report an error of any file, without duplicates."""
        self._noted = True
        self._diagnostics[diagnostic] = None

    def is_sound(self, *names: str) -> bool:
        """Return whether the tables with these names, and other files, have no errors."""
        return not self._noted and self._wrong.isdisjoint(names)

    def at(self, place: Path) -> Any:
        """Return the data at an existing place."""
        found: Any = self.document.data
        for part in place:
            found = found[part]
        return found

    def table(self, model: type[M], place: Path, keys: Mapping[str, Any] | None = None) -> M | None:
        """Return the validated table at a place; report errors and return None if it is invalid.

        keys : keys of the table to read; None for all
        """
        data = self.at(place) if keys is None else keys
        if not isinstance(data, Mapping):
            self.wrong(place, _no_table(data))
            return None
        try:
            return model.model_validate(data)
        except ValidationError as fault:
            for inner, message in complaints(fault, model):
                self.wrong((*place, *inner), message)
            return None

    def salvage(
        self,
        model: type[M],
        place: Path,
        keys: Mapping[str, Any] | None = None,
        spelt: Iterable[str] = (),
    ) -> tuple[M | None, frozenset[str]]:
        """Return the valid part of the table at a place, and the invalid keys.

        An invalid or missing key has its default value, or None without a default. Each error is
        reported. The table is None only if the place has no table. A key that is misspelt counts as
        invalid.

        keys : keys of the table to read; None for all
        spelt : keys of which the caller has found a misspelling
        """
        data = self.at(place) if keys is None else keys
        if not isinstance(data, Mapping):
            self.wrong(place, _no_table(data))
            return None, frozenset()
        try:
            return model.model_validate(data), frozenset(spelt)
        except ValidationError as fault:
            for inner, message in complaints(fault, model, spelt):
                self.wrong((*place, *inner), message)
            errors = fault.errors()
        wrong = {str(error["loc"][0]) for error in errors if error["loc"]}
        usable = {key: value for key, value in data.items() if key not in wrong}
        meant = {str(found[0]) for error in errors if (found := meant_by(error, model))}
        wrong |= {*spelt} | meant - data.keys()
        return _lenient(model).model_validate(usable), frozenset(wrong)

    def tables(self, name: str) -> range:
        """Return the indices of the tables ``[[name]]``; empty if it is not a list."""
        found = self.document.data.get(name, [])
        return range(len(found)) if isinstance(found, list) else range(0)

    def names(self, table: str) -> dict[str, int]:
        """Return the names in valid and invalid tables of a kind, with their first index."""
        found: dict[str, int] = {}
        for index in self.tables(table):
            row = self.at((table, index))
            name = row.get("name") if isinstance(row, Mapping) else None
            if isinstance(name, str):
                found.setdefault(name, index)
        return found

    def known(self, place: Path, what: str, word: str, names: Iterable[str]) -> bool:
        """Return whether *word* is one of *names*; otherwise report it, and suggest the nearest."""
        self.refer(place, what, word)
        return self.meant(place, what, word, names) == word

    def refer(self, place: Path, kind: str, name: str) -> None:
        """Record a reference to another object of the document."""
        self.references.append(NameReference(place, kind, name))

    def meant(self, place: Path, what: str, word: str, names: Iterable[str]) -> str | None:
        """Return the name that *word* means.

        An unknown word is reported, and means the name that the message suggests; None if it
        suggests none.
        """
        names = list(names)
        if word in names:
            return word
        self.wrong(place, f"unknown {what} {shown(word)}; {nearest(word, names)}")
        return near(word, names)


def _no_table(data: object) -> str:
    return f"expected a table here, got {shown(data)}"


@functools.cache
def _lenient(model: type[M]) -> type[M]:
    """Return a model of the table in which no key is required."""
    optional: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if field.is_required():
            changed = copy(field)
            changed.default = None
            optional[name] = (field.annotation, changed)
    return create_model(f"Lenient{model.__name__}", __base__=model, **optional)

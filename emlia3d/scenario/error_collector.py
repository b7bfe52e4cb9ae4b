"""The errors of one file, collected while it is read."""

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
    """A name in a document of something else in it.

    place : of the name; kind : what it names, as errors call it, such as "area or terrain"
    """

    place: Path
    kind: str
    name: str


class ErrorCollector:
    """The errors of a document so far, and the references in it.

    Reading goes on after an error: its finder notes it and returns None instead of a value.
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
        """Remarks for the author of the document; none is an error."""
        return tuple(self._advice)

    def advise(self, place: Path, message: str) -> None:
        """Add one line of advice about a place."""
        self._advice[self.document.diagnostic(place, message)] = None

    def settle(self) -> None:
        """ScenarioError if anything is wrong."""
        if self._diagnostics:
            raise ScenarioError(self.diagnostics)

    def wrong(self, place: Path, message: str) -> None:
        """Note what is wrong at a place."""
        self._wrong.update(place[:1])
        self._diagnostics[self.document.diagnostic(place, message)] = None

    def note(self, diagnostic: Diagnostic) -> None:
        """Note an error of any file; duplicates are kept once."""
        self._noted = True
        self._diagnostics[diagnostic] = None

    def is_sound(self, *names: str) -> bool:
        """Return whether no error is in the tables of these names, nor in another file."""
        return not self._noted and self._wrong.isdisjoint(names)

    def at(self, place: Path) -> Any:
        """Return the data at a place that is there."""
        found: Any = self.document.data
        for part in place:
            found = found[part]
        return found

    def table(self, model: type[M], place: Path, keys: Mapping[str, Any] | None = None) -> M | None:
        """Return the table at a place, validated by its model; None, with errors noted, if invalid.

        keys : keys of the table that are read; None for all
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
        """Return the usable part of the table at a place, and the keys that are not usable.

        An unusable or missing key has its default value, or None if it has no default. Each
        error is noted. The table is None only if there is no table at the place. A key that an
        unknown one was meant for counts as unusable.

        keys : the keys of the table to inspect; all if None
        spelt : keys for which the caller has found an unknown one that was meant for them
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
        """Return the indices of the tables ``[[name]]``; empty where it is no list."""
        found = self.document.data.get(name, [])
        return range(len(found)) if isinstance(found, list) else range(0)

    def names(self, table: str) -> dict[str, int]:
        """Return the names in tables of a kind, valid or not, with their first index."""
        found: dict[str, int] = {}
        for index in self.tables(table):
            row = self.at((table, index))
            name = row.get("name") if isinstance(row, Mapping) else None
            if isinstance(name, str):
                found.setdefault(name, index)
        return found

    def known(self, place: Path, what: str, word: str, names: Iterable[str]) -> bool:
        """Return whether *word* is one of *names*; noted, with the nearest, if it is not."""
        self.refer(place, what, word)
        return self.meant(place, what, word, names) == word

    def refer(self, place: Path, kind: str, name: str) -> None:
        """Note that a place names something else of the document."""
        self.references.append(NameReference(place, kind, name))

    def meant(self, place: Path, what: str, word: str, names: Iterable[str]) -> str | None:
        """Return the name that *word* stands for.

        An unknown word is noted, and stands for the name that the message suggests; None if it
        suggests no name.
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
    """Return a model of the same table in which no key is required."""
    optional: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if field.is_required():
            changed = copy(field)
            changed.default = None
            optional[name] = (field.annotation, changed)
    return create_model(f"Lenient{model.__name__}", __base__=model, **optional)

"""Messages about errors in files and questions, in words for players."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from emlia3d.errors import LONGEST_VALUE, cut, near, printable

if TYPE_CHECKING:
    from emlia3d.battle.setup import Setup, UnitSetup

Place = tuple[str | int, ...]

_LONGEST = 40


def complaints(
    fault: ValidationError, model: type[BaseModel], spelt: Iterable[str] = ()
) -> list[tuple[Place, str]]:
    """Return the errors of a table with their places in the table, without duplicates.

    A key is not reported as missing if an unknown key is a misspelling of it.

    spelt : keys of the table of which the caller has found a misspelling
    """
    errors = fault.errors(include_url=False)
    meant = {place for error in errors if (place := meant_by(error, model)) is not None}
    meant |= {(key,) for key in spelt}
    told = dict.fromkeys(
        _complaint(error, model)
        for error in errors
        if error["type"] != "missing" or error["loc"] not in meant
    )
    return list(told)


def meant_by(error: ErrorDetails, model: type[BaseModel]) -> Place | None:
    """Return the place of the key that an unknown key misspells; None if there is none."""
    if error["type"] != "extra_forbidden":
        return None
    *above, key = error["loc"]
    name = near(str(key), _keys_of(_holder(model, error["loc"]).model_fields))
    return None if name is None else (*above, name)


MOST_LISTED = 40
"""Maximum number of names in a message."""


def nearest(word: str, known: Iterable[str]) -> str:
    """Return "did you mean" with the nearest of *known*; if none is near, a list of them."""
    names = sorted(known)
    meant = suggested(word, names).removeprefix("; ")
    if meant or not names:
        return meant or "there is none"
    if len(names) > MOST_LISTED:
        return f"there are {len(names):,}, such as {names[0]}"
    return f"there {'is' if len(names) == 1 else 'are'} {listed(names)}"


def suggested(word: str, known: Sequence[str]) -> str:
    """Return the end of a sentence that suggests the nearest of *known*; "" if none is near."""
    name = near(word, known)
    return f"; did you mean {cut(name)}?" if name else ""


NO_UNITS = "expected at least one [[unit]], got none: this is a field without units"
"""Error message if a request needs units and the scenario has none."""


def no_unit(setup: Setup, name: str) -> str:
    """Return the error of an unknown unit, with another object of that name or the nearest name."""
    for row, side in enumerate(setup.sides):
        if side.name == name:
            own = [unit.name for unit in setup.units if unit.muster.side == row]
            return f"{name} is a side; expected a unit: {listed(own, 'or')}"
    if name in {feature.name for feature in setup.field.features}:
        return f"{name} is terrain; expected a unit"
    return f"unknown unit {shown(name)}; {nearest(name, [unit.name for unit in setup.units])}"


def not_yet(unit: UnitSetup) -> str:
    """Return the error of a unit that is not on the field at the start."""
    return f"{unit.name} is not on the field yet; it arrives at turn {unit.arrives}"


def no_turn(turn: int, last: int) -> str:
    """Return the error of a turn after the last one."""
    return f"there is no turn {turn}, only 1 to {last}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a list: a, b and c."""
    *first, end = map(cut, words)
    return f"{', '.join(first)} {last} {end}" if first else end


def shown(value: object) -> str:
    """Return a value as in a file, shortened if it is long."""
    text = printable(json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def key_of(place: Place) -> str:
    """Return the key of a place in a table: its last part that is not an index."""
    return next((part for part in reversed(place) if isinstance(part, str)), "")


def _complaint(error: ErrorDetails, model: type[BaseModel]) -> tuple[Place, str]:
    place: Place = error["loc"]
    key, kind = cut(key_of(place)), error["type"]
    if kind == "value_error":
        return place, _brief(str(error["ctx"]["error"]), error["input"])
    if kind == "extra_forbidden":
        return place, unknown_key(key, _holder(model, place).model_fields)
    field = _field(model, place)
    if kind == "missing" and isinstance(place[-1], str):
        return place[:-1], f"{key} is missing: expected {_wanted(field, error)}"
    choices = _choices(field.annotation) if field else ()
    if kind == "literal_error" and len(choices) > 1 and isinstance(error["input"], str):
        return place, (
            f"{key}: expected {listed(choices, 'or')}, got {shown(error['input'])}"
            f"{suggested(error['input'], choices)}"
        )
    given = error["input"] if kind != "missing" else "less"
    return place, f"{key}: expected {_wanted(field, error)}, got {shown(given)}"


def _brief(message: str, given: object) -> str:
    """Return a message of a rule system with long values shortened."""
    text = given.strip() if isinstance(given, str) else ""
    return message.replace(text, cut(text)) if len(text) > LONGEST_VALUE else message


def unknown_key(key: str, fields: Mapping[str, FieldInfo]) -> str:
    """Return the error of an unknown key, with the nearest one."""
    return f"unknown key {cut(key)}; {nearest(key, _keys_of(fields))}"


def _keys_of(fields: Mapping[str, FieldInfo]) -> list[str]:
    return [field.alias or name for name, field in fields.items()]


def _wanted(field: FieldInfo | None, error: ErrorDetails) -> str:
    if field and field.description:
        return field.description
    return error["msg"].replace("Input should be ", "").replace("Field required", "it is needed")


def _field(model: type[BaseModel], place: Place) -> FieldInfo | None:
    """Return the field of a place; None if the place is outside the models."""
    found: FieldInfo | None = None
    inside: type[BaseModel] | None = model
    for part in place:
        if isinstance(part, str) and inside is not None:
            named = _named(inside, part)
            if named is not None:
                found = named
                inside = _model_in(named.annotation)
    return found


def _holder(model: type[BaseModel], place: Place) -> type[BaseModel]:
    """Return the model of the table that contains the key at *place*."""
    field = _field(model, place[:-1])
    inner = _model_in(field.annotation) if field else None
    return inner or model


def _named(model: type[BaseModel], key: str) -> FieldInfo | None:
    for name, field in model.model_fields.items():
        if key == (field.alias or name):
            return field
    return None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """Return the first model anywhere in an annotation such as ``tuple[Weapon, ...] | None``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(part) for part in get_args(annotation))
    return next((model for model in found if model is not None), None)


def _choices(annotation: Any) -> tuple[str, ...]:
    if get_origin(annotation) is Literal:
        return tuple(str(choice) for choice in get_args(annotation))
    return tuple(choice for part in get_args(annotation) for choice in _choices(part))

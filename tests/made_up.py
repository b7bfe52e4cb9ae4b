"""Events for tests that look at some of their facts only."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec

from emlia3d.battle.events import Facts

F = TypeVar("F", bound=Facts)
_EMPTY = (0, "", (), False, None, (0, 0))


def made_up(kind: type[F], **facts: Any) -> F:
    """Return facts of a kind; required facts that are not given are zero or empty."""
    for field in msgspec.structs.fields(kind):
        if field.required and field.name not in facts:
            facts[field.name] = next(empty for empty in _EMPTY if _fits(empty, field.type))
    return kind(**facts)


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True

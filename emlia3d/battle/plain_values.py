"""Plain values from a battle file, which are always checked before use."""

from __future__ import annotations

import math
import sys
from typing import Annotated, Any, TypeAlias, TypeGuard

from msgspec import Meta

from emlia3d.force.table import Value

Whole: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""An integer that a column can hold."""

Number: TypeAlias = Whole | Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
"""A number that a column can hold: an integer, or a finite real number."""


def is_whole(value: Any) -> TypeGuard[int]:
    """Return whether *value* is an integer that a column can hold, and not a bool."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def is_number(value: Any) -> TypeGuard[Value]:
    """Return whether *value* is an integer that a column can hold, or a finite real number."""
    return is_whole(value) or (isinstance(value, float) and math.isfinite(value))

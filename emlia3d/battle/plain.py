"""Plain values from a battle file: nothing in a file is taken for what it should be."""

from __future__ import annotations

import math
import sys
from typing import Annotated, Any, TypeAlias, TypeGuard

from msgspec import Meta

from emlia3d.force.table import Value

Whole: TypeAlias = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
"""A whole number that a column holds."""

Number: TypeAlias = Whole | Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
"""A number that a column holds: whole, or real and finite."""


def is_whole(value: Any) -> TypeGuard[int]:
    """Return whether it is a whole number that a column holds; yes and no are none."""
    return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63


def is_number(value: Any) -> TypeGuard[Value]:
    """Return whether it is a number that a column holds: whole, or real and finite."""
    return is_whole(value) or (isinstance(value, float) and math.isfinite(value))

"""The rows of tables that a house rule may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from emlia3d.rules.emlia.basics.tables import TableRow
from emlia3d.rules.emlia.tables import (
    awareness,
    disengage,
    fire,
    leadership,
    melee,
    morale,
    skills,
    volley,
)

TABLES: tuple[Sequence[TableRow], ...] = (
    skills.GENERAL, fire.MODIFIERS, melee.MODIFIERS, *leadership.TABLES.values(),
    morale.TABLE, morale.SECOND_PASS, awareness.CONCEAL, awareness.DETECT,
    volley.AREA_MODIFIERS, volley.CONCENTRATED_MODIFIERS, disengage.MODIFIERS,
)  # fmt: skip

ROWS: Mapping[str, int] = MappingProxyType(
    {row.slug: row.modifier for table in TABLES for row in table}
)
"""The modifiers of the rulebook by slug."""

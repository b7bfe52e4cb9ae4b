"""The units of the set that ships, as they are printed."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from emlia3d.rules.emlia.unit_sets import unit_set
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

ARMIES = Path(unit_set.__file__).parents[3] / "armies"
ENTRIES: dict[str, dict[str, Any]] = tomllib.loads((ARMIES / "emlia.toml").read_text())["entry"]


def entry(name: str) -> Entry:
    """The unit of this key."""
    return Entry.model_validate(ENTRIES[name])

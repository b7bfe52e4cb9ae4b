"""JSON Schemas on the command line."""

from __future__ import annotations

import json

from emlia3d.cli.writing import echo
from emlia3d.errors import Error
from emlia3d.scenario.messages import nearest, shown
from emlia3d.scenario.schema import scenario_schema, unit_set_schema
from emlia3d.scenario.systems import InstalledSystems


def print_schema(kind: str) -> None:
    """Answer ``emlia3d schema``."""
    systems = InstalledSystems()
    if kind == "scenario":
        found = scenario_schema()
    elif kind in systems:
        found = unit_set_schema(kind, systems)
    else:
        raise Error(f"unknown schema {shown(kind)}; {nearest(kind, ['scenario', *systems])}")
    echo(json.dumps(found, indent=2, ensure_ascii=False))

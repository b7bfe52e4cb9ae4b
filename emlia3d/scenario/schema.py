"""JSON Schemas of scenario files and unit sets, for editors that complete and check TOML.

They are generated from the models that read the files. Checks across tables, such as names of
sides, are only in `emlia3d.scenario.checking`.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, create_model

from emlia3d.scenario.file_model import (
    AreaTable,
    CameraTable,
    EventTable,
    FieldTable,
    Heading,
    SideTable,
    TerrainFile,
    TerrainTable,
    UnitTable,
    VictoryTable,
)
from emlia3d.scenario.systems import Systems, or_installed
from emlia3d.scenario.tables.unit_set_files import UnitSetHeading

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_TABLES: dict[str, Any] = {
    "field": (FieldTable, ...),
    "terrain": (list[TerrainTable | TerrainFile], []),
    "side": (list[SideTable], []),
    "area": (list[AreaTable], []),
    "unit": (list[UnitTable], []),
    "victory": (list[VictoryTable], []),
    "event": (list[EventTable], []),
    "cameras": (dict[str, CameraTable], {}),
}
"""The tables of a scenario, each by its model."""


def scenario_schema() -> dict[str, Any]:
    """Return the JSON Schema of a scenario file.

    A unit can also have keys of its rule system, which override the keys of its entry.
    """
    schema = _schema_of(create_model("Scenario", __base__=Heading, **_TABLES))
    schema["$defs"]["UnitTable"]["additionalProperties"] = True
    return schema


def unit_set_schema(rules: str, systems: Systems | None = None) -> dict[str, Any]:
    """Return the JSON Schema of a unit set of a rule system.

    Raises
    ------
    KeyError
        There is no such rule system.
    RuleSystemError
        The rule system is in another package and cannot be loaded.
    """
    system = or_installed(systems)[rules]
    schema = _schema_of(UnitSetHeading)
    for key, model in (("entry", system.entry_model), ("army", system.army_model)):
        if model is not None:
            own = model.model_json_schema(by_alias=True)
            schema.setdefault("$defs", {}).update(own.pop("$defs", {}))
            schema["properties"][key]["additionalProperties"] = own
    return schema


def _schema_of(model: type[BaseModel]) -> dict[str, Any]:
    return {"$schema": DIALECT, **model.model_json_schema(by_alias=True)}

"""``schema``: editors accept what ships, and mark what `check` refuses."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from emlia3d.scenario.schema import scenario_schema, unit_set_schema

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "maps").glob("*.toml"))
UNIT_SETS = sorted((ROOT / "emlia3d" / "armies").glob("*.toml"))


def errors(schema: dict[str, Any], document: dict[str, Any]) -> list[str]:
    """Return the places of the errors that a validator finds."""
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    return [error.json_path for error in checker.iter_errors(document)]


@pytest.mark.parametrize("file", SCENARIOS, ids=lambda file: file.stem)
def test_bundled_scenarios_fit_the_schema(file: Path) -> None:
    assert errors(scenario_schema(), tomllib.loads(file.read_text("utf-8"))) == []


@pytest.mark.parametrize("file", UNIT_SETS, ids=lambda file: file.stem)
def test_bundled_unit_sets_fit_the_schema_of_their_rules(file: Path) -> None:
    document = tomllib.loads(file.read_text("utf-8"))

    assert errors(unit_set_schema(document["rules"]), document) == []


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"turns": 0}, "$.turns"),
        ({"tittle": "x"}, "$"),
        ({"field": {"size": [1, 2], "hight": 3}}, "$.field"),
        ({"side": [{"name": "A", "stance": "flee"}]}, "$.side[0].stance"),
        ({"unit": [{"name": "A", "side": "A", "at": [1]}]}, "$.unit[0].at"),
        ({"victory": [{"side": "A", "level": "victory", "controlls": "x"}]}, "$.victory[0]"),
    ],
)
def test_an_error_is_marked_in_its_place(change: dict[str, Any], place: str) -> None:
    document = {"format": 1, "title": "A", "rules": "emlia", "turns": 3, "field": {"size": [1, 2]}}
    assert errors(scenario_schema(), document) == []

    assert errors(scenario_schema(), {**document, **change}) == [place]


def test_a_unit_may_override_keys_of_its_entry() -> None:
    unit = {"name": "A", "side": "A", "morale": 4}
    document = {
        "format": 1, "title": "A", "rules": "emlia", "turns": 3, "field": {"size": [1, 2]},
        "unit": [unit],
    }  # fmt: skip

    assert errors(scenario_schema(), document) == []


@pytest.mark.parametrize(
    "kind", [[], ["scenario"], ["emlia"], ["epic"], ["oathmark"], ["runolfsson"]]
)
def test_the_command_prints_a_schema(run, kind: list[str]) -> None:
    told = run(["schema", *kind])

    assert told.status == 0
    jsonschema.Draft202012Validator.check_schema(json.loads(told.out))


def test_another_kind_is_refused_with_the_nearest(run) -> None:
    told = run(["schema", "scenery"])

    assert told.status == 2
    assert told.complaints == ['unknown schema "scenery"; did you mean scenario?']

"""``[game]`` and the ``game`` of a ``[[side]]``: tables that the rule system declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from emlia3d.battle.system import System
from emlia3d.scenario.error_collector import ErrorCollector
from emlia3d.scenario.toml_lines import Path


def read_game(collector: ErrorCollector, system: System | None) -> BaseModel | None:
    """Return the table ``[game]``, parsed by the rule system.

    Return None if the table has errors, which are reported, or if the system has no model for it.
    """
    model = None if system is None else system.game_model
    return _read(collector, system, model, ("game",), collector.document.data.get("game"))


def read_side_game(
    collector: ErrorCollector, system: System | None, side: Path, given: Any
) -> BaseModel | None:
    """Return the table ``game`` of a side, parsed by the rule system, as in `read_game`.

    side : the place of the side
    given : its table; None if it has none
    """
    model = None if system is None else system.side_game_model
    return _read(collector, system, model, (*side, "game"), given)


def _read(
    collector: ErrorCollector,
    system: System | None,
    model: type[BaseModel] | None,
    place: Path,
    given: Any,
) -> BaseModel | None:
    if system is None or not isinstance(given, Mapping | None):
        return None
    if model is not None:
        return collector.table(model, place, given or {})
    if given is not None:
        whose = "a side" if len(place) > 1 else "a scenario"
        collector.wrong(place, f"game: {system.title} has no table game of {whose}; remove it")
    return None

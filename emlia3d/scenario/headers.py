"""Checks of the first line of a battle file, from which the battle is restored."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from emlia3d.battle.commanders import names_code
from emlia3d.battle.setup import Setup
from emlia3d.battle.system import System
from emlia3d.errors import LogError, cut, quoted
from emlia3d.force.formation import LAYOUT_VERSION
from emlia3d.scenario.reading import fitting
from emlia3d.scenario.systems import Systems, package_of

_HEADER: Mapping[str, type] = {
    "layout": int,
    "name": str,
    "scenario": str,
    "entries": dict,
    "numbers": dict,
    "files": dict,
    "seed": int,
    "turns": int,
}


def check_header(header: Mapping[str, Any]) -> None:
    """Raise LogError if data to restore the battle is missing or invalid."""
    for key, kind in _HEADER.items():
        if type(header.get(key)) is not kind:
            raise LogError(f"the battle file's header has no {key} that can be used")
    for key in ("entries", "files"):
        if not all(isinstance(value, dict) for value in header[key].values()):
            raise LogError(f"the battle file's header has {key} that cannot be used")
    commanders = header.get("commanders", {})
    if not (isinstance(commanders, dict) and all(isinstance(n, str) for n in commanders.values())):
        raise LogError("the battle file's header has commanders that cannot be used")
    code = next(filter(names_code, commanders.values()), None)
    if code is not None:
        raise LogError(f"commander {quoted(code)} is code, which only the command line can name")
    if header["layout"] != LAYOUT_VERSION:
        theirs = quoted(header["layout"])
        raise LogError(
            f"the layout of figures has version {theirs} in the battle file, and version"
            f" {LAYOUT_VERSION} in this program"
        )


def recorded_package(systems: Systems, rules: str) -> dict[str, Any]:
    """Return the package of a rule system for a header; {} if it belongs to this program."""
    package = package_of(systems, rules)
    return {"package": package} if package else {}


def check_package(header: Mapping[str, Any], systems: Systems) -> None:
    """Raise LogError with the package if the rule system of a battle file is not installed."""
    package = header.get("package")
    if package is None or str(header.get("rules")) in systems:
        return
    named = package.get("name") if isinstance(package, dict) else None
    if not isinstance(named, str):
        raise LogError("the battle file's header has a package that cannot be used")
    raise LogError(
        f"the rule system {quoted(header.get('rules'))} is not installed; the battle was begun "
        f"with the package {cut(named)} {cut(str(package.get('version')))}"
    )


def other_version(header: Mapping[str, Any], systems: Systems) -> str | None:
    """Return a note if another version of the package began the battle; None otherwise."""
    then, now = header.get("package"), package_of(systems, str(header.get("rules")))
    if not isinstance(then, dict) or not now or then == now:
        return None
    was = " ".join(cut(str(then.get(key))) for key in ("name", "version"))
    return f"the battle was begun with {was}, and continues with {now['name']} {now['version']}"


def recorded_game(setup: Setup) -> dict[str, Any]:
    """Return the tables of the rule system's game for a header; {} if there are none."""
    sides = {side.name: _plain(side.game) for side in setup.sides if side.game is not None}
    game = {
        **({} if setup.game is None else {"scenario": _plain(setup.game)}),
        **({"sides": sides} if sides else {}),
    }
    return {"game": game} if game else {}


def _plain(game: object) -> Any:
    assert isinstance(game, BaseModel), "the model of a rule system has read it"
    return game.model_dump(mode="json", by_alias=True)


def read_game_again(system: System, setup: Setup, recorded: Any) -> Setup:
    """Return the setup with the game tables from the header, regardless of current defaults.

    Parameters
    ----------
    recorded
        Result of `recorded_game`; None if the header lacks it.

    Raises
    ------
    LogError
        If the rule system cannot parse it.
    """
    if recorded is None:
        return setup
    try:
        sides = recorded.get("sides", {})
        return dataclasses.replace(
            setup,
            game=_again(system.game_model, recorded.get("scenario")),
            sides=tuple(
                dataclasses.replace(side, game=_again(system.side_game_model, sides.get(side.name)))
                for side in setup.sides
            ),
        )
    except (AttributeError, TypeError, ValueError):
        raise LogError("the battle file's header has a game that cannot be used") from None


def _again(model: type[BaseModel] | None, recorded: Any) -> BaseModel | None:
    if model is None and recorded is not None:
        raise ValueError("the rule system has no such table")
    return None if model is None or recorded is None else model.model_validate(recorded)


def recorded_numbers(numbers: Any, recorded: Mapping[str, Any]) -> Any:
    """Return the house rules from the header, regardless of current defaults.

    A house rule newer than the file has its default, which has no effect.
    """
    unknown = sorted(set(recorded) - {field.name for field in dataclasses.fields(numbers)})
    if unknown:
        listed = ", ".join(map(cut, unknown))
        raise LogError(f"the battle file has values that this program does not know: {listed}")
    plain = {name: fitting(value, getattr(numbers, name)) for name, value in recorded.items()}
    rows = recorded.get("rows", {})
    if None in plain.values() or not all(type(value) is int for value in rows.values()):
        raise LogError("the battle file's header has numbers that cannot be used")
    try:
        return dataclasses.replace(numbers, **plain)
    except ValueError as flaw:
        raise LogError(
            f"the battle file's header has numbers that cannot be used: {flaw}"
        ) from None

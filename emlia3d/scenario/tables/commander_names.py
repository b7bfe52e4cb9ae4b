"""Names of commanders in scenarios, on the command line and in battle files."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from emlia3d.battle.commanders import DOCTRINE, names_code
from emlia3d.battle.exchange.naming import installed_commanders, outside_commander
from emlia3d.battle.setup import Setup
from emlia3d.battle.system import System
from emlia3d.errors import Error, cut
from emlia3d.scenario.messages import nearest, shown

RANDOM = "random"
"""The commander of every rule system that gives random legal orders."""


def fault_of_name(system: System, name: str) -> str | None:
    """Return the fault of a commander's name in a scenario; None if it is valid."""
    if names_code(name):
        return f"{shown(name)} is code, which only the command line can name"
    if _is_own(system, name) or name in installed_commanders():
        return None
    return _no_commander(system, name)


def appointed(
    setup: Setup, system: System, commanders: Mapping[str, str], time_limit_s: float | None
) -> Setup:
    """Return the setup with these commanders by side; they can be code.

    Raises
    ------
    Error
        If there is no such side or no such commander.
    """
    names = [side.name for side in setup.sides]
    for side, name in commanders.items():
        if side not in names:
            raise Error(f"unknown side {shown(side)}; {nearest(side, names)}")
        if not _is_own(system, name):
            _check_outside(system, name)
    if time_limit_s is not None:
        setup = replace(setup, time_limit_s=time_limit_s)
    return setup.with_commanders(commanders)


def recorded_commanders(setup: Setup, system: System) -> dict[str, Any]:
    """Return the commanders of the sides for the header of a battle file.

    The default commander replaces each commander of other code, because no file can name code. The
    key "outside" has their names for readers.
    """
    led = {side.name: side.commander for side in setup.sides}
    outside = {side: name for side, name in led.items() if not _is_own(system, name)}
    commanders = {side: DOCTRINE if side in outside else name for side, name in led.items()}
    return {"commanders": commanders, **({"outside": outside} if outside else {})}


def note_on_outside(header: Mapping[str, Any], named: Container[str]) -> str | None:
    """Return a note if the default commander replaces code in a resumed battle; None otherwise.

    named : the sides with a new commander
    """
    outside = header.get("outside")
    if not isinstance(outside, dict):
        return None
    left = {side: name for side, name in outside.items() if side not in named}
    led = " and ".join(f"{cut(str(side))} ({cut(str(name))})" for side, name in left.items())
    return f"the code that led {led} is ignored; {DOCTRINE} leads instead" if left else None


def _is_own(system: System, name: str) -> bool:
    """Return whether a commander belongs to the rule system."""
    # The search for a commander can load its whole package.
    return not names_code(name) and (
        name in {RANDOM, *system.commanders} or system.commander(name) is not None
    )


def _no_commander(system: System, name: str) -> str:
    known = (*system.commanders, RANDOM, *installed_commanders())
    return f"unknown commander {shown(name)}; {nearest(name, known)}"


def _check_outside(system: System, name: str) -> None:
    """Raise Error if there is no commander of other code with this name."""
    default = system.commander(DOCTRINE)
    assert default is not None, "every rule system has this commander"
    if outside_commander(name, default, 0.0) is None:
        raise Error(_no_commander(system, name))

"""The names of commanders: in a scenario, at a command line, and in a battle file."""

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
"""The commander of every rule system that gives any legal order."""


def fault_of_name(system: System, name: str) -> str | None:
    """Return why a scenario may not name a commander so; None if it may."""
    if names_code(name):
        return f"{shown(name)} is code, which only the command line may name"
    if _is_own(system, name) or name in installed_commanders():
        return None
    return _no_commander(system, name)


def appointed(
    setup: Setup, system: System, commanders: Mapping[str, str], time_limit_s: float | None
) -> Setup:
    """Return the setup with these commanders, by side, which may be code.

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

    The default commander replaces each one of other code, because no file may name code. The key
    "outside" names the others for people.
    """
    led = {side.name: side.commander for side in setup.sides}
    outside = {side: name for side, name in led.items() if not _is_own(system, name)}
    commanders = {side: DOCTRINE if side in outside else name for side, name in led.items()}
    return {"commanders": commanders, **({"outside": outside} if outside else {})}


def note_on_outside(header: Mapping[str, Any], named: Container[str]) -> str | None:
    """Return that the default commander replaces code as a recorded battle goes on; None if not.

    named : the sides that now have another commander
    """
    outside = header.get("outside")
    if not isinstance(outside, dict):
        return None
    left = {side: name for side, name in outside.items() if side not in named}
    led = " and ".join(f"{cut(str(side))} ({cut(str(name))})" for side, name in left.items())
    return f"the code that led {led} is left out; {DOCTRINE} leads instead" if left else None


def _is_own(system: System, name: str) -> bool:
    """Return whether a commander is one of the rule system's own."""
    # To look for a commander may load all that it knows.
    return not names_code(name) and (
        name in {RANDOM, *system.commanders} or system.commander(name) is not None
    )


def _no_commander(system: System, name: str) -> str:
    known = (*system.commanders, RANDOM, *installed_commanders())
    return f"unknown commander {shown(name)}; {nearest(name, known)}"


def _check_outside(system: System, name: str) -> None:
    """Raise Error unless there is a commander of other code with this name."""
    default = system.commander(DOCTRINE)
    assert default is not None, "every rule system has this commander"
    if outside_commander(name, default, 0.0) is None:
        raise Error(_no_commander(system, name))

"""A rule system that only reads, scenarios to be spoilt, and some made of parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

import pytest
from typing_extensions import override

import emlia3d
from emlia3d.battle.commanders import Commander, RandomCommander
from emlia3d.battle.no_rules import NoRules
from emlia3d.battle.system import System
from emlia3d.field import KINDS
from emlia3d.rules.emlia.unit_sets.unit_set import Entry

SOUND = """\
format = 1
title = "A sound scenario"
rules = "plain"
turns = 6

[field]
size = [200, 100]

[[terrain]]
name = "rock"
kind = "rock"
outline = [[60, 30], [66, 30], [66, 36], [60, 36]]

[[side]]
name = "Alice"
objective = "hill"

[[side]]
name = "Bob"

[[area]]
name = "hill"
circle = [100, 50, 20]

[[unit]]
name = "archers"
side = "Alice"
type = "emlia/longbowmen"
at = [60, 10]
members = 20
files = 10
formation = "ranked"

[[unit]]
name = "bandits"
side = "Bob"
at = [60, 80]
facing = 180
size = 1
height = 1

[[victory]]
side = "Alice"
level = "victory"
controls = "hill"
"""


@dataclass(frozen=True)
class Numbers:
    step: float = 0.5
    reach: int = 20
    bold: bool = False
    rows: Mapping[str, int] = field(default_factory=dict)


class Plain(NoRules):
    """A rule system called plain, with Emlia's entries and no play."""

    name = "plain"
    title = "Plain"
    numbers = Numbers()
    rows = MappingProxyType({"plain.shot.mod.far": -2})
    entry_model = Entry
    terrain = tuple(KINDS)
    states = ("prone", "taking cover")
    levels = ("minor victory", "victory", "major victory", "massacre")

    @override
    def commander(self, name: str) -> Commander | None:
        return RandomCommander() if name == "doctrine" else None


class NamedEmlia(Plain):
    """The plain system under the name `emlia`, as scenarios of Emlia ask for it."""

    name = "emlia"
    title = "Emlia"


def line_of(path: Path, text: str) -> int:
    """The number of the one line that holds *text*."""
    rows = path.read_text(encoding="utf-8").split("\n")
    (found,) = [number for number, row in enumerate(rows, start=1) if text in row]
    return found


@pytest.fixture
def systems() -> dict[str, System]:
    """Two rule systems without play, by name."""
    return {"plain": Plain(), "emlia": NamedEmlia()}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes the sound scenario, each pair of texts put in place of one another."""

    def written(*changes: tuple[str, str], name: str = "battle.toml") -> Path:
        text = SOUND.replace('"plain"', '"emlia"')
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the scenario"
            text = text.replace(old, new)
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


@pytest.fixture
def made(tmp_path: Path) -> Callable[..., emlia3d.Scenario]:
    """A scenario from parts of its file."""

    def make(*parts: str) -> emlia3d.Scenario:
        (tmp_path / "field.toml").write_text("".join(parts), encoding="utf-8")
        return emlia3d.load(tmp_path / "field.toml")

    return make

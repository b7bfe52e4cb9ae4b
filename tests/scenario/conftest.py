"""A rule system that only reads, scenarios to be spoilt, and some made of parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import emlia3d
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


@pytest.fixture
def systems() -> dict[str, Any]:
    """A rule system called plain, with Emlia's entries and no play."""
    plain = SimpleNamespace(
        name="plain",
        title="Plain",
        columns=(),
        numbers=Numbers(),
        rows={"plain.shot.mod.far": -2},
        entry_model=Entry,
        terrain=tuple(KINDS),
        states=("prone", "taking cover"),
        commander=lambda name: object() if name == "doctrine" else None,
    )
    emlia = SimpleNamespace(**{**vars(plain), "name": "emlia", "title": "Emlia"})
    return {"plain": plain, "emlia": emlia}


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

"""The battles that ship go as they have always gone; see the goldens of the other systems."""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d import maps
from emlia3d.scenario.scenario import load
from tests.rules.emlia.transcript import transcript

FOLDER = Path(__file__).with_name("golden")

BATTLES = sorted(
    path.stem
    for path in Path(maps.__file__).parent.glob("*.toml")
    if 'rules = "runolfsson"' in path.read_text("utf-8")
)


@pytest.mark.parametrize("name", BATTLES)
def test_a_battle_goes_as_it_always_went(
    name: str, regenerate: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = load(name).battle(seed=1)
    recorded = FOLDER / f"{name}.txt"

    found = list(transcript(battle, monkeypatch))

    if regenerate:
        recorded.write_text("".join(f"{line}\n" for line in found), encoding="utf-8")
    assert found == recorded.read_text("utf-8").splitlines()


def test_every_transcript_is_of_a_battle_that_ships() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == BATTLES

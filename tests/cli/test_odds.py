"""`emlia3d odds`: in words, as a document, and what it cannot answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

Run = Callable[[list[str | Path]], Any]


def test_it_says_dice_rows_and_chances(run: Run, bandits: Path) -> None:
    told = run(["odds", bandits, "archers", "raiders", "--action", "fire"])

    assert told.status == 0
    assert "archers against raiders: 10 dice at -1, 58.3% (7/12) each, 5.83 on average" in told.out
    assert "   -2  outside short  emlia.fire.mod.outside-short" in told.out.splitlines()
    assert "hits of archers, 5.83 on average: 1: 0.2%, 2: 1.4%," in told.out
    assert "losses of raiders, " in told.out


def test_it_prints_one_document_with_exact_chances(run: Run, bandits: Path) -> None:
    told = run(["odds", bandits, "archers", "raiders", "--action", "fire", "--json"])

    document = json.loads(told.out)
    assert document["checks"][0]["chance"] == {"chance": pytest.approx(7 / 12), "exact": "7/12"}
    assert document["checks"][0]["rows"][0] == {
        "name": "outside short", "slug": "emlia.fire.mod.outside-short", "figure": -2,
    }  # fmt: skip
    assert [cell["value"] for cell in document["hits"]] == list(range(11))
    assert sum(cell["chance"] for cell in document["hits"]) == pytest.approx(1)
    assert document["fates"]["raiders"]["destroyed"] == {"chance": 0.0, "exact": "0"}


def test_a_part_of_a_mixed_unit_stands_for_the_whole(run: Run, tmp_path: Path) -> None:
    duel = Path(str(files("emlia3d.maps").joinpath("duel.toml"))).read_text("utf-8")
    mixed = tmp_path / "mixed.toml"
    mixed.write_text(duel.replace('name = "Bera"\n', 'name = "Bera"\ngroup = "Asa"\n', 1))

    of_part, of_whole = (run(["odds", mixed, "dragon", name]) for name in ("Bera", "Asa"))

    assert of_part.status == 0
    assert of_part.out == of_whole.out


def test_an_attack_that_may_not_be_made_is_answered_with_why(run: Run, bandits: Path) -> None:
    told = run(["odds", bandits, "archers", "raiders", "--action", "melee"])

    assert told.status == 1
    assert told.out == (
        "archers cannot attack raiders: melee: no enemy is in its combat range (emlia.melee).\n"
    )


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["archers", "raider"], "unknown unit"),
        (["raiders", "bandits"], "raiders and bandits are not enemies"),
        (["archers", "raiders", "--action", "shoot"], 'unknown attack "shoot"'),
        (["archers", "raiders", "--weapon", "Bow"], 'archers has no weapon "Bow" for that'),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, bandits: Path, words: list[str | Path], complaint: str
) -> None:
    told = run(["odds", bandits, *words])

    assert told.status == 2
    assert len(told.complaints) == 1
    assert complaint in told.complaints[0]

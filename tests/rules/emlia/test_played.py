"""Fifty battles of the bundled scenarios cite most of the catalogue; the rest is explained.

A row of a table needs no explanation, because an event names a row whenever its case occurs.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from emlia3d.rules.catalogue import catalogue, uncited
from emlia3d.rules.rulebook import ROWS
from emlia3d.scenario import load

SEEDS = {
    "bandits": 5, "duel": 5, "thieves": 5, "cruisers": 4, "cavemen": 5, "landing": 5,
    "crossroads": 5, "remnants": 5, "fieldday": 5, "castle": 2, "ford": 3, "ridge": 1,
}  # fmt: skip
"""How many battles of each, by the seeds 1, 2, ...: fifty in all."""

LEAST = 450
ROOT = Path(__file__).parents[3]


def cited_in(name: str, seed: int) -> set[str]:
    return {slug for event in load(name).battle(seed=seed).run() for slug in event.because}


@pytest.mark.slow
def test_fifty_battles_cite_most_entries_and_the_others_are_explained() -> None:
    battles = [(name, seed) for name, count in SEEDS.items() for seed in range(1, count + 1)]

    cited = set().union(*(cited_in(name, seed) for name, seed in battles))

    assert len(battles) == 50
    entries = set(catalogue("emlia"))
    assert sorted(cited - entries) == []
    assert len(cited) >= LEAST
    assert sorted(entries - cited - set(uncited("emlia")) - ROWS) == []
    page = " ".join((ROOT / "docs" / "rules.md").read_text("utf-8").split())
    assert f"cite {len(cited)} entries" in page
    assert f"cite {len(cited)} of Emlia's" in (ROOT / "README.md").read_text("utf-8")


def test_a_reason_is_given_for_entries_of_the_catalogue_alone() -> None:
    reasons = uncited("emlia")

    assert sorted(set(reasons) - set(catalogue("emlia"))) == []
    assert list(reasons) == sorted(reasons)
    assert all(reason.endswith(".") for reason in reasons.values())


@pytest.mark.parametrize("name", ["bandits", "cavemen"])
def test_no_battle_cites_an_entry_that_is_said_to_be_out_of_reach(name: str) -> None:
    never = {slug for slug, reason in uncited("emlia").items() if "Did not occur" not in reason}

    assert sorted(cited_in(name, 1) & never) == []

"""One battle of Tin, word for word: a change of dice, flow or events shows in the diff."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from emlia3d.battle import events
from emlia3d.battle.battle import Battle
from emlia3d.battle.digest import line_of

GOLDEN = Path(__file__).parent / "golden" / "nursery.jsonl"


def test_the_nursery_battle_goes_as_it_is_written(battle: Battle, regenerate: bool) -> None:
    """To be read when it changes: six bumps, and nobody falls twice."""
    lines = [line_of(events.to_json(event)) for event in battle.run()]
    if regenerate:
        GOLDEN.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    assert lines == GOLDEN.read_text(encoding="utf-8").splitlines(), "pytest --regenerate"


def test_the_golden_events_alone_lead_to_the_same_state(battle: Battle, fresh) -> None:
    """No rule is asked and no die rolled."""
    for line in GOLDEN.read_text(encoding="utf-8").splitlines():
        battle.happen(events.from_json(json.loads(line)))

    ruled = fresh()
    list(ruled.run())
    folded, played = battle.state.key_frame(), ruled.state.key_frame()
    assert folded["tables"] == played["tables"]
    assert folded["pairs"] == played["pairs"]
    assert battle.digest.hexdigest() == ruled.digest.hexdigest()


@pytest.mark.parametrize(
    ("seed", "digest"),
    [
        (0, "32e58c24e370905262cff00586ce4147b4c876d21914fbce6c29fc6e8b535cc7"),
        (1, "1e78b953017c845450315adf18ccc956bf23f46fd7c1dff71278818a1695bc3f"),
        (2**63 - 1, "a05d540a9be6cf58357b1ead4baf14a0485a74fde38f0ce0d3578ab4b43c82ff"),
    ],
)
def test_these_seeds_have_these_digests_on_every_machine(fresh, seed: int, digest: str) -> None:
    battle = fresh(seed)

    battle.run_to_end()

    assert battle.digest.hexdigest() == digest

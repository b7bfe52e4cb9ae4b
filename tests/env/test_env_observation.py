"""An observation contains what its side knows, and nothing else."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Add, Change, Place
from emlia3d.battle.decisions import Order
from emlia3d.env import BattleAECEnv, aec, single
from emlia3d.env.shortlist import shortlist


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    arrays, others = one["observation"], other["observation"]
    return np.array_equal(one["action_mask"], other["action_mask"]) and all(
        np.array_equal(arrays[name], others[name]) for name in arrays
    )


def begun(seed: int = 1) -> tuple[BattleAECEnv, int, int]:
    """A battle at Bandits' first decision; a unit that Militia does not know, and one it knows."""
    env = aec("bandits")
    env.reset(seed=seed)
    while env.agent_selection != "Bandits":
        env.step(0)
    battle = env.battle
    hidden = battle.system.hidden_from(battle, 0)
    units = battle.state.units
    known = [
        row
        for row in range(len(units))
        if units.integer("side", row) == 0 and units.value("present", row)
    ]
    assert hidden
    return env, hidden[0], known[0]


def changed(battle: Battle, unit: int, what: str) -> Change:
    """A change of a unit: a lower morale, a wound, or a place beside its own."""
    units = battle.state.units
    if what in {"morale", "damage"}:
        return Add(table="unit", row=unit, column=what, value=-1 if what == "morale" else 1)
    return Place(
        unit=unit,
        x=units.value("x", unit) + 1.0,
        y=units.value("y", unit),
        facing=units.integer("facing", unit) + 64,
        formation=units.integer("formation", unit),
        files=units.integer("files", unit),
    )


@pytest.mark.parametrize("what", ["morale", "damage", "place"])
def test_it_does_not_change_with_what_the_side_does_not_know(what: str) -> None:
    env, hidden, _ = begun()
    before, others = env.observe("Militia"), env.encoder.arrays(env.battle, 1)["units"]

    env.battle.suppose([changed(env.battle, hidden, what)])

    assert hidden in env.battle.system.hidden_from(env.battle, 0)
    assert same(before, env.observe("Militia"))
    assert not np.array_equal(others, env.encoder.arrays(env.battle, 1)["units"])


@pytest.mark.parametrize("what", ["morale", "damage", "place"])
def test_it_changes_with_the_side_s_own_units(what: str) -> None:
    env, _, known = begun()
    before = env.observe("Militia")

    env.battle.suppose([changed(env.battle, known, what)])

    assert not same(before, env.observe("Militia"))


def test_decisions_do_not_change_with_what_the_side_does_not_know() -> None:
    env, twin = aec("bandits"), aec("bandits")
    for each in (env, twin):
        each.reset(seed=1)
    hidden = env.battle.system.hidden_from(env.battle, 0)[0]

    twin.battle.suppose([changed(twin.battle, hidden, "damage")])

    chance, asked = np.random.default_rng(1), 0
    while env.agent_selection == "Militia":
        seen, *_, info = env.last()
        assert same(seen, twin.last()[0])
        assert info == twin.last()[-1]
        action = chance.choice(np.flatnonzero(seen["action_mask"]))
        env.step(action)
        twin.step(action)
        asked += 1
    assert twin.agent_selection == env.agent_selection
    assert asked >= 3


def test_an_unknown_unit_has_a_row_of_zeros() -> None:
    env, hidden, known = begun()

    rows = env.observe("Militia")["observation"]["units"]

    assert not rows[hidden].any()
    feature = env.encoder.features["units"]
    assert rows[known, feature.index("known")] == 1
    assert rows[known, feature.index("own")] == 1
    assert 0 < rows[known, feature.index("east")] < 1


def test_data_as_json_values_have_the_units_of_the_arrays() -> None:
    env, hidden, _ = begun()

    told = env.picture_data("Militia")
    rows = env.observe("Militia")["observation"]["units"]

    assert {unit["unit"] for unit in told["units"]} == set(np.flatnonzero(rows[:, 0]).tolist())
    assert "options" not in told
    asked = env.picture_data("Bandits")
    assert len(asked["options"]) == env.observe("Bandits")["action_mask"].sum()
    assert env.battle_data("Militia")["sides"][0]["name"] == "Militia"
    assert hidden not in {unit["unit"] for unit in told["units"]}


@pytest.mark.parametrize("scenario", ["duel", "kings-road", "shallows"])
def test_every_question_and_verb_has_a_number(scenario: str) -> None:
    env = single(scenario, opponent="random", turns=2)
    asks = env.encoder.features["battle"].index("asks")
    verb = env.encoder.features["options"].index("verb")
    chance = np.random.default_rng(1)
    seen, info = env.reset(seed=1)

    over = False
    while not over:
        options = np.flatnonzero(seen["action_mask"])
        arrays = seen["observation"]
        assert env.encoder.questions[int(arrays["battle"][asks])] == info["asks"]
        assert (arrays["options"][options, verb] >= 0).all()
        # Options differ in their rows, so that a policy can tell one from another.
        rows = {row.tobytes() for row in arrays["options"][options]}
        assert len(rows) == len(options)
        assert not arrays["options"][len(options) :].any()
        seen, _, over, _, info = env.step(chance.choice(options))


def test_observations_share_no_memory() -> None:
    env = aec("duel")
    env.reset(seed=1)

    first, second = env.observe("Warriors"), env.observe("Warriors")

    assert same(first, second)
    pairs = zip(first["observation"].values(), second["observation"].values(), strict=True)
    assert not any(np.shares_memory(one, other) for one, other in pairs)


def orders(**counts: int) -> list[Order]:
    return [Order(verb=verb, number=n) for verb, count in counts.items() for n in range(count)]


def test_a_short_list_is_kept_whole() -> None:
    offered = orders(move=3, done=1)

    assert shortlist(offered, 4) == tuple(offered)


def test_a_long_list_keeps_the_first_orders_of_each_verb_in_order() -> None:
    offered = orders(move=40, fire=2, done=1)

    kept = shortlist(offered, 7)

    assert [(order.verb, order.number) for order in kept] == [
        ("move", 0), ("move", 1), ("move", 2), ("move", 3), ("fire", 0), ("fire", 1), ("done", 0),
    ]  # fmt: skip
    assert all(offered.index(one) < offered.index(two) for one, two in pairwise(kept))


def test_options_that_do_not_fit_are_counted() -> None:
    wide, narrow = aec("duel"), aec("duel", max_options=4)
    asked = []
    for env in (wide, narrow):
        env.reset(seed=1)
        while env.infos[env.agent_selection]["asks"] != "emlia.activate.two-actions":
            env.step(0)
        asked.append(env.last())

    (seen, *_, _), (cut, *_, info) = asked
    assert cut["action_mask"].tolist() == [1, 1, 1, 1]
    assert info["left_out"] == seen["action_mask"].sum() - 4 > 0
    column = narrow.encoder.features["battle"].index("left_out")
    assert cut["observation"]["battle"][column] == info["left_out"]

"""Whole battles of random policies: rewards, records, and the battle that follows from them."""

from __future__ import annotations

import re
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.decisions import Decision, Order
from emlia3d.battle.dice import Dice
from emlia3d.battle.files.orders import order_from_json
from emlia3d.battle.files.record import Record, read_record
from emlia3d.cli import main
from emlia3d.env import BattleAECEnv, SingleSideEnv, aec, single
from emlia3d.errors import Error, IllegalOrderError, LogError
from emlia3d.scenario import from_header


class Recorded:
    """Commander that gives the recorded orders."""

    def __init__(self, record: Record) -> None:
        self.orders = deque(order_from_json(line.body) for _, line in record.order_lines())

    def decide(self, decision: Decision, picture: Any, dice: Dice) -> Order:
        return self.orders.popleft()


def play(env: BattleAECEnv, seed: int, save: Path | None = None) -> dict[str, list[float]]:
    """The rewards of each agent in a battle of a random policy."""
    chance = np.random.default_rng(seed)
    env.reset(seed=seed, options={"save": save})
    rewards: dict[str, list[float]] = {agent: [] for agent in env.agents}
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        rewards[agent].append(reward)
        env.step(None if terminated else chance.choice(np.flatnonzero(seen["action_mask"])))
    return rewards


def play_single(env: SingleSideEnv, seed: int) -> tuple[list[Any], list[float], dict[str, Any]]:
    """The observations, the rewards and the last info of a battle of a random policy."""
    chance = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    observed, rewards, over = [seen], list[float](), False
    while not over:
        assert (env.action_masks() == (seen["action_mask"] == 1)).all()
        action = chance.choice(np.flatnonzero(seen["action_mask"]))
        seen, reward, over, _, info = env.step(action)
        assert info["legal"]
        observed.append(seen)
        rewards.append(reward)
    return observed, rewards, info


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "turns"),
    [("duel", None), ("kings-road", None), ("shallows", 3), ("crossroads", 3), ("castle", 1)],
)
def test_a_battle_follows_from_its_recorded_decisions(
    scenario: str, turns: int | None, tmp_path: Path
) -> None:
    env = aec(scenario, turns=turns)
    file = tmp_path / "random.battle.jsonl"

    play(env, 7, file)

    record = read_record(file)
    again = from_header(record.header, tmp_path).battle(7, turns=env.battle.setup.turns)
    commander = Recorded(record)
    for _ in again.run([commander for _ in again.setup.sides]):
        pass
    assert again.digest.hexdigest() == env.battle.digest.hexdigest()
    assert not commander.orders
    assert record.result == env.battle.result


def test_a_recorded_battle_is_verified_and_a_closed_one_goes_on(tmp_path: Path) -> None:
    env = aec("kings-road", turns=2)
    over, left = tmp_path / "over.battle.jsonl", tmp_path / "left.battle.jsonl"
    play(env, 3, over)
    env.reset(seed=3, options={"save": left})
    for _ in range(5):
        env.step(0)
    env.close()

    verified = main(["battle", "--verify", str(over)])
    resumed = main(["battle", "--headless", "--resume", str(left)])

    assert (verified, resumed) == (0, 0)
    assert read_record(left).result is not None


def test_a_picture_shows_the_battle() -> None:
    env = single("kings-road", opponent="random", turns=1, render_mode="rgb_array")
    env.reset(seed=1)

    picture = env.render()

    assert (picture.shape, picture.dtype) == ((540, 960, 3), np.uint8)
    assert picture.std() > 5


def test_the_same_seed_gives_the_same_battle_and_another_seed_another() -> None:
    env = aec("duel", turns=3)

    digests = []
    for seed in (1, 2, 1):
        play(env, seed)
        digests.append(env.battle.digest.hexdigest())

    assert digests[0] == digests[2] != digests[1]


def test_seeds_of_later_battles_follow_from_the_first() -> None:
    first, second = aec("duel"), aec("duel")
    seeds: list[list[int]] = []
    for env in (first, second):
        env.reset(seed=5)
        drawn = []
        for _ in range(3):
            env.reset()
            drawn.append(env.battle.seed)
        seeds.append(drawn)

    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


def test_the_winner_and_its_allies_gain_what_the_enemies_lose() -> None:
    env = aec("bandits", turns=2)

    rewards = play(env, 1)

    result = env.battle.result
    assert result is not None
    assert result.winner == "Bandits"
    gained = {agent: sum(parts) for agent, parts in rewards.items()}
    assert gained == {"Militia": -1.0, "Bandits": 1.0}
    assert all(sum(map(abs, parts)) == 1.0 for parts in rewards.values())


def test_a_draw_rewards_no_side() -> None:
    rewards = play(aec("kings-road", turns=1), 1)

    assert {sum(map(abs, gained)) for gained in rewards.values()} == {0.0}


def test_rewards_for_strength_add_up_to_the_difference_in_losses() -> None:
    env = single("crossroads", side="Watch", opponent="doctrine", turns=4, strength_reward=0.5)

    _, rewards, info = play_single(env, 3)

    units = env.battle.state.units
    left = units["members"] * (units["present"] != 0)
    own = units["side"] == 0
    assert left.sum() < units["strength"].sum()
    started = env.battle.setup.units
    absent = {row for row, unit in enumerate(started) if not unit.placed}
    assert not absent
    ahead = left[own].sum() - left[~own].sum()
    at_first = units["strength"][own].sum() - units["strength"][~own].sum()
    won = {"Watch": 1.0, None: 0.0}.get(info["result"]["winner"], -1.0)
    assert sum(rewards) == pytest.approx(
        won + 0.5 * (ahead - at_first) / units["strength"].sum(), abs=1e-9
    )


def test_built_in_commanders_lead_the_other_sides() -> None:
    env = aec("crossroads", commanders={"Watch": "doctrine", "Smugglers": "random"}, turns=2)

    rewards = play(env, 2)

    assert [*rewards] == env.possible_agents == ["Free company"]
    assert env.agents == []


def test_other_code_may_lead_the_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, file = tmp_path / "first_of_all.py", tmp_path / "led.battle.jsonl"
    module.write_text(
        "class First:\n"
        "    def __init__(self, battle): pass\n"
        "    def decide(self, decision): return {'option': 0, 'why': 'first of all'}\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    env = single("kings-road", opponent="python:first_of_all:First", turns=1)

    env.reset(seed=1, options={"save": file})
    over = False
    while not over:
        over = env.step(0)[2]

    orders = [line.body for _, line in read_record(file).order_lines()]
    reasons = {side: {one.get("why") for one in orders if one["side"] == side} for side in (0, 1)}
    assert reasons == {0: {None}, 1: {"first of all"}}


def test_an_action_that_is_no_option_is_refused_without_effect() -> None:
    env = aec("duel")
    env.reset(seed=1)
    before = env.battle.digest.hexdigest()
    mask = env.last()[0]["action_mask"]

    with pytest.raises(IllegalOrderError, match=r"expected an option \(0 to \d+\), got 127"):
        env.step(127)

    assert mask[127] == 0
    assert env.battle.digest.hexdigest() == before
    env.step(0)


def test_a_single_side_that_gives_no_option_gives_the_first() -> None:
    env, other = single("duel", turns=3), single("duel", turns=3)
    env.reset(seed=1)
    other.reset(seed=1)

    *_, info = env.step(127)
    *_, told = other.step(0)

    assert (info["legal"], told["legal"]) == (False, True)
    assert env.battle.digest.hexdigest() == other.battle.digest.hexdigest()


def test_a_recorded_battle_is_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "kept.battle.jsonl"
    file.write_text("mine", encoding="utf-8")

    with pytest.raises(LogError, match="there is a file already"):
        aec("duel").reset(seed=1, options={"save": file})

    assert file.read_text("utf-8") == "mine"


def test_text_shows_the_sides_and_their_units() -> None:
    env = aec("duel", turns=1, render_mode="ansi")
    env.reset(seed=1)

    text = env.render()

    assert isinstance(text, str)
    assert text.splitlines()[0] == "Four warriors and a dragon: turn 1 of 1"
    assert re.search(r"^  dragon +1 of +1 at 50, 48.5 facing 180$", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"scenario": "no such"}, "no such"),
        (
            {"scenario": "duel", "side": "Dragn"},
            'unknown side "Dragn"; did you mean Dragon?',
        ),
        ({"scenario": "duel", "opponent": "genius"}, "genius"),
        ({"scenario": "duel", "opponent": {"Warriors": "doctrine"}}, "each of Dragon"),
        ({"scenario": "duel", "max_options": 1}, "expected 2 or more, got 1"),
        ({"scenario": "duel", "turns": 0}, "expected 1 or more, got 0"),
        ({"scenario": "duel", "render_mode": "human"}, "expected 'ansi' or 'rgb_array'"),
    ],
)
def test_a_wrong_argument_is_reported_in_one_line(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(Error) as raised:
        single(**arguments)

    assert told in str(raised.value)
    assert "\n" not in str(raised.value)

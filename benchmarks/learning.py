"""Learn to play one side of a battle, and print how often it wins.

`python -m benchmarks.learning [SCENARIO] [BATTLES]` plays against random orders. The policy is
linear: it scores an option by its verb, by how much nearer it leads to an enemy, and by whether it
faces that enemy. REINFORCE adjusts the weights after each battle. The last 20 battles have new
seeds and change no weight.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emlia3d.env import SingleSideEnv, single

TURNS = 12
EACH = 20
"""Battles of a line of the table."""
RATE = 0.3
NEW_SEEDS = 10_000

Floats = NDArray[np.float64]


class Policy:
    """A linear policy with a softmax over the options.

    weights : (verbs + 2,)
    """

    def __init__(self, env: SingleSideEnv, chance: np.random.Generator) -> None:
        self.weights = np.zeros(len(env.encoder.verbs) + 2)
        self._chance = chance
        self._verb, *self._end, self._east, self._north, self._unit = (
            env.encoder.features["options"].index(name)
            for name in ("verb", "east", "north", "facing_east", "facing_north", "unit")
        )
        self._known, self._enemy, *self._place = (
            env.encoder.features["units"].index(name)
            for name in ("known", "enemy", "east", "north")
        )

    def choose(self, seen: dict[str, Any]) -> tuple[int, Floats]:
        """Draw an option; return its number, and the gradient of its log probability."""
        rows = self._features(seen)
        scores = rows @ self.weights
        odds = np.exp(scores - scores.max())
        odds /= odds.sum()
        number = int(self._chance.choice(len(odds), p=odds))
        return number, rows[number] - odds @ rows

    def _features(self, seen: dict[str, Any]) -> Floats:
        """A row for each option: its verb, how much nearer it leads, and how far it faces."""
        units, count = seen["observation"]["units"], int(seen["action_mask"].sum())
        options = seen["observation"]["options"][:count]
        rows = np.zeros((count, len(self.weights)))
        rows[np.arange(count), options[:, self._verb].astype(int)] = 1.0
        enemies = units[(units[:, self._known] > 0) & (units[:, self._enemy] > 0)]
        facing = options[:, [self._east, self._north]]
        moves = facing.any(axis=1)
        if not len(enemies) or not moves.any():
            return rows
        ends = options[moves][:, self._end]
        starts = units[options[moves, self._unit].astype(int)][:, self._place]
        before, _ = _nearest(starts, enemies[:, self._place])
        after, towards = _nearest(ends, enemies[:, self._place])
        rows[moves, -2] = 10.0 * (before - after)
        rows[moves, -1] = (facing[moves] * towards).sum(axis=1)
        return rows


def _nearest(points: Floats, others: Floats) -> tuple[Floats, Floats]:
    """The distance of each point to the nearest of *others*, and the direction to it."""
    apart = others[None] - points[:, None]
    far = np.hypot(apart[..., 0], apart[..., 1])
    nearest = far.argmin(axis=1)
    rows = np.arange(len(points))
    near = far[rows, nearest]
    return near, apart[rows, nearest] / np.maximum(near, 1e-9)[:, None]


def play(env: SingleSideEnv, policy: Policy, seed: int) -> tuple[float, Floats, bool]:
    """The reward of a battle, the mean gradient of its decisions, and whether it was won."""
    seen, _ = env.reset(seed=seed)
    over, total, gradients = False, 0.0, list[Floats]()
    while not over:
        action, gradient = policy.choose(seen)
        gradients.append(gradient)
        seen, reward, over, _, info = env.step(action)
        total += reward
    won = info["result"]["winner"] == env.battle.setup.sides[env.side].name
    return total, np.sum(gradients, axis=0) / np.sqrt(len(gradients)), won


def learn(scenario: str, battles: int) -> list[tuple[str, float, float]]:
    """Return lines of a table: which battles, the mean reward, and the proportion won."""
    env = single(scenario, opponent="random", turns=TURNS, strength_reward=5.0)
    policy = Policy(env, np.random.default_rng(0))
    lines, usual = list[tuple[str, float, float]](), 0.0
    block = list[tuple[float, bool]]()
    for number in range(battles + EACH):
        learning = number < battles
        total, gradient, won = play(env, policy, number if learning else NEW_SEEDS + number)
        if learning and number:
            policy.weights += RATE * (total - usual) * gradient
        usual = usual + 0.1 * (total - usual) if number else total
        block.append((total, won))
        if len(block) == EACH or number + 1 in {battles, battles + EACH}:
            rewards, wins = zip(*block, strict=True)
            name = f"to {number + 1}" if learning else "new seeds"
            lines.append((name, float(np.mean(rewards)), float(np.mean(wins))))
            block.clear()
    return lines


def main(scenario: str = "kings-road", battles: str = "180") -> None:
    """Run the command."""
    for name, reward, won in learn(scenario, int(battles)):
        sys.stdout.write(f"{name:>10}  reward {reward:+.2f}  won {won:.0%}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

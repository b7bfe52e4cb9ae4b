"""Environments in processes, and environments without their libraries."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from emlia3d.env import single, vector
from emlia3d.errors import Error


@pytest.mark.long
def test_processes_play_the_battles_of_their_seeds() -> None:
    envs = vector("kings-road", 2, opponent="random", turns=1)
    alone = [single("kings-road", opponent="random", turns=1) for _ in range(2)]

    try:
        seen, told = envs.reset(seed=[4, 5])
        assert told["seed"].tolist() == [4, 5]
        expected = [env.reset(seed=seed) for env, seed in zip(alone, (4, 5), strict=True)]
        for _ in range(8):
            for row, (one, _) in enumerate(expected):
                mask = seen["action_mask"][row]
                assert np.array_equal(mask, one["action_mask"])
                for name, array in one["observation"].items():
                    assert np.array_equal(seen["observation"][name][row], array)
            actions = np.array([one["action_mask"].sum() - 1 for one, _ in expected])
            seen, rewards, over, _, _ = envs.step(actions)
            steps = [env.step(action) for env, action in zip(alone, actions, strict=True)]
            assert rewards.tolist() == [step[1] for step in steps]
            assert over.tolist() == [step[2] for step in steps] == [False, False]
            expected = [(step[0], step[4]) for step in steps]
    finally:
        envs.close()


def test_a_wrong_argument_starts_no_process() -> None:
    with pytest.raises(Error, match="unknown side"):
        vector("duel", 2, side="Goblins")


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_a_missing_library_is_reported_in_one_line(missing: str) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "import emlia3d\n"
        "try: emlia3d.env.single\n"
        "except emlia3d.MissingExtraError as fault: print(fault)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout == (
        "a learning environment needs an optional library: pip install 'emlia3d[rl]'\n"
    )
    assert done.stderr == ""

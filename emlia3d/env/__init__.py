"""Battles as learning environments: sides are agents, and an action is the number of an option.

`aec` is a PettingZoo environment, `single` a Gymnasium environment for one side, and `vector` many
of these in processes. They need the extra `rl`. ``docs/learning.md`` describes observations,
actions and rewards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from emlia3d.on_demand import on_demand

if TYPE_CHECKING:
    from emlia3d.env.aec_env import BattleAECEnv, aec
    from emlia3d.env.single_env import SingleSideEnv, single
    from emlia3d.env.vector_env import vector

__all__ = ["BattleAECEnv", "SingleSideEnv", "aec", "single", "vector"]

__getattr__ = on_demand(
    __name__,
    {
        **dict.fromkeys(("BattleAECEnv", "aec"), "emlia3d.env.aec_env"),
        **dict.fromkeys(("SingleSideEnv", "single"), "emlia3d.env.single_env"),
        "vector": "emlia3d.env.vector_env",
    },
)

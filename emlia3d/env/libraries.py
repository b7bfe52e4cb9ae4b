"""The optional libraries of learning environments, in one place."""

from __future__ import annotations

from emlia3d.errors import MissingExtraError

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from gymnasium.vector import AsyncVectorEnv
    from pettingzoo import AECEnv
except ImportError as fault:
    raise MissingExtraError("a learning environment", "rl") from fault

__all__ = ["AECEnv", "AsyncVectorEnv", "gymnasium", "np_random", "spaces"]

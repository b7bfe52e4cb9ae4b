"""Many single-side environments, each in its own process."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import Any

from emlia3d.env.libraries import AsyncVectorEnv
from emlia3d.env.single_env import SingleSideEnv, single


def vector(scenario: str | Path, count: int, **settings: Any) -> AsyncVectorEnv:
    """Return copies of an environment of `emlia3d.env.single`, each in a process of its own.

    Gymnasium's `AsyncVectorEnv` runs them, with observations in shared memory. Each process
    starts a new interpreter, so the calling program needs ``if __name__ == "__main__":``.

    Parameters
    ----------
    scenario
        File of a scenario, or the name of a bundled scenario.
    count
        Number of copies.
    settings
        Other arguments of `emlia3d.env.single`.

    Raises
    ------
    Error
        If an argument is invalid.
    """
    single(scenario, **settings).close()  # one line for a wrong argument, before any process
    make = partial(_in_process, str(scenario), settings)
    return AsyncVectorEnv([make] * count, shared_memory=True, context="spawn")


def _in_process(scenario: str, settings: dict[str, Any]) -> SingleSideEnv:
    """Return an environment of a process that shares its machine with many like it."""
    os.environ["EMLIA3D_THREADS"] = "1"
    return single(scenario, **settings)

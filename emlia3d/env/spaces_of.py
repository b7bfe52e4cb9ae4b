"""The spaces of observations and actions."""

from __future__ import annotations

from typing import Any

import numpy as np

from emlia3d.env.libraries import spaces
from emlia3d.env.observation import LIMIT, ObservationEncoder


def observation_space(encoder: ObservationEncoder) -> spaces.Dict:
    """Return the space of `emlia3d.env.episode.Episode.observation`."""
    arrays: dict[str, spaces.Space[Any]] = {
        name: spaces.Box(-LIMIT, LIMIT, shape, np.float32)
        for name, shape in encoder.shapes().items()
    }
    mask = spaces.Box(0, 1, (encoder.rows["options"],), np.int8)
    return spaces.Dict({"observation": spaces.Dict(arrays), "action_mask": mask})


def action_space(encoder: ObservationEncoder) -> spaces.Discrete[np.int64]:
    """Return the space of the numbers of options."""
    return spaces.Discrete(encoder.rows["options"])

"""A battle as a Gymnasium environment for one side; built-in commanders lead the others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from emlia3d.env.episode import MAX_OPTIONS, PlaysEpisodes, Terms, terms_of
from emlia3d.env.libraries import gymnasium
from emlia3d.env.observation import ObservationEncoder
from emlia3d.env.rendering import RENDER_MODES, RenderMode, check_render_mode, rendered
from emlia3d.env.spaces_of import action_space, observation_space
from emlia3d.errors import Error
from emlia3d.scenario.messages import nearest, shown
from emlia3d.scenario.scenario import Scenario, load


def single(  # noqa: PLR0913  what may be wanted of an environment, each by its name
    scenario: Scenario | str | Path,
    *,
    side: str | None = None,
    opponent: str | Mapping[str, str] = "doctrine",
    turns: int | None = None,
    max_options: int = MAX_OPTIONS,
    strength_reward: float = 0.0,
    render_mode: RenderMode | None = None,
) -> SingleSideEnv:
    """Return a Gymnasium environment in which one side is the agent.

    ``gymnasium.make("emlia3d.env.single_env:emlia3d/Battle-v0", scenario="duel")`` also creates it.

    Parameters
    ----------
    side
        Name of the side; None for the scenario's first side.
    opponent
        Commander of all other sides, such as "doctrine:bold" or "random", or a commander for
        each of them.

    Notes
    -----
    `emlia3d.env.aec` describes the other parameters and the errors.
    """
    check_render_mode(render_mode)
    known = scenario if isinstance(scenario, Scenario) else load(scenario)
    names = [one.name for one in known.setup.sides]
    played = names[0] if side is None else side
    if played not in names:
        raise Error(f"{known.name}: unknown side {shown(played)}; {nearest(played, names)}")
    others = [name for name in names if name != played]
    commanders = dict.fromkeys(others, opponent) if isinstance(opponent, str) else dict(opponent)
    if played in commanders or set(others) - commanders.keys():
        raise Error(f"opponent: expected a commander for each of {', '.join(others)}")
    terms = terms_of(known, commanders, turns, max_options, strength_reward)
    return SingleSideEnv(terms, names.index(played), render_mode)


gymnasium.register("emlia3d/Battle-v0", f"{__name__}:single")


class SingleSideEnv(PlaysEpisodes, gymnasium.Env[dict[str, Any], np.int64]):
    """A battle in which an agent decides for one side.

    side : row of the side
    encoder : names the columns of observations
    """

    def __init__(self, terms: Terms, side: int, render_mode: RenderMode | None) -> None:
        """Prepare battles on these terms."""
        self.metadata = {"render_modes": [*RENDER_MODES], "render_fps": 1}
        self.render_mode = render_mode
        self.side = side
        self.encoder = ObservationEncoder(terms.scenario.battle(), terms.max_options)
        self.observation_space = observation_space(self.encoder)
        self.action_space = action_space(self.encoder)
        self._terms = terms

    @override
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a battle, and return its seed in the info.

        `emlia3d.env.BattleAECEnv.reset` describes the parameters.
        """
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**31))
        self.close()
        self._begun = self._terms.begin(seed, frozenset((self.side,)), options)
        return self._observed(), {"seed": seed, **self._begun.info(self.side)}

    @override
    def step(
        self, action: int | np.integer[Any]
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Give the order of an option.

        If the action mask excludes the number, give the order of the first option, because
        `sample` of the action space ignores the mask. "legal" in the info is then False.
        """
        episode = self._episode
        legal = 0 <= action < len(episode.options)
        if episode.request is not None:
            episode.choose(int(action) if legal else 0)
        over = episode.request is None
        told = {"legal": legal, **episode.info(self.side)}
        return self._observed(), episode.rewards()[self.side], over, False, told

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions in the form for `sb3_contrib.MaskablePPO`."""
        return np.arange(self._terms.max_options) < len(self._episode.options)

    @override
    def render(self) -> Any:
        """Return the whole battle in the render mode, for spectators."""
        return rendered(self.battle, self.render_mode)

    def _observed(self) -> dict[str, Any]:
        return self._episode.observation(self.encoder, self.side)

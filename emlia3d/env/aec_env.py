"""A battle as a PettingZoo environment in which the sides are the agents."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from emlia3d.battle.exchange.side_data import battle_data, decision_data, picture_data
from emlia3d.env.episode import MAX_OPTIONS, PlaysEpisodes, Terms, terms_of
from emlia3d.env.libraries import AECEnv, np_random, spaces
from emlia3d.env.observation import ObservationEncoder
from emlia3d.env.rendering import RENDER_MODES, RenderMode, check_render_mode, rendered
from emlia3d.env.spaces_of import action_space, observation_space
from emlia3d.errors import Error
from emlia3d.scenario.scenario import Scenario


def aec(
    scenario: Scenario | str | Path,
    *,
    commanders: Mapping[str, str] | None = None,
    turns: int | None = None,
    max_options: int = MAX_OPTIONS,
    strength_reward: float = 0.0,
    render_mode: RenderMode | None = None,
) -> BattleAECEnv:
    """Return a PettingZoo environment in which the sides of a scenario are agents.

    Parameters
    ----------
    scenario
        A scenario, its file, or the name of a bundled scenario.
    commanders
        Commanders of sides that are not agents, such as ``{"Dragon": "doctrine"}``.
    turns
        Maximum number of turns; None for the scenario's.
    max_options
        Number of actions. A decision with more options offers some of them
        (`emlia3d.env.shortlist.shortlist`).
    strength_reward
        Weight of changes in strength in the rewards; with 0, only the result counts.
    render_mode
        "ansi" for text, "rgb_array" for a picture.

    Raises
    ------
    Error
        If an argument is invalid. A `ScenarioError` lists every error of the scenario's file.
    """
    check_render_mode(render_mode)
    led = dict(commanders or {})
    terms = terms_of(scenario, led, turns, max_options, strength_reward)
    return BattleAECEnv(terms, frozenset(led), render_mode)


class BattleAECEnv(PlaysEpisodes, AECEnv):
    """A battle in which agents decide for sides.

    possible_agents : names of the sides that are agents
    encoder : names the columns of observations
    """

    def __init__(self, terms: Terms, led: frozenset[str], render_mode: RenderMode | None) -> None:
        """Prepare battles on these terms; *led* are the sides that are no agents."""
        super().__init__()
        self.render_mode = render_mode
        self.metadata = {
            "name": f"emlia3d_{terms.scenario.setup.rules}_v0",
            "render_modes": [*RENDER_MODES],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self._terms = terms
        sides = terms.scenario.setup.sides
        self._rows = {side.name: row for row, side in enumerate(sides) if side.name not in led}
        if not self._rows:
            raise Error("commanders: expected a side that is left to an agent")
        self.possible_agents = [*self._rows]
        self.agents: list[str] = []
        self.encoder = ObservationEncoder(terms.scenario.battle(), terms.max_options)
        self.observation_spaces: dict[str, spaces.Dict] = {
            agent: observation_space(self.encoder) for agent in self._rows
        }
        self.action_spaces: dict[str, spaces.Discrete[np.int64]] = {
            agent: action_space(self.encoder) for agent in self._rows
        }
        self._random, _ = np_random()

    @override
    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    @override
    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Return the space of an agent's actions, the numbers of options."""
        return self.action_spaces[agent]

    @override
    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Start a battle.

        Parameters
        ----------
        seed
            Random seed; None for a seed that is derived from the last given one.
        options
            "save" is the path of a new battle file, which records the battle.

        Raises
        ------
        LogError
            If the file exists or cannot be written.
        """
        if seed is None:
            seed = int(self._random.integers(2**31))
        else:
            self._random, _ = np_random(seed)
        self.close()
        agents = frozenset(self._rows.values())
        self._begun = self._terms.begin(seed, agents, options)
        self.agents = [*self._rows]
        self._skip_agent_selection = None
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._take_stock()

    @override
    def step(self, action: int | np.integer[Any] | None) -> None:
        """Give the order of an option.

        Parameters
        ----------
        action
            Number of the option; None for an agent whose battle is over.

        Raises
        ------
        IllegalOrderError
            If the action mask excludes the number. The battle does not change.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Error(f"action: expected the number of an option of {agent}, got None")
        self._episode.choose(int(action))
        self._cumulative_rewards[agent] = 0.0
        self._take_stock()

    @override
    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent's side knows. Only the agent that decides has options."""
        return self._episode.observation(self.encoder, self._rows[agent])

    @override
    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the whole battle in the render mode, for spectators."""
        return rendered(self.battle, self.render_mode)

    def battle_data(self, agent: str) -> dict[str, Any]:
        """Return the facts that do not change during a battle, as JSON values."""
        return battle_data(self.battle, self._rows[agent])

    def picture_data(self, agent: str) -> dict[str, Any]:
        """Return what an agent's side knows now, and its decision if it has one, as JSON."""
        episode, side = self._episode, self._rows[agent]
        if episode.request is None or side != episode.side:
            return picture_data(episode.battle.system.picture(episode.battle, side).battle)
        known = episode.request.picture.battle
        return {
            **picture_data(known),
            **decision_data(known, episode.request.decision, episode.options),
        }

    def _take_stock(self) -> None:
        """Find the agent that decides next, and what all agents have gained."""
        episode = self._episode
        gained = episode.rewards()
        self.rewards = {agent: gained[self._rows[agent]] for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, episode.side is None)
        self.infos = {agent: episode.info(self._rows[agent]) for agent in self.agents}
        self._accumulate_rewards()
        deciding = (agent for agent, row in self._rows.items() if row == episode.side)
        self.agent_selection = next(deciding, self.agents[0])

"""One battle of a learning environment: it stops at each decision of an agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from emlia3d.battle.battle import Battle
from emlia3d.battle.commanders import Commander
from emlia3d.battle.decisions import Order, advance
from emlia3d.battle.events import Event
from emlia3d.battle.files.log import BattleLog
from emlia3d.battle.flow import DecisionRequest
from emlia3d.battle.questions.options import choices
from emlia3d.battle.unit_outlines import members_ahead
from emlia3d.env.observation import ObservationEncoder
from emlia3d.env.shortlist import shortlist
from emlia3d.errors import Error, IllegalOrderError
from emlia3d.scenario.scenario import Scenario, load

MAX_OPTIONS = 128
"""The default number of actions; bundled battles rarely offer more options."""

_SEEDS = 2**63


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The settings that all battles of an environment share.

    scenario : the scenario, or the name or file of one
    turns : maximum number of turns; None for the scenario's
    max_options : number of actions
    strength_reward : weight of changes in strength in the rewards
    """

    scenario: Scenario
    turns: int | None
    max_options: int
    strength_reward: float

    def __post_init__(self) -> None:
        """Raise Error for terms on which no battle can be played."""
        self.scenario.require_units()
        if self.max_options < 2:
            raise Error(f"max_options: expected 2 or more, got {self.max_options}")
        if self.turns is not None and self.turns < 1:
            raise Error(f"turns: expected 1 or more, got {self.turns}")

    def begin(
        self, seed: int, agents: frozenset[int], options: Mapping[str, Any] | None
    ) -> Episode:
        """Return a new battle at the first decision of an agent.

        agents : rows of the sides for which agents decide
        options : "save" is the path of a new battle file, which records it

        Raises LogError if the file exists or cannot be written.
        """
        if not 0 <= seed < _SEEDS:
            raise Error(f"seed: expected a whole number from 0 to {_SEEDS - 1}, got {seed}")
        battle = self.scenario.battle(seed, self.turns)
        save, log = (options or {}).get("save"), None
        if save is not None:
            log = BattleLog.begin(Path(save), self.scenario.header(seed, self.turns), battle)
        others = range(len(battle.setup.sides))
        commanders = {row: battle.commander_of(row) for row in others if row not in agents}
        return Episode(self, battle, commanders, log)


def terms_of(
    scenario: Scenario | str | Path,
    commanders: Mapping[str, str],
    turns: int | None,
    max_options: int,
    strength_reward: float,
) -> Terms:
    """Return the terms of an environment; raise Error for a wrong argument.

    commanders : commanders by their sides, which replace the scenario's
    """
    known = scenario if isinstance(scenario, Scenario) else load(scenario)
    return Terms(
        scenario=known.with_commanders(commanders) if commanders else known,
        turns=turns,
        max_options=max_options,
        strength_reward=strength_reward,
    )


class Episode:
    """A battle that waits for the decision of an agent, or is over.

    battle : the battle at present
    request : the decision of an agent; None when the battle is over
    options : the orders between which the agent chooses
    left_out : number of other orders that were offered
    """

    def __init__(
        self,
        terms: Terms,
        battle: Battle,
        commanders: Mapping[int, Commander],
        log: BattleLog | None,
    ) -> None:
        self.battle = battle
        self._terms, self._commanders, self._log = terms, commanders, log
        self._sides = range(len(battle.setup.sides))
        self._members = max(1, int(battle.state.units.ints("members").sum()))
        self._play = battle.dialogue(log)
        next(self._play)  # the first event, which takes units without a position off the field
        self._ahead = [self._strength(row) for row in self._sides]
        self._paid = False
        self.request: DecisionRequest | None = None
        self.options: tuple[Order, ...] = ()
        self.left_out = 0
        self._continue(None)

    @property
    def side(self) -> int | None:
        """The row of the side that must decide; None when the battle is over."""
        return None if self.request is None else self.request.decision.side

    def choose(self, number: int) -> None:
        """Give the order of an option, and play on to the next decision of an agent.

        Raises IllegalOrderError, without effect, for a number that is no option.
        """
        if not 0 <= number < len(self.options):
            legal = f"0 to {len(self.options) - 1}" if self.options else "none: the battle is over"
            raise IllegalOrderError(f"action: expected an option ({legal}), got {number}")
        self._continue(self.options[number])

    def rewards(self) -> list[float]:
        """Return each side's reward since the last call, by its row.

        It is the change of the side's strength ahead, times `Terms.strength_reward`; after the last
        decision 1 for the winner and its allies and -1 for its enemies are added.
        """
        weight, before = self._terms.strength_reward, self._ahead
        self._ahead = [self._strength(row) for row in self._sides]
        gained = zip(self._ahead, before, self._ended(), strict=True)
        return [weight * (now - then) + ended for now, then, ended in gained]

    def observation(self, encoder: ObservationEncoder, side: int) -> dict[str, Any]:
        """Return what a side knows now, with the mask of its options, as new arrays."""
        if self.request is None or side != self.side:
            known = self.battle.system.picture(self.battle, side).battle
            arrays = encoder.arrays(known, side)
            options = 0
        else:
            known, decision = self.request.picture.battle, self.request.decision
            arrays = encoder.arrays(known, side, decision, self.options, self.left_out)
            options = len(self.options)
        mask = np.zeros(self._terms.max_options, dtype=np.int8)
        mask[:options] = 1
        return {"observation": arrays, "action_mask": mask}

    def info(self, side: int) -> dict[str, Any]:
        """Return the question that a side is asked, and the result of a battle that is over.

        It lacks the seed, from which all dice follow.
        """
        told: dict[str, Any] = {}
        if self.request is not None and side == self.side:
            told |= {"asks": self.request.decision.asks, "left_out": self.left_out}
        result = None if self.request is not None else self.battle.result
        return told if result is None else {**told, "result": asdict(result)}

    def close(self) -> None:
        """Close the battle file; a battle that is not over can be resumed from it."""
        if self._log is not None:
            self._log.close()

    def _continue(self, order: Order | None) -> None:
        self.request, self.options, self.left_out = None, (), 0
        while self.request is None:
            try:
                said = advance(self._play, order)
            except StopIteration:
                self._finish()
                return
            order = None if isinstance(said, Event) else self._answered(said)

    def _answered(self, request: DecisionRequest) -> Order | None:
        """Return a commander's order, or the only one; None to wait for an agent's."""
        decision = request.decision
        if decision.side in self._commanders:
            commander = self._commanders[decision.side]
            return commander.decide(decision, request.picture, request.dice)
        offered = choices(request.picture.battle, decision)
        if len(offered) == 1:
            return offered[0]
        self.request = request
        self.options = shortlist(offered, self._terms.max_options)
        self.left_out = len(offered) - len(self.options)
        return None

    def _finish(self) -> None:
        result = self.battle.result
        assert result is not None, "a battle that is over has a result"
        if self._log is not None:
            self._log.finish(result)
            self._log.close()

    def _ended(self) -> list[float]:
        """Return the part of each side's reward that the result gives, once."""
        setup, result = self.battle.setup, self.battle.result
        if self.request is not None or self._paid or result is None or result.winner is None:
            return [0.0 for _ in self._sides]
        self._paid = True
        winner = setup.side_of(result.winner)
        return [-1.0 if setup.hostile(winner, row) else 1.0 for row in self._sides]

    def _strength(self, side: int) -> float:
        """Return the members of a side and its allies minus the enemies', per member of all."""
        return members_ahead(self.battle, side) / self._members


class PlaysEpisodes:
    """Part of an environment: the battle at present, one after another."""

    _begun: Episode | None = None

    @property
    def battle(self) -> Battle:
        """The whole battle at present, for inspection."""
        return self._episode.battle

    @property
    def _episode(self) -> Episode:
        if self._begun is None:
            raise Error("call reset before anything else")
        return self._begun

    def close(self) -> None:
        """Close the battle file, if there is one."""
        if self._begun is not None:
            self._begun.close()

"""Emlia, chapter 5 as play: which rules made the dice and the result of a check.

The rows of modifier tables are not among them: they come with their figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from emlia3d.rules.emlia.actions import action, listing
from emlia3d.rules.emlia.basics.tables import Modified
from emlia3d.rules.emlia.play.situation.parts import head_of, is_mixed
from emlia3d.rules.emlia.tables.skills import Attempt, Check, is_sure, level_because

if TYPE_CHECKING:
    from emlia3d.battle.moment import Moment

_OF_THE_WHOLE = {"leadership", "alertness", "stealth"}
"""Skills of which a mixed unit makes one check."""


def check_because(  # noqa: PLR0913  who tried what, and what came of it
    moment: Moment,
    row: int,
    name: str,
    tried: Attempt,
    check: Check,
    modifier: Modified,
    *,
    listed: bool = True,
) -> Iterator[str]:
    """Yield the rules of a check besides the rows of its tables.

    row : the unit, or the subunit with whose skill it is made
    name : of the action, as in `emlia3d.rules.emlia.actions`
    listed : whether the check uses up the action, as the list of actions has it
    """
    if listed:
        yield listing(name)
    if is_mixed(moment, head_of(moment, row)):
        whole = action(name).skill in _OF_THE_WHOLE
        yield "emlia.skill.mixed-source.non-combat" if whole else "emlia.skill.mixed-source"
    if tried.level is not None:
        yield from level_because(tried.level)
    yield "emlia.skill.automatic-success" if check.automatic else "emlia.skill.check"
    if is_sure(modifier.total) and not check.automatic:
        yield "emlia.meta.probability"
    if len(modifier.because) > 1:
        yield "emlia.meta.cumulative"

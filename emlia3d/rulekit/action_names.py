"""Names of actions: one for an action's orders, its events in the log, and the report.

A system lists its actions in its table of words. Each phrase for one of their orders or events has
every word of the action's name in it, in any form of the verb: "detect hidden enemies" is ordered,
and the log says that a unit "detects" one, or "fails to detect" it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from emlia3d.battle.events import Facts


@dataclass(frozen=True, slots=True)
class NamedAction:
    """An action with the name that all phrases for it have.

    name : one or more words, as the rulebook has them
    orders : the verbs of its orders
    events : the kinds of its events; one kind may belong to several actions
    """

    name: str
    orders: tuple[str, ...]
    events: tuple[type[Facts], ...] = ()

    def is_in(self, words: str) -> bool:
        """Return whether words have each word of the name, in any form of the verb."""
        said = re.findall(r"\w+", words.casefold())
        return all(
            any(word.startswith(stem) for word in said)
            for stem in (re.sub("[ey]$", "", part) for part in self.name.casefold().split())
        )

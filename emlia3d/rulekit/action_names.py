"""Names of actions, which orders, the log and the report share.

A system lists its actions in its table of words. Each phrase for an order or event of an action
contains every word of the action's name, in any form of the verb: the order is "detect hidden
enemies", and in the log a unit "detects" an enemy or "fails to detect" it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from emlia3d.battle.events import Facts


@dataclass(frozen=True, slots=True)
class NamedAction:
    """An action and the name that all its phrases contain.

    name : one or more words, as in the rulebook
    orders : the verbs of its orders
    events : the kinds of its events; one kind may belong to several actions
    """

    name: str
    orders: tuple[str, ...]
    events: tuple[type[Facts], ...] = ()

    def is_in(self, words: str) -> bool:
        """Return whether *words* contain each word of the name, in any form of the verb."""
        said = re.findall(r"\w+", words.casefold())
        return all(
            any(word.startswith(stem) for word in said)
            for stem in (re.sub("[ey]$", "", part) for part in self.name.casefold().split())
        )

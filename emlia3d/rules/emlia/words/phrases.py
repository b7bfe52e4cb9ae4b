"""The words of Emlia: its one table of phrases."""

from __future__ import annotations

from emlia3d.rulekit.words import WordTable
from emlia3d.rules.emlia.words.actions import ACTIONS
from emlia3d.rules.emlia.words.events import EVENTS
from emlia3d.rules.emlia.words.orders import KINDS, ORDERS
from emlia3d.rules.emlia.words.questions import QUESTIONS

WORDS = WordTable(events=EVENTS, orders=ORDERS, questions=QUESTIONS, kinds=KINDS, actions=ACTIONS)

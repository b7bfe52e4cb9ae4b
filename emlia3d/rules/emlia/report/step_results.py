"""Results of a step by unit; units with equal results share a sentence."""

from __future__ import annotations

from emlia3d.battle.events import Event
from emlia3d.rulekit.english import ReportNames, agreed, joined, listed, sentence
from emlia3d.rules.emlia.events.losses import Heartened, Shaken
from emlia3d.rules.emlia.words.event_forms import cause_of, morale_of, sways

_SWAYED = (Heartened, Shaken)


class StepOutcome:
    """The results of a step so far."""

    def __init__(self, names: ReportNames) -> None:
        self._names = names
        self._by_unit: dict[int, list[tuple[Event, str, str]]] = {}
        self._sentences: list[str] = []

    def add(self, event: Event, deed: str, dice: str) -> None:
        """Add a result for the unit of an event."""
        assert event.unit is not None
        self._by_unit.setdefault(event.unit, []).append((event, deed, dice))

    def say(self, words: str) -> None:
        """Add a sentence about the field."""
        self._sentences.append(sentence(words))

    def sentences(self) -> list[str]:
        """Return a sentence for each unit, and one for all units with the same results."""
        alike: dict[tuple[str, str], list[tuple[Event, str]]] = {}
        for befell in self._by_unit.values():
            event, deed, dice = befell[0]
            if len(befell) == 1 and not dice:
                same = cause_of(event) if isinstance(event.facts, _SWAYED) else deed
                alike.setdefault((event.name, same), []).append((event, deed))
        together = [shared for shared in alike.values() if len(shared) > 1]
        done = {event.unit for shared in together for event, _ in shared}
        told = [*self._sentences]
        for unit, befell in self._by_unit.items():
            if unit not in done:
                deeds = [self._names.agreed(unit, deed) + dice for _, deed, dice in befell]
                told.append(sentence(f"{self._names.unit(unit)} {joined(deeds)}"))
        told += [self._together(shared) for shared in together]
        self._by_unit, self._sentences = {}, []
        return told

    def _together(self, shared: list[tuple[Event, str]]) -> str:
        event, deed = shared[0]
        if not isinstance(event.facts, _SWAYED):
            who = listed([self._names.unit(event.unit) for event, _ in shared])
            return sentence(f"{who} {agreed(deed, many=True)}")
        who = listed(
            [
                f"{self._names.unit(one.unit)} ({morale_of(one.facts)})"
                for one, _ in shared
                if isinstance(one.facts, _SWAYED)
            ]
        )
        cause = cause_of(event)
        words = f"{sways(event.facts)}{f' because of {cause}' if cause else ''}"
        return sentence(f"{who} {agreed(words, many=True)}")

"""The answer to a sight query: what one unit sees of another, how much, and by which rules.

There are three records: `SightAnswer` for the rules of a system, `CorridorAnswer` for rules with a
sight corridor, and `GeometricAnswer` for geometric sight. Each JSON document has the fields of the
record as keys, ``program`` (the version that answered) and ``digest``. Answers with equal digests
are equal.
"""

from __future__ import annotations

import functools
import hashlib
import json
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, TypeAlias

from pydantic import ConfigDict, TypeAdapter, ValidationError

import emlia3d
from emlia3d.battle.digest import line_of
from emlia3d.battle.formatting import percent
from emlia3d.errors import cut

Degree: TypeAlias = Literal["none", "partial", "total"]
"""Degree of concealment or cover."""

Body: TypeAlias = Literal["solid", "sparse"]

_NO_KEY = "unexpected_keyword_argument"

_READ = ConfigDict(extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shadow:
    """The shadow of an entity, behind it, for a taller observer; GSU.

    length : length of the shadow
    total_depth : depth to which a solid entity conceals totally, and a sparse one at all; 0 or less
        if it never does
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    length: float
    total_depth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervening:
    """An intervening entity: a unit or terrain feature in the sight corridor.

    fraction : the maximum proportion of the corridor's width that it fills, above 0, at most 1
    height : height of its top above the answer's datum, height units
    distance, to_target : from the observer and from the target, nearest edges, GSU
    shadow : its shadow; None if the rules need none, or if it casts none
    gives : the concealment that it would give if it filled the corridor's width
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    entity: str
    fraction: float
    body: Body
    height: float
    distance: float
    to_target: float
    shadow: Shadow | None
    gives: Degree


@dataclass(frozen=True, slots=True, kw_only=True)
class GroundShare:
    """The proportions of the corridor's width in which the ground blocks sight.

    blocked_share : proportion in which it rises above the line from top to top
    to_half : proportion in which it rises above the line to half the target's height
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    blocked_share: float
    to_half: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIfChange:
    """A change that alters the concealment, found by repeated queries.

    who : the unit that changes, one of the two
    what : "higher", "step left", "step right" (facing the other unit), or a posture to take
    amount : the minimum that suffices, height units or GSU; None for a posture
    verdict : the concealment after the change
    note : side effect of a step, such as "outside its deployment zone"
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    who: str
    what: str
    amount: float | None
    verdict: Degree
    note: str | None = None

    @property
    def text(self) -> str:
        """The change and its effect, in one line."""
        how = self.what
        if self.amount is not None and how == "higher":
            how = f"{self.amount:g} height units higher"
        elif self.amount is not None:
            how = f"{how} by {self.amount:g} GSU"
        note = f", {self.note}" if self.note else ""
        return f"{self.who}, {how}{note}: concealment {self.verdict}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SightLine:
    """A line of sight that rules test.

    start, end : points on the field, GSU
    clear : whether no obstacle blocks it
    stopped_by : the unit, terrain feature or ground that blocks it; None if it is clear
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    start: tuple[float, float]
    end: tuple[float, float]
    clear: bool
    stopped_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hindrance:
    """An obstacle to a sight line that is no unit or feature, such as a tile.

    name : name as in `SightLine.stopped_by`
    blocks : whether it blocks the line alone
    outlines : corners of each of its parts, GSU
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    name: str
    blocks: bool
    outlines: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SightAnswer:
    """Sight of *target* from *observer* by the rules of a system.

    A system with a sight corridor returns a `CorridorAnswer`.

    rules : the rule system
    distance : GSU, nearest edges
    line_of_sight : whether the observer sees the target
    because : slugs of the rules that decided, in the order of the argument
    text : the explanation in one paragraph
    verdict : result in the words of the rule system, such as "3 of the 5 in front"; "" if "seen" or
        "not seen" is complete
    degree : the visible proportion of whatever the rules count, 0 to 1; None if they count nothing
    lines : the sight lines of the rules; () if the rules use none
    hindrances : places that hinder the lines, under rules that divide the field into tiles
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    observer: str
    target: str
    rules: str
    distance: float
    line_of_sight: bool
    because: tuple[str, ...]
    text: str
    verdict: str = ""
    degree: float | None = None
    lines: tuple[SightLine, ...] = ()
    hindrances: tuple[Hindrance, ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of the answer as one line of JSON."""
        return _digest(self)

    @property
    def sees(self) -> bool:
        """True if the observer sees the target."""
        return self.line_of_sight

    @property
    def in_short(self) -> str:
        """The verdict in a few words."""
        seen = "seen" if self.line_of_sight else "not seen"
        return f"{seen}, {self.verdict}" if self.verdict else seen

    def _repr_markdown_(self) -> str:
        """Return the form for a notebook: the verdict, the reasons and the rules."""
        slugs = ", ".join(f"`{slug}`" for slug in self.because)
        verdict = "sees" if self.line_of_sight else "does not see"
        return (
            f"**{self.observer} {verdict} {self.target}**{self._qualified()} ({self.rules})"
            f"\n\n{self.text}\n\n{slugs}"
        )

    def _qualified(self) -> str:
        return f": {self.verdict}" if self.verdict else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorridorAnswer(SightAnswer):
    """Sight of *target* from *observer* through a sight corridor.

    cover : cover against an attack of base damage *damage*; words leave it out for damage 0,
        which no attack has
    datum : the level above map level from which heights are measured, height units
    observer_height, target_height : heights of their tops above the datum
    observer_footing, target_footing : heights of the ground or body under them above the datum
    members : the lowest concealment that any single member of the target has; None if the members
        did not change the answer
    intervening : all entities in the sight corridor, nearest to the observer first
    ground : the proportions that the ground blocks; None on level ground
    changes : changes that would alter the concealment; None if not requested
    """

    concealment: Degree
    cover: Degree
    damage: int
    datum: float
    observer_height: float
    target_height: float
    observer_footing: float
    target_footing: float
    members: Degree | None
    intervening: tuple[Intervening, ...]
    ground: GroundShare | None
    changes: tuple[WhatIfChange, ...] | None = None

    @property
    def degrees(self) -> str:
        """The concealment in words, and the cover if an attack was asked about."""
        told = f"concealment {self.concealment}"
        if not self.damage:
            return told
        return f"{told}, cover {self.cover} against base damage {self.damage}"

    def _qualified(self) -> str:
        return f": {self.degrees}"

    def _repr_markdown_(self) -> str:
        """Return the form for a notebook, with the changes that would alter the concealment."""
        told = SightAnswer._repr_markdown_(self)
        if self.changes is None:
            return told
        return "\n".join([told, "", *(f"- {change.text}" for change in self.changes)])


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenPart:
    """A unit or feature between observer and target, in geometric sight.

    share : the fraction of the target that it would hide alone; for a sparse feature, the fraction
        of the target behind it
    height : height of its top above the answer's datum, height units
    distance, to_target : from the observer and from the target, nearest edges, GSU
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    entity: str
    body: Body
    share: float
    height: float
    distance: float
    to_target: float


@dataclass(frozen=True, slots=True, kw_only=True)
class GeometricAnswer:
    """Geometric sight of *observer* on *target*, independent of rules.

    All fractions are means over the silhouettes of the target's members (`visible_shares`), seen
    from the best placed of the observer's eyes, rounded to nine decimal places.

    visible_share : the fraction visible past solid bodies
    through : the part of *visible_share* that is visible only through sparse bodies
    line_of_sight : whether any part of the target is visible
    eye : position of the best eye: x, y in GSU, and its height above the datum
    eyes, eyes_that_see : number of the observer's eyes, and of the eyes that see anything
    members, members_seen : number of the target's members, and of members visible at all
    hiding : obstacles that would hide part of the target alone, nearest to the observer first
    ground : the fraction that the ground would hide alone; None on level ground
    stood_in : features that hide nothing here, because one of the two units stands in them
    distance, datum, heights : as in `CorridorAnswer`
    """

    __pydantic_config__: ClassVar[ConfigDict] = _READ

    observer: str
    target: str
    rules: Literal["true"]
    distance: float
    line_of_sight: bool
    visible_share: float
    through: float
    eye: tuple[float, float, float]
    eyes: int
    eyes_that_see: int
    members: int
    members_seen: int
    datum: float
    observer_height: float
    target_height: float
    observer_footing: float
    target_footing: float
    hiding: tuple[HiddenPart, ...]
    ground: float | None
    stood_in: tuple[str, ...]
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the answer as one line of JSON."""
        return _digest(self)

    def _repr_markdown_(self) -> str:
        """Return the form for a notebook: the visible fraction and the reasons."""
        seen = percent(self.visible_share) if self.line_of_sight else "nothing"
        return f"**{self.observer} sees {seen} of {self.target}** (plain geometry)\n\n{self.text}"


AnyAnswer: TypeAlias = SightAnswer | GeometricAnswer


def to_json(answer: AnyAnswer) -> dict[str, Any]:
    """Return the answer as plain JSON values."""
    return {"program": emlia3d.__version__, **cells_of(answer), "digest": answer.digest}


_MAY_BE_LEFT_OUT = {"verdict": "", "degree": None, "lines": (), "hindrances": ()}
"""Fields written only if they differ from these defaults; older versions lack the fields."""


def cells_of(answer: AnyAnswer) -> dict[str, Any]:
    """Return the fields of an answer for its JSON document."""
    cells = asdict(answer)
    return {key: cell for key, cell in cells.items() if cell != _MAY_BE_LEFT_OUT.get(key, cells)}


def from_json(body: Any) -> AnyAnswer:
    """Return the answer that `to_json` wrote; raise ValueError for other or altered data.

    The version that answered is not part of the answer and may be any.
    """
    if not isinstance(body, dict) or not {"program", "digest"} <= body.keys():
        raise ValueError("an answer is an object with the keys program and digest")
    if not isinstance(body["program"], str):
        raise ValueError("program: expected the version that answered")
    cells = {key: cell for key, cell in body.items() if key not in {"program", "digest"}}
    record = _record_of(cells)
    try:
        answer: AnyAnswer = _reader(record).validate_json(json.dumps(cells), strict=True)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        place = cut(".".join(map(str, first["loc"])))
        told = "there is no such key" if first["type"] == _NO_KEY else first["msg"]
        raise ValueError(f"{place}: {told}") from None
    if body["digest"] != answer.digest:
        raise ValueError("its contents do not match its digest")
    return answer


def _record_of(cells: dict[str, Any]) -> str:
    """Return the name of the record that a document contains, by its rules and keys."""
    if cells.get("rules") == "true":
        return "geometric"
    every, own = ({field.name for field in fields(kind)} for kind in (SightAnswer, CorridorAnswer))
    return "corridor" if cells.keys() & (own - every) else "lines"


_RECORDS = {"geometric": GeometricAnswer, "corridor": CorridorAnswer, "lines": SightAnswer}


def _digest(answer: AnyAnswer) -> str:
    return hashlib.sha256(line_of(cells_of(answer)).encode()).hexdigest()


@functools.cache
def _reader(record: str) -> TypeAdapter[Any]:
    """Return the reader of one record, made on first use because few commands need it."""
    return TypeAdapter(_RECORDS[record])

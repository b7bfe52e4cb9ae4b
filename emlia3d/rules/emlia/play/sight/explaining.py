"""A sight question's answer in one paragraph, for people at a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from emlia3d.battle.formatting import format_height, format_value, percent
from emlia3d.rulekit.english import sentence
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.thresholds import half_or_more
from emlia3d.rules.emlia.tables.shadow import CastShadow
from emlia3d.rules.emlia.tables.sight import Between, Case, Gives, Party, above, case

_MOST_NAMED = 4
_SEEN = {
    Level.NONE: "all of {} (no concealment)",
    Level.PARTIAL: "a part of {} (partial concealment)",
    Level.TOTAL: "nothing of {} (total concealment)",
}
_CONCEALS = {Level.NONE: "nothing", Level.PARTIAL: "partly", Level.TOTAL: "wholly"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CorridorItem:
    """An obstacle in the corridor and the concealment that it gives.

    tells : whether it has a part in the verdict by the unit's boundary
    depth : GSU behind it of the farthest member of the shorter of the two
    """

    name: str
    between: Between
    gives: Gives
    tells: bool
    depth: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SightFacts:
    """The facts behind the explanation of a sight question.

    distance : GSU, nearest edges
    things : in the corridor, the nearest to the observer first
    ground : as for `emlia3d.rules.emlia.tables.sight.conceal`
    known : how finely the ground is known, in a sentence
    by_boundary, level : the concealment before and after members are examined one by one
    members : minimum concealment of each observed member, if that decided
    cover, damage : the cover against an attack of this base damage; 0 if there is no attack
    """

    observer: str
    observed: str
    near: Party
    far: Party
    prone: tuple[bool, bool]
    distance: float
    datum: float
    things: Sequence[CorridorItem]
    ground: tuple[float, float] | None
    known: str
    by_boundary: Level
    level: Level
    members: Level | None
    cover: Level
    damage: int


def explained(facts: SightFacts) -> str:
    """Return one paragraph: how much the observer sees of the observed, and why."""
    sentences = [
        sentence(f"{facts.observer} can see {_SEEN[facts.level].format(facts.observed)}"),
        f"They are {format_value(facts.distance)} GSU apart." if facts.distance else "They touch.",
        _heights(facts),
        *_between(facts),
        *_ground(facts),
        *_one_by_one(facts),
    ]
    if facts.level and facts.damage:
        cover = facts.cover.name.lower()
        sentences.append(f"Cover against an attack of base damage {facts.damage}: {cover}.")
    return " ".join(sentences)


def _heights(facts: SightFacts) -> str:
    parties = (facts.observer, facts.near), (facts.observed, facts.far)
    tops = " and ".join(
        f"{format_height(above(party.top, facts.datum))} for {name}"
        f"{_stance(party, facts.datum, prone)}"
        for (name, party), prone in zip(parties, facts.prone, strict=True)
    )
    return f"Heights above the lower base elevation: {tops}."


def _stance(party: Party, datum: float, prone: bool) -> str:
    """Return what a height consists of, if not of standing on the lower base elevation."""
    raised = party.footing - datum
    words = (
        [f"{format_value(party.height)} on a base elevation of {format_value(raised)}"]
        if raised
        else []
    )
    words += ["prone"] if prone else []
    words += ["taking cover"] if party.taking_cover else []
    return f" ({', '.join(words)})" if words else ""


def _between(facts: SightFacts) -> list[str]:
    """Return the sentences on the bodies in the corridor, deciding ones first."""
    if not facts.things:
        blocked = facts.ground is not None and any(facts.ground)
        if not facts.distance:
            return ["They touch, so nothing is between them."]
        return [] if blocked else ["Nothing is between them."]
    deciding = [thing for thing in facts.things if thing.tells]
    wide = [thing for thing in facts.things if _is_wide(thing) and not thing.tells]
    chosen, more = [*deciding, *wide][:_MOST_NAMED], [*deciding, *wide][_MOST_NAMED:]
    sentences = [sentence for thing in chosen for sentence in _item_sentences(facts, thing)]
    return [*sentences, *_likewise(facts, more), *_group(facts, deciding), *_narrow(facts)]


def _likewise(facts: SightFacts, more: Sequence[CorridorItem]) -> Iterator[str]:
    """Yield in words the other bodies that are wide enough or belong to a deciding group."""
    for level in sorted({thing.gives.level for thing in more}, reverse=True):
        names = _listed([thing for thing in more if thing.gives.level is level])
        whom = f"{facts.observed} {_CONCEALS[level]}" if level else f"nothing of {facts.observed}"
        yield f"The following also conceal {whom}: {names}."


def _group(facts: SightFacts, deciding: Sequence[CorridorItem]) -> Iterator[str]:
    """Yield the sentence on a deciding group; none if one body is wide enough alone."""
    if all(_is_wide(thing) for thing in deciding):
        return
    of_ground = _of_ground(facts)
    total = _share(sum(thing.between.fraction for thing in deciding) + of_ground)
    whose = "those and the ground" if of_ground else "those"
    yield (
        f"The shares of {whose} that would conceal {_CONCEALS[facts.by_boundary]} add up to "
        f"{total}; half is enough for a group."
    )


def _of_ground(facts: SightFacts) -> float:
    """Return the share in which the ground would conceal as much as the boundary's verdict says."""
    if facts.ground is None:
        return 0.0
    return facts.ground[0] if facts.by_boundary is Level.TOTAL else max(facts.ground)


def _narrow(facts: SightFacts) -> Iterator[str]:
    """Yield the bodies narrower than half the width that belong to no deciding group."""
    rest = [thing for thing in facts.things if not _is_wide(thing) and not thing.tells]
    short = [thing for thing in rest if thing.gives.level]
    idle = [thing for thing in rest if not thing.gives.level]
    total = sum(thing.between.fraction for thing in short)
    if len(short) == 1:
        yield f"Too narrow to count: {_listed(short)}."
    elif half_or_more(total):
        yield f"Too narrow to count alone, and together they conceal no more: {_listed(short)}."
    elif short:
        yield f"Too narrow to count, even together ({_share(total)}): {_listed(short)}."
    if idle:
        yield f"Not counted, because they conceal nothing at any width: {_listed(idle)}."


def _listed(things: Sequence[CorridorItem]) -> str:
    """Names with the share that each takes of the corridor's width, the first of them."""
    names = [f"{thing.name} ({_share(thing.between.fraction)})" for thing in things]
    rest = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + rest


def _share(fraction: float) -> str:
    """Return a share of the corridor's width in words, never rounded up to half of it."""
    told = percent(1.0 if _is_all(fraction) else fraction)
    return "just under 50%" if told == "50%" and not half_or_more(fraction) else told


def _is_all(fraction: float) -> bool:
    return fraction > 0.9995


def _is_wide(thing: CorridorItem) -> bool:
    return half_or_more(thing.between.fraction)


def _item_sentences(facts: SightFacts, thing: CorridorItem) -> list[str]:
    """One entity: how wide, how high and where it is, and what that comes to."""
    between = thing.between
    share = "The whole" if _is_all(between.fraction) else _share(between.fraction)
    body = "solid" if between.solid else "sparse"
    height = above(between.top, facts.datum)
    place = (
        f"{share} of the corridor's width is taken by {thing.name}: {body}, "
        f"{format_height(height)} high, {format_value(between.to_observer)} GSU from "
        f"{facts.observer} and {format_value(between.to_observed)} from {facts.observed}."
    )
    if not facts.distance:
        place = f"They touch inside {thing.name}: {body}, {format_height(height)} high."
    return [
        place,
        *_REASONS[_case(facts, height)](facts, thing, height),
        _concealing(facts, thing),
    ]


def _concealing(facts: SightFacts, thing: CorridorItem) -> str:
    if not thing.gives.level:
        return f"So it conceals nothing of {facts.observed}."
    cover = ", taking cover behind it," if _by_cover(thing) else ""
    return f"So it conceals {facts.observed}{cover} {_CONCEALS[thing.gives.level]}."


def _case(facts: SightFacts, height: float) -> Case:
    return case(height, above(facts.near.top, facts.datum), above(facts.far.top, facts.datum))


def _by_cover(thing: CorridorItem) -> bool:
    return "emlia.cover.taking-cover" in thing.gives.because


def _low(facts: SightFacts, thing: CorridorItem, height: float) -> list[str]:
    if height <= 0:
        return ["It does not rise above the lower base elevation."]
    return ["It is less than half as high as the taller of them."]


def _tall(facts: SightFacts, thing: CorridorItem, height: float) -> list[str]:
    gaps = "" if thing.between.solid else ", but has gaps"
    return [f"It is at least as tall as both{gaps}."]


def _half(facts: SightFacts, thing: CorridorItem, height: float) -> list[str]:
    if "emlia.sight.peek" in thing.gives.because:
        return [sentence(f"{facts.observer} can look over it from within combat range")]
    return ["It is lower than both, and at least half as high as the taller."]


def _shadow(facts: SightFacts, thing: CorridorItem, height: float) -> list[str]:
    looks_down = facts.near.top > facts.far.top
    taller, shorter = facts.observer, facts.observed
    high, low, distance = facts.near, facts.far, thing.between.to_observer
    if not looks_down:
        taller, shorter, high, low = shorter, taller, low, high
        distance = thing.between.to_observed
    top = above(high.top, facts.datum)
    begun = f"Only {taller} can look over it, so its shadow decides."
    if not thing.between.shades:
        return [begun, f"But no part of {shorter} is behind it."]
    cast = thing.gives.shadow
    if cast is None:
        near = f"{format_value(distance)} GSU from it and {format_value(top - height)} above it"
        return [begun, f"With {taller} {near}, which is too near, it has none."]
    hides = "wholly" if thing.between.solid else "partly"
    deep = f"a body of size {format_value(low.size)} is hidden {hides} to a depth of"
    if cast.total_depth > 0:
        deep = f"{deep} {format_value(cast.total_depth)} GSU"
    else:
        deep = f"it is too low to hide a body of size {format_value(low.size)} {hides}"
    return [
        begun,
        f"With {taller} {format_value(distance)} GSU from it and {format_value(top / height)} "
        f"times as high, it reaches {format_value(cast.length)} GSU behind it; {deep}.",
        f"The farthest of {shorter} is {_behind(thing.depth, cast)} GSU behind it.",
        *_perched(thing, taller),
    ]


def _behind(depth: float, cast: CastShadow) -> str:
    """Return a depth in words, never rounded into the shadow when it lies beyond it."""
    told = format_value(depth)
    beyond = any(
        depth > end and told == format_value(end) for end in (cast.length, cast.total_depth)
    )
    return f"just over {told}" if beyond else told


def _perched(thing: CorridorItem, taller: str) -> list[str]:
    if "emlia.sight.from-shadow.exception" in thing.gives.because:
        return [f"But ground directly below {taller} can be seen from there."]
    return []


_REASONS: dict[Case, Callable[[SightFacts, CorridorItem, float], list[str]]] = {
    Case.NONE: _low,
    Case.TALL: _tall,
    Case.HALF: _half,
    Case.SHADOW: _shadow,
    Case.FROM_SHADOW: _shadow,
}


def _ground(facts: SightFacts) -> list[str]:
    if facts.ground is None:
        return []
    if not any(facts.ground):
        return [facts.known]
    top, half = facts.ground
    lines = [f"from top to top in {_width(top)}"] if top else []
    if half > top:
        lines.append(f"to half the height of {facts.observed} in {_width(half)}")
    told = f"The ground rises above the line {', and above that '.join(lines)}"
    level = Level.TOTAL if half_or_more(top) else Level(half_or_more(max(top, half)))
    return [f"{told}: by itself it conceals {_CONCEALS[level]}.", facts.known]


def _width(share: float) -> str:
    return "all of the width" if _is_all(share) else f"{_share(share)} of the width"


def _one_by_one(facts: SightFacts) -> list[str]:
    if facts.level is facts.by_boundary:
        return []
    if facts.members is facts.level:
        level = facts.by_boundary
        whole = f"be concealed {_CONCEALS[level]}" if level else "not be concealed"
        return [
            f"As a whole, {facts.observed} would {whole}, but each member, looked at alone, would "
            f"be concealed {_CONCEALS[facts.level]}."
        ]
    return [
        f"Each member of {facts.observer}, looked at alone, would be wholly concealed from "
        f"{facts.observed}, and a unit that cannot be seen cannot see."
    ]

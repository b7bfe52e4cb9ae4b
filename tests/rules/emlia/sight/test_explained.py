"""The paragraph on a sight question, sentence by sentence, from facts given one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from emlia3d.battle.formatting import format_height
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.explaining import CorridorItem, SightFacts, explained
from emlia3d.rules.emlia.tables.shadow import CastShadow
from emlia3d.rules.emlia.tables.sight import Between, Gives, Party

NONE, PARTIAL, TOTAL = Level.NONE, Level.PARTIAL, Level.TOTAL


def party(footing: float = 0.0, height: float = 1.0, **more: Any) -> Party:
    return Party(**{"footing": footing, "height": height, "size": 1.0, "combat_range": 1.0, **more})


def thing(
    name: str = "wall", fraction: float = 1.0, level: Level = TOTAL, *, top: float = 2.0,
    tells: bool | None = None, because: str = "emlia.sight.tall", depth: float = 10.0,
    shadow: CastShadow | None = None, **more: Any,
) -> CorridorItem:  # fmt: skip
    between = {"solid": True, "to_observer": 20.0, "to_observed": 10.0, **more}
    return CorridorItem(
        name=name,
        between=Between(top=top, fraction=fraction, **between),
        gives=Gives(level, (because,), shadow),
        tells=fraction >= 0.5 and level > NONE if tells is None else tells,
        depth=depth,
    )


def told(*things: CorridorItem, **more: Any) -> str:
    level = more.pop(
        "level", max((each.gives.level for each in things if each.tells), default=NONE)
    )
    facts: dict[str, Any] = {
        "observer": "archers", "observed": "bandits", "near": party(), "far": party(),
        "prone": (False, False), "distance": 30.0, "datum": 0.0, "things": things, "ground": None,
        "known": "The ground is known.", "by_boundary": level, "level": level, "members": None,
        "cover": NONE, "damage": 2,
    }  # fmt: skip
    return explained(SightFacts(**{**facts, **more}))


START = (
    "They are 30 GSU apart. Heights above the lower base elevation: 1 height unit for archers and "
    "1 height unit for bandits."
)


@pytest.mark.parametrize(
    ("level", "seen", "cover", "end"),
    [
        (NONE, "all of bandits (no concealment)", NONE, ""),
        (PARTIAL, "a part of bandits (partial concealment)", NONE,
         " Cover against an attack of base damage 2: none."),
        (TOTAL, "nothing of bandits (total concealment)", PARTIAL,
         " Cover against an attack of base damage 2: partial."),
    ],
)  # fmt: skip
def test_the_level_comes_first_and_the_cover_last(
    level: Level, seen: str, cover: Level, end: str
) -> None:
    assert told(level=level, cover=cover) == (
        f"Archers can see {seen}. {START} Nothing is between them.{end}"
    )


@pytest.mark.parametrize(
    ("near", "far", "prone", "heights"),
    [
        (party(8), party(), (False, False),
         "9 height units for archers (1 on a base elevation of 8) and 1 height unit for bandits."),
        (party(), party(height=0.5), (False, True),
         "1 height unit for archers and 0.5 height units for bandits (prone)."),
        (party(), party(), (True, False),
         "1 height unit for archers (prone) and 1 height unit for bandits."),
        (party(taking_cover=True), party(2, 0.5, taking_cover=True), (False, True),
         "1 height unit for archers (taking cover) and 2.5 height units for bandits (0.5 on a "
         "base elevation of 2, prone, taking cover)."),
    ],
)  # fmt: skip
def test_a_height_is_told_with_the_base_elevation_and_the_posture(
    near: Party, far: Party, prone: tuple[bool, bool], heights: str
) -> None:
    text = told(near=near, far=far, prone=prone)

    assert f"Heights above the lower base elevation: {heights}" in text


WIDE = (
    "The whole of the corridor's width is taken by wall: solid, {} high, 20 GSU from archers "
    "and 10 from bandits."
)


@pytest.mark.parametrize(
    ("one", "more", "says"),
    [
        (thing(), {}, "It is at least as tall as both. So it conceals bandits wholly."),
        (thing(level=PARTIAL, solid=False), {},
         "It is at least as tall as both, but has gaps. So it conceals bandits partly."),
        (thing(level=NONE, top=0.0, because="emlia.sight.case"), {},
         "It does not rise above the lower base elevation. So it conceals nothing of bandits."),
        (thing(level=NONE, top=0.25, because="emlia.sight.case"), {},
         "It is less than half as high as the taller of them. So it conceals nothing of bandits."),
        (thing(level=PARTIAL, top=0.5, because="emlia.sight.half"), {},
         "It is lower than both, and at least half as high as the taller. So it conceals bandits "
         "partly."),
        (thing(level=NONE, top=0.5, because="emlia.sight.peek"), {},
         "Archers can look over it from within combat range. So it conceals nothing of "
         "bandits."),
        (thing(level=PARTIAL, top=0.5, because="emlia.cover.taking-cover"), {},
         "It is lower than both, and at least half as high as the taller. So it conceals bandits, "
         "taking cover behind it, partly."),
    ],
)  # fmt: skip
def test_a_body_is_told_with_its_case_and_what_it_gives(
    one: CorridorItem, more: dict[str, Any], says: str
) -> None:
    text = told(one, **more)

    body = "solid" if one.between.solid else "sparse"
    place = WIDE.format(format_height(one.between.top)).replace("solid", body)
    assert f"{place} {says}" in text


HIGH, LOW = party(4, 2), party(size=2.0)
DECIDES = "Only {} can look over it, so its shadow decides."


@pytest.mark.parametrize(
    ("ends", "one", "says"),
    [
        (
            (HIGH, LOW),
            thing(top=3, shadow=CastShadow(20.0, 12.0), depth=12.0, level=TOTAL),
            "archers: With archers 20 GSU from it and 2 times as high, it reaches 20 GSU behind "
            "it; a body of size 2 is hidden wholly to a depth of 12 GSU. The farthest of bandits "
            "is 12 GSU behind it.",
        ),
        (
            (LOW, HIGH),
            thing(top=3, shadow=CastShadow(20.0, 12.0), depth=7.0, level=PARTIAL, solid=False),
            "bandits: With bandits 10 GSU from it and 2 times as high, it reaches 20 GSU behind "
            "it; a body of size 2 is hidden partly to a depth of 12 GSU. The farthest of archers "
            "is 7 GSU behind it.",
        ),
        (
            (HIGH, LOW),
            thing(top=3, shadow=CastShadow(20.0, 0.0), depth=7.0, level=PARTIAL),
            "archers: With archers 20 GSU from it and 2 times as high, it reaches 20 GSU behind "
            "it; it is too low to hide a body of size 2 wholly. The farthest of bandits is 7 GSU "
            "behind it.",
        ),
        (
            (HIGH, LOW),
            thing(top=3, shadow=CastShadow(20.0, 12.0), depth=20.0001, level=NONE, tells=True),
            "archers: With archers 20 GSU from it and 2 times as high, it reaches 20 GSU behind "
            "it; a body of size 2 is hidden wholly to a depth of 12 GSU. The farthest of bandits "
            "is just over 20 GSU behind it.",
        ),
        (
            (HIGH, LOW),
            thing(top=3, shadow=CastShadow(20.0, 12.0), shades=False, level=NONE, tells=True),
            "archers: But no part of bandits is behind it.",
        ),
        (
            (LOW, HIGH),
            thing(top=3, shadow=CastShadow(20.0, 12.0), shades=False, level=NONE, tells=True),
            "bandits: But no part of archers is behind it.",
        ),
        (
            (HIGH, LOW),
            thing(top=3, level=NONE, tells=True),
            "archers: With archers 20 GSU from it and 3 above it, which is too near, it has none.",
        ),
        (
            (LOW, HIGH),
            thing(top=3, shadow=CastShadow(20.0, 12.0), depth=15.0, level=NONE, tells=True,
                  because="emlia.sight.from-shadow.exception"),
            "bandits: With bandits 10 GSU from it and 2 times as high, it reaches 20 GSU behind "
            "it; a body of size 2 is hidden wholly to a depth of 12 GSU. The farthest of archers "
            "is 15 GSU behind it. But ground directly below bandits can be seen from there.",
        ),
    ],
)  # fmt: skip
def test_a_shadow_is_told_from_the_taller_with_its_length_and_depth(
    ends: tuple[Party, Party], one: CorridorItem, says: str
) -> None:
    text = told(one, near=ends[0], far=ends[1])

    taller, _, rest = says.partition(": ")
    assert f"{DECIDES.format(taller)} {rest} So it conceals" in text


def test_two_that_touch_are_told_what_they_touch_in() -> None:
    wood = thing("wood", level=PARTIAL, solid=False)

    assert "They touch. " in told(distance=0.0)
    assert told(distance=0.0).endswith("They touch, so nothing is between them.")
    assert "They touch inside wood: sparse, 2 height units high. It is" in told(wood, distance=0.0)


def names(count: int, fraction: float, level: Level, **more: Any) -> list[CorridorItem]:
    return [thing(f"{level.name.lower()} {n}", fraction, level, **more) for n in range(count)]


@pytest.mark.parametrize(
    ("things", "end"),
    [
        # Bodies that decide are told first; four in all, and the rest in a word for each level.
        ([*names(3, 1.0, NONE), *names(3, 0.5, PARTIAL)],
         "The following also conceal nothing of bandits: none 1 (100%), none 2 (100%)."),
        ([*names(3, 0.6, PARTIAL, tells=False), *names(2, 1.0, TOTAL), *names(2, 1.0, NONE)],
         "The following also conceal bandits partly: partial 2 (60%). The following also conceal "
         "nothing of bandits: none 0 (100%), none 1 (100%)."),
        (names(1, 0.4, PARTIAL), "Too narrow to count: partial 0 (40%)."),
        (names(2, 0.2, PARTIAL),
         "Too narrow to count, even together (40%): partial 0 (20%), partial 1 (20%)."),
        (names(2, 0.25, PARTIAL),
         "Too narrow to count alone, and together they conceal no more: partial 0 (25%), "
         "partial 1 (25%)."),
        (names(2, 0.249999, PARTIAL),
         "Too narrow to count, even together (just under 50%): partial 0 (25%), partial 1 (25%)."),
        (names(1, 0.4, NONE),
         "Not counted, because they conceal nothing at any width: none 0 (40%)."),
        (names(6, 0.4, NONE),
         "Not counted, because they conceal nothing at any width: none 0 (40%), none 1 (40%), "
         "none 2 (40%), none 3 (40%) and 2 more."),
        ([*names(1, 0.3, PARTIAL), *names(1, 0.4, NONE)],
         "Too narrow to count: partial 0 (30%). Not counted, because they conceal nothing at any "
         "width: none 0 (40%)."),
        (names(2, 0.3, PARTIAL, tells=True),
         "The shares of those that would conceal partly add up to 60%; half is enough for a "
         "group."),
        ([*names(1, 0.3, PARTIAL, tells=True), *names(1, 0.5, PARTIAL)],
         "The shares of those that would conceal partly add up to 80%; half is enough for a "
         "group."),
    ],
)  # fmt: skip
def test_bodies_are_told_by_what_they_decide(things: Sequence[CorridorItem], end: str) -> None:
    text = told(*things)

    assert text.removesuffix(" Cover against an attack of base damage 2: none.").endswith(end)


def test_bodies_that_are_wide_enough_are_not_added_up() -> None:
    text = told(*names(2, 0.5, PARTIAL))

    assert "add up to" not in text
    assert "Too narrow" not in text
    assert text.count("50% of the corridor's width is taken by") == 2


@pytest.mark.parametrize(
    ("level", "ground", "share"),
    [(TOTAL, (0.3, 0.1), "60%"), (PARTIAL, (0.1, 0.4), "70%"), (PARTIAL, (0.3, 0.0), "60%")],
)
def test_the_ground_is_added_to_the_group_of_its_level(
    level: Level, ground: tuple[float, float], share: str
) -> None:
    text = told(thing("rock", 0.3, level, tells=True), ground=ground)

    how = "wholly" if level is TOTAL else "partly"
    assert (
        f"The shares of those and the ground that would conceal {how} add up to {share}; half is "
        "enough for a group." in text
    )


@pytest.mark.parametrize(
    ("ground", "says"),
    [
        ((0.0, 0.0), "Nothing is between them. The ground is known."),
        ((0.3, 0.0), "The ground rises above the line from top to top in 30% of the width: by "
                     "itself it conceals nothing. The ground is known."),
        ((0.0, 0.3), "The ground rises above the line to half the height of bandits in 30% of the "
                     "width: by itself it conceals nothing. The ground is known."),
        ((0.0, 0.5), "in 50% of the width: by itself it conceals partly. The ground is known."),
        ((0.5, 0.2), "The ground rises above the line from top to top in 50% of the width: by "
                     "itself it conceals wholly. The ground is known."),
        ((0.2, 1.0), "The ground rises above the line from top to top in 20% of the width, and "
                     "above that to half the height of bandits in all of the width: by itself it "
                     "conceals partly. The ground is known."),
        ((0.9996, 1.0), "from top to top in all of the width, and"),
        ((0.9995, 0.0), "from top to top in over 99.9% of the width: by"),
    ],
)  # fmt: skip
def test_the_ground_is_told_with_the_lines_that_it_rises_above(
    ground: tuple[float, float], says: str
) -> None:
    text = told(ground=ground)

    assert says in text
    assert ("Nothing is between them." in text) is (not any(ground))


@pytest.mark.parametrize(
    ("by_boundary", "level", "members", "says"),
    [
        (PARTIAL, PARTIAL, None, ""),
        (NONE, PARTIAL, PARTIAL,
         "As a whole, bandits would not be concealed, but each member, looked at alone, would be "
         "concealed partly."),
        (PARTIAL, TOTAL, TOTAL,
         "As a whole, bandits would be concealed partly, but each member, looked at alone, would "
         "be concealed wholly."),
        (NONE, TOTAL, None,
         "Each member of archers, looked at alone, would be wholly concealed from bandits, and "
         "a unit that cannot be seen cannot see."),
        (NONE, TOTAL, PARTIAL,
         "Each member of archers, looked at alone, would be wholly concealed from bandits, and "
         "a unit that cannot be seen cannot see."),
    ],
)  # fmt: skip
def test_members_are_told_where_they_decide(
    by_boundary: Level, level: Level, members: Level | None, says: str
) -> None:
    text = told(by_boundary=by_boundary, level=level, members=members)

    assert says in text
    assert ("looked at alone" in text) is bool(says)

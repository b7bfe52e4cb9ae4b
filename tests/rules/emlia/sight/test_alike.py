"""Places with one account: as many groups as there are different answers in words, and no more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.basics.thresholds import half_or_more
from emlia3d.rules.emlia.play.sight.account import Account, accounts
from emlia3d.rules.emlia.play.sight.area import _Cast, _Figures
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.tables.sight import Case, above, case, datum, gives

Build = Callable[..., Battle]
Key = tuple[Any, ...]

SIZE = (72.0, 72.0)
LONG_ARMS = {"effect": "reach", "name": "Long arms", "add": 4}
POSTS: dict[str, dict[str, Any]] = {
    "a man": {},
    "a man prone": {"states": ["prone", "taking cover"], "abilities": [LONG_ARMS]},
    "a line in cover": {"members": 5, "files": 5, "put": {"taking_cover": 1}},
    "a giant": {"size": 8, "height": 4},
}
BODIES = [
    ("wall", "solid", 0.6, (20, 39, 52, 40)),
    ("wall", "solid", 1.0, (12, 44, 30, 45)),
    ("hedge", "sparse", 1.0, (33, 47, 45, 48)),
    ("fence", "sparse", 0.5, (44, 51, 60, 52)),
    ("rock", "solid", 2.5, (24, 52, 31, 54)),
    ("rock", "solid", 0.25, (30, 38, 42, 38.5)),
    ("building", "solid", 6.0, (50, 44, 53, 47)),
    ("building", "solid", 6.0, (38, 56, 39, 57)),
    ("shrub", "sparse", 1.0, (35, 42, 35.5, 42.5)),
    ("scrub", "sparse", 0.75, (8, 50, 20, 60)),
]


def board(build: Build, post: str, raster: bool) -> Battle:
    ridge = np.zeros((24, 24))
    ridge[7:9, :] = np.linspace(0, 3.5, 24)
    return build(
        {"at": (36, 36), **POSTS[post]},
        {"at": (5, 5), "side": "Bob"},
        size=SIZE,
        elevation_m=ridge if raster else None,
        terrain=[
            {"kind": kind, "body": body, "height": height, "box": box}
            for kind, body, height, box in BODIES
        ],
    )


def key_of(account: Account, touch: bool, ground: tuple[float, float]) -> Key:
    """All that the reasons of an account depend on, by the rules in words."""
    near, far = account.near, account.far
    base = datum(near.footing, far.footing)
    to_top, to_half = ground[0], max(ground[1] - ground[0], 0.0)
    bodies = []
    for number, each in zip(account.numbers, account.between, strict=True):
        which = case(*(above(top, base) for top in (each.top, near.top, far.top)))
        levels = [
            gives(near, replace(far, taking_cover=crouched), each).level
            for crouched in (False, far.taking_cover)
        ]
        solid = each.solid and which is not Case.NONE
        bodies.append((number, which, solid, *levels, *_filled(each.fraction)))
    return account.verdict.level, touch, *_filled(to_top), *_filled(to_half), *bodies


def _filled(share: float) -> tuple[bool, bool]:
    return half_or_more(share), share > 0


@pytest.mark.parametrize("reverse", [False, True], ids=["sees", "seen"])
@pytest.mark.parametrize("raster", [False, True], ids=["level", "raster"])
@pytest.mark.parametrize("post", POSTS)
def test_places_share_an_account_exactly_if_the_rules_say_the_same_of_them(
    field_of_battle: Build, post: str, raster: bool, reverse: bool
) -> None:
    sight_cache = sight_cache_of(board(field_of_battle, post, raster))
    xs, ys = np.meshgrid(np.arange(3.5, 70, 3), np.arange(30.5, 70, 2))
    figures = _Figures(sight_cache.scene, np.column_stack((xs.ravel(), ys.ravel())), 1.0)
    cast, clear = _Cast(sight_cache.batch_sight, [figures]), np.zeros(len(figures), np.bool_)
    ends = np.zeros(len(figures), dtype=np.intp), cast.figures
    glance = cast.looked(*(ends[::-1] if reverse else ends), every=True)
    every = np.arange(len(figures))

    groups = list(cast.accounts(glance, every, clear))

    told = list(accounts(cast._survey, cast._lineup, glance, every))
    assert glance.levels.tolist() == [account.verdict.level for account in told]
    by_key = defaultdict[Key, list[int]](list)
    for place, account in enumerate(told):
        touch = bool(glance.found.touch[place])
        by_key[key_of(account, touch, account.ground or (0.0, 0.0))].append(place)
    assert sorted(group.tolist() for group, _ in groups) == sorted(by_key.values())
    # Of places without concealment no reason is told.
    for group, account in groups:
        for place in group.tolist() if account.verdict.level else ():
            assert account.verdict.because == told[place].verdict.because
            assert account.verdict.tells == told[place].verdict.tells
    assert len(groups) < len(figures)
    assert {account.verdict.level for account in told} == set(Level)

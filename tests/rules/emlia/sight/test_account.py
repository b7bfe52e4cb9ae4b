"""The reasons for what is seen, and covers by members, parts and features: as GEOS finds them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from emlia3d.battle.battle import Battle
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.play.sight.covering import cover_of, feature_seen, part_seen_from
from emlia3d.rules.emlia.play.sight.sight_cache import sight_cache_of
from emlia3d.rules.emlia.play.situation.parts import on_field, parts_of
from emlia3d.rules.emlia.play.situation.situation import situation_of
from emlia3d.rules.emlia.tables.sight import Between, Case, above, case, datum
from tests.rules.emlia.sight_oracle import Oracle

Build = Callable[..., Battle]
ARMIES = range(2)
DAMAGES = (0, 1, 3)


def army(field_of_battle: Build, seed: int) -> Battle:
    """Six units, two of them mixed, among scenery that attacks destroy; odd seeds on a raster."""
    rng = np.random.default_rng(seed)
    units: list[dict[str, Any]] = [
        {
            "name": f"unit {row}",
            "at": tuple(rng.integers(40, 480, 2) / 4),
            "facing": int(rng.integers(0, 360)),
            "formation": str(rng.choice(["open", "close"])),
            "members": (members := int(rng.choice([1, 4, 7]))),
            "files": int(rng.integers(1, members + 1)),
            "height": float(rng.choice([0.5, 1, 2, 4])),
            "states": [(), ("prone",), ("taking cover",)][rng.integers(3)],
            "hits": int(rng.integers(1, 4)),
            "side": ("Alice", "Bob")[row % 2],
        }
        for row in range(6)
    ]
    for row in (0, 3):
        units[row] |= {"members": 6, "files": 3, "formation": "close", "states": (), "facing": 0}
        x, y = units[row]["at"]
        part = {"name": f"part of {row}", "group": f"unit {row}", "height": 3, "size": 1}
        units.append(units[row] | part | {"members": 2, "files": 1, "at": (x + 6, y)})
    kinds = ["forest", "orchard", "wall", "rock", "hill", "building", "tree", "scrub"]
    terrain = [
        {
            "kind": kinds[row % 8],
            "height": float(rng.choice([0.5, 1, 2, 5])),
            "box": (x, y, x + float(rng.uniform(1, 16)), y + float(rng.uniform(1, 16))),
            **({"hits": int(rng.integers(1, 4))} if kinds[row % 8] in {"wall", "tree"} else {}),
        }
        for row, (x, y) in enumerate(rng.uniform(8, 108, (24, 2)).tolist())
    ]
    bumps = rng.uniform(0, 2, (16, 16)) if seed % 2 else None
    return field_of_battle(*units, terrain=terrain, elevation_m=bumps, size=(128.0, 128.0))


def pairs_of(battle: Battle) -> list[tuple[int, int]]:
    units = on_field(battle)
    return [(one, other) for one in units for other in units if one != other]


def facts_of(each: Between) -> dict[str, Any]:
    """The facts of a body, with the values that None stands for."""
    facts = asdict(each)
    for name, otherwise in (
        ("observer_depth", each.to_observer),
        ("observed_depth", each.to_observed),
        ("to_perch", each.to_observed),
    ):
        facts[name] = otherwise if facts[name] is None else facts[name]
    if not each.shades:
        del facts["observer_depth"], facts["observed_depth"]
    facts["hits"] = -1 if each.hits is None else each.hits
    return facts


@pytest.mark.rule("emlia.sight.all-round", "emlia.sight.no-model-sight", "emlia.sight.fraction")
@pytest.mark.parametrize("seed", ARMIES)
def test_an_account_tells_all_that_stands_between_and_what_play_makes_of_it(
    field_of_battle: Build, seed: int
) -> None:
    battle = army(field_of_battle, seed)
    sight_cache, oracle = sight_cache_of(battle), Oracle(battle)
    cases = set()

    for one, other in pairs_of(battle):
        account = sight_cache.account(one, other)
        between, ground = oracle.corridor(one, other)

        assert list(map(facts_of, account.between)) == [
            pytest.approx(facts_of(each), abs=1e-9) for each in between
        ]
        assert account.ground == (ground if ground is None else pytest.approx(ground, abs=1e-12))
        assert account.level is sight_cache.level(one, other) is oracle.level(one, other)
        base = datum(account.near.footing, account.far.footing)
        tops = account.near.top, account.far.top
        cases |= {case(*(above(top, base) for top in (b.top, *tops))) for b in between}
    assert cases >= {Case.TALL, Case.SHADOW, Case.FROM_SHADOW}


@pytest.mark.rule("emlia.cover.per-attack")
@pytest.mark.parametrize("seed", ARMIES)
def test_covers_are_as_the_rules_give_them_in_words(field_of_battle: Build, seed: int) -> None:
    battle = army(field_of_battle, seed)
    oracle = Oracle(battle)

    found = [[cover_of(battle, *pair, damage) for damage in DAMAGES] for pair in pairs_of(battle)]

    told = [[oracle.cover(*pair, damage) for damage in DAMAGES] for pair in pairs_of(battle)]
    assert found == told
    assert {cover for covers in found for cover in covers} == set(Level)


@pytest.mark.rule("emlia.mixed.sight")
@pytest.mark.parametrize("seed", ARMIES)
def test_a_subunit_is_seen_and_covered_by_its_own_height(field_of_battle: Build, seed: int) -> None:
    battle = army(field_of_battle, seed)
    oracle, situation = Oracle(battle), situation_of(battle)
    asked = [
        (one, part, damage)
        for one, other in pairs_of(battle)
        for part in parts_of(battle, other)
        for damage in DAMAGES
        if parts_of(battle, other) != (other,)
        and situation.distance(one, other) > 0
        and sight_cache_of(battle).level(one, other) < Level.TOTAL
    ]

    found = [part_seen_from(battle, *question) for question in asked]

    assert found == [oracle.part(*question) for question in asked]
    assert len(found) > 30


@pytest.mark.rule("emlia.fire")
@pytest.mark.parametrize("seed", ARMIES)
def test_a_feature_is_seen_and_covered_as_the_rules_say_in_words(
    field_of_battle: Build, seed: int
) -> None:
    battle = army(field_of_battle, seed)
    oracle, features = Oracle(battle), range(len(battle.setup.field.features))
    asked = [
        (one, row, damage) for one in on_field(battle) for row in features for damage in (0, 2)
    ]

    found = [feature_seen(battle, *question) for question in asked]

    assert found == [oracle.feature(*question) for question in asked]
    assert {level for level, _ in found} == set(Level)


def test_a_line_behind_pillars_is_covered_as_far_as_each_of_its_men(
    field_of_battle: Build,
) -> None:
    line = {"at": (60, 80), "side": "Bob", "members": 8, "files": 8, "formation": "open"}
    archer = {"at": (60, 20)}
    places = situation_of(field_of_battle(archer, line)).places(1).tolist()
    pillars = [
        {"kind": "building", "box": (x - 0.6, y - 2, x + 0.6, y - 1), "height": 6, "hits": 2}
        for x, y in places
    ]

    battle = field_of_battle(archer, line, terrain=pillars)

    assert sight_cache_of(battle).account(0, 1).by_boundary is Level.NONE
    covers = [cover_of(battle, 0, 1, damage) for damage in (1, 2)]
    assert covers == [Oracle(battle).cover(0, 1, damage) for damage in (1, 2)]
    assert covers[0] > covers[1] is Level.NONE


def test_a_wood_does_not_hide_itself_from_a_unit_in_it(field_of_battle: Build) -> None:
    wood = {"kind": "forest", "height": 5, "box": (40, 40, 80, 80), "hits": 3}
    scrub = {"kind": "scrub", "height": 2, "box": (30, 30, 90, 90)}
    unit = {"at": (60, 60)}

    alone, amid_scrub = (
        field_of_battle(unit, terrain=terrain) for terrain in ([wood], [wood, scrub])
    )

    assert feature_seen(alone, 0, 0, 1) == (Level.NONE, Level.NONE)
    assert feature_seen(amid_scrub, 0, 0, 1) == Oracle(amid_scrub).feature(0, 0, 1)


@pytest.mark.rule("emlia.fire", "emlia.sight.peek")
@pytest.mark.parametrize(("north", "level"), [(40.0, Level.PARTIAL), (58.5, Level.NONE)])
def test_what_stands_before_a_gate_hides_it_unless_the_observer_is_at_it(
    field_of_battle: Build, north: float, level: Level
) -> None:
    gate = {"kind": "gate", "height": 1, "box": (98, 60, 102, 62), "hits": 3}
    screen = {"kind": "rock", "height": 0.6, "box": (90, 59.2, 110, 59.6)}
    battle = field_of_battle({"at": (100, north)}, terrain=[gate, screen])

    assert feature_seen(battle, 0, 0, 1) == Oracle(battle).feature(0, 0, 1)
    assert feature_seen(battle, 0, 0, 1)[0] is level

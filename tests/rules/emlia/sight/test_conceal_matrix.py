"""Levels of concealment for many pairs at once, against the rules that are put to one pair."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from emlia3d.battle.battle import Battle
from emlia3d.battle.changes import Set
from emlia3d.battle.events import Event, Unread
from emlia3d.errors import Error
from emlia3d.rules.emlia import conceal_matrix
from emlia3d.rules.emlia.basics.concealment import Level
from emlia3d.rules.emlia.events.movement import Moved
from emlia3d.rules.emlia.kernels import sight_levels
from emlia3d.rules.emlia.kernels.occlusion_levels import Ends, Occluders, occlusion_levels
from emlia3d.rules.emlia.kernels.sight_levels import SightField
from emlia3d.rules.emlia.play.sight.batch_sight import LIMITS
from emlia3d.rules.emlia.play.sight.sight_cache import level_on, sight_cache_of
from emlia3d.rules.emlia.play.situation.pose import gone, pose_of
from emlia3d.rules.emlia.tables.sight import Between, Party, conceal
from emlia3d.scenario import load
from tests.made_up import made_up
from tests.rules.emlia.recomputed import recomputed
from tests.rules.emlia.sight_oracle import Oracle

Build = Callable[..., Battle]
Question = tuple[Party, Party, tuple[Between, ...], tuple[float, float] | None]

# Few values, and those on which the comparisons of the chapter turn, so that ties are common.
HEIGHTS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 9.0, 10.0, 11.0)
FOOTINGS = (-2.0, 0.0, 0.5, 1.0, 8.0, 10.0)
DISTANCES = (0.0, 0.5, 1.0, 1 + 1 / 256, 1 + 1 / 255, 2.0, 4.0, 5.0, 5.001, 14.0, 25.2, 28.0, 40.0)
FRACTIONS = (0.1, 0.24, 0.25, 1 / 3, 0.34, 0.5 - 2e-9, 0.5 - 1e-9, 0.5, 0.9, 1.0)


def parties(figure: st.SearchStrategy[float], footing: st.SearchStrategy[float]):
    return st.builds(
        Party,
        footing=footing,
        height=figure,
        size=figure,
        combat_range=st.sampled_from((0.5, 1.0, 2.0)),
        taking_cover=st.booleans(),
        on_entity=st.booleans(),
    )


def questions(
    figure: st.SearchStrategy[float],
    footing: st.SearchStrategy[float],
    distance: st.SearchStrategy[float],
    share: st.SearchStrategy[float],
) -> st.SearchStrategy[Question]:
    depth = st.none() | distance
    between = st.builds(
        Between,
        top=figure | footing,
        solid=st.booleans(),
        fraction=share,
        to_observer=distance,
        to_observed=distance,
        observer_depth=depth,
        observed_depth=depth,
        to_perch=depth,
        shades=st.booleans(),
    )
    party = parties(figure, footing)
    ground = st.none() | st.tuples(share, share)
    return st.tuples(party, party, st.lists(between, max_size=4).map(tuple), ground)


TIED = questions(*map(st.sampled_from, (HEIGHTS, FOOTINGS, DISTANCES, FRACTIONS)))
LOOSE = questions(
    st.floats(0.01, 20), st.floats(-50, 50), st.floats(0, 100), st.floats(0, 1, exclude_min=True)
)


def ends(given_parties: Sequence[Party]) -> Ends:
    def column(name: str, kind: type) -> np.ndarray:
        return np.array([getattr(party, name) for party in given_parties], dtype=kind)

    return Ends(
        footing=column("footing", float),
        height=column("height", float),
        size=column("size", float),
        reach=column("combat_range", float),
        crouched=column("taking_cover", bool),
        perched=column("on_entity", bool),
    )


def at_once(asked: Sequence[Question]) -> list[int]:
    """The levels of many questions by the kernel."""
    rows = [entity for _, _, between, _ in asked for entity in between]

    def column(name: str, otherwise: str | None = None) -> np.ndarray:
        cells = [getattr(row, name) for row in rows]
        return np.array(
            [
                getattr(row, otherwise) if cell is None and otherwise else cell
                for cell, row in zip(cells, rows, strict=True)
            ],
            dtype=bool if name == "solid" else float,
        )

    shades = np.array([row.shades for row in rows], dtype=bool)
    standing = Occluders(
        top=column("top"),
        solid=column("solid"),
        fraction=column("fraction"),
        to_observer=column("to_observer"),
        to_observed=column("to_observed"),
        observer_depth=np.where(shades, column("observer_depth", "to_observer"), np.nan),
        observed_depth=np.where(shades, column("observed_depth", "to_observed"), np.nan),
        to_perch=column("to_perch", "to_observed"),
    )
    starts = np.cumsum([0, *(len(between) for _, _, between, _ in asked)])
    ground = np.array([shares or (0.0, 0.0) for *_, shares in asked]).reshape(-1, 2)
    observers, observed = ends([one for one, *_ in asked]), ends([other for _, other, *_ in asked])
    return occlusion_levels(starts, observers, observed, standing, ground, LIMITS).tolist()


WALL = Between(top=5.0, solid=True, fraction=1.0, to_observer=28.0, to_observed=12.0)
LOOKING_UP = Party(footing=0.0, height=1.0, size=1.0, combat_range=1.0)
ON_TOWER = Party(footing=10.0, height=1.0, size=1.0, combat_range=1.0, on_entity=True)


@pytest.mark.rule("emlia.sight.case", "emlia.sight.group-level", "emlia.cover.taking-cover")
@settings(max_examples=150, deadline=None)
@given(asked=st.lists(TIED, min_size=1, max_size=20) | st.lists(LOOSE, min_size=1, max_size=20))
@example(asked=[(LOOKING_UP, ON_TOWER, (WALL,), None)])
def test_many_questions_at_once_get_the_answers_that_each_gets_alone(
    asked: list[Question],
) -> None:
    expected = [conceal(*question).level for question in asked]

    assert at_once(asked) == expected


def drawn(rng: np.random.Generator, count: int, *, tied: bool) -> list[Question]:
    """Questions by the thousand, faster than hypothesis thinks of them."""

    def any_of(values: Sequence[float], low: float, high: float) -> float:
        return float(rng.choice(values) if tied else rng.uniform(low, high))

    def figure() -> float:
        return any_of(HEIGHTS, 0.1, 12)

    def away() -> float:
        return any_of(DISTANCES, 0, 45)

    def party() -> Party:
        return Party(
            footing=any_of(FOOTINGS, -3, 11),
            height=figure(),
            size=figure(),
            combat_range=float(rng.choice((0.5, 1, 2))),
            taking_cover=bool(rng.random() < 0.3),
            on_entity=bool(rng.random() < 0.3),
        )

    def entity() -> Between:
        depths = [away() if rng.random() < 0.5 else None for _ in range(3)]
        return Between(
            top=figure() + any_of(FOOTINGS, -3, 11) * (rng.random() < 0.3),
            solid=bool(rng.random() < 0.5),
            fraction=any_of(FRACTIONS, 0, 1),
            to_observer=away(),
            to_observed=away(),
            observer_depth=depths[0],
            observed_depth=depths[1],
            to_perch=depths[2],
            shades=bool(rng.random() < 0.8),
        )

    def share() -> float:
        return any_of(FRACTIONS, 0, 1)

    return [
        (
            party(),
            party(),
            tuple(entity() for _ in range(rng.integers(0, 4))),
            (share(), share()) if rng.random() < 0.1 else None,
        )
        for _ in range(count)
    ]


@pytest.mark.parametrize("tied", [True, False], ids=["at the borders", "anywhere"])
def test_thousands_of_questions_match_the_rules_row_by_row(tied: bool) -> None:
    asked = drawn(np.random.default_rng(1815), 6000, tied=tied)

    found = at_once(asked)

    assert found == [conceal(*question).level for question in asked]
    assert min(found.count(level) for level in Level) > 300


def present(battle: Battle) -> list[int]:
    units = battle.state.units
    return [unit for unit in range(len(units)) if units.value("present", unit)]


def pair_by_pair(battle: Battle, observers: Sequence[int]) -> list[list[int]]:
    """The levels of all units from these by the rules in words, one at a time."""
    oracle = Oracle(recomputed(battle))
    return [
        [0 if one == other else oracle.level(one, other) for other in present(battle)]
        for one in observers
    ]


@pytest.mark.rule("emlia.sight.memberwise-combine", "emlia.sight.memberwise-partial")
@pytest.mark.parametrize(
    ("name", "moments", "each"),
    [("bandits", (0, 3, 40), 1), ("duel", (0, 40), 1), ("ridge", (0, 60), 15)],
)
def test_all_pairs_of_a_battle_are_concealed_as_each_pair_is(
    name: str, moments: tuple[int, ...], each: int
) -> None:
    battle = load(name).battle(seed=3)

    for moment, _ in enumerate(itertools.islice(battle.run(), max(moments) + 1)):
        if moment in moments:
            some, all_ = present(battle)[::each], present(battle)
            found = conceal_matrix(battle, some, all_)
            assert found.tolist() == pair_by_pair(battle, some), moment


def random_army(field_of_battle: Build, seed: int) -> Battle:
    """Ten units of any formation among scenery of any kind, some on a raster."""
    rng = np.random.default_rng(seed)
    units = [
        {
            "at": tuple(np.round(rng.uniform(20, 140, 2) * 4) / 4),
            "facing": int(rng.integers(0, 360)),
            "formation": str(rng.choice(["open", "close", "ranked"])),
            "members": (members := int(rng.choice([1, 2, 7, 20, 33]))),
            "files": int(rng.integers(1, min(members, 8) + 1)),
            "height": float(rng.choice([0.5, 1, 2, 4])),
            "on_height": float(rng.choice([0, 0, 3])),
            "states": [(), (), ("prone",), ("taking cover",)][rng.integers(4)],
            "side": str(rng.choice(["Alice", "Bob"])),
        }
        for _ in range(10)
    ]
    kinds = ["forest", "orchard", "wall", "hedge", "rock", "hill", "building", "scrub"]
    terrain = []
    for _ in range(16):
        x, y = rng.uniform(10, 140, 2)
        width, depth = rng.uniform(1, 25, 2)
        kind = str(rng.choice(kinds))
        height = float(rng.choice([0.5, 1, 2, 5]))
        terrain.append({"kind": kind, "height": height, "box": (x, y, x + width, y + depth)})
    bumps = rng.uniform(0, 4, (20, 20)) if seed % 2 else None
    return field_of_battle(*units, terrain=terrain, elevation_m=bumps, size=(160.0, 160.0))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_random_armies_are_concealed_as_pair_by_pair(field_of_battle: Build, seed: int) -> None:
    battle = random_army(field_of_battle, seed)

    found = conceal_matrix(battle, present(battle), present(battle))

    assert found.dtype == np.uint8
    assert found.tolist() == pair_by_pair(battle, present(battle))
    assert found.any()


@pytest.mark.parametrize("seed", range(3))
def test_members_may_be_looked_at_a_few_at_a_time(
    field_of_battle: Build, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle = random_army(field_of_battle, seed)
    together = conceal_matrix(battle, present(battle), present(battle))
    monkeypatch.setattr(sight_levels, "_SEARCHES", 1)
    monkeypatch.setattr(sight_levels, "_PAIRS", 1)
    battle.derived.pop(sight_cache_of)

    assert conceal_matrix(battle, present(battle), present(battle)).tolist() == together.tolist()


def test_who_was_exposed_to_another_is_looked_at_before_the_others(
    field_of_battle: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = {"kind": "wall", "height": 3, "box": (95, 77, 105, 78)}
    line = {"at": (100, 100), "members": 40, "files": 40, "side": "Bob", "formation": "ranked"}
    battle = field_of_battle({"at": (100, 50)}, {"at": (104, 50)}, line, terrain=[post])
    firsts: list[int] = []
    search = SightField.by_members

    def noted(self: SightField, pairs: Any, floors: Any, members: Any, counts: Any) -> Any:
        firsts.extend(members.places[:, 0].tolist())
        return search(self, pairs, floors, members, counts)

    monkeypatch.setattr(SightField, "by_members", noted)

    assert level_on(battle, 0, 2) is level_on(battle, 1, 2) is Level.NONE
    assert firsts == [20, 0]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_while_units_move_is_what_would_be_found_anew(
    field_of_battle: Build, seed: int
) -> None:
    battle, rng = random_army(field_of_battle, seed), np.random.default_rng(seed)
    here = present(battle)
    conceal_matrix(battle, here, here)

    for _ in range(6):
        unit = int(rng.choice(here))
        end = gone(pose_of(battle, unit), int(rng.integers(0, 360 * 64)), float(rng.uniform(1, 20)))
        battle.happen(Event(facts=made_up(Moved), changes=end.changes(unit)))
        level_on(battle, int(rng.choice(here)), unit)

        kept = conceal_matrix(battle, here, here)
        battle.derived.pop(sight_cache_of)
        assert kept.tolist() == conceal_matrix(battle, here, here).tolist()


@pytest.mark.rule("emlia.sight.tall")
def test_a_wall_that_is_gone_hides_nobody(field_of_battle: Build) -> None:
    wall = {"kind": "wall", "height": 3, "box": (60, 78, 140, 80)}
    battle = field_of_battle({"at": (100, 50)}, {"at": (100, 100)}, terrain=[wall])
    before = level_on(battle, 0, 1)

    gap = Set(table="feature", row=0, column="present", value=0)
    battle.happen(Event(facts=Unread(event="breached"), changes=(gap,)))

    assert before is Level.TOTAL
    assert level_on(battle, 0, 1) is Level.NONE
    assert conceal_matrix(battle, [0, 1], [0, 1]).tolist() == [[0, 0], [0, 0]]


@pytest.mark.rule("emlia.terrain.standing-on")
def test_who_stood_on_a_hill_that_is_gone_stands_lower_and_is_hidden(
    field_of_battle: Build,
) -> None:
    hill = {"kind": "hill", "height": 9, "box": (90, 90, 110, 110)}
    house = {"kind": "building", "height": 4, "box": (60, 70, 140, 72)}
    battle = field_of_battle({"at": (100, 50)}, {"at": (100, 100)}, terrain=[hill, house])
    before = level_on(battle, 1, 0)

    dug = Set(table="feature", row=0, column="present", value=0)
    battle.happen(Event(facts=Unread(event="dug away"), changes=(dug,)))

    assert before is not Level.TOTAL
    assert level_on(battle, 1, 0) is Level.TOTAL


def test_a_scenario_is_asked_as_its_armies_stand_ready() -> None:
    scenario = load("bandits")

    found = conceal_matrix(scenario, ["archers"], ["bandits", "archers"])

    assert found.tolist() == [[2, 0]]
    assert scenario.sight("archers", "bandits").concealment == "total"


@pytest.mark.parametrize(
    ("unit", "flaw"), [("ghosts", "no unit 'ghosts'"), (7, "no unit 7"), (0, "not on the field")]
)
def test_who_is_not_there_cannot_be_asked_about(
    field_of_battle: Build, unit: str | int, flaw: str
) -> None:
    battle = field_of_battle({"at": (100, 50), "put": {"present": 0}}, {"at": (100, 100)})

    with pytest.raises(Error, match=flaw):
        conceal_matrix(battle, [1], [unit])

"""The design of a study: factors in words, variants, seeds."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emlia3d.errors import Error
from emlia3d.studies.battles.design import (
    Factor,
    Trial,
    factor,
    grid,
    in_words,
    latin_hypercube,
    round_robin,
    seed_of,
    trials,
)


def test_a_factor_lists_values_or_has_a_range() -> None:
    assert factor("turns=4,8") == Factor(key="turns", values=("4", "8"))
    assert factor('a."b c".at=[1, 2],[3, 4]').values == ("[1, 2]", "[3, 4]")
    assert factor("name='x,y',z").values == ("'x,y'", "z")
    found = factor("unit.dragon.hits=1:3")
    assert (found.low, found.high, found.whole, found.values) == (1, 3, True, ())
    assert not factor("speed=0.5:2").whole


@pytest.mark.parametrize(
    "words", ["turns", "=4", "turns=", "turns=4,", "turns=4,4", "turns=8:4", "turns=1:1", "t=1:inf"]
)
def test_words_that_are_no_factor_are_refused(words: str) -> None:
    if words == "t=1:inf":
        assert factor(words).values == ("1:inf",)
        return
    with pytest.raises(Error):
        factor(words)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, 2.5, True], "1,2.5,true"),
        (["doctrine:bold", "sudden death"], "doctrine:bold,sudden death"),
        (["8:14", "x,y"], '"8:14","x,y"'),
        ("8:14", "8:14"),
        ("2,3", "2,3"),
        ([[1, 2], (3, "a")], '[1, 2],[3, "a"]'),
        ([{"cr": 3, "of": [1]}], '{"cr" = 3, "of" = [1]}'),
        (range(2, 4), "2,3"),
    ],
)
def test_values_of_python_are_written_as_on_the_command_line(values: object, words: str) -> None:
    found = in_words("key", values)  # type: ignore[arg-type]

    assert found == f"key={words}"
    assert factor(found).key == "key"


def test_values_of_a_hypercube_are_short_to_read() -> None:
    found = latin_hypercube([factor("near=10.5:14.5")], 5, 0)

    assert all(len(one.settings["near"]) <= 6 for one in found)


def test_a_grid_has_every_combination_in_order() -> None:
    variants = grid([factor("a=1,2"), factor("b=x,y,z")])

    assert [tuple(one.settings.values()) for one in variants] == list(
        itertools.product("12", "xyz")
    )
    assert variants[0].name == "a=1, b=x"
    assert grid([])[0].name == "as it is"


@given(count=st.integers(2, 40), seed=st.integers(0, 1000))
def test_a_latin_hypercube_puts_one_variant_into_each_stratum(count: int, seed: int) -> None:
    variants = latin_hypercube([factor("a=0.0:1.0"), factor("b=10.0:20.0")], count, seed)

    for key, low, high in (("a", 0, 1), ("b", 10, 20)):
        parts = [(float(one.settings[key]) - low) / (high - low) for one in variants]
        assert sorted(min(int(part * count + 1e-6), count - 1) for part in parts) == list(
            range(count)
        )


def test_a_latin_hypercube_uses_whole_numbers_and_listed_values_equally_often() -> None:
    variants = latin_hypercube([factor("hits=1:3"), factor("kind=a,b")], 12, seed=4)

    hits = [one.settings["hits"] for one in variants]
    kinds = [one.settings["kind"] for one in variants]
    assert {value: hits.count(value) for value in "123"} == dict.fromkeys("123", 4)
    assert kinds.count("a") == kinds.count("b") == 6


def test_designs_that_cannot_be_are_refused() -> None:
    with pytest.raises(Error, match="lhs:N"):
        grid([factor("a=1:2")])
    with pytest.raises(Error, match="1 to 10,000"):
        grid([factor(f"{key}={','.join(map(str, range(101)))}") for key in "ab"])
    with pytest.raises(Error, match="--vary"):
        latin_hypercube([], 4, 0)
    with pytest.raises(Error, match="two sides"):
        round_robin(["doctrine", "random"], ["A", "B", "C"])
    with pytest.raises(Error, match="two different"):
        round_robin(["doctrine", "doctrine"], ["A", "B"])


def test_a_round_robin_pairs_each_two_once() -> None:
    variants = round_robin(["a", "b", "c"], ["Red", "Blue"])

    assert [tuple(one.commanders.values()) for one in variants] == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip


def test_runs_are_paired_and_their_seeds_are_spawned() -> None:
    found = list(trials([True, False], range(3, 5)))

    assert found[:3] == [
        Trial(variant=0, run=3, swapped=False),
        Trial(variant=0, run=3, swapped=True),
        Trial(variant=1, run=3, swapped=False),
    ]
    assert len(found) == 6
    seeds = [seed_of(7, run) for run in range(1000)]
    assert len(set(seeds)) == 1000
    assert all(0 <= seed < 2**63 for seed in seeds)
    assert seed_of(7, 0) != seed_of(8, 0)

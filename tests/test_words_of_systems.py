"""A rule system has one table of words, for all its events, orders and questions, and no more."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import emlia3d.rules.emlia
from emlia3d.battle.commanders import ASKS_FOR_PLAN, MISSION, NO_PLAN, PLAN
from emlia3d.battle.events import Facts
from emlia3d.battle.system import System
from emlia3d.rulekit.testing import check_words
from emlia3d.rulekit.words import WordTable, said
from emlia3d.rules.emlia import SYSTEM as EMLIA
from emlia3d.rules.emlia.play.acting.checks import FOCUSED
from emlia3d.rules.emlia.play.turn.activation import REPERTOIRE
from tests.battle import toy_system, toy_words
from tests.battle.toy_events import Done

PACKAGE = Path(emlia3d.rules.emlia.__file__).parent

SOURCES: dict[str, tuple[System, list[Path]]] = {
    "emlia": (
        EMLIA,
        [
            path
            for path in sorted(PACKAGE.rglob("*.py"))
            if path.relative_to(PACKAGE).parts[0] not in {"words", "report", "events"}
        ],
    ),
    "tin": (toy_system.Tin(), [Path(toy_system.__file__)]),
}
"""The systems, each with the modules of its rules."""


def table_of(system: System) -> WordTable:
    assert isinstance(system.words, WordTable)
    return system.words


def nodes_of(paths: list[Path]) -> Iterator[ast.AST]:
    for path in paths:
        yield from ast.walk(ast.parse(path.read_text("utf-8")))


def named_in(paths: list[Path], keyword: str) -> set[str]:
    """The texts that the modules give for a keyword argument."""
    return {
        node.value.value
        for node in nodes_of(paths)
        if isinstance(node, ast.keyword)
        and node.arg == keyword
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }


def texts_in(paths: list[Path]) -> set[str]:
    """All texts that stand in the modules."""
    return {
        node.value
        for node in nodes_of(paths)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


@pytest.mark.parametrize("name", SOURCES)
def test_a_system_has_words_for_each_kind_of_event_and_no_other(name: str) -> None:
    system, _ = SOURCES[name]

    check_words(system)

    assert set(table_of(system).events) == set(system.events)


@pytest.mark.parametrize("name", SOURCES)
def test_a_system_has_words_for_each_question_and_each_order_of_its_rules(name: str) -> None:
    system, paths = SOURCES[name]
    asked, ordered = named_in(paths, "asks"), named_in(paths, "verb")
    if name == "emlia":
        ordered |= {verb for deed in REPERTOIRE for verb in deed.verbs}

    assert asked
    assert asked <= set(table_of(system).questions)
    assert ordered
    assert ordered <= set(table_of(system).orders)


@pytest.mark.parametrize("name", SOURCES)
def test_no_words_are_for_what_the_rules_do_not_name(name: str) -> None:
    system, paths = SOURCES[name]
    named = texts_in(paths) | {ASKS_FOR_PLAN, PLAN, NO_PLAN, MISSION}

    stale = [slug for slug in table_of(system).questions if slug not in named]
    stale += [verb for verb in table_of(system).orders if verb.removesuffix(FOCUSED) not in named]

    assert stale == []


class Unsaid(Facts, frozen=True):
    """An event of no system."""


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"events": dict(list(toy_words.WORDS.events.items())[1:])}, "no words for the events"),
        (
            {"events": {**toy_words.WORDS.events, **dict([said(Unsaid, "shines")])}},
            "which are no events",
        ),
        (
            {"events": {**toy_words.WORDS.events, **dict([said(Done, "{deed}")])}},
            "unknown fields",
        ),
        ({"orders": {"wait": "wait for {objekt}"}}, "unknown fields"),
        ({"questions": {"tin.act": "{side}, {step}?"}}, "unknown fields"),
    ],
)
def test_a_table_that_is_not_whole_does_not_pass(changed: dict[str, Any], complaint: str) -> None:
    class Other(toy_system.Tin):
        words = replace(toy_words.WORDS, **changed)

    with pytest.raises(AssertionError, match=complaint):
        check_words(Other())

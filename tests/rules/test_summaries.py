"""Titles and summaries of rules, which players read: complete, and true to the tables."""

from __future__ import annotations

from collections import Counter

import pytest

from emlia3d.rules.catalogue import SYSTEMS, catalogue, summaries
from emlia3d.rules.rule_entries import RuleEntry, rule_entries

PLAYED = tuple(sorted(set(SYSTEMS) - {"dbmm"}))
LENGTH = 100
"""The greatest number of words of a summary."""


def numbers_of(entry: RuleEntry) -> set[int]:
    """Return the signed numbers that the summary of a row of modifiers has."""
    words = entry.summary.replace(",", " ").replace(".", " ").replace(":", " ").split()
    return {int(word) for word in words if word[0] in "+-" and word[1:].isdecimal()}


@pytest.mark.parametrize("system", PLAYED)
def test_every_rule_that_is_played_has_a_title_and_a_summary(system: str) -> None:
    listed = summaries(system)

    assert [entry.slug for entry in listed if not entry.title or not entry.text] == []
    assert [entry.slug for entry in listed if entry.title[0].islower()] == []
    assert [entry.slug for entry in listed if entry.text[-1] not in ".:"] == []
    assert [entry.slug for entry in listed if len(entry.text.split()) > LENGTH] == []


@pytest.mark.parametrize("system", PLAYED)
def test_no_two_rules_of_a_system_have_the_same_title(system: str) -> None:
    titles = Counter(entry.title for entry in summaries(system))

    assert [title for title, count in titles.items() if count > 1] == []


def test_the_summary_of_a_row_of_modifiers_has_the_number_that_the_table_has() -> None:
    rows = [entry for entry in rule_entries("emlia") if entry.modifier]

    assert len(rows) > 150
    assert [each.slug for each in rows if each.modifier not in numbers_of(each)] == []


def test_a_summary_names_no_rule_that_there_is_not() -> None:
    slugs = {slug for system in SYSTEMS for slug in catalogue(system)}
    named = [
        word
        for system in PLAYED
        for entry in summaries(system)
        for word in entry.text.split("`")[1::2]
    ]

    assert sorted(set(named) - slugs) == []

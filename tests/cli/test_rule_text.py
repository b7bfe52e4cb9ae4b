"""``rules SLUG`` and ``rules --search``: what a rule says, and which rules have a word."""

from __future__ import annotations

import json
import re

import pytest

from emlia3d.rules.catalogue import SYSTEMS, catalogue
from emlia3d.rules.rule_entries import rule_entries, rule_entry


def test_a_rule_is_explained_by_its_title_its_summary_and_the_function_that_plays_it(run) -> None:
    told = run(["rules", "emlia.move.normal"])

    assert told.status == 0
    assert told.out.splitlines() == [
        "emlia.move.normal: Normal move",
        "  emlia, chapter 11 Move actions",
        "",
        "  The unit moves up to its speed in one of its movement modes along any path that terrain",
        "  and mode allow. Our ruling: members may take different paths but must end in a legal",
        "  formation, and the farthest-moving member sets the cost.",
        "",
        "  played by emlia3d.rules.emlia.play.movement.manoeuvre.move",
        "  a conformance test proves it",
    ]


def test_a_row_of_a_table_has_its_modifier(run) -> None:
    told = run(["rules", "emlia.lead.reorder.mod.ranked", "--json"])

    entry = json.loads(told.out)
    assert entry["modifier"] == 1
    assert entry["is_row"]
    assert entry["function"] == "emlia3d.rules.emlia.tables.leadership.lead_modifier"


def test_a_rule_of_a_book_without_chapters_says_so_by_leaving_them_out(run) -> None:
    told = run(["rules", catalogue("dbmm")[0]])

    assert told.status == 0
    assert "chapter" not in told.out
    assert "not proved by a test" in told.out
    assert "  This program does not play it." in told.out.splitlines()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["emlia.move.norml"], "did you mean emlia.move.normal?"),
        (["emlya.move.normal"], "unknown rule system"),
        (["emlia.move.normal", "--status"], "cannot be combined with other options"),
        (["--search", "shadow", "--untested"], "cannot be combined with other options"),
        (["--search", "no such word"], "no rule has"),
        (
            ["emlia", "shadow", "no such word"],
            'no rule has "shadow" and "no such word" in its name',
        ),
    ],
)
def test_what_is_not_there_is_said_in_one_line(run, words: list[str], complaint: str) -> None:
    told = run(["rules", *words])

    assert told.status in {1, 2}
    assert len(told.complaints) == 1
    assert complaint in told.complaints[0]


def test_rules_are_found_by_a_word_of_their_name_or_summary(run) -> None:
    listed = run(["rules", "emlia", "--search", "shadow"]).out.splitlines()
    all_found = json.loads(run(["rules", "--search", "Shadow", "--json"]).out)

    assert any(line.startswith("emlia.sight.shadow-length ") for line in listed)
    assert any(line.startswith("emlia.sight.case ") for line in listed), "by its summary"
    assert len(listed) == sum(entry["system"] == "emlia" for entry in all_found)
    assert run(["rules", "emlia", "SHADOW"]).out.splitlines() == listed


def test_rules_are_found_by_several_words(run) -> None:
    shadow, both = (
        {
            entry["slug"]: entry
            for entry in json.loads(run(["rules", "emlia", *words, "--json"]).out)
        }
        for words in (["shadow"], ["shadow", "sparse"])
    )

    texts = {
        slug: " ".join((slug, entry["title"], entry["summary"])).lower()
        for slug, entry in shadow.items()
    }
    assert list(both) == [slug for slug, text in texts.items() if "sparse" in text]
    assert 0 < len(both) < len(shadow)


@pytest.mark.parametrize("system", SYSTEMS)
def test_summaries_are_written_for_players(system: str) -> None:
    jargon = re.compile(r"``|\(n,|\bdtype\b|\bfloat|\bReturn (the|whether)\b|\bNone\b| : ")

    assert not [entry.slug for entry in rule_entries(system) if jargon.search(entry.summary)]


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_entry_of_a_catalogue_can_be_asked_for(system: str) -> None:
    entries = rule_entries(system)

    assert tuple(entry.slug for entry in entries) == catalogue(system)
    assert all(bool(entry.summary) >= entry.is_row for entry in entries)
    assert rule_entry(entries[0].slug) == entries[0]
    assert rule_entry(f"{system}.no.such.rule") is None

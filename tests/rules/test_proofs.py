"""What proves an entry of a catalogue, and what does not."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from emlia3d.rules.catalogue import catalogue, untested
from emlia3d.rules.emlia.tables.fire import FireFacts, fire_modifier
from emlia3d.rules.emlia.tables.morale import reaches
from emlia3d.rules.rulebook import RULES
from tests.rules.proofs import Proofs
from tests.rules.proving import Proving, conformance_files, difference

REACHES = "emlia.morale.reaches"


def test_executing_the_function_that_claims_an_entry_proves_it() -> None:
    proofs = Proofs()

    with proofs.of([REACHES]):
        reaches(-3, -4, -4)

    assert proofs.entries == {REACHES}


def test_a_test_that_no_longer_executes_the_function_proves_nothing() -> None:
    proofs = Proofs()

    with proofs.of([REACHES]):
        assert RULES[REACHES] is reaches

    assert proofs.entries == set()


def test_a_test_proves_only_the_entries_that_it_is_marked_with() -> None:
    proofs = Proofs()

    with proofs.of(["emlia.morale.bounds"]):
        reaches(-3, -4, -4)

    assert proofs.entries == set()


def test_a_test_that_fails_proves_nothing() -> None:
    proofs = Proofs()

    with pytest.raises(AssertionError), proofs.of([REACHES]):
        assert reaches(-3, -4, -7)

    assert proofs.entries == set()


def test_a_function_with_more_than_three_claims_proves_none_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def many() -> None: ...

    names = [f"emlia.many.{number}" for number in range(4)]
    for name in names:
        monkeypatch.setitem(RULES, name, many)
    proofs = Proofs()

    with proofs.of(names):
        many()

    assert proofs.entries == set()


def test_a_row_is_proven_by_holding_and_not_by_its_table_being_read() -> None:
    rows = ["emlia.fire.mod.elevation", "emlia.fire.mod.unaware"]
    proofs = Proofs()

    with proofs.of(rows):
        fire_modifier(FireFacts(distance=10, short=10, medium=20, elevation=True))

    assert proofs.entries == {"emlia.fire.mod.elevation"}


def test_a_list_of_untested_rules_must_name_just_those_that_nothing_proves() -> None:
    proven = set(catalogue("emlia")) - set(untested("emlia"))
    listed, unlisted = untested("emlia")[0], sorted(proven)[0]

    assert difference("emlia", proven) == []
    assert difference("emlia", proven | {listed}) == [listed]
    assert difference("emlia", proven - {unlisted}) == [unlisted]


def test_the_lists_are_compared_when_each_marked_test_has_passed_in_some_process() -> None:
    found = Proving()
    told = {"files": conformance_files(), "marked": {"a", "b"}, "passed": {"a"}, "entries": {"x"}}

    found.pytest_testnodedown(SimpleNamespace(workeroutput={"proofs": told}))
    assert not found.ran_whole()
    found.pytest_testnodedown(SimpleNamespace(workeroutput={"proofs": told | {"passed": {"b"}}}))
    assert found.ran_whole()


def test_the_lists_are_not_compared_when_a_file_was_left_out() -> None:
    found = Proving()
    found.told["files"] = conformance_files() - {"test_proofs.py"}

    assert not found.ran_whole()

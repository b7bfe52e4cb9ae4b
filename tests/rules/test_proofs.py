"""What proves an entry of a catalogue, and what does not."""

from __future__ import annotations

import pytest

from emlia3d.rules.emlia.tables.fire import Shot, fire_modifier
from emlia3d.rules.emlia.tables.morale import reaches
from emlia3d.rules.rulebook import RULES
from tests.rules.proofs import Proofs

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
        fire_modifier(Shot(distance=10, short=10, medium=20, elevation=True))

    assert proofs.entries == {"emlia.fire.mod.elevation"}

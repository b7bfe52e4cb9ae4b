"""Codes that a battle file keeps: each is one thing, and the same one in every version."""

from __future__ import annotations

from emlia3d.rules.emlia.columns import Acted, Armour, Attacked, MoraleNote, NoteState, Phase


def test_each_way_of_attacking_is_a_bit_of_its_own() -> None:
    assert [way.value for way in Attacked] == [1, 2, 4, 8]


def test_codes_are_numbered_in_the_order_in_which_they_were_added() -> None:
    assert [note.value for note in MoraleNote] == [*range(11)]
    assert [state.value for state in NoteState] == [0, 1, 2]
    assert [armour.value for armour in Armour] == [0, 1, 2]
    assert [phase.value for phase in Phase] == [0, 1, 2]
    assert [how.value for how in Acted] == [1, 2, 3]

"""An offer is a row of options, each kind worked out when somebody looks at it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from emlia3d.battle.commanders import RandomCommander
from emlia3d.battle.decisions import Decision, LazyOptions, OptionGroup, Order, Refusal
from emlia3d.battle.dice import FixedDice
from emlia3d.errors import IllegalOrderError

FIRE = [Order(verb="fire", target=3), Order(verb="aim", target=3)]
MOVE = [Order(verb="move", number=1)]
DONE = Order(verb="done")


class Pages:
    """Lists of options, and which of them were opened."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    def listed(self, name: str, orders: list[Order]) -> Callable[[], list[Order]]:
        def open_page() -> list[Order]:
            self.opened.append(name)
            return orders

        return open_page

    def offer(self) -> LazyOptions:
        return LazyOptions(
            [
                OptionGroup(verbs=("fire", "aim"), generate=self.listed("fire", FIRE)),
                OptionGroup(verbs=("move",), generate=self.listed("move", MOVE), validated=True),
            ]
        )


def test_an_offer_is_all_its_options_in_the_order_of_their_kinds() -> None:
    offer = Pages().offer()

    assert [*offer] == [*FIRE, *MOVE]
    assert len(offer) == 3
    assert offer[-1] == MOVE[0]
    assert [*offer[:2]] == FIRE
    assert MOVE[0] in offer
    assert DONE not in offer


def test_only_the_kind_that_is_asked_about_is_worked_out_and_only_once() -> None:
    pages = Pages()
    offer = pages.offer()

    assert offer.of("aim") == [FIRE[1]]
    assert offer.of("fire") == [FIRE[0]]

    assert pages.opened == ["fire"]


def test_whether_there_is_any_is_known_from_the_first_of_a_kind_and_the_rest_comes_later() -> None:
    drawn = []

    def fire() -> Iterator[Order]:
        for order in FIRE:
            drawn.append(order)
            yield order

    offer = LazyOptions([OptionGroup(verbs=("fire", "aim"), generate=fire)])

    assert offer
    assert offer.read_only()
    assert drawn == FIRE[:1]
    assert [*offer] == FIRE
    assert drawn == FIRE


def test_what_is_dear_is_looked_at_after_all_else_to_tell_whether_there_is_any() -> None:
    pages = Pages()
    dear = OptionGroup(verbs=("done",), generate=pages.listed("done", [DONE]), is_expensive=True)
    none = OptionGroup(verbs=("halt",), generate=pages.listed("halt", []))

    assert pages.offer().followed_by(dear).has_other_than(("move",))
    assert pages.opened == ["fire"]
    assert LazyOptions([none, dear]).has_other_than(())
    assert pages.opened == ["fire", "halt", "done"]


def test_options_looked_at_one_by_one_are_worked_out_no_farther_and_never_twice() -> None:
    drawn = []

    def fire() -> Iterator[Order]:
        for order in (*FIRE, MOVE[0]):
            drawn.append(order)
            yield order

    offer = LazyOptions([OptionGroup(verbs=("fire", "aim", "move"), generate=fire)])
    aims, all_ = offer.read_only().each("aim"), offer.each("fire")

    assert next(aims) == FIRE[1]
    assert drawn == FIRE
    assert FIRE[0] in offer
    assert offer.is_unvalidated(FIRE[1])
    assert drawn == FIRE
    assert offer.of("move") == MOVE
    assert [*aims] == []
    assert [*all_] == [FIRE[0]]
    assert drawn == [*FIRE, MOVE[0]]


def test_a_kind_that_knows_its_orders_when_it_sees_them_is_not_listed_to_tell() -> None:
    pages = Pages()
    fire = OptionGroup(
        verbs=("fire", "aim"),
        generate=pages.listed("fire", FIRE),
        among=lambda orders: [order for order in orders if order in FIRE],
    )
    offer, elsewhere = LazyOptions([fire]), Order(verb="fire", target=4)
    decision = Decision(side=0, asks="test", options=offer.read_only())

    decision.check(FIRE[0])

    assert FIRE[1] in offer
    assert elsewhere not in offer
    assert decision.first([elsewhere, FIRE[1], FIRE[0]]) == FIRE[1]
    assert decision.first([elsewhere]) is None
    with pytest.raises(IllegalOrderError):
        decision.check(elsewhere)
    assert pages.opened == []


def test_the_first_of_some_orders_is_found_in_any_row_of_options() -> None:
    offered = Decision(side=0, asks="test", options=Pages().offer())
    plain = Decision(side=0, asks="test", options=(*FIRE, *MOVE))

    for decision in (offered, plain):
        assert decision.first([DONE, MOVE[0], FIRE[0]]) == MOVE[0]
        assert decision.first([DONE]) is None


def test_an_offer_followed_by_another_kind_shares_what_was_worked_out() -> None:
    pages = Pages()
    offer = pages.offer()
    assert offer

    longer = offer.followed_by(OptionGroup(verbs=("done",), generate=lambda: [DONE]))

    assert [*longer] == [*FIRE, *MOVE, DONE]
    assert sorted(pages.opened) == ["fire", "move"]


def test_an_offer_of_nothing_is_false() -> None:
    assert not LazyOptions([OptionGroup(verbs=("fire",), generate=list)])


def test_the_random_commander_draws_a_kind_first_and_has_no_other_worked_out() -> None:
    pages = Pages()
    decision = Decision(side=0, asks="tin.act", options=pages.offer())
    dice = FixedDice([1, 2])

    assert RandomCommander().decide(decision, None, dice) == FIRE[1]

    dice.assert_spent()
    assert pages.opened == ["fire"]


def test_the_random_commander_draws_again_where_there_is_none_of_a_kind() -> None:
    none = OptionGroup(verbs=("fire",), generate=list)
    offer = LazyOptions([none, OptionGroup(verbs=("done",), generate=lambda: [DONE]), none])
    dice = FixedDice([3, 1, 1, 1])

    answer = RandomCommander().decide(Decision(side=0, asks="tin.act", options=offer), None, dice)

    assert answer == DONE
    dice.assert_spent()


class Short:
    """A reach of moves up to 5."""

    def refusal(self, order: Order) -> Refusal | None:
        far = order.verb != "move" or (order.number or 0) > 5
        return Refusal("some.rule", "too far") if far else None


def test_what_the_reach_refuses_is_looked_for_only_in_kinds_that_go_beyond_it() -> None:
    pages = Pages()
    decision = Decision(side=0, asks="some.rule", options=pages.offer(), validator=Short())

    decision.check(Order(verb="move", number=4))
    decision.check(FIRE[0])
    with pytest.raises(IllegalOrderError, match="too far"):
        decision.check(Order(verb="move", number=6))

    assert pages.opened == ["fire"]


def test_a_decision_tells_its_options_of_a_verb_from_a_plain_row_too() -> None:
    assert Decision(side=0, asks="some.rule", options=(*FIRE, DONE)).of("done") == [DONE]


def test_a_random_choice_among_options_that_are_alike_draws_no_kind() -> None:
    kinds = [
        OptionGroup(verbs=("fire", "aim"), generate=lambda: FIRE),
        OptionGroup(verbs=("move",), generate=lambda: MOVE),
    ]
    offer = LazyOptions(kinds, by_kind=False).read_only()
    dice = FixedDice([3])

    order = RandomCommander().decide(Decision(side=0, asks="test", options=offer), None, dice)

    assert order == MOVE[0]

"""Decisions that rules require of players, and the answers.

A `Decision` has a finite list of options. If orders may lead to any point on the field, it also
has an `OrderValidator`; its options are then a deterministic shortlist of the allowed orders.
Options of many kinds are a `LazyOptions`, so a caller pays only for the options that it examines.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import chain, count, islice
from typing import TYPE_CHECKING, Any, Literal, Protocol, Self, TypeAlias, TypeVar, overload
from weakref import WeakKeyDictionary

from emlia3d.battle.events import Event
from emlia3d.errors import IllegalOrderError, quoted

if TYPE_CHECKING:
    from emlia3d.battle.battle import Battle
    from emlia3d.battle.moment import Moment

Step = Literal["march", "turn", "wheel", "form"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One part of a move, given by the pose at its end.

    step : "march" goes straight to (x, y) without turning, "turn" turns in place, "wheel" swings
        round an end of the front line, "form" changes formation or files in place
    x, y : the centre of the front line at the end, GSU
    facing : the facing at the end, 64ths of a degree
    formation, files : of a "form" leg; -1 for other legs
    mode : the rule system's name of the mode of movement; "" for the unit's default
    altitude : altitude of a flyer at the end, above the ground there
    """

    step: Step
    x: float
    y: float
    facing: int
    formation: int = -1
    files: int = -1
    mode: str = ""
    altitude: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """An answer to a decision: a verb of the rule system and its objects.

    units : units that act together with `unit`
    point : a point on the field, (x, y) in GSU
    words : text of the order, in the rule system's own format
    why : the commander's reason, for the log; comparisons ignore it
    """

    verb: str
    unit: int | None = None
    target: int | None = None
    number: int | None = None
    units: tuple[int, ...] = ()
    point: tuple[float, float] | None = None
    legs: tuple[Leg, ...] = ()
    words: str = ""
    why: str = field(default="", compare=False)

    @property
    def actors(self) -> tuple[int, ...]:
        """The units that act: `unit`, then the others."""
        return self.units if self.unit is None else (self.unit, *self.units)


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason for a refusal, and the slug of the rule."""

    slug: str
    reason: str


class OrderValidator(Protocol):
    """Validator of orders that a decision's shortlist does not contain."""

    def refusal(self, order: Order) -> Refusal | None:
        """Return why an order is refused; None if it is allowed."""
        ...

    def for_moment(self, battle: Battle) -> OrderValidator:
        """Return the validator for *battle*, the battle as a side knows it."""
        ...


@dataclass(frozen=True, slots=True)
class OpenValidator:
    """Base of validators that read a moment of which nothing is hidden from any side."""

    moment: Moment

    def for_moment(self, battle: Battle) -> Self:
        """Return the validator for *battle*."""
        return replace(self, moment=battle)


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionGroup:
    """Options of one kind.

    verbs : the verbs that its orders may have
    generate : computes the options in order, from the state of the battle during the decision; an
        iterator is consumed only as far as needed
    validated : whether the decision's validator also allows each option
    among : returns which of some orders with these verbs are options; None if listing all options
        is as fast
    is_expensive : whether even the first option is expensive to compute
    """

    verbs: tuple[str, ...]
    generate: Callable[[], Iterable[Order]]
    validated: bool = False
    among: Callable[[Sequence[Order]], Collection[Order]] | None = None
    is_expensive: bool = False

    @property
    def unlisted(self) -> OptionGroup:
        """The group without its functions `generate` and `among`."""
        return _unlisted(self.verbs, self.validated)


@cache
def _unlisted(verbs: tuple[str, ...], validated: bool) -> OptionGroup:
    return OptionGroup(verbs=verbs, generate=tuple, validated=validated)


class LazyOptions(Sequence[Order]):
    """Options of several kinds, one kind after another, each computed on first use.

    by_kind : whether a random choice draws a kind first; otherwise all options are equally likely
    """

    def __init__(self, kinds: Sequence[OptionGroup], *, by_kind: bool = True) -> None:
        self._kinds = tuple(kinds)
        self.by_kind = by_kind
        self._made: dict[int, Sequence[Order]] = {}
        self._begun: dict[int, tuple[list[Order], Iterator[Order]]] = {}

    def followed_by(self, kind: OptionGroup) -> LazyOptions:
        """Return these options with one more kind at the end."""
        longer = LazyOptions((*self._kinds, kind), by_kind=self.by_kind)
        longer._made, longer._begun = self._made, self._begun
        return longer

    @property
    def kinds(self) -> int:
        """Number of kinds, including kinds without options."""
        return len(self._kinds)

    def of_kind(self, number: int) -> Sequence[Order]:
        """Return the options of one kind, counted from 0; there may be none."""
        return self._orders(number)

    def read_only(self) -> LazyOptions:
        """Return a read-only view of the options for the commander that decides."""
        return _Lent([kind.unlisted for kind in self._kinds], self)

    def _orders(self, number: int) -> Sequence[Order]:
        if number not in self._made:
            self._made[number] = tuple(self._one_by_one(number))
        return self._made[number]

    def _one_by_one(self, number: int) -> Iterator[Order]:
        """Yield the options of one kind, each computed on demand."""
        known, others = self._looked_at(number)
        for place in count():
            if place == len(known):
                known.extend(islice(others, 1))
            if place == len(known):
                return
            yield known[place]

    def _has_any(self, number: int) -> bool:
        return next(self._one_by_one(number), None) is not None

    def _looked_at(self, number: int) -> tuple[list[Order], Iterator[Order]]:
        """Return the options of a kind computed so far, and an iterator over the others."""
        if number not in self._begun:
            self._begun[number] = [], iter(self._kinds[number].generate())
        return self._begun[number]

    @cached_property
    def _all(self) -> tuple[Order, ...]:
        return tuple(chain.from_iterable(map(self._orders, range(len(self._kinds)))))

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Order]:
        return iter(self._all)

    @overload
    def __getitem__(self, place: int) -> Order: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Order]: ...
    def __getitem__(self, place: int | slice) -> Order | Sequence[Order]:
        """Return one option, or a slice of them."""
        return self._all[place]

    def __contains__(self, order: object) -> bool:
        """Return whether *order* is an option."""
        return isinstance(order, Order) and self.first([order]) is not None

    def first(self, orders: Sequence[Order]) -> Order | None:
        """Return the first of *orders* that is an option; each kind filters its orders once."""
        held: list[Order] = []
        for number, kind in enumerate(self._kinds):
            asked = [order for order in orders if order.verb in kind.verbs]
            held += self._held(number, asked) if asked else ()
        return next((order for order in orders if order in held), None)

    def _held(self, number: int, orders: Sequence[Order]) -> Collection[Order]:
        """Return the orders among *orders* that are options of one kind."""
        among = self._kinds[number].among
        if among is None:
            return [order for order in orders if order in self._one_by_one(number)]
        return among(orders)

    def __bool__(self) -> bool:
        """Return whether there is any option, tried in the order of `has_other_than`."""
        return self.has_other_than(())

    def has_other_than(self, verbs: Collection[str]) -> bool:
        """Return whether any option has a verb not in *verbs*; expensive kinds are tried last."""
        asked = [
            number
            for number, kind in reversed([*enumerate(self._kinds)])
            if not set(kind.verbs).issubset(verbs)
        ]
        return any(
            map(self._has_any, sorted(asked, key=lambda number: self._kinds[number].is_expensive))
        )

    def of(self, verb: str) -> list[Order]:
        """Return the options with *verb*."""
        return [*self.each(verb)]

    def each(self, verb: str) -> Iterator[Order]:
        """Yield the options with *verb*, each computed on demand."""
        return (
            order
            for number, kind in enumerate(self._kinds)
            if verb in kind.verbs
            for order in self._one_by_one(number)
            if order.verb == verb
        )

    def is_unvalidated(self, order: Order) -> bool:
        """Return whether *order* is an option of a kind outside the decision's validator."""
        return any(
            self._held(number, [order])
            for number, kind in enumerate(self._kinds)
            if order.verb in kind.verbs and not kind.validated
        )


class _Lent(LazyOptions):
    """Read-only view of options, without a reference to the functions that compute them."""

    def __init__(self, kinds: Sequence[OptionGroup], lender: LazyOptions) -> None:
        super().__init__(kinds, by_kind=lender.by_kind)
        _LENDERS[self] = lender

    def _one_by_one(self, number: int) -> Iterator[Order]:
        return _LENDERS[self]._one_by_one(number)

    def _held(self, number: int, orders: Sequence[Order]) -> Collection[Order]:
        return _LENDERS[self]._held(number, orders)


_LENDERS: WeakKeyDictionary[_Lent, LazyOptions] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A decision that the commander of a side must make.

    asks : the slug of the rule that requires the decision
    unit : the unit concerned, None for the whole side
    """

    side: int
    asks: str
    unit: int | None = None
    options: Sequence[Order]
    validator: OrderValidator | None = None

    def for_moment(self, battle: Battle) -> Decision:
        """Return the decision for *battle*, the battle as the side knows it.

        It holds no reference to the real battle.
        """
        options = (
            self.options.read_only() if isinstance(self.options, LazyOptions) else self.options
        )
        validator = None if self.validator is None else self.validator.for_moment(battle)
        return replace(self, options=options, validator=validator)

    def of(self, verb: str) -> list[Order]:
        """Return the options with *verb*."""
        if isinstance(self.options, LazyOptions):
            return self.options.of(verb)
        return [order for order in self.options if order.verb == verb]

    def each(self, verb: str) -> Iterator[Order]:
        """Yield the options with *verb*, each computed on demand."""
        if isinstance(self.options, LazyOptions):
            return self.options.each(verb)
        return iter(self.of(verb))

    def first(self, orders: Sequence[Order]) -> Order | None:
        """Return the first of *orders* that is an option."""
        if isinstance(self.options, LazyOptions):
            return self.options.first(orders)
        return next((order for order in orders if order in self.options), None)

    def check(self, order: Order) -> None:
        """Raise IllegalOrderError with the reason unless *order* is allowed."""
        refusal = self.validator.refusal(order) if self.validator else None
        if self.validator and refusal is None:
            return
        if isinstance(self.options, LazyOptions) and self.validator:
            if self.options.is_unvalidated(order):
                return
        elif order in self.options:
            return
        reason = f"{refusal.reason} ({refusal.slug})" if refusal else "it is not one of the options"
        raise IllegalOrderError(f"{self.asks}: the order {quoted(order.verb)} is refused: {reason}")


def decision_of(
    moment: Moment,
    unit: int,
    asks: str,
    options: Sequence[Order],
    validator: OrderValidator | None = None,
) -> Decision:
    """Return a decision that concerns a unit, for the side of the unit."""
    side = moment.state.units.integer("side", unit)
    return Decision(side=side, asks=asks, unit=unit, options=options, validator=validator)


T = TypeVar("T")
Said = TypeVar("Said")
Procedure: TypeAlias = Generator[Event | Decision, Order, T]
"""A part of play: a generator that yields events and decisions.

It receives an order for each decision.
"""


def advance(procedure: Generator[Said, Order, Any], answer: Order | None) -> Said:
    """Send a procedure the answer to its last decision; return its next event or decision.

    Raises StopIteration at its end.
    """
    return next(procedure) if answer is None else procedure.send(answer)

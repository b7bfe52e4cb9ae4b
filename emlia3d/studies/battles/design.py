"""The design of a study: its variants, and the battles of each."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from emlia3d.errors import Error

MOST_VARIANTS = 10_000
"""Maximum number of variants of a study."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A key of the scenario that varies, with its values or a range of numbers.

    key : path of the key in the scenario file, such as ``unit.archers.members``
    values : as TOML text; empty for a range
    low, high : ends of a range, both included
    whole : the numbers of a range are integers
    """

    key: str
    values: tuple[str, ...] = ()
    low: float = math.nan
    high: float = math.nan
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A variant of a scenario.

    settings : values of the scenario's keys as TOML text, by the paths of the keys
    commanders : names of commanders, by side
    """

    settings: Mapping[str, str] = field(default_factory=dict)
    commanders: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The differences from the scenario, in words."""
        changes = {**self.settings, **self.commanders}
        return ", ".join(f"{key}={value}" for key, value in changes.items()) or "as it is"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Trial:
    """One battle of a study.

    variant : number of the variant
    run : number of the run; all variants play a run with the same seed, for paired comparison
    swapped : whether the sides have exchanged commanders
    """

    variant: int
    run: int
    swapped: bool


def factor(words: str) -> Factor:
    """Return the factor in a text: ``KEY=A,B,C`` or ``KEY=LOW:HIGH``.

    Raises
    ------
    Error
        If the text has another form, or if the range is empty.
    """
    key, equals, told = words.partition("=")
    if not (key.strip() and equals and told.strip()):
        raise Error(f"{words!r}: expected KEY=A,B,C or KEY=LOW:HIGH")
    if _is_range(told):
        low, _, high = told.partition(":")
        ends = float(low), float(high)
        if not ends[0] < ends[1] < math.inf:
            raise Error(f"{words!r}: a range goes from a lower to a higher number")
        whole = all(end.strip().lstrip("-").isdigit() for end in (low, high))
        return Factor(key=key.strip(), low=ends[0], high=ends[1], whole=whole)
    values = tuple(value.strip() for value in _values(told))
    if "" in values or len(set(values)) < len(values):
        raise Error(f"{words!r}: a value is empty, or there twice")
    return Factor(key=key.strip(), values=values)


def in_words(key: str, values: Iterable[object]) -> str:
    """Return a factor as text that `factor` can parse; a string is a range or a list of values."""
    told = values if isinstance(values, str) else ",".join(map(_as_written, values))
    return f"{key}={told}"


def grid(factors: Sequence[Factor]) -> list[Variant]:
    """Return a variant for each combination of the factors' values.

    Raises
    ------
    Error
        If a factor has a range, or if there are too many combinations.
    """
    for one in factors:
        if not one.values:
            raise Error(f"{one.key}: a range needs --design lhs:N, or list its values: A,B,C")
    _check_number(math.prod(len(one.values) for one in factors))
    return [
        Variant(settings=dict(zip((one.key for one in factors), values, strict=True)))
        for values in itertools.product(*(one.values for one in factors))
    ]


def latin_hypercube(factors: Sequence[Factor], count: int, seed: int) -> list[Variant]:
    """Return variants spread over the ranges of all factors (McKay and others 1979).

    Each factor has *count* strata of equal width, and each stratum one variant. Listed values
    occur equally often.

    Raises
    ------
    Error
        If there is no factor, or if there are too many variants.
    """
    if not factors:
        raise Error("--design lhs:N spreads over what varies: name it by --vary")
    _check_number(count)
    rng = np.random.default_rng([seed, count])
    columns = []
    for one in factors:
        at = (rng.permutation(count) + rng.random(count)) / count
        columns.append([_value_at(one, part, count) for part in at.tolist()])
    keys = [one.key for one in factors]
    return [
        Variant(settings=dict(zip(keys, values, strict=True)))
        for values in zip(*columns, strict=True)
    ]


def round_robin(commanders: Sequence[str], sides: Sequence[str]) -> list[Variant]:
    """Return a variant for each pair of some commanders.

    Raises
    ------
    Error
        If there are not two sides, or not two different commanders.
    """
    if len(sides) != 2:
        raise Error(f"--against: expected a scenario of two sides; this one has {len(sides)}")
    if len(set(commanders)) < max(len(commanders), 2):
        raise Error("--against: expected two different commanders or more")
    pairs = list(itertools.combinations(commanders, 2))
    _check_number(len(pairs))
    return [Variant(commanders=dict(zip(sides, pair, strict=True))) for pair in pairs]


def trials(swaps: Sequence[bool], runs: range) -> Iterator[Trial]:
    """Yield the battles of some runs, run by run, so that each run can be compared in pairs.

    swaps : for each variant, whether it is also played with exchanged commanders
    """
    for run in runs:
        for variant, both in enumerate(swaps):
            for swapped in (False, True)[: 1 + both]:
                yield Trial(variant=variant, run=run, swapped=swapped)


def seed_of(study_seed: int, run: int) -> int:
    """Return the seed of a run, below 2**63, independent of the seeds of other runs."""
    state = np.random.SeedSequence(study_seed, spawn_key=(run,)).generate_state(1, np.uint64)
    return int(state[0]) >> 1


def _as_written(value: object) -> str:
    """Return a value in TOML; plain words are unchanged."""
    if isinstance(value, str) and not (set(value) & set(",\"'[]{}\n") or _is_range(value)):
        return value
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(str(key))} = {_nested(each)}" for key, each in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_nested, value))}]"
    return _nested(value)


def _nested(value: object) -> str:
    """Return a value in TOML, with words in quotation marks."""
    if isinstance(value, Mapping | list | tuple):
        return _as_written(value)
    is_word = isinstance(value, bool | str)
    return json.dumps(value, ensure_ascii=False) if is_word else str(value)


def _values(words: str) -> Iterator[str]:
    """Yield the values between commas, except commas in brackets or quotes."""
    depth, quoted, begin = 0, "", 0
    for at, sign in enumerate(words):
        if quoted:
            quoted = "" if sign == quoted else quoted
        elif sign in "\"'":
            quoted = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        elif sign == "," and depth == 0:
            yield words[begin:at]
            begin = at + 1
    yield words[begin:]


def _value_at(one: Factor, part: float, count: int) -> str:
    """Return the value at a proportion of a factor, 0 to 1, for one of *count* variants."""
    if one.values:
        return one.values[int(part * len(one.values))]
    if one.whole:
        return str(int(one.low + math.floor(part * (one.high - one.low + 1))))
    width = one.high - one.low
    exact = one.low + part * width
    # A precision of a hundredth of a stratum keeps the names of variants short.
    fine = 2 - math.floor(math.log10(width / count))
    rounded = (round(exact, digits) for digits in range(fine, 17))
    stratum = int(part * count)
    return repr(
        next((near for near in rounded if int((near - one.low) / width * count) == stratum), exact)
    )


def _check_number(count: int) -> None:
    if not 1 <= count <= MOST_VARIANTS:
        raise Error(f"{count:,} variants; a study has 1 to {MOST_VARIANTS:,}")


def _is_range(words: str) -> bool:
    low, colon, high = words.partition(":")
    return bool(colon) and _is_number(low) and _is_number(high)


def _is_number(words: str) -> bool:
    try:
        return math.isfinite(float(words))
    except ValueError:
        return False

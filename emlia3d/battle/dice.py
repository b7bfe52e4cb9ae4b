"""Dice as an argument: nothing else in emlia3d may be random.

The faces of a battle come from raw words of a counter-based generator (Philox, Salmon et al.
2011). NumPy guarantees its stream but not its distributions, so a rejection step here maps words
to faces. The key is the battle's seed, and the highest word of the counter is the number of the
segment. A battle therefore resumes without generator state, from the number of the segment alone.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

T = TypeVar("T", bound=Hashable)

Faces = tuple[int, ...]

# With more dice than this, a column is faster than a list.
_MANY = 20


class Dice(Protocol):
    """Dice, the last argument of each rule that rolls."""

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Roll *count* dice of *sides* sides; *why* is the slug of the rule that rolls."""
        ...


class SeededDice:
    """Dice of a real battle: the seed and the number of the segment determine every face.

    purpose : third word of the counter, which separates the streams of one segment: 0 for the
        battle's dice, other values for the commanders' dice
    """

    def __init__(self, seed: int, stretch: int, purpose: int = 0) -> None:
        self._seed, self._counter = seed, (0, 0, purpose, stretch)

    @functools.cached_property
    def _source(self) -> np.random.Philox:
        """Generator, made for the first die: most decisions and many segments roll none."""
        return np.random.Philox(key=self._seed % 2**64, counter=self._counter)

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return faces from raw words, without the words that would favour low faces."""
        if count > _MANY:
            return tuple(self.faces(count, sides).tolist())
        last_fair = 2**64 - 1 - 2**64 % sides
        faces: list[int] = []
        while len(faces) < count:
            words = self._source.random_raw(count - len(faces))
            faces += [int(word) % sides + 1 for word in words if int(word) <= last_fair]
        return tuple(faces)

    def faces(self, count: int, sides: int) -> NDArray[np.int64]:
        """Return the faces of any number of dice as a column, equal to the faces of `roll`."""
        last_fair = np.uint64(2**64 - 1 - 2**64 % sides)
        faces = np.empty(count, dtype=np.int64)
        done = 0
        while done < count:
            words = self._source.random_raw(count - done)
            fair = words <= last_fair
            words = words if fair.all() else words[fair]
            faces[done : done + len(words)] = words % np.uint64(sides) + np.uint64(1)
            done += len(words)
        return faces


def thrown(dice: Dice, why: str, count: int, sides: int) -> NDArray[np.int64]:
    """Roll *count* dice at once; return their faces as a column, as single rolls would give."""
    if isinstance(dice, SeededDice):
        return dice.faces(count, sides)
    return np.array(dice.roll(why, count, sides), dtype=np.int64)


def deciders_dice(seed: int, stretch: int, asked: int) -> SeededDice:
    """Return the commander's dice for one decision, independent of the battle's dice."""
    hidden = hashlib.sha256(f"decider {seed}".encode()).digest()
    return SeededDice(int.from_bytes(hidden[:8], "little"), stretch, purpose=asked)


class NotedDice:
    """Dice that record their faces.

    faces : the faces of each roll, in order
    """

    def __init__(self, dice: Dice, faces: list[Faces]) -> None:
        self._dice, self.faces = dice, faces

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Roll dice, record their faces and return them."""
        found = self._dice.roll(why, count, sides)
        self.faces.append(found)
        return found


class FixedDice:
    """Dice for tests, which show the given faces in order."""

    def __init__(self, faces: Iterable[int]) -> None:
        self._left = list(faces)

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the next *count* faces."""
        taken, self._left = self._left[:count], self._left[count:]
        assert len(taken) == count, f"{why}: needs {count} dice, {len(taken)} are left"
        assert all(1 <= face <= sides for face in taken), f"{why}: {taken} on d{sides}"
        return tuple(taken)

    def assert_spent(self) -> None:
        """Raise AssertionError if a prepared face was not rolled."""
        assert not self._left, f"dice not rolled: {self._left}"


class _UnscriptedError(Exception):
    """Raised for a roll beyond the end of the script."""

    def __init__(self, sides: int) -> None:
        super().__init__()
        self.sides = sides


class _ScriptedDice:
    """Dice that show the faces of *path*, then raise `_UnscriptedError`."""

    def __init__(self, path: Faces) -> None:
        self._path = path
        self._used = 0
        self.chance = Fraction(1)

    def roll(self, why: str, count: int, sides: int) -> Faces:
        """Return the next faces of the script."""
        shown = self._path[self._used : self._used + count]
        if len(shown) < count:
            raise _UnscriptedError(sides)
        self._used += count
        self.chance /= Fraction(sides) ** count
        return shown


def odds(play: Callable[[Dice], T]) -> dict[T, Fraction]:
    """Return every possible outcome of *play* with its exact probability.

    It plays once for every sequence of faces, so it suits a few dice but not a battle.
    """
    chances: dict[T, Fraction] = {}
    paths: list[Faces] = [()]
    while paths:
        path = paths.pop()
        dice = _ScriptedDice(path)
        try:
            outcome = play(dice)
        except _UnscriptedError as gap:
            paths += [(*path, face) for face in range(1, gap.sides + 1)]
        else:
            chances[outcome] = chances.get(outcome, Fraction(0)) + dice.chance
    return chances


def face_counts(faces: ArrayLike, sides: int) -> tuple[int, ...]:
    """Return the number of dice for each face from 1 to *sides*, the record of many dice."""
    column = np.asarray(faces, dtype=np.int64)
    return tuple(np.bincount(column, minlength=sides + 1)[1:].tolist())

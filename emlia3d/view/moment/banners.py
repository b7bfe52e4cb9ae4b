"""A standard with a name for each unit on the field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from emlia3d.battle.questions.cohesion import FormationTag
from emlia3d.battle.questions.objectives import ObjectivePlace
from emlia3d.battle.setup import Setup
from emlia3d.battle.state import State
from emlia3d.force.facing import degrees_of
from emlia3d.view.moment.base_heights import FLYERS, lift_m
from emlia3d.view.moment.figures import FigurePositions, height_m
from emlia3d.view.moment.morale_bands import damage_share, despair_of, mood_of
from emlia3d.view.moment.scale import block_m, units_in_sight
from emlia3d.view.moment.scene import Banner, Emphasis

MOST_TAGGED = 12
"""Maximum number of grouped units of a side whose followers all have tags."""

STANDARD_M = 5.4
"""Height of the pole of a standard with its tag, metres; single fighters have no standard."""


def banners_of(
    setup: Setup,
    state: State,
    *,
    selected: int | None = None,
    active: Collection[int] = (),
    formations: Sequence[FormationTag] = (),
) -> tuple[Banner, ...]:
    """Return a banner for each unit with figures, over the centre of its block.

    The order is that of `emlia3d.view.moment.scale.units_in_sight`.
    selected : the selected unit; active : units affected by the event
    formations : formations with one tag each
    """
    here = units_in_sight(state)
    followers = _followers(setup, state, here)
    tags = {unit: tag for tag in formations for unit in tag.units}
    banners = []
    for unit in here:
        banner = _banner(setup, state, unit, _emphasis(state, unit, selected, active))
        if unit in tags:
            banners.append(_in_formation(banner, unit, tags[unit], selected, active))
        else:
            banners.append(replace(banner, follows=unit in followers))
    return tuple(banners)


def _in_formation(
    banner: Banner, unit: int, tag: FormationTag, selected: int | None, active: Collection[int]
) -> Banner:
    """Return the banner of a unit in a formation, with the formation's tag for one unit."""
    broken, emphasis = tag.sign == "broken", banner.emphasis
    if emphasis == "plain" and broken:
        emphasis = "broken"
    told = replace(banner, emphasis=emphasis, despair=max(banner.despair, float(broken)))
    if unit != tag.units[0]:
        return replace(told, joined=True, subtext=f"in {tag.name}")
    if unit != selected and any(each in active for each in tag.units):
        told = replace(told, emphasis="active")
    left = banner.strength if tag.left is None else tag.left
    return replace(told, text=tag.name, subtext=tag.text, strength=left)


def _followers(setup: Setup, state: State, here: Collection[int]) -> frozenset[int]:
    """Return the units of large sides that follow a leader on the field."""
    found = [row for row in here if setup.units[row].leader in here]
    led = {*found, *(setup.units[row].leader for row in found)}
    sides = Counter(state.units.integer("side", row) for row in led)
    return frozenset(row for row in found if sides[state.units.integer("side", row)] > MOST_TAGGED)


def objective_banners(setup: Setup, objectives: Iterable[ObjectivePlace]) -> tuple[Banner, ...]:
    """Return a banner for each objective: the flag of its holder, or a grey one."""
    metres = setup.field.scale.metres_per_gsu
    return tuple(
        Banner(
            x_m=objective.at[0] * metres,
            y_m=objective.at[1] * metres,
            team=len(setup.sides) if objective.holder is None else objective.holder,
            text=objective.name,
            subtext=objective.text,
            tall_m=STANDARD_M,
        )
        for objective in objectives
    )


def on_the_way(
    banners: Sequence[Banner], setup: Setup, state: State, before: FigurePositions, alpha: float
) -> tuple[Banner, ...]:
    """Return the banners of *state* at *alpha* of the way from their units' previous positions."""
    metres = setup.field.scale.metres_per_gsu
    left_m = np.stack(
        [
            before.unit_x_m - state.units.floats("x") * metres,
            before.unit_y_m - state.units.floats("y") * metres,
        ],
        axis=1,
    ) * (1.0 - alpha)
    return tuple(
        _shifted(banner, left_m[unit]) if left_m[unit].any() else banner
        for banner, unit in zip(banners, units_in_sight(state), strict=True)
    )


def _shifted(banner: Banner, by_m: NDArray[np.float64]) -> Banner:
    outline = banner.outline_m
    return replace(
        banner,
        x_m=banner.x_m + float(by_m[0]),
        y_m=banner.y_m + float(by_m[1]),
        outline_m=None if outline is None else outline + by_m,
    )


def _emphasis(state: State, unit: int, selected: int | None, active: Collection[int]) -> Emphasis:
    if unit == selected:
        return "selected"
    if unit in active:
        return "active"
    return "broken" if despair_of(state, unit) >= 1.0 else "plain"


def _banner(setup: Setup, state: State, unit: int, emphasis: Emphasis) -> Banner:
    units = state.units
    corners = block_m(setup, state, unit)
    middle = corners.mean(axis=0)
    members, strength = units.integer("members", unit), units.integer("strength", unit)
    left = f"{members}" if members == strength else f"{members} of {strength}"
    told = ["" if strength == 1 else left, mood_of(state, unit)]
    return Banner(
        x_m=float(middle[0]),
        y_m=float(middle[1]),
        team=units.integer("side", unit),
        text=setup.units[unit].name,
        subtext=", ".join(word for word in told if word),
        facing_deg=degrees_of(units.integer("facing", unit)),
        lift_m=lift_m(setup, state, unit),
        emphasis=emphasis,
        outline_m=corners,
        strength=_left(state, unit),
        despair=despair_of(state, unit),
        tall_m=STANDARD_M if strength > 1 else _head_m(setup, unit),
        standard=strength > 1,
        aloft=setup.units[unit].muster.troops.model in FLYERS,
    )


def _left(state: State, unit: int) -> float | None:
    """Return the remaining proportion of a unit; None for a single undamaged body."""
    members, strength = (state.units.integer(name, unit) for name in ("members", "strength"))
    if strength > 1:
        return members / strength
    return 1.0 - lost if (lost := damage_share(state, unit)) else None


def _head_m(setup: Setup, unit: int) -> float:
    """Return the height just above the head of a single fighter, metres."""
    troops = setup.units[unit].muster.troops
    return 1.1 * height_m(troops, setup.field.scale)

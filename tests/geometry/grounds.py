"""Grounds, eyes and scenes for tests of what is seen of the ground."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from emlia3d.geometry import Surface


def surface_of(heights, cell=1.0, west=0.0) -> Surface:
    """A surface whose last row of centres lies at y = 0."""
    heights = np.array(heights, dtype=float)
    return Surface(heights=heights, cell=cell, west=west, north=cell * (len(heights) - 1))


def broken_ground(shape, seed, layers=5):
    """Steps of all sizes, on a grid of 1/1024."""
    rng = np.random.default_rng(seed)
    heights = np.zeros(shape)
    for layer in range(layers):
        size = 2**layer
        steps = rng.normal(0, size**0.8, [count // size + 2 for count in shape])
        heights += np.kron(steps, np.ones((size, size)))[: shape[0], : shape[1]]
    return np.round(heights * 1024) / 1024


def eye_above(surface, u, v, up):
    x, y = surface.west + u * surface.cell, surface.north - v * surface.cell
    return np.array([x, y, float(surface.heights_at(x, y)) + up])


@st.composite
def scenes(draw):
    """A small raster, an eye above it and a height to look for; whole numbers graze a lot."""
    shape = draw(st.tuples(st.integers(1, 24), st.integers(1, 24)))
    whole = draw(st.booleans())
    level = st.integers(0, 3).map(float) if whole else st.floats(0, 3, width=32)
    if draw(st.booleans()):
        heights = draw(arrays(np.float64, shape, elements=level))
    else:
        slope = draw(st.tuples(st.sampled_from((0, 0.25, -1)), st.sampled_from((0, 0.5))))
        heights = np.add.outer(slope[0] * np.arange(shape[0]), slope[1] * np.arange(shape[1]))
    surface = surface_of(heights, draw(st.sampled_from((1.0, 0.5, 4.0))))
    step = draw(st.sampled_from((1, 2, 1024)))
    u, v = (draw(st.integers(-step, step * count)) / step for count in shape[::-1])
    return (
        surface,
        eye_above(surface, u, v, draw(st.sampled_from((-0.5, 0, 0.001, 1, 2.5, 30)))),
        draw(st.sampled_from((0, 0.5, 2))),
    )

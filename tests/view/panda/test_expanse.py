"""The space between the stars: dark, with stars, and a grid to judge distances by."""

from __future__ import annotations

import numpy as np

from emlia3d.scenario import load
from emlia3d.view.moment.ground import terrain_of
from emlia3d.view.moment.scene import Light, flat
from emlia3d.view.panda.land.expanse import between_the_stars
from emlia3d.view.panda.land.paint import paint


def test_space_is_dark_but_for_stars_and_lines() -> None:
    picture = between_the_stars((512, 512), (0.5, 0.5), 20.0).astype(int).sum(axis=2)

    assert np.median(picture) < 150
    lines = picture[:, 40]  # twenty metres from the edge
    assert np.median(lines) > np.median(picture[:, 30]) + 30
    assert (picture > 500).any(), "a bright star"


def test_a_field_says_what_it_is_a_picture_of() -> None:
    battles = {name: load(name).battle() for name in ("cruisers", "bandits")}
    grounds = {name: terrain_of(one.setup, one.state) for name, one in battles.items()}

    assert (grounds["cruisers"].look, grounds["cruisers"].grid_m) == ("space", 20.0)
    assert grounds["bandits"].look == "country"


def test_no_grass_grows_between_the_stars() -> None:
    country = flat((100.0, 100.0))
    space = flat((100.0, 100.0), look="space")

    green, dark = (paint(each, Light(), 256) for each in (country, space))

    assert green.colour.mean() > 2 * dark.colour.mean()
    assert dark.cover[..., 2].max() == 0 < green.cover[..., 2].max()

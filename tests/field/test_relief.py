from __future__ import annotations

import tomllib

import numpy as np
import pytest

from emlia3d.field import Ground, relief_of
from emlia3d.field.noise import fractal, gradient_noise, hashed, shares

SIZE = (300.0, 200.0)

COUNTRY = """
cell = 5
seed = 7
channel = {path = [[0, 40], [120, 46], [300, 20]], width = 4, depth_m = 1.5, bank = 15}

[[parts]]
kind = "fractal"
low_m = 0
high_m = 8
feature = 120

[[parts]]
kind = "ridge"
line = [[-20, 110], [150, 130], [320, 110]]
crest = [0.6, 1, 0.5]
high_m = 30
width = 60
spurs = [[[150, 130], [160, 80]]]

[[parts]]
kind = "hills"
hills = [[60, 170, 40, 9], [240, 180, 30, -4]]

[[parts]]
kind = "valley"
line = [[0, 40], [300, 20]]
depth_m = 5
width = 50
"""


def ground_of(words: str, size: tuple[float, float] = SIZE) -> Ground:
    return relief_of(tomllib.loads(words)).ground(size)


def test_the_same_words_give_the_same_bits_on_every_machine() -> None:
    assert ground_of(COUNTRY).digest == (
        "4b7bc7fc1756be9adb6a6a71cbd0205f66bc40e2f89ecb2d70ffff37f24838d8"
    )


def test_another_seed_is_another_country() -> None:
    assert ground_of(COUNTRY).digest != ground_of(COUNTRY.replace("= 7", "= 8")).digest


def test_elevations_lie_on_a_grid_of_a_1024th_of_a_metre() -> None:
    steps = ground_of(COUNTRY).elevation_m * 1024

    assert (steps == np.round(steps)).all()


def test_a_finer_raster_shows_the_same_country() -> None:
    coarse, fine = ground_of(COUNTRY), ground_of(COUNTRY.replace("cell = 5", "cell = 2.5"))
    x, y = np.meshgrid(np.arange(10, 290, 7.0), np.arange(10, 190, 7.0))

    apart = np.abs(coarse.elevations_m(x, y) - fine.elevations_m(x, y))

    assert apart.mean() < 0.5


def test_rolling_country_reaches_from_its_lowest_to_its_highest() -> None:
    ground = ground_of('kind = "fractal"\nlow_m = 12\nhigh_m = 30')

    assert (ground.low_m, ground.high_m) == (12.0, 30.0)
    assert ground.elevation_m.shape == (40, 60)


def test_a_ridge_stands_along_its_line_and_sinks_to_the_plain_at_its_foot() -> None:
    ground = ground_of(
        'kind = "ridge"\nlow_m = 5\nhigh_m = 35\nwidth = 50\nwander = 0\nfurrow = 0\n'
        "line = [[0, 100], [300, 100]]\ncell = 2"
    )

    crest = ground.elevations_m(np.arange(10, 290, 10.0), 100)
    assert crest == pytest.approx(35, abs=0.1)
    assert ground.elevations_m([50, 150, 250], [40, 155, 160]) == pytest.approx(5)
    assert (np.diff(ground.elevations_m(150, np.arange(101, 150, 3.0))) < 0).all()


def test_a_saddle_lies_lower_than_the_heights_beside_it() -> None:
    ground = ground_of(
        'kind = "ridge"\nhigh_m = 40\nwidth = 50\nwander = 0\nfurrow = 0\n'
        "line = [[0, 100], [150, 100], [300, 100]]\ncrest = [1, 0.4, 1]"
    )

    west, saddle, east = ground.elevations_m([20, 150, 280], 100)
    assert saddle < 0.7 * min(west, east)


def test_a_spur_carries_the_height_out_from_the_crest() -> None:
    ridge = (
        'kind = "ridge"\nhigh_m = 40\nwidth = 40\nwander = 0\nfurrow = 0\n'
        "line = [[0, 150], [300, 150]]\n"
    )
    with_spur = ground_of(ridge + "spurs = [[[150, 150], [150, 40]]]")

    assert ground_of(ridge).elevations_m(150, 100) == 0
    assert with_spur.elevations_m(150, 100) > 8
    assert with_spur.elevations_m(250, 100) == 0


def test_a_hill_is_as_high_as_it_says_and_a_hollow_as_deep() -> None:
    ground = ground_of(
        'kind = "hills"\nhills = [[75, 100, 50, 20], [225, 100, 50, -6]]\nwander = 0\ncell = 2'
    )

    assert ground.elevations_m([75, 225, 150], 100) == pytest.approx([20, -6, 0], abs=0.2)


def test_a_stream_never_runs_uphill_and_lies_below_its_banks() -> None:
    ground = ground_of(COUNTRY.replace("cell = 5", "cell = 1"))
    along = np.linspace(0, 1, 60)[:, None]
    upper = np.array([0, 40]) + along * np.array([120, 6])
    lower = np.array([120, 46]) + along * np.array([180, -26])

    bed = ground.elevations_m(*np.concatenate([upper, lower]).T)

    assert (np.diff(bed) <= 0.05).all()
    assert (ground.elevations_m(*(lower + np.array([0, 30])).T) > bed[60:] + 1).all()


def test_a_channel_that_stands_alone_is_cut_into_the_level() -> None:
    ground = ground_of('kind = "channel"\npath = [[0, 100], [300, 100]]\ndepth_m = 2\ncell = 2')

    assert ground.elevations_m([20, 280], 100) == pytest.approx(-2)
    assert ground.elevations_m(150, [60, 140]) == pytest.approx(0)


def test_a_path_that_stands_still_cuts_one_hole() -> None:
    ground = ground_of('kind = "channel"\npath = [[150, 100], [150, 100]]\ncell = 2')

    assert ground.low_m == -1.5


def test_a_channel_beyond_the_field_leaves_it_as_it_was() -> None:
    ground = ground_of('kind = "channel"\npath = [[-900, -900], [-800, -900]]')

    assert (ground.low_m, ground.high_m) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("", "kind: expected one of fractal, ridge, hills, valley, channel, got None"),
        ('kind = "rigde"', "kind: expected one of"),
        ('kind = "fractal"\nhihg_m = 3', "relief has no hihg_m; did you mean high_m"),
        ('kind = "fractal"\nqqq = 3', "relief has no qqq; there are seed, low_m"),
        ('kind = "fractal"\nhigh_m = "tall"', "high_m: expected a number, got 'tall'"),
        ('kind = "fractal"\nhigh_m = true', "high_m: expected a number, got True"),
        ('kind = "fractal"\nhigh_m = nan', "high_m: expected a number, got nan"),
        ('kind = "fractal"\nseed = 1.5', "seed: expected a whole number, got 1.5"),
        ('kind = "fractal"\nlow_m = 30', "low_m: expected a height below high_m"),
        ('kind = "fractal"\nfeature = 0', "feature: expected a number above 0"),
        ('kind = "fractal"\nfeature = 1e-300', "feature: expected a number from 0.000976562 up"),
        ('kind = "fractal"\nhigh_m = 1e308', "high_m: expected a number from -65536 to 65536"),
        (
            f'kind = "fractal"\nhigh_m = {"9" * 400}',
            "high_m: expected a number from -65536 to 65536",
        ),
        (
            'kind = "channel"\npath = [[0, 0], [1e308, 0]]',
            "path: expected a number from -65536 to 65536",
        ),
        ('kind = "fractal"\nroughness = 2', "roughness lies between 0 and 1"),
        ('kind = "fractal"\ncell = 0', "cell: expected a number of GSU above 0"),
        ('kind = "ridge"', r"a ridge needs line = \[\[...\], ...\]"),
        ('kind = "hills"', "a hills needs hills"),
        ('kind = "ridge"\nline = [[0, 0]]', "at least two points"),
        ('kind = "ridge"\nline = [[0, 0], [1, 2, 3]]', "at least two points"),
        ('kind = "ridge"\nline = 7', "line: expected a list of points, got 7"),
        ('kind = "ridge"\nline = [[0, 0], [9, 9]]\ncrest = [1]', "each of the 2 points"),
        ('kind = "hills"\nhills = [[1, 2, 3]]', r"a hill is \[x, y, radius, height_m\]"),
        ('kind = "channel"\npath = [[0, 0], [9, 9]]\nbank = 0', "bank: expected a number above 0"),
        ('parts = [{kind = "fractal"}]\nhigh_m = 3', "relief has no high_m"),
        ("parts = 3", "parts: expected a table, or a list of tables"),
        ('kind = "fractal"\nchannel = {path = [[0, 0]]}', "at least two points"),
    ],
)
def test_words_that_make_no_relief_are_told_with_what_would_be_right(words, why) -> None:
    with pytest.raises(ValueError, match=why):
        relief_of(tomllib.loads(words))


def test_cells_that_would_fill_the_memory_are_refused() -> None:
    with pytest.raises(ValueError, match="too small for this field"):
        ground_of('kind = "fractal"\ncell = 0.01')


def hashed_by_hand(seed: int, column: int, row: int) -> int:
    """The same hash in Python's own unbounded integers."""
    whole = 2**64 - 1

    def mixed(word: int) -> int:
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & whole
        word = (word ^ word >> 27) * 0x94D049BB133111EB & whole
        return word ^ word >> 31

    first = mixed(column * 0x9E3779B97F4A7C15 + seed * 0x165667B19E3779F9 & whole)
    return mixed(first + row * 0xC2B2AE3D27D4EB4F & whole)


@pytest.mark.parametrize("seed", [0, 3, -1, 2**70 + 5])
def test_hashes_wrap_as_words_of_64_bits(seed: int) -> None:
    columns = [0, -1, 2**40, 17]

    assert hashed(seed, columns, -5).tolist() == [hashed_by_hand(seed, c, -5) for c in columns]


def test_hashed_shares_are_even() -> None:
    rows, columns = np.mgrid[0:64, 0:64]
    found = shares(hashed(1, columns, rows), 0)

    assert (np.histogram(found, bins=8, range=(0, 1))[0] > 430).all()
    assert found.min() >= 0
    assert found.max() < 1
    assert abs(np.corrcoef(found[:, 1:].ravel(), found[:, :-1].ravel())[0, 1]) < 0.05


def test_noise_is_zero_on_its_lattice_and_has_no_steps() -> None:
    x = np.linspace(-3, 3, 601)
    found = gradient_noise(2, x, x * 0 + 0.37)

    assert gradient_noise(2, np.array([-2.0, 0.0, 5.0]), np.array([1.0, 0.0, -7.0])).tolist() == [
        0,
        0,
        0,
    ]
    assert np.abs(np.diff(found)).max() < 0.05
    assert np.abs(found).max() <= 1


def test_each_layer_of_noise_adds_to_the_one_before() -> None:
    x = np.linspace(0, 4, 50)

    assert (fractal(1, x, x, octaves=1, roughness=0.5) == gradient_noise(1, x, x)).all()
    rough = fractal(1, x, x, octaves=4, roughness=0.5)
    assert np.abs(np.diff(rough)).sum() > np.abs(np.diff(gradient_noise(1, x, x))).sum()


def test_a_place_has_its_noise_whoever_else_is_asked_about() -> None:
    """One by one the corners' gradients are made for it alone; of many places, once for all."""
    columns, rows = np.linspace(-7, 30, 40)[None, :], np.linspace(-2, 3, 9)[:, None]

    together = fractal(9, columns, rows, octaves=3, roughness=0.7)

    alone = [
        [fractal(9, np.array([x]), np.array([y]), octaves=3, roughness=0.7)[0] for x in columns[0]]
        for y in rows[:, 0]
    ]
    assert together.tolist() == alone

"""What draws the pictures that the tests look at."""

import pytest

from emlia3d.view.panda.display import Display, probe


@pytest.fixture(params=["p3headlessgl", "p3tinydisplay"])
def display(request):
    """Each way of drawing without a window that this machine has."""
    found = probe(request.param, False)
    if not isinstance(found, Display):
        pytest.skip(f"{request.param} draws nothing here: {found.reason}")
    return found

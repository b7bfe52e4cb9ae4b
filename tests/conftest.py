"""What all tests share: the quick suite, steady hypothesis, one switch for goldens."""

from __future__ import annotations

import pytest
from hypothesis import settings

from tests.rules.proving import Proving

# No deadline, as machines that run the tests are often busy. The same examples in every run, so
# that a failure is the change's; `--hypothesis-profile explore` looks for new ones.
settings.register_profile("emlia3d", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("emlia3d")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="rewrite goldens and the lists of untested rules instead of comparing with them",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Proving())


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope="session")
def regenerate(request: pytest.FixtureRequest) -> bool:
    """Whether goldens are to be rewritten."""
    return bool(request.config.getoption("--regenerate"))

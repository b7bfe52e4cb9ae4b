"""What all tests share: the plain run, steady hypothesis, one switch for goldens."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest
from hypothesis import settings

from tests.rules.proving import Proving

# No deadline, as machines that run the tests are often busy. The same examples in every run, so
# that a failure is the change's; `--hypothesis-profile explore` looks for new ones.
settings.register_profile("emlia3d", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("emlia3d")

LEFT_OUT = ("long", "slow")
"""Marks of tests that a run without ``-m`` leaves out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        help="rewrite goldens and the lists of untested rules instead of comparing with them",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Proving())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    # Collection makes only objects that stay; a search for garbage among them costs a tenth of it.
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("markexpr"):
        return
    plain, left_out = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        is_left_out = any(item.get_closest_marker(name) for name in LEFT_OUT)
        (left_out if is_left_out else plain).append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = plain


@pytest.fixture(scope="session")
def regenerate(request: pytest.FixtureRequest) -> bool:
    """Whether goldens are to be rewritten."""
    return bool(request.config.getoption("--regenerate"))

"""Watches the marked tests prove their entries of the catalogue."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from emlia3d.rules.catalogue import import_rule_modules
from tests.rules.proofs import Proofs

PROOFS = pytest.StashKey[Proofs]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    slugs = {slug for mark in item.iter_markers("rule") for slug in mark.args}
    if not slugs:
        return (yield)
    found = proofs_of(item.config)
    with found.of(slugs):
        result = yield
    found.passed.add(item.nodeid)
    return result


def proofs_of(config: pytest.Config) -> Proofs:
    if PROOFS not in config.stash:
        import_rule_modules()
        config.stash[PROOFS] = Proofs()
    return config.stash[PROOFS]


@pytest.fixture
def proofs(request: pytest.FixtureRequest) -> Proofs:
    """What the tests that ran so far have proven."""
    return proofs_of(request.config)

"""Marks for tests that need optional libraries."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(*libraries: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped if one of some libraries is not installed.

    Unlike `pytest.importorskip`, it does not import them, so that collection stays fast.
    """
    missing = [name for name in libraries if find_spec(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")

"""The one table of keys."""

from __future__ import annotations

from collections import Counter

from emlia3d.view.camera.steering import STEERING_KEYS
from emlia3d.view.window.keys import SECTIONS


def test_no_key_does_two_things() -> None:
    keys = [key for _, rows in SECTIONS for row in rows for key in row.acts]

    twice = [key for key, count in Counter([*keys, *STEERING_KEYS]).items() if count > 1]
    assert twice == []

"""Files into a battle ready to start, and every mistake in them at once.

A scenario file is TOML (`emlia3d.scenario.model` has its keys). It names unit-set entries, which
its rule system reads (`emlia3d.scenario.entries`), and perhaps a file with elevation; nothing that
it names lies outside its folder but the unit sets that ship. What is wrong is told all at once,
each mistake with its line (`emlia3d.scenario.ledger`).
"""

from emlia3d.scenario.checking import Review, check, review
from emlia3d.scenario.scenario import DEFAULT, Scenario, from_header, load, shipped

__all__ = ["DEFAULT", "Review", "Scenario", "check", "from_header", "load", "review", "shipped"]

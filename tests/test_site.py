"""The site of the pages in docs/: each page is in its index, once."""

from __future__ import annotations

import re
from pathlib import Path

from emlia3d.rules.catalogue import SYSTEMS

DOCS = Path(__file__).parents[1] / "docs"
LISTED = re.findall(
    r"```\{toctree\}\n(?::.*\n)*\n((?:.+\n)+)```", (DOCS / "index.md").read_text("utf-8")
)
PAGES = [page for group in LISTED for page in group.split()]


def test_every_page_is_listed_once() -> None:
    own = sorted(page for page in PAGES if not page.startswith("_generated/"))

    assert own == sorted(path.stem for path in DOCS.glob("*.md") if path.stem != "index")


def test_the_pages_that_the_site_makes_are_listed() -> None:
    text = (DOCS / "conf.py").read_text("utf-8")
    made = {page.removeprefix("_generated/") for page in PAGES if "_generated" in page}
    of_rules = {f"rules-{system}" for system in SYSTEMS if system != "dbmm"}

    assert made - of_rules == {"changelog", "cli", "contributing", "readme"}
    assert of_rules <= made
    assert all(f'"{name.removeprefix("rules-")}' in text for name in made)

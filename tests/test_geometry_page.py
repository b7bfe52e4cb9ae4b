"""The page on geometry is true: its examples print what they are said to print."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs/geometry.md").read_text("utf-8")


def test_its_examples_print_what_they_say() -> None:
    program = "\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))
    said = re.findall(r"^print\(.*\)  # ([^:\n]*)", program, re.MULTILINE)
    printed: list[str] = []

    def noted(*words: object) -> None:
        printed.append(" ".join(map(str, words)))

    exec(compile(program, "docs/geometry.md", "exec"), {"print": noted})

    assert len(said) == program.count("print(") > 4
    assert printed == said

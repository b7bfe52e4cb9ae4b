"""Sphinx configuration of the site: these pages, the commands' help, and the public API.

Build it with ``sphinx-build -W -b html docs build/site`` (extra `site`).
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import click
from sphinx.application import Sphinx

from emlia3d import __version__
from emlia3d.cli import COMMANDS
from emlia3d.rules.rule_entries import rule_entries

project = "emlia3d"
author = "the emlia3d authors"
release = __version__
html_title = "emlia3d"
html_theme = "furo"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
napoleon_google_docstring = False
autodoc_typehints = "description"
autodoc_member_order = "bysource"

HERE = Path(__file__).parent
MADE = HERE / "_generated"
"""The folder of pages made from the code and from files above this folder; not committed."""

PLAYED = ("emlia", "runolfsson", "oathmark", "epic")
"""The systems whose rules have a page."""

OUTSIDE = {"README.md": "readme", "CONTRIBUTING.md": "contributing", "CHANGELOG.md": "changelog"}
"""Files above this folder that are pages of the site, and their names there."""


def command_help() -> str:
    """Return a page with the help of every command, as the terminal shows it."""
    parts = ["# Help of every command\n"]
    for name in COMMANDS:
        function = "import_field" if name == "import" else name
        command = getattr(importlib.import_module(f"emlia3d.cli.commands.{function}"), function)
        context = click.Context(command, info_name=f"emlia3d {name}", terminal_width=80)
        context.show_default = True
        parts.append(f"## {name}\n\n```text\n{command.get_help(context)}\n```\n")
    return "\n".join(parts)


def rules_page(system: str) -> str:
    """Return a page with the title and summary of every rule of a system, by chapter."""
    entries = rule_entries(system)
    parts = [f"# Rules of {system.capitalize()}\n"]
    for chapter in dict.fromkeys(sorted((each.chapter for each in entries), key=_number)):
        parts.append(f"## {chapter}\n")
        for each in entries:
            if each.chapter == chapter:
                modifier = "" if each.modifier is None else f" ({each.modifier:+d})"
                parts.append(f"({each.slug})=\n**{each.title}**{modifier} `{each.slug}`\n")
                parts.append(f"{each.summary}\n")
    return "\n".join(parts)


def _number(chapter: str) -> int:
    return int(chapter.partition(" ")[0])


def make_pages() -> None:
    """Write the generated pages."""
    MADE.mkdir(exist_ok=True)
    (MADE / "cli.md").write_text(command_help(), encoding="utf-8")
    for system in PLAYED:
        (MADE / f"rules-{system}.md").write_text(rules_page(system), encoding="utf-8")
    for file, name in OUTSIDE.items():
        text = (HERE.parent / file).read_text(encoding="utf-8")
        text = text.replace("](docs/", "](../")
        for other, page in OUTSIDE.items():
            text = text.replace(f"]({other}", f"]({page}.md")
        text = re.sub(r"\[([^]]*)\]\((?:LICENSE|NOTICE)\)", r"\1", text)
        (MADE / f"{name}.md").write_text(text, encoding="utf-8")


def link_inside(app: Sphinx, page: str, source: list[str]) -> None:
    """Let links to files above this folder lead to their pages."""
    del app, page
    for file, name in OUTSIDE.items():
        source[0] = source[0].replace(f"](../{file}", f"](_generated/{name}.md")


def list_fields(
    app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]
) -> None:
    """Turn lines of the form ``name : meaning`` into a list, up to a section with an underline."""
    del app, what, name, thing, options
    made: list[str] = []
    in_list = False
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if re.fullmatch(r"-{3,}", after.strip()) and line.strip():
            made += lines[number:]
            break
        field = re.match(r"([a-z_]\w*(?:, [a-z_]\w*)*) : (.*)", line)
        if field:
            made += [] if in_list else [""]
            made.append(f"* **{field[1]}**: {field[2]}")
            in_list = True
        elif in_list and line.startswith("    "):
            made.append(f"  {line.strip()}")
        else:
            if in_list and line.strip():
                made.append("")
            in_list = in_list and not line.strip()
            made.append(line)
    lines[:] = made


def setup(app: Sphinx) -> None:
    """Connect the changes of this site."""
    make_pages()
    app.connect("source-read", link_inside)
    app.connect("autodoc-process-docstring", list_fields, priority=400)

"""Prose stays plain: phrases that the style guide forbids may only become rarer.

Reads Markdown without code, docstrings, comments, string literals of three words or more, the
summaries of rules, and the comments and texts of bundled scenarios and unit sets.
`pytest --regenerate` lowers the ceilings to today's counts.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CEILINGS = Path(__file__).with_name("plain_english.json")

RULES = {
    "the-same-docstring": r"\AThe same\b(?! scenario|\s+\w+ing)",
    "whom": r"\b(?!WHOM)(?i:whom|whomever|whoever)\b",
    "personal-he": r"\b(he|him|his|himself)\b",
    "men": r"(?<!\w-)\b(men|man)\b(?!-at-arms| at arms)",
    "nobody": r"\b(no|some|any|every)body\b",
    "those-who": r"\bthose (who|of|that|which|with|in|on)\b",
    "tell": r"\b(tells?|told|telling)\b(?! apart)",
    "want-require": r"\bwants? (a|an|one|two|three|rows|finite|numbers|places)\b|\bis wanted\b",
    "inverted-of": r"(?:\A|[.;:] )Of (the|what|all|each|a|those|both|two|several|it)\b",
    "free-relative": r"\A(What|Whether|How|Where|Who|Whom|Whose|Which|Those|All that|Everything)\b",
    "archaic": r"\b(anew|aslant|anyhow|abreast|thereby|thereof|once more|hardly|in vain)\b",
    "worked-out": r"\bwork(s|ed|ing)? out\b",
    "superlative": r"\bthe (least|most|greatest) (that|of|any|a|an|it)\b|\bat the least\b",
    "is-to-be": r"\b(is|are|was|were) to be\b",
    "so-many": r"\bso (many|much|often)\b(?! (as|that|faster|more))",
    "heart": r"\b(in|of|into|takes?|loses?|lost|put|puts) heart\b|\bheart (into|it)\b",
    "mistake": r"\b(mistakes?|flaws?)\b",
}
AS_WRITTEN = {"inverted-of", "whom"}
COMPILED = {
    name: re.compile(rule, 0 if name in AS_WRITTEN else re.IGNORECASE)
    for name, rule in RULES.items()
}


def markdown(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, paragraph) of a Markdown file without code."""
    text = path.read_text("utf-8")
    for fence in re.findall(r"```.*?```", text, re.S):
        text = text.replace(fence, "\n" * fence.count("\n"))
    text = re.sub(r"`[^`\n]*`", "CODE", text)
    line = 1
    for block in re.split(r"(\n\s*\n)", text):
        if block.strip():
            yield line, block
        line += block.count("\n")


def python(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of every docstring, comment and prose literal of a module."""
    source = path.read_text("utf-8")
    tree = ast.parse(source)
    docs = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for child in body if isinstance(body, list) else ():
            value = child.value if isinstance(child, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                docs.add(id(value))
                yield child.lineno, value.value
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            words = node.value.split()
            if len(words) > 2 and id(node) not in docs:
                yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string[1:].strip()


def kernels(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the comments and docstrings of a kernel source."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if found := re.search(r"(?:^|\s)#\s(.*)|/\*(.*)|\"\"\"(.*)", line):
            yield number, next(part for part in found.groups() if part is not None)


def rule_summaries(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the title and the summary of every rule of a catalogue."""
    text = path.read_text("utf-8")
    for block in re.finditer(r"^(\S+): (.*)\n((?: .*\n|\n)*)", text, re.MULTILINE):
        line = text.count("\n", 0, block.start()) + 1
        yield line, block[2]
        yield line + 1, " ".join(block[3].split())


def scenario_text(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of the comments and the texts of three words or more of a TOML file."""
    text = path.read_text("utf-8")
    for block in re.finditer(r"(?:^[ ]*#.*\n)+", text, re.MULTILINE):
        comment = re.sub(r"^[ ]*#", "", block[0], flags=re.MULTILINE)
        yield text.count("\n", 0, block.start()) + 1, comment
    for value in re.finditer(r'"([^"\n]+)"|(?<=\S)[ ]+# (.*)', text):
        words = value[1] or value[2]
        if len(words.split()) > 2:
            yield text.count("\n", 0, value.start()) + 1, words


def prose() -> Iterator[tuple[str, int, str]]:
    for path in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]):
        yield from ((str(path.relative_to(ROOT)), *each) for each in markdown(path))
    for path in sorted((ROOT / "emlia3d").rglob("*.py")):
        yield from ((str(path.relative_to(ROOT)), *each) for each in python(path))
    for path in sorted((ROOT / "emlia3d/rules/slugs").glob("*.txt")):
        yield from ((str(path.relative_to(ROOT)), *each) for each in rule_summaries(path))
    for path in sorted([*ROOT.glob("maps/*.toml"), *ROOT.glob("emlia3d/armies/*.toml")]):
        yield from ((str(path.relative_to(ROOT)), *each) for each in scenario_text(path))
    for path in sorted((ROOT / "ext").rglob("*")):
        if path.suffix in {".pyx", ".pxd", ".h"}:
            yield from ((str(path.relative_to(ROOT)), *each) for each in kernels(path))


def hits() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in RULES}
    for file, line, text in prose():
        for name, rule in COMPILED.items():
            for match in rule.finditer(text):
                at = line + text.count("\n", 0, match.start())
                words = text[max(0, match.start() - 50) : match.end() + 50].replace("\n", " ")
                found[name].append(f"{file}:{at}: {words}")
    return found


@pytest.fixture(scope="module")
def found() -> dict[str, list[str]]:
    return hits()


@pytest.fixture(scope="module")
def ceilings(found: dict[str, list[str]], regenerate: bool) -> dict[str, int]:
    known = dict[str, int](json.loads(CEILINGS.read_text("utf-8")))
    if regenerate:
        known = {name: min(len(found[name]), known[name]) for name in known}
        CEILINGS.write_text(json.dumps(known, indent=2) + "\n", encoding="utf-8")
    return known


@pytest.mark.parametrize("rule", RULES)
def test_a_forbidden_phrase_becomes_no_more_common(
    rule: str, found: dict[str, list[str]], ceilings: dict[str, int]
) -> None:
    count, ceiling = len(found[rule]), ceilings[rule]

    assert count <= ceiling, "\n".join([f"{rule}: {count}, ceiling {ceiling}", *found[rule][-10:]])

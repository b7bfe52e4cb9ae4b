"""Mutants of the rules of a system: every small change of meaning that `mutation` may try.

A site is one expression or statement and one operator that changes it. Sites are found in the
syntax tree, so that text, annotations, assertions and error messages are never changed.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
RULES = ROOT / "emlia3d" / "rules" / "emlia"
LEFT_OUT = (
    "commander",
    "commander.py",
    "doctrine",
    "report",
    "words",
    "words.py",
    "questions.py",
    "trials.py",
)
"""The commander and what only puts things into words."""

TEXT_KEYWORDS = {"strict", "label", "words", "name", "gesture", "frozen", "slots", "kw_only"}
"""Keyword arguments that change text or representation, and no rule."""

Change = Callable[[ast.AST], ast.AST]

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
SWAPPED_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One change of one place.

    file : below the root of the project
    node : number of the changed node, in the order of `ast.walk`
    operator : number of the change among those that fit the node
    line, end : lines of the statement that holds it, counted from 1
    where : qualified name of the function or class around it; "" at module level
    before, after : the changed code, as text
    ordinal : number of the change among equal ones in the same function, counted from 1
    """

    file: str
    node: int
    operator: int
    line: int
    end: int
    where: str
    before: str
    after: str
    ordinal: int

    @property
    def key(self) -> str:
        """The mutant without its line, by which it is found again after other changes."""
        change = f"{self.file} {self.where or 'module'}: {self.before} -> {self.after}"
        return f"{change} #{self.ordinal}" if self.ordinal > 1 else change

    def source(self) -> str:
        """The text of the module with the change."""
        tree = ast.parse(text_of(self.file))
        for number, (node, parent, _) in enumerate(_walked(tree)):
            if number == self.node:
                _replace(parent, node, _changes(node)[self.operator](node))
                return ast.unparse(ast.fix_missing_locations(tree))
        raise LookupError(f"{self.file} has no node {self.node}")


@functools.cache
def text_of(file: str) -> str:
    """Return the source of a file, which stays the same for the whole run if somebody edits it."""
    return (ROOT / file).read_text("utf-8")


def module_name(file: str) -> str:
    """Return the name under which a file's module is imported."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def all_mutants(root: Path = RULES) -> list[Mutant]:
    """Every mutant of the rules, in the order of files and lines."""
    files = [path for path in sorted(root.rglob("*.py")) if not _is_left_out(path, root)]
    return [mutant for path in files for mutant in mutants_of(path)]


def mutants_of(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of one module."""
    file = path.relative_to(ROOT).as_posix()
    tree = ast.parse(text_of(file))
    times, idle = Counter[tuple[str, str, str]](), idle_nodes(tree)
    for number, (node, parent, context) in enumerate(_walked(tree)):
        if context.is_text or node in idle:
            continue
        for operator, change in enumerate(_changes(node)):
            before = _shown(parent, node)
            mutated = change(_copied(node))
            after = _shown(parent, node, mutated)
            if before == after:
                continue
            times[context.where, before, after] += 1
            yield Mutant(
                file=file,
                node=number,
                operator=operator,
                line=context.statement.lineno,
                end=_last_line(context.statement),
                where=context.where,
                before=before,
                after=after,
                ordinal=times[context.where, before, after],
            )


def idle_nodes(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes of which no change alters any answer, whatever stands around them.

    Shapely prepares a shape only to be quicker later. NumPy takes any negative length for the one
    that it works out. Derived data that a fork does not take over is computed again.
    """
    found = set[ast.AST]()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id="shapely"), attr="prepare"))
            ):
                found |= {*ast.walk(node)}
            case ast.keyword(arg="forks", value=ast.Constant(value=True) as kept):
                found.add(kept)
            case ast.Call(func=ast.Attribute(attr="reshape"), args=lengths):
                found |= {
                    each.operand
                    for each in lengths
                    if isinstance(each, ast.UnaryOp) and isinstance(each.op, ast.USub)
                }
    return found


@dataclass(frozen=True, slots=True)
class _Context:
    """What surrounds a node.

    statement : the innermost statement around it
    is_text : whether a change there would alter no rule
    """

    statement: ast.stmt
    where: str = ""
    is_text: bool = False


def _is_left_out(path: Path, root: Path) -> bool:
    return any(part in LEFT_OUT for part in path.relative_to(root).parts)


def _walked(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST, _Context]]:
    """Yield every node below a module with its parent and context, depth first."""
    for statement in tree.body:
        yield from _below(statement, tree, _Context(statement))


def _below(
    node: ast.AST, parent: ast.AST, around: _Context
) -> Iterator[tuple[ast.AST, ast.AST, _Context]]:
    statement = node if isinstance(node, ast.stmt) else around.statement
    where = around.where
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        where = f"{where}.{node.name}".lstrip(".")
    context = _Context(statement, where, around.is_text or _is_text(node))
    yield node, parent, context
    for name, value in ast.iter_fields(node):
        text = name in {"annotation", "returns", "decorator_list", "bases"}
        inner = _Context(statement, where, context.is_text or text)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _below(child, node, inner)


def _is_text(node: ast.AST) -> bool:
    match node:
        case ast.Raise() | ast.Assert() | ast.JoinedStr() | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.keyword(arg=name):
            return name in TEXT_KEYWORDS
        case ast.FunctionDef(name=name):
            return name in {"__repr__", "__str__"}
        case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
            return True
        case _:
            return False


def _changes(node: ast.AST) -> list[Change]:
    """Every change that fits a node; each works on the node that it is given."""
    return [*_changes_of_expression(node), *_changes_of_statement(node)]


def _changes_of_expression(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.Compare(ops=[single]):
            yield from (_with_operator(other) for other in COMPARISONS[type(single)])
        case ast.BinOp(op=op) if type(op) in ARITHMETIC and not _is_text_sum(node):
            yield _with_binary(ARITHMETIC[type(op)])
        case ast.BoolOp():
            yield _with_other_connective
            yield from (_without(index) for index in range(len(node.values)))
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield lambda _: operand
        case ast.Constant(value=bool() | int() | float() as value):
            yield lambda _: ast.Constant(_other_value(value))
        case ast.IfExp():
            yield _negated
        case ast.Call(func=ast.Name(id=name)) if name in SWAPPED_CALLS:
            yield lambda found: _called(found, SWAPPED_CALLS[name])


def _changes_of_statement(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.If() | ast.While():
            yield _negated
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign():
            yield lambda _: ast.Pass()
        case ast.Continue():
            yield lambda _: ast.Break()
        case ast.Break():
            yield lambda _: ast.Continue()


def _other_value(value: bool | int | float) -> bool | int | float:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value * 2 if value else 1.0


def _with_operator(other: type[ast.cmpop]) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.Compare)
        return ast.Compare(left=node.left, ops=[other()], comparators=node.comparators)

    return change


def _with_binary(other: type[ast.operator]) -> Change:
    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.BinOp)
        return ast.BinOp(left=node.left, op=other(), right=node.right)

    return change


def _with_other_connective(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.BoolOp)
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    return ast.BoolOp(op=other, values=node.values)


def _without(index: int) -> Change:
    """Drop one of the parts of a condition."""

    def change(node: ast.AST) -> ast.AST:
        assert isinstance(node, ast.BoolOp)
        rest = [value for number, value in enumerate(node.values) if number != index]
        return rest[0] if len(rest) == 1 else ast.BoolOp(op=node.op, values=rest)

    return change


def _negated(node: ast.AST) -> ast.AST:
    assert isinstance(node, ast.If | ast.IfExp | ast.While)
    changed = _copied(node)
    changed.test = ast.UnaryOp(op=ast.Not(), operand=node.test)  # type: ignore[attr-defined]
    return changed


def _called(node: ast.AST, name: str) -> ast.AST:
    assert isinstance(node, ast.Call)
    return ast.Call(func=ast.Name(id=name, ctx=ast.Load()), args=node.args, keywords=node.keywords)


def _is_text_sum(node: ast.BinOp) -> bool:
    """Whether strings are added, or types joined."""
    return any(
        isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and part.value is None)
        or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        for part in (node.left, node.right)
    )  # fmt: skip


def _copied(node: ast.AST) -> ast.AST:
    """A node of its own with the same children."""
    return type(node)(**{name: getattr(node, name) for name in node._fields})


def _replace(parent: ast.AST, old: ast.AST, new: ast.AST) -> None:
    for name, value in ast.iter_fields(parent):
        if value is old:
            setattr(parent, name, new)
        elif isinstance(value, list):
            value[:] = [new if each is old else each for each in value]


def _shown(parent: ast.AST, node: ast.AST, instead: ast.AST | None = None) -> str:
    """The code of a node in one line; a lone constant with the expression around it."""
    shown = instead or node
    if isinstance(node, ast.If | ast.While):
        shown = shown.test  # type: ignore[attr-defined]
    elif isinstance(node, ast.Constant) and isinstance(parent, ast.expr | ast.keyword):
        shown = _copied(parent)
        for name, value in ast.iter_fields(parent):
            if isinstance(value, list):
                setattr(shown, name, list(value))
        if instead is not None:
            _replace(shown, node, instead)
    return " ".join(ast.unparse(ast.fix_missing_locations(shown)).split())


def _last_line(statement: ast.stmt) -> int:
    """The last line of a simple statement, or of the head of a compound one."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body:
        return max(statement.lineno, body[0].lineno - 1)
    return statement.end_lineno or statement.lineno

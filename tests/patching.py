"""Put one mutant into modules: into a loaded function, or into a module that is loaded later."""

from __future__ import annotations

import ast
import functools
import sys
import types
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from typing import Any

from tests.mutants import ROOT, Mutant, module_name, text_of


def function_path(mutant: Mutant) -> tuple[str, ...]:
    """Return the names that lead to the outermost function around a mutant.

    Returns
    -------
    tuple[str, ...]
        Names of classes, then of the function; empty where the function cannot be changed while
        its module is loaded, as the mutant is in no function, in the head of one (decorators,
        default arguments), or in one of several of the same name.
    """
    inside: ast.Module | ast.ClassDef = ast.parse(text_of(mutant.file))
    path: list[str] = []
    for name in filter(None, mutant.where.split(".")):
        named = [
            node
            for node in ast.walk(inside)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name
        ]
        if len(named) != 1 or named[0] not in inside.body:
            break
        path.append(name)
        if isinstance(named[0], ast.FunctionDef):
            return tuple(path) if mutant.line >= named[0].body[0].lineno else ()
        inside = named[0]
    return ()


def patch(mutant: Mutant) -> bool:
    """Change the code of a loaded function; whether that was possible.

    A module that is not loaded yet will be loaded with the change.
    """
    path = function_path(mutant)
    module = sys.modules.get(module_name(mutant.file))
    if module is None:
        load_changed(mutant)
        return True
    code = _code_of(compile(mutant.source(), str(ROOT / mutant.file), "exec", 0, True), path)
    function = _function_of(module, path) if path else None
    if code is None or function is None or function.__code__.co_freevars != code.co_freevars:
        return False
    function.__code__ = code
    return True


def load_changed(mutant: Mutant) -> None:
    """Have the mutant's module loaded with the change; the process must not have loaded it yet."""
    sys.meta_path.insert(0, _Mutated(mutant))


class _Mutated(SourceFileLoader, MetaPathFinder):
    """Loads one module from changed source, all others as ever."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(module_name(mutant.file), str(ROOT / mutant.file))
        self.source = mutant.source()

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> types.CodeType:
        return compile(self.source, self.path, "exec", dont_inherit=True)


def _code_of(code: types.CodeType, path: tuple[str, ...]) -> types.CodeType | None:
    """The code object of a function in that of its module."""
    for name in path:
        inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
        found = next((each for each in inner if each.co_name == name), None)
        if found is None:
            return None
        code = found
    return code


def _function_of(module: types.ModuleType, path: tuple[str, ...]) -> types.FunctionType | None:
    """The function itself, without what decorators have put around it."""
    found: Any = module
    for name in path:
        found = vars(found).get(name)
    while found is not None:
        match found:
            case property():
                found = found.fget
            case functools.cached_property():
                found = found.func
            case _ if hasattr(found, "__wrapped__"):
                found = found.__wrapped__
            case types.FunctionType():
                return found
            case _:
                return None
    return None

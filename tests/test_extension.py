"""The extension is what is loaded, and who imports what."""

import ast
import importlib.machinery
import subprocess
import sys
from pathlib import Path

import beggar
from beggar import _core, reference
from beggar.game import Game

PACKAGE = Path(beggar.__file__).parent


def test_the_core_is_compiled() -> None:
    assert _core.__file__.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES))


def test_each_engine_plays_its_own_table() -> None:
    assert type(Game("--K/QJ-")._table) is _core.Table
    assert type(Game("--K/QJ-", engine="reference")._table) is reference.Table


def imports_of(module: str) -> set[str]:
    tree = ast.parse((PACKAGE / f"{module}.py").read_text(encoding="utf-8"))
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {node.module} | names
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_the_reference_and_all_it_imports_are_plain_python() -> None:
    seen: set[str] = set()
    todo = ["reference"]
    while todo:
        module = todo.pop()
        seen.add(module)
        for name in imports_of(module):
            root, _, rest = name.partition(".")
            assert root != "numpy", f"{module} imports NumPy"
            assert name != "beggar._core", f"{module} imports the core"
            inner = rest.partition(".")[0]
            if root == "beggar" and inner not in seen and (PACKAGE / f"{inner}.py").exists():
                todo.append(inner)
    assert seen >= {"reference", "rules", "position", "events", "outcome", "cards"}
    assert "game" not in seen


def test_importing_the_package_loads_no_more_than_it_needs() -> None:
    code = "import beggar, sys; print([m for m in ('numpy', 'typer', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

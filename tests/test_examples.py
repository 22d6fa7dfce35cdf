"""Every example in a docstring and in the documents runs, and prints what it says."""

import doctest
import importlib
import pkgutil
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import beggar

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(beggar.__path__, "beggar.")
    if module.name != "beggar._core"
)
ROOT = Path(__file__).parent.parent
PAGES = sorted(path for path in (ROOT / "README.md", *ROOT.glob("docs/*.md")) if path.exists())


@pytest.mark.parametrize("name", ["beggar", *MODULES])
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0


def blocks(page: Path, language: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_of_the_page(page: Path) -> None:
    parser = doctest.DocTestParser()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    shown = blocks(page, "python")
    assert all(">>> " in block for block in shown), "a Python block shows no session"
    # One session a page: later blocks know the names of earlier ones.
    runner.run(parser.get_doctest("\n".join(shown), {}, page.name, page.name, 0))
    assert runner.summarize(verbose=False).failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_of_the_page(page: Path, command: str, tmp_path: Path) -> None:
    for block in blocks(page, "console"):
        for session in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
            if not session.strip():
                continue
            typed, _, shown = session.partition("\n")
            words = shlex.split(typed.removeprefix("$ "))
            assert words[0] == "beggar", typed
            done = subprocess.run(
                [command, *words[1:]],
                capture_output=True,
                text=True,
                encoding="utf-8",
                stdin=subprocess.DEVNULL,
                cwd=tmp_path,
                check=False,
            )
            # "..." stands for what is of the moment, such as how long it took.
            same = doctest.OutputChecker().check_output(
                shown.strip("\n") + "\n",
                done.stdout.strip("\n") + "\n",
                doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE,
            )
            assert same, f"{typed}\n{done.stdout}{done.stderr}"

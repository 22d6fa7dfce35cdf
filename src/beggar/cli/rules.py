"""``beggar rules``: the presets, and every field with its values."""

import json
from typing import Annotated

import typer

from beggar.cli.options import Set, rules_of
from beggar.rules import FIELDS, PRESETS, Rules

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar rules

beggar rules camicia

beggar rules classic --set lead=loser --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("rules", epilog=_EXAMPLES)(rules)


def rules(
    preset: Annotated[
        str | None, typer.Argument(help="Show the fields of this preset.", show_default=False)
    ] = None,
    settings: Set = None,
    as_line: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the presets and the fields of the rules, or show the fields of one preset."""
    if preset is None and not settings:
        if as_line:
            print(json.dumps({name: rules.as_json() for name, rules in PRESETS.items()}))
        else:
            _print_all()
        return
    shown = rules_of(preset or "classic", settings)
    if as_line:
        print(json.dumps(shown.as_json()))
        return
    changed = dict(setting.split("=", 1) for setting in shown.as_settings())
    width = max(len(field.name) for field in FIELDS)
    for field in FIELDS:
        value = changed.get(field.name) or _default(field.name)
        mark = "*" if field.name in changed else " "
        print(f"{mark} {field.name:{width}}  {value}")
    print("* differs from classic" if changed else "the defaults")


def _default(name: str) -> str:
    value = getattr(Rules(), name)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _print_all() -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    by_rules: dict[Rules, list[str]] = {}
    for name, rules in PRESETS.items():
        by_rules.setdefault(rules, []).append(name)
    presets = Table("preset", "differs from classic by", box=None, pad_edge=False)
    for rules, names in by_rules.items():
        presets.add_row(", ".join(names), ", ".join(rules.as_settings()) or "-")
    fields = Table("field", "default", "values", "meaning", box=None, pad_edge=False)
    for field in FIELDS:
        fields.add_row(field.name, _default(field.name), field.values, field.meaning)
    if not console.is_terminal:
        # Nothing is cut in a file or a pipe.
        console.width = 200
    console.print(presets)
    console.print()
    console.print(fields)

"""``beggar records``: replay the published long games."""

import json
from typing import Annotated, Any

import typer

from beggar.cli.options import Engine
from beggar.cycles import cycle_of
from beggar.deals import Deal
from beggar.game import play
from beggar.outcome import Outcome
from beggar.records import RECORDS, Record

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar records

beggar records --engine reference --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("records", epilog=_EXAMPLES)(records)


def records(
    engine: Engine = "core",
    as_lines: Annotated[
        bool, typer.Option("--json", help="Print one JSON object a line instead of a table.")
    ] = False,
) -> int:
    """Replay the published long games, and print what was published against what is found."""
    rows = []
    for record in RECORDS:
        outcome = play(record.deal, engine=engine)
        found = _found(record, outcome)
        rows.append((record, found))
    wrong = [record for record, found in rows if found != record]
    if as_lines:
        for record, found in rows:
            print(
                json.dumps(
                    {
                        **_json(record),
                        "found": {k: v for k, v in _json(found).items() if k in _COUNTED},
                        "agrees": found == record,
                    }
                )
            )
    else:
        _print_table(rows)
        print(f"{len(rows) - len(wrong)} of {len(rows)} published games come out as published.")
    return 1 if wrong else 0


_COUNTED = ("termination", "cards", "tricks", "transient", "period", "basin")


def _found(record: Record, outcome: Outcome) -> Record:
    cycle = outcome.cycle
    return record._replace(
        termination=outcome.termination.value,
        cards=outcome.cards,
        tricks=outcome.tricks,
        transient=cycle and (cycle.transient.cards, cycle.transient.tricks),
        period=cycle and (cycle.period.cards, cycle.period.tricks),
        basin=cycle and _basin(record.deal),
    )


def _basin(deal: str) -> tuple[int, int]:
    basin = cycle_of(deal).basin()
    return basin.size, len(basin.deals(Deal.parse(deal).sizes))


def _json(record: Record) -> dict[str, Any]:
    return record._asdict()


def _print_table(rows: list[tuple[Record, Record]]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(box=None, pad_edge=False)
    for title in ("found by", "year", "end", "published", "found", ""):
        left = title in ("found by", "end", "")
        table.add_column(title, justify="left" if left else "right", overflow="fold")
    table.add_column("deal", overflow="fold")
    for record, found in rows:
        agrees = record == found
        table.add_row(
            record.found_by,
            str(record.year),
            found.termination,
            f"{record.cards:,} / {record.tricks:,}",
            f"{found.cards:,} / {found.tricks:,}",
            "[green]ok[/green]" if agrees else "[red]differs[/red]",
            record.deal,
        )
    if not console.is_terminal:
        # Nothing is folded or cut in a file or a pipe.
        console.width = 200
    console.print(table)
    for record, found in rows:
        if found.transient and found.period:
            print(
                f"never ends ({record.found_by}, {record.year}): {found.transient[0]} cards and "
                f"{found.transient[1]} tricks, then for ever {found.period[0]} and "
                f"{found.period[1]}"
                + (
                    f"; {found.basin[0]:,} states and {found.basin[1]} deals lead there."
                    if found.basin
                    else "."
                )
            )

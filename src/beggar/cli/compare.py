"""``beggar compare``: where one deal parts under two sets of rules, and why."""

import json
from typing import Annotated

import typer

from beggar.cli.counted import cards, tricks
from beggar.cli.options import Against, AgainstSet, Preset, Seed, Set, rules_of, seed_of
from beggar.crosscheck import Parting, differing
from beggar.errors import RulesError
from beggar.events import as_json
from beggar.game import play
from beggar.outcome import Outcome
from beggar.position import Position
from beggar.rules import FIELDS, Rules
from beggar.table.narration import Teller, joined
from beggar.table.words import Words

__all__ = ["register"]

_EXAMPLES = """\
[bold]Examples[/bold]

beggar compare --J/---J --rules knockout

beggar compare K--/-Q-/J-- --set players=3 --against classic --against-set unpaid_tribute=collects

beggar compare --J-/K-J- --rules knockout --against old-style --json
"""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare", epilog=_EXAMPLES)(compare)


def compare(
    deal: Annotated[str, typer.Argument(metavar="DEAL", help="The deal, or a position.")],
    preset: Preset = "classic",
    settings: Set = None,
    against: Against = None,
    against_settings: AgainstSet = None,
    seed_text: Seed = None,
    as_line: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Play one deal under two sets of rules; show the first card at which they part, and why.

    Without --against, the rules of --rules and --set are compared with the classic ones.
    """
    given = rules_of(preset, settings)
    seed = seed_of(seed_text)
    if against is None and not against_settings:
        names, both = ("classic", "given"), (Rules(), given)
    else:
        names, both = ("first", "second"), (given, rules_of(against or "classic", against_settings))
    one, two = both
    if one == two:
        raise RulesError("both sets of rules are the same: expected --rules, --set or --against")
    start = Position.parse(deal)
    ends = [play(start, rules, seed=seed) for rules in both]
    parted = differing(start, one, two, seed or 0)
    if as_line:
        print(json.dumps(_json(start, both, ends, parted)))
        return 0
    width = max(map(len, names))
    for name, rules, end in zip(names, both, ends, strict=True):
        settings_ = ", ".join(rules.as_settings()) or "the defaults"
        print(f"{name:>{width}}  {_end(end)}  ({settings_})")
    if parted is None:
        print("Both games are the same, card for card.")
        return 0
    before, events, others, because = parted
    print(f"They part at card {before.cards + 1:,}, in trick {before.tricks + 1:,}, from {before}")
    words = Words("en")
    for name, rules, told in zip(names, both, (events, others), strict=True):
        line = joined(Teller(before, rules).tell(told), words)
        print(f"{name:>{width}}  {line or 'the game was over before'}")
    for field in FIELDS:
        if field.name in because:
            values = " or ".join(_shown(getattr(rules, field.name)) for rules in both)
            print(f"because of {field.name}, {values}: {field.meaning}.")
    return 0


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


def _end(outcome: Outcome) -> str:
    wins = "nobody wins" if outcome.winner is None else f"seat {outcome.winner} wins"
    return f"{outcome.termination}: {wins}, {cards(outcome.cards)}, {tricks(outcome.tricks)}"


def _json(
    start: Position,
    both: tuple[Rules, Rules],
    ends: list[Outcome],
    parted: Parting | None,
) -> dict[str, object]:
    from beggar.cli.check import as_json as outcome_json

    first, second = (outcome_json(start, rules, end) for rules, end in zip(both, ends, strict=True))
    parting = None
    if parted is not None:
        before, events, others, because = parted
        parting = {
            "card": before.cards + 1,
            "position": str(before),
            "first": [as_json(event) for event in events],
            "second": [as_json(event) for event in others],
            "because": because,
        }
    return {"first": first, "second": second, "parted": parting}

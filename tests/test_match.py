"""Matches: who deals, cuts and leads, what counts, and that a record replays."""

import json
import re
import subprocess
from itertools import pairwise

import pytest

from beggar import BeggarError, Deal, Rules, play
from beggar.cards import RANKS, deck
from beggar.outcome import Termination
from beggar.table.match import Draw, Match

NAMES = ["Ana", "Boris", "Carla", "Dario", "Elena", "Felix"]


@pytest.mark.parametrize("players", range(2, 7))
def test_dealer_cutter_and_leader(players: int) -> None:
    match = Match(NAMES[:players], first_to=3, seed=players)
    rounds = list(match)
    assert rounds[0].dealer == match.first_dealer
    for before, after in pairwise(rounds):
        assert after.dealer == (before.dealer + 1) % players
    for played in rounds:
        assert played.cutter == (played.dealer - 1) % players
        assert played.leader == (played.dealer + 1) % players == played.deal.leader
        # Cut, then dealt one at a time from the dealer's left; the last card dealt is the top.
        assert 1 <= played.cut < 52
        cards = played.shuffled[played.cut :] + played.shuffled[: played.cut]
        assert sorted(cards, key=lambda card: card.label) == sorted(
            deck(), key=lambda card: card.label
        )
        assert played.deal.hands[played.leader][-1] is cards[0]
        assert played.deal.hands[(played.leader + 1) % players][-1] is cards[1]
        last_dealt_to = (played.leader + 51) % players
        assert played.deal.hands[last_dealt_to][0] is cards[51]


@pytest.mark.parametrize("players", range(2, 7))
def test_the_high_card_deals_first_and_ties_draw_again(players: int) -> None:
    tied = 0
    for seed in range(60):
        match = Match(NAMES[:players], seed=seed)
        drawing: tuple[int, ...] = tuple(range(players))
        for draw in match.draws:
            assert tuple(draw.cards) == drawing
            assert len(set(draw.cards.values())) == len(draw.cards)
            ranks = {seat: RANKS.index(card.rank) for seat, card in draw.cards.items()}
            best = max(ranks.values())
            assert draw.highest == tuple(seat for seat in drawing if ranks[seat] == best)
            drawing = draw.highest
            tied += len(drawing) > 1
        assert drawing == (match.first_dealer,)
    assert tied


def test_aces_are_high_and_jokers_are_not_drawn() -> None:
    draws: list[Draw] = []
    for seed in range(100):
        draws += Match(NAMES, Rules(jokers=2), seed=seed).draws
    winners = [draw.cards[seat].rank for draw in draws for seat in draw.highest]
    assert winners.count("A") > winners.count("K") > winners.count("9")
    assert not any(card.is_joker for draw in draws for card in draw.cards.values())


def test_a_seed_is_the_same_match_everywhere() -> None:
    # The bits are those of SFC64, which NumPy does not change.
    match = Match(NAMES[:2], best_of=3, seed=1)
    assert [str(card) for card in match.draws[0].cards.values()] == ["8s", "6h"]
    assert [
        (played.cut, played.outcome.cards, played.outcome.tricks, played.score) for played in match
    ] == [(36, 218, 25, (1, 0)), (17, 237, 34, (2, 0))]


@pytest.mark.parametrize(("best_of", "needed"), [(1, 1), (3, 2), (5, 3), (9, 5)])
def test_best_of(best_of: int, needed: int) -> None:
    match = Match(NAMES[:2], best_of=best_of, seed=9)
    winner = match.play()
    assert winner is not None
    assert match.needed == match.score[winner] == needed
    assert len(match.rounds) <= best_of
    assert match.rounds[-1].outcome.winner == winner


def test_drawn_rounds_count_for_nobody_and_the_deal_passes() -> None:
    # Most cards after two tricks: often equal.
    rules = Rules(limit_tricks=2, deck="camicia-20", tributes={"A": 1, "2": 2, "3": 3})
    drawn = 0
    for seed in range(40):
        match = Match(NAMES[:2], rules, first_to=2, seed=seed)
        assert match.play() is not None
        for before, played in zip([None, *match.rounds], match.rounds, strict=False):
            score = (0, 0) if before is None else before.score
            assert sum(played.score) == sum(score) + (played.outcome.winner is not None)
            assert before is None or played.dealer == 1 - before.dealer
            drawn += played.outcome.winner is None
    assert drawn > 5


def test_a_match_of_loops_alone_ends() -> None:
    # Nobody can win a round: the budget is spent before.
    rules = Rules(budget_tricks=1)
    match = Match(NAMES[:2], rules, first_to=1, seed=2)
    for _ in range(30):
        played = match.play_round()
        assert played.outcome.termination is Termination.UNDECIDED
    assert match.score == (0, 0)
    assert match.winner is None


def test_eliminations_of_three() -> None:
    match = Match(NAMES[:3], Rules(unpaid_tribute="passes_on"), first_to=3, seed=4)
    match.play()
    for played in match.rounds:
        assert len(played.outcome.out) == 2
        assert played.outcome.winner not in played.outcome.out


@pytest.mark.parametrize(
    "rules",
    [Rules(), Rules.preset("camicia"), Rules.preset("shuffled"), Rules(jokers=2, joker="beggar")],
)
def test_every_round_of_a_record_replays(rules: Rules) -> None:
    match = Match(NAMES[:4], rules, first_to=2, seed=11)
    match.play()
    record = json.loads(json.dumps(match.as_json()))
    for told in record["rounds"]:
        outcome = play(Deal.parse(told["deal"]), rules, seed=told["seed"])
        assert (outcome.winner, outcome.cards) == (told["winner"], told["cards"])
        assert outcome.tricks == told["tricks"]
    assert Match.from_json(record).winner == match.winner
    record["rounds"][0]["cards"] += 1
    with pytest.raises(BeggarError, match="round 1 of the record does not replay"):
        Match.from_json(record)


@pytest.mark.parametrize("record", [None, [], {}, {"names": 3}, {"names": ["a", "b"], "rules": 1}])
def test_what_is_no_record(record: object) -> None:
    with pytest.raises(BeggarError, match="record of a match"):
        Match.from_json(record)


@pytest.mark.parametrize(
    ("names", "fields", "said"),
    [
        (["Ana"], {}, "1 player cannot play: expected 2 to 6"),
        ([*NAMES, "Gina"], {}, "7 players cannot play"),
        (["Ana", "Boris", " ana "], {}, "'ana' stands twice"),
        (["Ana", ""], {}, "player 2 has an empty name"),
        (["Ana", "B\n"], {}, None),
        (["Ana", "B\x00x"], {}, "cannot be printed"),
        (NAMES[:2], {"best_of": 4}, "best of '4': expected an odd number"),
        (NAMES[:2], {"best_of": 0}, "best of '0'"),
        (NAMES[:2], {"best_of": -1}, "best of '-1'"),
        (NAMES[:2], {"first_to": 0}, "first to '0': expected 1 or more"),
        (NAMES[:2], {"best_of": 3, "first_to": 2}, "expected one of them"),
        (NAMES[:2], {"seed": -1}, "seed: '-1' is not a value"),
        (NAMES[:2], {"rules": Rules(players=3)}, "2 names, but the rules are for 3 players"),
    ],
)
def test_what_is_refused(names: list[str], fields: dict[str, object], said: str | None) -> None:
    if said is None:
        assert Match(names, **fields).names[1] == "B"  # type: ignore[arg-type]
        return
    with pytest.raises(BeggarError, match=re.escape(said)):
        Match(names, **fields)  # type: ignore[arg-type]


def run(command: str, *words: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, "match", *words],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_the_command_tells_and_replays(command: str) -> None:
    told = run(command, "Ana", "Boris", "Carla", "--seed", "3", "--lang", "en")
    assert told.returncode == 0
    lines = told.stdout.splitlines()
    assert lines[0] == "seed 3"
    assert lines[1] == (
        "Ana draws the six of hearts; Boris draws the nine of clubs; "
        "Carla draws the seven of hearts: Boris deals first."
    )
    assert lines[2].startswith("Round 1: Boris deals, Ana cuts 17, Carla leads.")
    assert lines[-1] == "Carla wins the match with 2 rounds won."
    record = run(command, "Ana", "Boris", "Carla", "--seed", "3", "--json")
    assert json.loads(record.stdout)["score"] == [1, 1, 2]
    again = run(command, "--replay", "-", "--lang", "en", text=record.stdout)
    assert again.stdout == told.stdout
    spanish = run(command, "--replay", "-", "--lang", "es", text=record.stdout).stdout
    assert "Ronda 1: Boris reparte" in spanish


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("Ana", "Ana"), "'Ana' stands twice"),
        (("Ana", "Boris", "--best-of", "4"), "best of '4': expected an odd number"),
        (("Ana", "Boris", "--best-of", "x"), "--best-of: 'x' is not a count"),
        (("Ana", "Boris", "--lang", "fr"), "unknown language 'fr': expected en, es, de, it"),
        (("Ana",), "1 player cannot play"),
        (("Ana", "Boris", "--best-of", "3", "--first-to", "2"), "expected one of them"),
        (("Ana", "--replay", "x"), "--replay: expected no names"),
        (("--replay", "/nowhere/x"), "/nowhere/x"),
    ],
)
def test_the_command_refuses(command: str, words: tuple[str, ...], said: str) -> None:
    done = run(command, *words)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert said in done.stderr


@pytest.mark.parametrize("text", ["[" * 100_000, '{"seed": ' + "9" * 5000 + "}", "[1]", "3"])
def test_what_is_no_record_at_all(command: str, text: str) -> None:
    done = run(command, "--replay", "-", text=text)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_record_is_checked_round_by_round() -> None:
    match = Match(NAMES[:2], seed=1)
    match.play()
    record = match.as_json()
    wrong = {**record, "rounds": [0] * 2_000_000}
    with pytest.raises(BeggarError, match="round 1 of the record does not replay"):
        Match.from_json(wrong)
    more = {**record, "rounds": [*record["rounds"], record["rounds"][-1]]}
    with pytest.raises(BeggarError, match="comes after the match was won"):
        Match.from_json(more)


def test_names_of_all_sorts() -> None:
    family = "👨\u200d👩\u200d👧"
    assert Match([family, "Jose\u0301", "A\u00a0B"]).names == (family, "José", "A B")
    with pytest.raises(BeggarError, match="'José' stands twice"):
        Match(["José", "Jose\u0301"])


def test_an_undecided_round_is_told_as_one(command: str) -> None:
    done = run(command, "--seed", "1", "--set", "budget_tricks=8", "--lang", "de")
    assert "bleibt nach" in done.stdout
    assert "Stichen offen" in done.stdout


def test_a_match_has_no_clock() -> None:
    with pytest.raises(BeggarError, match="limit_seconds"):
        Match(NAMES[:2], Rules(limit_seconds=1))


def test_a_record_that_is_no_json(command: str) -> None:
    done = run(command, "--replay", "-", text="{\n")
    assert done.returncode == 2
    assert done.stderr.startswith("beggar: '-', line 2: ")

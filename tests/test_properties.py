"""What holds for all deals and all rules (Hypothesis)."""

import copy
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from beggar import Card, Deal, Game, Position, Rules, Termination
from beggar.crosscheck import Case, compare
from beggar.events import Over, Turned
from strategies import deals, rules

SEED = 11


def all_cards(position: Position) -> Counter[Card]:
    return Counter(card for hand in (*position.hands, position.pile) for card in hand)


@given(deals(), rules())
def test_the_engines_agree(deal: Deal, by: Rules) -> None:
    assert compare(Case(deal, by, SEED)) is None


@given(deals(), rules())
def test_no_card_is_lost_or_made(deal: Deal, by: Rules) -> None:
    game = Game(deal, by, seed=SEED)
    dealt = all_cards(game.position)
    turned = 0
    for event in game:
        assert all_cards(game.position) == dealt
        turned += isinstance(event, Turned)
    outcome = game.outcome
    assert outcome is not None
    assert outcome.cards == turned
    assert sum(outcome.hands) == dealt.total()
    if outcome.termination is Termination.WON:
        assert outcome.winner is not None
        assert outcome.hands[outcome.winner] == dealt.total()
        assert sorted((*outcome.out, outcome.winner)) == list(range(deal.players))


@given(deals(), rules())
def test_every_position_round_trips_and_can_be(deal: Deal, by: Rules) -> None:
    game = Game(deal, by, seed=SEED)
    for _ in game:
        position = game.position
        assert Position.parse(str(position)) == position
        position.check(by)


@given(deals(), rules(), st.integers(0, 200), st.sampled_from(("core", "reference")))
def test_resuming_gives_the_same_end(deal: Deal, by: Rules, number: int, engine: str) -> None:
    # What a loop is depends on where one began to watch; all else does not.
    by = by.replace(on_cycle="draw", shuffle_pile=True)
    game = Game(deal, by, seed=SEED)
    for _ in range(number):
        game.step()
    if game.outcome is None:
        resumed = Game(Position.parse(str(game.position)), by, engine=engine, seed=SEED)
        assert resumed.play() == game.play()


@given(deals(), rules(), st.integers(0, 100), st.sampled_from(("core", "reference")))
def test_a_copy_goes_its_own_way(deal: Deal, by: Rules, number: int, engine: str) -> None:
    game = Game(deal, by, engine=engine, seed=SEED)
    for _ in range(number):
        game.step()
    twin = copy.copy(game)
    rest = list(twin)
    assert list(game) == rest
    assert game.position == twin.position
    assert game.outcome == twin.outcome


@given(deals(), rules(), st.data())
def test_relabelling_numerals_changes_nothing(deal: Deal, by: Rules, data: st.DataObject) -> None:
    by = by.replace(cycle_identity="kind")
    numerals = [Card.of(rank) for rank in "23456789T" if by.tribute(Card.of(rank)) == 0]
    if any(card.tribute is not None for hand in deal.hands for card in hand) or not numerals:
        return

    def other(card: Card) -> Card:
        is_numeral = by.tribute(card) == 0 and card.rank not in "JQKA"
        return data.draw(st.sampled_from(numerals)) if is_numeral else card

    relabelled = Deal([[other(card) for card in hand] for hand in deal.hands], deal.leader)
    assert Game(relabelled, by, seed=SEED).play() == Game(deal, by, seed=SEED).play()


@given(deals(), rules())
def test_events_are_all_different_objects_and_end_once(deal: Deal, by: Rules) -> None:
    events = list(Game(deal, by, seed=SEED))
    assert len({id(event) for event in events}) == len(events)
    assert sum(isinstance(event, Over) for event in events) == 1
    assert isinstance(events[-1], Over)
    counts = [event.cards for event in events if isinstance(event, Turned)]
    assert counts == list(range(1, len(counts) + 1))


@given(deals(), rules(), st.lists(st.booleans(), min_size=1, max_size=12))
def test_events_kept_and_dropped_keep_what_they_say(
    deal: Deal, by: Rules, pattern: list[bool]
) -> None:
    # The core may fill a record anew once nobody else holds it: never one that is held.
    kept = [
        event
        for number, event in enumerate(Game(deal, by, seed=SEED))
        if pattern[number % len(pattern)]
    ]
    every = list(Game(deal, by, engine="reference", seed=SEED))
    assert kept == [e for number, e in enumerate(every) if pattern[number % len(pattern)]]


@given(deals(players=2, max_cards=14), st.sampled_from(("winner", "loser")), st.booleans())
def test_a_loop_comes_round(deal: Deal, lead: str, until_penalty: bool) -> None:
    """A loop's states: the one it enters comes again after the period, and none before."""
    by = Rules(until_penalty=until_penalty, budget_tricks=3000).replace(lead=lead)
    cycle = Game(deal, by).play().cycle
    if cycle is None:
        return
    free = by.replace(on_cycle="ignore", limit_tricks=cycle.transient.tricks + cycle.period.tricks)
    states = {}
    for tricks in range(1, free.limit_tricks + 1):  # type: ignore[operator]
        game = Game(deal, free.replace(limit_tricks=tricks))
        game.play()
        at = game.position
        kinds = tuple(tuple(by.tribute(card) + 16 * card.is_joker for card in h) for h in at.hands)
        states[tricks] = (at.turn, kinds)
    start = (
        deal.leader,
        tuple(tuple(by.tribute(card) + 16 * card.is_joker for card in h) for h in deal.hands),
    )
    states[0] = start
    entered, closed = cycle.transient.tricks, cycle.transient.tricks + cycle.period.tricks
    assert states[entered] == states[closed]
    assert len(set(states.values())) == closed

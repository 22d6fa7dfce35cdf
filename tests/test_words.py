"""Games told in words: catalogs that are whole, and words that say what happened."""

import re
from pathlib import Path
from typing import Any

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

import beggar.table
from beggar import BeggarError, Card, Game, Position, Rules
from beggar.deals import Deal
from beggar.events import TrickTaken, Turned
from beggar.rules import PRESETS
from beggar.table.narration import Teller, is_italian, narrate
from beggar.table.phrases import Seat, card_message
from beggar.table.words import LANGUAGES, LOCALE, Words, choose, fields_of
from strategies import deals, rules

EXAMPLE = "K♥ 8♦ 9♦/4♣ Q♠ 7♣"
NAMES = ("Ana", "Boris")


def messages() -> dict[object, int]:
    """Return every message of the package: what Babel's extractor finds in its source."""
    assert beggar.__file__
    keywords = {
        "message": None,
        "messages": (1, 2),
        "message_in": ((1, "c"), 2),
        "messages_in": ((1, "c"), 2, 3),
    }
    found = extract_from_dir(Path(beggar.__file__).parent, keywords=keywords)
    return {(context, text): line for _, line, text, _, context in found}


@pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
def test_catalogs_are_whole_and_hold_nothing_else(language: str) -> None:
    with (LOCALE / language / "LC_MESSAGES" / "beggar.po").open("rb") as written:
        catalog = read_po(written, locale=language)
    told: dict[tuple[Any, Any], Any] = {
        (entry.context, entry.id): entry for entry in catalog if entry.id
    }
    wanted = messages()
    assert len(wanted) > 150
    assert set(wanted) - set(told) == set(), "missing"
    assert set(told) - set(wanted) == set(), "stale"
    assert not catalog.obsolete
    for (_, key), entry in told.items():
        assert not entry.fuzzy, key
        assert isinstance(entry.string, tuple) == isinstance(key, tuple)
        texts = [
            str(text) for text in (entry.string if isinstance(key, tuple) else (entry.string,))
        ]
        keys = [str(text) for text in (key if isinstance(key, tuple) else (key,))]
        assert all(texts), f"{key} is not translated"
        # One of many plural forms may say "the card" for "1 card"; no other field is lost.
        for text in texts:
            optional = {"count"} if isinstance(key, tuple) else set()
            assert fields_of(text) | optional == fields_of(keys[-1]) | optional, key
        if isinstance(key, tuple):
            assert "{count}" in texts[-1], key


@pytest.mark.parametrize(
    ("language", "third", "owes"),
    [
        (
            "en",
            "The third card of the tribute for the king of hearts was cancelled by the queen of "
            "spades.",
            "Boris owes 3 cards of tribute for the king of hearts.",
        ),
        (
            "es",
            "La tercera carta del tributo por el rey de corazones quedó anulada por la reina de "
            "picas.",
            "Boris debe un tributo de 3 cartas por el rey de corazones.",
        ),
        (
            "de",
            "Die dritte Karte des Tributs für den Herz-König entfiel durch die Pik-Dame.",
            "Boris schuldet 3 Karten Tribut für den Herz-König.",
        ),
        (
            "it",
            "Con la donna di picche la terza carta del pagamento per il re di cuori è stata "
            "annullata.",
            "Boris deve pagare 3 carte per il re di cuori.",
        ),
    ],
)
def test_the_worked_example(language: str, third: str, owes: str) -> None:
    lines = list(narrate(Game(EXAMPLE), language, NAMES, "long"))
    assert len(lines) == 5
    assert owes in lines[0]
    assert third in lines[2]
    assert "Boris" in lines[4]


@pytest.mark.parametrize(
    ("language", "terms"),
    [
        ("es", ("tributo", "pila central", "carta de penalización", "eliminado", "baza")),
        ("de", ("Tribut", "zentralen Stapel", "Strafkarte", "ausgeschieden", "Stich")),
        ("it", ("pagamento", "mucchio", "carta di valore", "in camicia", "presa")),
    ],
)
def test_the_words_of_the_field(language: str, terms: tuple[str, ...]) -> None:
    told = "\n".join(narrate(Game(EXAMPLE), language, NAMES, "long"))
    assert [term for term in terms if term not in told] == []


def test_plurals() -> None:
    lines = list(narrate(Game("A♥ 8♦ 9♦/4♣ 5♠ 7♣"), "de", NAMES, "long"))
    assert "schuldet 4 Karten" in lines[0]
    assert "noch 3 Karten sind" in lines[1]
    assert "noch 1 Karte ist" in lines[3]


def test_a_deck_of_the_country() -> None:
    told = list(narrate(Game("Qb 4c/2d", Rules.preset("camicia")), "it", NAMES, "long"))
    assert told[0] == "Ana scopre il cavallo di bastoni."
    assert "due di denari" in told[1]
    assert is_italian(Position.parse("As/3c"), Rules.preset("camicia"))
    assert not is_italian(Position.parse("As/3h"), Rules.preset("camicia"))


def test_cards_of_no_suit_and_of_tribute() -> None:
    spanish = Words("es", long=True)
    assert spanish.card(Card.of("K")) == "un rey"
    assert spanish.card(Card.of("K"), known=True) == "el rey"
    assert spanish.card(Card.tributed(3)) == "una carta de tributo 3"
    assert spanish.card(Card.of("*")) == "un comodín"


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert [Words(code).number(12345) for code in LANGUAGES] == [
        "12,345",
        "12.345",
        "12.345",
        "12.345",
    ]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [("es", "es"), ("de_AT", "de"), ("it-IT", "it"), ("EN", "en"), (" es ", "es")],
)
def test_languages_by_code(wanted: str, found: str) -> None:
    assert choose(wanted) == found


@pytest.mark.parametrize("wanted", ["fr", "", "x", "deutsch", "e s"])
def test_an_unknown_language_lists_those_there_are(wanted: str) -> None:
    with pytest.raises(BeggarError, match=f"'{wanted}': expected en, es, de, it"):
        choose(wanted)


@pytest.mark.parametrize(
    ("here", "found"),
    [
        ("LANG=de_CH.UTF-8", "de"),
        ("LANG=fr_FR.UTF-8", "en"),
        ("LANG=C", "en"),
        ("LANG=nonsense!", "en"),
        ("", "en"),
        ("LC_CTYPE=de_DE LANG=es_ES.UTF-8", "es"),
        ("LC_ALL=it_IT LC_MESSAGES=de_DE LANG=es_ES", "it"),
        ("LANGUAGE=xx:de LANG=es_ES", "de"),
        ("LANGUAGE=de LANG=C", "en"),
    ],
)
def test_the_locale_chooses(monkeypatch: pytest.MonkeyPatch, here: str, found: str) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG", "LC_CTYPE"):
        monkeypatch.delenv(name, raising=False)
    for setting in here.split():
        monkeypatch.setenv(*setting.split("="))
    assert choose() == found


def test_every_card_has_a_name_of_its_own_in_every_language() -> None:
    from beggar.cards import DECKS, deck

    for language in LANGUAGES:
        for name in DECKS:
            words = Words(language, italian=name.startswith("camicia"), long=True)
            cards = deck(name)
            assert len({words.card(card) for card in cards}) == len(cards)


READINGS = [
    # Why the pile went there: what is said, for a deal and the rules.
    ("J/-", {}, "It is", False),
    ("*-/--", {"joker": "grab"}, "The joker takes the pile at once, so seat 0 wins it.", True),
    ("*--/KQA---", {"joker": "beggar"}, "is paid, whatever the cards were", True),
    ("K-/-/--", {"unpaid_tribute": "collects"}, "cannot be paid, so seat 0 wins", True),
    ("K-/-/---", {"unpaid_tribute": "passes_on"}, "now owes the 2 cards still due", True),
    ("K-/-/---", {"unpaid_tribute": "lapses"}, "the claim of seat 0 lapses", True),
    ("J-/-", {}, "Nobody else is left in the game, so seat 0 gets the pile unpaid.", False),
    ("J--/--J", {"pickup": "reversed"}, "upside down", True),
    ("J--/--", {"lead": "loser"}, "Seat 1 leads.", True),
    ("J---/--", {"limit_cards": 1}, "most cards win", True),
    ("A-/--J---", {}, "The fourth card of the tribute for the ace was cancelled by the jack", True),
    ("A-/J---", {}, "The last 3 cards of the tribute for the ace were cancelled", True),
    ("J-/Q---", {}, "It came as the last card owed for the jack.", True),
    # A penalty card turned as the last card ends the game, and is no payment.
    ("J-/K", {"elimination": "on_empty"}, "instead of paying", True),
    ("J-/K", {"elimination": "on_empty"}, "Seat 1 pays", False),
    ("--J-/K-J-", {"on_cycle": "most_cards"}, "Whoever has most cards wins such a game.", True),
    ("--J-/K-J-", {"on_cycle": "shuffle"}, "So the pile is shuffled.", True),
    ("--J-/K-J-", {"on_cycle": "shuffle"}, "never ends", False),
    ("--J-/K-J-", {}, "once round the loop it is 16 cards and 4 tricks", True),
    ("Q----/---", {"shuffle_pile": True}, "puts 3 cards under the hand, shuffled", True),
]


@pytest.mark.parametrize(("deal", "fields", "said", "is_said"), READINGS)
def test_the_reasons(deal: str, fields: dict[str, object], said: str, is_said: bool) -> None:
    game = Game(deal, Rules(**fields), seed=1)  # type: ignore[arg-type]
    told = "\n".join(narrate(game, "en", None, "long"))
    assert (said in told) is is_said, told


@given(deals(), rules(), st.integers(0, 2**64 - 1))
def test_every_game_can_be_told(deal: Deal, rules: Rules, seed: int) -> None:
    start = Position.start(deal)
    all_words = [Words(code, long=long) for code in LANGUAGES for long in (False, True)]
    for form in ("short", "long"):
        game = Game(deal, rules, seed=seed)
        teller = Teller(start, rules, form)
        while events := game.turn_card():
            told = teller.tell(events, game.position.turn)
            assert told
            for words in all_words:
                for phrase in told:
                    assert not re.search(r"[{}]", words.say(phrase))
            # What is remembered is what the table says.
            if game.outcome is None:
                assert teller.due == game.position.due
                assert teller.begging == game.position.begging or not teller.due


@given(deals(), rules())
def test_turn_card_gives_the_events_of_the_game(deal: Deal, rules: Rules) -> None:
    for engine in ("core", "reference"):
        game, other = (Game(deal, rules, engine=engine, seed=1) for _ in range(2))
        together = []
        while events := game.turn_card():
            together.append(events)
            assert game.position.cards == sum(isinstance(part[0], Turned) for part in together)
        assert [event for events in together for event in events] == list(other)
        assert all(isinstance(part[0], Turned) for part in together[1:])
        assert not any(isinstance(event, Turned) for part in together for event in part[1:])


def test_turn_card_after_a_step() -> None:
    game = Game("J-/-J")
    assert isinstance(game.step(), Turned)
    assert [type(event).__name__ for event in game.turn_card()] == ["TributeDemanded"]
    assert isinstance(game.turn_card()[0], Turned)


def test_presets_are_told() -> None:
    for name, preset in PRESETS.items():
        deal = Deal.random(3, cards=preset.deck, jokers=preset.jokers)
        game = Game(deal, preset.replace(limit_tricks=20), seed=3)
        lines = list(narrate(game, "es", None, "long"))
        assert "baza 2" in "\n".join(lines), name
        assert sum(isinstance(event, TrickTaken) for event in Game(deal, preset, seed=3)) > 1


def test_leading_is_told_after_who_is_out() -> None:
    game = Game("K-----/-/-----", Rules(unpaid_tribute="collects"))
    lines = list(narrate(game, "en", ["Ana", "Boris", "Carla"], "long"))
    assert lines[1].endswith("Ana leads.")
    assert "Boris has no card left and is out." in lines[1]


def test_after_so_many_in_german() -> None:
    told = list(narrate(Game("-J-K--J-/-----"), "de", None, "long")) + list(
        narrate(Game("--J-/K-J-"), "de", None, "long")
    )
    assert "nach 0 Karten und 0 Stichen" in told[-1]
    assert "16 Karten und 4 Stiche." in told[-1]


def test_names_of_seats() -> None:
    assert Words("de").name(2) == "Platz 2"
    assert Words("de", ["Ana", "Boris"]).name(1) == "Boris"
    phrase = card_message(Card.of("A", "s"))
    assert phrase.message.text == "the ace of {suit}"
    assert Seat(1).number == 1

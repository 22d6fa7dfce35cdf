"""The rules as an object: fields, presets, text, and what is refused."""

import copy
import dataclasses
import pickle
from typing import Any

import pytest
from hypothesis import given

from beggar import Game, Rules, RulesError
from beggar.rules import FIELDS, PRESETS, Tributes
from strategies import rules


def test_every_field_is_described_in_order() -> None:
    assert [f.name for f in FIELDS] == [f.name for f in dataclasses.fields(Rules)]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("classic", {}),
        ("strip-jack-naked", {}),
        ("beat-your-neighbour", {}),
        ("taxes", {}),
        ("super-joker", {"jokers": 1}),
        ("super-jokers", {"jokers": 2}),
        ("joker-plus-one", {"jokers": 1, "joker": "beggar"}),
        ("shuffled", {"shuffle_pile": True}),
        ("face-up", {"face_up": True}),
        ("knockout", {"elimination": "on_empty"}),
        ("camicia", {"tributes": {"A": 1, "2": 2, "3": 3}, "deck": "camicia-40"}),
        ("old-style", {"until_penalty": True}),
        ("Old_Style ", {"until_penalty": True}),
    ],
)
def test_presets(name: str, changes: dict[str, Any]) -> None:
    assert Rules.preset(name).changes() == changes


def test_the_names_of_camicia() -> None:
    names = ("cavacamisa", "straccia-camicia", "pelagaletto")
    assert all(PRESETS[name] == PRESETS["camicia"] for name in names)


@given(rules())
def test_text_round_trips(given_rules: Rules) -> None:
    told = dict(setting.split("=", 1) for setting in given_rules.as_settings())
    assert Rules().set(**told) == given_rules
    assert eval(repr(given_rules), {"Rules": Rules, "Tributes": Tributes.parse}) == given_rules
    assert hash(copy.copy(given_rules)) == hash(given_rules)


def test_rules_travel_after_the_core_has_seen_them() -> None:
    used = Rules(lead="loser")
    Game("K/-", used).play()
    assert pickle.loads(pickle.dumps(used)) == used
    assert copy.deepcopy(used) == used


@pytest.mark.parametrize(
    ("text", "tributes"),
    [
        ("A4 K3 Q2 J1", {"A": 4, "K": 3, "Q": 2, "J": 1}),
        ("A:4,K:3", {"A": 4, "K": 3}),
        ("a1 2:2 3:3", {"A": 1, "2": 2, "3": 3}),
        ("10:5", {"T": 5}),
        ("A15", {"A": 15}),
        ("A=4, K=3", {"A": 4, "K": 3}),
        ("none", {}),
    ],
)
def test_tributes_are_read(text: str, tributes: dict[str, int]) -> None:
    read = Tributes.parse(text)
    assert read == tributes
    assert Tributes.parse(str(read) or "none") == read


@pytest.mark.parametrize("text", ["A", "A0", "A16", "X3", "A4K", "A4 K3 A2", "3", "A-1", "A12:2"])
def test_tributes_that_cannot_be_read(text: str) -> None:
    with pytest.raises(RulesError, match="tributes: "):
        Tributes.parse(text)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"elimination": "never"}, "elimination: 'never' is not a value: expected on_turn or on_e"),
        ({"unpaid_tribute": None}, "unpaid_tribute: 'None' is not a value"),
        ({"players": 1}, "players: '1' is not a value: expected 2 to 6"),
        ({"players": 7}, "players: '7'"),
        ({"players": 2.0}, "players: '2.0'"),
        ({"players": True}, "players: 'True'"),
        ({"jokers": 3}, "jokers: '3' is not a value: expected 0 to 2"),
        ({"tributes": {"A": 16}}, "tributes: A cannot demand '16': expected 1 to 15"),
        ({"tributes": {"A": 0}}, "A cannot demand '0'"),
        ({"tributes": {"Z": 1}}, "tributes: no rank 'Z'"),
        ({"tributes": "A4"}, "tributes: 'A4' is not a value: expected a mapping"),
        ({"deck": "tarot"}, "deck: 'tarot'"),
        ({"shuffle_pile": 1}, "shuffle_pile: '1' is not a value: expected True or False"),
        ({"limit_cards": 0}, "limit_cards: '0' is not a value: expected a whole number from 1"),
        ({"limit_tricks": -1}, "limit_tricks: '-1'"),
        ({"limit_seconds": 0}, "limit_seconds: '0' is not a value: expected seconds"),
        ({"limit_seconds": float("nan")}, "limit_seconds: 'nan'"),
        ({"budget_tricks": 0}, "budget_tricks: '0'"),
        ({"on_cycle": "ignore"}, "on_cycle='ignore' needs a limit"),
    ],
)
def test_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        Rules(**fields)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ({"colour": "red"}, "unknown field 'colour': expected players, elimination"),
        ({"until_penalty": "maybe"}, "until_penalty: 'maybe' is not a value: expected yes or no"),
        ({"limit_cards": "many"}, "limit_cards: 'many' is not a value: expected none or 1.."),
        ({"players": "two"}, r"players: 'two' is not a value: expected 2\.\.6"),
        ({"limit_seconds": "soon"}, "limit_seconds: 'soon'"),
        ({"lead": ""}, "lead: '' is not a value"),
    ],
)
def test_settings_refused(setting: dict[str, str], said: str) -> None:
    with pytest.raises(RulesError, match=said):
        Rules().set(**setting)


def test_settings() -> None:
    told = Rules().set(budget_tricks="none", until_penalty="Yes", limit_seconds="1.5")
    assert told == Rules(budget_tricks=None, until_penalty=True, limit_seconds=1.5)


def test_replace() -> None:
    assert Rules().replace(lead="loser").lead == "loser"
    with pytest.raises(RulesError, match="unknown field 'led'"):
        Rules().replace(led="loser")
    with pytest.raises(RulesError, match="unknown preset 'x'"):
        Rules.preset("x")


def test_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Rules().lead = "loser"  # type: ignore[misc]


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, "1", True])
def test_seeds_refused(seed: Any) -> None:
    with pytest.raises(RulesError, match="seed: .* is not a value"):
        Game("K/-", seed=seed)


def test_unknown_engine() -> None:
    with pytest.raises(RulesError, match="unknown engine 'steam': expected core or reference"):
        Game("K/-", engine="steam")

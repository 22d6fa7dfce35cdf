"""The published long and never-ending games, as data, with who found them and when.

The counts are by the defaults of `Rules`. The French ones are from Richard
Mann's list of records (with the sources it names), the never-ending one is
Casella's (B. Casella and others, "A non-terminating game of Beggar-My-Neighbor",
2024, which also says that 30 deals lead to it); Camicia's come from an
exhaustive search of all its deals, 2026. This module imports nothing of the
package.
"""

from typing import Final, NamedTuple

__all__ = ["RECORDS", "Record"]


class Record(NamedTuple):
    """One published game.

    Attributes
    ----------
    deal : str
        Its deal, as `Deal.parse` reads it.
    found_by : str
    year : int
    termination : str
        ``"won"`` or ``"loop"``.
    cards, tricks : int
        The counts; for a loop, those of transient and period together.
    transient, period : tuple of int or None
        For a loop: cards and tricks before the cycle, and round it.
    basin : tuple of int or None
        For a loop: how many states lead into the cycle, seats not told apart, and how many
        deals of hands like these.
    """

    deal: str
    found_by: str
    year: int
    termination: str
    cards: int
    tricks: int
    transient: tuple[int, int] | None = None
    period: tuple[int, int] | None = None
    basin: tuple[int, int] | None = None


#: Every record, shortest first within a deck.
RECORDS: Final = (
    Record(
        "------------KAQ----J------/-JQQK---K----JK--QA-A-JA--",
        "Paulhus",
        1999,
        "won",
        cards=4791,
        tricks=670,
    ),
    Record(
        "---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q",
        "Kleber",
        1999,
        "won",
        cards=5790,
        tricks=805,
    ),
    Record(
        "A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-",
        "Collins",
        2006,
        "won",
        cards=6913,
        tricks=960,
    ),
    Record(
        "K-KK----K-A-----JAA--Q--J-/---Q---Q-J-----J------AQ--",
        "Mann and Wu",
        2007,
        "won",
        cards=7157,
        tricks=1007,
    ),
    Record(
        "----Q------A--K--A-A--QJK-/-Q--J--J---QK---K----JA---",
        "Nessler",
        2012,
        "won",
        cards=7207,
        tricks=1015,
    ),
    Record(
        "--A-Q--J--J---Q--AJ-K---K-/-J-------Q------A--A--QKK-",
        "Anderson",
        2013,
        "won",
        cards=7225,
        tricks=1016,
    ),
    Record(
        "-J------Q------AAA-----QQ-/K----JA-----------KQ-K-JJK",
        "Rucklidge",
        2014,
        "won",
        cards=7959,
        tricks=1122,
    ),
    Record(
        "----K---A--Q-A--JJA------J/-----KK---------A-JK-Q-Q-Q",
        "Nessler",
        2021,
        "won",
        cards=7972,
        tricks=1106,
    ),
    Record(
        "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---",
        "Nessler",
        2022,
        "won",
        cards=8344,
        tricks=1164,
    ),
    Record(
        "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA",
        "Casella",
        2024,
        "loop",
        cards=474,
        tricks=66,
        transient=(34, 4),
        period=(440, 62),
        basin=(2670, 30),
    ),
    Record(
        "30023302003001000010/00001000000000001220",
        "exhaustive search",
        2026,
        "won",
        cards=4656,
        tricks=755,
    ),
    Record(
        "00000010000000000021/13002330220003001000",
        "exhaustive search",
        2026,
        "won",
        cards=4662,
        tricks=757,
    ),
    Record(
        "01300233022000300100/00000010000000000021",
        "exhaustive search",
        2026,
        "won",
        cards=4663,
        tricks=757,
    ),
    Record(
        "00302020303100000310/00100200002000000010",
        "exhaustive search",
        2026,
        "loop",
        cards=546,
        tricks=84,
        transient=(0, 0),
        period=(546, 84),
        basin=(1215, 90),
    ),
    Record(
        "00200000021000013000/00020001020310030300",
        "exhaustive search",
        2026,
        "loop",
        cards=197,
        tricks=37,
        transient=(9, 1),
        period=(188, 36),
        basin=(483, 26),
    ),
)

"""The published long games, as data, with who found them and when.

The counts are by the defaults of `Rules`. The French ones are from Richard
Mann's list of records (with the sources it names), the never-ending one is
Casella's of 2024; Camicia's three longest come from an exhaustive search of all
its deals, 2026. This module imports nothing of the package.
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
    """

    deal: str
    found_by: str
    year: int
    termination: str
    cards: int
    tricks: int
    transient: tuple[int, int] | None = None
    period: tuple[int, int] | None = None


#: Every record, shortest first within a deck.
RECORDS: Final = (
    Record(
        "------------KAQ----J------/-JQQK---K----JK--QA-A-JA--", "Paulhus", 1999, "won", 4791, 670
    ),
    Record(
        "---JQ---K-A----A-J-K---QK-/-J-----------AJQA----K---Q", "Kleber", 1999, "won", 5790, 805
    ),
    Record(
        "A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-", "Collins", 2006, "won", 6913, 960
    ),
    Record(
        "K-KK----K-A-----JAA--Q--J-/---Q---Q-J-----J------AQ--",
        "Mann and Wu",
        2007,
        "won",
        7157,
        1007,
    ),
    Record(
        "----Q------A--K--A-A--QJK-/-Q--J--J---QK---K----JA---", "Nessler", 2012, "won", 7207, 1015
    ),
    Record(
        "--A-Q--J--J---Q--AJ-K---K-/-J-------Q------A--A--QKK-", "Anderson", 2013, "won", 7225, 1016
    ),
    Record(
        "-J------Q------AAA-----QQ-/K----JA-----------KQ-K-JJK", "Rucklidge", 2014, "won", 7959, 1122
    ),
    Record(
        "----K---A--Q-A--JJA------J/-----KK---------A-JK-Q-Q-Q", "Nessler", 2021, "won", 7972, 1106
    ),
    Record(
        "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---", "Nessler", 2022, "won", 8344, 1164
    ),
    Record(
        "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA",
        "Casella",
        2024,
        "loop",
        474,
        66,
        transient=(34, 4),
        period=(440, 62),
    ),
    Record(
        "30023302003001000010/00001000000000001220", "exhaustive search", 2026, "won", 4656, 755
    ),
    Record(
        "00000010000000000021/13002330220003001000", "exhaustive search", 2026, "won", 4662, 757
    ),
    Record(
        "01300233022000300100/00000010000000000021", "exhaustive search", 2026, "won", 4663, 757
    ),
)

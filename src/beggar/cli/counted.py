"""Cards and tricks counted in English, for the commands that speak no other language."""

__all__ = ["cards", "tricks"]


def cards(number: int) -> str:
    """Return ``'1 card'``, ``'2 cards'`` and so on."""
    return f"{number:,} card{'s' * (number != 1)}"


def tricks(number: int) -> str:
    """Return ``'1 trick'``, ``'2 tricks'`` and so on."""
    return f"{number:,} trick{'s' * (number != 1)}"

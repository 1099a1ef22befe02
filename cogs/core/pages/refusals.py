"""The sentences for refused actions: each game has a table of them by code; common ones are here."""

from collections.abc import Mapping

from cogs.core.pages.game_ui import TableContext
from engine.contract import Fact, Refusal, Seat

UNKNOWN_REFUSAL = "The rules do not allow that now. *What can I do?* says what you can do."

COMMON: Mapping[str, str] = {
    "over": "This game is over. Press Rematch to play again.",
    "not-seated": "You do not sit at this table.",
    "no-such-action": "This game has no such move.",
    "late": "That clock has already been stopped.",
    "early": "That clock does not run out now.",
    "clock-only": "Only the clock itself can do that.",
    "no-delay": "Only the clock itself can do that.",
    "interlude": "The game pauses so that everybody sees what was decided. Press *Ready* to go on.",
    "no-interlude": "The game has gone on already: nobody has to be ready.",
    "ready-already": "You have said that you are ready.",
}


class _Facts(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "?"


def whose(info: TableContext, seat: Fact | None) -> str:
    """Return the name of the player on a seat that a refusal names, or "somebody else"."""
    if isinstance(seat, int) and 0 <= seat < len(info.seated_players):
        return info.name(Seat(seat))
    return "somebody else"


def sentence(refusal: Refusal, sentences: Mapping[str, str], **words: object) -> str:
    """Return the sentence for a refusal: the game's own, or else the common one. Names in braces are replaced by the
    refusal's facts; `words` overrides some of them.
    """
    found = sentences.get(refusal.code) or COMMON.get(refusal.code, UNKNOWN_REFUSAL)
    return found.format_map(_Facts({**refusal.facts, **words}))

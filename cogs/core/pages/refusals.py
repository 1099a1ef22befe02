"""The sentences for refused actions: each game has a table of them by code; common ones are here."""

from collections.abc import Mapping
from string import Formatter

from cogs.core.i18n.translation import N_, _, public_label
from cogs.core.pages.game_ui import TableContext
from engine.contract import Fact, Refusal, Seat

UNKNOWN_REFUSAL = N_("The rules don't allow that now.")

COMMON: Mapping[str, str] = {
    "over": N_("This game is over. Press *{rematch}* to play again."),
    "not-seated": N_("You have no seat at this table."),
    "not-your-turn": N_("It's {whose}'s turn, not yours."),
    "no-such-action": N_("This game has no such move."),
    "late": N_("That clock has already stopped."),
    "early": N_("That clock hasn't run out yet."),
    "clock-only": N_("Only the clock can do that."),
    "no-delay": N_("Only the clock can do that."),
    "interlude": N_("The game is paused so everyone can see what happened. Press *{ready}* to go on."),
    "no-interlude": N_("The game has already gone on."),
    "ready-already": N_("You're already marked as ready."),
}


def whose(info: TableContext, seat: Fact | None) -> str:
    """Return the name of the player on a seat that a refusal names, or "someone else"."""
    if isinstance(seat, int) and 0 <= seat < len(info.seated_players):
        return info.name(Seat(seat))
    return _("someone else")


def sentence(refusal: Refusal, info: TableContext, sentences: Mapping[str, str], **words: object) -> str:
    """Return the sentence for a refusal in the language of the page: the game's own, or else the common one. Names in
    braces are replaced by the refusal's facts; `words` overrides some of them, and `whose` is whose turn it is.
    """
    found = sentences.get(refusal.code) or COMMON.get(refusal.code, UNKNOWN_REFUSAL)
    unknown = {name: "?" for _text, name, _form, _conversion in Formatter().parse(found) if name}
    labels = {"ready": public_label("Ready"), "rematch": public_label("Rematch")}
    common = {**labels, "whose": whose(info, refusal.facts.get("turn"))}
    return _(found, **{**unknown, **common, **refusal.facts, **words})

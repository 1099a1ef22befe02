"""The texts and the button that every game shows in an interlude."""

from cogs.core.i18n.translation import N_, _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Button
from engine.contract import Seat
from engine.turns import Interlude

DONE = N_("You're ready.")
"""The answer to the command."""


def waits(pause: Interlude, info: TableContext, then: str) -> str:
    """Return a line that says how long the game pauses before `then`, a main clause, and who is ready."""
    latest = info.until(pause.until)
    ready = ", ".join(info.name(Seat(seat)) for seat in pause.ready)
    if latest:
        # Translators: for example "The next round starts when everyone is ready, or in 16 seconds".
        words = _("{then} when everyone is ready, or {when}", then=then, when=latest)
    else:
        words = _("{then} when everyone is ready", then=then)
    return f"-# {words}" + (f" · {_('ready: {names}', names=ready)}" if ready else "")


def button(pause: Interlude | None, reader: Seat | None) -> Button:
    """Return the button for readers who are ready: disabled once they have pressed it."""
    return Button(_("Ready"), "ready", style="success", disabled=pause is not None and reader in pause.ready)


def advice(pause: Interlude, seat: Seat | None) -> str:
    """Return what a seat can do in an interlude."""
    if seat in pause.ready:
        return _("You're ready. The game goes on when everyone is, or when time runs out.")
    return _("The game is paused so everyone can see what happened. Press *{ready}* to go on.", ready=_("Ready"))

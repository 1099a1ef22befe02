"""The user interface of Prison Break: everything players see of it.

The table message is made from the public view alone; a seat's secrets are on its player page, which only that seat
receives.
"""

from collections.abc import Callable, Sequence

import msgspec

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, Modal, Page, Picture, Text
from cogs.prison_break import (
    advice,
    alt_text,
    end_picture,
    hints,
    lights,
    log,
    markers_page,
    moments,
    picture,
    player_page,
    rules,
)
from cogs.prison_break.controls import controls
from cogs.prison_break.offer_page import offer_page, seat_pair
from cogs.prison_break.review import REVIEW
from cogs.prison_break.status import status, true_positions, with_winners
from cogs.prison_break.words import ACCEPT, REJECT, at, refusal_words
from engine.contract import Action, Refusal
from engine.games.prison_break import (
    GAME,
    Decline,
    Guard,
    Note,
    Offer,
    Pass,
    PrisonBreakOptions,
    PrisonBreakView,
    Sneak,
    Vote,
)


class PrisonBreakUI(GameUI):
    """The user interface of `prison_break`; see `cogs.core.pages.game_ui.GameUI`."""

    game = GAME
    colour = 0x5B7FD6
    review = REVIEW
    reveals_at_end = True
    tagline = N_("Sneak along your hidden track, lie about how far, and be on EXIT when the round ends.")
    public_actions = frozenset({"log"})
    lasting_actions = frozenset({"note", "note-write", "markers", "marker-set"})

    status = staticmethod(status)
    highlight = staticmethod(moments.highlight)
    controls = staticmethod(controls)
    player_blocks = staticmethod(player_page.player_blocks)
    advice = staticmethod(advice.advice)
    hint = staticmethod(hints.hint)
    refusal = staticmethod(refusal_words)
    rules = staticmethod(rules.pages)

    def picture(self, view: PrisonBreakView, info: TableContext) -> Picture:
        """Return the public picture: what is known of everyone."""
        names = info.distinct_names
        view = with_winners(view, info)
        return Picture(picture.draw(view, names), f"prison-{info.id}-{view.ui_version}.png", alt_text.alt(view, names))

    def finale(self, view: PrisonBreakView, info: TableContext) -> Picture | None:
        """Return the end with all on their real ways, step by step."""
        names = info.distinct_names
        view = with_winners(view, info)
        data = end_picture.draw_story(view, names)
        return None if data is None else Picture(data, f"prison-{info.id}.gif", alt_text.alt(view, names))

    def news(self, view: PrisonBreakView, info: TableContext) -> str:
        """Return what happened last; in an interlude what the lights showed, at the end the truth. On a player's page
        the rest is above the picture.
        """
        if view.interlude is not None:
            return lights.news(view, info)
        if view.phase == "over":  # if somebody left, the places are listed below, and the picture says the rest
            return "" if info.places else true_positions(view, info)
        return log.recent(view, info) if view.seat is None else ""

    def press(self, view: PrisonBreakView, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return the action or page for a control."""
        match control.verb, control.argument.split("."):
            case "sneak", [declared, moved] if is_number(declared) and is_number(moved):
                return Sneak(int(declared), int(moved))
            case "offer", _:
                return self._offer(view, info, control.argument)
            case "offer-make", [chosen, pair] if is_number(chosen) and len(seat_pair(view, pair)) == 2:
                return Offer(int(chosen), *seat_pair(view, pair))
            case "decline", _:
                return Decline()
            case "vote", ["accept" | "reject" as vote]:
                return Vote(vote == "accept")
            case "guard", _ if control.values and is_number(control.values[0]):
                return Guard(int(control.values[0]))
            case "pass", _:
                return Pass()
            case "note", _:
                return player_page.note_form(view)
            case "note-write", _:
                return Note(dict(control.fields).get("text", "").strip(), control.argument or None)
            case "markers", _:
                return markers_page.markers_page(view, info)
            case "marker-set", _:
                return markers_page.set_markers(view, control.argument, control.values)
            case "log", _:
                return log.page(view, info, control.argument)
        return None

    def _offer(self, view: PrisonBreakView, info: TableContext, argument: str) -> Page:
        if view.phase != "offer":
            raise UserError(self.refusal(Refusal("wrong-phase", phase=view.phase, needs="offer"), info))
        if view.seat != view.warden:
            raise UserError(self.refusal(Refusal("not-warden", warden=view.warden), info))
        return offer_page(view, info, argument)

    def hint_at_hand(self, view: PrisonBreakView, info: TableContext) -> bool:
        """Return True unless a guard check would be against a person, whose lies are theirs to hide."""
        others = (player for player in info.seated_players if player.seat != view.seat)
        return view.phase != "guard" or all(player.user is None and player.level is not None for player in others)

    def text(self, view: PrisonBreakView, info: TableContext) -> str:
        """Return the table as text, with the reader's own track."""
        return alt_text.table_text(with_winners(view, info), info.distinct_names)

    def secret_summary(self, view: PrisonBreakView) -> str:
        """Return the seat's real position and its vote, while these are secrets."""
        if view.phase == "over" or view.seat is None:
            return ""
        where = at(view.positions[view.seat] or 0, view.spaces)
        if view.my_vote is None:
            return _("really {where}", where=where)
        return _("really {where}, votes {vote}", where=where, vote=ACCEPT if view.my_vote else REJECT)

    def known(self, view: PrisonBreakView, info: TableContext) -> Sequence[Block]:
        """Return the seat's own track, and in words what is secret on it."""
        if view.phase == "over":
            return ()
        return (player_page.own_track(view, info), Text(self.secret_summary(view)))

    def unveiled(self, view: PrisonBreakView, seats: Sequence[PrisonBreakView], info: TableContext) -> Picture:
        """Return the table at a moment of a finished game with everybody's real way until then."""
        names = info.distinct_names
        positions = tuple(own.positions[seat] for seat, own in enumerate(seats))
        paths = tuple(own.paths[seat] for seat, own in enumerate(seats))
        view = with_winners(msgspec.structs.replace(view, positions=positions, paths=paths), info)
        name = f"prison-{info.id}-{view.ui_version}-open.png"
        return Picture(picture.draw_open(view, names), name, alt_text.alt_open(view, names))

    def receipt(self, action: Action, after: Callable[[], PrisonBreakView]) -> str | None:
        """Return what became of a note if the notepad was changed while it was written."""
        if not isinstance(action, Note) or after().note == action.text:
            return None
        return _("Your notepad was changed while you wrote. It keeps both: your text is at the end.")

    def minutes(self, options: PrisonBreakOptions, seats: int) -> int:
        """Estimate minutes: a race of about seven rounds, each with everybody's sneak, offer and guard check."""
        usual = 10 + 5 * seats
        return min(usual, options.round_limit * 3 * seats // 4) if options.round_limit else usual

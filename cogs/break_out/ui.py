"""The user interface of Break-Out: the table's page with NEXT and the calls, the private pages, the sentences.

Nothing here knows whether a meld on the table is unsound beyond what everyone can see.
"""

from collections.abc import Callable, Sequence

from cogs.break_out import (
    advice,
    card_picker,
    end_picture,
    hints,
    log,
    moments,
    picture,
    player_page,
    rules,
    score_sheet,
    sprites,
)
from cogs.break_out.controls import controls
from cogs.break_out.plays import read_play
from cogs.break_out.review import REVIEW
from cogs.break_out.status import status
from cogs.break_out.text_view import table_text
from cogs.break_out.words import meld_title, pictured, refusal_words, spoken
from cogs.core.i18n.translation import N_, _, public_label
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut, labelled
from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import BoardPlaceholder, Modal, Page, Picture, Row, Select, SelectOption, Text
from engine.contract import Action, Refusal
from engine.games.break_out import (
    FACES,
    GAME,
    KINDS,
    ROUND_MINUTES,
    START,
    BreakOutOptions,
    BreakOutView,
    Call,
    Card,
    Draw,
    Give,
    Next,
    Point,
    in_order,
    pointable,
)


class BreakOutUI(GameUI):
    """The user interface of `break_out`; see `cogs.core.pages.game_ui.GameUI`."""

    game = GAME
    colour = 0xB8505A
    review = REVIEW
    tagline = N_("Meld cards, break out of your cell, say NEXT – and catch the others cheating before the next NEXT.")
    public_actions = frozenset({"scores", "happened"})
    draft_actions = frozenset({"pick", "page"})
    lasting_actions = frozenset({"call", "point"})
    has_targets = True

    faces = staticmethod(sprites.faces)
    status = staticmethod(status)
    highlight = staticmethod(moments.highlight)
    player_blocks = staticmethod(player_page.player_blocks)
    advice = staticmethod(advice.advice)
    hint = staticmethod(hints.hint)
    text = staticmethod(table_text)
    refusal = staticmethod(refusal_words)
    rules = staticmethod(rules.pages)

    # The table

    def picture(self, view: BreakOutView, info: TableContext) -> Picture:
        """Return the table; between two rounds how the last one ended, and at the end who has won."""
        names = info.distinct_names
        words = picture.alt(view, names, info.places)
        return Picture(picture.draw(view, names, info.places), f"table-{info.id}-{view.ui_version}.png", words)

    def finale(self, view: BreakOutView, info: TableContext) -> Picture | None:
        """Return the end with the rounds counted one after the other, and the winner running."""
        names = info.distinct_names
        data = end_picture.draw_story(view.sheet, view.scores, view.rounds, names, info.places)
        return None if data is None else Picture(data, f"table-{info.id}.gif", picture.alt(view, names, info.places))

    def news(self, view: BreakOutView, info: TableContext) -> str:
        """Return what happened last."""
        if view.finished is not None:
            return ""
        return "\n".join(f"-# {line}" for line in log.news(view, info))

    def controls(self, view: BreakOutView, info: TableContext) -> Sequence[Row]:
        """Return NEXT and the calls, always in the same place."""
        return tuple(controls(view, info, player_page.shows_hints(info)))

    # What players ask

    def press(self, view: BreakOutView, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return the action or page for a control."""
        match control.verb:
            case "scores":
                return self._scores(view, info)
            case "happened":
                return log.page(view, info)
            case "call":
                kind, __, turn = control.argument.partition(".")
                found = next((known for known in KINDS if known == kind), None)
                if found is not None and is_number(turn):
                    return Call(found, int(turn))
            case "give" if (face := control.argument or "".join(control.values[:1])) in FACES:
                return Give(face)
            case "point" if not control.argument:
                return self._pointing(view, info)
            case "point" if control.values and is_number(control.values[0]):
                return Point(int(control.values[0]))
            case "next":
                return Next()
            case "draw":
                return Draw()
            case "lay" | "do":
                play = read_play(control.argument if control.verb == "lay" else "".join(control.values[:1]))
                if play is not None:
                    return play
            case "plays" if player_page.shows_hints(info):
                self._check_turn(view, info)
                return player_page.plays_page(view, info)
            case "pick" | "page":
                self._check_turn(view, info)
                return self._picking(view, info, control)
        return None

    def _check_turn(self, view: BreakOutView, info: TableContext) -> None:
        """Raise `UserError` if the reader cannot play cards now, as the rules would refuse them."""
        if view.phase == "turn" and view.turn == view.seat:
            return
        refused = Refusal("not-your-turn", turn=-1 if view.turn is None else view.turn)
        if view.interlude is not None:
            refused = Refusal("interlude", due=view.interlude.until)
        elif view.phase == "gift":
            refused = Refusal("settling")
        elif view.phase == "next" and view.turn == view.seat:
            refused = Refusal("next-said")
        raise UserError(self.refusal(refused, info))

    def _picking(self, view: BreakOutView, info: TableContext, control: ComponentPress) -> Page:
        if control.verb == "pick":
            draft = card_picker.picked(control.argument, control.values)
        else:
            draft = card_picker.read_draft(control.argument.partition(".")[0].rstrip("xs"))
        if draft is None:
            raise UserError(
                _(
                    "I can't read that page any more. Press *{play}* at the table to open it again.",
                    play=public_label("Play"),
                )
            )
        return card_picker.picker_page(view, info, draft, player_page.shows_hints(info))

    def _pointing(self, view: BreakOutView, info: TableContext) -> Page:
        assert view.seat is not None
        melds = pointable(view)
        if not melds:
            raise UserError(self._why_none(view, info))
        choices = tuple(
            SelectOption(
                cut(labelled(meld_title(meld.id), spoken(meld.played)), 100),
                str(meld.id),
                _("in the Yard") if meld.cell is None else _("in {player}'s cell", player=info.label(meld.cell, 40)),
            )
            for meld in melds[-25:]
        )
        words = _(
            "### Point at a meld\nIf it's bad, its cards leave the game, and no one is punished. You can point at any "
            "time, but only once until your next turn begins.\n-# Melds changed this turn or the turn before aren't "
            "listed: they can only be called."
        )
        return Page(
            (BoardPlaceholder(), Text(words), Select("point", choices, _("Which meld is bad?"), "at")), self.colour
        )

    def _why_none(self, view: BreakOutView, info: TableContext) -> str:
        """Return why the reader can point at nothing now, in the words of the rules where they have some."""
        assert view.seat is not None
        if view.referee == "strict":
            return self.refusal(Refusal("strict"), info)
        if view.interlude is not None:
            return self.refusal(Refusal("interlude", due=view.interlude.until), info)
        if view.phase == "gift":
            return self.refusal(Refusal("settling"), info)
        if view.pointed[view.seat]:
            return self.refusal(Refusal("pointed-already"), info)
        if all(meld.id == START for meld in view.melds):
            return _("There's no meld on the table yet.")
        return _(
            "All melds on the table were changed this turn or the turn before: call **MELD!** while you can, or point "
            "later."
        )

    def _scores(self, view: BreakOutView, info: TableContext) -> Page:
        names = info.distinct_names
        data = score_sheet.draw_sheet(view.sheet, view.scores, view.rounds, names)
        words = _(
            "### Scores\n-# The fewest points win. The player who goes out gets −5 times the round's number, the "
            "others get the points they hold."
        )
        shown = Picture(data, "scores.png", score_sheet.sheet_alt(view.sheet, view.scores, names))
        return Page((Text(words), shown))

    def hint_at_hand(self, view: BreakOutView, info: TableContext) -> bool:
        """Return whether a hint is about the reader's own cards: no hint at hand accuses a person."""
        if view.seat not in (view.catcher, view.turn) or view.phase not in ("turn", "gift"):
            return False
        others = (player for player in info.seated_players if player.seat != view.seat)
        return view.phase == "gift" or view.referee == "strict" or all(player.level is not None for player in others)

    def secret_summary(self, view: BreakOutView) -> str:
        """Return the hand."""
        return pictured([Card(face) for face in in_order(view.hand)]) if view.hand else _("no cards")

    def minutes(self, options: BreakOutOptions, seats: int) -> int:
        """Estimate minutes: the length of a round hardly depends on the number of players."""
        return options.rounds * ROUND_MINUTES

    def receipt(self, action: Action, after: Callable[[], BreakOutView]) -> str | None:
        """Return the receipt of a call. A right one is settled only after the tie period; until then no one else learns
        of it.
        """
        if not isinstance(action, Call):
            return None
        view = after()
        last = view.notes[-1] if view.notes else None
        if last is not None and last.seat == view.seat and last.call == action.kind:
            return None  # it was wrong or late, and everyone sees that
        return _("Got your **{call}** – you'll see the result in a moment.", call=f"{action.kind.upper()}!")

"""The user interface of Match Five: the table's page, the player page, the sentences, the short rules."""

from collections.abc import Sequence

import msgspec

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import StaleControl, UserError
from cogs.core.ops.text_format import figure, labelled, listed
from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import (
    Block,
    BoardPlaceholder,
    Modal,
    Page,
    Picture,
    Row,
    Text,
    page_buttons,
    page_within,
    pages_of,
)
from cogs.match_five import advice, alt_text, end_picture, hints, moments, picture, rules, sprites, text_view
from cogs.match_five.board_page import look_blocks, look_button, sheet_button, stacks_text
from cogs.match_five.draft import Draft, declarations_of, hand_of, read_draft, turn_in_progress
from cogs.match_five.layout import piles
from cogs.match_five.review import REVIEW
from cogs.match_five.swap_page import pass_blocks, pictured, read_slots, swap_blocks
from cogs.match_five.turn_page import preview, turn_blocks
from cogs.match_five.words import (
    face_name,
    pictured_hand,
    refusal_words,
    sheet_words,
    short_turn_words,
    tile_words,
    turn_words,
)
from engine.contract import Action, Refusal, Seat
from engine.games.match_five import GAME, MatchFiveOptions, MatchFiveView, Pass, Play, Swap

LAST_TURNS = 3
"""The most turns on the table message. A player page has the last one alone, in short."""

SHEET_TURNS = 12
"""The turns per page of the score sheet."""

GONE = N_("That play isn't possible any more. Please put it together again.")


def _by_hand(info: TableContext) -> bool:
    return isinstance(info.options, MatchFiveOptions) and info.options.laying == "by_hand"


class MatchFiveUI(GameUI):
    """The user interface of `match_five`; see `cogs.core.pages.game_ui.GameUI`."""

    game = GAME
    colour = 0x5B8C5A
    review = REVIEW
    tagline = N_("Lay number tiles in rows and stack them up to five high: one colour or one number.")
    public_actions = frozenset({"sheet", "stacks", "look"})
    draft_actions = frozenset({"draft", "wild", "swap"})
    harmless_hints = True

    faces = staticmethod(sprites.faces)
    highlight = staticmethod(moments.highlight)
    advice = staticmethod(advice.advice)
    hint = staticmethod(hints.hint)
    text = staticmethod(text_view.table_text)
    refusal = staticmethod(refusal_words)
    rules = staticmethod(rules.pages)

    # The table

    def picture(self, view: MatchFiveView, info: TableContext) -> Picture:
        """Return the board; at the end with the winner and the curves of the scores."""
        names = info.distinct_names
        if view.turn is None:
            data, alt = end_picture.draw_end(view, names, info.places), end_picture.end_alt(view, names, info.places)
            return Picture(data, f"end-{info.id}.png", alt)
        shown = piles(view)
        data, alt = picture.draw(view, names, shown), alt_text.alt(view, names, shown)
        return Picture(data, f"board-{info.id}-{view.ui_version}.png", alt)

    def finale(self, view: MatchFiveView, info: TableContext) -> Picture | None:
        """Return the end with a board and curves that grow."""
        names = info.distinct_names
        data = end_picture.draw_story(view, names, info.places)
        return (
            None if data is None else Picture(data, f"end-{info.id}.gif", end_picture.end_alt(view, names, info.places))
        )

    def news(self, view: MatchFiveView, info: TableContext) -> str:
        """Return the last turns, of a game that is over only one; on a player page the last one in short, since the
        picture shows it.
        """
        if view.seat is not None:
            return f"-# {short_turn_words(view.turns[-1], info)}" if view.turns else ""
        most = 1 if view.turn is None else LAST_TURNS
        return "\n".join(f"-# {turn_words(turn, info)}" for turn in view.turns[-most:])

    def controls(self, view: MatchFiveView, info: TableContext) -> Sequence[Row]:
        """Return the buttons of the score sheet and of the board's other parts: tiles are laid on the player page."""
        return (Row((sheet_button(), look_button())),)

    def status(self, view: MatchFiveView, info: TableContext) -> str:
        """Return whose move it is and the totals; at the end who won."""
        if view.turn is None:
            return self._ending(view, info)
        lines = [f"▶ {info.to_move([view.turn], view.seat)}"]
        if view.seat is None:  # a player's page has its controls below the picture, which shows the totals and the bag
            totals = self._totals(view, info)
            lines.append(f"-# {totals}" if view.bag else f"-# {totals} · " + _("the bag is empty"))
        if view.last is not None:
            lines.append(self._last_round(info.name(view.last), mine=view.turn == view.seat))
        return "\n".join(lines)

    @staticmethod
    def _last_round(name: str, *, mine: bool) -> str:
        """Return what follows the last tile of a player; `mine`: on the page of the player who is on turn."""
        if mine:
            return _(
                "-# **Your last turn:** {name} laid their last tile. Tiles that you keep count against you.", name=name
            )
        return _("-# {name} laid their last tile: everyone else has one more turn.", name=name)

    def _totals(self, view: MatchFiveView, info: TableContext) -> str:
        return " · ".join(labelled(info.name(Seat(seat)), figure(score)) for seat, score in enumerate(view.scores))

    def _ending(self, view: MatchFiveView, info: TableContext) -> str:
        winners = [info.name(seat) for seat in info.best(view.scores)]
        if len(winners) == 1:
            won = _("{winner} **wins!**", winner=winners[0])
        else:
            won = _("{winners} **share the win!**", winners=listed(winners))
        why = {
            "last-tile": _("The last tiles have been laid."),
            "passes": _("Everyone passed."),
            "idle": _("No one laid a tile for two rounds."),
        }
        totals = []
        for seat, score in sorted(enumerate(view.scores), key=lambda one: -one[1]):
            lost, hand = view.left[seat], view.hands[seat]
            left = f" ({labelled(figure(-lost), pictured_hand(hand))})" if lost and hand else ""
            totals.append(labelled(info.name(Seat(seat)), f"**{figure(score)}**{left}"))
        return f"★ {won} {why.get(view.reason or '', '')}\n-# {' · '.join(totals)}"

    # What only one seat sees

    def player_blocks(self, view: MatchFiveView, info: TableContext) -> Sequence[Block]:
        """Return a seat's hand; on its turn the page on which a play is put together."""
        if view.turn is not None and view.turn == view.seat:
            return self._turn(view, info, Draft()).blocks
        hand = hand_of(view)
        if view.turn is None or view.seat is None:
            return (BoardPlaceholder(), *self.controls(view, info))
        drawn = ", ".join(tile_words(tile) for tile in view.drawn)
        blocks: list[Block] = [BoardPlaceholder(), pictured(hand)]
        if 0 < len(view.drawn) < len(hand):
            blocks.append(Text(_("-# You drew {tiles}.", tiles=faced(map(face_name, view.drawn), drawn))))
        return (*blocks, *self.controls(view, info))

    # What players ask

    def press(self, view: MatchFiveView, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return the action or page for a control. Raises `StaleControl` for one by which a tile was picked up without
        being laid, as in earlier versions, unless the table is played so.
        """
        if control.verb == "sheet":
            return self._sheet(view, info, control.argument)
        if control.verb == "look":
            return Page(tuple(look_blocks(view, info, control.argument)))
        if control.verb == "stacks":
            return Page((stacks_text(view),))
        if view.turn is None or view.turn != view.seat:
            raise UserError(self.refusal(Refusal("not-your-turn", turn=-1 if view.turn is None else view.turn), info))
        match control.verb:
            case "draft" | "wild":
                draft = self._drafted(view, control)
                if draft.held is not None and not _by_hand(info):
                    raise StaleControl
                return self._turn(view, info, draft)
            case "lay":
                return Play(self._drafted(view, control).layings)
            case "swap":
                return Page(tuple(swap_blocks(view, read_slots(control.argument, view))))
            case "swap-do":
                hand = hand_of(view)
                return Swap(tuple(hand[slot] for slot in read_slots(control.argument, view)))
            case "pass-ask":
                return Page(tuple(pass_blocks()))
            case "pass":
                return Pass()
        return None

    def draft(self, view: MatchFiveView, look: ComponentPress) -> Play | None:
        """Return the play on the page of a control, if it is legal."""
        if look.verb not in ("draft", "wild") or view.turn is None or view.turn != view.seat:
            return None
        try:
            turn = turn_in_progress(view, Draft(self._drafted(view, look).layings))
        except UserError:
            return None
        return Play(turn.draft.layings) if turn is not None and turn.laid else None

    def _drafted(self, view: MatchFiveView, control: ComponentPress) -> Draft:
        """Return the draft of an untrusted control. Raises `UserError`."""
        draft = read_draft(control.argument, view)
        if draft is None:
            raise UserError(_(GONE))
        if control.verb != "wild":
            return draft
        face, turn = control.values[0] if control.values else "", turn_in_progress(view, draft)
        if turn is None or face not in declarations_of(turn):
            raise UserError(_("The Wild can't be that tile there."))
        return Draft((*draft.layings[:-1], msgspec.structs.replace(draft.layings[-1], wild_as=face)))

    def _turn(self, view: MatchFiveView, info: TableContext, draft: Draft) -> Page:
        turn = turn_in_progress(view, draft, by_hand=_by_hand(info))
        if turn is None:
            raise UserError(_(GONE))
        return Page(tuple(turn_blocks(view, info, turn)))

    def _sheet(self, view: MatchFiveView, info: TableContext, argument: str) -> Page:
        pages = pages_of(len(view.turns), SHEET_TURNS)
        asked = argument.partition(".")[0]
        number = page_within(int(asked), pages) if is_number(asked) else pages - 1
        first = number * SHEET_TURNS
        lines = [_("### Score sheet"), self._totals(view, info)]
        lines += [
            f"-# {first + place}. {sheet_words(turn, info)}"
            for place, turn in enumerate(view.turns[first : first + SHEET_TURNS], start=1)
        ]
        buttons = page_buttons("sheet", number, pages, lambda page, slot: f"{page}.{slot}")
        body = Text("\n".join(lines))
        return Page((body, Row(buttons)) if buttons else (body,))

    def sketch(self, view: MatchFiveView, info: TableContext, action: Action) -> Picture | None:
        """Return the board with the tiles of a play laid on it, as they look while they are put together."""
        return preview(view, info, action.layings) if isinstance(action, Play) else None

    def secret_summary(self, view: MatchFiveView) -> str:
        """Return the hand."""
        own = None if view.seat is None else view.hands[view.seat]
        return "" if own is None else pictured_hand(own)

    def known(self, view: MatchFiveView, info: TableContext) -> Sequence[Block]:
        """Return the hand, also on a turn, when buttons show it on the page."""
        return (pictured(hand_of(view)),) if view.turn is not None else ()

    def minutes(self, options: MatchFiveOptions, seats: int) -> int:
        """Estimate minutes: all tiles are laid with any number of players, in about seventy turns of the whole game."""
        return {5: 35, 4: 30, 3: 20}[options.copies]

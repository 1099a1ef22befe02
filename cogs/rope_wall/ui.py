"""The user interface of the Rope Wall: everything players see of it."""

from collections.abc import Sequence

from cogs.core.drawing.theme import SEAT_MARKS
from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import labelled
from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Modal, Page, Picture, Row, Text
from cogs.rope_wall import advice, hints, moments, picture, rules
from cogs.rope_wall.controls import controls
from cogs.rope_wall.review import REVIEW
from cogs.rope_wall.status import news, picture_view, status, with_winner
from cogs.rope_wall.words import alt, read_opening, refusal_words, table_text
from engine.contract import Action
from engine.games.rope_wall import GAME, ChooseExits, Push, Resign, RopeWallOptions, RopeWallView

KNOT_LETTERS = [mark.letter for mark in SEAT_MARKS]
"""The letters of the seats' knots."""

CONFIRMED = "sure"
"""The argument of the button that confirms resigning."""


def resign_question() -> Page:
    """Return the question after *Resign* was pressed."""
    words = _("### Resign?\nThe other player wins the game. You can't undo this.")
    return Page((Text(words), Row((Button(_("Resign the game"), "resign", CONFIRMED, style="danger"),))))


class RopeWallUI(GameUI):
    """The user interface of `rope_wall`; see `cogs.core.pages.game_ui.GameUI`."""

    game = GAME
    colour = 0xC9752D
    review = REVIEW
    tagline = N_("Push knots into a prison wall from both sides. First to rope out three prisoners wins.")
    harmless_hints = True

    status = staticmethod(status)
    news = staticmethod(news)
    highlight = staticmethod(moments.highlight)
    advice = staticmethod(advice.advice)
    hint = staticmethod(hints.hint)
    refusal = staticmethod(refusal_words)
    rules = staticmethod(rules.pages)

    @property
    def resign(self) -> Button:
        """The button to resign."""
        return Button(_("Resign"), "resign", style="danger")

    # The table

    def controls(self, view: RopeWallView, info: TableContext) -> Sequence[Row]:
        """Return the buttons of the openings, or of the exits to choose from."""
        return controls(view)

    def player_blocks(self, view: RopeWallView, info: TableContext) -> Sequence[Block]:
        """Return the wall and its openings: this game hides nothing."""
        return (BoardPlaceholder(), *controls(view))

    def picture(self, view: RopeWallView, info: TableContext) -> Picture:
        """Return the picture of the wall."""
        names = info.distinct_names
        view = picture_view(with_winner(view, info), info)
        return Picture(picture.draw(view, names), f"wall-{info.id}-{view.ui_version}.png", alt(view, names))

    def finale(self, view: RopeWallView, info: TableContext) -> Picture | None:
        """Return the end with the prisoners climbing their ropes."""
        names = info.distinct_names
        view = picture_view(with_winner(view, info), info)
        data = picture.draw_finale(view, names)
        return None if data is None else Picture(data, f"wall-{info.id}.gif", alt(view, names))

    # What players ask

    def press(self, view: RopeWallView, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return the action for a pressed button."""
        match control.verb:
            case "push":
                opening = read_opening(control.argument)
                if opening is not None:
                    return Push(opening.floor, opening.side)
            case "exit":
                columns = control.argument.split("-")
                if all(map(is_number, columns)):
                    return ChooseExits(tuple(int(column) for column in columns))
            case "resign":
                return Resign() if control.argument == CONFIRMED else resign_question()
        return None

    def fresh(self, view: RopeWallView, control: ComponentPress) -> bool:
        """Return whether a control is current. Every push changes what openings mean; resigning means the same
        throughout the game.
        """
        return control.stamp == view.ui_version or (control.verb == "resign" and view.phase != "over")

    def text(self, view: RopeWallView, info: TableContext) -> str:
        """Return the wall as text."""
        names = ", ".join(labelled(KNOT_LETTERS[seat], player.name) for seat, player in enumerate(info.seated_players))
        return f"{names}\n{table_text(view)}"

    def minutes(self, options: RopeWallOptions, seats: int) -> int:
        """Estimate minutes: a game has about two hundred pushes, most of them quick."""
        return 15

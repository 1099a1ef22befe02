"""What players see of Match Five: the table's page, the panels, the sentences, the rules in short.

Views in, pages out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence

from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Board, Button, Choice, Form, Page, Picture, Row, Select, Text
from cogs.core.router.custom_ids import Control
from cogs.core.screen import TableInfo
from cogs.match_five import laying, picture, rules
from cogs.match_five.laying import Draft
from cogs.match_five.words import count, hand_words, read_play, refusal_words, tile_words, turn_words
from engine.contract import Action, Refusal, Seat
from engine.games.match_five import GAME, WILD, MatchFiveView, Pass, Play, Swap

LAST_TURNS = 3
SHEET_TURNS = 12
"""So many turns are told on the table page, and on a page of the score sheet."""

GRAMMAR = "`r3@M12 b4@M12` lays red 3 and then blue 4 on top of it; a Wild is `w=b2@N12`"


class MatchFiveScreen:
    """The screen of `match_five`; see `cogs.core.screen.Screen`."""

    game = GAME
    command = "match-five"
    colour = 0x5B8C5A
    tagline = "Lay number tiles in rows and stack them up to five high: one colour or one number."
    open_verbs: frozenset[str] = frozenset({"sheet"})

    # The table

    def picture(self, view: MatchFiveView, info: TableInfo) -> Picture:
        """Return the board."""
        names = [sitter.name for sitter in info.sitters]
        return Picture(picture.draw(view), f"board-{info.id}-{view.stamp}.png", picture.alt(view, names))

    def news(self, view: MatchFiveView, info: TableInfo) -> str:
        """Return the last turns."""
        return "\n".join(f"-# {turn_words(turn, view, info)}" for turn in view.turns[-LAST_TURNS:])

    def controls(self, view: MatchFiveView, info: TableInfo) -> Sequence[Row]:
        """Return the way to the score sheet: tiles are laid in the cockpit."""
        return (Row((Button("Score sheet", "sheet"),)),)

    def status(self, view: MatchFiveView, info: TableInfo) -> str:
        """Return whose turn it is and the totals; at the end who has won."""
        if view.turn is None:
            return self._ending(view, info)
        clock = f" {info.countdown()}" if info.due is not None else ""
        lines = [f"▶ {info.marked(view.turn)} plays{clock}"]
        bag = f"{count(view.bag, 'tile')} in the bag" if view.bag else "the bag is empty"
        lines.append(f"-# {self._totals(view, info)} · {bag}")
        if view.last is not None:
            lines.append(f"-# {info.name(view.last)} has laid the last tile: everybody else has one more turn.")
        return "\n".join(lines)

    def _totals(self, view: MatchFiveView, info: TableInfo) -> str:
        return " · ".join(f"{info.marked(Seat(seat))} {score}" for seat, score in enumerate(view.scores))

    def _ending(self, view: MatchFiveView, info: TableInfo) -> str:
        best = max(view.scores)
        winners = [info.marked(Seat(seat)) for seat, score in enumerate(view.scores) if score == best]
        verb = "wins" if len(winners) == 1 else "share the win"
        why = {
            "last-tile": "The last tiles are laid.",
            "passes": "Everybody passed.",
            "idle": "Nobody had laid a tile for two rounds.",
        }
        lines = [f"★ {' and '.join(winners)} **{verb}!** {why.get(view.reason or '', '')}"]
        for seat, score in sorted(enumerate(view.scores), key=lambda one: -one[1]):
            lost, hand = view.left[seat], view.hands[seat]
            left = f" (−{lost}: {hand_words(hand)})" if lost and hand else ""
            lines.append(f"**{score}** {info.name(Seat(seat))}{left}")
        return "\n".join(lines)

    # What only one seat sees

    def own(self, view: MatchFiveView, info: TableInfo) -> Sequence[Block]:
        """Return a seat's hand; on its turn the panel on which a play is put together."""
        assert view.seat is not None
        if view.turn == view.seat:
            return laying.panel(view, Draft(), self.colour).blocks
        hand = view.hands[view.seat] or ()
        drawn = ", ".join(tile_words(tile) for tile in view.drawn)
        lines = ["### Your hand", hand_words(hand)]
        if drawn:
            lines.append(f"-# Drawn last: {drawn}.")
        lines.append(f"-# {count(view.bag, 'tile')} left in the bag.")
        shown = Picture(picture.draw_hand(hand), "hand.png", picture.hand_alt(hand))
        return (Board(), Text("\n".join(lines)), shown, *self.controls(view, info))

    # What players ask

    def press(self, view: MatchFiveView, info: TableInfo, control: Control) -> Action | Page | Form:
        """Return what a control asks for. Raises `UserError` for one that does not exist."""
        if control.verb == "sheet":
            return self._sheet(view, info, control.argument)
        if view.turn != view.seat:
            raise UserError(self.refusal(Refusal("not-your-turn", turn=-1 if view.turn is None else view.turn), info))
        match control.verb:
            case "tile" | "place" | "draft" | "lay":
                return self._draft(view, control)
            case "swap":
                return self._swap(view)
            case "swap-do":
                hand = view.hands[view.seat] if view.seat is not None else None
                numbers = [int(value) for value in control.values if value in "01234567" and len(value) == 1]
                return Swap(tuple((hand or ())[number] for number in numbers if number < len(hand or ())))
            case "pass":
                return Pass()
        raise UserError("That control does not exist at this table.")

    def _draft(self, view: MatchFiveView, control: Control) -> Play | Page:
        argument = control.argument
        if control.verb == "draft":
            argument = argument.rpartition(";")[0]  # its last part only keeps the controls of a page apart
        draft = laying.read_draft(argument, view)
        if draft is None:
            raise UserError("That play cannot be read any more. Press *Play* at the table to begin it again.")
        if control.verb == "lay":
            return Play(draft.layings)
        if control.verb == "tile":
            tile = control.values[0] if control.values else None
            if tile not in laying.left_of(view, draft):
                raise UserError("You do not hold that tile.")
            draft = Draft(draft.layings, tile)
        elif control.verb == "place":
            words = " ".join([argument.split(";")[0], *control.values[:1]])
            layings = read_play(words, view.stones)
            if layings is None:
                raise UserError("There is no such place.")
            draft = Draft(layings)
        return self._checked(view, draft)

    def _checked(self, view: MatchFiveView, draft: Draft) -> Page:
        """Show a draft if it can be laid; it may have been forged."""
        if not laying.fits(view, draft.layings):
            raise UserError("That tile does not fit there. Press *Play* at the table to begin again.")
        return laying.panel(view, draft, self.colour)

    def _swap(self, view: MatchFiveView) -> Page:
        hand = (view.hands[view.seat] if view.seat is not None else None) or ()
        if not view.bag:
            raise UserError("The bag is empty: nothing can be swapped any more.")
        most = min(len(hand), view.bag)
        choices = tuple(Choice(tile_words(tile), str(number)) for number, tile in enumerate(hand))
        return Page(
            (
                Text(f"### Swap tiles\nGive back one to {most}; you draw as many first. It is your whole turn."),
                Select("swap-do", choices, "Which ones?", "", 1, most),
            ),
            self.colour,
        )

    def _sheet(self, view: MatchFiveView, info: TableInfo, argument: str) -> Page:
        pages = [view.turns[i : i + SHEET_TURNS] for i in range(0, len(view.turns), SHEET_TURNS)] or [()]
        asked = argument.split(".")[0]
        number = min(int(asked), len(pages) - 1) if asked.isascii() and asked.isdecimal() else len(pages) - 1
        lines = [f"### Score sheet\n{self._totals(view, info)}"]
        lines += [f"-# {turn_words(turn, view, info, lines=True)[:280]}" for turn in pages[number]]
        leaf = Row(
            (
                Button("◀ Earlier", "sheet", f"{max(number - 1, 0)}.up", disabled=number == 0),
                Button(f"{number + 1} of {len(pages)}", "sheet", f"{number}.here", disabled=True),
                Button("Later ▶", "sheet", f"{number + 1}.down", disabled=number == len(pages) - 1),
            )
        )
        body = Text("\n".join(lines)[:3_600])
        return Page((body, leaf) if len(pages) > 1 else (body,), self.colour)

    def fresh(self, view: MatchFiveView, control: Control) -> bool:
        """A play belongs to the turn for which it was put together."""
        return control.stamp == view.stamp

    def advice(self, view: MatchFiveView, info: TableInfo, legal: Sequence[Action]) -> str:
        """Say what the seat can do now, and why not the rest."""
        lines = ["### What can I do?"]
        if view.turn is None:
            lines.append("The game is over.")
        elif view.turn != view.seat:
            lines.append(f"Wait: it is {info.marked(view.turn)}'s turn.")
        else:
            lines.append(
                f"Lay one to five tiles: press *Play*, or write them in one line with `/match-five play`. {GRAMMAR}."
            )
            if view.placement == "one_line":
                lines.append("At this table all tiles of a turn must end up in one common line.")
            if view.bag:
                lines.append("Or swap tiles, which is your whole turn: `/match-five swap`. You cannot pass yet.")
            else:
                lines.append("The bag is empty: you may also pass, `/match-five pass`. Swapping is over.")
            hand = (view.hands[view.seat] if view.seat is not None else None) or ()
            if WILD in hand:
                lines.append(f"A Wild left in hand at the end costs {view.wild_left} points; one a turn may be laid.")
        return "\n".join(lines)

    def text(self, view: MatchFiveView, info: TableInfo) -> str:
        """Return the board in letters, the totals, and the reader's own hand."""
        lines = [picture.as_text(view)]
        lines.append(" ".join(f"{'ABCDEF'[seat]} {score}" for seat, score in enumerate(view.scores)))
        own = None if view.seat is None else view.hands[view.seat]
        if own is not None:
            lines.append(f"hand {' '.join(sorted(own))}")
        return "\n".join(lines)

    def refusal(self, refusal: Refusal, info: TableInfo) -> str:
        """Return the sentence for a refused action, with its rule."""
        return refusal_words(refusal, info)

    def rules(self) -> tuple[Page, ...]:
        """Return the rules in short."""
        return rules.pages(self.colour)

    def receipt(self, action: Action) -> None:
        """Say nothing: the table shows every move at once."""

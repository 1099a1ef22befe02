"""What players see of Break-Out: the table's page with NEXT and the calls, the private panels, the sentences.

Nothing here knows whether a meld on the table is bad but by what everybody can see there. Views in, pages out. May
import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence

from cogs.break_out import panel, picture, rules
from cogs.break_out.panel import Draft
from cogs.break_out.words import (
    face_words,
    hand_words,
    meld_name,
    meld_words,
    note_words,
    private_words,
    refusal_words,
    round_words,
)
from cogs.core import interludes
from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Board, Button, Choice, Form, Page, Picture, Row, Select, Text
from cogs.core.router.custom_ids import Control
from cogs.core.screen import TableInfo
from engine.contract import Action, Refusal, Seat
from engine.games.break_out import (
    FACES,
    GAME,
    KINDS,
    BreakOutView,
    Call,
    Draw,
    Give,
    Next,
    Point,
)
from engine.turns import Ready

LAST_NOTES = 5
"""So many happenings are told on the table page."""

PRIVATE_NOTES = 3
"""So many changes of one's own hand are told."""


class BreakOutScreen:
    """The screen of `break_out`; see `cogs.core.screen.Screen`."""

    game = GAME
    command = "break-out"
    colour = 0xB8505A
    tagline = "Meld cards, break out of your cell, say NEXT – and catch the others cheating before the next one does."
    open_verbs: frozenset[str] = frozenset({"scores"})

    # The table

    def picture(self, view: BreakOutView, info: TableInfo) -> Picture:
        """Return the table."""
        names = [sitter.name for sitter in info.sitters]
        return Picture(picture.draw(view), f"table-{info.id}-{view.stamp}.png", picture.alt(view, names))

    def news(self, view: BreakOutView, info: TableInfo) -> str:
        """Return what happened last."""
        told = [line for note in view.notes if (line := note_words(note, info)) is not None]
        return "\n".join(f"-# {line}" for line in told[-LAST_NOTES:])

    def status(self, view: BreakOutView, info: TableInfo) -> str:
        """Return whose turn it is and what may be called; at the end who has won."""
        if view.phase == "over":
            return self._ending(view, info)
        lines = [self._now(view, info)]
        if view.interlude is not None:
            lines.append(interludes.waits(view.interlude, info, "The next round begins"))
        window = view.window
        if window is not None and window.closes is None:
            kept = view.phase == "next" and window.seat != view.turn
            until = "until that NEXT takes effect" if kept else "until the next NEXT"
            lines.append(f"-# {info.name(window.seat)} can be called {until}.")
        totals = " · ".join(f"{info.marked(Seat(seat))} {score}" for seat, score in enumerate(view.scores))
        lines.append(f"-# Round {view.round} of {view.rounds} · {totals}")
        return "\n".join(lines)

    def _now(self, view: BreakOutView, info: TableInfo) -> str:
        if view.finished is not None:
            return f"▶ {round_words(view.finished, info)}"
        assert view.turn is not None
        clock = "" if view.due is None else f" <t:{-(-view.due // 1_000)}:R>"
        match view.phase:
            case "gift" if view.catcher is not None and view.caught is not None:
                return f"▶ {info.marked(view.catcher)} chooses a card for {info.name(view.caught)}{clock}"
            case "last" if view.window is None:
                return "▶ The round ends"
            case "last" if view.window is not None and view.counts[view.window.seat]:
                who = info.marked(view.window.seat)
                return (
                    f"▶ Nobody has played a card for a full circuit. {who} can still be called; the round ends{clock}"
                )
            case "last" if view.window is not None:
                return f"▶ {info.marked(view.window.seat)} has played the last card! It can be called{clock}"
            case "next":
                return f"▶ {info.marked(view.turn)} said NEXT: it takes effect{clock}"
            case _:
                return f"▶ {info.marked(view.turn)} plays{clock}"

    def _ending(self, view: BreakOutView, info: TableInfo) -> str:
        best = min(view.scores)
        winners = [info.marked(Seat(seat)) for seat, score in enumerate(view.scores) if score == best]
        verb = "wins" if len(winners) == 1 else "share the win"
        lines = [f"★ {' and '.join(winners)} **{verb}** with the fewest points!"]
        lines += [
            f"**{score}** {info.name(Seat(seat))}"
            for seat, score in sorted(enumerate(view.scores), key=lambda one: one[1])
        ]
        return "\n".join(lines)

    def controls(self, view: BreakOutView, info: TableInfo) -> Sequence[Row]:
        """Return NEXT and the calls, always at the same place."""
        return tuple(self._controls(view))

    def _controls(self, view: BreakOutView) -> Iterator[Row]:
        scores = Button("Scores", "scores")
        if view.phase == "over":
            yield Row((scores,))
            return
        if view.interlude is not None:
            yield Row((interludes.button(), scores))
            return
        mine = view.phase == "turn"
        says = Button("NEXT", "next", style="success", disabled=not mine)
        draw = Button("Draw a card", "draw", disabled=not mine or view.drew or view.acted or not view.place)
        if view.referee == "strict":
            yield Row((says, draw, scores))
            return
        window = view.window
        turn = -1 if window is None else window.turn
        calls = (
            Button(f"{kind.upper()}!", "call", f"{kind}.{turn}", style="danger", disabled=window is None)
            for kind in KINDS
        )
        yield Row((says, *calls))
        yield Row((draw, Button("Point at a meld", "point"), scores))

    # What only one seat sees

    def own(self, view: BreakOutView, info: TableInfo) -> Sequence[Block]:
        """Return a seat's hand; on its turn the panel to play from, and what a catcher chooses from."""
        if view.phase == "gift" and view.catcher == view.seat:
            return (Board(), *self._gift(view, info).blocks)
        if view.phase == "turn" and view.turn == view.seat:
            shown = panel.panel(view, info, Draft(), self.colour)
            news = tuple(Text(f"-# {line}") for line in self._changes(view, info) if not line.startswith("You drew"))
            return (Board(), shown.blocks[0], *news, *shown.blocks[1:])
        lines = ["### Your hand", hand_words(view.hand) or "You have no cards left.", *self._changes(view, info)]
        shown_hand = Picture(picture.draw_hand(view.hand), "hand.png", picture.hand_alt(view.hand))
        return (Board(), Text("\n".join(lines)), shown_hand, *self.controls(view, info))

    def _changes(self, view: BreakOutView, info: TableInfo) -> list[str]:
        """What changed in the reader's hand lately."""
        assert view.seat is not None
        told = [line for note in view.notes if (line := private_words(note, view.seat, info)) is not None]
        return told[-PRIVATE_NOTES:]

    def _gift(self, view: BreakOutView, info: TableInfo) -> Page:
        assert view.caught is not None and view.due is not None
        until = f"<t:{view.due // 1_000}:R>"
        values = dict(zip("wds", view.values, strict=True))
        choices = tuple(
            Choice(face_words(face), face, f"counts {values.get(face) or face[-1]}")
            for face in dict.fromkeys(reversed(view.hand))
        )
        return Page(
            (
                Text(f"### You caught {info.name(view.caught)}!\nGive a card of yours; the clock chooses {until}."),
                Picture(picture.draw_hand(view.hand), "hand.png", picture.hand_alt(view.hand)),
                Select("give", choices[:25], "Which card?"),
            ),
            self.colour,
        )

    # What players ask

    def press(self, view: BreakOutView, info: TableInfo, control: Control) -> Action | Page | Form:
        """Return what a control asks for. Raises `UserError` for one that does not exist."""
        match control.verb:
            case "scores":
                return self._scores(view, info)
            case "call":
                kind, _, turn = control.argument.partition(".")
                found = next((known for known in KINDS if known == kind), None)
                if found is not None and _is_number(turn):
                    return Call(found, int(turn))
            case "give" if control.values and control.values[0] in FACES:
                return Give(control.values[0])
            case "point" if not control.argument:
                return self._pointing(view, info)
            case "point" if control.values and _is_number(control.values[0]):
                return Point(int(control.values[0]))
            case "next":
                return Next()
            case "ready":
                return Ready()
            case "draw":
                return Draw()
            case "pick" | "page" | "do":
                return self._panel(view, info, control)
        raise UserError("That control does not exist at this table.")

    def _panel(self, view: BreakOutView, info: TableInfo, control: Control) -> Action | Page:
        if view.turn != view.seat or view.phase != "turn":
            raise UserError(self.refusal(Refusal("not-your-turn", turn=-1 if view.turn is None else view.turn), info))
        if control.verb == "pick":
            draft = panel.picked(control.argument, control.values)
        else:
            draft = panel.read_draft(control.argument.rstrip("xs"))
        if draft is None:
            raise UserError("That panel cannot be read any more. Press *Play* at the table to open it again.")
        if control.verb != "do":
            return panel.panel(view, info, draft, self.colour)
        wanted = control.values[0] if control.values else ""
        offers = panel.offers(view, info, panel.held(view, draft.cards))
        chosen = next((offer for offer in offers if offer.code == wanted), None)
        if chosen is None:
            raise UserError("That cannot be done any more: your hand or the table has changed. Press *Play* again.")
        return chosen.play

    def _pointing(self, view: BreakOutView, info: TableInfo) -> Page:
        melds = [meld for meld in view.melds if len(meld.cards) > 1]
        if not melds:
            raise UserError("There is no meld on the table that you could point at.")
        choices = tuple(
            Choice(
                f"{meld_name(meld.id).capitalize()}: {meld_words(meld.played)}"[:100],
                str(meld.id),
                "in the Yard" if meld.cell is None else f"in the cell of {info.sitters[meld.cell].name[:40]}",
            )
            for meld in melds[-25:]
        )
        words = (
            "### Point at a bad meld\nIf it is one, its cards leave the game; nobody is punished. You may point once "
            "in each turn of yours. What was changed in this turn or the one before can only be called."
        )
        return Page((Text(words), Select("point", choices, "Which meld is bad?", "at")), self.colour)

    def _scores(self, view: BreakOutView, info: TableInfo) -> Page:
        names = [sitter.name for sitter in info.sitters]
        data = picture.draw_sheet(view.sheet, view.scores, view.rounds)
        lines = [
            "### Scores",
            "-# The fewest points win. Who goes out gets −5 times the round; the others what they hold.",
        ]
        key = " · ".join(info.marked(Seat(seat)) for seat in range(len(names)))
        lines.append(f"-# {key}")
        shown = Picture(data, "scores.png", picture.sheet_alt(view.sheet, view.scores, names))
        return Page((Text("\n".join(lines)), shown), self.colour)

    def fresh(self, view: BreakOutView, control: Control) -> bool:
        """Calls and pointers name what they are about; everything else belongs to the turn it was drawn for."""
        return control.verb in ("call", "point") or control.stamp == view.stamp

    def advice(self, view: BreakOutView, info: TableInfo, legal: Sequence[Action]) -> str:
        """Say what the seat can do now, and why not the rest."""
        return "\n".join(["### What can I do?", *self._advice(view, info)])

    def _advice(self, view: BreakOutView, info: TableInfo) -> Iterator[str]:
        seat = view.seat
        assert seat is not None
        need, most = view.limits
        if view.interlude is not None:
            yield interludes.advice(view.interlude, seat)
            return
        if view.phase == "over" or view.turn is None:
            yield "The game is over."
            return
        if view.phase == "gift" and view.catcher == seat:
            yield "You caught somebody: choose a card to give, with *Play* or `/break-out give`."
        elif view.turn != seat or view.phase != "turn":
            yield f"It is {info.marked(view.turn)}'s turn."
        elif view.out[seat]:
            yield (
                "You are out: press *Play* to lay melds in the Yard, add to any of them, exchange Wilds or move your "
                "cell melds. A DRAW card goes first."
            )
        else:
            yield (
                f"You are in your cell: press *Play* to lay melds below {need} points (at most {most} cards), or to "
                f"break out: with a meld of {need} or more, with a cell meld and hand cards, with a full cell, or with "
                "a Super Wild alone."
            )
        if view.turn == seat and view.phase == "turn":
            yield "You must play a card or draw the draw card; then say NEXT. If you played, you need not draw."
        if view.referee == "strict":
            yield "At this table the bot is the referee."
            return
        if view.window is not None and view.window.seat != seat:
            name = info.name(view.window.seat)
            left = [kind.upper() for kind in KINDS if kind not in view.window.mine]
            yield (
                f"{name}'s turn can be called: DRAW if they neither played nor drew, MELD if they laid a bad meld. "
                f"You have {' and '.join(left) or 'no call'} left."
            )
        yield "A bad meld that nobody called in time can be pointed at later."

    def text(self, view: BreakOutView, info: TableInfo) -> str:
        """Return the table in letters, and the reader's own hand."""
        lines = [picture.as_text(view)]
        if view.seat is not None:
            lines.append(f"hand {' '.join(view.hand)}")
        text = "\n".join(lines)
        return text if len(text) <= 1_900 else text[:1_890] + "\n…"

    def refusal(self, refusal: Refusal, info: TableInfo) -> str:
        """Return the sentence for a refused action, with its rule."""
        return refusal_words(refusal, info)

    def rules(self) -> tuple[Page, ...]:
        """Return the rules in short."""
        return rules.pages(self.colour)

    def receipt(self, action: Action) -> str | None:
        """A call is settled only when the tie period is over; until then nobody else is told of it."""
        if isinstance(action, Call):
            return f"**{action.kind.upper()}!** Your call was received; if it is right, it is settled in a moment."
        return None


def _is_number(words: str) -> bool:
    return words.isascii() and words.isdecimal() and len(words) < 8

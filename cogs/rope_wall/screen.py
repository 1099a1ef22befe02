"""What players see of the Rope Wall: the table's page, the controls, the sentences, the rules in short.

Views in, pages out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Iterator, Sequence
from typing import assert_never

import msgspec

from cogs.core import interludes
from cogs.core.drawing.theme import SEAT_MARKS
from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Board, Button, Form, Page, Picture, Row, Text
from cogs.core.refusals import sentence
from cogs.core.router.custom_ids import Control
from cogs.core.screen import TableInfo
from cogs.rope_wall import picture
from engine.contract import Action, Refusal, Seat
from engine.games.rope_wall import (
    GAME,
    SIDES,
    ChooseExits,
    Opening,
    Push,
    RopeWallOptions,
    RopeWallView,
    Side,
    Wall,
    judge,
)
from engine.turns import Ready

MARKED = [mark.letter for mark in SEAT_MARKS]
"""The letters of the seats' knots."""


def opening_code(opening: Opening) -> str:
    """Return an opening as on its button and in the picture: L3, R5."""
    return f"{opening.side[0].upper()}{opening.floor}"


def opening_name(floor: int, side: Side) -> str:
    """Return an opening in words."""
    return f"{side[0].upper()}{floor} (floor {floor}, from the {side})"


def read_opening(argument: str) -> Opening | None:
    """Return the opening that a button's argument names, or None."""
    if len(argument) == 2 and argument[0] in "LR" and argument[1].isdecimal():
        return Opening(int(argument[1]), "left" if argument[0] == "L" else "right")
    return None


def _counted(view: RopeWallView, info: TableInfo) -> RopeWallView:
    """Return the view with whoever has won: where somebody had left the game, the board does not say it."""
    first = info.first(() if view.winner is None else (view.winner,))
    winner = first[0] if len(first) == 1 else None
    return view if view.phase != "over" or winner == view.winner else msgspec.structs.replace(view, winner=winner)


class RopeWallScreen:
    """The screen of `rope_wall`; see `cogs.core.screen.Screen`."""

    game = GAME
    command = "rope-wall"
    colour = 0xC9752D
    tagline = "Push knots into the prison wall from its sides. First to rope three prisoners out wins."
    open_verbs: frozenset[str] = frozenset()

    # The table

    def controls(self, view: RopeWallView, info: TableInfo) -> Sequence[Row]:
        """Return the ten openings, or the exits to choose from."""
        match view.phase:
            case "push":
                return self._openings(view)
            case "choose":
                return self._exits(view)
            case "interlude":
                return (Row((interludes.button(),)),)
            case "over":
                return ()
            case _:
                assert_never(view.phase)

    def own(self, view: RopeWallView, info: TableInfo) -> Sequence[Block]:
        """Return the wall and its openings: nothing is hidden in this game."""
        return (Board(), *self.controls(view, info))

    def picture(self, view: RopeWallView, info: TableInfo) -> Picture:
        """Return the wall."""
        names = [sitter.name for sitter in info.sitters]
        view = _counted(view, info)
        return Picture(picture.draw(view, names), f"wall-{info.id}-{view.stamp}.png", picture.alt(view, names))

    def status(self, view: RopeWallView, info: TableInfo) -> str:
        """Return whose turn it is, and the score."""
        score = " : ".join(f"{info.name(Seat(seat))} **{freed}**" for seat, freed in enumerate(view.freed))
        if view.phase == "over":
            winner = _counted(view, info).winner
            if winner is None:
                return f"**Shared** – nobody got away with it.\n-# {score}"
            return f"★ {info.name(winner)} **wins!**\n-# {score} of {view.goal}"
        if view.interlude is not None:
            over = "" if view.ropes else "The round was cancelled. "
            waits = interludes.waits(view.interlude, info, "The next round begins")
            return f"▶ {over}Round {view.round} is over · {score} of {view.goal}\n{waits}"
        assert view.turn is not None
        what = "won the round and chooses the exit" if view.phase == "choose" else self._warning(view)
        first = f"▶ {info.name(view.turn)}'s move{info.runs_out(view.waiting)}"
        return f"{first}\n-# Round {view.round} · {score} of {view.goal}{f' · {what}' if what else ''}"

    def _warning(self, view: RopeWallView) -> str:
        """How soon the round may be cancelled; empty while that is far away."""
        if view.full_turns_left is not None:
            return f"the wall is full: {_count(view.full_turns_left, 'turn')} until the round is cancelled"
        if view.pushes_left <= 10:
            return f"{_count(view.pushes_left, 'push', 'pushes')} until the round is cancelled"
        return ""

    def news(self, view: RopeWallView, info: TableInfo) -> str:
        """Return what happened last."""
        lines: list[str] = []
        for push in view.recent:
            words = f"{info.name(push.seat)} pushed {opening_code(Opening(push.floor, push.side))}"
            if push.fell is not None:
                words += f"; a knot of {info.name(push.fell)} fell out on the other side"
            lines.append(words)
        if view.last_wall is not None:
            begins = "" if view.phase == "over" else " A new round begins."
            lines.append(f"{self._how_it_ended(view, view.last_wall, info)}{begins}")
        elif view.phase != "push" and (view.ropes or view.phase == "interlude"):
            lines.append(self._how_it_ended(view, view.wall, info))
        return "\n".join(f"-# {line}" for line in lines[-2:])

    def _how_it_ended(self, view: RopeWallView, wall: Wall, info: TableInfo) -> str:
        if not view.ropes:
            return "Nobody finished a rope in time: the round was cancelled."
        floor, column = view.ropes[0][0]
        winner = wall[floor - 1][column - 1]
        assert winner is not None  # ropes are made of knots
        if view.phase == "choose":
            return f"{info.name(winner)} finished a rope."
        freed = "two ropes, and two prisoners are" if len(view.ropes) == 2 else "a rope, and a prisoner is"
        return f"{info.name(winner)} finished {freed} out."

    def _openings(self, view: RopeWallView) -> list[Row]:
        assert view.turn is not None
        barred = view.barred[view.turn]
        arrows = {"left": "▶", "right": "◀"}
        return [
            Row(
                tuple(
                    Button(
                        f"{opening_code(Opening(floor, side))} {arrows[side]}",
                        "push",
                        opening_code(Opening(floor, side)),
                        style="primary" if side == "left" else "secondary",
                        disabled=Opening(floor, side) in barred,
                    )
                    for floor in range(1, view.floors + 1)
                )
            )
            for side in SIDES
        ]

    def _exits(self, view: RopeWallView) -> list[Row]:
        buttons = tuple(
            Button(
                "Exit " + " and ".join(map(str, columns)),
                "exit",
                "-".join(map(str, columns)),
                style="success",
            )
            for columns in view.choices
        )
        return [Row(buttons[i : i + 5]) for i in range(0, len(buttons), 5)]

    # What players ask

    def press(self, view: RopeWallView, info: TableInfo, control: Control) -> Action | Page | Form:
        """Return what a button of the table asks for."""
        match control.verb:
            case "push":
                opening = read_opening(control.argument)
                if opening is not None:
                    return Push(opening.floor, opening.side)
            case "exit":
                columns = control.argument.split("-")
                if all(column.isdecimal() and len(column) < 3 for column in columns):
                    return ChooseExits(tuple(int(column) for column in columns))
            case "ready":
                return Ready()
        raise UserError("That button does not exist at this table.")

    def fresh(self, view: RopeWallView, control: Control) -> bool:
        """Every push changes what the openings mean."""
        return control.stamp == view.stamp

    def advice(self, view: RopeWallView, info: TableInfo, legal: Sequence[Action]) -> str:
        """Say what the seat can do now, and why not the rest."""
        lines = ["### What can I do?"]
        pushes = [a for a in legal if isinstance(a, Push)]
        exits = [" and ".join(map(str, a.columns)) for a in legal if isinstance(a, ChooseExits)]
        if pushes and view.seat is not None:
            if not info.ranked:
                pushes.sort(key=lambda push: -_worth(view, push))
            codes = ", ".join(opening_code(Opening(push.floor, push.side)) for push in pushes)
            lines.append(f"Push a knot into one of the openings {codes} – with the buttons, or `/rope-wall push`.")
            lines += [] if info.ranked else [*_told(view, pushes)]
        elif exits:
            lines.append(f"You won the round. Choose the exit: {'; '.join(exits)}.")
        elif view.interlude is not None:
            lines.append(interludes.advice(view.interlude, view.seat))
        elif view.turn is not None:
            lines.append(f"Wait: it is {info.name(view.turn)}'s turn.")
        if view.seat is not None and view.barred[view.seat]:
            barred = ", ".join(opening_code(opening) for opening in view.barred[view.seat])
            lines.append(
                f"Not allowed on your next turn: {barred}. A knot of yours has just fallen out there, "
                "and it may not go straight back in."
            )
        if view.seat is not None:
            lines.append(
                f"You have {_count(view.hands[view.seat], 'knot')} left. You can always resign: `/rope-wall resign`."
            )
        return "\n".join(lines)

    def text(self, view: RopeWallView, info: TableInfo) -> str:
        """Return the wall in letters."""
        names = ", ".join(f"{MARKED[seat]} is {sitter.name}" for seat, sitter in enumerate(info.sitters))
        return f"{names}\n{picture.as_text(view)}"

    def refusal(self, refusal: Refusal, info: TableInfo) -> str:
        """Return the sentence for a refused action, with its rule."""
        facts = refusal.facts
        turn = facts.get("turn")
        whose = info.name(Seat(turn)) if isinstance(turn, int) else "somebody else"
        match refusal.code:
            case "not-your-turn":
                return f"It is {whose}'s turn, not yours."
            case "no-knot":
                return f"You have no knot left: you wait until one of yours falls out of the wall. {whose} plays on."
            case "choose-first":
                return f"The round is over; first {whose} chooses the exit."
            case "no-such-opening":
                return "There is no such opening: floors are numbered from 1 at the bottom, sides are left and right."
            case "barred":
                side: Side = "left" if facts.get("side") == "left" else "right"
                name = opening_name(int(str(facts.get("floor"))), side)
                return (
                    f"{name} is barred for you this turn: a knot of yours has just fallen out there, "
                    "and it may not go straight back in."
                )
            case "nothing-to-choose":
                return "There is no exit to choose now: that comes after a rope is finished."
            case "not-a-choice":
                return "No finished rope ends there. *What can I do?* lists the exits you can choose."
            case _:
                return sentence(refusal, {})

    def rules(self) -> tuple[Page, ...]:
        """Return the rules in short."""
        pictures = {name: (data, alt) for name, data, alt in picture.draw_rules()}

        def shown(name: str) -> Picture:
            data, alt = pictures[name]
            return Picture(data, f"{name}.png", alt)

        aim = (
            Text(
                f"### {GAME.title} – the aim\n"
                "Both of you have thirteen knots. On your turn, push one of yours into the wall through one of the ten "
                "openings: five floors, left or right. It shoves the knots in front of it one step further.\n"
                "Whoever joins knots of their colour, side by side, from the lowest floor to the highest, has a rope, "
                "wins the round, and a prisoner climbs out. **Three prisoners win the game.**"
            ),
            shown("push"),
        )
        rope = (
            Text(
                "### What counts as a rope\n"
                "Knots hold side by side, never at corners. The wall is slippery, so a rope needs **at least one "
                "bend**: somewhere it must run sideways. A straight column does not hold, and a knot that merely "
                "sticks out beside it does not help."
            ),
            shown("rope"),
            shown("straight"),
        )
        small_print = (
            Text(
                "### Small print\n"
                "- On a full floor, your push makes a knot fall out on the other side. It goes back to its owner, who "
                "may not use that opening on their next turn. Two such bars can stand at once.\n"
                "- No knots left? You wait until one falls out.\n"
                "- Where a prisoner climbed out, that exit is closed for the rest of the game: ropes must end "
                "elsewhere, but may run along below it. If there is a choice of exits, the winner of the round "
                "chooses; if time runs out, it is the leftmost.\n"
                "- Finish ropes of both colours at once, and yours counts. Finish only the other's, and the round is "
                "theirs. Two ropes of your own at once, without a common knot and with two exits, free two prisoners.\n"
                "- If a full wall brings no rope within ten more turns (waiting counts), or a round none within eighty "
                "pushes, the round is cancelled. After **three cancelled rounds in a row** the game ends: whoever has "
                "freed more prisoners wins, and equal numbers share the win.\n"
                "- After a round the wall stays as it is until both of you are ready, for 20 seconds at the most, "
                "unless the table has no interludes.\n"
                "- Who begins is drawn by lot. The loser of a round begins the next; after a cancelled round it is the "
                "same player again."
            ),
            shown("eject"),
        )
        return tuple(Page(blocks, self.colour) for blocks in (aim, rope, small_print))

    def minutes(self, options: RopeWallOptions, seats: int) -> int:
        """A game has about two hundred pushes, most of them quick."""
        return 15

    def receipt(self, action: Action) -> None:
        """Say nothing: the table shows every move at once."""


def _worth(view: RopeWallView, push: Push) -> int:
    """How good a push of the reader is at first sight: 2 wins the round, -2 gives it away, -1 lets a knot of theirs
    fall out.
    """
    assert view.seat is not None
    verdict = judge(view, view.seat, push)
    if verdict.won is not None:
        return 2 if verdict.won.seat == view.seat else -2
    return -1 if verdict.fell == view.seat else 1 if verdict.fell is not None else 0


_WORDS = {
    2: "wins the round",
    1: "drops a knot of the other player",
    -1: "drops a knot of yours",
    -2: "finishes the rope of the other player",
}


def _told(view: RopeWallView, pushes: Sequence[Push]) -> Iterator[str]:
    """Yield what pushes do that do more than move knots on."""
    for worth, words in _WORDS.items():
        codes = [opening_code(Opening(push.floor, push.side)) for push in pushes if _worth(view, push) == worth]
        if codes:
            yield f"- {', '.join(codes)}: {words}"


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"

"""What players see of Prison Break: the table's page, the private panels, the controls, the rules in short.

The table page is made from the public view alone; whatever a seat keeps to itself stands on its private page, which
only it is sent. Views in, pages out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Board, Button, Choice, Field, Form, Page, Picture, Row, Select, Text
from cogs.core.router.custom_ids import Control
from cogs.core.screen import TableInfo
from cogs.prison_break import picture, rules, track
from cogs.prison_break.ending import lies_words
from cogs.prison_break.warden import is_number, offer_panel, seat_pair
from cogs.prison_break.words import (
    ACCEPT,
    OFFER_NAMES,
    REJECT,
    Who,
    at,
    claim,
    holds,
    joint_words,
    listed,
    log_lines,
    over_words,
    refusal_words,
    said,
    seen_words,
    signed,
    split_words,
    sum_words,
)
from engine.contract import Action, Refusal, Seat
from engine.games.prison_break import (
    GAME,
    NOTE_LENGTH,
    Decline,
    Guard,
    Note,
    Offer,
    Pass,
    Position,
    PrisonBreakOptions,
    PrisonBreakView,
    Sneak,
    Step,
    Vote,
    terms_of,
)

RECENT_LINES, RECENT_LENGTH = 2, 900
"""How much of the log stands on the table page, in lines and in characters."""

LOG_LINES, LOG_LENGTH = 14, 3_300
"""How much of the log stands on one of its pages."""

LAST_STEPS = 3
"""How many of the reader's own steps the private page tells."""


def note_form(view: PrisonBreakView) -> Form:
    """Return the form in which a seat writes its notepad."""
    field = Field(
        "text",
        "Where do you think they are?",
        view.note,
        "Only you ever see this.",
        long=True,
        limit=NOTE_LENGTH,
    )
    return Form("Your notepad", "note-write", (field,))


def who(info: TableInfo) -> Who:
    """Return how seats are called in this table's messages."""
    return info.name


def _counted(view: PrisonBreakView, info: TableInfo) -> PrisonBreakView:
    """Return the view with those who have won: where some had left the game, the track does not say it."""
    first = tuple(info.first(view.winners))
    if view.phase != "over" or first == tuple(view.winners):
        return view
    return msgspec.structs.replace(view, winners=first, reason=None)


class PrisonBreakScreen:
    """The screen of `prison_break`; see `cogs.core.screen.Screen`."""

    game = GAME
    command = "prison-break"
    colour = 0x5B7FD6
    tagline = "Sneak along your hidden track, lie about how far, and be on EXIT when the round ends."
    open_verbs: frozenset[str] = frozenset({"log"})

    # The table

    def picture(self, view: PrisonBreakView, info: TableInfo) -> Picture:
        """Return the public truth: what is known of everyone."""
        names = [sitter.name for sitter in info.sitters]
        view = _counted(view, info)
        return Picture(picture.draw(view, names), f"prison-{info.id}-{view.stamp}.png", picture.alt(view, names))

    def news(self, view: PrisonBreakView, info: TableInfo) -> str:
        """Return what happened last; at the end the truth."""
        if view.phase == "over":
            return self._truth(view, info)
        lines = _last_that_fit(log_lines(view, who(info), RECENT_LINES), RECENT_LENGTH)
        return "\n".join(f"-# {line}" for line in lines)

    def status(self, view: PrisonBreakView, info: TableInfo) -> str:
        """Return whose move it is, the offer that is voted on; at the end who has won."""
        if view.phase == "over":
            return f"🏆 {over_words(_counted(view, info), who(info))}!"
        waited = listed([info.name(seat) for seat in view.waiting])
        small = f"Round {view.round} of {view.round_limit} · Warden {info.name(view.warden)}"
        match view.phase:
            case "sneak":
                what = "to sneak"
            case "offer":
                what = "an offer, or none"
            case "vote":
                what = self._proposal(view, info)
            case "guard":
                what = "a guard check, or none"
            case _:
                assert_never(view.phase)
        if view.no_sneak_round > view.round:
            small += " · no Sneak phase next round"
        return f"▶ {waited}'s move{info.runs_out(view.waiting)}\n-# {small} · {what}"

    def _proposal(self, view: PrisonBreakView, info: TableInfo) -> str:
        """Who votes on what, and whose vote is in: never how."""
        assert view.proposal is not None
        voters = " and ".join(
            f"{info.name(seat)} ({'vote is in' if seat in view.proposal.voted else 'to vote'})"
            for seat in (view.proposal.first, view.proposal.second)
        )
        return f"**{OFFER_NAMES[view.proposal.kind]}** for {voters}"

    def _truth(self, view: PrisonBreakView, info: TableInfo) -> str:
        """At the end: how far everyone's words and steps were apart."""
        lines = ["**What really happened**"]
        for number, (path, position) in enumerate(zip(view.paths, view.positions, strict=True)):
            ended = at(position or 0, view.spaces)
            lines.append(f"-# {info.name(Seat(number))} ends {ended}, {lies_words(path)}")
        return "\n".join(lines)

    def controls(self, view: PrisonBreakView, info: TableInfo) -> Sequence[Row | Select]:
        """Return what is public. What is secret is done in the cockpit."""
        log = Button("Log", "log")
        match view.phase:
            case "sneak":
                return [Row((Button("Sneak", "hand", "sneak", style="success"), log))]
            case "offer":
                offer = Button("Make an offer", "offer", style="success")
                return [Row((offer, Button("No offer", "decline"), log))]
            case "vote":
                return [Row((Button("Vote", "hand", "vote", style="success"), log))]
            case "guard":
                return [self._guard_select(view, info), Row((Button("No check", "pass"), log))]
            case "over":
                return [Row((log,))]
            case _:
                assert_never(view.phase)

    def _guard_select(self, view: PrisonBreakView, info: TableInfo) -> Select:
        """The numbered spaces; what is said about them is public."""
        names = [sitter.name for sitter in info.sitters]
        choices = tuple(
            Choice(f"Space {space}", str(space), space_hint(view, space, names)[:100] or None)
            for space in _spaces(view)
        )
        return Select("guard", choices, "Send the guards to …")

    # What only one seat sees

    def own(self, view: PrisonBreakView, info: TableInfo) -> Sequence[Block]:
        """Return a seat's own track, what it may do now, and its notepad; at the end the picture that shows all."""
        assert view.seat is not None
        seat = view.seat
        note = Text("**Notepad**\n" + "\n".join(f"> {line}" for line in view.note.split("\n")))
        if view.phase == "over":
            return (Board(), note) if view.note else (Board(),)
        names = [sitter.name for sitter in info.sitters]
        return (
            Picture(track.draw(view, names), f"track-{info.id}.png", track.alt(view, names)),
            Text(self._todo(view, seat, info)),
            *self._private_controls(view, seat, info),
            Text(self._own(view, seat)),
            *([note] if view.note else []),
        )

    def _own(self, view: PrisonBreakView, seat: Seat) -> str:
        position, prisoner = view.positions[seat] or 0, view.prisoners[seat]
        lines = [
            f"-# You are {at(position, view.spaces)}. The others know: {seen_words(view, seat)}, "
            f"{sum_words(said(view)[seat], prisoner.printed)}; if they believe you, you are "
            f"{at(claim(view, seat), view.spaces)}."
        ]
        lines += [f"-# {_step_words(step, view)}" for step in view.paths[seat][-LAST_STEPS:]]
        return "\n".join(lines)

    def _todo(self, view: PrisonBreakView, seat: Seat, info: TableInfo) -> str:
        """What the seat is asked for, in words that fit the panel and the direct message."""
        if view.phase == "over":
            return ""
        if seat not in view.waiting:
            if view.proposal is not None and view.my_vote is not None:
                vote = f"{ACCEPT} Accept" if view.my_vote else f"{REJECT} Reject"
                return f"Your vote is in: **{vote}**. It is shown when both are."
            if view.phase == "sneak" and seat in view.sits_out:
                return "You sit out this Sneak phase: the guards caught you."
            return f"-# Waiting for {listed([info.name(other) for other in view.waiting])}."
        match view.phase:
            case "sneak" if holds(view, seat):
                return "▶ **Your sneak.** Lock Down holds you: say what you like, but you go 0."
            case "sneak":
                return "▶ **Your sneak:** what you say to all, and how far you really go."
            case "offer":
                return "▶ **You are the Warden:** make an offer to two players, or none."
            case "vote":
                return self._stakes(view, seat, info)
            case "guard":
                return "▶ **Guard check:** a token sends every pawn on a space to JAIL, your own too. Or pass."
            case _:
                assert_never(view.phase)

    def _stakes(self, view: PrisonBreakView, seat: Seat, info: TableInfo) -> str:
        """What follows from the reader's vote and the other one's."""
        assert view.proposal is not None
        terms = terms_of(view.proposal.kind, view.terms)
        other = view.proposal.second if seat == view.proposal.first else view.proposal.first
        accept, reject = split_words(terms)
        return (
            f"▶ **Vote on {OFFER_NAMES[view.proposal.kind]}**, with {info.name(other)}. A vote is final.\n"
            f"{ACCEPT}{ACCEPT} {joint_words(terms.both_accept)}\n"
            f"{ACCEPT}{REJECT} you accept, they reject: you {accept}; they {reject}\n"
            f"{REJECT}{ACCEPT} you reject, they accept: you {reject}; they {accept}\n"
            f"{REJECT}{REJECT} {joint_words(terms.both_reject)}"
        )

    def _private_controls(self, view: PrisonBreakView, seat: Seat, info: TableInfo) -> list[Block]:
        blocks: list[Block] = []
        if seat in view.waiting:
            match view.phase:
                case "sneak":
                    blocks += self._sneaks(view, seat)
                case "offer":
                    buttons = (Button("Make an offer", "offer", style="success"), Button("No offer", "decline"))
                    blocks.append(Row(buttons))
                case "vote":
                    buttons = (
                        Button(f"{ACCEPT} Accept", "vote", "accept", style="success"),
                        Button(f"{REJECT} Reject", "vote", "reject", style="danger"),
                    )
                    blocks.append(Row(buttons))
                case "guard":
                    blocks += [self._guard_select(view, info), Row((Button("No check", "pass"),))]
                case "over":
                    pass
                case _:
                    assert_never(view.phase)
        blocks.append(Row((Button("Write a note", "note"),)))
        return blocks

    def _sneaks(self, view: PrisonBreakView, seat: Seat) -> list[Block]:
        """One button for each pair of what is said and how far one goes: the sneak is a single press."""
        spaces = range(view.longest_sneak + 1)
        moves = (0,) if holds(view, seat) else spaces
        return [
            Row(
                tuple(
                    Button(
                        f"say {declared}, go {moved}",
                        "sneak",
                        f"{declared}.{moved}",
                        style="primary" if declared == moved else "secondary",
                    )
                    for moved in moves
                )
            )
            for declared in spaces
        ]

    # What players ask

    def press(self, view: PrisonBreakView, info: TableInfo, control: Control) -> Action | Page | Form:
        """Return what a control asks for. Raises `UserError` for one that does not exist."""
        match control.verb, control.argument.split("."):
            case "sneak", [declared, moved] if is_number(declared) and is_number(moved):
                return Sneak(int(declared), int(moved))
            case "offer" | "offer-card" | "offer-players", _:
                return self._offer(view, info, control)
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
                return note_form(view)
            case "note-write", _:
                return Note(dict(control.fields).get("text", "").strip())
            case "log", _:
                return self._log(view, info, control.argument)
            case _:
                raise UserError("That button does not exist at this table.")

    def _offer(self, view: PrisonBreakView, info: TableInfo, control: Control) -> Page:
        if view.phase != "offer":
            raise UserError(self.refusal(Refusal("wrong-phase", phase=view.phase, needs="offer"), info))
        if view.seat != view.warden:
            raise UserError(self.refusal(Refusal("not-warden", warden=view.warden), info))
        return offer_panel(view, info, control, self.colour)

    def fresh(self, view: PrisonBreakView, control: Control) -> bool:
        """The notepad is always there; everything else is for the moment it was drawn for."""
        return control.verb in ("note", "note-write") or control.stamp == view.stamp

    def _log(self, view: PrisonBreakView, info: TableInfo, argument: str) -> Page:
        pages = _pages(log_lines(view, who(info)))
        last = len(pages) - 1
        number = min(int(argument), last) if is_number(argument) else last
        leaf = Row(
            (
                Button("◀ Earlier", "log", str(max(number - 1, 0)), disabled=number == 0),
                Button(f"{number + 1} of {last + 1}", "log", f"{number}.here", disabled=True),
                Button("Later ▶", "log", str(number + 1), disabled=number == last),
            )
        )
        body = "\n".join(["### What happened so far", *pages[number]])
        return Page((Text(body), leaf) if last else (Text(body),), self.colour)

    def advice(self, view: PrisonBreakView, info: TableInfo, legal: Sequence[Action]) -> str:
        """Say what the seat can do now, and why not the rest."""
        lines = ["### What can I do?", *self._possible(view, info, legal)]
        if view.seat is not None:
            prisoner = view.prisoners[view.seat]
            if prisoner.skips:
                lines.append("The guards caught you: you skip the next Sneak phase that takes place.")
            if prisoner.held_round > view.round:
                lines.append("Lock Down: next round you declare, but you may not move forward.")
            elif holds(view, view.seat):
                lines.append("Lock Down: this round you may not move forward; an offer's steps back still count.")
            if not prisoner.tokens:
                lines.append("You have no token left, so you make no guard checks; a Bribe can bring one.")
            lines.append("At any time: write your notepad (*Play*, or `/prison-break note`).")
        return "\n".join(lines)

    def _possible(self, view: PrisonBreakView, info: TableInfo, legal: Sequence[Action]) -> list[str]:
        sneaks = [a for a in legal if isinstance(a, Sneak)]
        if sneaks:
            most = max(a.declare for a in sneaks)
            far = max(a.move for a in sneaks)
            move = f"move 0 to {far} in secret – it need not be the same" if far else "stay where you are (Lock Down)"
            return [f"Sneak: declare 0 to {most} aloud, and {move}. *Sneak*, or `/prison-break sneak`."]
        if any(isinstance(a, Offer) for a in legal):
            up = listed([OFFER_NAMES[offer.kind] for offer in view.row if offer.up])
            return [
                f"You are the Warden. Make an offer ({up}) to any two players: *Make an offer*, or "
                "`/prison-break offer`. Or make none: *No offer*, `/prison-break decline`."
            ]
        if any(isinstance(a, Vote) for a in legal) and view.seat is not None:
            return [self._stakes(view, view.seat, info), "Press *Vote*, or use `/prison-break vote`."]
        if any(isinstance(a, Guard) for a in legal):
            return [
                f"Spend a token and send the guards to a space from 1 to {view.spaces}: everyone there goes to JAIL, "
                "you too. Choose it below the picture, or `/prison-break guard`. Or *No check*, `/prison-break pass`."
            ]
        lines = []
        if view.waiting:
            lines.append(f"Wait for {listed([info.name(seat) for seat in view.waiting])}.")
        if view.phase == "vote" and view.my_vote is not None:
            lines.append("Your vote is in, and final.")
        elif view.phase == "sneak" and view.seat in view.sits_out:
            lines.append("You sit out this Sneak phase, because the guards caught you.")
        return lines

    def text(self, view: PrisonBreakView, info: TableInfo) -> str:
        """Return the table, and the reader's own track, in letters."""
        return picture.as_text(view, [sitter.name for sitter in info.sitters])

    def refusal(self, refusal: Refusal, info: TableInfo) -> str:
        """Return the sentence for a refused action, with its rule."""
        return refusal_words(refusal, who(info))

    def rules(self) -> tuple[Page, ...]:
        """Return the rules in short."""
        return rules.pages(self.colour)

    def minutes(self, options: PrisonBreakOptions, seats: int) -> int:
        """A race of about seven rounds, unless it is cut short; a round is everybody's sneak, offer and guard."""
        return min(10 + 5 * seats, options.round_limit * 3 * seats // 4)

    def receipt(self, action: Action) -> None:
        """Say nothing: the table shows every move at once."""


def space_hint(view: PrisonBreakView, space: Position, names: Sequence[str]) -> str:
    """Return what everybody knows about a space: who was last seen there, and who would be there if honest."""
    seen = [names[seat] for seat, prisoner in enumerate(view.prisoners) if prisoner.seen == space]
    claimed = [names[seat] for seat in range(len(view.prisoners)) if claim(view, Seat(seat)) == space]
    parts = []
    if seen:
        parts.append(f"{listed(seen)} last seen here")
    if claimed:
        parts.append(f"{listed(claimed)} here if all they said is true")
    return "; ".join(parts)


def _spaces(view: PrisonBreakView) -> range:
    return range(1, view.spaces + 1)


def _step_words(step: Step, view: PrisonBreakView) -> str:
    here = at(step.position, view.spaces)
    match step.cause:
        case "sneak":
            return f"Round {step.round}: said {step.declared}, went {step.steps}, then {here}"
        case "offer":
            return f"Round {step.round}: an offer, {signed(step.steps)}, then {here}"
        case "guards":
            return f"Round {step.round}: caught by guards, then {here}"
        case _:
            assert_never(step.cause)


def _last_that_fit(lines: Sequence[str], length: int) -> list[str]:
    """Return the last of the lines, as many as fit into so many characters."""
    kept: list[str] = []
    for line in reversed(lines):
        length -= len(line)
        if length < 0:
            break
        kept.insert(0, line)
    return kept


def _pages(lines: Sequence[str]) -> list[list[str]]:
    """Return the log cut into pages; there is always one."""
    pages: list[list[str]] = [[]]
    for line in lines:
        if len(pages[-1]) == LOG_LINES or sum(map(len, pages[-1])) + len(line) > LOG_LENGTH:
            pages.append([])
        pages[-1].append(line)
    return pages

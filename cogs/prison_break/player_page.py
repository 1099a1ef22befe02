"""The player page of one seat: its own track, what it is asked for, its controls, its notepad and its markers.

Made from the seat's own view, for that seat alone.
"""

from collections.abc import Iterator
from typing import assert_never

from cogs.core.i18n.translation import _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Modal, Picture, Text, TextInput
from cogs.prison_break import log, track_picture
from cogs.prison_break.controls import own_controls
from cogs.prison_break.markers_page import markers_words
from cogs.prison_break.offer_page import own_table
from cogs.prison_break.words import (
    at,
    claim,
    declarations,
    is_held,
    joint_words,
    offer_name,
    place,
    seen_words,
    split_words,
    steps_words,
    sum_words,
    vote_words,
)
from engine.contract import Seat
from engine.games.prison_break import NOTE_LENGTH, PrisonBreakView, Step, note_digest, terms_of

LAST_STEPS = 1
"""The number of the reader's own last steps listed: with four players no more fit above their picture on a phone."""


def player_blocks(view: PrisonBreakView, info: TableContext) -> Iterator[Block]:
    """Yield the parts of a seat's player page below the status; at the end the picture with everything revealed."""
    assert view.seat is not None
    if view.phase == "over":
        yield BoardPlaceholder()
    elif view.interlude is not None:
        yield BoardPlaceholder()
        yield from own_controls(view, view.seat, info)
    else:
        # Above the picture, so that a phone shows the picture and all that can be pressed at once.
        yield Text(f"{log.recent(view, info)}\n{_whereabouts(view, view.seat, info)}".strip())
        yield _picture(view, info)
        if todo := _task_text(view, view.seat, info):
            yield Text(todo)
        yield from own_controls(view, view.seat, info)
    if view.note:
        yield Text("\n".join([_("**Notepad**"), *(f"> {line}" for line in view.note.split("\n"))]))


def _picture(view: PrisonBreakView, info: TableContext) -> Picture:
    """Return the reader's own track; for a Warden who chooses an offer the table, where the offers are face up."""
    if view.phase == "offer" and view.seat in view.to_act:
        return own_table(view, info)
    return own_track(view, info)


def own_track(view: PrisonBreakView, info: TableContext) -> Picture:
    """Return the reader's own track as a picture."""
    names = info.distinct_names
    return Picture(track_picture.draw(view, names), f"track-{info.id}.png", track_picture.alt(view, names))


def note_form(view: PrisonBreakView) -> Modal:
    """Return the form in which a seat writes its notepad. Its custom_id changes with what the notepad says: for a form
    that they know, some clients show what it said the first time.
    """
    field = TextInput(
        "text",
        _("Where do you think they are?"),
        view.note,
        _("Only you ever see this."),
        long=True,
        limit=max(NOTE_LENGTH, len(view.note)),
    )
    return Modal(_("Your notepad"), "note-write", (field,), note_digest(view.note))


def _task_text(view: PrisonBreakView, seat: Seat, info: TableContext) -> str:
    """Return what the seat is asked for, in words that fit the player page and the direct message."""
    if seat not in view.to_act:
        return _waiting_text(view, seat)
    match view.phase:
        case "sneak" if is_held(view, seat):
            return _("▶ **Your turn to sneak.** Lock Down holds you: say what you like, but you go 0.")
        case "sneak":
            return _("▶ **Your turn to sneak.** Blue is honest, grey a lie.")
        case "offer" if len(view.prisoners) == 2:
            return _("▶ **You are the Warden:** make an offer (both of you vote on it), or none.")
        case "offer":
            return _("▶ **You are the Warden:** make an offer to two players, or none.")
        case "vote":
            return stakes(view, seat, info)
        case "guard":
            return _("▶ **Guard check:** spend a token, and every pawn on a space goes to JAIL, yours too.")
        case "interlude" | "over":
            return ""
        case _:
            assert_never(view.phase)


def _waiting_text(view: PrisonBreakView, seat: Seat) -> str:
    """Return why the seat has nothing to do; empty where the status names the player to move."""
    if view.proposal is not None and view.my_vote is not None:
        return _("You voted **{vote}**. Both votes are shown once both are in.", vote=vote_words(accept=view.my_vote))
    if view.phase == "sneak" and seat in view.sits_out:
        return _("You sit out this Sneak phase: the guards caught you.")
    return ""


def stakes(view: PrisonBreakView, seat: Seat, info: TableContext) -> str:
    """Return the consequences of the reader's vote for either vote of the other player."""
    assert view.proposal is not None
    terms = terms_of(view.proposal.kind, view.terms)
    other = view.proposal.second if seat == view.proposal.first else view.proposal.first
    accept, reject = split_words(terms)
    title = _(
        "▶ **Vote on {offer}** with {other}. Your vote is final.",
        offer=offer_name(view.proposal.kind),
        other=info.name(other),
    )
    return "\n".join(
        [
            title,
            f"✓✓ {joint_words(terms.both_accept)}",
            _("✓⊘ you accept, they reject – you: {accept}; they: {reject}", accept=accept, reject=reject),
            _("⊘✓ you reject, they accept – you: {reject}; they: {accept}", accept=accept, reject=reject),
            f"⊘⊘ {joint_words(terms.both_reject)}",
        ]
    )


def _whereabouts(view: PrisonBreakView, seat: Seat, info: TableContext) -> str:
    """Return where the seat is, what the others know of it, its last steps, and its markers."""
    position, prisoner = view.positions[seat] or 0, view.prisoners[seat]
    # Translators: claimed is "in JAIL" or "on 7"; seen is "started in JAIL", said is "said 2 since".
    thought = _(
        "They think you're {claimed}: {seen}, {said}.",
        claimed=at(claim(view, seat), view.spaces),
        seen=seen_words(view, seat),
        said=sum_words(declarations(view)[seat], prisoner.printed),
    )
    lines = [f"-# {_('You are {where}.', where=at(position, view.spaces))} {thought}"]
    lines += [f"-# {_step_words(step, view)}" for step in view.paths[seat][-LAST_STEPS:]]
    if marked := markers_words(view, [info.name(Seat(other)) for other in range(len(view.prisoners))]):
        lines.append(f"-# {marked}")
    return "\n".join(lines)


def _step_words(step: Step, view: PrisonBreakView) -> str:
    here = place(step.position, view.spaces)
    match step.cause:
        case "sneak":
            return _(
                "Round {round}: said {said}, went {gone} → {place}",
                round=step.round,
                said=step.declared,
                gone=step.steps,
                place=here,
            )
        case "offer":
            # Translators: moved by an offer; steps is "2 forward".
            return _(
                "Round {round}: offer, {steps} → {place}", round=step.round, steps=steps_words(step.steps), place=here
            )
        case "guards":
            return _("Round {round}: caught by guards → {place}", round=step.round, place=here)
        case _:
            assert_never(step.cause)

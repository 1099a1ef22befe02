"""What happened, in words: notes as lines for everyone or for one reader, and catches with their reason."""

from cogs.break_out.words import FAULTS, a_face, face_name, meld_name, pictured, pictured_face, seconds
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import labelled
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
from engine.contract import Seat
from engine.games.break_out import (
    DRAW,
    SUPER,
    BreakOut,
    Card,
    Catch,
    Extend,
    Extract,
    Face,
    Lay,
    Move,
    Note,
    Play,
    PlayDraw,
)

# ------------------------------------------------------------------------------------------------------- for everyone


def act_words(note: Note) -> str:
    """Return what a player did on their turn, as everyone saw it, to follow their name and a colon."""
    match note.kind:
        case "drew":
            # Translators: what a player did, after their name and a colon; so are the messages that follow.
            return _("took a card")
        case "next":
            return _("said NEXT")
    assert note.play is not None
    return _play_words(note.play)


def _play_words(play: Play) -> str:
    match play:
        case Lay(cards=cards) if cards:
            return _("laid {cards}", cards=pictured(cards))
        case Lay(cell=cell):
            return ngettext("laid {n} cell card", "laid {n} cell cards", len(cell))
        case Extend(meld=meld, cards=cards) if cards:
            return _("added {cards} to {meld}", cards=pictured(cards), meld=meld_name(meld))
        case Extend(meld=meld, cell=cell):
            return ngettext(
                "added {n} cell card to {meld}", "added {n} cell cards to {meld}", len(cell), meld=meld_name(meld)
            )
        case BreakOut(route=1, cards=cards):
            return _("**broke out** with {cards}", cards=pictured(cards))
        case BreakOut(route=2, cards=cards, meld=meld):
            return _("**broke out** with {meld} and {cards}", meld=meld_name(meld or 0), cards=pictured(cards))
        case BreakOut(route=3):
            return _("**broke out** with a full cell")
        case BreakOut():
            return _("**broke out** with a Super Wild")
        case Extract(card=card, cell=None):
            return _("swapped {card} for a Wild", card=pictured_face(card.face))
        case Extract(card=card):
            return _("swapped {card} from their cell for a Wild", card=pictured_face(card.face))
        case PlayDraw(face=face):
            if face == SUPER:
                return _("played {card} as a DRAW card: everyone else took a card", card=pictured_face(face))
            return _("played {card}: everyone else took a card", card=pictured_face(face))
        case Move(melds=melds):
            return ngettext("moved {n} cell meld to the Yard", "moved {n} cell melds to the Yard", len(melds))
    raise AssertionError(play)


def catch_reason(catch: Catch) -> str:
    """Return why a catch was right."""
    if catch.kind == "draw":
        return _("no card was played or taken")
    assert catch.laid is not None and catch.fault is not None
    shown = catch.laid.play.card if isinstance(catch.laid.play, Extract) else None
    cards = catch.laid.cards if shown is None else (shown,)
    fault = _(FAULTS[catch.fault])
    return labelled(pictured(cards), fault)


def catch_words(catch: Catch, info: TableContext, reader: Seat | None) -> str:
    """Return who caught whom, with what, why, and by how much, for this reader."""
    call = f"{catch.kind.upper()}!"
    catcher, caught = info.name(catch.catcher), info.name(catch.caught)
    if catch.catcher == reader:
        who = _("You caught {player} with **{call}**", player=caught, call=call)
    elif catch.caught == reader:
        who = _("{player} caught you with **{call}**", player=catcher, call=call)
    else:
        who = _("{player} caught {other} with **{call}**", player=catcher, other=caught, call=call)
    words = f"{who} – {catch_reason(catch)}"
    if catch.margin is None:
        return words
    margin = _("{seconds} before the next NEXT", seconds=seconds(catch.margin))
    return f"{words} · {margin}"


def note_words(note: Note, info: TableContext) -> str | None:
    """Return a note as a line for everyone; None if the picture is enough, or if it is an act (`act_words`)."""
    who = info.name(note.seat)
    other = "" if note.other is None else info.name(note.other)
    call = _call(note)
    match note.kind:
        case "round":
            return _("Round {number} begins: {player} plays first", number=note.count, player=who)
        case "drew" | "played" | "next":
            return None
        case "wrong" if note.count:
            return _("{player} called {call} on {other}, was wrong and took a card", player=who, call=call, other=other)
        case "wrong":
            return _("{player} called {call} on {other} and was wrong", player=who, call=call, other=other)
        case "late":
            late = _late(note, who, other)
            return " · ".join([late, _("the card went back")]) if note.count else late
        case "caught":
            return _("{player} caught {other} with **{call}**", player=who, other=other, call=call)
        case "nearer" if note.right:
            return _("{player} called {call} too, but {other} was nearer", player=who, call=call, other=other)
        case "nearer":
            return _("{player} called {call} too, but {other} was first", player=who, call=call, other=other)
        case "undone":
            return ngettext("{player} got {n} card back", "{player} got {n} cards back", note.count, player=who)
        case "forced":
            return _("{player} had to take a card", player=who)
        case "given" if note.lapsed:
            return _("{player} gave {other} a card, chosen by the clock", player=who, other=other)
        case "given":
            return _("{player} gave {other} a card", player=who, other=other)
        case "pointed" if note.right:
            return ngettext(
                "{player} pointed at a bad meld: its {n} card left the game",
                "{player} pointed at a bad meld: its {n} cards left the game",
                note.count,
                player=who,
            )
        case "pointed":
            return _("{player} pointed at a legal meld", player=who)
        case "lapsed":
            return _("{player}'s time ran out", player=who)
        case "out":
            return _("{player} has no cards left and wins the round", player=who)


def _late(note: Note, who: str, other: str) -> str:
    if note.ms is None:
        return _("{player} called {call} on {other} too late", player=who, call=_call(note), other=other)
    return _(
        "{player} called {call} on {other}, {seconds} too late",
        player=who,
        call=_call(note),
        other=other,
        seconds=seconds(note.ms),
    )


def with_evidence(words: str, note: Note) -> str:
    """Return a line of the log; that of a call with the time at which it was received."""
    if note.after is None:
        return words
    return " · ".join([words, _("{seconds} after NEXT", seconds=seconds(note.after))])


# ------------------------------------------------------------------------------------------------------ for one reader


def own_words(note: Note, seat: Seat, info: TableContext) -> str | None:
    """Return a note in words for the seat it concerns; None for other seats, and for the seat's own action."""
    if note.seat == seat and note.kind in ("wrong", "late", "nearer"):
        return _own_call(note, info)
    other = "" if note.other is None else info.name(note.other)
    card = None if note.face is None else _bold(note.face)
    mine = note.seat == seat
    dealt = [Card(face) for owner, face in note.dealt if owner == seat]
    match note.kind:
        case "played" if dealt and isinstance(note.play, PlayDraw):
            who, taken = info.name(note.seat), _bold(dealt[0].face)
            if note.play.face == DRAW:
                return _("{player}'s DRAW card: you took {card}.", player=who, card=taken)
            return _("{player}'s Super Wild: you took {card}.", player=who, card=taken)
        case "drew" if card is not None:
            return _("You took {card}.", card=card)
        case "forced" if card is not None:
            return _("You had to take {card}.", card=card)
        case "undone" if dealt:
            return ngettext(
                "You got {n} card back: {cards}.", "You got {n} cards back: {cards}.", len(dealt), cards=pictured(dealt)
            )
        case "given" if mine and card is not None and note.lapsed:
            return _("Your time ran out, so {player} got your costliest card: {card}.", player=other, card=card)
        case "given" if mine and card is not None:
            return _("You gave {player} {card}.", player=other, card=card)
        case "given" if note.other == seat and card is not None:
            return _("{player} gave you {card}.", player=info.name(note.seat), card=card)
        case "pointed" if mine and note.right:
            return ngettext(
                "You pointed at a bad meld: its {n} card left the game.",
                "You pointed at a bad meld: its {n} cards left the game.",
                note.count,
            )
        case "pointed" if mine:
            return _("You pointed at a legal meld: nothing happens. You can point again from your next turn on.")
        case "lapsed" if mine:
            return _("Your time ran out: NEXT was said for you.")
        case _:
            return None


def _own_call(note: Note, info: TableContext) -> str | None:
    """Return what became of the reader's own call that caught no one."""
    call, other = _call(note), "" if note.other is None else info.name(note.other)
    match note.kind:
        case "wrong":
            if note.face is None:
                return _("Your **{call}** on {player} was wrong: it costs nothing.", call=call, player=other)
            taken = _bold(note.face)
            return _("Your **{call}** on {player} was wrong: you took {card}.", call=call, player=other, card=taken)
        case "late":
            if note.ms is None:
                late = _("Your **{call}** on {player} was too late: it costs nothing.", call=call, player=other)
            else:
                late = _(
                    "Your **{call}** on {player} was {seconds} too late: it costs nothing.",
                    call=call,
                    player=other,
                    seconds=seconds(note.ms),
                )
            return " ".join([late, _("Your card went back to the pile.")]) if note.count else late
        case _ if note.whom is None:
            return None
    whom = info.name(note.whom)
    if note.right:
        return _("Your **{call}** on {player} was right, but {other} was nearer.", call=call, player=whom, other=other)
    return _("Your **{call}** on {player} was right, but {other} called first.", call=call, player=whom, other=other)


def _call(note: Note) -> str:
    return f"{(note.call or '').upper()}!"


def _bold(face: Face) -> str:
    """Return a card that came to a player's hand."""
    return faced([face_name(face)], f"**{a_face(face)}**")

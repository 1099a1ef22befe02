"""Break-Out in words: cards and melds as people write and read them, what happened, and the sentences for refusals."""

import re
from collections.abc import Sequence

from cogs.core.ops.text_format import count, signed
from cogs.core.pages.emoji_markup import faced
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence, whose
from engine.contract import Refusal, Seat
from engine.games.break_out import (
    COLOURS,
    DRAW,
    LETTERS,
    NATURAL,
    START,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Card,
    Cards,
    Catch,
    Extend,
    Extract,
    Face,
    Fault,
    FinishedRound,
    Lay,
    MeldView,
    Move,
    Note,
    Play,
    PlayDraw,
    in_order,
    points,
)

_CARD = re.compile(r"[rbygov][1-7]|d|[ws](?:=[rbygov]?[1-7])?")

FAULTS: dict[Fault, str] = {
    "size": "a meld has 3 to 6 cards",
    "kind": "neither a set nor a run",
    "natural": "a meld needs at least one card with a number of its own",
    "poor": "worth too little for a break-out",
    "start": "the round card cannot be used in a break-out, also if others have built on it",
    "rich": "worth too much for a cell",
    "crammed": "too many cards for the cell",
    "swap": "not the card that the Wild stands for",
}
"""Why a meld is unsound, to follow its cards and a colon."""


# ---------------------------------------------------------------------------------------------------------------- cards


def colour_name(letter: str) -> str:
    """Return the colour of a letter."""
    return COLOURS[LETTERS.index(letter)]


def face_words(face: Face) -> str:
    """Return a card in words."""
    special = {WILD: "Wild", DRAW: "DRAW card", SUPER: "Super Wild"}
    return special[face] if face in special else f"{colour_name(face[0])} {face[1]}"


def card_words(card: Card) -> str:
    """Return a card as played, in words."""
    if card.stands is None:
        return face_words(card.face)
    declared_as = face_words(card.stands) if card.stands in NATURAL else card.stands
    return f"{face_words(card.face)} as {declared_as}"


def written(card: Card) -> str:
    """Return a card as people write it: r3, w=5, s=r5."""
    return card.face if card.stands is None else f"{card.face}={card.stands}"


def cards_words(cards: Sequence[Card]) -> str:
    """Return cards as people write them, separated by spaces."""
    return " ".join(map(written, cards))


def face_name(face: Face) -> str:
    """Return the name of a card's emoji."""
    special = {WILD: "wild", DRAW: "draw", SUPER: "super_wild"}
    return f"card_{special[face] if face in special else f'{colour_name(face[0])}_{face[1]}'}"


def hand_words(hand: Sequence[Face]) -> str:
    """Return a hand in words, equal cards counted."""
    faces = in_order(hand)
    return ", ".join(
        face_words(face) + (f" ×{faces.count(face)}" if faces.count(face) > 1 else "") for face in dict.fromkeys(faces)
    )


def read_cards(words: str) -> Cards | None:
    """Return the cards of a text, with or without spaces between them; None if it is no list of cards."""
    left = words.lower().replace(",", " ")
    cards = []
    for word in left.split():
        while word:
            found = _CARD.match(word)
            if found is None:
                return None
            face, _, declared_as = found[0].partition("=")
            cards.append(Card(face, declared_as or None))
            word = word[found.end() :]
    return tuple(cards)


def meld_name(name: int) -> str:
    """Return the name of a meld on the picture and in commands."""
    return "the round card" if name == START else f"meld {name}"


def a_face(face: Face) -> str:
    """Return a card in words, with its article."""
    words = face_words(face)
    return f"{'an' if words[0] in 'aeiou' else 'a'} {words}"


def spoken(cards: Sequence[Card]) -> str:
    """Return cards as people read them, grouped by colour: red 3 4 5, blue 3, Wild as 4.

    It reveals no more than the cards do: an unsound meld reads like a sound one.
    """
    parts: list[str] = []
    letter = ""
    for card in cards:
        if card.face in NATURAL and card.face[0] == letter:
            parts[-1] += f" {card.face[1]}"
        else:
            parts.append(card_words(card))
        letter = card.face[0] if card.face in NATURAL else ""
    return ", ".join(parts)


def pictured(cards: Sequence[Card]) -> str:
    """Return cards as people read them, after their emoji."""
    return faced((face_name(card.face) for card in cards), spoken(cards))


def pictured_face(face: Face) -> str:
    """Return a card in words, with its article, after its emoji."""
    return faced([face_name(face)], a_face(face))


def worth(cards: Sequence[Card]) -> str:
    """Return the worth of a meld, which is not the points of its cards in a hand."""
    return f"worth {points(cards)}"


def seconds(ms: int) -> str:
    """Return milliseconds as seconds with one decimal; at least 0.1 for a positive span."""
    return f"{max(0.1 if ms else 0.0, ms / 1_000):.1f} s"


# ---------------------------------------------------------------------------------------------------------------- news


def play_words(play: Play) -> str:
    """Return what somebody played, as everybody saw it."""
    match play:
        case Lay(cards=cards, cell=cell):
            return f"laid {pictured(cards) if cards else count(len(cell), 'cell card')}"
        case Extend(meld=meld, cards=cards, cell=cell):
            return f"put {pictured(cards) if cards else count(len(cell), 'cell card')} on {meld_name(meld)}"
        case BreakOut(route=1, cards=cards):
            return f"**broke out** with {pictured(cards)}"
        case BreakOut(route=2, cards=cards, meld=meld):
            return f"**broke out** with {meld_name(meld or 0)} and {pictured(cards)}"
        case BreakOut(route=3):
            return "**broke out** of a full cell"
        case BreakOut():
            return "**broke out** with a Super Wild"
        case Extract(card=card, cell=cell):
            return f"swapped {pictured_face(card.face)}{'' if cell is None else ' of their cell'} for a Wild"
        case PlayDraw(face=face):
            return (
                f"played {pictured_face(face)}{' as a DRAW card' if face == SUPER else ''}: everybody else took a card"
            )
        case Move(melds=melds):
            return f"moved {count(len(melds), 'cell meld')} to the Yard"
    raise AssertionError(play)


def catch_reason(catch: Catch) -> str:
    """Return why a catch was right."""
    if catch.kind == "draw":
        return "no card was played or taken"
    assert catch.laid is not None and catch.fault is not None
    shown = catch.laid.play.card if isinstance(catch.laid.play, Extract) else None
    cards = catch.laid.cards if shown is None else (shown,)
    return f"{pictured(cards)}: {FAULTS[catch.fault]}"


def catch_words(catch: Catch, info: TableContext, reader: Seat | None) -> str:
    """Return who caught whom, with what, why, and by how much, for this reader."""
    by = "You" if catch.catcher == reader else info.name(catch.catcher)
    whom = "you" if catch.caught == reader else info.name(catch.caught)
    beat = "" if catch.margin is None else f", {seconds(catch.margin)} before the next NEXT"
    return f"{by} caught {whom} with **{catch.kind.upper()}!**{beat} – {catch_reason(catch)}"


def note_words(note: Note, info: TableContext) -> str | None:
    """Return a note as a line for everybody; None if the picture is enough."""
    who = info.name(note.seat)
    other = "" if note.other is None else info.name(note.other)
    match note.kind:
        case "round":
            return f"Round {note.count} begins: {who} plays first"
        case "drew":
            return f"{who} took a card"
        case "played":
            assert note.play is not None
            return f"{who} {play_words(note.play)}"
        case "next":
            return f"{who} said NEXT"
        case "wrong":
            fine = ", and took a card for it" if note.count else ""
            return f"{who} called {_call(note)} on {other} and was wrong{fine}"
        case "late":
            back = ", and the card went back" if note.count else ""
            return f"{who} called {_call(note)} on {other} too late{_by(note.ms)}{back}"
        case "caught":
            return f"{who} caught {other} with **{_call(note)}**"
        case "nearer":
            beaten = f"{other} was nearer" if note.right else f"{other} was first"
            return f"{who} called {_call(note)} too, but {beaten}"
        case "undone":
            return f"{who} got {count(note.count, 'card')} back"
        case "forced":
            return f"{who} had to take a card"
        case "given":
            return f"{who} gave {other} a card{', which the clock chose' if note.lapsed else ''}"
        case "pointed":
            if note.right:
                return f"{who} pointed at a bad meld: its {count(note.count, 'card')} left the game"
            return f"{who} pointed at a sound meld"
        case "lapsed":
            return f"{who}'s time ran out"
        case "out":
            return f"{who} has no cards left and wins the round"


def own_words(note: Note, seat: Seat, info: TableContext) -> str | None:
    """Return a note in words for the seat it concerns; None for other seats, and for the seat's own action."""
    other = "" if note.other is None else info.name(note.other)
    card = None if note.face is None else _bold(note.face)
    mine = note.seat == seat
    dealt = [Card(face) for owner, face in note.dealt if owner == seat]
    match note.kind:
        case "played" if dealt and isinstance(note.play, PlayDraw):
            name = "DRAW card" if note.play.face == DRAW else "Super Wild"
            return f"{info.name(note.seat)}'s {name}: you took {_bold(dealt[0].face)}."
        case "drew" if card is not None:
            return f"You took {card}."
        case "forced" if card is not None:
            return f"You had to take {card}."
        case "wrong" if mine:
            cost = "it costs nothing" if card is None else f"it cost you a card, {card}"
            return f"Your **{_call(note)}** on {other} was wrong: {cost}."
        case "late" if mine:
            back = " Your card went back to the pile." if note.count else ""
            return f"Your **{_call(note)}** on {other} came too late{_by(note.ms)}, and costs nothing.{back}"
        case "nearer" if mine and note.whom is not None:
            whom = info.name(note.whom)
            if note.right:
                return f"Your **{_call(note)}** on {whom} was right, but {other} was nearer."
            return f"Your **{_call(note)}** on {whom} was right, but {other} called first."
        case "undone" if dealt:
            return f"You got {count(len(dealt), 'card')} back: {pictured(dealt)}."
        case "given" if mine and card is not None and note.lapsed:
            return f"Your time ran out: {card}, which counts most, went to {other}."
        case "given" if mine and card is not None:
            return f"You gave {other} {card}."
        case "given" if note.other == seat and card is not None:
            return f"{info.name(note.seat)} gave you {card}."
        case "pointed" if mine:
            return (
                f"You pointed at a bad meld: its {count(note.count, 'card')} left the game."
                if note.right
                else "You pointed at a sound meld: nothing happens, and you may point again from your next turn on."
            )
        case "lapsed" if mine:
            return "Your time ran out: NEXT was said for you."
        case _:
            return None


def evidence(note: Note) -> str:
    """Return when a call was received, as an addition to its line in the log."""
    return "" if note.after is None else f" · {seconds(note.after)} after NEXT"


def _call(note: Note) -> str:
    return f"{(note.call or '').upper()}!"


def _by(late_ms: int | None) -> str:
    return "" if late_ms is None else f" by {seconds(late_ms)}"


def _bold(face: Face) -> str:
    """Return a card that came to somebody's hand."""
    return faced([face_name(face)], f"**{a_face(face)}**")


# ------------------------------------------------------------------------------------------------------------- refusals


_REFUSALS = {
    "settling": "Somebody was caught: until the catcher has chosen a card, nothing else at the table moves on.",
    "next-said": "You have said NEXT: there is nothing more you can do this turn.",
    "drew-already": "You have taken a card in this turn: one a turn.",
    "played-already": "You have played a card: taking one comes before that, and whoever plays need not take one.",
    "no-draw-card": "There is no card left to take. If you do not play, say NEXT: you pass.",
    "must-play": "Play a card or take one first; then say NEXT.",
    "nothing": "Name at least one card.",
    "fresh-draw": "A DRAW card that you have just taken cannot be played this turn.",
    "fresh-super": "A Super Wild that you have just taken cannot be a DRAW card this turn. It may be a Wild, or break "
    "you out.",
    "no-meld": "There is no such meld there. The melds have their numbers on the picture.",
    "no-slot": "That card does not lie on the table.",
    "not-out": "You are still in your cell: break out first, then you may play in the Jail Yard.",
    "round-start": "The round card lies in the Jail Yard: break out first, then you may build on it.",
    "out-already": "You have broken out already.",
    "cell-closed": "Your cell is closed for this round: nothing can be added to its melds, they can only be moved out.",
    "not-your-cell": "That lies in somebody else's cell.",
    "breaks-meld": "Single cards may leave a cell meld only if what stays there is still a meld, or nothing.",
    "no-hand-card": "A break-out with a cell meld needs at least one card from your hand.",
    "no-moves": "Name at least one meld of your cell that moves to the Yard.",
    "no-super": "That route is a Super Wild alone.",
    "no-wild": "That is no Wild: only a Wild can be swapped for the actual card.",
    "in-cell": "Wilds cannot be swapped out of a meld in a cell, only in the Jail Yard.",
    "draw-first": "A DRAW card is only played as the first card of your turn.",
    "draw-once": "One DRAW card a turn.",
    "not-a-draw": "Only a DRAW card or a Super Wild makes the others take a card.",
    "strict": "At this table the bot is the referee: there is nothing to call or point at.",
    "no-kind": "There are two calls: DRAW! and MELD!",
    "own-turn": "That was your own turn: only the others may call it.",
    "no-window": "Nobody can be called now. A turn can be called from its NEXT until the next one takes effect.",
    "overtaken": "Your call came in time, but was handled only after that turn had been settled: it cannot count.",
    "no-gift": "Nobody waits for a card from you.",
    "pointed-already": "You have pointed already: once, until your own next turn begins.",
    "too-fresh": "That meld was changed in this turn or the one before: call MELD! while you can, or wait.",
    "no-card": "There is no card {named}: a colour's letter and a number (r3), w, s or d.",
    "not-in-hand": "You do not hold {named}, or not as many as you named.",
    "undeclared": "Say what the {named} stands for: `{face}=5` in a set, `{face}=r5` in a red run.",
    "no-stand": "A Wild cannot stand for {face!r}: it is a number (5) or a colour and a number (r5).",
    "not-a-wild": "Only a Wild stands for another card; {named} is what it is.",
    "not-full": "That route needs a cell that held {cell} cards when your turn began.",
    "other-card": "That card of your cell is not {named}.",
    "called-already": "You have called {kind}! on this turn already; each call can be made once.",
    "not-your-turn": "It is {whose}'s turn, not yours.",
    "not-open": "{whose} said NEXT early. That turn can be called once the NEXT takes effect.",
    "late-call": "Too late: that turn cannot be called any more. It costs you nothing.",
    "bad": "No: {fault}. It is worth {points}; a break-out needs {need}, and a cell holds {cell} cards.",
}


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    last, by = facts.get("last"), facts.get("by_ms")
    if refusal.code == "not-your-turn" and isinstance(last, int) and last >= 0:
        return f"Wait: the round may end now, and {info.name(Seat(last))} can still be caught."
    if refusal.code == "late-call" and isinstance(by, int) and by >= 0:
        whom = whose(info, facts.get("seat"))
        return f"Too late by {seconds(by)}: {whom} could be called until the next NEXT. It costs you nothing."
    if refusal.code == "no-window" and "seat" in facts:
        return f"{whose(info, facts['seat'])} cannot be called now: only whoever said NEXT last can."
    face = str(facts.get("face", "?"))
    return sentence(
        refusal,
        _REFUSALS,
        face=face,
        named=face_words(face) if face in (*NATURAL, WILD, DRAW, SUPER) else repr(face),
        whose=whose(info, facts.get("turn", facts.get("seat"))),
        fault=next((words for key, words in FAULTS.items() if key == facts.get("fault")), "it is no meld"),
        kind=str(facts.get("kind")).upper(),
    )


def round_words(finished: FinishedRound, info: TableContext) -> str:
    """Return how a round ended, and the points of every player."""
    match finished.reason:
        case "out":
            assert finished.winner is not None
            how = f"{info.name(finished.winner)} has gone out"
        case "idle":
            how = "nobody played or took a card for a full circuit"
        case "blocked":
            how = "the pile is empty, and nobody could play"
    got = " · ".join(f"{info.name(Seat(seat))} {signed(points)}" for seat, points in enumerate(finished.points))
    return f"Round {finished.number} is over: {how}\n-# {got}"


def place_of(view: BreakOutView, name: int) -> MeldView | None:
    """Return the meld of this name."""
    return next((meld for meld in view.melds if meld.id == name), None)

"""Break-Out's cards and melds in words, as people write them and as they read them, and the sentences for refusals."""

import re
from collections.abc import Iterable, Sequence

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import decimal
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
    BreakOutView,
    Card,
    Cards,
    Face,
    Fault,
    MeldView,
    in_order,
    points,
)

_CARD = re.compile(r"[rbygov][1-7]|d|[ws](?:=[rbygov]?[1-7])?")

COLOUR_NAMES: dict[str, str] = {
    "r": N_("red"),
    "b": N_("blue"),
    "y": N_("yellow"),
    "g": N_("green"),
    "o": N_("orange"),
    "v": N_("violet"),
}
"""The colours of cards by their letters."""

SPECIAL_NAMES: dict[Face, str] = {WILD: N_("Wild"), DRAW: N_("DRAW card"), SUPER: N_("Super Wild")}
"""The cards without a number."""

_WITH_ARTICLE: dict[str, str] = {
    "r": N_("a red {number}"),
    "b": N_("a blue {number}"),
    "y": N_("a yellow {number}"),
    "g": N_("a green {number}"),
    "o": N_("an orange {number}"),
    "v": N_("a violet {number}"),
    WILD: N_("a Wild"),
    DRAW: N_("a DRAW card"),
    SUPER: N_("a Super Wild"),
}

FAULTS: dict[Fault, str] = {
    "size": N_("a meld has 3 to 6 cards"),
    "kind": N_("neither a set nor a run"),
    "natural": N_("a meld needs at least one natural card"),
    "poor": N_("worth too little for a break-out"),
    "start": N_("the round card can't be used to break out, even if others have added to it"),
    "rich": N_("worth too much for a cell"),
    "crammed": N_("too many cards for the cell"),
    "swap": N_("not the card that the Wild represents"),
}
"""Why a meld is bad, to follow its cards and a colon."""


def colour_name(letter: str) -> str:
    """Return the colour of a letter."""
    return _(COLOUR_NAMES[letter])


def face_words(face: Face) -> str:
    """Return a card in words."""
    if face in SPECIAL_NAMES:
        return _(SPECIAL_NAMES[face])
    # Translators: a card, such as "red 5".
    return _("{colour} {number}", colour=colour_name(face[0]), number=face[1])


def suited(letter: str, numbers: str) -> str:
    """Return several cards of a colour: red 3 4 5."""
    # Translators: cards of one colour, such as "red 3 4 5" or "blue 3–6".
    return _("{colour} {numbers}", colour=colour_name(letter), numbers=numbers)


def of_colour(letter: str, numbers: Sequence[str]) -> str:
    """Return one card of a colour, or several: red 5, red 3 4 5."""
    return face_words(f"{letter}{numbers[0]}") if len(numbers) == 1 else suited(letter, " ".join(numbers))


def together(cards: Iterable[Card]) -> list[str]:
    """Return cards in words, natural ones of a colour that follow each other together: red 3 4 5; blue 3; Wild as 4."""
    groups: list[list[Card]] = []
    for card in cards:
        joins = groups and all(one.face in NATURAL and one.face[0] == card.face[0] for one in (card, groups[-1][-1]))
        if joins:
            groups[-1].append(card)
        else:
            groups.append([card])
    return [
        of_colour(group[0].face[0], [card.face[1] for card in group])
        if group[0].face in NATURAL
        else card_words(group[0])
        for group in groups
    ]


def card_words(card: Card) -> str:
    """Return a card as played, in words."""
    if card.stands is None:
        return face_words(card.face)
    declared_as = face_words(card.stands) if card.stands in NATURAL else card.stands
    # Translators: a Wild and the card that it represents, such as "Wild as red 5".
    return _("{wild} as {card}", wild=face_words(card.face), card=declared_as)


def written(card: Card) -> str:
    """Return a card as people write it: r3, w=5, s=r5."""
    return card.face if card.stands is None else f"{card.face}={card.stands}"


def cards_words(cards: Sequence[Card]) -> str:
    """Return cards as people write them, separated by spaces."""
    return " ".join(map(written, cards))


def face_name(face: Face) -> str:
    """Return the name of a card's emoji."""
    special = {WILD: "wild", DRAW: "draw", SUPER: "super_wild"}
    return f"card_{special[face] if face in special else f'{COLOURS[LETTERS.index(face[0])]}_{face[1]}'}"


def hand_words(hand: Sequence[Face]) -> str:
    """Return a hand in words, equal cards counted; empty without cards."""
    faces = in_order(hand)
    return ", ".join(
        face_words(face) + (f" ×{faces.count(face)}" if faces.count(face) > 1 else "") for face in dict.fromkeys(faces)
    )


def hand_sentence(hand: Sequence[Face]) -> str:
    """Return the reader's hand as a sentence."""
    return _("Your hand: {cards}.", cards=hand_words(hand)) if hand else _("Your hand: no cards.")


def read_cards(words: str) -> Cards | None:
    """Return the cards of a text, with or without spaces between them; None if it is no list of cards."""
    left = words.lower().replace(",", " ")
    cards = []
    for word in left.split():
        while word:
            found = _CARD.match(word)
            if found is None:
                return None
            face, __, declared_as = found[0].partition("=")
            cards.append(Card(face, declared_as or None))
            word = word[found.end() :]
    return tuple(cards)


def meld_name(name: int) -> str:
    """Return the name of a meld on the picture and in commands, within a sentence."""
    return _("the round card") if name == START else _("meld {number}", number=name)


def meld_title(name: int) -> str:
    """Return the name of a meld at the beginning of a line."""
    return _("The round card") if name == START else _("Meld {number}", number=name)


def a_face(face: Face) -> str:
    """Return a card in words, with its article."""
    return _(_WITH_ARTICLE[face]) if face in _WITH_ARTICLE else _(_WITH_ARTICLE[face[0]], number=face[1])


def spoken(cards: Sequence[Card]) -> str:
    """Return cards as people read them, grouped by colour: red 3 4 5, blue 3, Wild as 4.

    It reveals no more than the cards do: a bad meld reads like a legal one.
    """
    return ", ".join(together(cards))


def pictured(cards: Sequence[Card]) -> str:
    """Return cards as people read them, after their emoji."""
    return faced((face_name(card.face) for card in cards), spoken(cards))


def pictured_face(face: Face) -> str:
    """Return a card in words, with its article, after its emoji."""
    return faced([face_name(face)], a_face(face))


def worth(cards: Sequence[Card]) -> str:
    """Return the worth of a meld, which is not the points of its cards in a hand."""
    return _("worth {points}", points=points(cards))


def seconds(ms: int) -> str:
    """Return milliseconds as seconds with one decimal; at least 0.1 for a positive span."""
    # Translators: a short time in seconds, such as "0.3 s".
    return _("{seconds} s", seconds=decimal(max(0.1 if ms else 0.0, ms / 1_000), 1))


def place_of(view: BreakOutView, name: int) -> MeldView | None:
    """Return the meld of this name."""
    return next((meld for meld in view.melds if meld.id == name), None)


# ------------------------------------------------------------------------------------------------------------- refusals

_REFUSALS = {
    "settling": N_("Someone was caught: the game goes on once the catcher has chosen a card."),
    "next-said": N_("You've said NEXT: you can't do anything more this turn."),
    "drew-already": N_("You've already taken a card this turn. You can take only one."),
    "played-already": N_("You've already played a card this turn, so you can't take one and don't need to."),
    "no-draw-card": N_("There's no card left to take. Play a card, or say NEXT to pass."),
    "must-play": N_("Play a card or take one first, then say NEXT."),
    "nothing": N_("Name at least one card."),
    "fresh-draw": N_("You've just taken that DRAW card: you can't play it this turn."),
    "fresh-super": N_(
        "You've just taken that Super Wild: it can't be a DRAW card this turn. It can be a Wild, or break you out."
    ),
    "no-meld": N_("There's no such meld there. The melds are numbered on the picture."),
    "no-slot": N_("That card isn't on the table."),
    "not-out": N_("You're still in your cell: break out first, then you can play in the Jail Yard."),
    "round-start": N_("The round card is in the Jail Yard: break out first, then you can add to it."),
    "out-already": N_("You've already broken out."),
    "cell-closed": N_("Your cell is closed for this round: you can't add to its melds, only move them out."),
    "not-your-cell": N_("That's in someone else's cell."),
    "breaks-meld": N_("You can take a card out of a cell meld only if the rest is still a meld, or nothing is left."),
    "no-hand-card": N_("To break out with a cell meld, you need at least one card from your hand."),
    "no-moves": N_("Name at least one meld of your cell to move to the Yard."),
    "no-super": N_("That route takes a Super Wild and nothing else."),
    "no-wild": N_("That isn't a Wild: only a Wild can be swapped for the actual card."),
    "in-cell": N_("You can't swap a Wild out of a cell meld, only out of a meld in the Jail Yard."),
    "draw-first": N_("A DRAW card can only be the first card you play in a turn."),
    "draw-once": N_("You can play only one DRAW card a turn."),
    "not-a-draw": N_("Only a DRAW card or a Super Wild makes the others take a card."),
    "strict": N_("I'm the referee at this table: there's nothing to call or point at."),
    "no-kind": N_("There are two calls: DRAW! and MELD!"),
    "own-turn": N_("That was your own turn: only the others can challenge it."),
    "no-window": N_("No one can be challenged now. A turn can be challenged from its NEXT until the next one."),
    "overtaken": N_("Your call came in time, but that turn was settled before I got to it, so it doesn't count."),
    "no-gift": N_("No one is waiting for a card from you."),
    "pointed-already": N_("You've already pointed. You can point again from your next turn on."),
    "too-fresh": N_("That meld was changed this turn or the turn before: call MELD! while you can, or wait."),
    "no-card": N_("There's no card {named}: write a colour's letter and a number (r3), or w, s or d."),
    "not-in-hand": N_("You don't hold {named}, or not as many as you named."),
    "undeclared": N_("Say which card the {named} represents: `{face}=5` in a set, `{face}=r5` in a red run."),
    "no-stand": N_("A Wild can't represent “{face}”: write a number (5) or a colour and a number (r5)."),
    "not-a-wild": N_("Only a Wild can represent another card: {named} is what it is."),
    "not-full": N_("That route needs a cell that held {cell} cards when your turn began."),
    "other-card": N_("That card in your cell isn't {named}."),
    "called-already": N_("You've already called {kind}! on this turn. You can make each call once."),
    "not-open": N_("{whose} said NEXT early. You can challenge that turn once the NEXT takes effect."),
    "late-call": N_("Too late: that turn can't be challenged any more. It costs you nothing."),
    "bad": N_("No: {fault}. It's worth {points}; a break-out needs {need}, and a cell holds {cell} cards."),
}


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    last, by = facts.get("last"), facts.get("by_ms")
    if refusal.code == "not-your-turn" and isinstance(last, int) and last >= 0:
        player = info.name(Seat(last))
        return _("Wait: this may be the end of the round, and {player} can still be caught.", player=player)
    if refusal.code == "late-call" and isinstance(by, int) and by >= 0:
        return _(
            "Too late by {seconds}: {player} could be challenged until the next NEXT. It costs you nothing.",
            seconds=seconds(by),
            player=whose(info, facts.get("seat")),
        )
    if refusal.code == "no-window" and "seat" in facts:
        player = whose(info, facts["seat"])
        return _("{player} can't be challenged now: only the last player who said NEXT can.", player=player)
    face = str(facts.get("face", "?"))
    return sentence(
        refusal,
        info,
        _REFUSALS,
        face=face,
        named=face_words(face) if face in (*NATURAL, WILD, DRAW, SUPER) else repr(face),
        whose=whose(info, facts.get("turn", facts.get("seat"))),
        fault=next((_(words) for key, words in FAULTS.items() if key == facts.get("fault")), _("not a meld")),
        kind=str(facts.get("kind")).upper(),
    )

"""Break-Out's cards and melds in words: as people write them and as they read them."""

import re
from collections.abc import Iterable, Sequence

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import decimal
from cogs.core.pages.emoji_markup import faced
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

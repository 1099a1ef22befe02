"""The short rules of Break-Out, in our own words, with pictures."""

from functools import lru_cache

from cogs.break_out import picture
from cogs.break_out.picture import RuleExample
from cogs.break_out.words import read_cards, spoken
from cogs.core.i18n.translation import N_, Language, _, present
from cogs.core.pages.page import Page, Picture, Text

EXAMPLES: dict[str, tuple[tuple[str, bool, str], ...]] = {
    "melds": (
        ("r5 b5 g5 v5", True, N_("a set: one number, 20 points")),
        ("y2 y3 y4 y5", True, N_("a run: one colour, 14 points")),
        ("o4 w=o5 o6", True, N_("a Wild represents a card: 15 points")),
        ("r3 b4 g5", False, N_("neither a set nor a run")),
        ("v6 v7", False, N_("too few: a meld has 3 to 6 cards")),
    ),
    "routes": (
        ("g4 g5 g6", True, N_("15 or more: straight to the Yard")),
        ("b2 b3 b4 b5 b6", True, N_("a cell meld with hand cards")),
        ("s", True, N_("a Super Wild alone")),
        ("y1 y2 y3", False, N_("6 points: stays in the cell")),
    ),
}

GOAL = (
    N_("### Break-Out"),
    N_(
        "Get rid of your cards. The game has six rounds; the **fewest points** win. Cards you still hold at the end "
        "of a round cost points: numbered cards their number, a Wild 8, a DRAW card 9, a Super Wild 10."
    ),
    N_(
        "On your turn, **play at least one card or take one** (the card beside the pile), then say **NEXT**. You can "
        "take one card before you play anything, and may still play after it."
    ),
    N_(
        "The deck has the numbers 1 to 7 in six colours, six Wilds, six DRAW cards and two Super Wilds; four or more "
        "players use two decks. Everyone is dealt seven cards. In the first round, the player with the lowest of one "
        "card each begins; later, the player who had the fewest points in the round before. Play goes clockwise."
    ),
    N_(
        "The **round card** is in the Jail Yard: in round 3 a 3, one card of the deck that is placed there before the "
        "deal."
    ),
    N_(
        "You play cards in melds of 3 to 6: a **set** of one number, or a **run** of one colour. At least one card "
        "must be natural (not a Wild)."
    ),
)

CELL_AND_YARD = (
    N_("### Cell and Yard"),
    N_(
        "You begin in your **cell**: melds there must be worth less than 15 points, and it holds nine cards. **Break "
        "out** to play in the **Jail Yard**, which everyone shares:"
    ),
    N_("1. with a meld of 15 or more from your hand (your cell melds move along),"),
    N_("2. with a cell meld and at least one hand card, together 15 or more,"),
    N_("3. with a cell that held nine cards when your turn began,"),
    N_("4. with a Super Wild alone."),
    N_(
        "Once you're out, even in the same turn, you can lay melds of any worth in the Yard, add to every meld there "
        "and to the round card, swap a card for the Wild that represents it, and move your cell melds."
    ),
    N_(
        "A **DRAW card**, or a Super Wild played as one, makes everyone else take a card: one a turn, and only as "
        "your first card."
    ),
)

CATCHING = (
    N_("### Catching"),
    N_(
        "Only the other players watch you. I let you say NEXT without having played or taken a card, and let you lay "
        "a **bad meld**: fewer than 3 or more than 6 cards; neither set nor run; no natural card; a break-out below "
        "15 or with the round card; 15 or more laid in a cell, or a tenth card; a Wild swapped for a card it doesn't "
        "represent. I refuse everything else that is wrong."
    ),
    N_(
        "- After your NEXT, until the next one takes effect, everyone can call **DRAW!** (you neither played nor took "
        "a card) or **MELD!** (you laid a bad meld). A NEXT takes effect at least 5 seconds after the one before; "
        "said earlier, it waits."
    ),
    N_(
        "- If you're caught, you take the card beside the pile, or every bad meld of that turn goes back with "
        "everything that depended on it (cards added to it, a break-out, what only that made possible); the rest "
        "stays. And the catcher gives you a card of their choice."
    ),
    N_(
        "- Of right calls within 1.5 seconds, the one nearest to you clockwise counts. A wrong call costs a card from "
        "the pile, unless the table makes it free. You have one **DRAW!** and one **MELD!** for each turn of another "
        "player."
    ),
    N_(
        "- A call is only for the player its button names. A late call is announced and costs nothing. A call typed, "
        "or sent by command without a target, is for the player who could be challenged when Discord received it."
    ),
    N_(
        "- After playing your last card you can still be challenged for 10 seconds; then you win the round and get −5 "
        "times its number."
    ),
    N_(
        "- A bad meld that slipped through and is still on the table can be **pointed at** later: its cards leave the "
        "game."
    ),
    N_(
        "With the option *strict* I refuse everything that is wrong, and there's nothing to catch. With *hints* your "
        "private view lists the legal plays of your hand; no one else sees them."
    ),
)

SMALL_PRINT = (
    N_("### Small print"),
    N_(
        "- A Wild represents one specific card, named when it is laid, and counts that card's number. The 15 of a "
        "break-out must come from one meld."
    ),
    N_(
        "- The **round card** can't be used to break out, even if others have added to it. If you add to it in the "
        "Yard, you must leave a meld of 3 to 6."
    ),
    N_(
        "- A **Wild is swapped** only in the Yard, for the actual card (in a set any card of that number; never "
        "another Wild), from your hand or your cell. The Wild goes to your hand and can be played at once."
    ),
    N_(
        "- A single card can leave a cell meld only if what stays is a meld or nothing. Moving cell cards counts as "
        "playing."
    ),
    N_(
        "- After routes 2 to 4 you choose which cell melds move. The others stay yours and can move later; nothing "
        "can be added to them. On route 3 at least one moves."
    ),
    N_(
        "- A DRAW card you have just taken waits for a later turn. A Super Wild can be played as a DRAW card too, but "
        "not on the turn you took it: then it can be a Wild, or break you out. DRAW cards, and a Super Wild that "
        "broke out alone, leave the game."
    ),
    N_(
        "- *Taking* a card is what the printed rules call drawing. When the **pile is empty**, nothing is taken, and "
        "if you don't play, you pass."
    ),
    N_(
        "- The round is blocked, and ends without a bonus, if no one plays for a full circuit with an empty pile. It "
        "also ends that way if no one plays or takes a card for a full circuit; the last of those turns can be "
        "challenged for 10 seconds, and a right call resumes the round."
    ),
    N_(
        "- You go out if your hand is empty when your NEXT takes effect. You can do that without breaking out: your "
        "cell is part of the table, and cards in cells cost nothing."
    ),
    N_(
        "- The catcher has 30 seconds to choose the card; after that it's their costliest one. A catcher without "
        "cards gives none."
    ),
    N_(
        "- Between two rounds all hands are shown, and what no one called is revealed, until everyone is ready: for "
        "20 seconds at most, unless the table has no pause between rounds."
    ),
    N_(
        "- You can point at a meld at any time, also on other players' turns, but only once until your own next turn "
        "begins. You can't point at melds of the current turn, or of one that can still be challenged."
    ),
    N_(
        "- If several players tie for the fewest points, the one nearest clockwise after the last starter begins. At "
        "the end of the game, tied players share the place."
    ),
)


@lru_cache(maxsize=16)
def _examples(name: str, language: Language) -> Picture:
    examples = [RuleExample(read_cards(words) or (), right, _(caption)) for words, right, caption in EXAMPLES[name]]
    alt = "; ".join(f"{spoken(example.cards)} – {example.caption}" for example in examples)
    return Picture(picture.draw_examples(examples), f"rules-{name}.png", _("Examples: {examples}.", examples=alt))


def _text(lines: tuple[str, ...]) -> Text:
    return Text("\n".join(map(_, lines)))


def pages(colour: int) -> tuple[Page, ...]:
    """Return the rules, page by page."""
    return (
        Page((_text(GOAL), _examples("melds", present())), colour),
        Page((_text(CELL_AND_YARD), _examples("routes", present())), colour),
        Page((_text(CATCHING),), colour),
        Page((_text(SMALL_PRINT),), colour),
    )

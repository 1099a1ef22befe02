"""The short rules of Break-Out, in our own words, with pictures."""

from functools import cache

from cogs.break_out import picture
from cogs.break_out.picture import RuleExample
from cogs.break_out.words import read_cards
from cogs.core.pages.page import Page, Picture, Text

EXAMPLES: dict[str, tuple[tuple[str, bool, str], ...]] = {
    "melds": (
        ("r5 b5 g5 v5", True, "a set: one number, 20 points"),
        ("y2 y3 y4 y5", True, "a run: one colour, 14 points"),
        ("o4 w=o5 o6", True, "a Wild stands for a card: 15 points"),
        ("r3 b4 g5", False, "neither a set nor a run"),
        ("v6 v7", False, "too few: a meld has 3 to 6 cards"),
    ),
    "routes": (
        ("g4 g5 g6", True, "15 or more: straight into the Yard"),
        ("b2 b3 b4 b5 b6", True, "a cell meld with hand cards"),
        ("s", True, "a Super Wild alone"),
        ("y1 y2 y3", False, "6 points: stays in the cell"),
    ),
}

GOAL = """\
### Break-Out
Get rid of your cards. Six rounds; the **fewest points** win. What you still hold at the end of a round counts: \
numbers their face, a Wild 8, a DRAW card 9, a Super Wild 10.
On your turn **play at least one card or take one**, the one that lies beside the pile; then say **NEXT**. You may \
take one card, before you play anything; after that you may play on.
The deck has the numbers 1 to 7 in six colours, six Wilds, six DRAW cards and two Super Wilds; four or more play with \
two decks. Everybody is dealt seven cards. In the first round the lowest of one card each begins, later whoever had \
the fewest points in the round before; play goes clockwise.
The **round card** lies in the Jail Yard: in round 3 a 3, one card of the deck that is laid there before the deal.
Cards are played in melds of 3 to 6: a **set** of one number, or a **run** of one colour. At least one card must be \
natural."""

CELL_AND_YARD = """\
### Cell and Yard
You begin in your **cell**: melds there stay below 15 points, and it holds nine cards. **Break out** to play in the \
**Jail Yard**, which is everybody's:
1. a meld of 15 or more from your hand (your cell melds move along),
2. a cell meld and at least one hand card, together 15 or more,
3. a cell that held nine cards when your turn began,
4. a Super Wild alone.
Once you are out, even in the same turn, you lay melds of any value in the Yard, add to every meld there, build on \
the round card, swap a card for the Wild that stands for it, and move your cell melds. A **DRAW card**, or a Super \
Wild as one, makes all others take a card: one a turn, and only as the first card."""

CATCHING = """\
### Catching
Nobody but the others watches you. The bot lets you say NEXT without having played or taken a card, and lets you lay a \
**bad meld**: fewer than 3 or more than 6 cards; neither set nor run; no natural card; a break-out below 15 or with \
the round card; 15 or more laid into a cell, or a tenth card; a Wild swapped for a card that it does not stand for. \
Everything else that is wrong is refused.
- After your NEXT, until the next one takes effect, everybody may call **DRAW!** (you neither played nor took a card) \
or **MELD!** (you laid a bad meld). A NEXT takes effect at least 5 seconds after the one before; said earlier, it is \
kept.
- Caught: you take the card beside the pile, or every bad meld of that turn goes back with what rested on it (cards \
added to it, a break-out, what only that made possible); what did not need it stays. And the catcher gives you a card \
of their choice.
- Of right calls within 1.5 seconds the one nearest to you clockwise counts. A wrong call costs a card from the pile, \
unless the table makes it free. Each of you has one **DRAW!** and one **MELD!** for each turn of somebody else.
- A call is for the player whom its button names, and for nobody else: a late one is told and free. Typed, or by \
command without a target, it is for whoever could be called when Discord received it.
- With your last card played, you can still be called for 10 seconds; then the round is yours: −5 times its number.
- A bad meld that slipped through, and lies there still, can be **pointed at** later: its cards leave the game.
With the option *strict* the bot refuses what is wrong, and there is nothing to catch. With *hints* your page lists \
the sound plays of your hand; nobody else sees them."""

SMALL_PRINT = """\
### Small print
- A Wild stands for one definite card, said when it is laid, and counts that card's number. The 15 of a break-out must \
come from one meld.
- The **round card** cannot be used in a break-out, also if others have built on it. Whoever lays cards on it in the \
Yard must leave a meld of 3 to 6.
- A **Wild is swapped** only in the Yard, for the actual card (in a set any card of that number; never another Wild), \
from your hand or your cell. The Wild goes to your hand and may be played at once.
- A single card leaves a cell meld only if what stays is a meld or nothing. Moving cell cards counts as playing.
- After routes 2 to 4 you choose which cell melds move. The others stay yours and may move later; nothing is added to \
them. On route 3 at least one moves.
- A DRAW card that you have just taken waits for a later turn. A Super Wild can be played as a DRAW card too, but not \
in the turn in which you took it: then it may be a Wild, or break you out. DRAW cards, and a Super Wild that broke out \
alone, leave the game.
- *Taking* a card is what the printed rules call drawing. When the **pile is empty** nothing is taken, and whoever \
does not play passes. The round is blocked, and ends without a bonus, after a full circuit in which nobody played. It \
ends so too if nobody plays or takes a card for a full circuit; the last of it can be called for 10 seconds, and a \
right call puts the round back on.
- You have gone out when your hand is empty as your NEXT takes effect. That is possible without a break-out, too: your \
cell is part of the table, and cards in cells cost nothing.
- The catcher has 30 seconds to choose the card, else it is their most expensive one. Whoever has no card gives none.
- Between two rounds the hands lie open, and what nobody called is told, until all are ready: for 20 seconds at the \
most, unless the table has no interludes.
- You may point at a meld at any time, also in the turns of others, but only once until your own next turn begins. \
Melds of the present turn, or of one that can still be called, are not pointed at.
- If the fewest points tie, the one nearest clockwise after the last starter begins. At the end ties share the place."""


@cache
def _examples(name: str) -> Picture:
    examples = [RuleExample(read_cards(words) or (), right, caption) for words, right, caption in EXAMPLES[name]]
    alt = "; ".join(f"{words}: {caption}" for words, _, caption in EXAMPLES[name])
    return Picture(picture.draw_examples(examples), f"rules-{name}.png", f"Examples: {alt}.")


def pages(colour: int) -> tuple[Page, ...]:
    """Return the rules, page by page."""
    return (
        Page((Text(GOAL), _examples("melds")), colour),
        Page((Text(CELL_AND_YARD), _examples("routes")), colour),
        Page((Text(CATCHING),), colour),
        Page((Text(SMALL_PRINT),), colour),
    )

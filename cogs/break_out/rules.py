"""The short rules of Break-Out, in our own words, with pictures: the basics first."""

from cogs.break_out import picture
from cogs.break_out.picture import RuleExample
from cogs.break_out.words import read_cards, spoken
from cogs.core.i18n.translation import N_, _, cached_by_language
from cogs.core.ops.text_format import clauses
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

HAND = ("r2", "r3", "r4", "b5", "g5", "v5", "y6")

GOAL = N_("""\
### Break-Out – the goal
Get rid of your cards. The game has six rounds; the **fewest points** win. Cards you still hold at the end of a \
round cost points: numbered cards their number, a Wild 8, a DRAW card 9, a Super Wild 10.
### Your turn
**Play at least one card or take one** (the card beside the pile), then say **NEXT**. You can take one card before \
you play anything, and may still play after it.""")

MELDS = N_("""\
### Melds
You play cards in melds of 3 to 6: a **set** of one number, or a **run** of one colour. At least one card must be \
natural (not a Wild).""")

CELL = N_("""\
### Cell and Yard
You begin in your **cell**: melds there must be worth less than 15 points, and it holds nine cards. **Break out** to \
play in the **Jail Yard**, which everyone shares:
1. with a meld of 15 or more from your hand (your cell melds move along),
2. with a cell meld and at least one hand card, together 15 or more,
3. with a cell that held nine cards when your turn began,
4. with a Super Wild alone.""")

YARD = N_("""\
### In the Yard
Once you're out, even in the same turn, you can lay melds of any worth in the Yard, add to every meld there and to \
the round card, swap a card for the Wild that represents it, and move your cell melds.
A **DRAW card**, or a Super Wild played as one, makes everyone else take a card: one a turn, and only as your first \
card.
The **round card** is in the Jail Yard: in round 3 a 3, one card of the deck that is placed there before the deal.
After playing your last card you can still be challenged for 10 seconds; then you win the round and get −5 times its \
number.""")

CATCHING = N_("""\
### Catching
Only the other players watch you: I let you cheat in two ways. After your NEXT, until the next one takes effect, \
everyone can call
- **DRAW!** if you neither played nor took a card,
- **MELD!** if you laid a **bad meld**: fewer than 3 or more than 6 cards; neither set nor run; no natural card; a \
break-out below 15 or with the round card; 15 or more laid in a cell, or a tenth card; a Wild swapped for a card it \
doesn't represent.
I refuse everything else that is wrong. With the option *strict* I refuse that too, and there's nothing to catch.""")

CAUGHT = N_("""\
### When you're caught
- You take the card beside the pile, or every bad meld of that turn goes back with everything that depended on it \
(cards added to it, a break-out, what only that made possible); the rest stays. And the catcher gives you a card of \
their choice.
- A wrong call costs a card from the pile, unless the table makes it free. You have one **DRAW!** and one **MELD!** \
for each turn of another player.
- A bad meld that slipped through and is still on the table can be **pointed at** later: its cards leave the game.
-# With *hints* your private view lists the legal plays of your hand; no one else sees them.""")

CARDS = N_("""\
### Special cases: the cards
- The deck has the numbers 1 to 7 in six colours, six Wilds, six DRAW cards and two Super Wilds; four or more \
players use two decks. Everyone is dealt seven cards.
- A Wild represents one specific card, named when it is laid, and counts that card's number. It's **swapped** only \
in the Yard, for the actual card (in a set any card of that number; never another Wild), from your hand or your \
cell. The Wild goes to your hand and can be played at once.
- A DRAW card you have just taken waits for a later turn. A Super Wild can be played as a DRAW card too, but not on \
the turn you took it. DRAW cards, and a Super Wild that broke out alone, leave the game.""")

BREAKING_OUT = N_("""\
### Special cases: breaking out
- The 15 of a break-out must come from one meld. The **round card** can't be used to break out, even if others have \
added to it. If you add to it in the Yard, you must leave a meld of 3 to 6.
- A single card can leave a cell meld only if what stays is a meld or nothing. Moving cell cards counts as playing.
- After routes 2 to 4 you choose which cell melds move. The others stay yours and can move later; nothing can be \
added to them. On route 3 at least one moves.
- You go out if your hand is empty when your NEXT takes effect. You can do that without breaking out: your cell is \
part of the table, and cards in cells cost nothing.""")

CALLS = N_("""\
### Special cases: calls
- A NEXT takes effect at least 5 seconds after the one before; said earlier, it waits. Of right calls within 1.5 \
seconds, the one nearest to you clockwise counts.
- A call is only for the player its button names. A late call is announced and costs nothing. A call typed, or sent \
by command without a target, is for the player who could be challenged when Discord received it.
- You can point at a meld at any time, also on other players' turns, but only once until your own next turn begins. \
You can't point at melds of the current turn, or of one that can still be challenged.
- The catcher has 30 seconds to choose the card; after that it's their costliest one, or none without cards.""")

ROUNDS = N_("""\
### Special cases: rounds and time
- In the first round, the player with the lowest of one card each begins; later, the player who had the fewest \
points in the round before; in a tie, the one nearest clockwise after the last starter. Play goes clockwise.
- When the **pile is empty**, nothing is taken, and if you don't play, you pass. The round is blocked, and ends \
without a bonus, if no one plays for a full circuit with an empty pile, or no one plays or takes a card for a full \
circuit; the last of those turns can be challenged for 10 seconds, and a right call resumes the round.
- Between two rounds all hands are shown, and what no one called is revealed, until everyone is ready: for 20 \
seconds at most, unless the table has no pause between rounds.
- At the end of the game, tied players share the place.""")


@cached_by_language(16)
def _examples(name: str) -> Picture:
    examples = [RuleExample(read_cards(words) or (), right, _(caption)) for words, right, caption in EXAMPLES[name]]
    alt = clauses(f"{spoken(example.cards)} – {example.caption}" for example in examples)
    return Picture(picture.draw_examples(examples), f"rules-{name}.png", _("Examples: {examples}.", examples=alt))


@cached_by_language(16)
def _hand() -> Picture:
    alt = _("A hand of seven cards: {cards}.", cards=spoken(read_cards(" ".join(HAND)) or ()))
    return Picture(picture.draw_hand(HAND), "rules-hand.png", alt)


def pages() -> tuple[Page, ...]:
    """Return the rules, page by page."""
    drawn = {GOAL: _hand(), MELDS: _examples("melds"), CELL: _examples("routes")}
    texts = (GOAL, MELDS, CELL, YARD, CATCHING, CAUGHT, CARDS, BREAKING_OUT, CALLS, ROUNDS)
    return tuple(Page((Text(_(text)), *((drawn[text],) if text in drawn else ()))) for text in texts)

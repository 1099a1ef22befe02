"""Prison Break's short rules, page by page, in our own words."""

from cogs.core.pages.page import Page, Picture, Text
from cogs.prison_break import picture
from cogs.prison_break.words import ACCEPT, OFFER_NAMES, REJECT
from engine.games.prison_break import GAME, Kind

AIM = f"""\
### {GAME.title} – the aim
Each of you has a hidden track: JAIL, ten spaces, EXIT. **Whoever stands on EXIT when a round ends wins.** If several \
do, whoever arrived first wins; those who arrived by the same effect share the win.
You never show where you are. You only *say* how far you go, and nobody has to be honest."""

ROUND = f"""\
### A round
1. **Sneak.** From the Warden on, each of you says 0, 1 or 2 to all and goes 0, 1 or 2 in secret. The two need not \
match. The table adds up what you have said since you were last seen. On EXIT you say a number and stay.
2. **Lights check.** A die: on 5 or 6 all positions are shown, as they are at that moment. Whenever all \
are shown, the game pauses until all are ready, for 20 seconds at the most, unless the table has no interludes.
3. **Offer.** The Warden may put one face-up offer to any two players, the Warden too, or make none. Both \
vote {ACCEPT} or {REJECT} in secret; the votes are shown together and the offer takes effect. A used offer is turned \
down; when all are, new ones are dealt.
4. **Guard checks.** In turn, from the Warden on, each of you may spend a token (you begin with three) and name a \
space from 1 to 10: every pawn there, your own too, goes to JAIL and skips its next Sneak phase. All are told who was \
caught.
Then the next player clockwise is the Warden. The highest throw of a die is the first."""

OFFERS: dict[Kind, str] = {
    "advance": "✓✓ both 2 forward · split: ✓ nothing, ⊘ 3 forward · ⊘⊘ both 2 back",
    "lights": "✓✓ all positions are shown · split: ✓ position shown to all, ⊘ position hidden · ⊘⊘ both 1 back",
    "patrols": "✓✓ everybody else 1 back · split: ✓ 2 back, ⊘ 1 forward · ⊘⊘ both 2 back",
    "lockdown": "✓✓ no Sneak phase next round · split: ✓ may not move next round, ⊘ 3 forward · ⊘⊘ both 4 back",
    "bribe": "✓✓ no guard checks this round · split: ✓ −1 token, ⊘ +1 token · ⊘⊘ both −1 token",
}
"""The effects of the shipped offers; a test compares this with the material."""

VOTES = (
    f"{ACCEPT}{ACCEPT} is what follows if both accept, {REJECT}{REJECT} if both reject. *Split*: one accepts "
    f"({ACCEPT}), the other rejects ({REJECT}). Forward is towards EXIT."
)

SAMPLE = (
    "-# With the option *Offers: sample*, as on the printed sample cards, a split Advance is 2 forward for both, and a "
    "split Lock Down is 2 forward for whoever rejects."
)

SMALL_PRINT = """\
### Small print
- JAIL and EXIT end the track: nobody goes further. Guards cannot check EXIT, but an offer can pull a pawn off it \
again; coming back is a new arrival.
- As many offers lie face up as there are players; there are two of each kind.
- *May not move next round*: you say what you like, but go 0, and offers cannot move you forward. Backward they can, \
and guards can catch you.
- What an offer did is told as it is printed; where somebody stands now is not.
- A guard's catch shows a position: JAIL, and the sum of what was said begins anew. Whoever was caught may still \
check. Whoever goes to JAIL by an offer skips nothing.
- Tokens never fall below 0. Without one you are passed over in the guard checks.
- After the last round (the option *Round limit*) the furthest pawn wins, and ties share the win. A game without \
a limit is not ranked.
- *Markers* on your own page note where you think the others are. Only you see them, and nothing moves them but you.
- If your clock runs out you say 0 and stay, make no offer, reject, or make no check."""


def pages(colour: int) -> tuple[Page, ...]:
    """Return the rules with a picture; `colour` is that of the edge, 0xRRGGBB."""
    drawing = Picture(picture.draw_rules(), "said.png", picture.RULES_ALT)
    offers = "\n".join(f"**{OFFER_NAMES[kind]}** {terms}" for kind, terms in OFFERS.items())
    return (
        Page((Text(AIM), drawing), colour),
        Page((Text(ROUND),), colour),
        Page((Text(f"### The offers\n{VOTES}\n{offers}"), Text(SAMPLE)), colour),
        Page((Text(SMALL_PRINT),), colour),
    )

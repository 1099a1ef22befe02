"""Prison Break's short rules, page by page, in our own words: the basics first."""

from cogs.core.i18n.translation import N_, _
from cogs.core.pages.display_names import game_title
from cogs.core.pages.page import Page, Picture, Text
from cogs.prison_break import picture
from cogs.prison_break.words import offer_name
from engine.games.prison_break import GAME, Kind

AIM = N_("""\
### {title} – the goal
Each of you has a hidden track: JAIL, ten spaces, EXIT. **If you're on EXIT when a round ends, you win.** You never \
show where you are. You only *say* how far you go, and no one has to be honest.""")

ROUND = N_("""\
### A round
1. **Sneak.** Starting with the Warden, each of you says 0, 1 or 2 and secretly goes 0, 1 or 2. The two needn't \
match.
2. **Lights check.** A die is rolled: on 5 or 6 all positions are shown.
3. **Offer.** The Warden may make one face-up offer to any two players. Both vote ✓ or ⊘ in secret, and the offer \
takes effect.
4. **Guard checks.** In turn, each of you may spend a token (you begin with three) and name a space from 1 to 10: \
every pawn there, yours too, goes to JAIL and skips its next Sneak phase. Everyone learns who was caught.
Then the next player clockwise becomes the Warden.""")

ROUND_DETAILS = N_("""\
### More about the round
- The table adds up what you've said since you were last seen. On EXIT you say a number and stay.
- The Warden can be one of the two players of an offer, or make none. The votes are shown together. A used offer is \
turned face down; once all are used, new ones are dealt.
- The highest roll of a die decides who is first.
- If several of you are on EXIT, the first to get there wins; players brought there by the same effect share the \
win.
- *Markers* in your private view note where you think the others are. Only you see them, and only you move them.""")

OFFERS: dict[Kind, str] = {
    "advance": N_("✓✓ both 2 forward · split: ✓ nothing, ⊘ 3 forward · ⊘⊘ both 2 back"),
    "lights": N_("✓✓ all positions are shown · split: ✓ position shown to all, ⊘ position hidden · ⊘⊘ both 1 back"),
    "patrols": N_("✓✓ everyone else 1 back · split: ✓ 2 back, ⊘ 1 forward · ⊘⊘ both 2 back"),
    "lockdown": N_("✓✓ no Sneak phase next round · split: ✓ may not move next round, ⊘ 3 forward · ⊘⊘ both 4 back"),
    "bribe": N_("✓✓ no guard checks this round · split: ✓ −1 token, ⊘ +1 token · ⊘⊘ both −1 token"),
}
"""The effects of the shipped offers; a test compares this with the material."""

VOTES = N_(
    "✓✓ is the effect if both accept, ⊘⊘ if both reject. *Split*: one accepts (✓), the other rejects (⊘). Forward is "
    "towards EXIT."
)

SAMPLE = N_(
    "-# With the option *Offers: sample*, as on the printed sample cards, a split Advance is 2 forward for both, and a "
    "split Lock Down is 2 forward for the player who rejects."
)

SPECIAL = N_("""\
### Special cases
- JAIL and EXIT end the track: no one goes further. Guards can't check EXIT, but an offer can pull a pawn off it \
again; coming back is a new arrival.
- *May not move next round*: you say what you like, but go 0, and offers can't move you forward. They can move you \
back, and guards can catch you.
- When guards catch you, everyone knows you're in JAIL, and the sum of what you've said starts again from 0. You may \
still make your guard check. If an offer takes you to JAIL, you skip nothing.
- Tokens never go below 0. Without one you're skipped in the guard checks.""")

TIME = N_("""\
### Limits and time
- There are as many face-up offers as players, and two of each kind in all. Everyone sees what an offer does as \
printed, but not where players are now.
- After the last round (the option *Round limit*) the furthest pawn wins, and ties share the win. A game without a \
limit is unrated.
- Whenever all positions are shown, the game pauses until everyone is ready, for 20 seconds at most, unless the \
table plays without pauses.
- If you run out of time, you say 0 and stay, make no offer, reject, or make no check.""")


def pages() -> tuple[Page, ...]:
    """Return the rules with a picture; `colour` is that of the edge, 0xRRGGBB."""
    drawing = Picture(picture.draw_rules(), "said.png", _(picture.RULES_ALT))
    offers = "\n".join(f"**{offer_name(kind)}** {_(terms)}" for kind, terms in OFFERS.items())
    return (
        Page((Text(_(AIM, title=game_title(GAME))), drawing)),
        Page((Text(_(ROUND)),)),
        Page((Text("\n".join([_("### The offers"), _(VOTES), offers])), Text(_(SAMPLE)))),
        Page((Text(_(ROUND_DETAILS)),)),
        Page((Text(_(SPECIAL)),)),
        Page((Text(_(TIME)),)),
    )

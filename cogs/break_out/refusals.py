"""The sentences for refused actions, with their rule."""

from cogs.break_out.words import FAULTS, face_words, seconds
from cogs.core.i18n.translation import N_, _
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence, whose
from engine.contract import Refusal, Seat
from engine.games.break_out import DRAW, NATURAL, SUPER, WILD

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

"""Prison Break in words: places, offers, log entries and refusals, for its messages, texts and alt texts."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from cogs.core.ops.text_format import count, listed, noun, signed
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence, whose
from cogs.prison_break.identity_cache import IdentityCache
from engine.contract import Refusal, Seat
from engine.games.prison_break import (
    JAIL,
    Declares,
    Effect,
    GuardsGo,
    JointEffect,
    Kind,
    LightsThrown,
    LogEntry,
    Position,
    PrisonBreakView,
    Prisoner,
    Terms,
    VotesShown,
)

Who = Callable[[Seat], str]
"""The name of a seat: bold with its mark in messages, plain in texts."""

OFFER_NAMES: dict[Kind, str] = {
    "advance": "Advance",
    "lights": "Lights On",
    "patrols": "Extra Patrols",
    "lockdown": "Lock Down",
    "bribe": "Bribe the Guards",
}

ACCEPT, REJECT = "✓", "⊘"

LEGEND = "A full mark is where somebody was last seen, a hollow one with ? where words and offers led since."
"""The legend of the pictures."""


def place(position: Position, spaces: int) -> str:
    """Return a place of the track: JAIL, 7, EXIT."""
    return "JAIL" if position <= JAIL else "EXIT" if position > spaces else str(position)


def at(position: Position, spaces: int) -> str:
    """Return where somebody is: in JAIL, on 7, on EXIT."""
    return f"{'in' if position <= JAIL else 'on'} {place(position, spaces)}"


def round_words(view: PrisonBreakView) -> str:
    """Return which round it is, of how many."""
    return f"Round {view.round} of {view.round_limit}" if view.round_limit else f"Round {view.round}"


def claim(view: PrisonBreakView, seat: Seat) -> Position:
    """Return where a seat would be now if all its declarations since it was last seen were true. Public."""
    return view.prisoners[seat].led


def is_held(view: PrisonBreakView, seat: Seat) -> bool:
    """Return whether this seat may not move in this round."""
    return view.prisoners[seat].held_round == view.round


# --------------------------------------------------------------------------------------------------------------- offers


def steps_words(steps: int) -> str:
    """Return the movement of an offer: 2 forward, 1 back."""
    return f"{abs(steps)} {'forward' if steps > 0 else 'back'}"


def effect_words(effect: Effect, *, idle: str = "nothing") -> str:
    """Return the effect on one voter."""
    parts = []
    if effect.steps:
        parts.append(steps_words(effect.steps))
    if effect.tokens:
        parts.append(f"{signed(effect.tokens)} {noun(effect.tokens, 'token')}")
    if effect.shown:
        parts.append("position shown to all")
    if effect.held:
        parts.append("may not move next round")
    return ", ".join(parts) or idle


def joint_words(joint: JointEffect) -> str:
    """Return the effect if both vote alike."""
    parts = []
    if joint.steps or joint.tokens or joint.shown or joint.held:
        parts.append(f"both {effect_words(joint)}")
    if joint.others:
        parts.append(f"everybody else {steps_words(joint.others)}")
    if joint.all_shown:
        parts.append("all positions are shown")
    if joint.no_sneak:
        parts.append("no Sneak phase next round")
    if joint.no_guards:
        parts.append("no guard checks this round")
    return ", ".join(parts) or "nothing"


def split_words(terms: Terms) -> tuple[str, str]:
    """Return the effect of a split on the player who accepts and the one who rejects."""
    hidden = "position hidden" if terms.accept.shown or terms.reject.shown else "nothing"
    return effect_words(terms.accept, idle=hidden), effect_words(terms.reject, idle=hidden)


def terms_words(terms: Terms) -> str:
    """Return an offer's terms on one line."""
    accept, reject = split_words(terms)
    return (
        f"{ACCEPT}{ACCEPT} {joint_words(terms.both_accept)} · split: {ACCEPT} {accept}, {REJECT} {reject} · "
        f"{REJECT}{REJECT} {joint_words(terms.both_reject)}"
    )


# ------------------------------------------------------------------------------------------------- the end of the game


def over_words(view: PrisonBreakView, who: Who) -> str:
    """Return how the game ended."""
    winners = listed([who(seat) for seat in view.winners])
    if view.reason is None:  # not by the track: a player ahead there had left the game
        return f"{winners} {'wins' if len(view.winners) == 1 else 'share the win'}"
    if view.reason == "exit":
        return f"{winners} {'escapes' if len(view.winners) == 1 else 'escape together'}"
    return f"The last round is played: {winners} got furthest"


# ----------------------------------------------------------------------------------------------------- declarations


_declarations: IdentityCache[tuple[tuple[int, ...], ...]] = IdentityCache()


def declarations(view: PrisonBreakView) -> tuple[tuple[int, ...], ...]:
    """Return for every seat its declarations since it was last seen, oldest first. Public."""
    seats = len(view.prisoners)
    return _declarations.of((view.log,), seats, lambda: declarations_in(view.log, seats))


def declarations_in(log: Sequence[LogEntry], seats: int) -> tuple[tuple[int, ...], ...]:
    """Return the same for a part of a log. It is read backwards until everybody has been seen."""
    sums: list[list[int]] = [[] for _ in range(seats)]
    unseen = set(range(seats))
    for entry in reversed(log):
        if isinstance(entry, Declares):
            if entry.seat in unseen:
                sums[entry.seat].append(entry.spaces)
        elif isinstance(entry, GuardsGo):
            unseen.difference_update(entry.caught)
        elif isinstance(entry, VotesShown | LightsThrown) and entry.positions is not None:
            unseen.difference_update(seat for seat, position in enumerate(entry.positions) if position is not None)
        if not unseen:
            break
    return tuple(tuple(reversed(past)) for past in sums)


def sum_words(declared: Sequence[int], printed: int) -> str:
    """Return a seat's declarations since it was last seen, and the steps that offers printed for it meanwhile."""
    words = f"said {listed(map(str, declared)) or 'nothing'} since"
    if len(declared) > 1:
        words += f", {sum(declared)} in all"
    return words if not printed else f"{words}, taken {steps_words(printed)} by offers"


def seen_words(view: PrisonBreakView, seat: Seat) -> str:
    """Return where and when a seat was last seen."""
    return _seen_words(view.prisoners[seat], view.spaces)


def _seen_words(prisoner: Prisoner, spaces: int) -> str:
    if not prisoner.seen_round:
        return "began in JAIL"
    return f"seen {at(prisoner.seen, spaces)} in round {prisoner.seen_round}"


def public_words(view: PrisonBreakView) -> list[str]:
    """Return for every seat where it was last seen, its declarations since, and its remaining tokens. Public."""
    return [
        _public_words(prisoner, past, view.spaces)
        for prisoner, past in zip(view.prisoners, declarations(view), strict=True)
    ]


@lru_cache(maxsize=4_096)
def _public_words(prisoner: Prisoner, past: tuple[int, ...], spaces: int) -> str:
    """Return what is known of one of them, which rarely changes from move to move."""
    leads_to = prisoner.led
    leads = "" if leads_to == prisoner.seen else f", so {at(leads_to, spaces)} if that is true"
    words = f"{_seen_words(prisoner, spaces)}, {sum_words(past, prisoner.printed)}{leads}"
    return f"{words}; {count(prisoner.tokens, 'token')}"


# ------------------------------------------------------------------------------------------------------------- refusals


_REFUSALS = {
    "not-your-turn": "It is {turn}'s turn, not yours: from the Warden on, one acts after the other.",
    "sits-out": "You sit out this Sneak phase: whoever the guards send back to JAIL skips the next one.",
    "no-declaration": "You can say 0 to {most}, not {spaces}.",
    "no-move": "You can go 0 to {most} spaces, not {spaces}.",
    "held": "A split Lock Down holds you: you may not move this round. Say what you like, but go 0 – nobody else "
    "sees that.",
    "not-warden": "Only the Warden makes offers; that is {warden} this round.",
    "no-card": "There is no such offer on the table. Choose one of those that lie face up.",
    "card-down": "That offer has been used and lies face down until all of them are used. Choose one that is face up.",
    "no-player": "Nobody sits there. Choose two players of this table.",
    "same-player": "An offer goes to two different players; you named {player} twice.",
    "not-asked": "This offer is for {first} and {second}; only they vote.",
    "voted": "You have voted. A vote is final; both are shown as soon as the other one is in.",
    "no-token": "You have no guard token left, and a guard check costs one.",
    "no-space": "Guards can be sent to the numbered spaces 1 to {spaces} only: JAIL and EXIT cannot be checked.",
    "note-too-long": "A notepad holds {most} characters; that was {length}. Nothing was changed.",
    "no-marker": "Markers go on another player's track, from JAIL over 1 to {spaces} to EXIT. Nothing was changed.",
    "notes-too-long": "Your notepad was changed while you wrote, and both texts together are too long for it. "
    "Nothing was changed.",
    "note-unreadable": "That note has a character in it that cannot be stored. Nothing was changed.",
}

_SEATS = ("turn", "warden", "player", "first", "second")
"""Facts of refusals that are seats, shown by name."""


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    if refusal.code == "wrong-phase":
        return _phase_words(str(facts.get("phase")), str(facts.get("needs")))
    return sentence(refusal, _REFUSALS, **{name: whose(info, facts.get(name)) for name in _SEATS})


def _phase_words(phase: str, needs: str) -> str:
    now: dict[str, str] = {
        "sneak": "It is the Sneak phase now.",
        "offer": "Now the Warden may make an offer.",
        "vote": "Now two players vote on an offer.",
        "guard": "It is time for the guard checks.",
    }
    rule: dict[str, str] = {
        "sneak": "You sneak in the Sneak phase, at the beginning of a round.",
        "offer": "Offers are made after the lights check, once a round.",
        "vote": "There is no offer to vote on.",
        "guard": "Guard checks come last in a round, after the offer.",
    }
    return f"{rule.get(needs, 'That is not possible in this phase.')} {now.get(phase, '')}".strip()

"""Prison Break in words: places, offers, log entries and refusals, for its messages, texts and alt texts."""

from collections.abc import Callable, Sequence

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import listed, signed
from cogs.core.pages.game_ui import TableContext
from cogs.core.pages.refusals import sentence, whose
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
    "advance": N_("Advance"),
    "lights": N_("Lights On"),
    "patrols": N_("Extra Patrols"),
    "lockdown": N_("Lock Down"),
    "bribe": N_("Bribe the Guards"),
}

ACCEPT, REJECT = "✓", "⊘"

LEGEND = N_("A full mark is where a player was last seen. A hollow one with ? is where claims and offers put them now.")
"""The legend of the pictures."""


def vote_words(*, accept: bool) -> str:
    """Return a vote, as on the buttons."""
    return _("✓ Accept") if accept else _("⊘ Reject")


def offer_name(kind: Kind) -> str:
    """Return the name of an offer."""
    return _(OFFER_NAMES[kind])


def place(position: Position, spaces: int) -> str:
    """Return a place of the track: JAIL, 7, EXIT."""
    # Translators: JAIL and EXIT are the two ends of the track.
    return _("JAIL") if position <= JAIL else _("EXIT") if position > spaces else str(position)


def at(position: Position, spaces: int) -> str:
    """Return where a player is: in JAIL, on 7, on EXIT."""
    # Translators: where a player is, as in "Ann is in JAIL", "Ann is on 7".
    return _("in JAIL") if position <= JAIL else _("on EXIT") if position > spaces else _("on {space}", space=position)


def round_words(view: PrisonBreakView) -> str:
    """Return which round it is, of how many."""
    if view.round_limit:
        return _("Round {round} of {last}", round=view.round, last=view.round_limit)
    return _("Round {round}", round=view.round)


def claim(view: PrisonBreakView, seat: Seat) -> Position:
    """Return where a seat would be now if all its declarations since it was last seen were true. Public."""
    return view.prisoners[seat].led


def is_held(view: PrisonBreakView, seat: Seat) -> bool:
    """Return whether this seat may not move in this round."""
    return view.prisoners[seat].held_round == view.round


# --------------------------------------------------------------------------------------------------------------- offers


def steps_words(steps: int) -> str:
    """Return the movement of an offer: 2 forward, 1 back."""
    # Translators: a number of spaces along the track.
    return ngettext("{n} forward", "{n} forward", steps) if steps > 0 else ngettext("{n} back", "{n} back", -steps)


def tokens_words(change: int) -> str:
    """Return a change of guard tokens: +1 token, −2 tokens."""
    return ngettext("{change} token", "{change} tokens", abs(change), change=signed(change))


def effect_words(effect: Effect, *, idle: str | None = None) -> str:
    """Return the effect on one voter; `idle`, or else "nothing", if there is none."""
    parts = []
    if effect.steps:
        parts.append(steps_words(effect.steps))
    if effect.tokens:
        parts.append(tokens_words(effect.tokens))
    if effect.shown:
        parts.append(_("position shown to all"))
    if effect.held:
        parts.append(_("may not move next round"))
    return ", ".join(parts) or (_("nothing") if idle is None else idle)


def joint_words(joint: JointEffect) -> str:
    """Return the effect if both vote alike."""
    parts = []
    if joint.steps or joint.tokens or joint.shown or joint.held:
        # Translators: an effect on both voters, as in "both 2 forward".
        parts.append(_("both {effect}", effect=effect_words(joint)))
    if joint.others:
        parts.append(_("everyone else {steps}", steps=steps_words(joint.others)))
    if joint.all_shown:
        parts.append(_("all positions are shown"))
    if joint.no_sneak:
        parts.append(_("no Sneak phase next round"))
    if joint.no_guards:
        parts.append(_("no guard checks this round"))
    return ", ".join(parts) or _("nothing")


def split_words(terms: Terms) -> tuple[str, str]:
    """Return the effect of a split on the player who accepts and the one who rejects."""
    hidden = _("position hidden") if terms.accept.shown or terms.reject.shown else None
    return effect_words(terms.accept, idle=hidden), effect_words(terms.reject, idle=hidden)


def terms_words(terms: Terms) -> str:
    """Return an offer's terms on one line."""
    accept, reject = split_words(terms)
    both_accept, both_reject = joint_words(terms.both_accept), joint_words(terms.both_reject)
    # Translators: ✓ accepts, ⊘ rejects; in a split one of the two voters accepts and the other rejects.
    return _(
        "✓✓ {both_accept} · split: ✓ {accept}, ⊘ {reject} · ⊘⊘ {both_reject}",
        both_accept=both_accept,
        accept=accept,
        reject=reject,
        both_reject=both_reject,
    )


# ------------------------------------------------------------------------------------------------- the end of the game


def over_words(view: PrisonBreakView, who: Who) -> str:
    """Return how the game ended."""
    winners, number = listed([who(seat) for seat in view.winners]), len(view.winners)
    if view.reason is None:  # not by the track: a player ahead there had left the game
        return ngettext("{winners} wins", "{winners} share the win", number, winners=winners)
    if view.reason == "exit":
        return ngettext("{winners} escapes", "{winners} escape together", number, winners=winners)
    return ngettext(
        "The last round is over: {winners} got furthest",
        "The last round is over: {winners} got furthest",
        number,
        winners=winners,
    )


# ----------------------------------------------------------------------------------------------------- declarations


def declarations(view: PrisonBreakView) -> tuple[tuple[int, ...], ...]:
    """Return for every seat its declarations since it was last seen, oldest first. Public."""
    return declarations_in(view.log, len(view.prisoners))


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
    # Translators: "since" is since the player was last seen.
    words = _("said nothing since")
    if len(declared) == 1:
        words = _("said {number} since", number=declared[0])
    elif declared:
        words = _("said {numbers} since ({total} in all)", numbers=listed(map(str, declared)), total=sum(declared))
    # Translators: said is "said 2 since", steps is "2 forward".
    return _("{said}, moved {steps} by offers", said=words, steps=steps_words(printed)) if printed else words


def seen_words(view: PrisonBreakView, seat: Seat) -> str:
    """Return where and when a seat was last seen."""
    return _seen_words(view.prisoners[seat], view.spaces)


def _seen_words(prisoner: Prisoner, spaces: int) -> str:
    if not prisoner.seen_round:
        return _("started in JAIL")
    # Translators: where is "in JAIL" or "on 7".
    return _("seen {where} in round {round}", where=at(prisoner.seen, spaces), round=prisoner.seen_round)


def public_words(view: PrisonBreakView) -> list[str]:
    """Return for every seat where it was last seen, its declarations since, and its remaining tokens. Public."""
    return [
        _public_words(prisoner, past, view.spaces)
        for prisoner, past in zip(view.prisoners, declarations(view), strict=True)
    ]


def _public_words(prisoner: Prisoner, past: tuple[int, ...], spaces: int) -> str:
    """Return what is known of one of them."""
    seen, said = _seen_words(prisoner, spaces), sum_words(past, prisoner.printed)
    tokens = ngettext("{n} token", "{n} tokens", prisoner.tokens)
    if prisoner.led == prisoner.seen:
        return _("{seen}, {said}; {tokens}", seen=seen, said=said, tokens=tokens)
    # Translators: where is "on 7". The whole: "seen on 5 in round 2, said 2 since, so on 7 if that's true; 3 tokens".
    return _(
        "{seen}, {said}, so {where} if that's true; {tokens}",
        seen=seen,
        said=said,
        where=at(prisoner.led, spaces),
        tokens=tokens,
    )


# ------------------------------------------------------------------------------------------------------------- refusals


_REFUSALS = {
    "not-your-turn": N_("It's {turn}'s turn, not yours: players act one by one, starting with the Warden."),
    "sits-out": N_("You sit out this Sneak phase: a player caught by the guards skips the next one."),
    "no-declaration": N_("You can say 0 to {most}, not {spaces}."),
    "no-move": N_("You can go 0 to {most} spaces, not {spaces}."),
    "held": N_(
        "A split Lock Down holds you: you may not move this round. Say what you like, but go 0. No one else sees that."
    ),
    "not-warden": N_("Only the Warden makes offers; that's {warden} this round."),
    "no-card": N_("That offer isn't on the table. Choose one that's face up."),
    "card-down": N_(
        "That offer has been used, and is face down until all of them are used. Choose one that's face up."
    ),
    "no-player": N_("There's no player on that seat. Choose two players at this table."),
    "same-player": N_("An offer goes to two different players; you named {player} twice."),
    "not-asked": N_("This offer is for {first} and {second}; only they vote."),
    "voted": N_("You've already voted, and a vote is final. Both votes are shown once the other one is in."),
    "no-token": N_("You have no guard tokens left, and a guard check costs one."),
    "no-space": N_("Send the guards to a space from 1 to {spaces}: JAIL and EXIT can't be checked."),
    "note-too-long": N_("Your notepad holds {most} characters; that was {length}. Nothing was changed."),
    "no-marker": N_("Set markers on another player's track: JAIL, 1 to {spaces}, or EXIT. Nothing was changed."),
    "notes-too-long": N_(
        "Your notepad was changed while you wrote, and both texts together are too long for it. Nothing was changed."
    ),
    "note-unreadable": N_("That note has a character in it that can't be stored. Nothing was changed."),
}

_NOW = {
    "sneak": N_("It's the Sneak phase now."),
    "offer": N_("Right now, the Warden may make an offer."),
    "vote": N_("Right now, two players vote on an offer."),
    "guard": N_("It's time for the guard checks."),
}
"""The present phase."""

_WHEN = {
    "sneak": N_("You sneak in the Sneak phase, at the beginning of a round."),
    "offer": N_("Offers are made after the lights check, once a round."),
    "vote": N_("There's no offer to vote on."),
    "guard": N_("Guard checks come last in a round, after the offer."),
}
"""The phase that an action belongs to."""

_SEATS = ("turn", "warden", "player", "first", "second")
"""Facts of refusals that are seats, shown by name."""


def refusal_words(refusal: Refusal, info: TableContext) -> str:
    """Return the sentence for a refused action, with its rule."""
    facts = refusal.facts
    if refusal.code == "wrong-phase":
        return _phase_words(str(facts.get("phase")), str(facts.get("needs")))
    return sentence(refusal, info, _REFUSALS, **{name: whose(info, facts.get(name)) for name in _SEATS})


def _phase_words(phase: str, needs: str) -> str:
    rule = _(_WHEN[needs]) if needs in _WHEN else _("You can't do that in this phase.")
    return f"{rule} {_(_NOW[phase])}" if phase in _NOW else rule

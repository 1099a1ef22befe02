"""What an offer does to each player, from its printed terms and the two votes. All of it is public."""

from engine.contract import Seat
from engine.games.prison_break.log import Effects
from engine.games.prison_break.types import (
    Effect,
    JointEffect,
    Kind,
    Material,
    PrisonBreakOptions,
    Terms,
    Votes,
)


def terms_at(material: Material, options: PrisonBreakOptions) -> tuple[Terms, ...]:
    """Return the offers of a table. O1: sample cards replace the rules' offers of the same kind."""
    sample = {terms.kind: terms for terms in material.sample} if options.offers == "sample" else {}
    return tuple(sample.get(terms.kind, terms) for terms in material.offers)


def terms_of(kind: Kind, offers: tuple[Terms, ...]) -> Terms:
    """Return the terms of this kind of offer."""
    return next(terms for terms in offers if terms.kind == kind)


def effects_of(terms: Terms, seats: int, first: Seat, second: Seat, accepts: Votes) -> Effects:
    """Return what an offer, as printed, does to everyone, by the number of seats."""
    if accepts[0] == accepts[1]:
        joint = terms.both_accept if accepts[0] else terms.both_reject
        return _printed(seats, {first: joint, second: joint}, joint)
    sides = {
        voter: terms.accept if accept else terms.reject for voter, accept in zip((first, second), accepts, strict=True)
    }
    return _printed(seats, sides, JointEffect())


def _printed(seats: int, sides: dict[Seat, Effect], joint: JointEffect) -> Effects:
    everyone = [Seat(seat) for seat in range(seats)]
    others = Effect(steps=joint.others)
    each = [sides.get(seat, others) for seat in everyone]
    return Effects(
        steps=tuple(effect.steps for effect in each),
        tokens=tuple(effect.tokens for effect in each),
        shown=tuple(seat for seat in everyone if joint.all_shown or each[seat].shown),
        held=tuple(seat for seat in everyone if each[seat].held),
        no_sneak=joint.no_sneak,
        no_guards=joint.no_guards,
    )

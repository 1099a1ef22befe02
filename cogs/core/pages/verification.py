"""The result of verifying a finished game, in words."""

from collections.abc import Mapping

from cogs.core.i18n.translation import N_, _
from engine.verify import Difference, OtherRules, Report

QUOTED = 300
"""How many characters of an event are quoted."""

DIFFERENCES: Mapping[str, str] = {
    "empty": N_("It is empty."),
    "no-setup": N_("It doesn't begin with a setup."),
    "decisions": N_("After event {number}, a decision is missing or appears twice."),
    "undecided": N_("No decision led to event {number}."),
    "unfinished": N_("It breaks off before the game is over."),
    "disordered": N_("Its decisions and events don't fit together."),
    "misfit": N_("It doesn't fit the game: {error}."),
    "misfit-from": N_("The events from {number} on don't fit the game: {error}."),
    "seed": N_("The seed isn't {bytes} bytes in hexadecimal."),
    "commitment": N_("The seed isn't the one that was committed to."),
    "unreadable-event": N_("Event {number} can't be read: {error}."),
    "no-such-seat": N_("Event {number} names a seat that no one has."),
    "impossible": N_("Event {number} is impossible in this game."),
    "options": N_("The options can't be read: {error}."),
    "players": N_("{game} isn't a game for {number} players."),
    "unreadable-decision": N_("The decision at event {number} can't be read: {error}."),
    "refused": N_("The decision at event {number} is refused by the rules ({refusal})."),
    "missing": N_("Event {number} is missing."),
    "differs": N_("Event {number} differs."),
}
"""The sentences for differences, by their codes."""


def verdict(report: Report) -> str:
    """Return the verdict in a few words."""
    if report.proved:
        return _("Proved.") if report.other is None else _("The draws are proved.")
    return _("Partly proved.") if report.other is not None and report.other.proved else _("Not proved!")


def report_text(report: Report) -> str:
    """Return the result in one or more sentences."""
    if report.difference is not None:
        return " ".join(_differs(report, report.difference))
    if report.other is not None:
        return " ".join(_under_other_rules(report, report.other))
    if not report.material:
        return _(
            "Event 1 differs: the game's material (its cards, tracks and numbers) isn't this version's. With that "
            "material, everything else follows from the seed."
        )
    return _(
        "All {events} events follow from the seed and the {decisions} decisions, and the seed is the one that was "
        "committed to.",
        events=report.events,
        decisions=report.decisions,
    )


def _differs(report: Report, difference: Difference) -> list[str]:
    found = [_("This record doesn't follow from its seed."), _(DIFFERENCES[difference.code], **difference.facts)]
    if report.rules > report.present:
        found.append(
            _(
                "Its rules are version {version}, but this bot knows only version {present}: use a newer Cellblock.",
                version=report.rules,
                present=report.present,
            )
        )
    if difference.recorded:
        found.append(_("Recorded: {record}.", record=_quoted(difference.recorded)))
    if difference.recomputed:
        found.append(_("Recomputed: {record}.", record=_quoted(difference.recomputed)))
    return found


def _under_other_rules(report: Report, other: OtherRules) -> list[str]:
    found = [
        _(
            "This game was played under version {version} of its rules, and this is version {present}.",
            version=report.rules,
            present=report.present,
        )
    ]
    if other.proved == other.draws:
        found.append(_("All random draws are proved."))
    else:
        found.append(
            _(
                "{proved} of the {draws} random draws are proved; the others need the older rules.",
                proved=other.proved,
                draws=other.draws,
            )
        )
    found.append(_("The seed is the one that was committed to. The decisions weren't checked."))
    if not report.material:
        found.append(_("The game's material, as event 1 has it, isn't this version's."))
    return found


def _quoted(record: str) -> str:
    return record if len(record) <= QUOTED else record[: QUOTED - 1] + "…"

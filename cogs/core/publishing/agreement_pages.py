"""Pages on which players end a game by agreement or pardon missed turns, and what is said elsewhere of such endings."""

from collections.abc import Iterator

from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.ops.text_format import figure
from cogs.core.pages import display_names
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.core.tables import endings, seat_rules
from cogs.core.tables.agreements import Kind, Proposal
from cogs.core.tables.snapshot import TableSnapshot
from cogs.core.tables.stored_table import StoredTable
from engine.contract import Seat
from engine.results import VOID

PAGE, PROPOSE, AGREE, DECLINE = "ending", "ending-propose", "ending-agree", "ending-decline"
PARDON, NO_PARDON = "pardon", "no-pardon"
"""The verbs of the controls."""

_LABELS: dict[Kind, str] = {
    "none": N_("End without a result"),
    "count": N_("Count the totals"),
    "draw": N_("Offer a draw"),
}

MOST_PARDONS = 2
"""How many players can be pardoned on one page; with more, the others follow."""


def by_agreement_button() -> Button:
    """Return the button to the page."""
    return Button(_("End by agreement …"), PAGE)


def answer_button() -> Button:
    """Return the button to the page for a player who is asked something."""
    return Button(_("Answer …"), PAGE, style="primary")


def agreement_page(ui: GameUI, table: TableSnapshot, seat: Seat, no_draw: str = "") -> Page:
    """Return the page on which a player proposes how to end the game, answers a proposal, and pardons opponents.
    `no_draw`: why a draw cannot be offered now; empty if it can.
    """
    return Page(tuple(_page(table, seat, no_draw)), ui.colour)


def _page(table: TableSnapshot, seat: Seat, no_draw: str) -> Iterator[Block]:
    yield Text(f"### {_('End table {table} by agreement', table=table.id)}\n{_who_decides(table, seat)}")
    if seat in endings.voters(table.seats):
        proposal = endings.open_proposal(table)
        if proposal is not None:
            yield from _to_answer(table, proposal, seat)
        else:
            yield Text("\n".join(_ways(table, no_draw)))
            wait = table.agreements.wait_of(seat)
            if wait:
                yield Text(f"-# {endings.wait_words(wait)}")
            else:
                yield Row(
                    tuple(
                        Button(_(_LABELS[kind]), PROPOSE, kind, disabled=kind == "draw" and bool(no_draw))
                        for kind in _kinds(table)
                    )
                )
    yield from _to_pardon(table, seat)


def _who_decides(table: TableSnapshot, seat: Seat) -> str:
    voters = endings.voters(table.seats)
    if seat not in voters:
        return _("Only players who are still in can decide how the game ends.")
    if len(voters) == 1:
        return _("You're the only player left, so the game ends as soon as you choose.")
    return _("The game ends if every player who is here and still in agrees.")


def _kinds(table: TableSnapshot) -> Iterator[Kind]:
    yield "none"
    if endings.public_totals(table) is not None:
        yield "count"
    if endings.can_draw(table):
        yield "draw"


def _ways(table: TableSnapshot, no_draw: str) -> Iterator[str]:
    certain = any(row.forfeit is not None for row in table.seats)
    for kind in _kinds(table):
        label = _(_LABELS[kind])
        if kind == "none" and certain:
            yield _("**{label}:** only the places already decided remain.", label=label)
        elif kind == "none":
            yield _("**{label}:** no places, no rating change.", label=label)
        elif kind == "count":
            totals = _totals(table)
            yield _("**{label}:** the finished rounds become the result: {totals}.", label=label, totals=totals)
        elif no_draw:
            yield f"-# {no_draw}"
        else:
            yield ngettext(
                "**{label}:** after {n} move each, and only once a day between the two of you.",
                "**{label}:** after {n} moves each, and only once a day between the two of you.",
                endings.MOVES_BEFORE_DRAW,
                label=label,
            )


def _totals(table: TableSnapshot) -> str:
    totals = zip(table.seated_players, endings.public_totals(table) or (), strict=True)
    return " · ".join(f"{player.bold} {figure(total)}" for player, total in totals)


def _proposed(table: TableSnapshot, proposal: Proposal, reader: Seat | None = None) -> str:
    own, name = reader == proposal.by, table.seated_players[proposal.by].bold
    match proposal.kind:
        case "none" if own:
            return _("You propose to end the game without a result.")
        case "none":
            return _("{name} proposes to end the game without a result.", name=name)
        case "count" if own:
            return _("You propose to end the game and count the finished rounds: {totals}.", totals=_totals(table))
        case "count":
            return _(
                "{name} proposes to end the game and count the finished rounds: {totals}.",
                name=name,
                totals=_totals(table),
            )
        case "draw":
            return _("You offer a draw.") if own else _("{name} offers a draw.", name=name)


def _only_other(table: TableSnapshot, seat: Seat) -> str:
    """Return the name of the only other player whom a proposal of this seat asks; empty if there are several."""
    others = [one for one in endings.voters(table.seats) if one != seat]
    return table.seated_players[others[0]].bold if len(others) == 1 else ""


def _waiting(table: TableSnapshot, proposal: Proposal, reader: Seat) -> str:
    """Return whose answers a proposal waits for; of several players nobody learns who has answered."""
    if reader == proposal.by and (name := _only_other(table, reader)):
        return _("{name} hasn't answered yet.", name=name)
    return _("Not everyone has answered yet.")


def _to_answer(table: TableSnapshot, proposal: Proposal, seat: Seat) -> Iterator[Block]:
    number = str(proposal.number)
    words = _proposed(table, proposal, seat)
    if seat == proposal.by:
        yield Text(f"{words} {_waiting(table, proposal, seat)}")
        yield Row((Button(_("Withdraw it"), DECLINE, number),))
    elif seat in proposal.agreed:
        yield Text(f"{words} {_('You agreed. Not everyone has answered yet.')}")
        yield Row((Button(_("Decline after all"), DECLINE, number),))
    else:
        yield Text(words)
        yield Row((Button(_("Agree"), AGREE, number, style="success"), Button(_("Decline"), DECLINE, number)))


def _to_pardon(table: TableSnapshot, seat: Seat) -> Iterator[Block]:
    for one in endings.pardonable(table)[:MOST_PARDONS]:
        if seat not in endings.judges(table, Seat(one.seat)):
            continue
        name = table.seated_players[one.seat].bold
        if seat in one.agreed:
            yield Text(_("You agreed to pardon {name}. Not all opponents have answered yet.", name=name))
        else:
            others = len(endings.judges(table, Seat(one.seat))) > 1
            words = _(
                "{name} missed two turns in a row and lost their place. You can pardon them once, before the "
                "computer's second move.",
                name=name,
            )
            secret = f" {_('All opponents must agree; no one sees who refuses.')}" if others else ""
            yield Text(f"{words}{secret}")
            argument = str(one.seat)
            pardon = Button(_("Pardon"), PARDON, argument, style="success")
            yield Row((pardon, Button(_("Don't pardon"), NO_PARDON, argument)))


# What other pages say of it


def notes(table: TableSnapshot, reader: Seat | None) -> Iterator[Block]:
    """Yield what the table message, or the page of `reader`, says of proposals and pardons. They are answered on the
    page behind the `answer_button`.
    """
    proposal = endings.open_proposal(table)
    if proposal is not None and reader is None:
        other = _only_other(table, Seat(proposal.by))
        answers = (
            _("{name} answers in their private view.", name=other)
            if other
            else _("The others answer in their private view.")
        )
        yield Text(f"-# {_proposed(table, proposal)} {answers}")
    elif proposal is not None and reader is not None and reader in proposal.agreed:
        yield Text(f"-# {_proposed(table, proposal, reader)} {_waiting(table, proposal, reader)}")
    elif proposal is not None:  # in one line: the page behind the button says it all
        name = table.seated_players[proposal.by].bold
        draw = _("{name} offers a draw.", name=name)
        yield Text(f"-# {draw if proposal.kind == 'draw' else _('{name} proposes to end the game.', name=name)}")
    for one in endings.pardonable(table):
        name, place = table.seated_players[one.seat].bold, seat_rules.certain_places(table.seats)[Seat(one.seat)]
        if reader == one.seat:
            words = _(
                "You missed two turns in a row: place {place}, unless your opponents pardon you before the computer's "
                "second move.",
                place=place,
            )
        else:
            words = _(
                "{name} missed two turns in a row: place {place}, unless the opponents pardon them before the "
                "computer's second move.",
                name=name,
                place=place,
            )
        yield Text(f"-# {words}")


def warning_note(table: TableSnapshot, reader: Seat) -> list[Block]:
    """Return the warning to a player who has missed a turn, on their own page."""
    row = table.seats[reader]
    if not (table.playing and row.lapses and seat_rules.is_present(row) and seat_rules.next_timeout_replaces(row)):
        return []
    if table.ranked and row.forfeit is None:
        return [Text(_("⚠ You missed a turn. Miss the next one too, and a computer takes over and you finish last."))]
    return [Text(_("⚠ You missed a turn. Miss the next one too, and a computer takes over."))]


def asked(table: TableSnapshot, reader: Seat) -> str:
    """Return what names the questions that a player has to answer; empty if there are none."""
    found = list[str]()
    proposal = endings.open_proposal(table)
    if proposal is not None and reader in endings.voters(table.seats) and reader not in proposal.agreed:
        found.append(f"e{proposal.number}")
    judged = (one for one in endings.pardonable(table) if reader in endings.judges(table, Seat(one.seat)))
    found += [f"p{one.seat}" for one in judged if reader not in one.agreed]
    return ".".join(found)


def result_if_ended(table: StoredTable) -> str:
    """Return the sentence that says what becomes of the result if a table is ended now by a moderator."""
    if table.row.status == "lobby":
        return _("It closes before the game starts.")
    results = table.results_if_ended()
    if not results:
        return _("The game ends without a result.")
    certain = sorted((result for result in results if result.reason != VOID), key=lambda result: result.place)
    places = ", ".join(f"{result.place}. {display_names.bold(table.seats[result.seat].name)}" for result in certain)
    if len(certain) == len(results):
        return _("All places are decided: {places}.", places=places)
    return _("Places already decided: {places}. For everyone else the game ends without a result.", places=places)

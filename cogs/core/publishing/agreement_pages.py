"""Pages on which players end a game by agreement or pardon missed turns, and what other pages say of it."""

from collections.abc import Iterator

from cogs.core.ops.text_format import count
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.core.tables import endings, seat_rules
from cogs.core.tables.agreements import Kind, Proposal
from cogs.core.tables.snapshot import TableSnapshot
from engine.contract import Seat

PAGE, PROPOSE, AGREE, DECLINE = "ending", "ending-propose", "ending-agree", "ending-decline"
PARDON, NO_PARDON = "pardon", "no-pardon"
"""The verbs of the controls."""

BY_AGREEMENT = Button("End by agreement …", PAGE)

_LABELS: dict[Kind, str] = {"none": "End without a result", "count": "Count the totals", "draw": "Offer a draw"}

MOST_PARDONS = 2
"""How many players can be pardoned on one page; with more, the others follow."""


def agreement_page(ui: GameUI, table: TableSnapshot, seat: Seat) -> Page:
    """Return the page on which a player proposes how to end the game, answers a proposal, and pardons opponents."""
    return Page(tuple(_page(table, seat)), ui.colour)


def _page(table: TableSnapshot, seat: Seat) -> Iterator[Block]:
    yield Text(f"### End table {table.id} by agreement\n{_who_decides(table, seat)}")
    if seat in endings.voters(table.seats):
        proposal = endings.open_proposal(table)
        if proposal is not None:
            yield from _to_answer(table, proposal, seat)
        else:
            yield Text("\n".join(_ways(table)))
            wait = table.agreements.wait_of(seat)
            if wait:
                yield Text(f"-# You can propose something again after {count(wait, 'more turn')} of yours.")
            else:
                yield Row(tuple(Button(_LABELS[kind], PROPOSE, kind) for kind in _kinds(table)))
    yield from _to_pardon(table, seat)


def _who_decides(table: TableSnapshot, seat: Seat) -> str:
    voters = endings.voters(table.seats)
    if seat not in voters:
        return "Only players who are still in decide how the game ends."
    if len(voters) == 1:
        return "You are the only player left, so the game ends as soon as you choose."
    return "The game ends if every player who is here and still in agrees."


def _kinds(table: TableSnapshot) -> Iterator[Kind]:
    yield "none"
    if endings.public_totals(table) is not None:
        yield "count"
    if endings.can_draw(table):
        yield "draw"


def _ways(table: TableSnapshot) -> Iterator[str]:
    certain = any(row.forfeit is not None for row in table.seats)
    rest = "places that are certain count, and nothing else." if certain else "nothing of the game counts."
    for kind in _kinds(table):
        if kind == "none":
            yield f"**{_LABELS[kind]}:** {rest}"
        elif kind == "count":
            yield f"**{_LABELS[kind]}:** the finished rounds count as the result: {_totals(table)}."
        else:
            yield (
                f"**{_LABELS[kind]}:** after {endings.MOVES_BEFORE_DRAW} moves each, and only once a day between the "
                "two of you."
            )


def _totals(table: TableSnapshot) -> str:
    totals = endings.public_totals(table) or ()
    return " · ".join(f"{player.bold} {total}" for player, total in zip(table.seated_players, totals, strict=True))


def _proposed(table: TableSnapshot, proposal: Proposal, reader: Seat | None = None) -> str:
    who = "You propose" if reader == proposal.by else f"{table.seated_players[proposal.by].bold} proposes"
    match proposal.kind:
        case "none":
            return f"{who} to end the game without a result."
        case "count":
            return f"{who} to end the game and count the finished rounds: {_totals(table)}."
        case "draw":
            return f"{who} a draw."


def _to_answer(table: TableSnapshot, proposal: Proposal, seat: Seat) -> Iterator[Block]:
    number = str(proposal.number)
    words = f"**{_proposed(table, proposal, seat)}**"
    if seat == proposal.by:
        yield Text(f"{words} The others have not all answered yet.")
        yield Row((Button("Withdraw it", DECLINE, number),))
    elif seat in proposal.agreed:
        yield Text(f"{words} You agree; not everybody has answered yet.")
        yield Row((Button("Decline after all", DECLINE, number),))
    else:
        yield Text(words)
        yield Row((Button("Agree", AGREE, number, style="success"), Button("Decline", DECLINE, number)))


def _to_pardon(table: TableSnapshot, seat: Seat) -> Iterator[Block]:
    for one in endings.pardonable(table)[:MOST_PARDONS]:
        if seat not in endings.judges(table, Seat(one.seat)):
            continue
        name = table.seated_players[one.seat].bold
        if seat in one.agreed:
            yield Text(f"You would pardon {name}. Not all opponents have answered yet.")
        else:
            others = len(endings.judges(table, Seat(one.seat))) > 1
            secret = " All opponents must agree, and nobody learns who does not." if others else ""
            yield Text(
                f"{name} missed two turns in a row and has lost their place. You can pardon that once, before the "
                f"computer's second move.{secret}"
            )
            argument = str(one.seat)
            yield Row(
                (Button("Pardon", PARDON, argument, style="success"), Button("Do not pardon", NO_PARDON, argument))
            )


# What other pages say of it


def notes(table: TableSnapshot, reader: Seat | None) -> Iterator[Block]:
    """Yield what the table message, or the page of `reader`, says of proposals and pardons."""
    proposal, judged = endings.open_proposal(table), reader is not None and reader in endings.voters(table.seats)
    if proposal is not None and judged and reader is not None:
        yield from _to_answer(table, proposal, reader)
    elif proposal is not None:
        yield Text(f"-# {_proposed(table, proposal)} The others answer on their own page.")
    if judged and reader is not None:
        yield from _to_pardon(table, reader)
        return
    for one in endings.pardonable(table):
        name, place = table.seated_players[one.seat].bold, seat_rules.certain_places(table.seats)[Seat(one.seat)]
        who = "You" if reader == one.seat else name
        yield Text(
            f"-# {who} missed two turns in a row: place {place}, unless the opponents pardon it before the computer's "
            "second move."
        )


def warning_note(table: TableSnapshot, reader: Seat) -> list[Block]:
    """Return the warning to a player who has missed a turn, on their own page."""
    row = table.seats[reader]
    if not (table.playing and row.lapses and seat_rules.is_present(row) and seat_rules.next_timeout_replaces(row)):
        return []
    cost = ", and you take the last place for good" if table.ranked and row.forfeit is None else ""
    return [Text(f"⚠ You missed a turn. If you miss the next one too, a computer takes over{cost}.")]


def asked(table: TableSnapshot, reader: Seat) -> str:
    """Return what names the question that a player has to answer, or the warning that they must see; empty if none."""
    found = ["w"] if warning_note(table, reader) else []
    proposal = endings.open_proposal(table)
    if proposal is not None and reader in endings.voters(table.seats) and reader not in proposal.agreed:
        found.append(f"e{proposal.number}")
    judged = (one for one in endings.pardonable(table) if reader in endings.judges(table, Seat(one.seat)))
    found += [f"p{one.seat}" for one in judged if reader not in one.agreed]
    return ".".join(found)

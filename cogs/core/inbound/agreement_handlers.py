"""Handlers for ending a game by agreement and for pardoning missed turns, by controls and by commands."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import get_args

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_validation import number
from cogs.core.inbound.request import Handler, TableHandler, TableRequest
from cogs.core.ops.errors import UserError
from cogs.core.pages.page import Page
from cogs.core.pages.player_page import TAKEN, back_row, with_more
from cogs.core.publishing import agreement_pages
from cogs.core.tables import endings
from cogs.core.tables.agreements import Kind
from cogs.core.tables.snapshot import TableSnapshot
from data.store import Store
from engine.contract import Moment, Seat

DAY_MS = 86_400_000

ONE_DRAW = N_("You two can only agree on one draw a day. You can still end without a result.")


@dataclass(eq=False)
class AgreementHandlers:
    """Serves proposals and pardons."""

    store: Store
    _drawing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
        return (
            TableHandler(agreement_pages.PAGE, self.show, seated=True),
            TableHandler(agreement_pages.PROPOSE, self._propose, seated=True),
            TableHandler(agreement_pages.AGREE, self._agree, seated=True),
            TableHandler(agreement_pages.DECLINE, self._decline, seated=True),
            TableHandler(agreement_pages.PARDON, self._pardon, seated=True),
            TableHandler(agreement_pages.NO_PARDON, self._do_not_pardon, seated=True),
        )

    async def show(self, request: TableRequest) -> None:
        """Show the asker the page on which they propose and answer. Raises `UserError`."""
        seat = request.require_seat()
        if not request.snapshot.playing or request.snapshot.practice:
            raise UserError(_("No game is in progress at this table."))
        no_draw = await self._why_no_draw(request)
        page = agreement_pages.agreement_page(request.ui, request.snapshot, seat, no_draw)
        await request.show(with_more(Page((*page.blocks, back_row()), page.colour)))

    # Proposals

    async def _why_no_draw(self, request: TableRequest) -> str:
        """Return why no draw can be offered at this table now; empty if one can, or if none ever could."""
        if not endings.can_draw(request.snapshot) or endings.open_proposal(request.snapshot) is not None:
            return ""
        try:
            endings.check_draw(request.snapshot, await self._moves(request.snapshot))
            await self._check_draws(request, "draw")
        except UserError as refused:
            return refused.sentence
        return ""

    async def _propose(self, request: TableRequest) -> None:
        seat = request.require_seat()
        kinds: tuple[Kind, ...] = get_args(Kind)
        kind = next((kind for kind in kinds if kind == request.control.argument), None)
        if kind is None:
            raise UserError(_("You can't propose that."))
        moves: Sequence[int] = await self._moves(request.snapshot) if kind == "draw" else ()
        async with self._drawing:
            await self._check_draws(request, kind)
            await request.table.act(endings.propose, seat, kind, moves, request.at)
        await self._answer(request, _("Proposed."))

    async def _agree(self, request: TableRequest) -> None:
        seat, proposal = request.require_seat(), request.snapshot.agreements.proposal
        async with self._drawing:
            await self._check_draws(request, None if proposal is None else proposal.kind)
            await request.table.act(endings.agree, seat, _number(request), request.at)
        await self._answer(request, _("You agreed."))

    async def _decline(self, request: TableRequest) -> None:
        await request.table.act(endings.decline, request.require_seat(), _number(request), request.at)
        await request.answer()

    async def _answer(self, request: TableRequest, words: str) -> None:
        """Answer with a line, unless the game has ended, which the page says."""
        await request.show_player_page(line=f"{TAKEN} {words}" if request.snapshot.playing else "")

    async def _moves(self, table: TableSnapshot) -> Sequence[int]:
        """Return how many moves each seat has made."""
        rows = await self.store.games.decisions(table.id)
        made = Counter(
            row.seat
            for row in rows
            if row.seat is not None and row.action is not None and table.game.read_action(row.action).counts_as_move
        )
        return [made[row.seat] for row in table.seats]

    async def _check_draws(self, request: TableRequest, kind: Kind | None) -> None:
        """Raise `UserError` if two people have agreed on a draw today already."""
        people = [row.user for row in request.snapshot.seats if row.user is not None]
        if kind != "draw" or len(people) != 2:
            return
        one, other = people
        day = Moment(request.at - request.at % DAY_MS)
        if await self.store.records.agreed_draws(one, other, request.snapshot.row.guild, day):
            raise UserError(_(ONE_DRAW))

    # Pardons

    async def _pardon(self, request: TableRequest) -> None:
        await request.table.act(endings.pardon, request.require_seat(), _number(request), request.at)
        await request.show_player_page()

    async def _do_not_pardon(self, request: TableRequest) -> None:
        seat, judged = request.require_seat(), _number(request)
        await request.table.act(endings.do_not_pardon, seat, judged, request.at)
        others = len(endings.judges(request.snapshot, judged)) > 1
        unseen = _("No one is told that it was you.")
        await request.show_player_page(line=f"{TAKEN} {unseen}" if others else "")


def _number(request: TableRequest) -> Seat:
    """Return the number in a control: of a proposal or a seat. Raises `UserError`."""
    found = number(request.control.argument)
    if found is None:
        raise UserError(_("That button doesn't exist."))
    return Seat(found)

"""Finished games: `/replay` steps through one, `/review` shows its turning points, `/verify` checks its chance."""

import io
from dataclasses import dataclass, replace
from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.access import find_readable
from cogs.core.inbound.command_options import TableInSight, anywhere
from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.request import Request
from cogs.core.ops.errors import UserError
from cogs.core.ops.storage import Store
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.verification import report_text, verdict
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.finished_games import (
    GameRecord,
    export_file,
    export_of,
    load_record,
    require_finished,
)
from cogs.core.publishing.responder import responder_for
from cogs.replays.gif import animate
from cogs.replays.replay_cache import ReplayCache
from cogs.replays.replay_page import replay_page
from cogs.replays.replay_position import ReplayPosition, read_replay_position
from cogs.replays.reviews import Reviews
from engine.contract import AnyGame
from engine.export import Export
from engine.verify import Report, verify

EXPORTED = N_(
    "The whole game as a file. You don't need it to check that the game was fair: press *Verify*.\n"
    "-# To check it without this bot, run `python bot.py verify FILE` on a computer."
)

DRAWING = N_("✓ Drawing the animation. It takes about ten seconds and appears below.")


@dataclass(eq=False)
class Replays(commands.Cog):
    """Commands to look at finished games and to prove that they were fair."""

    games: GameCatalog
    store: Store
    drawing: DrawingThreads
    leisure: DrawingThreads
    router: ComponentRouter
    cache: ReplayCache
    reviews: Reviews

    def __post_init__(self) -> None:
        self.router.add_handler("verify", self._verify_pressed)
        self.router.add_handler("replay", self._step)
        self.router.add_handler("replay-jump", self._jump)
        self.router.add_handler("replay-file", self._file)
        self.router.add_handler("replay-film", self._animation)

    @app_commands.command(
        name="replay", description="Step through a finished game, with everything revealed or as one player saw it."
    )
    @app_commands.describe(table="The table's number")
    @anywhere
    async def replay(self, interaction: discord.Interaction, table: TableInSight) -> None:
        """Show the beginning of a finished game."""
        await self._show(interaction, table, ReplayPosition(0, None))

    @app_commands.command(
        name="verify", description="Check that every shuffle, deal and roll of a finished game was fair."
    )
    @app_commands.describe(table="The table's number")
    @anywhere
    async def verify(self, interaction: discord.Interaction, table: TableInSight) -> None:
        """Prove a finished game; for a running one show the commitment."""
        await self._verify(interaction, table)

    async def _verify(self, interaction: discord.Interaction, table: int) -> None:
        row = await find_readable(self.store, table, interaction)
        if row.status == "playing":
            raise UserError(
                _(
                    "Table {table} is still being played. Its secret seed is fixed by the SHA-256 `{commitment}`. When "
                    "the game ends, the seed is shown and you can verify everything.",
                    table=table,
                    commitment=row.commitment,
                )
            )
        ui = self.games.require(require_finished(row).game)
        record, material = await load_record(self.store, row), self.games.materials[row.game]
        export, report = await self.leisure.run(_checked, ui.game, record, material)
        await responder_for(interaction).send_private(
            f"**{verdict(report)}** {discord.utils.escape_markdown(report_text(report))}\n"
            + _("-# Seed `{seed}`\n-# SHA-256 `{commitment}`\n", seed=export.seed, commitment=export.commitment)
            + _("-# To check it without this bot: `/replay`, *Export*, then on a computer `python bot.py verify FILE`")
        )

    @app_commands.command(
        name="review", description="See the turning points of a finished game, and what would have been better."
    )
    @app_commands.describe(table="The table's number")
    @anywhere
    async def review(self, interaction: discord.Interaction, table: TableInSight) -> None:
        """Show the chance to win move by move, and where it was given away."""
        await self.reviews.show(interaction, table)

    # Buttons

    async def _verify_pressed(self, request: Request) -> None:
        await self._verify(request.interaction, request.control.table)

    async def _step(self, request: Request) -> None:
        """Show a move; if the game has just ended, on a new page, so that its end stays."""
        control = request.control
        await self._show(
            request.interaction,
            control.table,
            read_replay_position(control),
            new_page=control.argument.endswith(".end"),
        )

    async def _jump(self, request: Request) -> None:
        """Go to one of the game's chapters, with the same seat's view."""
        control = request.control
        _, _, rest = control.argument.partition(".")
        where = replace(control, argument=f"{''.join(control.values[:1])}.{rest}", values=())
        await self._show(request.interaction, control.table, read_replay_position(where))

    async def _file(self, request: Request) -> None:
        row = require_finished(await find_readable(self.store, request.control.table, request.interaction))
        game, record = self.games.require(row.game).game, await load_record(self.store, row)
        body = await self.leisure.run(export_file, game, record)
        file = discord.File(io.BytesIO(body), f"{row.game}-{row.id}.json")
        await request.responder.send_private(_(EXPORTED), file)

    async def _animation(self, request: Request) -> None:
        row = require_finished(await find_readable(self.store, request.control.table, request.interaction))
        ui = self.games.require(row.game)
        await self._show(request.interaction, row.id, read_replay_position(request.control), _(DRAWING))
        replay, _chapters = await self.cache.get(request.interaction, row.id)
        data = await self.leisure.run(animate, ui, replay, await self.cache.table_context(replay))
        if data is None:
            raise UserError(_("This game has no pictures to animate. Step through it instead."))
        alt = _("{game}, replayed", game=ui.title)
        file = discord.File(io.BytesIO(data), f"{row.game}-{row.id}.gif", description=alt)
        words = _("Table {table} as an animation ({size} KB).", table=row.id, size=len(data) // 1_000)
        await request.responder.send_private(words, file)

    # Pages

    async def _show(
        self,
        interaction: discord.Interaction,
        table: int,
        position: ReplayPosition,
        line: str = "",
        *,
        new_page: bool = False,
    ) -> None:
        replay, places = await self.cache.get(interaction, table)
        card = await self.cache.table_context(replay)
        if position.seat is not None and position.seat >= len(card.seated_players):
            raise UserError(_("No one sat there."))
        step = min(position.step, len(replay.states) - 1)
        page = await self.drawing.run(
            replay_page,
            self.games.require(replay.row.game),
            replay,
            card,
            ReplayPosition(step, position.seat),
            places,
            line,
        )
        await responder_for(interaction).show(page, table, new_message=new_page)


def _checked(game: AnyGame, record: GameRecord, material: Any) -> tuple[Export, Report]:
    """Return a finished game as an export, and the result of recomputing it. Slow."""
    export = export_of(game, record)
    return export, verify(export, game, material)

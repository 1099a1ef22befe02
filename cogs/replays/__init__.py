"""Finished games: `/replay` steps through one, `/review` shows its turning points, `/verify` checks its chance."""

import io
from collections.abc import Sequence
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
from cogs.core.ops.text_format import cut, labelled
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_catalog import GameCatalog
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, Button, Page, Row, Select, SelectOption, Text
from cogs.core.pages.player_page import table_page
from cogs.core.pages.verification import report_text, verdict
from cogs.core.publishing.drawing_threads import DrawingThreads
from cogs.core.publishing.finished_games import (
    GameRecord,
    Replay,
    export_file,
    export_of,
    load_record,
    require_finished,
)
from cogs.core.publishing.responder import responder_for
from cogs.replays.chapters import Chapter, chapter_at
from cogs.replays.gif import animate
from cogs.replays.replay_cache import ReplayCache
from cogs.replays.replay_position import EVERYTHING, ReplayPosition, read_replay_position, revealed_picture
from cogs.replays.reviews import Reviews
from engine.contract import AnyGame
from engine.export import Export
from engine.verify import Report, verify

EXPORTED = N_(
    "The whole game as a file. You don't need it to check that the game was fair: press *Verify*.\n"
    "-# To check it without this bot, run `python bot.py verify FILE` on a computer."
)

LONGEST_TEXT = 3_000
LEAP = 10

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
        screen = self.cache.screen(require_finished(row).game)
        record, material = await load_record(self.store, row), self.games.materials[row.game]
        export, report = await self.leisure.run(_checked, screen.game, record, material)
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
        screen = self.cache.screen(row.game)
        await self._show(request.interaction, row.id, read_replay_position(request.control), _(DRAWING))
        replay, _chapters = await self.cache.get(request.interaction, row.id)
        data = await self.leisure.run(animate, screen, replay, await self.cache.table_context(replay))
        if data is None:
            raise UserError(_("This game has no pictures to animate. Step through it instead."))
        alt = _("{game}, replayed", game=screen.title)
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
        page = await self.drawing.run(self._page, replay, card, ReplayPosition(step, position.seat), places, line)
        await responder_for(interaction).show(page, table, new_message=new_page)

    def _page(
        self, replay: Replay, info: TableContext, position: ReplayPosition, places: Sequence[Chapter], line: str
    ) -> Page:
        screen = self.cache.screen(replay.row.game)
        game, state, last = screen.game, replay.states[position.step], len(replay.states) - 1
        blocks: list[Block] = [
            Text(
                _(
                    "### {game}\n-# Replay of table {table} · move {move} of {last}",
                    game=game_title(game),
                    table=replay.row.id,
                    move=position.step,
                    last=last,
                )
            )
        ]
        hands: list[str] = []
        if position.seat is None:
            board = revealed_picture(screen, state, info)
            shown = _untitled(table_page(screen, game.view(state, None), info, board).without_controls())
            blocks += _shortened(shown)
            kept = {sitter: screen.secret_summary(game.view(state, sitter.seat)) for sitter in info.seated_players}
            hands = [labelled(sitter.bold, words) for sitter, words in kept.items() if words]
        else:
            view = game.view(state, position.seat)
            shown = _untitled(table_page(screen, game.view(state, None), info).without_controls())
            secret = Page(tuple(screen.player_blocks(view, info))).with_board(None).without_controls()
            blocks += _shortened(shown)
            if secret.blocks:
                name = info.seated_players[position.seat].bold
                blocks.append(Text(_("-# What {player} knew at this point:", player=name)))
                blocks += _shortened(secret)
        blocks += self._controls(screen, info, position, last, places, line)
        if hands:  # below the controls, which a phone shows together with the board
            blocks.append(Text("\n".join(hands)))
        return Page(tuple(blocks), screen.colour)

    def _controls(
        self,
        screen: GameUI,
        info: TableContext,
        position: ReplayPosition,
        last: int,
        places: Sequence[Chapter],
        line: str,
    ) -> list[Block]:
        """Return the controls, with a line below the button for an animation while it is drawn."""

        def to(step: int, label: str, slot: str, *, off: bool) -> Button:
            return Button(
                label, "replay", ReplayPosition(min(max(step, 0), last), position.seat).argument(slot), disabled=off
            )

        begun, over = position.step == 0, position.step == last
        everything = SelectOption(_("Everything"), EVERYTHING, _("all hands and secrets"), chosen=position.seat is None)
        seats = (
            SelectOption(
                _("What {player} knew", player=sitter.label(40)),
                str(sitter.seat),
                chosen=position.seat == sitter.seat,
            )
            for sitter in info.seated_players
        )
        here = chapter_at(places, position.step).step
        jumps = {
            place.step: SelectOption(place.label(info), str(place.step), chosen=place.step == here) for place in places
        }
        return [
            Select("replay-jump", tuple(jumps.values()), _("Jump to …"), position.argument("a")),
            Row(
                (
                    to(position.step - LEAP, f"◀ {LEAP}", "b", off=begun),
                    to(position.step - 1, "◀", "c", off=begun),
                    to(position.step + 1, "▶", "d", off=over),
                    to(position.step + LEAP, f"{LEAP} ▶", "e", off=over),
                )
            ),
            Row(
                (
                    Button(_("Animation"), "replay-film", position.argument("f"), disabled=bool(line)),
                    Button(_("Export"), "replay-file"),
                    Button(_("Verify"), "verify"),
                    *((Button(_("Review"), "review", "replay"),) if screen.review is not None else ()),
                )
            ),
            *((Text(line),) if line else ()),
            *(
                (Select("replay", (everything, *seats), _("Whose view?"), position.argument("g")),)
                if screen.game.has_hidden_info
                else ()
            ),
        ]


def _untitled(page: Page) -> Page:
    """Return a table's page without the game's title, which is already above it."""
    first, *rest = page.blocks
    assert isinstance(first, Text)
    return Page((Text(first.body.partition("\n")[2]), *rest), page.colour)


def _shortened(page: Page) -> list[Block]:
    """Return a page's blocks with texts shortened to leave space for the rest: a message may have 4,000 characters."""
    return [Text(cut(block.body, LONGEST_TEXT // 3)) if isinstance(block, Text) else block for block in page.blocks]


def _checked(game: AnyGame, record: GameRecord, material: Any) -> tuple[Export, Report]:
    """Return a finished game as an export, and the result of recomputing it. Slow."""
    export = export_of(game, record)
    return export, verify(export, game, material)

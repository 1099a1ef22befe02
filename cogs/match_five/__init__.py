"""Match Five's cog: its slash commands."""

import asyncio
from collections.abc import Sequence

import discord
from discord import app_commands

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_options import ANY_TABLE, WHICH_TABLE, AnyTable, OwnTable, completion, suggestions
from cogs.core.inbound.game_cog import Caller, GameCog, acting, showing_hand, suggesting
from cogs.core.inbound.player_page_handlers import show_text
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.publishing.responder import responder_for
from cogs.match_five.achievements import ACHIEVEMENTS
from cogs.match_five.alt_text import board_part_text, stack_text
from cogs.match_five.draft import hand_of, laid_slots, placements, points_of, stone_of, swaps
from cogs.match_five.puzzle import PUZZLE
from cogs.match_five.ui import MatchFiveUI
from cogs.match_five.words import dump_laying, play_words, read_place, read_play, written
from engine.games.match_five import GAME, TILES, WILD, Laying, MatchFiveView, Pass, Play, Swap
from engine.players.match_five import BOTS


class MatchFive(GameCog, group_name="match-five", group_description="The tile game of rows and stacks."):
    """Commands of Match Five."""

    game = GAME

    # Moves

    @app_commands.command(description="Lay tiles, written in one line: r3@12/12 b4@12/12 w=y2@13/12")
    @app_commands.describe(tiles="Each tile with its place, in the order you lay them", table=WHICH_TABLE)
    async def play(self, interaction: discord.Interaction, tiles: str, table: OwnTable | None = None) -> None:
        """Lay tiles."""
        request = await self._at(interaction, table)
        view = request.table.snapshot.view(None) if request.table.snapshot.state is not None else None
        layings = read_play(tiles, view.stones if isinstance(view, MatchFiveView) else ())
        if not layings:
            raise UserError(
                _(
                    "I can't read “{typed}”. `r3@12/12 b4@12/12` lays red 3 in column 12, row 12, and blue 4 on top; "
                    "a Wild is `w=b2@13/12`.",
                    typed=cut(tiles, 60),
                )
            )
        done = _("You laid {tiles}.", tiles=play_words(map(stone_of, layings)))
        await self._act_at(request, Play(layings), done)

    @app_commands.command(description="Give tiles back and draw as many. This takes your whole turn.")
    @app_commands.describe(tiles="The tiles, for example: r3 b4 w", table=WHICH_TABLE)
    async def swap(self, interaction: discord.Interaction, tiles: str, table: OwnTable | None = None) -> None:
        """Swap tiles."""
        named = tuple(tiles.lower().replace(",", " ").split())
        unknown = next((tile for tile in named if tile != WILD and tile not in TILES), None)
        if unknown is not None:
            words = _(
                "There's no tile “{typed}”: a tile is a colour letter and a number (r3), or w.", typed=cut(unknown, 20)
            )
            raise UserError(words)
        await self._act(interaction, table, Swap(named), _("You swapped."))

    pass_ = acting("pass", "Pass (only when the bag is empty).", Pass(), N_("You passed."))

    # What only you see

    @app_commands.command(description="Show the score sheet of a game. Anyone can, at any time.")
    @app_commands.describe(table=ANY_TABLE)
    async def scores(self, interaction: discord.Interaction, table: AnyTable | None = None) -> None:
        """Show the scores."""
        await self._show_to_anybody(interaction, table, "sheet")

    hand = showing_hand("hand", "Show your hand, and play from it on your turn. Only you see it.")

    @app_commands.command(description="Show the board as text, or one stack from the side. Only you see it.")
    @app_commands.describe(
        around="Column and row, for example 12/12", side="Show the stack there from the side", table=WHICH_TABLE
    )
    async def board(
        self,
        interaction: discord.Interaction,
        around: str | None = None,
        side: bool = False,
        table: OwnTable | None = None,
    ) -> None:
        """Show a part of the board as text."""
        request = await self._at(interaction, table)
        if around is None:
            await show_text(request)
            return
        place = read_place(around)
        if place is None:
            raise UserError(
                _(
                    "“{typed}” isn't a place. A place is a column, a slash and a row, as on the board's edges: 12/12.",
                    typed=cut(around, 20),
                )
            )
        view = request.table.snapshot.view(None)
        assert isinstance(view, MatchFiveView)
        body = stack_text(view, *place) if side else board_part_text(view, place)
        await responder_for(interaction).send_private(f"```\n{body}\n```")

    # Completions: from the player's own hand

    @play.autocomplete("tiles")
    @completion
    async def _plays(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        caller = await self._caller(interaction)
        view: MatchFiveView = caller.view
        if view.turn != caller.seat:
            return []
        whole, _space, part = typed.lower().rpartition(" ")
        layings = read_play(typed, view.stones) or ()
        if part and layings and points_of(view, layings) is not None:
            whole, part = typed.strip().lower(), ""
        else:
            layings = read_play(whole, view.stones) or ()
        found = await asyncio.to_thread(_continuations, view, layings, part)
        named = [(f"{whole} {words} – {points}".strip(), f"{whole} {words}".strip()) for points, words in found]
        return suggestions([(name, value) for name, value in named if len(value) <= 100], "")

    @swap.autocomplete("tiles")
    @suggesting
    async def _swaps(self, caller: Caller) -> list[tuple[str, str]]:
        return [(words, words) for words in map(" ".join, swaps(caller.view))]


def _continuations(view: MatchFiveView, layings: Sequence[Laying], part: str) -> list[tuple[int, str]]:
    """Return every next tile and place whose text begins with this part, with the resulting points of the play, the
    most points first.

    The older notation of places is understood too.
    """
    hand = hand_of(view)
    laid, points = laid_slots(hand, layings), points_of(view, layings) if layings else 0
    if laid is None or points is None:
        return []
    left = [tile for slot, tile in enumerate(hand) if slot not in laid and (not part or part.startswith(tile[0]))]
    found = [
        (points + offer.gain, written(way))
        for places in placements(view, layings, left).values()
        for offer in places
        for way in offer.ways()
        if any(words.lower().startswith(part) for words in (written(way), dump_laying(way)))
    ]
    return sorted(found, key=lambda one: -one[0])


PACKAGE = GamePackage(BOTS, MatchFiveUI, MatchFive, puzzle=PUZZLE, achievements=ACHIEVEMENTS)

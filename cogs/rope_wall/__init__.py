"""The Rope Wall's cog: its slash commands."""

from collections.abc import Sequence

import discord
from discord import app_commands

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import _
from cogs.core.inbound.command_options import WHICH_TABLE, OwnTable
from cogs.core.inbound.game_cog import Caller, GameCog, acting, showing_text, suggesting
from cogs.core.ops.errors import UserError
from cogs.core.pages import interludes
from cogs.rope_wall.achievements import ACHIEVEMENTS
from cogs.rope_wall.puzzle import PUZZLE
from cogs.rope_wall.ui import RopeWallUI
from cogs.rope_wall.words import exit_label, opening_name
from engine.games.rope_wall import GAME, ChooseExits, Push, Side
from engine.players.rope_wall import BOTS
from engine.turns import Ready

SIDE_CHOICES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name="left", value="left"),
    app_commands.Choice(name="right", value="right"),
]


class RopeWall(GameCog, group_name="rope-wall", group_description="A duel of knots and ropes in a prison wall."):
    """Commands of the Rope Wall."""

    game = GAME

    @app_commands.command(description="Push a knot into one of the ten openings.")
    @app_commands.describe(floor="Floor (1 is the lowest)", side="Side to push from", table=WHICH_TABLE)
    @app_commands.choices(side=SIDE_CHOICES)
    async def push(
        self,
        interaction: discord.Interaction,
        floor: app_commands.Range[int, 1, 9],
        side: app_commands.Choice[str],
        table: OwnTable | None = None,
    ) -> None:
        """Push a knot in."""
        chosen: Side = "left" if side.value == "left" else "right"
        done = _("You pushed a knot into {opening}.", opening=opening_name(floor, chosen))
        await self._act(interaction, table, Push(floor, chosen), done)

    @push.autocomplete("floor")
    @suggesting
    async def _floors(self, caller: Caller) -> list[tuple[str, int]]:
        side = caller.given("side")
        floors: dict[int, list[Side]] = {}
        for push in await caller.legal(Push):
            if side not in ("left", "right") or push.side == side:
                floors.setdefault(push.floor, []).append(push.side)
        return [(_floor_name(floor, sides), floor) for floor, sides in sorted(floors.items())]

    @app_commands.command(name="exit", description="Choose the exit for your prisoner.")
    @app_commands.describe(exits="The exit's column, or two columns for two ropes", table=WHICH_TABLE)
    async def leave_by(self, interaction: discord.Interaction, exits: str, table: OwnTable | None = None) -> None:
        """Choose an exit after winning a round."""
        numbers = tuple(int(part) for part in exits.replace("+", " ").replace(",", " ").split() if part.isdecimal())
        if not numbers:
            raise UserError(_("Give the exit's column, for example `3`, or `2 4` for two ropes."))
        await self._act(interaction, table, ChooseExits(numbers), _("Your prisoner is out."))

    @leave_by.autocomplete("exits")
    @suggesting
    async def _exits(self, caller: Caller) -> list[tuple[str, str]]:
        choices = [action.columns for action in await caller.legal(ChooseExits)]
        return [(exit_label(columns), " ".join(map(str, columns))) for columns in choices]

    ready = acting("ready", "Between rounds: say that you're ready for the next one.", Ready(), interludes.DONE)

    @app_commands.command(description="Resign: the other player wins. You're asked first.")
    @app_commands.describe(table=WHICH_TABLE)
    async def resign(self, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        """Ask whether the player means it, as the button does."""
        await self._ask_to_resign(interaction, table)

    board = showing_text("Show the wall as text. Only you see it.")


def _floor_name(floor: int, sides: Sequence[Side]) -> str:
    """Return a floor with the sides that a knot can be pushed from."""
    if len(sides) > 1:
        return _("{floor} – from the left or right", floor=floor)
    if sides[0] == "left":
        return _("{floor} – from the left", floor=floor)
    return _("{floor} – from the right", floor=floor)


PACKAGE = GamePackage(BOTS, RopeWallUI, RopeWall, puzzle=PUZZLE, achievements=ACHIEVEMENTS)

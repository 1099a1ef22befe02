"""Ausbrecher AG's cog: its slash commands."""

from collections.abc import Iterable, Mapping
from itertools import combinations

import discord
from discord import app_commands

from cogs.ausbrecher.achievements import ACHIEVEMENTS
from cogs.ausbrecher.puzzle import PUZZLE
from cogs.ausbrecher.ui import AusbrecherUI
from cogs.ausbrecher.words import capitalised, destination, prisoner_name, prisoner_names
from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import _
from cogs.core.inbound.command_options import WHICH_TABLE, OwnTable, completion, suggestions
from cogs.core.inbound.command_validation import focused
from cogs.core.inbound.game_cog import Caller, GameCog, showing_hand, showing_text, suggesting
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut, labelled
from engine.games.ausbrecher import COLOURS, GAME, Forecast, Replace, Resolve, Roll
from engine.players.ausbrecher import BOTS


def read_colours(words: str) -> tuple[str, ...]:
    """Return the prisoners named by this text: colours in English or in the present language, or their letters,
    separated by spaces, commas or nothing.

    An unknown word is kept, so that the rules refuse it.
    """
    pieces = words.casefold().replace(",", " ").replace("+", " ").split()
    names = {name.casefold(): colour for colour in COLOURS for name in (prisoner_name(colour), colour)}
    letters = {colour[0]: colour for colour in COLOURS}
    if len(pieces) == 1 and pieces[0] not in names and all(letter in letters for letter in pieces[0]):
        pieces = list(pieces[0])
    return tuple(_meant(piece, names) for piece in pieces)


def _meant(piece: str, names: Mapping[str, str]) -> str:
    """Return the prisoner with a name that begins so; the English one comes first. What nobody is called is kept."""
    if piece in names:
        return names[piece]
    english = next((colour for colour in COLOURS if colour.startswith(piece)), None)
    others = {colour for name, colour in names.items() if name.startswith(piece)}
    return english or (others.pop() if len(others) == 1 else piece)


def _named(prisoners: Iterable[str]) -> str:
    return " ".join(map(prisoner_name, prisoners))


class Ausbrecher(GameCog, group_name="ausbrecher", group_description="The race to the boats, with secret forecasts."):
    """Commands of Ausbrecher AG."""

    game = GAME

    # Moves

    @app_commands.command(description="Secretly forecast who escapes in which boat. Boat 4 takes the one who is left.")
    @app_commands.describe(boat1="Two prisoners", boat2="Two prisoners", boat3="Two prisoners", table=WHICH_TABLE)
    async def forecast(
        self, interaction: discord.Interaction, boat1: str, boat2: str, boat3: str, table: OwnTable | None = None
    ) -> None:
        """Make a forecast."""
        crews = [read_colours(words) for words in (boat1, boat2, boat3)]
        for colour in (colour for crew in crews for colour in crew):
            if colour not in COLOURS:
                raise UserError(
                    _(
                        "There's no prisoner called “{name}”. Choose from {prisoners}.",
                        name=cut(colour, 40),
                        prisoners=prisoner_names(),
                    )
                )
            if sum(crew.count(colour) for crew in crews) > 1:
                raise UserError(
                    _("{prisoner} is in your forecast twice. Name each prisoner once.", prisoner=capitalised(colour))
                )
        boats = tuple(next((n for n, crew in enumerate(crews, 1) if colour in crew), 4) for colour in COLOURS)
        done = _("Your forecast is in. You can change it until the last one is.")
        await self._act(interaction, table, Forecast(boats), done)

    @app_commands.command(description="Choose dice of prisoners still in the race and roll them.")
    @app_commands.describe(
        dice="The colours, for example: red blue green",
        white="Add the white die",
        second="Who goes back by the white die, if this table plays that way",
        table=WHICH_TABLE,
    )
    async def roll(
        self,
        interaction: discord.Interaction,
        dice: str,
        white: bool = False,
        second: str | None = None,
        table: OwnTable | None = None,
    ) -> None:
        """Roll."""
        named = None if second is None else (*read_colours(second), second)[0]
        action = Roll(read_colours(dice), white, named)
        await self._act(interaction, table, action, _("You rolled."))

    @app_commands.command(description="Move a prisoner by its die.")
    @app_commands.describe(prisoner="Which prisoner", table=WHICH_TABLE)
    async def move(self, interaction: discord.Interaction, prisoner: str, table: OwnTable | None = None) -> None:
        """Carry out a result."""
        colour = (*read_colours(prisoner), prisoner)[0]
        await self._act(interaction, table, Resolve(colour), _("You moved {prisoner}.", prisoner=prisoner_name(colour)))

    @app_commands.command(description="Choose which die the white one replaces: that prisoner goes back.")
    @app_commands.describe(prisoner="Which prisoner", table=WHICH_TABLE)
    async def back(self, interaction: discord.Interaction, prisoner: str, table: OwnTable | None = None) -> None:
        """Replace a result with the white die's."""
        colour = (*read_colours(prisoner), prisoner)[0]
        await self._act(
            interaction, table, Replace(colour), _("You sent {prisoner} back.", prisoner=prisoner_name(colour))
        )

    # What only you see

    forecast_show = showing_hand("forecast-show", "Show your forecast and how it's doing. Only you see it.")

    board = showing_text("Show the race as text, with your own forecast. Only you see it.")

    # Completions: each from the player's own view and legal actions

    @forecast.autocomplete("boat1")
    @forecast.autocomplete("boat2")
    @forecast.autocomplete("boat3")
    @suggesting
    async def _crews(self, caller: Caller) -> list[tuple[str, str]]:
        if caller.view.phase != "forecast":
            return []
        others = [caller.given(boat) for boat in ("boat1", "boat2", "boat3") if boat != focused(caller.interaction)]
        taken = {colour for words in others if isinstance(words, str) for colour in read_colours(words)}
        left = [colour for colour in COLOURS if colour not in taken]
        return [(_named(pair), " ".join(pair)) for pair in combinations(left, 2)]

    @roll.autocomplete("dice")
    @completion
    async def _dice(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
        caller = await self._caller(interaction)
        white = caller.given("white") is True
        rolls = [roll for roll in await caller.legal(Roll) if roll.white == white]
        dice = dict.fromkeys(" ".join(roll.colours) for roll in rolls)
        wanted = set(read_colours(typed)) & set(COLOURS)
        fitting = [words for words in dice if wanted <= set(words.split())]
        return suggestions([(_named(words.split()), words) for words in fitting], "")

    @roll.autocomplete("second")
    @suggesting
    async def _seconds(self, caller: Caller) -> list[tuple[str, str]]:
        dice = read_colours(str(caller.given("dice") or ""))
        rolls = [roll for roll in await caller.legal(Roll) if not dice or roll.colours == dice]
        return [(prisoner_name(second), second) for second in dict.fromkeys(roll.second for roll in rolls) if second]

    @move.autocomplete("prisoner")
    @suggesting
    async def _moves(self, caller: Caller) -> list[tuple[str, str]]:
        return await self._results(caller, Resolve)

    @back.autocomplete("prisoner")
    @suggesting
    async def _backs(self, caller: Caller) -> list[tuple[str, str]]:
        return await self._results(caller, Replace)

    async def _results(self, caller: Caller, kind: type[Resolve | Replace]) -> list[tuple[str, str]]:
        """Return the open results, with where they lead."""
        view, named = caller.view, []
        open_colours = {action.colour for action in await caller.legal(kind)}
        for result in view.results:
            there = result.replaced if kind is Replace else result.landing
            if result.colour in open_colours and there is not None:
                named.append((labelled(prisoner_name(result.colour), destination(there)), result.colour))
        return named


PACKAGE = GamePackage(BOTS, AusbrecherUI, Ausbrecher, puzzle=PUZZLE, achievements=ACHIEVEMENTS)

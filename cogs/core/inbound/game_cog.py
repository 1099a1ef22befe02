"""The base of every game's cog: a group of slash commands, each about one of the user's tables of the game. The first
of them, `start`, is built from the game's options.
"""

import contextlib
import inspect
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, get_args, get_type_hints

import discord
import msgspec
from discord import app_commands
from discord.ext import commands

from cogs.core.i18n.translation import _
from cogs.core.inbound.command_options import (
    CLOCK_CHOICES,
    LEVEL_CHOICES,
    WHICH_TABLE,
    OwnTable,
    Suggest,
    T,
    completion,
    suggestions,
)
from cogs.core.inbound.command_tree import received_interactions
from cogs.core.inbound.error_handler import ErrorHandler
from cogs.core.inbound.player_page_handlers import show_public_page, show_text
from cogs.core.inbound.request import TableRequest
from cogs.core.inbound.table_finder import Fits, TableFinder, awaited
from cogs.core.inbound.table_opening import TableOpener
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.player_page import TAKEN
from cogs.core.tables import moves
from cogs.core.tables.options import OptionField, meaning, option_description, option_fields, value_words
from engine.contract import A, Action, AnyGame, Options, Refusal, Seat
from engine.players import LEVELS, Level

DESCRIPTION_LIMIT = CHOICE_LIMIT = 100

INVITE, COMPUTER, COMPUTERS, CLOCK, PACE = "invite", "computer", "computers", "clock", "pace"


@dataclass(frozen=True)
class Caller:
    """Somebody who uses a command, or fills in an option of one, about a game that they play."""

    interaction: discord.Interaction
    request: TableRequest
    seat: Seat

    @property
    def view(self) -> Any:
        """Their own view."""
        return self.request.snapshot.view(self.seat)

    def given(self, option: str) -> Any:
        """Return what they have given for another option, None for nothing."""
        return getattr(self.interaction.namespace, option, None)

    async def legal(self, kind: type[A]) -> list[A]:
        """Return their legal actions of a kind."""
        return [action for action in await self.request.legal(self.seat) if isinstance(action, kind)]


@app_commands.guild_only()
class GameCog(commands.GroupCog):
    """The commands of one `game`. If no table is given, the table is meant at which the user plays. All methods raise
    `UserError` if there is no such table.
    """

    game: ClassVar[AnyGame]
    start: ClassVar[app_commands.Command[Any, ..., Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.start = start_command(cls.game, str(cls.__cog_group_description__))

    def __init__(self, finder: TableFinder, opener: TableOpener, errors: ErrorHandler) -> None:
        self._finder = finder
        self._opener = opener
        self._errors = errors
        self._language_choice = opener.language_choice
        self._typed = received_interactions()
        super().__init__()
        group = self.app_command
        assert isinstance(group, app_commands.Group)
        for command in group.commands:
            if command.name != self.start.name:  # goes behind it
                group.remove_command(command.name)
                group.add_command(command)

    async def _at(self, interaction: discord.Interaction, table: int | None) -> TableRequest:
        """Return a command as a request about the table that it means."""
        return await self._finder.of_command(interaction, self.game.key, table)

    async def _caller(self, interaction: discord.Interaction, fits: Fits = awaited) -> Caller:
        """Return who uses a command where they play: at the table that they name, or the only one that it `fits`."""
        number = getattr(interaction.namespace, "table", None)
        table = number if isinstance(number, int) else None
        request = await self._finder.of_command(interaction, self.game.key, table, fits)
        seat = request.require_seat()
        moves.check_playing(request.snapshot)
        return Caller(interaction, request, seat)

    async def _act(
        self,
        interaction: discord.Interaction,
        table: int | None,
        action: Action,
        done: str,
        *,
        fits: Fits = awaited,
    ) -> None:
        """Do something at a table, and answer privately that it is `done`, while the table message shows it to all. Of
        several tables, it is done at the one that it `fits`.
        """
        await self._act_at(await self._finder.of_command(interaction, self.game.key, table, fits), action, done)

    async def _act_at(self, request: TableRequest, action: Action, done: str) -> None:
        """Do something at the table of a command: see `_act`."""
        seat = request.require_seat()
        moves.check_playing(request.snapshot)
        with request.pages.answering(request.user.id):
            try:
                await request.move(seat, action)
            except UserError as error:
                await request.pages.refuse(request.responder, error.sentence)
                return
            await request.show_player_page(line=f"{TAKEN} {done}")

    async def _ask_to_resign(self, interaction: discord.Interaction, table: int | None) -> None:
        """Show the question of the game's *Resign* button. The table is never guessed from whose turn it is."""
        request = await self._finder.of_command(interaction, self.game.key, table, fits=None)
        seat, resign = request.require_seat(), request.ui.resign
        moves.check_playing(request.snapshot)
        assert resign is not None, f"{self.game.key} has no button to resign"
        view = request.snapshot.view(seat)
        control = ComponentPress(request.table.id, view.ui_version, resign.verb, resign.argument)
        await request.show_player_page(control)

    async def _act_typed(self, message: discord.Message, action: Action, command: str, fits: Fits) -> None:
        """Do what somebody typed in the channel, if they play this game there. `command` does the same. Everybody can
        read the answer. A message that Discord delivers again, as after a resumed session, is passed over.
        """
        if message.id in self._typed:
            return
        self._typed[message.id] = True
        guild = 0 if message.guild is None else message.guild.id
        with contextlib.ExitStack() as speaking:
            try:
                speaking.enter_context(await self._language_choice.for_all(guild))
                messages = await self._finder.of_message(message, self.game.key, command, fits)
                seat = None if messages is None else messages.table.snapshot.seat_of(message.author.id)
                if messages is None or seat is None:
                    return
                try:
                    await messages.table.act(moves.move, seat, action, snowflake_time(message.id))
                except Refusal as refusal:
                    raise UserError(messages.ui.refusal(refusal, messages.table.snapshot.info())) from refusal
            except Exception as error:
                await self._errors.answer_typed(message, error)

    async def _show_hand(self, interaction: discord.Interaction, table: int | None) -> None:
        """Show the asker's own page."""
        request = await self._at(interaction, table)
        request.require_seat()
        await request.pages.resume(request.responder)

    async def _show_to_anybody(self, interaction: discord.Interaction, table: int | None, verb: str) -> None:
        """Show the page of one of the game's `public_actions`, whether or not the asker plays, also after the end."""
        request = await self._finder.of_reader(interaction, self.game.key, table)
        await show_public_page(request, ComponentPress(request.table.id, 0, verb))

    async def _show_text(self, interaction: discord.Interaction, table: int | None) -> None:
        """Show the table as text."""
        await show_text(await self._at(interaction, table))


def suggesting(work: Callable[[Any, Caller], Awaitable[Sequence[tuple[str, T]]]]) -> Suggest[T]:
    """Decorate a method that names the possible values of an option: those are suggested that fit what was typed."""

    async def suggested(cog: Any, interaction: discord.Interaction, typed: Any) -> list[app_commands.Choice[T]]:
        return suggestions(await work(cog, await cog._caller(interaction)), typed)

    suggested.__qualname__ = work.__qualname__  # the library passes the cog to what looks like a method
    return completion(suggested)


def command_of(
    name: str, description: str, work: Callable[[Any, discord.Interaction, int | None], Awaitable[None]]
) -> app_commands.Command[Any, ..., None]:
    """Return a command for a game's cog that asks for nothing but the table; `work` gets the cog and what was asked."""

    async def callback(cog: Any, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        await work(cog, interaction, table)

    callback.__qualname__ = f"{GameCog.__name__}.{name}"  # the library passes the cog to what looks like a method
    described = app_commands.describe(table=WHICH_TABLE)(callback)
    return app_commands.command(name=name, description=description)(described)


def acting(name: str, description: str, action: Action, done: str) -> app_commands.Command[Any, ..., None]:
    """Return a command that does something that needs no choice; `done` is the answer, not yet translated."""
    return command_of(name, description, lambda cog, interaction, table: cog._act(interaction, table, action, _(done)))


def showing_hand(name: str, description: str) -> app_commands.Command[Any, ..., None]:
    """Return a command that shows the asker's own page."""
    return command_of(name, description, GameCog._show_hand)


def showing_text(description: str) -> app_commands.Command[Any, ..., None]:
    """Return the command `board`, which shows the table as text."""
    return command_of("board", description, GameCog._show_text)


def start_command(game: AnyGame, kind: str) -> app_commands.Command[Any, ..., Any]:
    """Return a game's `start` command. `kind` is the sentence that says what kind of game it is.

    First come the invited person and the computer players, then the options of the game's struct in their order, and
    last those that every game has. Ranges, choices and words are declared once, with the option.
    """
    fields = {entry.name: entry for entry in option_fields(game.options)}
    names = [name for name in fields if name not in (CLOCK, PACE)] + [CLOCK, PACE]
    most = game.player_counts[-1] - 1
    kinds: dict[str, Any] = {INVITE: discord.Member | None, COMPUTER: str | None}
    words = {INVITE: "Someone to invite; their seat is reserved", COMPUTER: "Play against a computer right away"}
    choices: dict[str, list[app_commands.Choice[Any]]] = {COMPUTER: LEVEL_CHOICES, CLOCK: CLOCK_CHOICES}
    if most > 1:
        kinds[COMPUTERS] = app_commands.Range[int, 1, most] | None
        words[COMPUTER] = "Add computers of this level"
        words[COMPUTERS] = f"How many computers; with {most} the game starts right away"
    hints = get_type_hints(game.options, include_extras=True)
    for name in names:
        kinds[name] = _kind(hints[name], fields[name])
        words[name] = cut(option_description(fields[name]), DESCRIPTION_LIMIT)
        if name != CLOCK and kinds[name] in (str | None, int | None):
            choices[name] = _choices(fields[name])

    async def start(cog: GameCog, interaction: discord.Interaction, **given: Any) -> None:
        level, count, invited = given.get(COMPUTER), given.get(COMPUTERS), given.get(INVITE)
        chosen = {name: given[name] for name in names if given.get(name) is not None}
        if count is not None:  # they are welcome even if their level was left out
            level = level or Level.TRAINEE
        levels = [known for known in LEVELS if known == level] * (count or 1)
        await cog._opener.open_table(interaction, game.key, read_options(game.options, chosen), levels, invited)

    start.__qualname__ = f"{GameCog.__name__}.start"  # the library passes the cog to what looks like a method
    cog = inspect.Parameter("cog", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    ask = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    start.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # what the library reads the options from
        [
            cog,
            ask,
            *(
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
                for name, kind in kinds.items()
            ),
        ]
    )
    described_as = app_commands.describe(**words)
    chosen_from = app_commands.choices(**choices)
    description = cut(f"Open a table of {game.title}. {kind}", DESCRIPTION_LIMIT)
    return app_commands.Command(name="start", description=description, callback=chosen_from(described_as(start)))


def read_options(options: type[Options], chosen: dict[str, Any]) -> Options:
    """Return the options of a new table. Raises `UserError` for one that the game does not know."""
    try:
        return msgspec.convert(chosen, options)
    except msgspec.ValidationError as error:
        raise UserError(_("That's not a value of this option. Choose one that the command offers.")) from error


def _kind(annotated: Any, entry: OptionField) -> Any:
    """Return the type by which the library makes an option: one with choices, or a range of numbers."""
    hint = get_args(annotated)
    meta = next(one for one in hint if isinstance(one, msgspec.Meta))
    if hint[0] is int and entry.name != CLOCK and meta.ge is not None and meta.le is not None:
        return app_commands.Range[int, int(meta.ge), int(meta.le)] | None
    return int | None if isinstance(entry.values[0], int) else str | None


def _choices(entry: OptionField) -> list[app_commands.Choice[Any]]:
    return [
        app_commands.Choice(
            name=cut(" – ".join(filter(None, (value_words(entry.name, value), meaning(entry, value)))), CHOICE_LIMIT),
            value=value,
        )
        for value in entry.values
    ]

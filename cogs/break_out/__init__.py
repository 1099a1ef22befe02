"""Break-Out's cog: its slash commands, and NEXT, DRAW and MELD typed in the channel."""

import discord
from discord import app_commands
from discord.ext import commands

from cogs.break_out import completions, parsing
from cogs.break_out.achievements import ACHIEVEMENTS
from cogs.break_out.parsing import NOTATION
from cogs.break_out.puzzle import PUZZLE
from cogs.break_out.typed_words import TYPED_ACTIONS, allowed
from cogs.break_out.ui import BreakOutUI
from cogs.break_out.words import a_face, meld_name, spoken
from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_options import (
    ANY_TABLE,
    MAX_LENGTH,
    WHICH_TABLE,
    AnyTable,
    OwnTable,
    completion,
    suggestions,
)
from cogs.core.inbound.game_cog import Caller, GameCog, acting, showing_hand, suggesting
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages import interludes
from engine.contract import Seat
from engine.games.break_out import (
    DRAW,
    GAME,
    SUPER,
    BreakOut,
    Call,
    Draw,
    Extend,
    Extract,
    Give,
    Kind,
    Lay,
    Move,
    Next,
    PlayDraw,
    Point,
)
from engine.players.break_out import BOTS
from engine.turns import Ready

ROUTE_CHOICES = [
    app_commands.Choice(name="1 – a meld from your hand, straight to the Yard", value=1),
    app_commands.Choice(name="2 – a cell meld and cards from your hand", value=2),
    app_commands.Choice(name="3 – a full cell", value=3),
    app_commands.Choice(name="4 – a Super Wild alone", value=4),
]

CALL_CHOICES = [
    app_commands.Choice(name="DRAW! – they neither played nor took a card", value="draw"),
    app_commands.Choice(name="MELD! – they laid a bad meld", value="meld"),
]


class BreakOutCog(GameCog, group_name="break-out", group_description="The card game of melds, cells and cheats."):
    """Commands of Break-Out."""

    game = GAME

    # A turn

    draw = acting("draw", "Take a card: once a turn, before you play any.", Draw(), N_("You took a card."))

    @app_commands.command(name="next", description="Say NEXT: your turn is over.")
    @app_commands.describe(table=WHICH_TABLE)
    async def next_(self, interaction: discord.Interaction, table: OwnTable | None = None) -> None:
        """Say NEXT."""
        await self._act(interaction, table, Next(), "NEXT!")

    ready = acting("ready", "Between two rounds: say that you're ready to go on.", Ready(), interludes.DONE)

    @app_commands.command(description="Lay a new meld: in your cell, or in the Yard once you're out.")
    @app_commands.describe(cards=NOTATION, table=WHICH_TABLE)
    async def meld(self, interaction: discord.Interaction, cards: str, table: OwnTable | None = None) -> None:
        """Lay a meld."""
        read = parsing.read_declared(cards, ())
        await self._act(interaction, table, Lay(read), _("You laid {cards}.", cards=spoken(read)))

    @app_commands.command(description="Add cards to a meld: in your cell, or to any in the Yard once you're out.")
    @app_commands.describe(
        meld="The meld's number on the picture; 0 is the round card",
        cards=NOTATION,
        from_cell="Single cards from your own cell, once you're out",
        table=WHICH_TABLE,
    )
    async def extend(
        self,
        interaction: discord.Interaction,
        meld: int,
        cards: str | None = None,
        from_cell: str | None = None,
        table: OwnTable | None = None,
    ) -> None:
        """Add to a meld."""
        caller = await self._caller(interaction)
        read = parsing.read_added(caller.view, meld, cards or "")
        slots = parsing.read_cell_slots(caller.view, caller.seat, from_cell or "")
        await self._act_at(caller.request, Extend(meld, read, slots), _("Added to {meld}.", meld=meld_name(meld)))

    @app_commands.command(name="break-out", description="Break out of your cell by one of the four routes.")
    @app_commands.describe(
        route="Which route",
        cards=f"Routes 1 and 2: {NOTATION}",
        meld="Route 2: the cell meld's number",
        moves="Routes 2 to 4: the cell melds that move too (their numbers, all or none)",
        table=WHICH_TABLE,
    )
    @app_commands.choices(route=ROUTE_CHOICES)
    async def break_out(
        self,
        interaction: discord.Interaction,
        route: int,
        cards: str | None = None,
        meld: int | None = None,
        moves: str | None = None,
        table: OwnTable | None = None,
    ) -> None:
        """Break out of the cell."""
        caller = await self._caller(interaction)
        action = parsing.read_break_out(caller.view, caller.seat, route, cards or "", meld, moves)
        await self._act_at(caller.request, action, _("You're out!"))

    @app_commands.command(description="Swap a card for the Wild that represents it in a Yard meld.")
    @app_commands.describe(
        meld="The meld's number on the picture", card="From your hand or your cell", table=WHICH_TABLE
    )
    async def swap(self, interaction: discord.Interaction, meld: int, card: str, table: OwnTable | None = None) -> None:
        """Extract a Wild."""
        caller = await self._caller(interaction)
        action, wild = parsing.read_swap(caller.view, caller.seat, meld, card)
        done = _("You swapped {card} for {wild}.", card=a_face(action.card.face), wild=a_face(wild))
        await self._act_at(caller.request, action, done)

    @app_commands.command(description="Move melds from your cell to the Yard, once you're out.")
    @app_commands.describe(melds="Their numbers, or all", table=WHICH_TABLE)
    async def move(self, interaction: discord.Interaction, melds: str = "all", table: OwnTable | None = None) -> None:
        """Move cell melds."""
        caller = await self._caller(interaction)
        moved = parsing.read_melds(caller.view, caller.seat, melds)
        await self._act_at(caller.request, Move(moved), _("Moved to the Yard."))

    @app_commands.command(name="draw-card", description="Play a DRAW card: everyone else takes a card.")
    @app_commands.describe(super_wild="Play a Super Wild as the DRAW card", table=WHICH_TABLE)
    async def draw_card(
        self, interaction: discord.Interaction, super_wild: bool = False, table: OwnTable | None = None
    ) -> None:
        """Play a DRAW card."""
        action = PlayDraw(SUPER if super_wild else DRAW)
        await self._act(interaction, table, action, _("Everyone else takes a card."))

    # Catching

    @app_commands.command(description="Call DRAW! or MELD! on the turn that just ended.")
    @app_commands.describe(
        kind="What you call",
        target="Who you challenge; leave it out for the turn that just ended",
        table=WHICH_TABLE,
    )
    @app_commands.choices(kind=CALL_CHOICES)
    async def call(
        self,
        interaction: discord.Interaction,
        kind: str,
        target: app_commands.Range[int, 0, 5] | None = None,
        table: OwnTable | None = None,
    ) -> None:
        """Call."""
        found: Kind = "draw" if kind == "draw" else "meld"
        action = Call(found, seat=None if target is None else Seat(target))
        fits = allowed(action, snowflake_time(interaction.id))
        done = _("You called {call}", call=f"{found.upper()}!")
        await self._act(interaction, table, action, done, fits=fits)

    @app_commands.command(description="Give a card to the player you caught.")
    @app_commands.describe(card="The card", table=WHICH_TABLE)
    async def give(self, interaction: discord.Interaction, card: str, table: OwnTable | None = None) -> None:
        """Give a card."""
        face = parsing.read_face(card)
        await self._act(interaction, table, Give(face), _("You gave {card}.", card=a_face(face)))

    @app_commands.command(description="Point at a meld on the table that no one called in time.")
    @app_commands.describe(meld="The meld's number on the picture", table=WHICH_TABLE)
    async def point(self, interaction: discord.Interaction, meld: int, table: OwnTable | None = None) -> None:
        """Point at a meld."""
        await self._act(interaction, table, Point(meld), _("You pointed at meld {number}.", number=meld))

    @app_commands.command(description="Show the score sheet of a game. Anyone can, at any time.")
    @app_commands.describe(table=ANY_TABLE)
    async def scores(self, interaction: discord.Interaction, table: AnyTable | None = None) -> None:
        """Show the scores."""
        await self._show_to_anybody(interaction, table, "scores")

    hand = showing_hand("hand", "Show your hand and everything you can do. Only you see it.")

    @commands.Cog.listener()
    async def on_message(self, message: discord.Message) -> None:
        """Treat NEXT, DRAW and MELD typed in the channel as buttons. Contents are empty if the bot may not read
        messages.
        """
        typed = TYPED_ACTIONS.get(message.content.strip().rstrip("!").upper())
        if typed is not None and message.guild is not None and not message.author.bot:
            action, command = typed
            fits = allowed(action, snowflake_time(message.id))
            await self._act_typed(message, action, f"break-out {command}", fits)

    # Completions: from the caller's own hand, sound things only

    @meld.autocomplete("cards")
    @suggesting
    async def _melds(self, caller: Caller) -> list[tuple[str, str]]:
        return completions.melds(caller.view, await caller.legal(Lay))

    @break_out.autocomplete("cards")
    @suggesting
    async def _ways_out(self, caller: Caller) -> list[tuple[str, str]]:
        route, meld = caller.given("route"), caller.given("meld")
        return completions.ways_out(caller.view, await caller.legal(BreakOut), route, meld)

    @extend.autocomplete("cards")
    @suggesting
    async def _additions(self, caller: Caller) -> list[tuple[str, str]]:
        return completions.additions(caller.view, await caller.legal(Extend), caller.given("meld"))

    @extend.autocomplete("meld")
    @break_out.autocomplete("meld")
    @swap.autocomplete("meld")
    @point.autocomplete("meld")
    @suggesting
    async def _meld_names(self, caller: Caller) -> list[tuple[str, int]]:
        return completions.meld_names(caller.view)

    @swap.autocomplete("card")
    @suggesting
    async def _exchanges(self, caller: Caller) -> list[tuple[str, str]]:
        return completions.exchanges(await caller.legal(Extract))

    @call.autocomplete("target")
    @completion
    async def _targets(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[int]]:
        caller = await self._caller(interaction, fits=allowed(Call("draw"), snowflake_time(interaction.id)))
        info = caller.request.snapshot.info()
        others = [one.seat for one in info.seated_players if one.seat != caller.seat]
        return suggestions([(info.label(seat, MAX_LENGTH), seat) for seat in others], typed)

    @give.autocomplete("card")
    @suggesting
    async def _gifts(self, caller: Caller) -> list[tuple[str, str]]:
        return completions.gifts(caller.view)


PACKAGE = GamePackage(BOTS, BreakOutUI, BreakOutCog, puzzle=PUZZLE, achievements=ACHIEVEMENTS)

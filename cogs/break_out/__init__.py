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
from cogs.break_out.words import a_face, meld_name, place_of, read_cards, spoken
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
from cogs.core.inbound.game_cog import Asked, GameCog, acting, showing_hand, suggesting
from cogs.core.inbound.request import TableRequest
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import cut
from cogs.core.ops.timers import snowflake_time
from cogs.core.pages import interludes
from engine.contract import Seat
from engine.games.break_out import (
    DRAW,
    FACES,
    GAME,
    SUPER,
    WILD,
    BreakOut,
    BreakOutView,
    Call,
    Card,
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
    fits,
    shape,
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
        request, *__ = await self._mine(interaction, table)
        read = parsing.read_declared(cards, ())
        done = _("You laid {cards}.", cards=spoken(read))
        await self._act(interaction, request.table.id, Lay(read), done)

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
        request, seat, view = await self._mine(interaction, table)
        base = place_of(view, meld)
        read = parsing.read_declared(cards or "", () if base is None else base.played)
        slots = parsing.read_cell_slots(view, seat, from_cell or "")
        done = _("Added to {meld}.", meld=meld_name(meld))
        await self._act(interaction, request.table.id, Extend(meld, read, slots), done)

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
        request, seat, view = await self._mine(interaction, table)
        own = tuple(one.id for one in view.melds if one.cell == seat and one.id != meld)
        moved = (
            own
            if route != 1 and (moves is None or moves.strip().lower() == "all")
            else parsing.read_numbers(moves or "")
        )
        action: BreakOut
        match route:
            case 1:
                action = BreakOut(1, parsing.read_declared(cards or "", ()))
            case 2:
                base = None if meld is None else place_of(view, meld)
                action = BreakOut(
                    2, parsing.read_declared(cards or "", () if base is None else base.played), meld, moved
                )
            case 3:
                action = BreakOut(3, moves=moved)
            case _:
                action = BreakOut(4, (Card(SUPER),), moves=moved)
        await self._act(interaction, request.table.id, action, _("You're out!"))

    @app_commands.command(description="Swap a card for the Wild that represents it in a Yard meld.")
    @app_commands.describe(
        meld="The meld's number on the picture", card="From your hand or your cell", table=WHICH_TABLE
    )
    async def swap(self, interaction: discord.Interaction, meld: int, card: str, table: OwnTable | None = None) -> None:
        """Extract a Wild."""
        request, seat, view = await self._mine(interaction, table)
        base, read = place_of(view, meld), read_cards(card)
        if base is None:
            raise UserError(_("There's no meld {number} on the table.", number=meld))
        if read is None or len(read) != 1:
            typed = repr(cut(card, 20))
            raise UserError(_("{typed} isn't one card: write a colour's letter and a number, like r5.", typed=typed))
        wilds = [one for one in base.cards if one.face in (WILD, SUPER)]
        if not wilds:
            raise UserError(_("There's no Wild in meld {number}.", number=meld))
        kind = shape(base.played)
        place = next((one for one in wilds if fits(read[0], one.card, kind)), wilds[0])
        done = _("You swapped {card} for {wild}.", card=a_face(read[0].face), wild=a_face(place.face))
        action = Extract(
            place.slot, read[0], None if read[0].face in view.hand else parsing.slot_of(view, seat, read[0].face)
        )
        await self._act(interaction, request.table.id, action, done)

    @app_commands.command(description="Move melds from your cell to the Yard, once you're out.")
    @app_commands.describe(melds="Their numbers, or all", table=WHICH_TABLE)
    async def move(self, interaction: discord.Interaction, melds: str = "all", table: OwnTable | None = None) -> None:
        """Move cell melds."""
        request, seat, view = await self._mine(interaction, table)
        own = tuple(one.id for one in view.melds if one.cell == seat)
        moved = own if melds.strip().lower() == "all" else parsing.read_numbers(melds)
        await self._act(interaction, request.table.id, Move(moved), _("Moved to the Yard."))

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
        face = card.strip().lower()
        if face not in FACES:
            typed = repr(cut(card, 20))
            raise UserError(
                _("{typed} isn't a card: write a colour's letter and a number like r5, or w, s or d.", typed=typed)
            )
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

    # What is meant

    async def _mine(
        self, interaction: discord.Interaction, number: int | None
    ) -> tuple[TableRequest, Seat, BreakOutView]:
        """Return the table in question, the player's seat, and its view. Raises `UserError`."""
        request = await self._at(interaction, number)
        seat = request.table.snapshot.seat_of(interaction.user.id)
        if seat is None:
            raise UserError(_("You have no seat at table {table}.", table=request.table.id))
        if not request.table.snapshot.playing:
            raise UserError(_("No game is in progress at this table."))
        view = request.table.snapshot.view(seat)
        assert isinstance(view, BreakOutView)
        return request, seat, view

    # Completions: from the asker's own hand, sound things only

    @meld.autocomplete("cards")
    @suggesting
    async def _melds(self, asked: Asked) -> list[tuple[str, str]]:
        return completions.melds(asked.view, await asked.legal(Lay))

    @break_out.autocomplete("cards")
    @suggesting
    async def _ways_out(self, asked: Asked) -> list[tuple[str, str]]:
        route, meld = asked.given("route"), asked.given("meld")
        return completions.ways_out(asked.view, await asked.legal(BreakOut), route, meld)

    @extend.autocomplete("cards")
    @suggesting
    async def _additions(self, asked: Asked) -> list[tuple[str, str]]:
        return completions.additions(asked.view, await asked.legal(Extend), asked.given("meld"))

    @extend.autocomplete("meld")
    @break_out.autocomplete("meld")
    @swap.autocomplete("meld")
    @point.autocomplete("meld")
    @suggesting
    async def _meld_names(self, asked: Asked) -> list[tuple[str, int]]:
        return completions.meld_names(asked.view)

    @swap.autocomplete("card")
    @suggesting
    async def _exchanges(self, asked: Asked) -> list[tuple[str, str]]:
        return completions.exchanges(await asked.legal(Extract))

    @call.autocomplete("target")
    @completion
    async def _targets(self, interaction: discord.Interaction, typed: str) -> list[app_commands.Choice[int]]:
        number = getattr(interaction.namespace, "table", None)
        fits = allowed(Call("draw"), snowflake_time(interaction.id))
        request = await self._finder.of_command(
            interaction, self.game.key, number if isinstance(number, int) else None, fits
        )
        others = [one.seat for one in request.snapshot.seated_players if one.seat != request.seat]
        info = request.snapshot.info()
        return suggestions([(info.label(seat, MAX_LENGTH), seat) for seat in others], typed)

    @give.autocomplete("card")
    @suggesting
    async def _gifts(self, asked: Asked) -> list[tuple[str, str]]:
        return completions.gifts(asked.view)


PACKAGE = GamePackage(BOTS, BreakOutUI, BreakOutCog, puzzle=PUZZLE, achievements=ACHIEVEMENTS)

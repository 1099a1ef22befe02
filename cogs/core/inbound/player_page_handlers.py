"""What is shown to one person alone: their cockpit at a table, what else they ask of it, and the rules.

Whatever is told to somebody at a table stands on their one private page there: on the direct message that they pressed,
or on their panel in the channel.
"""

import asyncio
from collections.abc import Iterator
from typing import get_args

import discord

from cogs.core.inbound.command_validation import number
from cogs.core.inbound.handlers import GlobalHandler, Handler, TableHandler
from cogs.core.inbound.player_actions import seat_at
from cogs.core.inbound.table_service import TableService
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import CanResign, GameUI, available_moves_text
from cogs.core.pages.page import Block, Button, Page, Row, Text
from cogs.core.pages.pagination import leaf, page_within
from cogs.core.pages.player_page import ANEW, BACK
from cogs.core.publishing.hint_page import HINT, RANKED, refused
from cogs.core.publishing.responder import reply_to
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.options import options_lines
from cogs.core.tables.user_preferences import WORDS, Notify


def notify_page(now: Notify, colour: int) -> Page:
    """Return the page on which somebody says how they want to hear that it is their move."""
    buttons = tuple(
        Button(words[0].upper() + words[1:], "notify", how, style="success" if how == now else "secondary")
        for how, words in WORDS.items()
    )
    words = (
        f"### When it is your move\nAfter a few seconds without a move of yours you get **{WORDS[now]}**. This is for "
        "all tables on all servers."
    )
    return Page((Text(words), Row(buttons)), colour)


class PlayerPageHandlers:
    """Shows pages privately."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    def verbs(self) -> tuple[Handler, ...]:
        """Return the verbs that are served here."""
        return (
            GlobalHandler("rules", self._rules),
            GlobalHandler("repost", self._repost),
            TableHandler("hand", self._open_page),
            TableHandler("more", self._more),
            TableHandler("what", self._what, seated=True),
            TableHandler("text", self._text),
            TableHandler("fair", self._fairness),
            TableHandler("notify", self._notify, seated=True),
        )

    # Of a table

    async def _open_page(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        table, named = session.table, bool(control.argument)
        on_table, seat = reply_to(interaction).on_table, seat_at(session, interaction.user.id)
        if named and on_table and table.snapshot.playing and not table.snapshot.may_act(seat):
            raise UserError(table.snapshot.info().not_yours(table.snapshot.view(None).to_act))
        await self.show_hand(interaction, session, anew=control.argument.partition(".")[0] == ANEW)

    async def show_hand(self, interaction: discord.Interaction, session: TableMessages, *, anew: bool = False) -> None:
        """Show their cockpit to the one who asked, with what they have begun there unless they begin `anew`. Raises
        `UserError` for somebody without a seat.
        """
        seat_at(session, interaction.user.id)
        await session.cockpits(interaction).resume(interaction, anew=anew)

    async def _more(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        blocks = tuple(self._everything(session, interaction.user.id))
        await session.show(interaction, Page(blocks, session.screen.colour))

    def _everything(self, session: TableMessages, user: int) -> Iterator[Block]:
        """What else can be asked of a table."""
        table = session.table
        seat = table.snapshot.seat_of(user)
        options = "\n".join(f"-# {line}" for line in options_lines(table.game, table.snapshot.options))
        yield Text(f"### Table {table.id}: {table.game.title}\n{options}")
        asking = [Button("Rules", "rules", session.screen.game.key)]
        if table.snapshot.state is not None:
            asking.append(Button("Text view", "text"))
        if table.snapshot.state is not None and not table.snapshot.practice:
            asking.append(Button("Fair chance", "fair"))
        if seat is not None and table.snapshot.playing:
            what = (Button("What can I do?", "what"),)
            now = table.snapshot.may_act(seat)
            hint = Button("Hint", HINT, style="success" if now else "secondary")
            yield Row(what if refused(table.snapshot.info()) else (hint, *what))
        if seat is not None and not table.snapshot.practice:
            asking.append(Button("Notify me …", "notify"))
        yield Row(tuple(asking))
        if seat is None:
            return
        going = (
            [Button("◀ Back to the game", "hand", "back", style="primary")] if table.snapshot.state is not None else []
        )
        if table.snapshot.playing and table.snapshot.seats[seat].caretaker:
            going.append(Button("I am back", "back", style="success"))
        elif table.snapshot.playing:
            going.append(Button("End the game" if table.snapshot.practice else "Leave", "leave", style="danger"))
            if isinstance(session.screen, CanResign) and not table.snapshot.practice:
                going.append(session.screen.resign)
        if going:
            yield Row(tuple(going))

    async def _what(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        seat = seat_at(session, interaction.user.id)
        if not session.table.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        view, info = session.table.snapshot.view(seat), session.table.snapshot.info()
        words = await asyncio.to_thread(
            lambda: available_moves_text(session.screen, view, info, session.table.snapshot.legal(seat))
        )
        words += f"\n-# {RANKED}" if info.ranked else ""
        await self._side(interaction, session, words)

    async def _text(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        await self.text_view(interaction, session)

    async def text_view(self, interaction: discord.Interaction, session: TableMessages) -> None:
        """Show the board as text to the one who asked: their own view if they sit here, else the public one."""
        if session.table.snapshot.state is None:
            raise UserError("The game has not begun.")
        view = session.table.snapshot.view(session.table.snapshot.seat_of(interaction.user.id))
        body = await asyncio.to_thread(session.screen.text, view, session.table.snapshot.info())
        await self._side(interaction, session, f"```\n{body}\n```")

    async def _fairness(
        self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress
    ) -> None:
        info = session.table.snapshot.info()
        if session.table.snapshot.state is None:
            raise UserError("The game has not begun.")
        if info.seed is not None:
            words = f"The secret seed was `{info.seed}`; its SHA-256 is `{info.commitment}`. `/verify` proves the game."
        else:
            words = (
                f"All chance in this game comes from one secret seed. Its SHA-256 is `{info.commitment}`; the seed "
                "itself is shown when the game is over, and `/verify` proves every shuffle, deal and roll from it."
            )
        await self._side(interaction, session, f"### Fair chance\n{words}")

    async def _notify(self, interaction: discord.Interaction, session: TableMessages, control: ComponentPress) -> None:
        user = interaction.user.id
        chosen = next((how for how in get_args(Notify) if how == control.argument), None)
        if chosen is not None:
            await self._tables.notify.change(user, chosen)
        page = notify_page(await self._tables.notify.of(user), session.screen.colour)
        await session.show(interaction, Page((*page.blocks, BACK), page.colour))

    async def _side(self, interaction: discord.Interaction, session: TableMessages, words: str) -> None:
        """Show words in the place of the asker's cockpit, with the way back to it."""
        seated = session.table.snapshot.seat_of(interaction.user.id) is not None
        blocks: tuple[Block, ...] = (Text(words), BACK) if seated else (Text(words),)
        await session.show(interaction, Page(blocks, session.screen.colour))

    async def _repost(self, interaction: discord.Interaction, control: ComponentPress) -> None:
        table = number(control.argument)
        session = None if table is None else await self._tables.find(table)
        if session is None or session.table.snapshot.row.guild != interaction.guild_id:
            raise UserError("That table is gone.")
        seat_at(session, interaction.user.id)
        await self._tables.visit(session, interaction.user.id)
        session.message.repost()
        await reply_to(interaction).show(
            Page((Text(f"Table {session.table.id} is posted anew below."),), session.screen.colour)
        )

    # Of a game

    async def _rules(self, interaction: discord.Interaction, control: ComponentPress) -> None:
        game, _, page_number = (control.argument or "".join(control.values[:1])).partition(".")
        if game not in self._tables.screens:
            raise UserError("There are no rules of that name. `/rules` lists the games.")
        screen, leaf_number = self._tables.screens[game], number(page_number.partition(".")[0]) or 0
        session = await self._tables.find(control.table) if control.table else None
        page = await self.rules_page(screen, leaf_number, at_table=session is not None)
        if session is not None and session.table.snapshot.seat_of(interaction.user.id) is not None:
            body = Page((*page.blocks, BACK) if session.table.snapshot.state is not None else page.blocks, page.colour)
            await session.show(interaction, body)
        else:
            await reply_to(interaction).show(page, control.table)

    async def rules_page(self, screen: GameUI, number: int, *, at_table: bool = False) -> Page:
        """Return a page of a game's rules with buttons to leaf through them, and the ways to its lesson and, where it
        is not read `at_table`, to the game.
        """
        pages = await self._tables.draw(screen.rules)
        number = page_within(number, len(pages))
        page, key = pages[number], screen.game.key
        leaves = leaf("rules", number, len(pages), lambda page, slot: f"{key}.{page}.{slot}")
        lesson = (Button("Learn by playing", "learn", key),) if key in self._tables.courses else ()
        play = () if at_table else (Button("Play", "play", key, "primary"),)
        rows = tuple(Row(buttons) for buttons in (leaves, (*play, *lesson)) if buttons)
        return Page((*page.blocks, *rows), page.colour)

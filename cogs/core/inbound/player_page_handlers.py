"""Handlers for private pages: the player's page at a table, everything else about a table, and the rules.

A person has one private page at a table, on which they read everything: the direct message that they pressed, or an
ephemeral message in the channel.
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
from cogs.core.pages.pagination import page_buttons, page_within
from cogs.core.pages.player_page import BACK, DISCARD_DRAFT
from cogs.core.publishing.hint_page import HINT, RANKED, why_no_hints
from cogs.core.publishing.responder import responder_for
from cogs.core.publishing.table_messages import TableMessages
from cogs.core.tables.options import options_lines
from cogs.core.tables.user_preferences import WORDS, Notify


def notify_page(now: Notify, colour: int) -> Page:
    """Return the page on which a user chooses how to be notified of their turn."""
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

    def handlers(self) -> tuple[Handler, ...]:
        """Return the handlers."""
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
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        table, named = messages.table, bool(control.argument)
        on_table, seat = responder_for(interaction).on_table, seat_at(messages, interaction.user.id)
        if named and on_table and table.snapshot.playing and not table.snapshot.may_act(seat):
            raise UserError(table.snapshot.info().not_yours(table.snapshot.view(None).to_act))
        await self.show_hand(interaction, messages, discard_draft=control.argument.partition(".")[0] == DISCARD_DRAFT)

    async def show_hand(
        self, interaction: discord.Interaction, messages: TableMessages, *, discard_draft: bool = False
    ) -> None:
        """Show the asker their page with their draft, or discard the draft. Raises `UserError` for a person without a
        seat.
        """
        seat_at(messages, interaction.user.id)
        await messages.player_pages(interaction).resume(interaction, discard_draft=discard_draft)

    async def _more(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        blocks = tuple(self._more_blocks(messages, interaction.user.id))
        await messages.show(interaction, Page(blocks, messages.ui.colour))

    def _more_blocks(self, messages: TableMessages, user: int) -> Iterator[Block]:
        """Yield the page behind *More …*."""
        table = messages.table
        seat = table.snapshot.seat_of(user)
        options = "\n".join(f"-# {line}" for line in options_lines(table.game, table.snapshot.options))
        yield Text(f"### Table {table.id}: {table.game.title}\n{options}")
        asking = [Button("Rules", "rules", messages.ui.game.key)]
        if table.snapshot.state is not None:
            asking.append(Button("Text view", "text"))
        if table.snapshot.state is not None and not table.snapshot.practice:
            asking.append(Button("Fair chance", "fair"))
        if seat is not None and table.snapshot.playing:
            what = (Button("What can I do?", "what"),)
            now = table.snapshot.may_act(seat)
            hint = Button("Hint", HINT, style="success" if now else "secondary")
            yield Row(what if why_no_hints(table.snapshot.info()) else (hint, *what))
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
            if isinstance(messages.ui, CanResign) and not table.snapshot.practice:
                going.append(messages.ui.resign)
        if going:
            yield Row(tuple(going))

    async def _what(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        seat = seat_at(messages, interaction.user.id)
        if not messages.table.snapshot.playing:
            raise UserError("There is no game under way at this table.")
        view, info = messages.table.snapshot.view(seat), messages.table.snapshot.info()
        words = await asyncio.to_thread(
            lambda: available_moves_text(messages.ui, view, info, messages.table.snapshot.legal(seat))
        )
        words += f"\n-# {RANKED}" if info.ranked else ""
        await self._show_words(interaction, messages, words)

    async def _text(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        await self.text_view(interaction, messages)

    async def text_view(self, interaction: discord.Interaction, messages: TableMessages) -> None:
        """Show the board as text to the one who asked: their own view if they sit here, else the public one."""
        if messages.table.snapshot.state is None:
            raise UserError("The game has not begun.")
        view = messages.table.snapshot.view(messages.table.snapshot.seat_of(interaction.user.id))
        body = await asyncio.to_thread(messages.ui.text, view, messages.table.snapshot.info())
        await self._show_words(interaction, messages, f"```\n{body}\n```")

    async def _fairness(
        self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress
    ) -> None:
        info = messages.table.snapshot.info()
        if messages.table.snapshot.state is None:
            raise UserError("The game has not begun.")
        if info.seed is not None:
            words = f"The secret seed was `{info.seed}`; its SHA-256 is `{info.commitment}`. `/verify` proves the game."
        else:
            words = (
                f"All chance in this game comes from one secret seed. Its SHA-256 is `{info.commitment}`; the seed "
                "itself is shown when the game is over, and `/verify` proves every shuffle, deal and roll from it."
            )
        await self._show_words(interaction, messages, f"### Fair chance\n{words}")

    async def _notify(self, interaction: discord.Interaction, messages: TableMessages, control: ComponentPress) -> None:
        user = interaction.user.id
        chosen = next((how for how in get_args(Notify) if how == control.argument), None)
        if chosen is not None:
            await self._tables.preferences.change(user, chosen)
        page = notify_page(await self._tables.preferences.of(user), messages.ui.colour)
        await messages.show(interaction, Page((*page.blocks, BACK), page.colour))

    async def _show_words(self, interaction: discord.Interaction, messages: TableMessages, words: str) -> None:
        """Show words in place of the asker's page, with the way back to it."""
        seated = messages.table.snapshot.seat_of(interaction.user.id) is not None
        blocks: tuple[Block, ...] = (Text(words), BACK) if seated else (Text(words),)
        await messages.show(interaction, Page(blocks, messages.ui.colour))

    async def _repost(self, interaction: discord.Interaction, control: ComponentPress) -> None:
        table = number(control.argument)
        messages = None if table is None else await self._tables.find(table)
        if messages is None or messages.table.snapshot.row.guild != interaction.guild_id:
            raise UserError("That table is gone.")
        seat_at(messages, interaction.user.id)
        await self._tables.visit(messages, interaction.user.id)
        messages.message.repost()
        await responder_for(interaction).show(
            Page((Text(f"Table {messages.table.id} is posted anew below."),), messages.ui.colour)
        )

    # Of a game

    async def _rules(self, interaction: discord.Interaction, control: ComponentPress) -> None:
        game, _, page_number = (control.argument or "".join(control.values[:1])).partition(".")
        if game not in self._tables.game_uis:
            raise UserError("There are no rules of that name. `/rules` lists the games.")
        ui, leaf_number = self._tables.game_uis[game], number(page_number.partition(".")[0]) or 0
        messages = await self._tables.find(control.table) if control.table else None
        page = await self.rules_page(ui, leaf_number, at_table=messages is not None)
        if messages is not None and messages.table.snapshot.seat_of(interaction.user.id) is not None:
            body = Page((*page.blocks, BACK) if messages.table.snapshot.state is not None else page.blocks, page.colour)
            await messages.show(interaction, body)
        else:
            await responder_for(interaction).show(page, control.table)

    async def rules_page(self, ui: GameUI, number: int, *, at_table: bool = False) -> Page:
        """Return a page of a game's rules with buttons to leaf through them, and the ways to its lesson and, where it
        is not read `at_table`, to the game.
        """
        pages = await self._tables.draw(ui.rules)
        number = page_within(number, len(pages))
        page, key = pages[number], ui.game.key
        leaves = page_buttons("rules", number, len(pages), lambda page, slot: f"{key}.{page}.{slot}")
        lesson = (Button("Learn by playing", "learn", key),) if key in self._tables.courses else ()
        play = () if at_table else (Button("Play", "play", key, "primary"),)
        rows = tuple(Row(buttons) for buttons in (leaves, (*play, *lesson)) if buttons)
        return Page((*page.blocks, *rows), page.colour)

"""Service at the tables: what each command and control of the house does, and who may use it.

Every control is untrusted and checked here: does the table exist, is it of this server, who sits where, is the
control still fresh. Then the table moves (`cogs.core.tables`), and the one who asked is answered. May import discord,
`engine`, `data` and its neighbours.
"""

import asyncio
from collections.abc import Sequence

import discord
import msgspec

from cogs.core import away, lobby, names
from cogs.core.errors import Stale, Told
from cogs.core.page import Button, Form, Page, Row, Text
from cogs.core.router.border import MOST_ID, number
from cogs.core.router.errors import answer_typed
from cogs.core.router.reply import reply_to
from cogs.core.router.router import Router, seat_at
from cogs.core.router.verbs import HallVerb, ServesHall, TableVerb
from cogs.core.screen import Screen
from cogs.core.tables import Desk, Tables
from cogs.core.wire import Control
from data.store import NewTable, StoreError
from engine.contract import Action, Moment, Options, Seat, View
from engine.players import Level

NEEDED = {
    "view_channel": "View Channel",
    "send_messages": "Send Messages",
    "attach_files": "Attach Files",
}
"""What the bot must be allowed to do in a channel to hold a table there."""


def moment_of(interaction: discord.Interaction | discord.Message) -> Moment:
    """Return when Discord received something: the milliseconds of its snowflake."""
    return Moment((interaction.id >> 22) + discord.utils.DISCORD_EPOCH)


class Service:
    """What people can do at tables, by slash command or by control."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self.router = Router(tables, self._press_game)
        self.router.add(
            HallVerb("rules", self._rules),
            HallVerb("repost", self._repost),
            TableVerb("join", self._join),
            TableVerb("leave", self._leave),
            TableVerb("leave-sure", self._leave_for_sure, seated=True),
            TableVerb("back", self._back, seated=True),
            TableVerb("add", self._add),
            TableVerb("drop", self._drop),
            TableVerb("uninvite", self._uninvite),
            TableVerb("begin", self._start),
            TableVerb("options", self._options),
            TableVerb("option", self._option),
            TableVerb("hand-over", self._hand_over),
            TableVerb("heir", self._heir),
            TableVerb("cancel", self._cancel),
            TableVerb("hand", self._hand, seated=True),
            TableVerb("what", self._what, seated=True),
            TableVerb("text", self._text),
            TableVerb("rematch", self._again),
        )

    def answer_to(self, verb: str, answer: ServesHall) -> None:
        """Let a cog serve a verb of its own, at any table and at none. A verb has one answer."""
        self.router.add(HallVerb(verb, answer))

    # Tables

    async def open_table(
        self,
        interaction: discord.Interaction,
        game: str,
        options: Options,
        computers: Sequence[Level] = (),
        invited: discord.abc.User | None = None,
    ) -> None:
        """Open a table as the answer to a slash command.

        It begins at once if nobody else is wanted and enough sit there.
        """
        await self._check_channel(interaction)
        screen = self._tables.screens[game]
        if invited is not None and invited.bot:
            raise Told("Bots do not play. Choose a computer player with the option `computer`.")
        if invited is not None and invited.id == interaction.user.id:
            raise Told("You cannot invite yourself. Leave `invite` empty, and others can join.")
        seats = lobby.first_seat(interaction.user.id, interaction.user.display_name, computers)
        if len(seats) + (invited is not None) > screen.game.seats[-1]:
            raise Told(f"{screen.game.title} has room for {screen.game.seats[-1]}; that is more than fit.")
        assert interaction.guild_id is not None and interaction.channel_id is not None
        settings = await self._tables.settings.of(interaction.guild_id)
        options = settings.usual(screen.game, options, interaction.namespace)
        desk = await self._tables.open(
            NewTable(
                game=game,
                guild=interaction.guild_id,
                channel=interaction.channel_id,
                opener=interaction.user.id,
                options=msgspec.json.encode(options).decode(),
                created_at=self._tables.clock.now(),
                due=Moment(self._tables.clock.now() + lobby.CLOSES_AFTER_MS),
                invited=None if invited is None else invited.id,
            ),
            seats,
        )
        self._tables.follow_up(desk)  # the table stands, whatever becomes of its beginning and of the answer
        try:
            if computers and invited is None and len(seats) == screen.game.seats[-1]:
                await self._tables.begin(desk)
                self._tables.follow_up(desk)
        except StoreError:
            desk.board.changed()
            raise
        await desk.board.open_through(interaction)
        self._tables.spawn(self._welcome(desk, interaction), f"welcome-{desk.table.id}")
        if invited is not None:
            self._tables.spawn(self._invite(desk, invited), f"invite-{desk.table.id}")

    async def _invite(self, desk: Desk, invited: discord.abc.User) -> None:
        opener = names.bold(desk.table.seats[0].name)
        where = f"[table {desk.table.id}]({desk.board.link()})"
        await desk.line.invite(invited.id, f"{opener} invites you to {desk.table.game.title} · {where}")

    async def _check_channel(self, interaction: discord.Interaction) -> None:
        if interaction.guild_id is None or interaction.channel_id is None:
            raise Told("Tables stand in a server's channels. Use this command there.")
        allowed = interaction.app_permissions
        needed = dict(NEEDED)
        if isinstance(interaction.channel, discord.Thread):
            needed["send_messages_in_threads"] = "Send Messages in Threads"
            del needed["send_messages"]
        missing = [name for permission, name in needed.items() if not getattr(allowed, permission)]
        if missing:
            raise Told(
                f"I cannot hold a table here: in this channel I lack the permission{'s' if len(missing) > 1 else ''} "
                f"{', '.join(missing)}. Ask someone who manages the server to allow it."
            )
        settings = await self._tables.settings.of(interaction.guild_id)
        if not settings.allows(interaction.channel_id, getattr(interaction.channel, "parent_id", None)):
            where = ", ".join(f"<#{channel}>" for channel in settings.channels)
            raise Told(f"On this server tables stand in {where}. Use the command there.")

    async def _welcome(self, desk: Desk, interaction: discord.Interaction) -> None:
        """Try the direct message of somebody who has just sat down; tell them if it is closed."""
        if not await desk.letters.introduce(interaction.user.id) and not desk.table.outcome():
            words = "Your direct messages are closed for me, so nothing was sent. That is fine: " + (
                "*My hand* at the table always shows what only you may see."
                if desk.screen.game.hides
                else "everything stands at the table."
            )
            await reply_to(interaction).say(words)

    async def _press_game(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        """Serve a control of a game's own screen."""
        table = desk.table
        if control.verb in desk.screen.open_verbs and table.state is not None:
            view = table.view(table.seat_of(interaction.user.id))
            shown = await asyncio.to_thread(desk.screen.press, view, table.card(), control)
            assert isinstance(shown, Page), f"{control.verb} is open to all and may only show something"
            await self.show_privately(interaction, desk, shown)
            return
        seat = seat_at(desk, interaction.user.id)
        if table.in_lobby:
            raise Told("The game has not begun.")
        if table.row.status == "closed":
            raise Told(f"This table is closed. Open another one with `/{desk.screen.command} start`.")
        if not table.playing:
            raise Told("This game is over. Press Rematch to play again.")
        view = table.view(seat)

        def fresh(now: View) -> bool:
            return desk.screen.fresh(now, control)

        if not fresh(view):
            await self._answer_stale(interaction, desk, seat)
            return
        wanted = await asyncio.to_thread(desk.screen.press, view, table.card(), control)
        if isinstance(wanted, Page):
            await self.show_privately(interaction, desk, wanted)
        elif isinstance(wanted, Form):
            await reply_to(interaction).ask(wanted, table.id, view.stamp)
        else:
            try:
                await self._tables.act(desk, seat, wanted, moment_of(interaction), fresh)
            except Stale:
                await self._answer_stale(interaction, desk, seat)
            else:
                await self._answer_move(interaction, desk, seat, desk.screen.receipt(wanted))

    async def _answer_move(self, interaction: discord.Interaction, desk: Desk, seat: Seat, receipt: str | None) -> None:
        """Answer a click whose move has been made: by a receipt, by the table message, or by the private panel on
        which it was pressed.
        """
        message = interaction.message
        if receipt is not None:
            desk.board.changed()
            await reply_to(interaction).say(receipt)
            return
        if message is not None and not message.flags.ephemeral:
            await desk.board.answer(interaction)
            return
        desk.board.changed()
        table = desk.table
        page = await self._tables.draw(desk.screen.private, table.view(seat), table.card())
        await self.show_privately(interaction, desk, page or Page((Text("Done."),), desk.screen.colour))

    async def _answer_stale(self, interaction: discord.Interaction, desk: Desk, seat: Seat) -> None:
        desk.board.doubted()
        body = desk.screen.text(desk.table.view(seat), desk.table.card())
        await reply_to(interaction).say(
            "That button belongs to an earlier moment of the game; nothing was done. This "
            f"is how it stands now:\n```\n{body}\n```"
        )

    async def show_privately(self, interaction: discord.Interaction, desk: Desk, page: Page) -> None:
        """Show a page to the one who asked: on the panel they pressed, or on a fresh one."""
        table = desk.table
        await self.show(interaction, page, table.id, table.view(None).stamp if table.state is not None else 0)

    async def show(self, interaction: discord.Interaction, page: Page, table: int = 0, stamp: int = 0) -> None:
        """Show a page privately; table 0 is the hall."""
        await reply_to(interaction).show(page, table, stamp)

    async def command(
        self,
        interaction: discord.Interaction,
        game: str,
        number: int | None,
        action: Action,
        done: str,
        *,
        final: bool = False,
    ) -> None:
        """Serve a slash command that moves: answered privately, while the table message shows it to all.

        Which of several tables is meant is never guessed for a move that is `final`.
        """
        desk = await self._tables.of_user(interaction, game, number, guess=not final)
        seat = seat_at(desk, interaction.user.id)
        if not desk.table.playing:
            raise Told("There is no game under way at this table.")
        await self._tables.act(desk, seat, action, moment_of(interaction))
        desk.board.changed()
        link = desk.board.link()
        where = f" · [table {desk.table.id}]({link})" if link else ""
        await reply_to(interaction).say(f"{done}{where}")

    async def typed(self, message: discord.Message, game: str, action: Action) -> None:
        """Serve a move that somebody typed in the channel, if they play there at one table of this game."""
        assert message.guild is not None
        user, channel = message.author.id, message.channel.id
        try:
            rows = await self._tables.store.tables_of(user, guild=message.guild.id, channel=channel)
            playing = [row.id for row in rows if row.game == game and row.status == "playing"]
            desk = await self._tables.desk(playing[0]) if len(playing) == 1 else None
            seat = None if desk is None else desk.table.seat_of(user)
            if desk is not None and seat is not None:
                await self._tables.act(desk, seat, action, moment_of(message))
                desk.board.changed()
        except Exception as error:
            await answer_typed(self._tables.client, message, error)

    # The verbs of the house

    async def _join(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        table, user = desk.table, interaction.user
        await lobby.join(table, user.id, user.display_name, self._tables.clock.now())
        if user.id == table.row.invited and len(table.seats) == table.game.seats[-1]:
            await self._tables.begin(desk)
        if self._tables.rematch_complete(desk):
            await self._tables.begin(desk)
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)
        self._tables.spawn(self._welcome(desk, interaction), f"welcome-{table.id}")
        self._tables.spawn(desk.leftovers.sweep(), f"erase-{table.id}")

    async def _leave(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        if desk.table.playing:
            seat = seat_at(desk, interaction.user.id)
            if desk.table.seats[seat].caretaker:
                raise Told("A computer is already playing for you. Press *I am back* to take over again.")
            await self.show_privately(interaction, desk, away.asked(desk.screen, desk.table, seat))
            return
        await lobby.leave(desk.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)

    async def _leave_for_sure(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        seat = seat_at(desk, interaction.user.id)
        await self._tables.leave(desk, seat)
        await self.show_privately(interaction, desk, away.answered(desk.screen, desk.table, seat))

    async def _back(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        seat = seat_at(desk, interaction.user.id)
        await self._tables.back(desk, seat)
        await desk.board.answer(interaction)

    async def _add(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        await lobby.add_computer(desk.table, interaction.user.id, control.argument, self._tables.clock.now())
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)

    async def _drop(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        await lobby.drop_computer(desk.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)

    async def _uninvite(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        await lobby.withdraw(desk.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)
        self._tables.spawn(desk.leftovers.sweep(), f"erase-{desk.table.id}")

    async def _start(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        lobby.check_opener(desk.table, interaction.user.id, "start the game")
        await self._tables.begin(desk)
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)

    async def _options(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        lobby.check_opener(desk.table, interaction.user.id, "set the options")
        await self.show_privately(interaction, desk, lobby.options_page(desk.screen, desk.table))

    async def _option(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        value = control.values[0] if control.values else ""
        await lobby.set_option(desk.table, interaction.user.id, control.argument, value, self._tables.clock.now())
        self._tables.follow_up(desk)
        desk.board.changed()
        await self.show_privately(interaction, desk, lobby.options_page(desk.screen, desk.table))

    async def _hand_over(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        lobby.check_opener(desk.table, interaction.user.id, "hand it over")
        await self.show_privately(interaction, desk, lobby.hand_over_page(desk.screen, desk.table))

    async def _heir(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        heir = next((number(value, MOST_ID) for value in control.values), None) or 0
        await lobby.hand_over(desk.table, interaction.user.id, heir, self._tables.clock.now())
        self._tables.follow_up(desk)
        desk.board.changed()
        await self.show_privately(
            interaction, desk, Page((Text(f"<@{heir}> runs table {desk.table.id} now."),), desk.screen.colour)
        )

    async def _cancel(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        moderator = interaction.permissions.manage_guild or interaction.permissions.manage_messages
        await lobby.cancel(desk.table, interaction.user.id, self._tables.clock.now(), moderator)
        self._tables.follow_up(desk)
        await desk.board.answer(interaction)

    async def _hand(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        await self.show_hand(interaction, desk)

    async def show_hand(self, interaction: discord.Interaction, desk: Desk) -> None:
        """Show to the one who asked what only they may see of this table."""
        seat = seat_at(desk, interaction.user.id)
        if desk.table.state is None:
            raise Told("The game has not begun.")
        page = await self._tables.draw(desk.screen.private, desk.table.view(seat), desk.table.card())
        if page is None:
            raise Told("You have nothing in this game that the others do not see.")
        await self.show_privately(interaction, desk, page)

    async def _what(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        seat = seat_at(desk, interaction.user.id)
        if not desk.table.playing:
            raise Told("There is no game under way at this table.")
        view, card = desk.table.view(seat), desk.table.card()
        words = await asyncio.to_thread(lambda: desk.screen.advice(view, card, desk.table.legal(seat)))
        await reply_to(interaction).say(words)

    async def _text(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        await self.text_view(interaction, desk)

    async def text_view(self, interaction: discord.Interaction, desk: Desk) -> None:
        """Show the board as text to the one who asked: their own view if they sit here, else the public one."""
        if desk.table.state is None:
            raise Told("The game has not begun.")
        view = desk.table.view(desk.table.seat_of(interaction.user.id))
        body = desk.screen.text(view, desk.table.card())
        await reply_to(interaction).say(f"```\n{body}\n```")

    async def _rules(self, interaction: discord.Interaction, control: Control) -> None:
        game, _, page_number = control.argument.partition(".")
        if game not in self._tables.screens:
            raise Told("There are no rules of that name. `/rules` lists the games.")
        page = await self.rules_page(self._tables.screens[game], number(page_number.partition(".")[0]) or 0)
        await self.show(interaction, page, control.table)

    async def _repost(self, interaction: discord.Interaction, control: Control) -> None:
        table = number(control.argument)
        desk = None if table is None else await self._tables.desk(table)
        if desk is None or desk.table.row.guild != interaction.guild_id:
            raise Told("That table is gone.")
        seat_at(desk, interaction.user.id)
        await self._tables.visit(desk, interaction.user.id)
        desk.board.move_down()
        await self.show(interaction, Page((Text(f"Table {desk.table.id} is posted anew below."),), desk.screen.colour))

    async def rules_page(self, screen: Screen, number: int) -> Page:
        """Return a page of a game's rules with buttons to leaf through them."""
        pages = await self._tables.draw(screen.rules)
        number = min(max(number, 0), len(pages) - 1)
        page, key = pages[number], screen.game.key
        if len(pages) == 1:
            return page
        leaf = Row(
            (
                Button("◀ Back", "rules", f"{key}.{max(number - 1, 0)}", disabled=number == 0),
                Button(f"{number + 1} of {len(pages)}", "rules", f"{key}.{number}.here", disabled=True),
                Button(
                    "Next ▶",
                    "rules",
                    f"{key}.{number + 1}",
                    style="primary",
                    disabled=number == len(pages) - 1,
                ),
            )
        )
        return Page((*page.blocks, leaf), page.colour)

    async def _again(self, interaction: discord.Interaction, desk: Desk, control: Control) -> None:
        table, user = desk.table, interaction.user
        if table.row.status != "over":
            raise Told("This game is not over yet.")
        seat_at(desk, user.id)
        await self._check_channel(interaction)
        following = None
        row = await self._tables.store.rematch(table.id)
        if row is not None:
            following = await self._tables.desk(row.id)
        if following is not None and following.table.in_lobby:
            await lobby.join(following.table, user.id, user.display_name, self._tables.clock.now())
        elif following is not None and following.table.playing:
            raise Told(f"The rematch has already begun: table {following.table.id}.")
        else:
            following = await self._open_rematch(desk, user)
        if self._tables.rematch_complete(following):
            await self._tables.begin(following)
        desk.rematch = following.table.id
        following.board.changed()
        self._tables.follow_up(following)
        await desk.board.answer(interaction)
        self._tables.spawn(self._welcome(following, interaction), f"welcome-{following.table.id}")

    async def _open_rematch(self, desk: Desk, user: discord.abc.User) -> Desk:
        row, now = desk.table.row, self._tables.clock.now()
        levels = [seat.level for seat in desk.table.seats if seat.level is not None]
        return await self._tables.open(
            NewTable(
                game=row.game,
                guild=row.guild,
                channel=row.channel,
                opener=user.id,
                options=row.options,
                created_at=now,
                due=Moment(now + lobby.CLOSES_AFTER_MS),
                rematch_of=row.id,
            ),
            lobby.first_seat(user.id, user.display_name, levels),
        )

"""Service at the tables: what each command and control of the house does, and who may use it.

Every control is untrusted and checked here: does the table exist, is it of this server, who sits where, is the
control still fresh. Then the table moves (`cogs.core.session.tables`), and the one who asked is answered. May import
discord, `engine`, `data` and its neighbours.
"""

import asyncio
from collections.abc import Sequence

import discord
import msgspec

from cogs.core import lobby
from cogs.core.errors import Stale, UserError
from cogs.core.messages import names
from cogs.core.messages.page import Button, Form, Page, Row, Text
from cogs.core.router.border import MOST_ID, number
from cogs.core.router.custom_ids import Control
from cogs.core.router.errors import answer_typed
from cogs.core.router.reply import reply_to
from cogs.core.router.router import Router, seat_at
from cogs.core.router.verbs import GeneralVerb, ServesGeneral, TableVerb
from cogs.core.screen import Screen
from cogs.core.session import away
from cogs.core.session.table_session import TableSession
from cogs.core.session.tables import Tables
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
            GeneralVerb("rules", self._rules),
            GeneralVerb("repost", self._repost),
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

    def answer_to(self, verb: str, answer: ServesGeneral) -> None:
        """Let a cog serve a verb of its own, at any table and at none. A verb has one answer."""
        self.router.add(GeneralVerb(verb, answer))

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
            raise UserError("Bots do not play. Choose a computer player with the option `computer`.")
        if invited is not None and invited.id == interaction.user.id:
            raise UserError("You cannot invite yourself. Leave `invite` empty, and others can join.")
        seats = lobby.first_seat(interaction.user.id, interaction.user.display_name, computers)
        if len(seats) + (invited is not None) > screen.game.seats[-1]:
            raise UserError(f"{screen.game.title} has room for {screen.game.seats[-1]}; that is more than fit.")
        assert interaction.guild_id is not None and interaction.channel_id is not None
        settings = await self._tables.settings.of(interaction.guild_id)
        options = settings.usual(screen.game, options, interaction.namespace)
        session = await self._tables.open(
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
        self._tables.follow_up(session)  # the table stands, whatever becomes of its beginning and of the answer
        try:
            if computers and invited is None and len(seats) == screen.game.seats[-1]:
                await self._tables.begin(session)
                self._tables.follow_up(session)
        except StoreError:
            session.message.changed()
            raise
        await session.message.open_through(interaction)
        self._tables.spawn(self._welcome(session, interaction), f"welcome-{session.table.id}")
        if invited is not None:
            self._tables.spawn(self._invite(session, invited), f"invite-{session.table.id}")

    async def _invite(self, session: TableSession, invited: discord.abc.User) -> None:
        opener = names.bold(session.table.seats[0].name)
        where = f"[table {session.table.id}]({session.message.link()})"
        await session.turn_ping.invite(invited.id, f"{opener} invites you to {session.table.game.title} · {where}")

    async def _check_channel(self, interaction: discord.Interaction) -> None:
        if interaction.guild_id is None or interaction.channel_id is None:
            raise UserError("Tables stand in a server's channels. Use this command there.")
        allowed = interaction.app_permissions
        needed = dict(NEEDED)
        if isinstance(interaction.channel, discord.Thread):
            needed["send_messages_in_threads"] = "Send Messages in Threads"
            del needed["send_messages"]
        missing = [name for permission, name in needed.items() if not getattr(allowed, permission)]
        if missing:
            raise UserError(
                f"I cannot hold a table here: in this channel I lack the permission{'s' if len(missing) > 1 else ''} "
                f"{', '.join(missing)}. Ask someone who manages the server to allow it."
            )
        settings = await self._tables.settings.of(interaction.guild_id)
        if not settings.allows(interaction.channel_id, getattr(interaction.channel, "parent_id", None)):
            where = ", ".join(f"<#{channel}>" for channel in settings.channels)
            raise UserError(f"On this server tables stand in {where}. Use the command there.")

    async def _welcome(self, session: TableSession, interaction: discord.Interaction) -> None:
        """Try the direct message of somebody who has just sat down; tell them if it is closed."""
        if not await session.direct_messages.introduce(interaction.user.id) and not session.table.outcome():
            words = "Your direct messages are closed for me, so nothing was sent. That is fine: " + (
                "*My hand* at the table always shows what only you may see."
                if session.screen.game.hides
                else "everything stands at the table."
            )
            await reply_to(interaction).say(words)

    async def _press_game(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        """Serve a control of a game's own screen."""
        table = session.table
        if control.verb in session.screen.open_verbs and table.state is not None:
            view = table.view(table.seat_of(interaction.user.id))
            shown = await asyncio.to_thread(session.screen.press, view, table.info(), control)
            assert isinstance(shown, Page), f"{control.verb} is open to all and may only show something"
            await self.show_privately(interaction, session, shown)
            return
        seat = seat_at(session, interaction.user.id)
        if table.in_lobby:
            raise UserError("The game has not begun.")
        if table.row.status == "closed":
            raise UserError(f"This table is closed. Open another one with `/{session.screen.command} start`.")
        if not table.playing:
            raise UserError("This game is over. Press Rematch to play again.")
        view = table.view(seat)

        def fresh(now: View) -> bool:
            return session.screen.fresh(now, control)

        if not fresh(view):
            await self._answer_stale(interaction, session, seat)
            return
        wanted = await asyncio.to_thread(session.screen.press, view, table.info(), control)
        if isinstance(wanted, Page):
            await self.show_privately(interaction, session, wanted)
        elif isinstance(wanted, Form):
            await reply_to(interaction).ask(wanted, table.id, view.stamp)
        else:
            try:
                await self._tables.act(session, seat, wanted, moment_of(interaction), fresh)
            except Stale:
                await self._answer_stale(interaction, session, seat)
            else:
                await self._answer_move(interaction, session, seat, session.screen.receipt(wanted))

    async def _answer_move(
        self, interaction: discord.Interaction, session: TableSession, seat: Seat, receipt: str | None
    ) -> None:
        """Answer a click whose move has been made: by a receipt, by the table message, or by the private panel on
        which it was pressed.
        """
        message = interaction.message
        if receipt is not None:
            session.message.refresh()
            await reply_to(interaction).say(receipt)
            return
        if message is not None and not message.flags.ephemeral:
            await session.message.answer(interaction)
            return
        session.message.refresh()
        table = session.table
        page = await self._tables.draw(session.screen.private, table.view(seat), table.info())
        await self.show_privately(interaction, session, page or Page((Text("Done."),), session.screen.colour))

    async def _answer_stale(self, interaction: discord.Interaction, session: TableSession, seat: Seat) -> None:
        session.message.doubted()
        body = session.screen.text(session.table.view(seat), session.table.info())
        await reply_to(interaction).say(
            "That button belongs to an earlier moment of the game; nothing was done. This "
            f"is how it stands now:\n```\n{body}\n```"
        )

    async def show_privately(self, interaction: discord.Interaction, session: TableSession, page: Page) -> None:
        """Show a page to the one who asked: on the panel they pressed, or on a fresh one."""
        table = session.table
        await self.show(interaction, page, table.id, table.view(None).stamp if table.state is not None else 0)

    async def show(self, interaction: discord.Interaction, page: Page, table: int = 0, stamp: int = 0) -> None:
        """Show a page privately; table 0 is none."""
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
        session = await self._tables.of_user(interaction, game, number, guess=not final)
        seat = seat_at(session, interaction.user.id)
        if not session.table.playing:
            raise UserError("There is no game under way at this table.")
        await self._tables.act(session, seat, action, moment_of(interaction))
        session.message.refresh()
        link = session.message.link()
        where = f" · [table {session.table.id}]({link})" if link else ""
        await reply_to(interaction).say(f"{done}{where}")

    async def typed(self, message: discord.Message, game: str, action: Action) -> None:
        """Serve a move that somebody typed in the channel, if they play there at one table of this game."""
        assert message.guild is not None
        user, channel = message.author.id, message.channel.id
        try:
            rows = await self._tables.store.tables_of(user, guild=message.guild.id, channel=channel)
            playing = [row.id for row in rows if row.game == game and row.status == "playing"]
            session = await self._tables.session(playing[0]) if len(playing) == 1 else None
            seat = None if session is None else session.table.seat_of(user)
            if session is not None and seat is not None:
                await self._tables.act(session, seat, action, moment_of(message))
                session.message.refresh()
        except Exception as error:
            await answer_typed(self._tables.client, message, error)

    # The verbs of the house

    async def _join(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        table, user = session.table, interaction.user
        await lobby.join(table, user.id, user.display_name, self._tables.clock.now())
        if user.id == table.row.invited and len(table.seats) == table.game.seats[-1]:
            await self._tables.begin(session)
        if self._tables.rematch_complete(session):
            await self._tables.begin(session)
        self._tables.follow_up(session)
        await session.message.answer(interaction)
        self._tables.spawn(self._welcome(session, interaction), f"welcome-{table.id}")
        self._tables.spawn(session.leftovers.sweep(), f"erase-{table.id}")

    async def _leave(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        if session.table.playing:
            seat = seat_at(session, interaction.user.id)
            if session.table.seats[seat].caretaker:
                raise UserError("A computer is already playing for you. Press *I am back* to take over again.")
            await self.show_privately(interaction, session, away.asked(session.screen, session.table, seat))
            return
        await lobby.leave(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await session.message.answer(interaction)

    async def _leave_for_sure(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        await self._tables.departures.leave(session, seat)
        await self.show_privately(interaction, session, away.answered(session.screen, session.table, seat))

    async def _back(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        await self._tables.departures.back(session, seat)
        await session.message.answer(interaction)

    async def _add(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.add_computer(session.table, interaction.user.id, control.argument, self._tables.clock.now())
        self._tables.follow_up(session)
        await session.message.answer(interaction)

    async def _drop(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.drop_computer(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await session.message.answer(interaction)

    async def _uninvite(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await lobby.withdraw(session.table, interaction.user.id, self._tables.clock.now())
        self._tables.follow_up(session)
        await session.message.answer(interaction)
        self._tables.spawn(session.leftovers.sweep(), f"erase-{session.table.id}")

    async def _start(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "start the game")
        await self._tables.begin(session)
        self._tables.follow_up(session)
        await session.message.answer(interaction)

    async def _options(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "set the options")
        await self.show_privately(interaction, session, lobby.options_page(session.screen, session.table))

    async def _option(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        value = control.values[0] if control.values else ""
        await lobby.set_option(session.table, interaction.user.id, control.argument, value, self._tables.clock.now())
        self._tables.follow_up(session)
        session.message.changed()
        await self.show_privately(interaction, session, lobby.options_page(session.screen, session.table))

    async def _hand_over(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        lobby.check_opener(session.table, interaction.user.id, "hand it over")
        await self.show_privately(interaction, session, lobby.hand_over_page(session.screen, session.table))

    async def _heir(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        heir = next((number(value, MOST_ID) for value in control.values), None) or 0
        await lobby.hand_over(session.table, interaction.user.id, heir, self._tables.clock.now())
        self._tables.follow_up(session)
        session.message.changed()
        await self.show_privately(
            interaction, session, Page((Text(f"<@{heir}> runs table {session.table.id} now."),), session.screen.colour)
        )

    async def _cancel(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        moderator = interaction.permissions.manage_guild or interaction.permissions.manage_messages
        await lobby.cancel(session.table, interaction.user.id, self._tables.clock.now(), moderator)
        self._tables.follow_up(session)
        await session.message.answer(interaction)

    async def _hand(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await self.show_hand(interaction, session)

    async def show_hand(self, interaction: discord.Interaction, session: TableSession) -> None:
        """Show to the one who asked what only they may see of this table."""
        seat = seat_at(session, interaction.user.id)
        if session.table.state is None:
            raise UserError("The game has not begun.")
        page = await self._tables.draw(session.screen.private, session.table.view(seat), session.table.info())
        if page is None:
            raise UserError("You have nothing in this game that the others do not see.")
        await self.show_privately(interaction, session, page)

    async def _what(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        seat = seat_at(session, interaction.user.id)
        if not session.table.playing:
            raise UserError("There is no game under way at this table.")
        view, info = session.table.view(seat), session.table.info()
        words = await asyncio.to_thread(lambda: session.screen.advice(view, info, session.table.legal(seat)))
        await reply_to(interaction).say(words)

    async def _text(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        await self.text_view(interaction, session)

    async def text_view(self, interaction: discord.Interaction, session: TableSession) -> None:
        """Show the board as text to the one who asked: their own view if they sit here, else the public one."""
        if session.table.state is None:
            raise UserError("The game has not begun.")
        view = session.table.view(session.table.seat_of(interaction.user.id))
        body = session.screen.text(view, session.table.info())
        await reply_to(interaction).say(f"```\n{body}\n```")

    async def _rules(self, interaction: discord.Interaction, control: Control) -> None:
        game, _, page_number = control.argument.partition(".")
        if game not in self._tables.screens:
            raise UserError("There are no rules of that name. `/rules` lists the games.")
        page = await self.rules_page(self._tables.screens[game], number(page_number.partition(".")[0]) or 0)
        await self.show(interaction, page, control.table)

    async def _repost(self, interaction: discord.Interaction, control: Control) -> None:
        table = number(control.argument)
        session = None if table is None else await self._tables.session(table)
        if session is None or session.table.row.guild != interaction.guild_id:
            raise UserError("That table is gone.")
        seat_at(session, interaction.user.id)
        await self._tables.visit(session, interaction.user.id)
        session.message.move_down()
        await self.show(
            interaction, Page((Text(f"Table {session.table.id} is posted anew below."),), session.screen.colour)
        )

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

    async def _again(self, interaction: discord.Interaction, session: TableSession, control: Control) -> None:
        table, user = session.table, interaction.user
        if table.row.status != "over":
            raise UserError("This game is not over yet.")
        seat_at(session, user.id)
        await self._check_channel(interaction)
        following = None
        row = await self._tables.store.rematch(table.id)
        if row is not None:
            following = await self._tables.session(row.id)
        if following is not None and following.table.in_lobby:
            await lobby.join(following.table, user.id, user.display_name, self._tables.clock.now())
        elif following is not None and following.table.playing:
            raise UserError(f"The rematch has already begun: table {following.table.id}.")
        else:
            following = await self._open_rematch(session, user)
        if self._tables.rematch_complete(following):
            await self._tables.begin(following)
        session.rematch = following.table.id
        following.message.changed()
        self._tables.follow_up(following)
        await session.message.answer(interaction)
        self._tables.spawn(self._welcome(following, interaction), f"welcome-{following.table.id}")

    async def _open_rematch(self, session: TableSession, user: discord.abc.User) -> TableSession:
        row, now = session.table.row, self._tables.clock.now()
        levels = [seat.level for seat in session.table.seats if seat.level is not None]
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

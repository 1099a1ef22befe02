"""The state of a Discord in miniature: users, servers, channels, messages, commands, and who sees what.

The world is told what happened by method calls, announces it as `events` to whoever listens (the gateway, the page,
waiting persons) and knows nothing of HTTP or WebSockets. Imports the sandbox's plain records only.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from . import permissions
from .clock import Clock, snowflake_at
from .contents import SUPPRESS_NOTIFICATIONS, Attachment, Delivery, Emoji, Message
from .events import (
    BotJoined,
    BotLeft,
    Broken,
    ChannelChanged,
    ChannelGone,
    ChannelMade,
    CommandsChanged,
    Edited,
    Event,
    Gone,
    Joined,
    Left,
    Posted,
    Reshaped,
    ThreadEntered,
    ThreadsSeen,
)
from .permissions import Permission
from .records import Channel, Guild, Json, Member, Role, ThreadState, User

T = TypeVar("T")

BOT_ID = snowflake_at(1_735_689_600_000, 1)
"""The bot's user id, and the application's: the same in every sandbox, as a token's owner does not change."""

PATIENCE_S = 60
"""So many seconds a wait may last before it counts as in vain: machines are busy."""

_ECHO_S = 0.02
_RARELY_S = 0.5
_KEPT_BURIED = 200
_KEPT_CALLS = 200_000


class Call(NamedTuple):
    """One REST call of the bot, as it was answered. ``path`` is relative to the API's base."""

    method: str
    template: str
    path: str
    status: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Breach:
    """One of Discord's rules, broken by the bot. ``where`` is the call or the act; ``text`` says what and how."""

    where: str
    text: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text}"


@dataclass(slots=True)
class Settings:
    """What a test may turn. Times are milliseconds.

    ``window_scale`` multiplies the length of every rate-limit window; ``reaction_ms`` is how long a person waits
    after the bot has heard of something before they act on it; ``privileged_intents`` are those that the application
    was granted ("members", "presences", "message_content"); ``shards`` is what /gateway/bot recommends.
    ``token_life_ms`` runs on the world's clock, which a test may turn. With ``vanished_is_unknown`` an ephemeral
    message that its reader no longer sees answers calls by token with 10008 instead of changing unseen.
    ``slow_emoji`` lets the bot create three emoji a minute, as Discord does after many.
    """

    answer_within_ms: float = 3_000
    token_life_ms: float = 900_000
    reaction_ms: float = 10
    limits_on: bool = True
    window_scale: float = 1.0
    shards: int = 1
    privileged_intents: set[str] = field(default_factory=set)
    vanished_is_unknown: bool = False
    slow_emoji: bool = False


class World:
    """Everything that the sandbox remembers."""

    def __init__(self, settings: Settings, cdn: Callable[[], str]) -> None:
        self.settings = settings
        self.clock = Clock()
        self.bot = User(BOT_ID, "cellblock", None, bot=True)
        self.users: dict[str, User] = {self.bot.id: self.bot}
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.directs: dict[str, Channel] = {}
        self.messages: dict[str, Message] = {}
        self.buried: OrderedDict[str, Message] = OrderedDict()
        self.files: dict[str, Attachment] = {}
        self.emojis: dict[str, Emoji] = {}
        self.commands: dict[str | None, dict[str, Json]] = {None: {}}
        self.unread: dict[str, dict[str, int]] = {}
        self.notices: dict[str, list[Json]] = {}
        self.breaches: list[Breach] = []
        self.calls: list[Call] = []
        self.touched: list[Delivery] = []
        self.listeners: list[Callable[[Event], None]] = []
        self._cdn = cdn
        self._waiters: set[asyncio.Future[None]] = set()
        self._nonces: OrderedDict[tuple[str, str], Message] = OrderedDict()

    # ---------------------------------------------------------------- changes

    def publish(self, event: Event) -> None:
        """Tell every listener, then wake whoever waits for a change."""
        for listener in self.listeners:
            listener(event)
        self.changed()

    def changed(self) -> None:
        """Wake whoever waits for a change."""
        if self._waiters:
            waiters, self._waiters = self._waiters, set()
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)

    async def until(self, question: Callable[[], T], seconds: float, last_seen: Callable[[], str]) -> T:
        """The first true answer to a question that is asked again after every change.

        It is also asked again while nothing changes here, ever more rarely: what it asks for may come about in the
        bot alone, unheard by the world. A question that raises LookupError or TypeError (the last of no messages, an
        item of None) has no answer yet. Raises TimeoutError after ``seconds``, saying what was last seen.
        """
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        pause = _ECHO_S
        while True:
            trouble = ""
            try:
                answer = question()
            except (LookupError, TypeError) as error:
                trouble = f"; asking raised {error!r}"
            else:
                if answer:
                    return answer
                trouble = f"; the answer was {answer!r}"
            waiter: asyncio.Future[None] = loop.create_future()
            self._waiters.add(waiter)
            try:
                async with asyncio.timeout_at(min(end, loop.time() + pause)):
                    await waiter
                pause = _ECHO_S
            except TimeoutError:
                self._waiters.discard(waiter)
                pause = min(2 * pause, _RARELY_S)
                if loop.time() >= end:
                    raise TimeoutError(f"nothing came in {seconds:g} s{trouble}\n{last_seen()}") from None

    def breach(self, where: str, text: str) -> None:
        """Remember that the bot broke a rule."""
        broken = Breach(where, text)
        self.breaches.append(broken)
        self.publish(Broken(str(broken)))

    def log(self, call: Call) -> None:
        """Remember a REST call; the oldest of very many are forgotten."""
        self.calls.append(call)
        if len(self.calls) > _KEPT_CALLS:
            del self.calls[: _KEPT_CALLS // 2]

    def touch(self, delivery: Delivery) -> None:
        """Note that the call now handled makes or changes this, so that its answer settles it."""
        self.touched.append(delivery)
        delivery.in_flight += 1

    def application_flags(self) -> int:
        """The application's flags: which privileged intents it was granted, for a bot in few servers."""
        flags = {"presences": 1 << 13, "members": 1 << 15, "message_content": 1 << 19}
        return sum(flags[name] for name in self.settings.privileged_intents)

    # ---------------------------------------------------------------- people and places

    def add_user(self, name: str, user_id: str | None = None, direct_id: str | None = None) -> User:
        """A human, and their direct messages with the bot."""
        user_id = user_id or self.clock.snowflake()
        user = User(user_id, name.lower().replace(" ", "_"), name)
        self.users[user.id] = user
        channel = Channel(direct_id or self.clock.snowflake(), user.username, recipient=user)
        self.directs[user.id] = self.channels[channel.id] = channel
        self.unread[user.id] = {}
        self.notices[user.id] = []
        self.publish(Reshaped())
        return user

    def add_guild(self, name: str, guild_id: str | None = None, *, with_bot: bool = True) -> Guild:
        """A server with the bot in it; nobody owns it."""
        guild_id = guild_id or self.clock.snowflake()
        guild = Guild(guild_id, name, "0", self.clock.now_ms(), bot_present=with_bot)
        guild.roles[guild.id] = Role(guild.id, "@everyone", permissions.EVERYONE, 0)
        self.guilds[guild.id] = guild
        self.commands[guild.id] = {}
        if with_bot:
            self._seat_bot(guild)
            self.publish(BotJoined(guild))
        self.publish(Reshaped())
        return guild

    def _seat_bot(self, guild: Guild) -> None:
        role = Role(self.clock.snowflake(), self.bot.username, permissions.EVERYONE, 1, managed_by=self.bot.id)
        guild.roles[role.id] = role
        guild.members[self.bot.id] = Member(self.bot, self.clock.now_ms(), [role.id])
        guild.bot_present = True

    def add_channel(self, guild: Guild, name: str, channel_id: str | None = None) -> Channel:
        """A text channel."""
        channel = Channel(channel_id or self.clock.snowflake(), name, guild, position=len(guild.channels))
        guild.channels[channel.id] = self.channels[channel.id] = channel
        self.publish(ChannelMade(channel))
        self.publish(Reshaped())
        return channel

    def add_thread(
        self, parent: Channel, name: str, owner: User, thread_id: str | None = None, archive_after: int = 1440
    ) -> Channel:
        """A public thread of a text channel; one that begins with a message has that message's id."""
        guild = parent.guild
        if guild is None or parent.parent is not None:
            raise ValueError("threads belong to a server's text channels")
        state = ThreadState(owner.id, self.clock.now_ms(), archive_after)
        state.joined[owner.id] = state.created_ms
        thread = Channel(thread_id or self.clock.snowflake(), name, guild, parent=parent, thread=state)
        guild.channels[thread.id] = self.channels[thread.id] = thread
        self.publish(ChannelMade(thread))
        self.publish(Reshaped())
        return thread

    def archive(self, thread: Channel, archived: bool) -> None:
        """A thread goes to the archive, or is taken out of it; raises ValueError for what is no thread."""
        if thread.thread is None:
            raise ValueError(f"#{thread.name} is no thread")
        thread.thread.archived = archived
        thread.thread.archived_ms = self.clock.now_ms()
        self.channel_changed(thread)

    def channel_changed(self, channel: Channel) -> None:
        """A channel or thread has another name, archive or lock."""
        self.publish(ChannelChanged(channel))
        self.publish(Reshaped())

    def enter_thread(self, thread: Channel, user: User) -> None:
        """Somebody joins a thread, as everybody does who writes there."""
        if thread.thread is not None and user.id not in thread.thread.joined:
            thread.thread.joined[user.id] = self.clock.now_ms()
            self.publish(ThreadEntered(thread, user))

    def add_role(self, guild: Guild, name: str, permission_bits: int, role_id: str | None = None) -> Role:
        """A role that members may be given."""
        role = Role(role_id or self.clock.snowflake(), name, permission_bits, len(guild.roles))
        guild.roles[role.id] = role
        return role

    def join(self, user: User, guild: Guild, roles: Iterable[Role] = ()) -> Member:
        """Somebody enters a server."""
        member = Member(user, self.clock.now_ms(), [role.id for role in roles])
        guild.members[user.id] = member
        self.publish(Joined(guild, member))
        self.publish(Reshaped())
        return member

    def leave(self, user: User, guild: Guild) -> None:
        """Somebody leaves a server; the bot leaving takes its commands' answers with it."""
        if guild.members.pop(user.id, None) is None:
            raise ValueError(f"{user.name} is not in {guild.name}")
        if user is self.bot:
            guild.bot_present = False
            self.publish(BotLeft(guild))
        else:
            self.publish(Left(guild, user))
        self.publish(Reshaped())

    def bot_returns(self, guild: Guild) -> None:
        """The bot is invited once more."""
        self._seat_bot(guild)
        self.publish(BotJoined(guild))
        self.publish(Reshaped())

    def remove_channel(self, channel: Channel) -> None:
        """A channel is deleted with all that was said in it."""
        if channel.guild is None:
            raise ValueError("direct messages cannot be deleted")
        threads = [each for each in channel.guild.channels.values() if each.parent is channel]
        for place in (*threads, channel):
            del channel.guild.channels[place.id]
            del self.channels[place.id]
            for message in list(place.messages.values()):
                self._forget(message)
        self.publish(ChannelGone(channel))
        self.publish(Reshaped())

    def overwrite(self, channel: Channel, target_id: str, *, allow: int = 0, deny: int = 0) -> None:
        """Give or take permissions of a role or member in one channel; the latest word holds."""
        hidden = not channel.may(self.bot.id, Permission.VIEW_CHANNEL)
        allowed, denied = channel.overwrites.get(target_id, (0, 0))
        channel.overwrites[target_id] = (allowed & ~deny | allow, denied & ~allow | deny)
        self.publish(ChannelChanged(channel))
        if hidden and channel.may(self.bot.id, Permission.VIEW_CHANNEL):
            self.publish(ThreadsSeen(channel))
        self.publish(Reshaped())

    def mutual(self, user: User) -> bool:
        """Whether somebody shares a server with the bot."""
        return any(guild.bot_present and user.id in guild.members for guild in self.guilds.values())

    def commands_changed(self) -> None:
        """The bot registered other commands."""
        self.publish(CommandsChanged())
        self.publish(Reshaped())

    # ---------------------------------------------------------------- messages

    def post(self, message: Message) -> None:
        """Put a rendered message into its channel and call whom it calls; it takes a thread out of the archive."""
        if message.channel.archived:
            self.archive(message.channel, False)
        if message.reader is None:
            self.enter_thread(message.channel, message.author)
        message.channel.messages[message.id] = message
        self.messages[message.id] = message
        if message.author is self.bot:
            self.touch(message.delivery)
        if message.nonce is not None:
            self._nonces[(message.channel.id, message.nonce)] = message
            if len(self._nonces) > 1_000:
                self._nonces.popitem(last=False)
        self.publish(Posted(message, tuple(self._notify(message))))

    def edited(self, message: Message) -> None:
        """A message got a new rendering. Edits call nobody."""
        self.touch(message.delivery)
        if not message.dismissed:
            self.publish(Edited(message))

    def delete(self, message: Message) -> None:
        """A message goes away for everybody."""
        self._forget(message)
        self.publish(Gone(message))

    def _forget(self, message: Message) -> None:
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        self.messages.pop(message.id, None)
        self.buried[message.id] = message
        if len(self.buried) > _KEPT_BURIED:
            self.buried.popitem(last=False)
        for attachment in message.attachments:
            self.lose(attachment)

    def by_nonce(self, channel: Channel, nonce: str) -> Message | None:
        """The message that was sent with this nonce a short while ago."""
        return self._nonces.get((channel.id, nonce))

    def _notify(self, message: Message) -> Iterable[tuple[User, str]]:
        if message.reader is not None or message.flags & SUPPRESS_NOTIFICATIONS:
            return
        channel = message.channel
        called: list[User] = []
        kind = "mention"
        if channel.recipient is not None:
            kind = "dm"
            called = [channel.recipient]
        elif message.mention_everyone and channel.guild is not None:
            called = [member.user for member in channel.guild.members.values()]
        elif message.mentions or message.mention_roles:
            called = self._called(message, channel)
        for user in called:
            if user is message.author or user.bot or not channel.may(user.id, Permission.VIEW_CHANNEL):
                continue
            counts = self.unread[user.id]
            counts[channel.id] = counts.get(channel.id, 0) + 1
            self.notices[user.id].append({"channel": channel.id, "message": message.id, "kind": kind})
            yield user, kind

    def _called(self, message: Message, channel: Channel) -> list[User]:
        called = {user.id: user for user in message.mentions}
        if channel.guild is not None:
            for member in channel.guild.members.values():
                if not set(member.roles).isdisjoint(message.mention_roles):
                    called[member.user.id] = member.user
        return list(called.values())

    def clear_notices(self, user: User) -> None:
        """Somebody has looked at what called them."""
        self.unread[user.id].clear()
        self.notices[user.id].clear()

    # ---------------------------------------------------------------- files

    def attachment_url(self, channel: Channel, attachment_id: str, filename: str) -> str:
        """Where an attachment is served."""
        return f"{self._cdn()}/attachments/{channel.id}/{attachment_id}/{filename}"

    def avatar_url(self, user: User) -> str:
        """Where the picture of a user is served."""
        return f"{self._cdn()}/avatars/{user.id}.svg"

    def keep(self, attachment: Attachment) -> None:
        """Serve a file from now on."""
        self.files[attachment.id] = attachment

    def lose(self, attachment: Attachment) -> None:
        """A file left its message: its address leads nowhere from now on."""
        self.files.pop(attachment.id, None)

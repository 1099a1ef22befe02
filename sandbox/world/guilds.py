"""Adding, changing and removing people, servers, channels and threads."""

from __future__ import annotations

from collections.abc import Iterable

from . import permissions
from .events import (
    BotJoined,
    BotLeft,
    ChannelChanged,
    ChannelGone,
    ChannelMade,
    GuildChanged,
    Joined,
    LayoutChanged,
    Left,
    MemberChanged,
    Purged,
    RoleGone,
    RoleMade,
    ThreadLeft,
    ThreadsSeen,
)
from .models import Channel, Guild, Member, Role, ThreadState, User
from .permissions import Permission
from .state import State


class GuildService:
    """Changes people and places; every change is published as an event."""

    def __init__(self, state: State) -> None:
        self._state = state

    def add_user(self, name: str, user_id: str | None = None, direct_id: str | None = None) -> User:
        """Add a human, with a direct-message channel to the bot."""
        user_id = user_id or self._state.clock.snowflake()
        user = User(user_id, name.lower().replace(" ", "_"), name)
        self._state.users[user.id] = user
        channel = Channel(direct_id or self._state.clock.snowflake(), user.username, recipient=user)
        self._state.directs[user.id] = self._state.channels[channel.id] = channel
        self._state.unread[user.id] = {}
        self._state.notices[user.id] = []
        self._state.publish(LayoutChanged())
        return user

    def add_guild(self, name: str, guild_id: str | None = None, *, with_bot: bool = True) -> Guild:
        """Add a server without an owner, by default with the bot in it."""
        guild_id = guild_id or self._state.clock.snowflake()
        guild = Guild(guild_id, name, "0", self._state.clock.now_ms(), bot_present=with_bot)
        guild.roles[guild.id] = Role(guild.id, "@everyone", permissions.EVERYONE, 0)
        self._state.guilds[guild.id] = guild
        self._state.commands[guild.id] = {}
        if with_bot:
            self._seat_bot(guild)
            self._state.publish(BotJoined(guild))
        self._state.publish(LayoutChanged())
        return guild

    def _seat_bot(self, guild: Guild) -> None:
        bot, clock = self._state.bot, self._state.clock
        role = Role(clock.snowflake(), bot.username, permissions.EVERYONE, 1, managed_by=bot.id)
        guild.roles[role.id] = role
        guild.members[bot.id] = Member(bot, clock.now_ms(), [role.id])
        guild.bot_present = True

    def add_channel(self, guild: Guild, name: str, channel_id: str | None = None, *, voice: bool = False) -> Channel:
        """Add a text channel, or a voice channel, in which people write as well."""
        number = channel_id or self._state.clock.snowflake()
        channel = Channel(number, name, guild, position=len(guild.channels), voice=voice)
        guild.channels[channel.id] = self._state.channels[channel.id] = channel
        self._state.publish(ChannelMade(channel))
        self._state.publish(LayoutChanged())
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner: User,
        thread_id: str | None = None,
        archive_after: int = 1440,
        *,
        members: Iterable[User] = (),
        private: bool = False,
    ) -> Channel:
        """Add a thread to a text channel; one that is started from a message has that message's id.

        Raises ValueError for threads of threads and of direct messages.
        """
        guild = parent.guild
        if guild is None or parent.parent is not None:
            raise ValueError("threads belong to a server's text channels")
        details = ThreadState(owner.id, self._state.clock.now_ms(), archive_after, private=private)
        details.joined = {user.id: details.created_ms for user in (owner, *members)}
        thread = Channel(thread_id or self._state.clock.snowflake(), name, guild, parent=parent, thread=details)
        guild.channels[thread.id] = self._state.channels[thread.id] = thread
        self._state.publish(ChannelMade(thread))
        self._state.publish(LayoutChanged())
        return thread

    def add_role(self, guild: Guild, name: str, permission_bits: int, role_id: str | None = None) -> Role:
        """Add a role that members may be given."""
        role = Role(role_id or self._state.clock.snowflake(), name, permission_bits, len(guild.roles))
        guild.roles[role.id] = role
        self._state.publish(RoleMade(guild, role))
        return role

    def give_role(self, guild: Guild, user: User, role: Role) -> None:
        """Give a member a role."""
        member = guild.members[user.id]
        member.roles.append(role.id)
        self._state.publish(MemberChanged(guild, member))

    def remove_role(self, guild: Guild, role: Role) -> None:
        """Delete a role, which its members and all channels lose with it."""
        del guild.roles[role.id]
        for member in guild.members.values():
            member.roles = [each for each in member.roles if each != role.id]
        for channel in guild.channels.values():
            channel.overwrites.pop(role.id, None)
        self._state.publish(RoleGone(guild, role))
        self._state.publish(LayoutChanged())

    def set_locale(self, guild: Guild, locale: str) -> None:
        """Choose a server's language."""
        guild.locale = locale
        self._state.publish(GuildChanged(guild))

    def purge(self, channel: Channel) -> None:
        """Delete all messages of a channel at once, as bots of moderators do."""
        messages = tuple(message for message in channel.messages.values() if message.reader is None)
        for message in messages:
            self._state.forget(message)
        self._state.publish(Purged(channel, messages))

    def leave_thread(self, thread: Channel, user: User) -> None:
        """Remove a user, or the bot, from a thread; raises ValueError for who is not in it."""
        if thread.thread is None or thread.thread.joined.pop(user.id, None) is None:
            raise ValueError(f"{user.name} is not in {thread.name}")
        self._state.publish(ThreadLeft(thread, user))
        self._state.publish(LayoutChanged())

    def join(self, user: User, guild: Guild, roles: Iterable[Role] = ()) -> Member:
        """Add a user to a server."""
        member = Member(user, self._state.clock.now_ms(), [role.id for role in roles])
        guild.members[user.id] = member
        self._state.publish(Joined(guild, member))
        self._state.publish(LayoutChanged())
        return member

    def leave(self, user: User, guild: Guild) -> None:
        """Remove a user, or the bot, from a server; raises ValueError for non-members."""
        if guild.members.pop(user.id, None) is None:
            raise ValueError(f"{user.name} is not in {guild.name}")
        if user is self._state.bot:
            guild.bot_present = False
            self._state.publish(BotLeft(guild))
        else:
            self._state.publish(Left(guild, user))
        self._state.publish(LayoutChanged())

    def bot_returns(self, guild: Guild) -> None:
        """Add the bot to a server again."""
        self._seat_bot(guild)
        self._state.publish(BotJoined(guild))
        self._state.publish(LayoutChanged())

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads and messages; raises ValueError for direct messages."""
        if channel.guild is None:
            raise ValueError("direct messages cannot be deleted")
        threads = [each for each in channel.guild.channels.values() if each.parent is channel]
        for place in (*threads, channel):
            del channel.guild.channels[place.id]
            del self._state.channels[place.id]
            for message in list(place.messages.values()):
                self._state.forget(message)
        self._state.publish(ChannelGone(channel))
        self._state.publish(LayoutChanged())

    def time_out(self, guild: Guild, user: User, until_ms: int, *, announced: bool) -> None:
        """Time a member out until a moment (0: end their timeout); the bot learns of it if it is ``announced``."""
        member = guild.members[user.id]
        member.disabled_until_ms, member.now_ms = until_ms, self._state.clock.now_ms
        if announced:
            self._state.publish(MemberChanged(guild, member))

    def lock(self, thread: Channel, locked: bool) -> None:
        """Lock or unlock a thread; raises ValueError for another channel."""
        if thread.thread is None:
            raise ValueError("only threads can be locked")
        thread.thread.locked = locked
        self._state.publish(ChannelChanged(thread))

    def overwrite(self, channel: Channel, target_id: str, *, allow: int = 0, deny: int = 0) -> None:
        """Allow or deny permissions of a role or member in one channel; the latest change wins."""
        hidden = not channel.may(self._state.bot.id, Permission.VIEW_CHANNEL)
        allowed, denied = channel.overwrites.get(target_id, (0, 0))
        channel.overwrites[target_id] = (allowed & ~deny | allow, denied & ~allow | deny)
        self._state.publish(ChannelChanged(channel))
        if hidden and channel.may(self._state.bot.id, Permission.VIEW_CHANNEL):
            self._state.publish(ThreadsSeen(channel))
        self._state.publish(LayoutChanged())

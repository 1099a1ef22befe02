"""The state of the sandbox: users, servers, channels, messages, commands, files and notifications.

Changes are made by method calls (those of people and places by `GuildService`) and published as `events` to listeners
such as the gateway and the web page. The state knows nothing of HTTP or WebSockets.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import TypeVar

from .clock import Clock, snowflake_at
from .events import (
    ChannelChanged,
    CommandsChanged,
    Edited,
    Event,
    LayoutChanged,
    MessageDeleted,
    Posted,
    RuleViolated,
    ThreadEntered,
)
from .mentions import users_to_notify
from .models import Attachment, Channel, Delivery, Emoji, Guild, Json, Message, User
from .settings import Call, Settings, Violation
from .wait_until import Waiters

T = TypeVar("T")

BOT_ID = snowflake_at(1_735_689_600_000, 1)
"""The bot's user id, and the application's: the same in every sandbox, as a token's owner does not change."""

PATIENCE_S = 60
"""Default timeout of a wait, generous because machines are busy."""

_KEPT_DELETED = 200
_KEPT_CALLS = 200_000
_KEPT_NONCES = 1_000


class State:
    """Everything that the sandbox stores. ``caller`` is the bot's process whose call is being handled, if any, and
    ``route`` the template of its path.
    """

    def __init__(self, settings: Settings, cdn: Callable[[], str]) -> None:
        self.settings = settings
        self.clock = Clock()
        self.bot = User(BOT_ID, "cellblock", None, bot=True)
        self.users: dict[str, User] = {self.bot.id: self.bot}
        self.installed: set[str] = set()
        self.guilds: dict[str, Guild] = {}
        self.channels: dict[str, Channel] = {}
        self.directs: dict[str, Channel] = {}
        self.messages: dict[str, Message] = {}
        self.deleted_messages: OrderedDict[str, Message] = OrderedDict()
        self.files: dict[str, Attachment] = {}
        self.emojis: dict[str, Emoji] = {}
        self.commands: dict[str | None, dict[str, Json]] = {None: {}}
        self.unread: dict[str, dict[str, int]] = {}
        self.notices: dict[str, list[Json]] = {}
        self.violations: list[Violation] = []
        self.calls: list[Call] = []
        self.touched: list[Delivery] = []
        self.listeners: list[Callable[[Event], None]] = []
        self.caller: str | None = None
        self.route = ""
        self._cdn = cdn
        self._waiting = Waiters()
        self._nonces: OrderedDict[tuple[str, str, str], Message] = OrderedDict()

    # ---------------------------------------------------------------- changes

    def publish(self, event: Event) -> None:
        """Call every listener, then wake all waiters."""
        for listener in self.listeners:
            listener(event)
        self.changed()

    def changed(self) -> None:
        """Wake all waiters."""
        self._waiting.wake()

    async def until(self, question: Callable[[], T], seconds: float, last_seen: Callable[[], str]) -> T:
        """Wait as `Waiters.until` does; raises TimeoutError."""
        return await self._waiting.until(question, seconds, last_seen)

    def record_violation(self, where: str, text: str) -> None:
        """Record that the bot broke a rule."""
        broken = Violation(where, text)
        self.violations.append(broken)
        self.publish(RuleViolated(str(broken)))

    def log(self, call: Call) -> None:
        """Record a REST call; the oldest of very many are dropped."""
        self.calls.append(call)
        if len(self.calls) > _KEPT_CALLS:
            del self.calls[: _KEPT_CALLS // 2]

    def touch(self, delivery: Delivery) -> None:
        """Record that the current call creates or changes this, so that its response settles it."""
        self.touched.append(delivery)
        delivery.in_flight += 1

    def application_flags(self) -> int:
        """Return the application's flags: its privileged intents, as for a bot in few servers."""
        flags = {"presences": 1 << 13, "members": 1 << 15, "message_content": 1 << 19}
        return sum(flags[name] for name in self.settings.privileged_intents)

    # ---------------------------------------------------------------- messages

    def post(self, message: Message) -> None:
        """Add a rendered message to its channel and notify people; this unarchives a thread."""
        if message.channel.archived:
            self.archive(message.channel, False)
        if message.reader is None:
            self.enter_thread(message.channel, message.author)
        message.channel.messages[message.id] = message
        self.messages[message.id] = message
        if message.author is self.bot:
            self.touch(message.delivery)
        if message.nonce is not None:
            key = (message.channel.id, message.author.id, message.nonce)
            self._nonces[key] = message
            self._nonces.move_to_end(key)
            if len(self._nonces) > _KEPT_NONCES:
                self._nonces.popitem(last=False)
        self.publish(Posted(message, tuple(self._call(message))))

    def edited(self, message: Message) -> None:
        """Publish a message's new version. Edits notify nobody."""
        self.touch(message.delivery)
        if not message.dismissed:
            self.publish(Edited(message))

    def delete(self, message: Message) -> None:
        """Delete a message for everybody."""
        self.forget(message)
        self.publish(MessageDeleted(message))

    def forget(self, message: Message) -> None:
        """Remove a message and its files without an event."""
        message.deleted = True
        message.channel.messages.pop(message.id, None)
        self.messages.pop(message.id, None)
        self.deleted_messages[message.id] = message
        if len(self.deleted_messages) > _KEPT_DELETED:
            self.deleted_messages.popitem(last=False)
        for attachment in message.attachments:
            self.lose(attachment)

    def by_nonce(self, channel: Channel, author: User, nonce: str) -> Message | None:
        """Return the message that an author sent to a channel with this nonce, if that was within ``nonce_life_ms``."""
        message = self._nonces.get((channel.id, author.id, nonce))
        if message is None or message.deleted:
            return None
        age_ms = self.clock.now_ms() - message.created_ms
        return message if age_ms < self.settings.nonce_life_ms else None

    def _call(self, message: Message) -> Iterable[tuple[User, str]]:
        """Count a message for everybody whom it notifies."""
        channel = message.channel
        for user, kind in users_to_notify(message):
            counts = self.unread[user.id]
            counts[channel.id] = counts.get(channel.id, 0) + 1
            self.notices[user.id].append({"channel": channel.id, "message": message.id, "kind": kind})
            yield user, kind

    def clear_notices(self, user: User) -> None:
        """Mark everything that notified a user as read."""
        self.unread[user.id].clear()
        self.notices[user.id].clear()

    # ---------------------------------------------------------------- channels and commands

    def archive(self, thread: Channel, archived: bool) -> None:
        """Archive or unarchive a thread; raises ValueError for other channels."""
        if thread.thread is None:
            raise ValueError(f"#{thread.name} is no thread")
        thread.thread.archived = archived
        thread.thread.archived_ms = self.clock.now_ms()
        self.channel_changed(thread)

    def channel_changed(self, channel: Channel) -> None:
        """Announce that a channel's name, archive state or lock changed."""
        self.publish(ChannelChanged(channel))
        self.publish(LayoutChanged())

    def enter_thread(self, thread: Channel, user: User) -> None:
        """Add a user to a thread, as happens to everybody who writes there."""
        if thread.thread is not None and user.id not in thread.thread.joined:
            thread.thread.joined[user.id] = self.clock.now_ms()
            self.publish(ThreadEntered(thread, user))

    def install(self, user: User) -> None:
        """Install the bot for a user, who can then use it anywhere."""
        self.installed.add(user.id)
        self.publish(CommandsChanged())
        self.publish(LayoutChanged())

    def shares_server(self, user: User) -> bool:
        """Return True if a user shares a server with the bot."""
        return any(guild.bot_present and user.id in guild.members for guild in self.guilds.values())

    def commands_changed(self) -> None:
        """Announce that the bot registered other commands."""
        self.publish(CommandsChanged())
        self.publish(LayoutChanged())

    # ---------------------------------------------------------------- files

    def attachment_url(self, channel: Channel, attachment_id: str, filename: str) -> str:
        """Return the address of an attachment."""
        return f"{self._cdn()}/attachments/{channel.id}/{attachment_id}/{filename}"

    def avatar_url(self, user: User) -> str:
        """Return the address of a user's avatar."""
        return f"{self._cdn()}/avatars/{user.id}.svg"

    def keep(self, attachment: Attachment) -> None:
        """Serve a file from now on."""
        self.files[attachment.id] = attachment

    def lose(self, attachment: Attachment) -> None:
        """Stop serving a file that was removed from its message."""
        self.files.pop(attachment.id, None)

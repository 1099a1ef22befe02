"""Channels, messages, reactions and direct messages."""

from __future__ import annotations

from sandbox.limits import Problems
from sandbox.messaging.errors import ApiError, missing_permissions, thread_archived, thread_locked, unknown_message
from sandbox.messaging.message_json import reaction_emoji, render, without_content
from sandbox.messaging.messages import create, new_message, reply_reference, revise
from sandbox.world.events import Reacted, Typing
from sandbox.world.models import EPHEMERAL, Json, Message
from sandbox.world.permissions import Permission
from sandbox.world.serializers import channel_json

from .call import Call, Reply, Route, TooMany

_HOUR_MS = 3_600_000
_TWO_WEEKS_MS = 14 * 24 * _HOUR_MS


def _readable(call: Call, message: Message) -> Json:
    """Return a message as the bot may read it over REST: others' content needs the message content intent."""
    state = call.state
    open_to_bot = (
        message.author is state.bot
        or message.channel.guild is None
        or state.bot in message.mentions
        or "message_content" in state.settings.privileged_intents
    )
    return message.json if open_to_bot else without_content(message.json)


def open_direct(call: Call) -> Reply:
    """POST /users/@me/channels: works for every human, also for those who accept no direct messages."""
    problems = Problems()
    recipient = problems.snowflake(("recipient_id",), call.record().get("recipient_id"))
    problems.raise_if_any()
    channel = call.state.directs.get(recipient or "")
    if channel is None:
        raise ApiError(400, 50033, "Invalid Recipient(s)")
    return Reply(200, channel_json(channel))


def get_channel(call: Call) -> Reply:
    """GET /channels/{channel_id}."""
    return Reply(200, channel_json(call.channel()))


def delete_channel(call: Call) -> Reply:
    """DELETE /channels/{channel_id}, also of a thread."""
    channel = call.channel()
    if channel.guild is not None:
        call.need(channel, Permission.MANAGE_CHANNELS if channel.thread is None else Permission.MANAGE_THREADS)
        call.server.guilds.remove_channel(channel)
    return Reply(200, channel_json(channel))


def list_messages(call: Call) -> Reply:
    """GET /channels/{channel_id}/messages: newest first."""
    channel = call.channel()
    limit = call.number("limit", 50, 1, 100)
    if not channel.may(call.state.bot.id, Permission.READ_MESSAGE_HISTORY):
        return Reply(200, [])
    messages = [message for message in channel.messages.values() if message.reader is None]
    if "before" in call.query:
        messages = [message for message in messages if int(message.id) < int(call.query["before"])][-limit:]
    elif "after" in call.query:
        messages = [message for message in messages if int(message.id) > int(call.query["after"])][:limit]
    elif "around" in call.query:
        middle = int(call.query["around"])
        nearest = sorted(messages, key=lambda message: abs(int(message.id) - middle))[:limit]
        messages = [message for message in messages if message in nearest]
    else:
        messages = messages[-limit:]
    return Reply(200, [_readable(call, message) for message in reversed(messages)])


def get_message(call: Call) -> Reply:
    """GET /channels/{channel_id}/messages/{message_id}."""
    message = call.message()
    call.need(message.channel, Permission.READ_MESSAGE_HISTORY)
    return Reply(200, _readable(call, message))


def create_message(call: Call) -> Reply:
    """POST /channels/{channel_id}/messages."""
    channel, state, draft = call.channel(), call.state, call.draft()
    body = draft.body
    if channel.recipient is not None:
        if not state.shares_server(channel.recipient):
            raise ApiError(403, 50278, "Cannot send messages to this user due to having no mutual guilds")
        if not channel.recipient.dms_open:
            raise ApiError(403, 50007, "Cannot send messages to this user")
    call.need(channel, Permission.SEND_MESSAGES)
    locked = channel.thread is not None and channel.thread.locked
    if locked and not channel.may(state.bot.id, Permission.MANAGE_THREADS):
        raise thread_locked()
    if draft.uploads:
        call.need(channel, Permission.ATTACH_FILES)
    if body.get("embeds"):
        call.need(channel, Permission.EMBED_LINKS)
    if body.get("nonce") is not None and body.get("enforce_nonce"):
        earlier = state.by_nonce(channel, state.bot, str(body["nonce"]))
        if earlier is not None:
            return Reply(200, earlier.json)
    flags = body.get("flags")
    if isinstance(flags, int) and flags & EPHEMERAL:
        state.record_violation(call.where, "EPHEMERAL has no effect here: everybody in the channel sees this message")
        body["flags"] = flags & ~EPHEMERAL
    message = new_message(state, channel, state.bot)
    _reply_to(call, message, body.get("message_reference"))
    create(state, message, draft)
    state.post(message)
    return Reply(200, message.json)


def _reply_to(call: Call, message: Message, reference: object) -> None:
    """Make a message a reply."""
    if reference is None:
        return
    problems = Problems()
    path = ("message_reference",)
    body = problems.record(path, reference)
    problems.raise_if_any()
    target = problems.snowflake((*path, "message_id"), (body or {}).get("message_id"))
    problems.raise_if_any()
    if not message.channel.may(call.state.bot.id, Permission.READ_MESSAGE_HISTORY):
        raise ApiError(400, 160002, "Cannot reply without permission to read message history")
    found = message.channel.messages.get(target or "")
    if found is None or found.reader is not None:
        if (body or {}).get("fail_if_not_exists", True):
            text = {
                "message_reference": {"_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]}
            }
            raise ApiError(400, 50035, "Invalid Form Body", extra={"errors": text})
        return
    message.type = 19
    message.referenced = found
    message.reference = reply_reference(found)


def edit_message(call: Call) -> Reply:
    """PATCH /channels/{channel_id}/messages/{message_id}."""
    message, state, draft = call.message(), call.state, call.draft()
    if message.author is not state.bot:
        text = "Cannot edit a message authored by another user"
        raise ApiError(403, 50005, text, violation="an edit of a message that is not the bot's")
    if message.channel.archived:
        raise thread_archived()
    guild = message.channel.guild
    if guild is not None and guild.members[state.bot.id].timed_out:
        raise missing_permissions()
    if draft.uploads:
        call.need(message.channel, Permission.ATTACH_FILES)
    if state.clock.now_ms() - message.created_ms + message.aged_ms > _HOUR_MS:
        limited = call.server.rate_limits.old_edit(message.channel.id)
        if limited is not None:
            raise TooMany(limited)
    revise(state, message, draft)
    state.edited(message)
    return Reply(200, message.json)


def delete_message(call: Call) -> Reply:
    """DELETE /channels/{channel_id}/messages/{message_id}."""
    message = call.message()
    if message.channel.archived:
        raise thread_archived()
    if message.author is not call.state.bot:
        if message.channel.guild is None:
            raise ApiError(403, 50003, "Cannot execute action on a DM channel")
        call.need(message.channel, Permission.MANAGE_MESSAGES)
    call.state.delete(message)
    return Reply()


def bulk_delete(call: Call) -> Reply:
    """POST /channels/{channel_id}/messages/bulk-delete."""
    channel = call.channel()
    call.need(channel, Permission.MANAGE_MESSAGES)
    problems = Problems()
    ids = problems.items(("messages",), call.record().get("messages"), 2, 100, needed=True)
    known = [problems.snowflake(("messages", index), value) for index, value in enumerate(ids)]
    problems.raise_if_any()
    found = [message for name in known if (message := channel.messages.get(name or "")) is not None]
    now = call.state.clock.now_ms()
    if any(now - message.created_ms + message.aged_ms > _TWO_WEEKS_MS for message in found):
        raise ApiError(400, 50034, "You can only bulk delete messages that are under 14 days old.")
    for message in found:
        if message.reader is None:
            call.state.delete(message)
    return Reply()


def typing(call: Call) -> Reply:
    """POST /channels/{channel_id}/typing."""
    channel = call.channel()
    call.need(channel, Permission.SEND_MESSAGES)
    call.state.publish(Typing(channel))
    return Reply()


def add_reaction(call: Call) -> Reply:
    """PUT …/reactions/{emoji}/@me."""
    message, emoji = call.message(), call.params["emoji"]
    if emoji not in message.reactions:
        call.need(message.channel, Permission.ADD_REACTIONS)
    call.need(message.channel, Permission.READ_MESSAGE_HISTORY)
    identity = reaction_emoji(emoji)["id"]
    if identity is not None and identity not in call.state.emojis:
        raise ApiError(400, 10014, "Unknown Emoji", violation="a reaction with an emoji that does not exist")
    users = message.reactions.setdefault(emoji, [])
    if call.state.bot.id not in users:
        users.append(call.state.bot.id)
        render(message)
        call.state.publish(Reacted(message, call.state.bot, emoji, added=True))
    return Reply()


def remove_reaction(call: Call) -> Reply:
    """DELETE …/reactions/{emoji}/{user_id}, the bot's own with @me."""
    message, emoji = call.message(), call.params["emoji"]
    user_id = call.params.get("user_id", call.state.bot.id)
    if user_id != call.state.bot.id:
        call.need(message.channel, Permission.MANAGE_MESSAGES)
    users = message.reactions.get(emoji, [])
    if user_id not in users:
        raise unknown_message()
    users.remove(user_id)
    if not users:
        del message.reactions[emoji]
    render(message)
    call.state.publish(Reacted(message, call.state.users[user_id], emoji, added=False))
    return Reply()


_MESSAGES = "/channels/{channel_id}/messages"
_MESSAGE = _MESSAGES + "/{message_id}"

ROUTES: tuple[Route, ...] = (
    ("POST", "/users/@me/channels", open_direct),
    ("GET", "/channels/{channel_id}", get_channel),
    ("DELETE", "/channels/{channel_id}", delete_channel),
    ("POST", "/channels/{channel_id}/typing", typing),
    ("GET", _MESSAGES, list_messages),
    ("POST", _MESSAGES, create_message),
    ("POST", _MESSAGES + "/bulk-delete", bulk_delete),
    ("GET", _MESSAGE, get_message),
    ("PATCH", _MESSAGE, edit_message),
    ("DELETE", _MESSAGE, delete_message),
    ("PUT", _MESSAGE + "/reactions/{emoji}/@me", add_reaction),
    ("DELETE", _MESSAGE + "/reactions/{emoji}/@me", remove_reaction),
    ("DELETE", _MESSAGE + "/reactions/{emoji}/{user_id}", remove_reaction),
)

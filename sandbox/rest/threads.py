"""Threads: started with or without a message, joined, archived and listed."""

from __future__ import annotations

from sandbox.limits import Problems
from sandbox.messaging.errors import ApiError, missing_permissions, thread_archived
from sandbox.messaging.message_json import render
from sandbox.messaging.messages import new_message
from sandbox.world.models import HAS_THREAD, THREAD, Channel, Json
from sandbox.world.permissions import Permission
from sandbox.world.serializers import thread_json_for, thread_member_json

from .call import Call, Reply, Route

_DURATIONS = (60, 1440, 4320, 10080)
_THREAD_CREATED = 18
_OF_OWNER = {"name", "archived", "auto_archive_duration", "rate_limit_per_user"}
_OF_MANAGER = {"locked", "invitable", "flags"}


def _parent(call: Call) -> Channel:
    """Return the text channel in which a thread is started."""
    channel = call.channel()
    if channel.guild is None or channel.parent is not None or channel.voice:
        raise ApiError(
            400,
            50024,
            "Cannot execute action on this channel type",
            violation="a thread started outside a text channel",
        )
    call.need(channel, Permission.CREATE_PUBLIC_THREADS)
    return channel


def _checked(call: Call, *, renaming: bool = False) -> Json:
    """Return the body of a new or changed thread."""
    body, problems = call.record(), Problems()
    if not renaming or "name" in body:
        problems.text(("name",), body.get("name"), 1, 100, needed=True)
    if body.get("auto_archive_duration") is not None:
        problems.choice(("auto_archive_duration",), body["auto_archive_duration"], _DURATIONS)
    problems.number(("rate_limit_per_user",), body.get("rate_limit_per_user"), 0, 21_600)
    for key in ("archived", "locked"):
        problems.flag((key,), body.get(key))
    problems.raise_if_any()
    return body


def start_from_message(call: Call) -> Reply:
    """POST /channels/{channel_id}/messages/{message_id}/threads: the thread has the message's id."""
    parent = _parent(call)
    message, body = call.message(), _checked(call)
    if message.thread is not None:
        raise ApiError(400, 160004, "A thread has already been created for this message")
    after = body.get("auto_archive_duration") or 1440
    message.thread = call.server.guilds.add_thread(parent, body["name"], call.state.bot, message.id, after)
    message.flags |= HAS_THREAD
    render(message)
    call.state.edited(message)
    return Reply(201, thread_json_for(message.thread, call.state.bot.id))


def start(call: Call) -> Reply:
    """POST /channels/{channel_id}/threads: posts a message about it in the channel."""
    parent, body, state = _parent(call), _checked(call), call.state
    if body.get("type", 12) != THREAD:
        text = "private threads are no part of the sandbox, and a type left out means one"
        raise ApiError(400, 50024, "Cannot execute action on this channel type", violation=text)
    after = body.get("auto_archive_duration") or 1440
    thread = call.server.guilds.add_thread(parent, body["name"], state.bot, archive_after=after)
    line = new_message(state, parent, state.bot, kind=_THREAD_CREATED)
    line.content = thread.name
    line.reference = {"type": 0, "channel_id": thread.id, "guild_id": parent.guild.id if parent.guild else None}
    line.thread = thread
    line.flags |= HAS_THREAD
    render(line)
    state.post(line)
    return Reply(201, thread_json_for(thread, state.bot.id))


def change(call: Call) -> Reply:
    """PATCH /channels/{channel_id} of a thread; an archived one can only be unarchived."""
    thread = call.channel()
    if thread.thread is None:
        text = "only threads can be changed in the sandbox"
        raise ApiError(400, 50024, "Cannot execute action on this channel type", violation=text)
    body = _checked(call, renaming=True)
    manager = thread.may(call.state.bot.id, Permission.MANAGE_THREADS)
    own = thread.thread.owner_id == call.state.bot.id and not thread.thread.locked
    revives = body == {"archived": False} and not thread.thread.locked
    revives = revives and thread.may(call.state.bot.id, Permission.SEND_MESSAGES)
    allowed = manager or revives or (own and not _OF_MANAGER & set(body))
    if not allowed or set(body) - _OF_OWNER - _OF_MANAGER:
        raise missing_permissions()
    if thread.archived and body.get("archived") is not False:
        raise thread_archived()
    details = thread.thread
    thread.name = body.get("name") or thread.name
    details.archive_after = body.get("auto_archive_duration") or details.archive_after
    details.locked = details.locked if body.get("locked") is None else body["locked"]
    if body.get("archived") is not None and body["archived"] != details.archived:
        call.state.archive(thread, body["archived"])
    else:
        call.state.channel_changed(thread)
    return Reply(200, thread_json_for(thread, call.state.bot.id))


def _thread(call: Call) -> Channel:
    thread = call.channel()
    if thread.thread is None:
        raise ApiError(400, 50024, "Cannot execute action on this channel type", violation="no thread")
    return thread


def join(call: Call) -> Reply:
    """PUT /channels/{channel_id}/thread-members/{user_id}, the bot's own with @me."""
    thread = _thread(call)
    user = call.state.users.get(call.params.get("user_id", call.state.bot.id))
    if user is None:
        raise ApiError(404, 10013, "Unknown User")
    if thread.archived:
        raise thread_archived()
    if user is not call.state.bot:
        call.need(thread, Permission.SEND_MESSAGES)
    call.state.enter_thread(thread, user)
    return Reply()


def member(call: Call) -> Reply:
    """GET /channels/{channel_id}/thread-members/{user_id}."""
    thread, user_id = _thread(call), call.params["user_id"]
    if thread.thread is None or user_id not in thread.thread.joined:
        raise ApiError(404, 10007, "Unknown Member")
    return Reply(200, thread_member_json(thread, user_id))


def _listed(call: Call, threads: list[Channel]) -> Json:
    bot = call.state.bot.id
    own = [thread_member_json(each, bot) for each in threads if each.thread and bot in each.thread.joined]
    return {"threads": [thread_json_for(thread, bot) for thread in threads], "members": own}


def active(call: Call) -> Reply:
    """GET /guilds/{guild_id}/threads/active."""
    channels, bot = call.guild().channels.values(), call.state.bot.id
    found = [each for each in channels if each.thread and not each.archived and each.permissions(bot)]
    return Reply(200, _listed(call, found))


def archived(call: Call) -> Reply:
    """GET /channels/{channel_id}/threads/archived/public."""
    parent = call.channel()
    call.need(parent, Permission.READ_MESSAGE_HISTORY)
    channels = parent.guild.channels.values() if parent.guild is not None else ()
    threads = ((each, each.thread) for each in channels if each.parent is parent and each.thread is not None)
    found = [each for each, details in threads if details.archived and not details.private]
    return Reply(200, {**_listed(call, found), "has_more": False})


_CHANNEL = "/channels/{channel_id}"
_MEMBERS = _CHANNEL + "/thread-members"

ROUTES: tuple[Route, ...] = (
    ("POST", _CHANNEL + "/messages/{message_id}/threads", start_from_message),
    ("POST", _CHANNEL + "/threads", start),
    ("PATCH", _CHANNEL, change),
    ("PUT", _MEMBERS + "/@me", join),
    ("PUT", _MEMBERS + "/{user_id}", join),
    ("GET", _MEMBERS + "/{user_id}", member),
    ("GET", "/guilds/{guild_id}/threads/active", active),
    ("GET", _CHANNEL + "/threads/archived/public", archived),
)

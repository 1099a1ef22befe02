"""The WebSocket of an open page: what the page asks for as one of the users, and what that user may see.

The frames are documented in README.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable
from typing import Any

from aiohttp import WSMsgType, web

from sandbox.client.command_input import Refused, available
from sandbox.client.user_client import UserClient
from sandbox.gateway.gateway import Gateway
from sandbox.messaging.interaction import AUTOCOMPLETE, MODAL, Interaction
from sandbox.messaging.interactions import Interactions
from sandbox.world.events import (
    Dismissed,
    Edited,
    Event,
    MessageDeleted,
    Posted,
    Presence,
    Reacted,
    RuleViolated,
    Typing,
)
from sandbox.world.locales import LOCALES
from sandbox.world.models import Channel, Guild, Json, Message, User
from sandbox.world.permissions import Permission
from sandbox.world.serializers import role_json
from sandbox.world.state import State


class PageConnection:
    """The connection of one open page, which acts as one user at a time."""

    def __init__(
        self, state: State, interactions: Interactions, gateway: Gateway, response: web.WebSocketResponse
    ) -> None:
        self._state = state
        self._interactions = interactions
        self._gateway = gateway
        self._response = response
        self._me: UserClient | None = None
        self._out: asyncio.Queue[Json] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = {asyncio.create_task(self._write())}

    async def close(self) -> None:
        """Cancel this page's tasks."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._response.close()

    async def _write(self) -> None:
        with contextlib.suppress(ConnectionError, RuntimeError):
            while True:
                frame = await self._out.get()
                await self._response.send_str(json.dumps(frame, separators=(",", ":")))

    def send(self, **frame: Any) -> None:
        """Queue a frame."""
        self._out.put_nowait(frame)

    async def serve(self) -> None:
        """Handle frames until the page closes."""
        async for message in self._response:
            if message.type is not WSMsgType.TEXT:
                continue
            try:
                frame = json.loads(message.data)
                number = frame.get("n")
            except (ValueError, AttributeError):
                continue
            task = asyncio.create_task(self._handle(frame, number))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _handle(self, frame: Json, number: object) -> None:
        try:
            await self._act(frame, number)
        except Refused as refusal:
            self.send(op="failed", n=number, reason=str(refusal))
        except (KeyError, TypeError, ValueError, AttributeError, TimeoutError) as error:
            self.send(op="failed", n=number, reason=f"the sandbox did not understand this: {error!r}")

    # ---------------------------------------------------------------- from the page

    async def _act(self, frame: Json, number: object) -> None:
        operation = frame["op"]
        if operation == "hello":
            self._act_as(str(frame["user"]))
            return
        if operation == "dms":
            self._set_dms(str(frame["user"]), bool(frame["open"]))
            return
        if operation == "locale":
            self._set_locale(str(frame["user"]), str(frame["locale"]))
            return
        me = self._me
        if me is None:
            raise Refused("say hello first")
        match operation:
            case "say":
                await me.say(self._channel(frame), str(frame["content"]))
            case "press":
                message = self._state.messages.get(str(frame["message"]))
                if message is None:
                    raise Refused("the message is gone")
                pressed = me.actions.press(message.json, frame["custom_id"], values=frame.get("values"))
                await self._follow(pressed, number)
            case "command" | "autocomplete":
                sent = me.actions.command_by_id(
                    self._channel(frame), str(frame["id"]), frame.get("options") or [], complete=operation != "command"
                )
                await self._follow(_ready(sent), number)
            case "submit":
                submitted = me.actions.submit_raw(str(frame["modal"]), frame["components"])
                await self._follow(submitted, number)
            case "reload":
                await me.reload()
            case "present":
                await me.jump_to_present(self._channel(frame))
            case "dismiss":
                message = self._state.messages.get(str(frame["message"]))
                if message is not None:
                    await me.dismiss(message.json)
            case "clear_notices":
                me.clear_notices()
            case _:
                raise Refused(f"the sandbox has no act {operation!r}")

    def _act_as(self, user_id: str) -> None:
        user = self._state.users.get(user_id)
        if user is None or user.bot:
            user = next((each for each in self._state.users.values() if not each.bot), None)
        if user is None:
            raise Refused("nobody lives in this sandbox")
        self._me = UserClient(self._state, self._interactions, user)
        self.send_state()
        self.send(op="presence", bot="online" if self._gateway.online else "offline")

    def _set_dms(self, user_id: str, is_open: bool) -> None:
        UserClient(self._state, self._interactions, self._state.users[user_id]).dms_open = is_open

    def _set_locale(self, user_id: str, locale: str) -> None:
        if locale not in LOCALES:
            raise Refused(f"Discord has no language {locale!r}")
        UserClient(self._state, self._interactions, self._state.users[user_id]).locale = locale

    def _channel(self, frame: Json) -> Channel:
        channel = self._state.channels.get(str(frame["channel"]))
        if channel is None:
            raise Refused("there is no such channel")
        return channel

    async def _follow(self, act: Awaitable[Interaction], number: object) -> None:
        interaction = await act
        self.send(op="pending", n=number, interaction=interaction.id)
        await interaction.answered.wait()
        if interaction.failed is not None:
            self.send(op="failed", n=number, reason=interaction.failed)
        elif interaction.kind == AUTOCOMPLETE:
            self.send(op="choices", n=number, choices=interaction.choices)
        else:
            self.send(op="answered", n=number, interaction=interaction.id, type=interaction.answer)
            if interaction.answer == MODAL:
                self.send(op="modal", n=number, interaction=interaction.id, modal=interaction.modal)

    # ---------------------------------------------------------------- to the page

    def on_event(self, event: Event) -> None:
        """Send what this user may see of an event."""
        me = self._me
        match event:
            case RuleViolated(text):
                self.send(op="violation", text=text)
            case Presence(online):
                self.send(op="presence", bot="online" if online else "offline")
            case _ if me is None:
                pass
            case Posted(message, notified):
                self._show(me, message)
                for user, kind in notified:
                    if user is me.user:
                        self.send(op="notice", channel=message.channel.id, message=message.id, kind=kind)
            case Edited(message) | Reacted(message):
                self._show(me, message)
            case MessageDeleted(message) | Dismissed(message):
                if self._visible(me, message):
                    self.send(op="gone", channel=message.channel.id, id=message.id)
            case Typing(channel):
                if channel in self._channels(me):
                    self.send(op="typing", channel=channel.id)
            case _:
                pass

    def _show(self, me: UserClient, message: Message) -> None:
        if self._visible(me, message):
            self.send(op="message", channel=message.channel.id, message=message.json)

    @staticmethod
    def _visible(me: UserClient, message: Message) -> bool:
        channel = message.channel
        if channel.guild is None:
            return channel.recipient is me.user
        return message.seen_by(me.id) and channel.may(me.id, Permission.VIEW_CHANNEL)

    def _guild(self, me: UserClient) -> Guild | None:
        """Return the one server that the page shows: the first that the user is a member of."""
        return next((guild for guild in self._state.guilds.values() if me.id in guild.members), None)

    def _channels(self, me: UserClient) -> list[Channel]:
        guild = self._guild(me)
        channels = [] if guild is None else list(guild.channels.values())
        seen = [each for each in channels if each.may(me.id, Permission.VIEW_CHANNEL)]
        tops = [each for each in seen if each.parent is None]
        return [*(each for top in tops for each in (top, *(one for one in seen if one.parent is top))), me.dm]

    def send_state(self) -> None:
        """Send everything that this user may see."""
        me, state = self._me, self._state
        if me is None:
            return
        guild = self._guild(me)
        channels = self._channels(me)
        commands = {command["id"]: command for channel in channels for command in available(state, me.user, channel)}
        self.send(
            op="state",
            me=me.id,
            users=[self._user(user) for user in state.users.values() if not user.bot],
            bot={**state.bot.json, "avatar_url": state.avatar_url(state.bot)},
            guild={} if guild is None else _guild_summary(guild),
            channels=[_channel_summary(channel) for channel in channels if channel is not me.dm],
            dm=me.dm.id,
            commands=list(commands.values()),
            messages={channel.id: me.messages(channel) for channel in channels},
            unread=dict(state.unread[me.id]),
            locales=LOCALES,
            now=state.clock.now_ms(),
        )

    def _user(self, user: User) -> Json:
        return {
            "id": user.id,
            "username": user.username,
            "global_name": user.global_name,
            "avatar_url": self._state.avatar_url(user),
            "dms_open": user.dms_open,
            "locale": user.locale,
            "online": True,
        }


def _guild_summary(guild: Guild) -> Json:
    return {"id": guild.id, "name": guild.name, "roles": [role_json(role) for role in guild.roles.values()]}


def _channel_summary(channel: Channel) -> Json:
    """Return a channel or thread as the page lists it."""
    if channel.parent is None:
        return {"id": channel.id, "name": channel.name}
    return {"id": channel.id, "name": channel.name, "parent": channel.parent.id, "archived": channel.archived}


async def _ready(interaction: Interaction) -> Interaction:
    return interaction

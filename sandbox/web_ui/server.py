"""Serving the web page: static files, images, and the WebSocket through which one person acts as any of several users.

The frames are documented in README.md. Requests from other web sites are refused: Host and Origin must be the sandbox's
own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType, web

from sandbox.client.command_input import Refused, available
from sandbox.client.user_client import UserClient
from sandbox.gateway.gateway import Gateway
from sandbox.messaging.image_size import plain_png
from sandbox.messaging.interaction import AUTOCOMPLETE, MODAL, Interaction
from sandbox.messaging.interactions import Interactions
from sandbox.world.events import (
    Dismissed,
    Edited,
    Event,
    LayoutChanged,
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

FOLDER = Path(__file__).parent / "static"

_COLOURS = ("5865f2", "747f8d", "3ba55c", "c27c0e", "d83c3e", "a84393", "2a8ca3", "8a5a2b")
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"}


class WebUI:
    """Serves the page and its sockets. ``origin`` returns the sandbox's own address, "http://127.0.0.1:8700"."""

    def __init__(self, state: State, interactions: Interactions, gateway: Gateway, origin: Callable[[], str]) -> None:
        self._state = state
        self._interactions = interactions
        self._gateway = gateway
        self._origin = origin
        self._sockets: set[_Socket] = set()
        self._stale = False
        state.listeners.append(self._on_event)

    def routes(self) -> list[web.RouteDef]:
        """Return the routes under ``/``, ``/page``, ``/socket`` and ``/cdn``."""
        return [
            web.get("/", self._index),
            web.get("/page/{name:[A-Za-z0-9_.\\-/]+}", self._static),
            web.get("/socket", self._socket),
            web.get("/cdn/attachments/{channel}/{id}/{name}", self._attachment),
            web.get("/cdn/avatars/{id}.svg", self._avatar),
            web.get("/cdn/embed/avatars/{number}.png", self._default_avatar),
            web.get("/cdn/emojis/{id}.{kind:png|webp|gif|jpg|jpeg}", self._emoji),
        ]

    async def close(self) -> None:
        """Close all sockets."""
        for socket in list(self._sockets):
            await socket.close()

    def _own(self, request: web.Request) -> None:
        """Refuse requests that another web site sends through the browser."""
        own = self._origin()
        port = own.rpartition(":")[2]
        hosts = {own.removeprefix("http://"), f"localhost:{port}", f"127.0.0.1:{port}"}
        origin = request.headers.get("Origin")
        if request.headers.get("Host") not in hosts:
            raise web.HTTPForbidden(text="The sandbox answers on its own address only.")
        if origin is not None and origin.removeprefix("http://") not in hosts:
            raise web.HTTPForbidden(text="The sandbox does not work for other pages.")

    # ---------------------------------------------------------------- files

    async def _index(self, request: web.Request) -> web.StreamResponse:
        self._own(request)
        return self._file("index.html")

    async def _static(self, request: web.Request) -> web.StreamResponse:
        self._own(request)
        return self._file(request.match_info["name"])

    @staticmethod
    def _file(name: str) -> web.StreamResponse:
        path = (FOLDER / name).resolve()
        if not path.is_relative_to(FOLDER.resolve()) or not path.is_file():
            raise web.HTTPNotFound(text=f"The page has no file {name}.")
        return web.FileResponse(path, headers=_HEADERS)

    async def _attachment(self, request: web.Request) -> web.Response:
        file = self._state.files.get(request.match_info["id"])
        if file is None or file.filename != request.match_info["name"]:
            raise web.HTTPNotFound(text="This content is no longer available.")
        headers = {"X-Content-Type-Options": "nosniff", "Content-Security-Policy": "sandbox; default-src 'none'"}
        return web.Response(body=file.data, content_type=file.content_type, headers=headers)

    async def _avatar(self, request: web.Request) -> web.Response:
        user = self._state.users.get(request.match_info["id"])
        if user is None:
            raise web.HTTPNotFound
        colour = _COLOURS[
            list(self._state.users).index(user.id) % len(_COLOURS)
        ]  # adjacent users get different colours
        picture = (
            '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" '
            f'fill="#{colour}"/><text x="32" y="43" font-family="sans-serif" font-size="32" font-weight="600" '
            f'fill="#fff" text-anchor="middle">{escape(user.name[:1].upper())}</text></svg>'
        )
        return web.Response(body=picture.encode(), content_type="image/svg+xml")

    @staticmethod
    async def _default_avatar(request: web.Request) -> web.Response:
        number = request.match_info["number"]
        colour = bytes.fromhex(_COLOURS[int(number) % len(_COLOURS) if number.isdigit() else 0])
        return web.Response(body=plain_png((colour[0], colour[1], colour[2])), content_type="image/png")

    async def _emoji(self, request: web.Request) -> web.Response:
        emoji = self._state.emojis.get(request.match_info["id"])
        if emoji is None:
            raise web.HTTPNotFound
        return web.Response(body=emoji.data, content_type=emoji.content_type)

    # ---------------------------------------------------------------- sockets

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self._own(request)
        response = web.WebSocketResponse(heartbeat=30)
        await response.prepare(request)
        socket = _Socket(self._state, self._interactions, self._gateway, response)
        self._sockets.add(socket)
        try:
            await socket.serve()
        finally:
            self._sockets.discard(socket)
            await socket.close()
        return response

    def _on_event(self, event: Event) -> None:
        if not self._sockets:
            return
        if isinstance(event, LayoutChanged):
            if not self._stale:  # changes of the same moment are sent once
                self._stale = True
                asyncio.get_running_loop().call_soon(self._send_states)
            return
        for socket in self._sockets:
            socket.on_event(event)

    def _send_states(self) -> None:
        self._stale = False
        for socket in self._sockets:
            socket.send_state()


class _Socket:
    """One open page."""

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
            task = asyncio.create_task(self._take(frame, number))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _take(self, frame: Json, number: object) -> None:
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
            self._become(str(frame["user"]))
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

    def _become(self, user_id: str) -> None:
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
                if channel in self._places(me):
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

    def _places(self, me: UserClient) -> list[Channel]:
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
        places = self._places(me)
        commands = {command["id"]: command for place in places for command in available(state, me.user, place)}
        self.send(
            op="state",
            me=me.id,
            users=[self._user(user) for user in state.users.values() if not user.bot],
            bot={**state.bot.json, "avatar_url": state.avatar_url(state.bot)},
            guild={} if guild is None else _guild_summary(guild),
            channels=[_place(place) for place in places if place is not me.dm],
            dm=me.dm.id,
            commands=list(commands.values()),
            messages={place.id: me.messages(place) for place in places},
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


def _place(channel: Channel) -> Json:
    """Return a channel or thread as the page lists it."""
    if channel.parent is None:
        return {"id": channel.id, "name": channel.name}
    return {"id": channel.id, "name": channel.name, "parent": channel.parent.id, "archived": channel.archived}


async def _ready(interaction: Interaction) -> Interaction:
    return interaction

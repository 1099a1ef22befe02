"""The server of the web page: static files, images, and the connections of open pages.

Requests from other web sites are refused: Host and Origin must be the sandbox's own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from html import escape
from pathlib import Path

from aiohttp import web

from sandbox.gateway.gateway import Gateway
from sandbox.messaging.image_size import plain_png
from sandbox.messaging.interactions import Interactions
from sandbox.world.events import Event, LayoutChanged
from sandbox.world.state import State

from .page_connection import PageConnection

FOLDER = Path(__file__).parent / "static"

_COLOURS = ("5865f2", "747f8d", "3ba55c", "c27c0e", "d83c3e", "a84393", "2a8ca3", "8a5a2b")
_HEADERS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY"}


class WebUI:
    """Serves the page and its WebSocket. ``origin`` returns the sandbox's own address, "http://127.0.0.1:8700"."""

    def __init__(self, state: State, interactions: Interactions, gateway: Gateway, origin: Callable[[], str]) -> None:
        self._state = state
        self._interactions = interactions
        self._gateway = gateway
        self._origin = origin
        self._pages: set[PageConnection] = set()
        self._state_pending = False
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
        """Close the connections of all pages."""
        for page in list(self._pages):
            await page.close()

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

    # ---------------------------------------------------------------- open pages

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        self._own(request)
        response = web.WebSocketResponse(heartbeat=30)
        await response.prepare(request)
        page = PageConnection(self._state, self._interactions, self._gateway, response)
        self._pages.add(page)
        try:
            await page.serve()
        finally:
            self._pages.discard(page)
            await page.close()
        return response

    def _on_event(self, event: Event) -> None:
        if not self._pages:
            return
        if isinstance(event, LayoutChanged):
            if not self._state_pending:  # changes of the same moment are sent once
                self._state_pending = True
                asyncio.get_running_loop().call_soon(self._send_states)
            return
        for page in self._pages:
            page.on_event(event)

    def _send_states(self) -> None:
        self._state_pending = False
        for page in self._pages:
            page.send_state()

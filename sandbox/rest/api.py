"""Handling REST calls: authorization, faults, rate limits, bodies and the log of calls."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from collections.abc import Callable, Iterator
from email.utils import formatdate
from typing import Any

from aiohttp import web
from aiohttp.helpers import parse_mimetype

from sandbox.limits import Invalid, Problems
from sandbox.messaging.errors import ApiError, blocked_by_automod, unauthorized
from sandbox.messaging.message_json import walk
from sandbox.messaging.messages import Upload
from sandbox.world.models import Delivery, Json
from sandbox.world.settings import Call as Logged

from . import applications, channels, emojis, guilds, threads, webhooks
from .call import Call, Reply, Server, TooMany
from .multipart import read_parts
from .rate_limits import Fault, Limited
from .routing import Routes

PREFIX = "/api/v10"

_FILE = re.compile(r"files\[(\d+)\]")
_OPEN = ("/interactions/", "/webhooks/{application_id}/{webhook_token}", "/gateway")
_MODERATED = ("/interactions/", "/webhooks/", "/channels/")
_LOST_CONNECTION = 0


class Api:
    """The REST API for the bot. ``token`` returns the token that calls must have."""

    def __init__(self, server: Server, token: Callable[[], str]) -> None:
        self._server = server
        self._token = token
        modules = (applications, channels, emojis, guilds, threads, webhooks)
        self._routes = Routes(route for module in modules for route in module.ROUTES)
        self.faults: list[Fault] = []

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one call and log it."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        by = request.match_info.get("who", "")
        path = request.path.removeprefix(f"/as/{by}").removeprefix(PREFIX)
        found = self._routes.find(request.method, path)
        state = self._server.state
        touched: list[Delivery] = []
        headers: dict[str, str] = {}
        template = "(unknown)"
        fault: Fault | None = None
        if found is None:
            await request.read()
            state.record_violation(
                f"{request.method} {path}", "no such route in Discord's API, or not one of the sandbox's"
            )
            reply = Reply(404, {"message": "404: Not Found", "code": 0})
        else:
            template, handler, params = found
            call = Call(self._server, request.method, template, path, params, request.query, by)
            fault = self._fault(call)
            try:
                self._authorize(request, template)
                if fault is not None and not fault.drop:
                    await request.read()
                    reply, headers = self._refusal(call, fault)
                else:
                    headers, limited = self._server.rate_limits.take(call.method, template, params, by)
                    await self._read(request, call)
                    self._moderate(call)
                    if limited is not None:
                        raise TooMany(limited)
                    _check_ids(params)
                    state.touched, state.caller, state.route = touched, by, template
                    reply = handler(call)
            except (ApiError, Invalid, TooMany) as error:
                reply = self._error(call, error, headers)
            finally:
                state.touched, state.caller, state.route = [], None, ""
            if fault is not None and fault.drop:
                self._mark_lost(call)
                reply = Reply(fault.status, fault.body or {"message": f"{fault.status}: ordered fault", "code": 0})
        try:
            return await self._write(request, reply, {**headers, "Date": self._date()})
        finally:
            now = loop.time()
            for delivery in touched:
                delivery.in_flight -= 1
                delivery.settled = now
            state.log(Logged(request.method, template, path, reply.status, (now - started) * 1000, by))
            state.changed()

    def _authorize(self, request: web.Request, template: str) -> None:
        if template.startswith(_OPEN) and template != "/gateway/bot":
            return
        if request.headers.get("Authorization") != f"Bot {self._token()}":
            raise unauthorized()

    # ---------------------------------------------------------------- faults

    def _fault(self, call: Call) -> Fault | None:
        for fault in self.faults:
            if fault.matches(call.method, call.template, call.path):
                if fault.after > 0:
                    fault.after -= 1
                    continue
                fault.times -= 1
                if fault.times <= 0:
                    self.faults.remove(fault)
                return fault
        return None

    def _refusal(self, call: Call, fault: Fault) -> tuple[Reply, dict[str, str]]:
        """Return the response of an ordered fault whose call is not handled."""
        self._mark_lost(call)
        if isinstance(fault.body, str):  # of a network in front of Discord, which names no limits
            return Reply(fault.status, fault.body), {}
        if fault.status == 429:
            body = fault.body or {}
            wait = float(body.get("retry_after", 0.05))
            limited = self._server.rate_limits.refuse(call.method, call.template, call.params, wait, call.by)
            return Reply(429, {**limited.body(), **body}), limited.headers()
        return Reply(fault.status, fault.body or {"message": f"{fault.status}: ordered fault", "code": 0}), {}

    def _mark_lost(self, call: Call) -> None:
        """Ignore what the bot now does late or twice with this interaction, since the fault causes it."""
        interaction = self._server.interactions.get(call.params.get("interaction_id", ""))
        if interaction is not None:
            interaction.lost_answer = True

    def _moderate(self, call: Call) -> None:
        """Raise `ApiError` for a message that AutoMod blocks."""
        words = self._server.state.settings.blocked_words
        if not words or not isinstance(call.body, dict) or not call.template.startswith(_MODERATED):
            return
        message = call.body.get("data") if call.template.endswith("/callback") else call.body
        if isinstance(message, dict) and any(word in text for text in _texts(message) for word in words):
            self._mark_lost(call)
            raise blocked_by_automod()

    # ---------------------------------------------------------------- bodies

    async def _read(self, request: web.Request, call: Call) -> None:
        if not request.can_read_body:
            return
        # Not by `request.content_type`, which parses the header by the rules of e-mail: that takes a millisecond.
        if request.headers.get("Content-Type", "").startswith("multipart/form-data"):
            await self._read_parts(request, call)
            return
        raw = await request.read()
        if not raw:
            return
        if request.content_type != "application/json":
            raise ApiError(400, 50035, "Invalid Form Body", violation=f"a body of type {request.content_type}")
        call.body = _parse(raw)

    @staticmethod
    async def _read_parts(request: web.Request, call: Call) -> None:
        boundary = parse_mimetype(request.headers["Content-Type"]).parameters.get("boundary", "")
        try:
            parts = list(read_parts(await request.read(), boundary))
        except ValueError as error:
            raise ApiError(400, 50035, "Invalid Form Body", violation=str(error)) from None
        for part in parts:
            if part.name == "payload_json":
                call.body = _parse(part.body)
                continue
            match = _FILE.fullmatch(part.name)
            if match is None or part.filename is None:
                raise ApiError(
                    400, 50035, "Invalid Form Body", violation=f"a part named {part.name!r} in a multipart body"
                )
            call.uploads[match[1]] = Upload(part.filename, part.body)

    # ---------------------------------------------------------------- responses

    def _date(self) -> str:
        """Return the time of a response by the sandbox's clock, in whole seconds."""
        return formatdate(self._server.state.clock.now_ms() // 1_000, usegmt=True)

    def _error(self, call: Call, error: ApiError | Invalid | TooMany, headers: dict[str, str]) -> Reply:
        state = self._server.state
        match error:
            case Invalid(problems=problems):
                state.record_violation(call.where, problems.summary())
                return Reply(400, {"message": "Invalid Form Body", "code": 50035, "errors": problems.tree()})
            case TooMany(limited=limited):
                return _too_many(limited, headers)
            case _:
                if error.violation is not None:
                    state.record_violation(call.where, error.violation)
                return Reply(error.status, {"message": error.message, "code": error.code, **error.extra})

    @staticmethod
    async def _write(request: web.Request, reply: Reply, headers: dict[str, str]) -> web.StreamResponse:
        """Send the whole response before the call counts as received."""
        if reply.status == _LOST_CONNECTION:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        if reply.body is None:
            response = web.Response(status=reply.status, headers=headers)
        elif isinstance(reply.body, str):
            response = web.Response(status=reply.status, text=reply.body, content_type="text/html", headers=headers)
        else:
            raw = json.dumps(reply.body, separators=(",", ":")).encode()
            response = web.Response(status=reply.status, body=raw, content_type="application/json", headers=headers)
        with contextlib.suppress(
            ConnectionError
        ):  # the bot has disconnected meanwhile, for instance because it was killed
            await response.prepare(request)
            await response.write_eof()
        return response


def _too_many(limited: Limited, headers: dict[str, str]) -> Reply:
    headers |= limited.headers()
    return Reply(429, limited.body())


def _texts(message: Json) -> Iterator[str]:
    parts = walk(part for part in message.get("components") or () if isinstance(part, dict))
    for owner in (message, *parts):
        yield from (text for key in ("content", "label") if isinstance(text := owner.get(key), str))


def _parse(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except ValueError:
        raise ApiError(
            400, 50109, "The request body contains invalid JSON.", violation="a body that is no JSON"
        ) from None


def _check_ids(params: Json) -> None:
    problems = Problems()
    for name, value in params.items():
        if name.endswith("_id"):
            problems.snowflake((name,), value)
    problems.raise_if_any()

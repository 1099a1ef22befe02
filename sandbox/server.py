"""The sandbox as one object to start and stop: its state, its HTTP server on loopback, and its people and places."""

from __future__ import annotations

import ipaddress
import secrets
from types import TracebackType

from aiohttp import web
from aiohttp.web_runner import AppRunner, TCPSite

from .client.user_client import UserClient
from .gateway.gateway import Gateway
from .messaging.interactions import Interactions
from .rest import Api
from .rest.api import PREFIX
from .rest.call import Server
from .rest.rate_limits import RateLimits
from .test_controls import TestControls
from .web_ui.server import WebUI
from .world import permissions
from .world.guilds import GuildService
from .world.models import Channel, Guild, Role
from .world.settings import Settings
from .world.state import State

_LARGEST_BODY = 120 * 1024 * 1024


class Sandbox(TestControls):
    """A Discord in miniature on the loopback interface.

    ``host`` must be a loopback address; ``port`` 0 takes any free one. ``token`` is the bot's, random by default. The
    times are those of `Settings`, in milliseconds: how long an interaction waits for its response, how long its token
    lives, and how long a person waits before reacting to the bot. ``window_scale`` shortens all rate-limit windows.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        *,
        token: str | None = None,
        answer_within_ms: float = 3_000,
        token_life_ms: float = 900_000,
        reaction_ms: float = 10,
        window_scale: float = 1.0,
    ) -> None:
        if not ipaddress.ip_address(host).is_loopback:
            raise ValueError(f"the sandbox serves the loopback interface only, not {host}")
        self._host, self._port = host, port
        self.token = token or secrets.token_urlsafe(32)
        settings = Settings(
            answer_within_ms=answer_within_ms,
            token_life_ms=token_life_ms,
            reaction_ms=reaction_ms,
            window_scale=window_scale,
        )
        state = State(settings, lambda: self.cdn)
        self._guilds = GuildService(state)
        gateway = Gateway(state, lambda: self.token, self.gateway_of, self._reset_token)
        self._interactions = Interactions(state, gateway.send_interaction)
        self._rate_limits = RateLimits(settings, state.record_violation)
        server = Server(state, self._guilds, self._interactions, gateway, self._rate_limits, self.gateway_of)
        self._api = Api(server, lambda: self.token)
        super().__init__(settings, state, gateway, self._api.faults)
        self._page = WebUI(self.state, self._interactions, self._gateway, lambda: self.url)
        self._runner: AppRunner | None = None

    def _reset_token(self) -> None:
        self.token = secrets.token_urlsafe(32)

    # ---------------------------------------------------------------- running

    async def __aenter__(self) -> Sandbox:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Bind the port and serve."""
        app = web.Application(client_max_size=_LARGEST_BODY)
        app.add_routes(self._page.routes())
        for process in ("", "/as/{who}"):
            app.router.add_get(process + "/gateway", self._gateway.handle)
            app.router.add_route("*", process + PREFIX + "/{tail:.*}", self._api.handle)
        self._runner = AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await TCPSite(self._runner, self._host, self._port).start()
        self._port = int(self._runner.addresses[0][1])

    async def close(self) -> None:
        """Close all connections and stop."""
        self._interactions.close()
        await self._gateway.close()
        await self._page.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    @property
    def port(self) -> int:
        """The port in use."""
        return self._port

    @property
    def _netloc(self) -> str:
        return f"[{self._host}]:{self._port}" if ":" in self._host else f"{self._host}:{self._port}"

    @property
    def url(self) -> str:
        """The address of the web page."""
        return f"http://{self._netloc}"

    @property
    def api(self) -> str:
        """The REST base URL for the bot: ``discord.http.Route.BASE``."""
        return self.url + PREFIX

    @property
    def gateway(self) -> str:
        """The gateway URL for the bot: ``discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY``."""
        return f"ws://{self._netloc}/gateway"

    def api_of(self, process: str) -> str:
        """Return the REST base URL for one of several processes of the bot, so that its calls can be attributed; "" is
        `api`.
        """
        return f"{self.url}/as/{process}{PREFIX}" if process else self.api

    def gateway_of(self, process: str) -> str:
        """Return the gateway URL for one of several processes of the bot; "" is `gateway`."""
        return f"ws://{self._netloc}/as/{process}/gateway" if process else self.gateway

    @property
    def cdn(self) -> str:
        """The base URL of files: ``discord.asset.Asset.BASE``."""
        return self.url + "/cdn"

    # ---------------------------------------------------------------- people and places

    def add_guild(self, name: str, guild_id: str | None = None, *, with_bot: bool = True) -> Guild:
        """Add a server, by default with the bot in it."""
        return self._guilds.add_guild(name, guild_id, with_bot=with_bot)

    def add_channel(self, guild: Guild, name: str, channel_id: str | None = None, *, voice: bool = False) -> Channel:
        """Add a text channel, or a voice channel, in which people write as well."""
        return self._guilds.add_channel(guild, name, channel_id, voice=voice)

    def add_thread(
        self, channel: Channel, name: str, owner: UserClient | None = None, *members: UserClient, private: bool = False
    ) -> Channel:
        """Add a thread to a text channel, owned by the bot by default. A private one has the bot as a member."""
        bot = self.state.bot
        joined = [*(person.user for person in members), *([bot] if private else ())]
        return self._guilds.add_thread(
            channel, name, bot if owner is None else owner.user, members=joined, private=private
        )

    def archive(self, thread: Channel, archived: bool = True) -> None:
        """Archive or unarchive a thread."""
        self.state.archive(thread, archived)

    def add_role(self, guild: Guild, name: str, *permission_names: str) -> Role:
        """Add a role with permissions given by name ("MANAGE_GUILD")."""
        return self._guilds.add_role(guild, name, permissions.bits(permission_names))

    def add_person(
        self,
        name: str,
        *guilds: Guild,
        administrator: bool = False,
        person_id: str | None = None,
        dm_id: str | None = None,
    ) -> UserClient:
        """Add a human who is a member of some servers; ``administrator`` makes them a manager there."""
        user = self._guilds.add_user(name, person_id, dm_id)
        person = UserClient(self.state, self._interactions, user)
        for guild in guilds:
            self.join(person, guild, administrator=administrator)
        return person

    def person(self, user_id: str) -> UserClient:
        """Return the human with an id; raises KeyError."""
        return UserClient(self.state, self._interactions, self.state.users[user_id])

    def join(self, person: UserClient, guild: Guild, *roles: Role, administrator: bool = False) -> None:
        """Add a person to a server."""
        if administrator:
            manager = next((role for role in guild.roles.values() if role.name == "Managers"), None)
            roles = (*roles, manager or self.add_role(guild, "Managers", "ADMINISTRATOR"))
        self._guilds.join(person.user, guild, roles)

    def leave(self, person: UserClient, guild: Guild) -> None:
        """Remove a person from a server."""
        self._guilds.leave(person.user, guild)

    def give_role(self, guild: Guild, role: Role, person: UserClient | None = None) -> None:
        """Give a role to a member, by default to the bot."""
        self._guilds.give_role(guild, self.state.bot if person is None else person.user, role)

    def remove_role(self, guild: Guild, role: Role) -> None:
        """Delete a role."""
        self._guilds.remove_role(guild, role)

    def set_locale(self, guild: Guild, locale: str) -> None:
        """Choose a server's language."""
        self._guilds.set_locale(guild, locale)

    def purge(self, channel: Channel) -> None:
        """Delete all messages of a channel at once."""
        self._guilds.purge(channel)

    def remove_from_thread(self, thread: Channel) -> None:
        """Remove the bot from a thread; it no longer sees a private one."""
        self._guilds.leave_thread(thread, self.state.bot)

    def add_to_thread(self, thread: Channel) -> None:
        """Add the bot to a thread."""
        self.state.enter_thread(thread, self.state.bot)

    def remove_bot(self, guild: Guild) -> None:
        """Remove the bot from a server."""
        self._guilds.leave(self.state.bot, guild)

    def invite_bot(self, guild: Guild) -> None:
        """Add the bot to a server again."""
        self._guilds.bot_returns(guild)

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel."""
        self._guilds.remove_channel(channel)

    def time_out_bot(self, guild: Guild, ms: int, *, announced: bool = True) -> None:
        """Time the bot out as a moderator, for this long; 0 ends it. Unless ``announced`` the bot gets no event."""
        until = self.state.clock.now_ms() + ms if ms else 0
        self._guilds.time_out(guild, self.state.bot, until, announced=announced)

    def lock(self, thread: Channel, locked: bool = True) -> None:
        """Lock or unlock a thread as a moderator."""
        self._guilds.lock(thread, locked)

    def deny(self, channel: Channel, *permission_names: str, who: UserClient | Role | None = None) -> None:
        """Deny permissions in a channel: to the bot, or to a person or role."""
        target = self.state.bot.id if who is None else who.id
        self._guilds.overwrite(channel, target, deny=permissions.bits(permission_names))

    def allow(self, channel: Channel, *permission_names: str, who: UserClient | Role | None = None) -> None:
        """Allow permissions in a channel: to the bot, or to a person or role."""
        target = self.state.bot.id if who is None else who.id
        self._guilds.overwrite(channel, target, allow=permissions.bits(permission_names))

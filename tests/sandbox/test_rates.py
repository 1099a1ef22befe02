"""Rate limits, and faults that a test injects."""

from __future__ import annotations

import base64
from typing import Any

import aiohttp
import pytest

from sandbox.messaging.image_size import plain_png
from sandbox.rest.rate_limits import RateLimits
from sandbox.world.settings import Settings

from .conftest import Bot, Scene, discord, slash

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = MESSAGES + "/{message_id}"


class Desk:
    """Return rate limits with a clock and a list of violations."""

    def __init__(self) -> None:
        self.now = 100.0
        self.violations: list[str] = []
        self.settings = Settings()
        self.rates = RateLimits(self.settings, lambda where, text: self.violations.append(text), lambda: self.now)

    def take(
        self, method: str = "POST", template: str = MESSAGES, by: str = "", **params: str
    ) -> tuple[dict[str, str], Any]:
        """Make one call in channel 1."""
        return self.rates.take(method, template, params or {"channel_id": "1"}, by)


def test_five_messages_fit_into_five_seconds_and_the_headers_say_so() -> None:
    desk = Desk()
    headers = [desk.take()[0] for _ in range(5)]
    assert [each["X-RateLimit-Remaining"] for each in headers] == ["4", "3", "2", "1", "0"]
    assert headers[0]["X-RateLimit-Limit"] == "5"
    assert headers[0]["X-RateLimit-Reset-After"] == "5.000"
    _, limited = desk.take()
    assert limited.body() == {"message": "You are being rate limited.", "retry_after": 5.0, "global": False}
    assert limited.headers()["X-RateLimit-Scope"] == "user"
    desk.now += 5
    assert desk.take()[1] is None
    assert not desk.violations


def test_channels_and_routes_have_buckets_of_their_own() -> None:
    desk = Desk()
    for _ in range(5):
        desk.take()
    assert desk.take(channel_id="2")[1] is None
    assert desk.take("PATCH", MESSAGE, channel_id="1")[1] is None
    names = {desk.take(channel_id=number)[0]["X-RateLimit-Bucket"] for number in ("3", "4")}
    assert len(names) == 1


def test_calling_again_before_a_429_allows_it_is_a_violation() -> None:
    desk = Desk()
    for _ in range(7):
        desk.take()  # the seventh was already running when the sixth was refused
    assert not desk.violations
    desk.now += 1
    desk.take()
    assert desk.violations == ["called again 4.000 s before the 429 said it might"]


def test_processes_share_a_limit_and_each_answers_for_its_own_429s() -> None:
    desk = Desk()
    for number in range(6):
        desk.take(by=f"bot-{number % 2}")  # the sixth, of the second process, is refused
    desk.now += 1
    assert desk.take(by="bot-0")[1] is not None and not desk.violations
    desk.take(by="bot-1")
    assert desk.violations == ["called again 4.000 s before the 429 said it might"]


def test_processes_share_the_fifty_calls_a_second_and_none_is_blamed_for_the_others() -> None:
    desk = Desk()
    for number in range(60):
        _, limited = desk.take("GET", "/users/{user_id}", by=f"bot-{number % 2}", user_id=str(number))
        assert (limited is not None) == (number >= 50)
    assert not desk.violations


def test_fifty_calls_a_second_are_allowed_in_all() -> None:
    desk = Desk()
    for number in range(50):
        assert desk.take("GET", "/users/{user_id}", user_id=str(number))[1] is None
    _, limited = desk.take("GET", "/gateway")
    assert limited.body()["global"]
    assert limited.headers()["X-RateLimit-Global"] == "true"
    assert desk.violations == ["more than 50 requests in a second"]
    desk.take("GET", "/gateway")
    assert len(desk.violations) == 1
    assert desk.take("POST", "/interactions/{interaction_id}/{webhook_token}/callback", webhook_token="t") == ({}, None)
    desk.now += 1
    assert desk.take("GET", "/gateway")[1] is None


def test_a_token_allows_five_calls_in_two_seconds() -> None:
    desk = Desk()
    hook = "/webhooks/{application_id}/{webhook_token}"
    for _ in range(5):
        assert desk.take("POST", hook, webhook_token="t")[1] is None
    assert desk.take("PATCH", hook + "/messages/@original", webhook_token="t")[1].retry_after == 2
    assert desk.take("POST", hook, webhook_token="u")[1] is None


def test_calls_by_token_are_not_counted_in_the_fifty_a_second() -> None:
    desk = Desk()
    hook = "/webhooks/{application_id}/{webhook_token}"
    for number in range(100):
        assert desk.take("PATCH", hook + "/messages/@original", webhook_token=f"t{number % 20}")[1] is None
    callback = "/interactions/{interaction_id}/{webhook_token}/callback"
    for _ in range(100):
        assert desk.take("POST", callback, webhook_token="t0") == ({}, None)
    for _ in range(50):
        assert desk.take("GET", "/gateway")[1] is None
    assert desk.take("GET", "/gateway")[1] is not None


def test_limits_can_be_turned_off() -> None:
    desk = Desk()
    desk.settings.limits_on = False
    assert all(desk.take() == ({}, None) for _ in range(100))
    assert all(desk.rates.old_edit("1") is None for _ in range(10))
    assert all(desk.rates.follow_up("1") is None for _ in range(100))


async def test_a_real_bot_waits_for_its_bucket(scene: Scene) -> None:
    bot = await scene.run(lambda bot: None)
    channel: Any = bot.get_channel(int(scene.yard.id))
    for number in range(7):
        await channel.send(str(number))
    assert len(scene.ann.messages(scene.yard)) == 7
    assert all(call.status == 200 for call in scene.sandbox.calls)
    assert not scene.sandbox.violations


async def test_edits_of_old_messages_have_a_low_limit(scene: Scene) -> None:
    message: Any = (await scene.raw.call("POST", f"/channels/{scene.yard.id}/messages", {"content": "old"}))[1]
    path = f"/channels/{scene.yard.id}/messages/{message['id']}"
    scene.sandbox.age(message, 3_600_001)
    scene.sandbox.settings.window_scale = 1.0  # all four fall into one window, also on a busy machine
    answers = [await scene.raw.call("PATCH", path, {"content": str(number)}) for number in range(4)]
    assert [status for status, _ in answers] == [200, 200, 200, 429]
    assert answers[3][1]["code"] == 30046
    assert 0 < answers[3][1]["retry_after"] <= 20


async def test_an_ordered_429_is_waited_for(scene: Scene) -> None:
    bot = await scene.run(lambda bot: None)
    channel: Any = bot.get_channel(int(scene.yard.id))
    scene.sandbox.fault("POST", MESSAGES, 429, body={"retry_after": 0.2})
    await channel.send("patient")
    statuses = [call.status for call in scene.sandbox.calls if call.template == MESSAGES]
    assert statuses == [429, 200]
    assert not scene.sandbox.violations
    scene.sandbox.fault("POST", f"/channels/{scene.yard.id}/*", 429, body={"retry_after": 9})
    path = f"/channels/{scene.yard.id}/messages"
    assert (await scene.raw.call("POST", path, {"content": "x"}))[0] == 429
    await scene.raw.call("POST", path, {"content": "x"})
    assert (await scene.raw.call("POST", path, {"content": "x"}))[0] == 429


async def test_an_ordered_503_reaches_the_bot_once(scene: Scene) -> None:
    bot = await scene.run(lambda bot: None)
    channel: Any = bot.get_channel(int(scene.yard.id))
    scene.sandbox.fault("POST", MESSAGES, 503)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("lost")
    await channel.send("sent")
    assert [message["content"] for message in scene.ann.messages(scene.yard)] == ["sent"]


async def test_an_answer_can_be_lost_after_the_call_was_handled(scene: Scene) -> None:
    bot = await scene.run(lambda bot: None)
    channel: Any = bot.get_channel(int(scene.yard.id))
    scene.sandbox.fault("POST", MESSAGES, 503, drop=True)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("arrived")
    scene.sandbox.fault("POST", MESSAGES, 0, drop=True)
    with pytest.raises(aiohttp.ClientError):
        await channel.send("arrived too")
    assert [message["content"] for message in scene.ann.messages(scene.yard)] == ["arrived", "arrived too"]


async def test_a_connection_can_be_cut_before_a_call_is_handled_and_after_others_went_well(scene: Scene) -> None:
    bot = await scene.run(lambda bot: None)
    channel: Any = bot.get_channel(int(scene.yard.id))
    scene.sandbox.fault("*", "*", 0, times=100, after=1)
    await channel.send("the first")
    for _ in range(2):
        with pytest.raises(aiohttp.ClientError):
            await channel.send("cut off")
    scene.sandbox.mend()
    await channel.send("the last")
    assert [message["content"] for message in scene.ann.messages(scene.yard)] == ["the first", "the last"]


async def test_a_lost_acknowledgement_and_what_follows_is_no_violation(scene: Scene) -> None:
    errors: list[int] = []

    def add(bot: Bot) -> None:
        @slash(bot, "hello")
        async def hello(interaction: discord.Interaction) -> None:
            try:
                await interaction.response.send_message("hello")
            except discord.HTTPException as error:
                errors.append(error.code)

    await scene.run(add)
    scene.sandbox.fault("POST", "/interactions/{interaction_id}/{webhook_token}/callback", 500, drop=True)
    used = await scene.ann.command(scene.yard, "hello")
    assert used.message["content"] == "hello"
    await scene.ann.until(lambda: errors == [40060])
    assert not scene.sandbox.violations


async def test_new_emoji_can_be_made_slow_to_come(scene: Scene) -> None:
    path = f"/applications/{scene.sandbox.bot_id}/emojis"
    image = "data:image/png;base64," + base64.b64encode(plain_png((1, 2, 3))).decode()
    names = iter(f"card_{number}" for number in range(9))

    async def create() -> int:
        return (await scene.raw.call("POST", path, {"name": next(names), "image": image}))[0]

    assert [await create() for _ in range(4)] == [201] * 4
    scene.sandbox.settings.slow_emoji = True
    scene.sandbox.settings.window_scale = 1.0
    assert [await create() for _ in range(4)] == [201, 201, 201, 429]
    assert float(scene.raw.headers["X-RateLimit-Reset-After"]) > 5
    scene.sandbox.settings.slow_emoji = False
    assert await create() == 201

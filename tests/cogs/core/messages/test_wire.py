"""Calls by an interaction, and what is read of the answers, without the library's objects."""

import inspect
from typing import Any

import discord
from discord.webhook.async_ import AsyncWebhookAdapter

from cogs.core.messages.landed import Landed
from cogs.core.messages.panels import CALM_MS
from cogs.core.messages.wire import TRIED_WITH
from sandbox import Person
from tests.cogs.conftest import House


def test_this_is_the_version_of_the_library_whose_inside_was_looked_at():
    """With another one, read what `wire.py` leans on again, let these tests run, and say so in `TRIED_WITH`."""
    assert discord.__version__.startswith(TRIED_WITH)
    for call in ("create_interaction_response", "edit_webhook_message", "execute_webhook"):
        assert {"session", "proxy", "proxy_auth"} <= set(
            inspect.signature(getattr(AsyncWebhookAdapter, call)).parameters
        )
    assert "self._response_type = InteractionResponseType.message_update" in inspect.getsource(
        discord.InteractionResponse.edit_message
    )


def landed_of(house: House, person: Person) -> Landed:
    """Where somebody's panel stands."""
    return house.session().panels._panels[int(person.id)].landed


def files_of(message: dict[str, Any]) -> list[int]:
    """The numbers of the files that a message's pictures show."""
    galleries = [part["items"] for part in message["components"][0]["components"] if "items" in part]
    return [int(item["media"]["attachment_id"]) for items in galleries for item in items]


async def test_the_message_that_an_answer_or_an_edit_made_is_known_with_its_files(house: House):
    await house.ann.command(house.yard, "break-out start", clock=0, referee="strict")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await house.settle()
    await house.press(house.ann, "Play")
    await house.settle()
    (panel,) = house.ann.ephemerals(house.yard)
    landed = landed_of(house, house.ann)
    assert landed.message == int(panel["id"]) and sorted(landed.files.values()) == sorted(files_of(panel))
    assert len(landed.files) == 2  # the table's picture and the hand
    first = files_of(panel)
    await house.press(house.awaited(), "Draw a card")  # on the table message: the panel is edited by its token
    await house.turn(CALM_MS)
    (panel,) = house.ann.ephemerals(house.yard)
    assert sorted(landed_of(house, house.ann).files.values()) == sorted(files_of(panel)) != sorted(first)
    assert landed_of(house, house.ann).message == int(panel["id"])

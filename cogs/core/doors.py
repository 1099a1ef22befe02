"""The doors: where every click, form and failed command comes in, and the one handler for unexpected errors.

Controls of tables are dynamic items, so they work after a restart and on old messages. What the library would leave
unanswered (a forged custom_id, a form that was open during a restart) is answered here too. May import discord and
its neighbours.
"""

import asyncio
import logging
from typing import Any, Protocol, cast

import discord
from discord import app_commands, ui

from cogs.core import wire
from cogs.core.errors import Told
from cogs.core.wire import Control

log = logging.getLogger(__name__)

UNKNOWN_INTERACTION = 10062
ALREADY_ACKNOWLEDGED = 40060

_SERVED = "cellblock.served"
"""Marks an interaction whose control the library has found on its message."""

SORRY = (
    "Something went wrong on my side, and nothing of the game is lost. Try "
    "again; if it stays so, tell who runs the bot."
)
NOT_OURS = "That control is not one of mine, or too old to know. `/tables` shows your tables anew."


class Host(Protocol):
    """Who serves controls: the client holds one."""

    async def press(self, interaction: discord.Interaction, control: Control) -> None:
        """Serve a control; raise `Told` for what cannot be done."""
        ...


def host_of(interaction: discord.Interaction) -> Host:
    """Return who serves controls for this client."""
    return cast(Host, cast(Any, interaction.client).service)


def _data(interaction: discord.Interaction) -> dict[str, Any]:
    return cast("dict[str, Any]", interaction.data or {})


async def tell(interaction: discord.Interaction, sentence: str) -> None:
    """Say something to the one who asked, privately, whether or not they have been answered already."""
    try:
        if interaction.response.is_done():
            await interaction.followup.send(sentence, ephemeral=True)
        else:
            await interaction.response.send_message(sentence, ephemeral=True)
    except discord.HTTPException as error:
        # Too late, or answered by a call whose own answer was lost: there is nobody left to tell.
        if error.code not in (UNKNOWN_INTERACTION, ALREADY_ACKNOWLEDGED):
            log.warning("a sentence could not be told: %s", error)


async def answer_error(interaction: discord.Interaction, error: BaseException) -> None:
    """Answer whoever asked: the sentence of a `Told`, or an apology for what nobody expected (which is logged with
    its table).
    """
    if isinstance(error, Told):
        await tell(interaction, error.sentence)
        return
    named = wire.read_custom_id(str(_data(interaction).get("custom_id", "")))
    log.error(
        "interaction %s (%s) failed",
        interaction.id,
        f"table {named.table}, {named.verb}"
        if named is not None
        else getattr(interaction.command, "qualified_name", "?"),
        exc_info=error,
    )
    await tell(interaction, SORRY)


async def serve(interaction: discord.Interaction, control: Control) -> None:
    """Serve a control, and answer in any case."""
    try:
        await host_of(interaction).press(interaction, control)
    except Exception as error:
        await answer_error(interaction, error)


class _Door(ui.DynamicItem[Any], template=wire.TEMPLATE):
    """Any control of a table that can be pressed: button or select."""

    def __init__(self, item: ui.Item[Any], control: Control) -> None:
        super().__init__(item)
        self.control = control

    @classmethod
    async def from_custom_id(cls, interaction: discord.Interaction, item: ui.Item[Any], match: Any, /) -> "_Door":
        control = wire.read_custom_id(match.string)
        assert control is not None
        interaction.extras[_SERVED] = True
        return cls(item, control)

    async def callback(self, interaction: discord.Interaction) -> None:
        data = _data(interaction)
        values = tuple(str(value) for value in data.get("values", ()))
        await serve(
            interaction,
            Control(self.control.table, self.control.stamp, self.control.verb, self.control.argument, values),
        )


def _fields(data: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    """Return what was written into a form, by field name."""
    found = []
    for row in data.get("components", ()):
        inner = [row["component"]] if "component" in row else row.get("components", ())
        found += [
            (str(part["custom_id"]), str(part["value"])) for part in inner if "custom_id" in part and "value" in part
        ]
    return tuple(found)


async def on_interaction(interaction: discord.Interaction) -> None:
    """Serve forms, and answer controls that the library passes over in silence."""
    data = _data(interaction)
    custom_id = str(data.get("custom_id", ""))
    control = wire.read_custom_id(custom_id)
    if interaction.type is discord.InteractionType.modal_submit:
        if control is None:
            await tell(interaction, NOT_OURS)
        else:
            filled = Control(control.table, control.stamp, control.verb, control.argument, (), _fields(data))
            await serve(interaction, filled)
    elif interaction.type is discord.InteractionType.component:
        await asyncio.sleep(0)  # the library's own search for the control, begun before this, ends with its first step
        if _SERVED not in interaction.extras:
            await tell(interaction, NOT_OURS)


async def on_command_error(interaction: discord.Interaction, error: app_commands.AppCommandError) -> None:
    """Answer a command that failed. The tree's one error handler."""
    match error:
        case app_commands.CommandInvokeError():
            await answer_error(interaction, error.original)
        case app_commands.TransformerError():
            await tell(
                interaction,
                f"`{error.value}` is not something this option can be. Pick one of the suggestions.",
            )
        case app_commands.NoPrivateMessage():
            await tell(interaction, "That command works in a server's channel only.")
        case app_commands.MissingPermissions():
            names = ", ".join(name.replace("_", " ").title() for name in error.missing_permissions)
            await tell(interaction, f"For that you need the permission {names} on this server.")
        case app_commands.CommandNotFound() | app_commands.CommandSignatureMismatch():
            await tell(
                interaction,
                "That command has changed. Reload Discord (Ctrl+R) or wait a minute, then try again.",
            )
        case _:
            await answer_error(interaction, error)


def hang(client: discord.Client, tree: app_commands.CommandTree[Any]) -> None:
    """Hang the doors into a client, before it connects."""
    client.add_dynamic_items(_Door)
    tree.error(on_command_error)

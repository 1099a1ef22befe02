"""Write docs/commands.md, every slash command with its options, from the bot's command tree: `make commands`."""

import asyncio
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import discord
from discord import AppCommandOptionType as OptionType

import bot
from cogs.core.i18n.languages import Languages
from cogs.core.ops.config import Config
from cogs.core.tables.bot_workers import BotWorkers

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"

Json = Mapping[str, Any]
"""A command or an option as Discord gets it."""

GROUPS = {OptionType.subcommand.value, OptionType.subcommand_group.value}

INTRODUCTION = """# Commands

Every slash command with its options; those in brackets are optional. Nearly everything that a game's commands do can
also be done with buttons. Only people who play at several tables need the option `table`.

`make commands` generates this page from the bot's command tree. Do not edit it.
"""

KINDS = {
    OptionType.user.value: "a user",
    OptionType.channel.value: "a channel",
    OptionType.role.value: "a role",
    OptionType.boolean.value: "true or false",
}


async def command_tree(languages: Languages | None = None) -> list[Json]:
    """Return all commands as Discord gets them, without connecting to it; in all languages that have a catalogue, or
    with the choice among these `languages`.
    """
    with tempfile.TemporaryDirectory() as folder:
        config = Config(None, Path(folder) / "unused.db")
        async with bot.running(config, bot_workers=BotWorkers(0), languages=languages) as client:
            await client.load_cogs()
            return [command.to_dict(client.tree) for command in client.tree.get_commands()]


def page(commands: Sequence[Json]) -> str:
    """Return the text of docs/commands.md."""
    index = [f"| [`/{command['name']}`](#{command['name']}) | {command['description']} |" for command in commands]
    parts = [INTRODUCTION, "\n".join(["| command | description |", "| --- | --- |", *index, ""])]
    for command in commands:
        parts.append(f"## /{command['name']}\n\n{command['description']}\n\n{' '.join(_usable(command))}\n")
        parts += _details(command, f"/{command['name']}")
    return "\n".join(parts)


def _usable(command: Json) -> Iterator[str]:
    """Yield where a command can be used, and by whom."""
    if 1 in command["integration_types"]:
        yield "Works on servers, in direct messages and for people who have installed the bot for themselves."
    elif command["contexts"] is None:
        yield "Works on servers and in direct messages to the bot."
    else:
        yield "Works on servers."
    needed = discord.Permissions(command["default_member_permissions"] or 0)
    for name, wanted in needed:
        if wanted:
            yield f"Needs the permission *{name.replace('guild', 'server').replace('_', ' ').title()}*."


def _details(command: Json, name: str) -> Iterator[str]:
    """Yield a part for each subcommand, or for the command itself if it has none."""
    options = command.get("options", [])
    below = [option for option in options if option["type"] in GROUPS]
    if not below and not options:
        return
    if not below:
        yield f"`{_signature(name, options)}`\n\n" + "".join(map(_option, options))
    for option in below:
        inner, full = option.get("options", []), f"{name} {option['name']}"
        if any(one["type"] in GROUPS for one in inner):
            yield from _details(option, full)
        else:
            listed = "".join(_option(one) for one in inner if one["name"] != "table" or one.get("required"))
            yield f"**`{_signature(full, inner)}`** – {option['description']}\n" + (listed and f"\n{listed}")


def _signature(name: str, options: Sequence[Json]) -> str:
    names = (option["name"] if option.get("required") else f"[{option['name']}]" for option in options)
    return " ".join([name, *names])


def _option(option: Json) -> str:
    """Return the line of an option: its meaning and its values."""
    values = "; ".join(str(choice["name"]) for choice in option.get("choices") or ()) or KINDS.get(option["type"], "")
    least, most = option.get("min_value"), option.get("max_value")
    if not values and least is not None and most is not None:
        values = f"{least} to {most}"
    if not values and option.get("max_length") is not None:
        values = f"at most {option['max_length']} characters"
    return f"- `{option['name']}`: {option['description']}{values and f' ({values})'}\n"


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(asyncio.run(command_tree())), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Validates every value that comes with a command, before anything else reads it: options are checked against their
declaration for Discord, so a range or a choice is declared once.
"""

from collections.abc import Mapping
from typing import Any, cast

import discord
from discord import AppCommandOptionType, app_commands

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.errors import UserError
from cogs.core.ops.text_format import large

TEXT_LIMIT = 200
"""The maximum length of a text option that declares none."""

MAX_TYPED = 100
"""Characters of what is being typed that a completion looks at."""

SAFE_INTEGER = 2**53
"""Discord's own bound for integers."""

TABLE = "table"
"""The option that names a table. Its value is checked where it is read, since the answer names the tables there are."""

MAX_ID = 2**63 - 1
"""The largest number of a user, a channel or a message that can be kept."""

CHANGED = N_("That command has changed. Reload Discord (Ctrl+R) or wait a minute, then try again.")

Json = Mapping[str, Any]


def number(text: str, most: int = SAFE_INTEGER) -> int | None:
    """Return the whole number from 0 to `most` that a text is, None for any other text."""
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(most))):
        return None
    found = int(text)
    return found if found <= most else None


def _leaf(data: Json) -> list[Json]:
    """Return the options of the command itself, out of those of its groups: the very list that came in."""
    options: list[Json] = data.get("options") or []
    while options and options[0].get("type") in (1, 2):
        options = options[0].get("options") or []
    return options


def focused(interaction: discord.Interaction) -> str | None:
    """Return the name of the option that is being typed."""
    return next((str(option.get("name")) for option in _leaf(_data(interaction)) if option.get("focused")), None)


def check_command(interaction: discord.Interaction) -> None:
    """Check each option of a command against its declaration. Raises `UserError`."""
    command = interaction.command
    if not isinstance(command, app_commands.Command):
        raise UserError(_(CHANGED))
    data = _data(interaction)
    declared = {option.display_name: option for option in command.parameters}
    resolved = data.get("resolved") or {}
    for option in _leaf(data):
        parameter = declared.get(str(option.get("name")))
        if parameter is None or option.get("type") != parameter.type.value:
            raise UserError(_(CHANGED))
        named = parameter.display_name == TABLE and parameter.type is AppCommandOptionType.integer
        if not named or "value" not in option:
            _check(parameter, option.get("value"), resolved)


def check_completion(interaction: discord.Interaction) -> None:
    """Check which option is being typed, and remove others that are not valid yet: the command is incomplete, and
    Discord sends no data of the users and channels that were chosen. Raises `UserError`.
    """
    command = interaction.command
    options = _leaf(_data(interaction))
    typed = focused(interaction)
    declared = {option.display_name: option for option in getattr(command, "parameters", ())}
    parameter = declared.get(typed or "")
    if parameter is None or not parameter.autocomplete:
        raise UserError(_(CHANGED))
    options[:] = [option for option in options if option.get("name") == typed or _filled(declared, option)]


def _filled(declared: Mapping[str, app_commands.Parameter], option: Json) -> bool:
    """Return True if an option is filled in as declared."""
    try:
        parameter = declared[option["name"]]
        _check(parameter, option["value"], {})
    except (UserError, KeyError):
        return False
    return bool(option.get("type") == parameter.type.value)


def _check(parameter: app_commands.Parameter, value: Any, resolved: Json) -> None:
    name = parameter.display_name
    match parameter.type:
        case AppCommandOptionType.string:
            least, most = parameter.min_value or 0, parameter.max_value or TEXT_LIMIT
            if not isinstance(value, str) or not least <= len(value) <= most:
                raise UserError(_("`{option}` takes at most {most} characters.", option=name, most=large(int(most))))
        case AppCommandOptionType.integer:
            least = -SAFE_INTEGER if parameter.min_value is None else int(parameter.min_value)
            most = SAFE_INTEGER if parameter.max_value is None else int(parameter.max_value)
            if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
                if least == -SAFE_INTEGER and most == SAFE_INTEGER:
                    raise UserError(_("`{option}` must be a whole number. Pick one of the suggestions.", option=name))
                first, last = large(least), large(most)
                raise UserError(
                    _("`{option}` must be a whole number from {least} to {most}.", option=name, least=first, most=last)
                )
        case AppCommandOptionType.boolean:
            if not isinstance(value, bool):
                raise UserError(_("`{option}` must be true or false.", option=name))
        case AppCommandOptionType.user:
            if not isinstance(value, str) or value not in (resolved.get("users") or {}):
                raise UserError(
                    _("I don't know who you mean by `{option}`. Choose someone from the list.", option=name)
                )
        case AppCommandOptionType.channel:
            found = (resolved.get("channels") or {}).get(value) if isinstance(value, str) else None
            kinds = [kind.value for kind in parameter.channel_types]
            if found is None or (kinds and found.get("type") not in kinds):
                raise UserError(_("That doesn't fit `{option}`. Choose a channel from the list.", option=name))
        case _:
            raise UserError(_(CHANGED))  # a kind of option that none of our commands has
    if parameter.choices and value not in [choice.value for choice in parameter.choices]:
        names = ", ".join(str(choice.value) for choice in parameter.choices)
        raise UserError(_("`{option}` must be one of: {values}.", option=name, values=names))


def _data(interaction: discord.Interaction) -> Json:
    return cast(Json, interaction.data or {})

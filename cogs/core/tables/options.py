"""The options of a game as lobbies offer them: read from the game's own struct, stored, and described in words.

Their texts are data of the engine: a title, a question or description, the values, and the meanings of some values.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec

from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import UNITS, timespan
from data.store import TableRow
from engine.contract import AnyGame, BrokenRecord, Options


class OptionField(msgspec.Struct, frozen=True):
    """One option of a game: its name in the struct, title and values, with `words` for some; `asks` is the question."""

    name: str
    title: str
    description: str
    values: tuple[Any, ...]
    words: Mapping[Any, str] = {}
    asks: str = ""

    def value_text(self, value: Any) -> str:
        """Return a value of it as it is shown."""
        return _(self.words[value]) if value in self.words else value_words(self.name, value)


def option_fields(options: type[Options]) -> tuple[OptionField, ...]:
    """Return the options of a struct in order. Raises TypeError for one that no control could set."""
    fields = []
    for name, hint in get_type_hints(options, include_extras=True).items():
        if get_origin(hint) is not Annotated:
            raise TypeError(f"{options.__name__}: the option {name} has no title")
        kind, meta = get_args(hint)[0], get_args(hint)[1]
        values = get_args(kind) if get_origin(kind) is Literal else tuple(meta.examples or ())
        if not values or not meta.title or not meta.description:
            raise TypeError(
                f"{options.__name__}: the option {name} needs a title, a description and values to choose from"
            )
        more = meta.extra or {}
        words, asks = more.get("words", {}), more.get("asks", "")
        fields.append(OptionField(name, _(meta.title), meta.description, values, words, asks))
    return tuple(fields)


def value_words(name: str, value: Any) -> str:
    """Return an option's value as it is shown."""
    if name != "clock":
        plain = _plain(value)
        return plain if plain.isdecimal() else _(plain)
    if value == 0:
        return _("no clock")
    size, unit = next(pair for pair in UNITS if value % pair[0] == 0)
    return timespan(value // size, unit)


def _plain(value: Any) -> str:
    """Return a value as the descriptions of options name it."""
    return str(value).replace("_", " ")


def meaning(entry: OptionField, value: Any) -> str:
    """Return what a value of an option means, where its description has a sentence for it ("free: it may lie …")."""
    return _(_meanings(entry.description, entry.values).get(_plain(value), ""))


@lru_cache(maxsize=64)
def _meanings(description: str, values: tuple[Any, ...]) -> Mapping[str, str]:
    """Return the English sentences that a description has for values, by the values as it names them."""
    names = "|".join(re.escape(_plain(one)) for one in values)
    return dict(re.findall(rf"(?:^|(?<=\. ))({names}): (.+?)\.?(?=$| (?:{names}): )", description))


def option_description(entry: OptionField) -> str:
    """Return what an option decides: what it `asks`, or else its description, or its title if values have meanings."""
    if entry.asks:
        return _(entry.asks)
    explained = any(meaning(entry, value) for value in entry.values)
    return entry.title if explained else _(entry.description)


def dump_options(options: Options, *, clock: bool) -> str:
    """Return the options of a lobby as stored, with their `clock` only if one was asked for: see `asks_clock`."""
    kept = msgspec.to_builtins(options)
    return msgspec.json.encode(kept if clock else {name: kept[name] for name in kept if name != "clock"}).decode()


def read_options(game: AnyGame, row: TableRow) -> Options:
    """Return the stored options of a table. Raises `BrokenRecord`.

    An option that a table in its lobby lacks has its default; one that a game lacks is as it was when that began.
    """
    try:
        if row.started_at is not None:
            begun: Options = game.read_options(row.options)
            return begun
        options: Options = msgspec.json.decode(row.options, type=game.options)
    except msgspec.DecodeError as error:
        raise BrokenRecord(f"{game.key}: the options of table {row.id} cannot be read: {error}") from error
    return options


def asks_clock(row: TableRow) -> bool:
    """Return True if a clock was asked for, or the server sets one: else a person alone with computers has none."""
    return "clock" in msgspec.json.decode(row.options)


def options_lines(game: AnyGame, options: Options) -> list[str]:
    """Return the options in words, one line each: the clock, and every option that differs from the game's default."""
    usual = game.options()
    clock, *others = option_fields(game.options)
    lines = [_line(clock, clock.value_text(options.clock)) if options.clock else _("No turn clock")]
    for entry in others:
        value = getattr(options, entry.name)
        if value != getattr(usual, entry.name):
            lines.append(_line(entry, " – ".join(filter(None, (entry.value_text(value), meaning(entry, value))))))
    return lines


def _line(entry: OptionField, value: str) -> str:
    return _("{option}: {value}", option=entry.title, value=value)

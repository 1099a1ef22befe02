"""The material of a game (boards, cards and numbers): read from `data/<key>.toml`, validated when the bot starts."""

import re
import tomllib
from pathlib import Path

import msgspec

from engine.contract import AnyGame

FOLDER = Path(__file__).resolve().parent
"""The folder of the shipped material."""

_AT = re.compile(r"^(?P<what>.*) - at `\$\.?(?P<field>.+)`$", re.DOTALL)
_NAMED = re.compile(r"^Object (?P<what>.*) `(?P<field>[^`]+)`$")


class MaterialError(Exception):
    """Invalid material. The message is one sentence with the file, the field and what to do."""


def load_material(game: AnyGame, folder: Path = FOLDER) -> msgspec.Struct:
    """Return the game's material from `<folder>/<key>.toml`, as the struct `game.material`. Raises `MaterialError`."""
    path = folder / f"{game.key}.toml"
    name = f"{folder.name}/{path.name}"
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MaterialError(
            f"The material of {game.title} is missing: put {name} back as it was shipped, in {folder}."
        ) from None
    except OSError as error:
        raise MaterialError(f"{name} cannot be read ({error.strerror}): let the bot read {path}.") from error
    except UnicodeDecodeError as error:
        raise MaterialError(f"{name} is not in UTF-8 (byte {error.start}): save it in that encoding.") from error
    except tomllib.TOMLDecodeError as error:
        raise MaterialError(
            f"{name} is not valid TOML: {error}; correct it there, or put the shipped file back."
        ) from error
    try:
        material: msgspec.Struct = msgspec.convert(raw, game.material, strict=True)
    except msgspec.ValidationError as error:
        raise MaterialError(f"{name}: {_complaint(str(error))}; correct it, or put the shipped file back.") from error
    return material


def _complaint(message: str) -> str:
    """Return what is wrong, beginning with the field. msgspec names it at the end, as a path or in words."""
    at = _AT.match(message)
    what, place = (at["what"], at["field"]) if at else (message, "")
    named = _NAMED.match(what)
    if named:
        field = f"{place}.{named['field']}" if place else named["field"]
        return f"the field {field} is wrong: {_PLAIN.get(named['what'], named['what'])}"
    return f"the field {place} is wrong: {what}" if place else what


_PLAIN = {
    "missing required field": "it is missing",
    "contains unknown field": "there is no such field",
}

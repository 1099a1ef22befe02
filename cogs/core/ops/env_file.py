"""The lines of `.env`, where the owner writes settings down: all of them hold, or the bot says which does not.

A line that is passed over would let the bot go on with what is usual instead: another database, say.
"""

import io
from pathlib import Path

from dotenv import load_dotenv
from dotenv.parser import parse_stream

from cogs.core.ops.errors import ConfigurationError


def load_env_file(path: Path) -> None:
    """Add what stands in the file to the environment, which outranks it; a file that is not there says nothing. Raises
    `ConfigurationError` for one that cannot be read, or a line of it; never with the line itself, which may hold the
    token.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be read ({error.strerror}): let the bot read it, or move it away and set its variables in "
            "the environment."
        ) from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not written in UTF-8: save it again in that encoding.") from error
    for line in parse_stream(io.StringIO(text)):
        if line.error or (line.key is not None and line.value is None):
            raise ConfigurationError(
                f"{path}, line {_number(line.original.string, line.original.line)}: this is no setting. Write it as "
                "NAME=value, with a quotation mark on both sides of the value or on none, or put # in front of it."
            )
    load_dotenv(stream=io.StringIO(text), interpolate=False)  # a password may have ${...} in it


def _number(string: str, first: int) -> int:
    """Return on which line something stands that begins after empty ones."""
    return first + string[: len(string) - len(string.lstrip())].count("\n")

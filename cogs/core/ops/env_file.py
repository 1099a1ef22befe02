"""Reads `.env` strictly: a line that cannot be parsed is an error, since ignoring it could select another database."""

import io
from pathlib import Path

from dotenv import load_dotenv
from dotenv.parser import parse_stream

from cogs.core.ops.errors import ConfigurationError


def load_env_file(path: Path) -> None:
    """Add the file's variables to the environment, which takes precedence; a missing file is ignored. Raises
    `ConfigurationError` for a file that cannot be read or a malformed line, without quoting the line, which may contain
    the token.
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
    """Return the number of the line on which a statement begins, after empty lines."""
    return first + string[: len(string) - len(string.lstrip())].count("\n")

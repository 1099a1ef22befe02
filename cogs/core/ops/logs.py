"""Sets up logging: how much is logged, and on request each line as a JSON object."""

import json
import logging
import re
from datetime import UTC, datetime

import discord

from cogs.core.ops.config import Config

LOGGERS = ("cellblock", "cogs", "data")
"""The bot's own loggers."""

_TABLE = re.compile(r"\btable ([0-9]+)\b")


class JsonLines(logging.Formatter):
    """Formats a record as a line of JSON, with the `table` that it or its error names, and its `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        message = record.getMessage()
        line: dict[str, object] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": message,
        }
        error = record.exc_info[1] if record.exc_info else None
        names = [message, *getattr(error, "__notes__", ())]
        found = next((match for match in map(_TABLE.search, names) if match is not None), None)
        if found is not None:
            line["table"] = int(found[1])
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def set_up_logging(config: Config) -> None:
    """Configure logging as the owner wants it. Libraries log INFO at most: at DEBUG, discord.py logs everything it
    sends and receives, including interaction tokens and players' hands.
    """
    level = logging.getLevelNamesMapping()[config.log_level]
    least = max(level, logging.INFO)
    if config.log_format == "json":
        discord.utils.setup_logging(level=least, formatter=JsonLines())
    else:
        discord.utils.setup_logging(level=least)
    for name in LOGGERS:
        logging.getLogger(name).setLevel(level)

"""`python -m sandbox`: serve a sandbox alone, so that a bot can restart under an open page, or run in several
processes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys

from .demo_world import default_world
from .server import Sandbox


async def serve(arguments: argparse.Namespace) -> None:
    """Serve until interrupted."""
    sandbox = Sandbox(port=arguments.port, token=arguments.token)
    sandbox.privileged_intents = set(arguments.intent)
    sandbox.settings.shards = arguments.shards
    sandbox.settings.max_concurrency = arguments.max_concurrency
    sandbox.settings.session_starts = arguments.starts
    sandbox.settings.paced_identifies = True
    async with sandbox:
        default_world(sandbox, arguments.servers, arguments.people)
        sys.stdout.write(
            f"The sandbox is open at {sandbox.url}/\n\n"
            "A bot connects to it with these settings, in one process or in several:\n\n"
            f"DISCORD_TOKEN={sandbox.token}\n"
            f"DISCORD_API={sandbox.api}\n"
            f"DISCORD_GATEWAY={sandbox.gateway}\n"
        )
        sys.stdout.flush()
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in the loop
            loop.add_signal_handler(signal.SIGTERM, stop.set)
        await stop.wait()


def _number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m sandbox", description=__doc__)
    parser.add_argument("--port", type=int, default=8700, help="the port on 127.0.0.1 (default 8700)")
    parser.add_argument("--token", default="sandbox", help="the bot's token (default: sandbox)")
    parser.add_argument(
        "--intent",
        action="append",
        default=[],
        choices=["members", "presences", "message_content"],
        help="grant a privileged intent; may be given several times",
    )
    parser.add_argument("--servers", type=_number, default=1, help="how many servers there are (default 1)")
    parser.add_argument("--people", type=_number, default=6, help="how many people, on every server (default 6)")
    parser.add_argument("--shards", type=_number, default=1, help="the number of shards to recommend (default 1)")
    parser.add_argument(
        "--max-concurrency", type=_number, default=1, help="how many shards may identify within 5 s (default 1)"
    )
    parser.add_argument("--starts", type=_number, default=1_000, help="identifies a day (default 1000)")
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments))


if __name__ == "__main__":
    main()

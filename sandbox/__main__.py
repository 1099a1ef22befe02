"""`python -m sandbox`: the server alone, so that a bot can be restarted under an open page."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys

from .scenery import default_world
from .server import Sandbox


async def serve(port: int, token: str | None, intents: list[str]) -> None:
    """Serve until interrupted."""
    sandbox = Sandbox(port=port, token=token)
    sandbox.privileged_intents = set(intents)
    async with sandbox:
        default_world(sandbox)
        sys.stdout.write(
            f"The sandbox is open at {sandbox.url}/\n\n"
            "A bot connects to it with these settings:\n\n"
            f"DISCORD_TOKEN={sandbox.token}\n"
            f"DISCORD_API={sandbox.api}\n"
            f"DISCORD_GATEWAY={sandbox.gateway}\n"
            f"DISCORD_CDN={sandbox.cdn}\n"
        )
        sys.stdout.flush()
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in the loop
            loop.add_signal_handler(signal.SIGTERM, stop.set)
        await stop.wait()


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
    arguments = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(arguments.port, arguments.token, arguments.intent))


if __name__ == "__main__":
    main()

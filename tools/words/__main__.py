"""Write the list of everything that people can read: `python -m tools.words`. Read its diff before it is committed."""

import asyncio

from cogs.registry import GAMES
from tools.words import WORDS_FILE, lessons, written
from tools.words.server import on_server
from tools.words.source import heading, modules, said
from tools.words.tables import SEEDS, at_tables


def main() -> None:
    """Write the list."""
    screens = [package.screen() for package in GAMES]
    games = [(screen.game.title, at_tables(screen, SEEDS)) for screen in screens]  # before a picture is kept
    commands, server = asyncio.run(on_server())
    parts = [("Commands", commands), ("On a server, outside the games", server), *games]
    parts += [(lessons.heading(screen), set(lessons.taught(screen))) for screen in screens]
    parts += [(heading(path), words) for path in modules() if (words := set(said(path)))]
    WORDS_FILE.write_text(written(parts), encoding="utf-8")


if __name__ == "__main__":
    main()

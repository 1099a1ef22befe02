"""Write docs/words.txt, the list of all texts that people read: `python -m tools.words`. Review its diff."""

import asyncio

from cogs.registry import GAMES
from tools.words import WORDS_FILE, written
from tools.words.server import on_server
from tools.words.source import heading, lesson_heading, lesson_sentences, modules, said
from tools.words.tables import SEEDS, at_tables


def main() -> None:
    """Write the list."""
    uis = [package.ui() for package in GAMES]
    games = [(ui.game.title, at_tables(ui, SEEDS)) for ui in uis]  # before any picture is cached
    commands, server = asyncio.run(on_server())
    parts = [("Commands", commands), ("On a server, outside the games", server), *games]
    parts += [(lesson_heading(ui), set(lesson_sentences(ui))) for ui in uis]
    parts += [(heading(path), words) for path in modules() if (words := set(said(path)))]
    WORDS_FILE.write_text(written(parts), encoding="utf-8")


if __name__ == "__main__":
    main()

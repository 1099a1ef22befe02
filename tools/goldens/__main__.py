"""Write all goldens, of playthroughs and of calls: `python -m tools.goldens`."""

import asyncio

from engine.games import GAMES
from tools.goldens import calls, golden, golden_file


def main() -> None:
    """Write every game's goldens."""
    for game in GAMES.values():
        golden_file(game).write_text(golden(game), encoding="utf-8")
        calls.golden_file(game.key).write_text(asyncio.run(calls.golden(game.key)), encoding="utf-8")


if __name__ == "__main__":
    main()

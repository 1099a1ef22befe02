"""Re-make the goldens, of playthroughs and of calls: `python -m tools.goldens`. Read their diff before committing."""

import asyncio

from engine.games import GAMES
from tools.goldens import calls as calls_per_move
from tools.goldens import golden, golden_file


def main() -> None:
    """Write every game's goldens."""
    for game in GAMES.values():
        golden_file(game).write_text(golden(game), encoding="utf-8")
        calls = asyncio.run(calls_per_move.golden(game.key))
        calls_per_move.golden_file(game.key).write_text(calls, encoding="utf-8")


if __name__ == "__main__":
    main()

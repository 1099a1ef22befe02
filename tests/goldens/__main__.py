"""Re-make the golden playthroughs: `python -m tests.goldens`. Read their diff before it is committed."""

from engine.games import GAMES
from tests.goldens import golden, golden_file


def main() -> None:
    """Write every game's golden."""
    for game in GAMES.values():
        golden_file(game).write_text(golden(game), encoding="utf-8")


if __name__ == "__main__":
    main()

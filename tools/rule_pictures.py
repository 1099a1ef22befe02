"""The pictures of the rule books, which are those of the rules in the bot: `python -m tools.rule_pictures` writes them.

Look at them, and at the books, before they are committed; a book shows each where it tells of it.
"""

from collections.abc import Iterator
from pathlib import Path, PurePath

from cogs.core.pages.page import Picture
from cogs.registry import GAMES

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "rules" / "pictures"


def pictures(key: str) -> Iterator[tuple[str, Picture]]:
    """Yield the pictures in a game's rules, each with the name of its file."""
    screen = next(package.screen() for package in GAMES if package.game.key == key)
    for page in screen.rules():
        for picture in page.pictures():
            what = PurePath(picture.name).stem.removeprefix("rules-").replace("-", "_")
            yield f"{key}_{what}.png", picture


def main() -> None:
    """Write every picture, and delete those that no rules have any more."""
    FOLDER.mkdir(exist_ok=True)
    drawn = {name: picture.data for package in GAMES for name, picture in pictures(package.game.key)}
    for name, data in drawn.items():
        (FOLDER / name).write_bytes(data)
    for path in FOLDER.glob("*.png"):
        if path.name not in drawn:
            path.unlink()


if __name__ == "__main__":
    main()

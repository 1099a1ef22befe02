"""Write the pictures of the rule books, the same as in `/rules`: `python -m tools.rule_pictures`. Look at them before
you commit them.
"""

from collections.abc import Iterator
from pathlib import Path, PurePath

from cogs.core.pages.page import Picture
from cogs.registry import GAMES

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "rules" / "pictures"


def pictures(key: str) -> Iterator[tuple[str, Picture]]:
    """Yield the pictures of a game's rules, each with its file name."""
    screen = next(package.ui() for package in GAMES if package.game.key == key)
    for page in screen.rules():
        for picture in page.pictures():
            what = PurePath(picture.name).stem.removeprefix("rules-").replace("-", "_")
            yield f"{key}_{what}.png", picture


def main() -> None:
    """Write every picture, and delete those that are no longer used."""
    FOLDER.mkdir(exist_ok=True)
    drawn = {name: picture.data for package in GAMES for name, picture in pictures(package.game.key)}
    for name, data in drawn.items():
        (FOLDER / name).write_bytes(data)
    for path in FOLDER.glob("*.png"):
        if path.name not in drawn:
            path.unlink()


if __name__ == "__main__":
    main()

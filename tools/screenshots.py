"""Take the README's screenshots: `python -m tools.screenshots [GAME ...]`. Plays each game in Chromium against
computers, by the bot's own hints, and photographs its middle.

Seeds are fixed, but the time to think depends on the machine. Look at the pictures before you commit them.
"""

import argparse
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FOLDER = ROOT / "docs" / "screenshots"

GAMES = {
    "rope_wall": ("/rope-wall start computer:rookie", 7),
    "match_five": ("/match-five start computer:rookie", 9),
    "ausbrecher": ("/ausbrecher start computer:rookie", 16),
    "prison_break": ("/prison-break start computer:rookie", 7),
    "break_out": ("/break-out start computer:rookie rounds:2", 14),
}
"""The command that opens a table of each game, and how many hints Ann follows before the screenshot."""

SEEDED = (
    "import random, sys, types, bot, sandbox\n"
    "from cogs.core.tables import moves\n"
    "moves.secrets = types.SimpleNamespace(token_bytes=random.Random('screenshots').randbytes)\n"
    "class Unlimited(sandbox.Sandbox):\n"
    "    def __init__(self, **options):\n"
    "        super().__init__(**options)\n"
    "        self.limits_on = False\n"
    "sandbox.Sandbox = Unlimited\n"
    "sys.exit(bot.main(['--sandbox', '--port', '0']))\n"
)
"""`make play` with fixed seeds, and without rate limits, so that all emoji can be created at once."""

EMOJI_MS = 15_000
"""The most time that creating them takes."""

PHONE, DESKTOP = (390, 844), (1400, 900)
PATIENCE_MS = 60_000
COLOURS = 255
"""Colours of a screenshot; enough for the page, and a third of the size."""


@contextmanager
def played() -> Iterator[str]:
    """Run the bot on its sandbox, and yield the address of its page."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE": str(Path(folder) / "page.db"), "LOG_LEVEL": "ERROR"}
        with subprocess.Popen(
            [sys.executable, "-c", SEEDED], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)), None)
            assert found is not None, "the bot ended before it was ready"
            try:
                yield found[0]
            finally:
                process.terminate()


def start(page: Any, command: str) -> None:
    """Type a slash command and send it."""
    page.wait_for_function("() => document.querySelector('#composer') !== null")
    page.fill("#composer", command)
    page.keyboard.press("Enter")


def newest(page: Any) -> Any:
    """Return the last message of the channel."""
    return page.locator("#channel-pane [data-message-id]").last


def press(page: Any, label: str) -> bool:
    """Press the last button in the channel with this label. Return False if there is none."""
    name = re.compile(rf"^\s*{re.escape(label)}\s*$")
    found = page.locator("#channel-pane [data-custom-id]:not([aria-disabled=true])").filter(has_text=name)
    if not found.count():
        return False
    found.last.click()
    page.wait_for_timeout(700)
    return True


def follow(page: Any) -> None:
    """Follow a hint as soon as Ann can act."""
    for _ in range(40):
        if press(page, "Ready"):
            continue
        if press(page, "More …") and press(page, "Hint"):
            page.wait_for_timeout(2_500)  # while the bot thinks
            if press(page, "Do it"):
                return
        press(page, "◀ Back to the game")
        page.wait_for_timeout(1_000)
    raise AssertionError(f"nothing is Ann's to do: {newest(page).inner_text()}")


def taken(page: Any, size: tuple[int, int], name: str) -> None:
    """Take a screenshot."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_timeout(500)
    newest(page).scroll_into_view_if_needed()
    page.evaluate("document.activeElement.blur()")
    page.mouse.move(0, 0)
    page.wait_for_timeout(500)
    picture = Image.open(io.BytesIO(page.screenshot()))
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / name, optimize=True)


def photograph(browser: Any, address: str, game: str) -> None:
    """Play a game to its middle, and take screenshots as on a desktop and on a phone."""
    command, moves = GAMES[game]
    page = browser.new_page(viewport={"width": DESKTOP[0], "height": DESKTOP[1]}, color_scheme="dark")
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{address}/#Ann")
    page.wait_for_selector("body[data-connected]")
    start(page, command)
    page.keyboard.press("Enter")
    page.wait_for_timeout(2_000)
    press(page, "Start")
    page.wait_for_timeout(3_000)
    press(page, "Play")
    for _ in range(moves):
        follow(page)
    page.wait_for_timeout(6_000)  # the computers take their turns
    taken(page, DESKTOP, f"{game}-desktop.png")
    taken(page, PHONE, f"{game}-phone.png")
    page.close()


def main() -> None:
    """Play the named games, or all of them."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", choices=[[], *GAMES], help="the games; all if none is named")
    games = parser.parse_args().games or list(GAMES)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for game in games:
            with played() as address:
                time.sleep(EMOJI_MS / 1_000)
                photograph(browser, address, game)
        browser.close()


if __name__ == "__main__":
    main()

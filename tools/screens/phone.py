"""A phone that shows pages of the bot in Chromium, as the sandbox's own page does, and measures them."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sandbox.web_ui.server import FOLDER
from tools.screens.states import State
from tools.screenshots import CHROMIUM, PHONE

Scheme = Literal["dark", "light"]

SPARE = 0.1
"""The share of the usable height that must stay free, since real clients differ."""

ADDRESS = "http://phone.invalid"

SCRIPT = re.compile(r"<script.*</script>")
"""Connects the sandbox's page with its server."""

SHOW = """async (components) => {
  const { messageView } = await import('/page/message.js');
  const bot = { id: '1', username: 'Cellblock', bot: true };
  const world = {
    users: new Map([['1', bot]]), me: { id: '2' }, bot, commands: [], guild: null, channels: [], emojis: new Map(),
    busy: () => false, picked: () => undefined, failure: () => null, look: () => null, role: () => null,
    channel: () => null, messages: () => [], now: () => Date.now(), botName: () => 'Cellblock',
  };
  const message = {
    id: '9', author: bot, flags: 64, timestamp: new Date().toISOString(), components, mentions: [], type: 20,
  };
  document.querySelector('#channel-pane').replaceChildren(messageView(world, '3', message, true));
  await Promise.all([...document.images].map((image) => image.decode().catch(() => null)));
}"""
"""Show a message with these components, and wait for its pictures."""

MEASURE = """(article) => {
  const style = getComputedStyle(document.documentElement);
  const bars = ['--phone-header', '--phone-input'].map((name) => parseFloat(style.getPropertyValue(name)));
  const boxes = (selector) => [...article.querySelectorAll(selector)].map((found) => found.getBoundingClientRect());
  const boards = boxes('.gallery img').filter((box) => box.width >= 200);
  const controls = boxes('.components :is(.button, .select):not([aria-disabled=true])');
  const parts = [...boards.slice(0, 1), ...controls];
  const broken = (found) => {
    const range = document.createRange();
    range.selectNodeContents(found);
    const lines = [...range.getClientRects()].map((box) => box.top);
    return Math.max(...lines) > Math.min(...lines) + 4 || found.scrollWidth > found.clientWidth + 1;
  };
  const words = [...article.querySelectorAll('.button-label, .select .placeholder, .select .chosen')];
  const whole = article.querySelector('.components')?.getBoundingClientRect();
  return {
    usable: innerHeight - bars[0] - bars[1],
    height: parts.length ? Math.max(...parts.map((b) => b.bottom)) - Math.min(...parts.map((b) => b.top)) : 0,
    whole: whole?.height ?? 0,
    board: boards[0]?.height ?? 0,
    controls: controls.length,
    cut: words.filter(broken).map((found) => found.textContent),
    wide: Math.max(0, ...parts.map((box) => box.right)) > innerWidth,
  };
}"""
"""Measure a message: from the top of its board to the bottom of the last enabled control."""


EMOJI = '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"/>'
"""A placeholder for an emoji of the application."""


@dataclass(frozen=True)
class Measured:
    """The heights of a message in CSS pixels: `height` of the board with all controls, `whole` of the message with its
    texts, `board` of the first picture. `cut`: the labels of buttons and selects that do not fit on one line, where
    some clients cut them.
    """

    usable: float
    height: float
    whole: float
    board: float
    controls: int
    wide: bool
    cut: Sequence[str] = ()

    def share(self, *, whole: bool) -> float:
        """Return the share of the usable height that the board and the controls take, with the space to spare; or that
        the `whole` message takes, if that is more.
        """
        return max(self.height / self.usable / (1 - SPARE), self.whole / self.usable * whole)

    def fits(self, *, whole: bool) -> bool:
        """Return True if they are visible together."""
        return self.share(whole=whole) <= 1 and not self.wide and not self.cut


class Phone:
    """A page of Chromium as large as a phone. It needs no server: the sandbox's files are read from the disk."""

    def __init__(self, browser: Any, scheme: Scheme) -> None:
        self.page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]}, color_scheme=scheme)
        self._pictures: dict[str, bytes] = {}
        self.page.route("**/*", self._serve)
        self.page.goto(ADDRESS)

    def show(self, state: State) -> Measured:
        """Show a message and measure it."""
        text = json.dumps(state.components)
        self._pictures.clear()
        for address, data in state.files.items():
            path = f"/pictures/{hash(data)}"
            self._pictures[path] = data
            text = text.replace(json.dumps(address), json.dumps(ADDRESS + path))
        self.page.evaluate(SHOW, json.loads(text))
        return Measured(**self.page.eval_on_selector("article", MEASURE))

    def photograph(self, path: Path) -> None:
        """Take a picture of the whole visible message."""
        self.page.set_viewport_size({"width": PHONE[0], "height": 2 * PHONE[1]})
        self.page.locator("article").screenshot(path=str(path))
        self.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})

    def _serve(self, route: Any) -> None:
        """Answer a request of the page with a file of the sandbox or a picture of the message."""
        path = route.request.url.removeprefix(ADDRESS)
        if path == "/":
            index = (FOLDER / "index.html").read_text(encoding="utf-8")
            route.fulfill(body=SCRIPT.sub("", index), content_type="text/html")
        elif path.startswith("/page/"):
            route.fulfill(path=str(FOLDER / path.removeprefix("/page/")))
        elif path.startswith("/cdn/"):
            route.fulfill(body=EMOJI, content_type="image/svg+xml")
        elif path in self._pictures:
            data = self._pictures[path]
            route.fulfill(body=data, content_type="image/gif" if data.startswith(b"GIF") else "image/png")
        else:
            route.abort()


@contextmanager
def chromium() -> Iterator[Any]:
    """Launch a headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()

"""Covers for lobbies and for the list of games: pictures of sample games."""

import asyncio
import itertools
import logging
import random
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any

from PIL import Image

from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import INK, WIDTH
from cogs.core.i18n.translation import Language, _, present
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.page import Picture
from engine.chance import SEED_BYTES, Chance
from engine.contract import AnyGame, Expire, Moment, Seat

log = logging.getLogger(__name__)

COVER_MOVES = 14
"""Moves before a cover is drawn: something is on the table by then, and nothing is decided."""

MAX_SEATS = 4

HEIGHT = 450
"""Height of a cover in pixels: a phone still shows the buttons below."""

FADE = 110
"""Rows at the foot of a cover that fade into the dark."""

COLUMNS, GAP = 3, 8
"""Covers in a row of the picture of all games, and the pixels between them."""

WAIT_S = 0.4
"""How long a page waits for its cover; if a lobby's is drawn later, it comes with an edit of its own."""

ALL = ""
"""Stands for the picture of all games."""

NAMELESS = "囚"
"""A name that the pictures' font cannot show, so that only the marks of the seats are drawn."""


class Covers:
    """The covers of all games in each language, whose pictures have words. `materials` are the cards and other data of
    the games, by key.
    """

    def __init__(self, game_uis: Mapping[str, GameUI], materials: Mapping[str, Any]) -> None:
        self._game_uis = game_uis
        self._materials = materials
        self._drawings: dict[tuple[str, Language], asyncio.Task[Picture | None]] = {}  # by game, or `ALL`

    async def of(self, game: str, drawn: Callable[[], None] | None = None) -> Picture | None:
        """Return a game's cover; None while it is being drawn, or if the game has no picture. If it is drawn too late,
        `drawn` is called then.
        """
        drawing = self._drawing(game)
        picture = await _soon(drawing)
        if drawn is not None and not drawing.done():
            drawing.add_done_callback(lambda _drawing: drawn())
        return picture

    async def sheet(self) -> Picture | None:
        """Return the covers of all games as one picture; None while they are being drawn."""
        return await _soon(self._drawing(ALL))

    async def prerender(self) -> None:
        """Draw the covers of all games, and with them most of what the first pictures of tables need."""
        await self._drawing(ALL)

    def _drawing(self, game: str) -> asyncio.Task[Picture | None]:
        key = game, present()
        if key not in self._drawings:
            drawing = self._sheet() if game == ALL else self._cover(game)
            self._drawings[key] = asyncio.create_task(drawing, name=f"cover-{game}")
        return self._drawings[key]

    async def _cover(self, game: str) -> Picture | None:
        """Draw a cover. An error in drawing is logged, and the game is played without a cover."""
        try:
            return await asyncio.to_thread(cover, self._game_uis[game], self._materials[game])
        except Exception:
            log.exception("the cover of %s could not be drawn", game)
            return None

    async def _sheet(self) -> Picture | None:
        found = [(ui.title, await self._drawing(game)) for game, ui in self._game_uis.items()]
        shown = [(title, picture) for title, picture in found if picture is not None]
        return await asyncio.to_thread(contact_sheet, shown) if shown else None


async def _soon(drawing: "asyncio.Task[Picture | None]") -> Picture | None:
    await asyncio.wait({drawing}, timeout=WAIT_S)
    return drawing.result() if drawing.done() else None


def cover(ui: GameUI, material: Any) -> Picture | None:
    """Return the cover of a game: always the same."""
    game = ui.game
    seats = min(MAX_SEATS, game.player_counts[-1])
    players = tuple(SeatedPlayer(Seat(seat), NAMELESS, seat + 1) for seat in range(seats))
    *_before, state = itertools.islice(_sample_states(game, material, seats), COVER_MOVES + 1)
    picture = ui.picture(game.view(state, None), TableContext(0, players, game.options()))
    if picture is None:
        return None
    return cropped(picture, f"cover-{game.key}.png", _("A table of {game} in the middle of a game.", game=ui.title))


def cropped(picture: Picture, name: str, alt: str) -> Picture:
    """Return the upper part of a table's picture as a cover, which fades out at its foot."""
    with Image.open(BytesIO(picture.data)) as whole:
        upper = whole.convert("RGB").crop((0, 0, whole.width, min(whole.height, HEIGHT)))
    if upper.height == HEIGHT:
        night = Image.new("RGB", (upper.width, FADE), INK)
        dusk = Image.linear_gradient("L").resize(night.size)
        upper.paste(night, (0, HEIGHT - FADE), dusk)
    return Picture(encode_image(upper.quantize(256, Image.Quantize.FASTOCTREE)), name, alt)


def contact_sheet(covers: list[tuple[str, Picture]]) -> Picture:
    """Return covers, each with its game's title, as one picture with small ones in rows."""
    wide = (WIDTH - GAP * (COLUMNS - 1)) // COLUMNS
    high = wide * HEIGHT // WIDTH
    rows = -(-len(covers) // COLUMNS)
    sheet = Image.new("RGB", (WIDTH, rows * high + (rows - 1) * GAP), INK)
    for number, (_title, picture) in enumerate(covers):
        row, column = divmod(number, COLUMNS)
        in_row = min(COLUMNS, len(covers) - row * COLUMNS)
        left = (WIDTH - in_row * wide - (in_row - 1) * GAP) // 2 + column * (wide + GAP)
        with Image.open(BytesIO(picture.data)) as small:
            sheet.paste(small.convert("RGB").resize((wide, high), Image.Resampling.LANCZOS), (left, row * (high + GAP)))
    names = ", ".join(title for title, _picture in covers)
    return Picture(
        encode_image(sheet.quantize(256, Image.Quantize.FASTOCTREE)),
        "games.png",
        _("The games, each in the middle of play: {names}.", names=names),
    )


def _sample_states(game: AnyGame, material: Any, seats: int) -> Iterator[Any]:
    """Yield every state of a game, except its end."""
    at, dice = Moment(0), random.Random(7)
    state = game.fold(game.setup(seats, game.options(clock=0), material, at, _chance(0)))
    for number in itertools.count(1):
        if game.outcome(state) is not None:
            return
        yield state
        seat = next(iter(game.view(state, None).to_act), None)
        legal = [] if seat is None else list(game.legal(state, seat))
        deadline = min(game.deadlines(state), key=lambda one: one.due, default=None)
        if legal:
            events = game.decide(state, seat, dice.choice(legal), at, _chance(number))
        elif deadline is not None:
            at = Moment(max(at, deadline.due))
            events = game.decide(state, None, Expire(deadline.id), at, _chance(number))
        else:
            return
        state = game.fold(events, state)


def _chance(number: int) -> Chance:
    return Chance(bytes(SEED_BYTES), "cover", number)

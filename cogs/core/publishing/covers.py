"""Pictures of sample games: covers for lobbies and the list of games, and what is drawn once after a start."""

import asyncio
import contextlib
import itertools
import logging
import random
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from io import BytesIO
from typing import Any

from PIL import Image

from cogs.core.drawing.png import encode_image
from cogs.core.drawing.sprites import drawing_ahead
from cogs.core.drawing.theme import INK, WIDTH
from cogs.core.i18n.translation import Language, _, present
from cogs.core.pages.game_ui import GameUI, SeatedPlayer, TableContext
from cogs.core.pages.page import Picture
from cogs.core.pages.player_page import seat_page, table_page
from cogs.core.publishing.responder import PendingAnswers
from engine.chance import SEED_BYTES, Chance
from engine.contract import Action, AnyGame, Expire, Moment, Seat

log = logging.getLogger(__name__)

COVER_MOVES = 14
"""Moves before a cover is drawn: something is on the table by then, and nothing is decided."""

PRERENDERED_MOVES = 4
"""Moves of which every picture is drawn after a start: knots, tiles and cards are on the table by then."""

PRERENDERED_WITHIN_S = 60.0
"""Drawing ahead ends after this long, also if people have always been waiting."""

MAX_MOVES = 3_000
"""Moves after which a sample game is left: most have ended by then."""

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

    async def prerender(self, answers: PendingAnswers) -> None:
        """Draw the parts of all pictures, so that nobody's first click waits for them: seconds, off the event loop, and
        only while nobody waits for an answer. What is not drawn after `PRERENDERED_WITHIN_S` is drawn when it is shown.
        """

        def draw(pages: Iterator[None]) -> bool:
            with drawing_ahead(lambda: answers.unanswered > 0 and loop.time() < until):
                return next(pages, True) is None

        loop = asyncio.get_running_loop()
        until = loop.time() + PRERENDERED_WITHIN_S
        games = deque(prerender_game(ui, self._materials[game]) for game, ui in self._game_uis.items())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                while games:
                    await answers.wait_until_none()
                    pages = games.popleft()
                    if await asyncio.to_thread(draw, pages):
                        games.append(pages)  # what each game shows first is drawn before what any shows later
        await self.sheet()
        log.info("the pictures are warm")

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
    *_before, state = first_states(game, material, seats, COVER_MOVES)
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


# Sample games


def prerender_game(ui: GameUI, material: Any) -> Iterator[None]:
    """Draw everything that a game's UI shows in its first moments, and for each number of players the first picture of
    each later kind: one page at each step.
    """
    game = ui.game
    ui.rules()
    for seats in game.player_counts:
        players = tuple(
            SeatedPlayer(Seat(seat), _("Player {number}", number=seat + 1), seat + 1) for seat in range(seats)
        )
        info = TableContext(0, players, game.options())
        first = first_states(game, material, seats, PRERENDERED_MOVES) if seats == game.player_counts[-1] else ()
        for state in itertools.chain(first, states_by_kind(game, material, seats)):
            table_page(ui, game.view(state, None), info)
            yield
            for player in players[:2]:
                seat_page(ui, game.view(state, player.seat), info)
                yield


def first_states(game: AnyGame, material: Any, seats: int, most: int) -> Iterator[Any]:
    """Yield the first states of a game: the one that begins it, and up to `most` more, none of which is its end."""
    for state, _legal in itertools.islice(_played(game, material, seats), most + 1):
        if game.outcome(state) is None:
            yield state


def states_by_kind(game: AnyGame, material: Any, seats: int) -> Iterator[Any]:
    """Yield the first state of each type of action of a game that is played to its end, and the end."""
    seen = set()
    for state, legal in itertools.islice(_played(game, material, seats), MAX_MOVES):
        kind = type(legal[0]) if legal else game.outcome(state) is None
        if kind not in seen:
            seen.add(kind)
            yield state


def _played(game: AnyGame, material: Any, seats: int) -> Iterator[tuple[Any, list[Action]]]:
    """Yield every state of a game, and the legal actions of the player it waits for."""
    at, dice = Moment(0), random.Random(7)
    state = game.fold(game.setup(seats, game.options(clock=0), material, at, _chance(0)))
    for number in itertools.count(1):
        seat = next(iter(game.view(state, None).to_act), None)
        legal = [] if seat is None else list(game.legal(state, seat))
        yield state, legal
        if game.outcome(state) is not None:
            return
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

"""The pages of `/achievements`: all badges at a glance, and those of one game with how to earn them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cogs.core.drawing.badges import draw_badge, rgb
from cogs.core.drawing.canvas import Canvas, fitted_size, text_width
from cogs.core.drawing.png import encode_image
from cogs.core.drawing.theme import ASH, CHALK, LAMP, NIGHT, SLATE, STONE, WIDTH
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.storage import Earned
from cogs.core.pages.achievements import LIST, SHARE, TELL, Achievement, Achievements, badge_of, told_text
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Link, Page, Picture, Row, Select, SelectOption, Text, join_within, rows


@dataclass(frozen=True)
class Shown:
    """What somebody has achieved on a server: the first time of each, by game and name. `whole`: whether all of their
    games were judged.
    """

    earned: Mapping[tuple[str, str], Earned]
    whole: bool = True


@dataclass(frozen=True)
class GameBadges:
    """The achievements of one game, and the game's UI."""

    ui: GameUI
    achievements: Achievements

    def done(self, shown: Shown) -> int:
        """Return how many of them were earned."""
        return sum((self.ui.game.key, one.name) in shown.earned for one in self.achievements.listed)


_EDGE, _GAP, _HEAD, _ROW, _SECOND = 14, 6, 34, 96, 26
_RADIUS = 32
_LETTERS, _FEWEST = 24, 21  # the size of a title, and below what size it takes two lines
"""The look of the picture: a box for each game, with its title above its badges, and space for a `_SECOND` line."""


def draw(games: Sequence[GameBadges], shown: Shown) -> Picture:
    """Return the picture of all badges: earned ones in colour, the others grey."""
    lines = [
        len(_lines(_(one.title), _wide(len(game.achievements.listed))))
        for game in games
        for one in game.achievements.listed
    ]
    tall = _HEAD + _ROW + (_SECOND if max(lines, default=1) > 1 else 0)
    canvas = Canvas(WIDTH, 2 * _EDGE - _GAP + len(games) * (tall + _GAP), NIGHT)
    for number, game in enumerate(games):
        _game(canvas, _EDGE + number * (tall + _GAP), tall, game, shown)
    return Picture(encode_image(canvas.picture(), 128), "achievements.png", alt(games, shown))


def alt(games: Sequence[GameBadges], shown: Shown) -> str:
    """Return the picture in words."""
    sentences = []
    for game in games:
        key = game.ui.game.key
        titles = [_(one.title) for one in game.achievements.listed if (key, one.name) in shown.earned]
        sentences.append(
            _(
                "{game}, {done} of {total}: {titles}.",
                game=game.ui.title,
                done=len(titles),
                total=len(game.achievements.listed),
                titles=", ".join(titles) or "-",
            )
        )
    return join_within(sentences)


def _game(canvas: Canvas, top: float, tall: float, game: GameBadges, shown: Shown) -> None:
    done, listed, key = game.done(shown), game.achievements.listed, game.ui.game.key
    colour = rgb(game.ui.colour)
    canvas.box(_EDGE, top, WIDTH - _EDGE, top + tall, SLATE, radius=12)
    canvas.box(_EDGE, top, _EDGE + 12, top + tall, colour if done else STONE, radius=6)
    left, right, line = _EDGE + 28, WIDTH - _EDGE - 16, top + 22
    canvas.text(left, line, game.ui.title, 26, CHALK if done else ASH, anchor="lm")
    canvas.text(right, line, f"{done}/{len(listed)}", 26, LAMP if done else ASH, anchor="rm")
    wide = _wide(len(listed))
    for number, one in enumerate(listed):
        earned = (key, one.name) in shown.earned
        x = _EDGE + 16 + (number + 0.5) * (wide + _GAP)
        draw_badge(canvas, x, top + _HEAD + 34, _RADIUS, one.symbol, colour, earned=earned)
        for place, (words, size) in enumerate(_lines(_(one.title), wide)):
            canvas.text(x, top + _HEAD + 82 + place * _SECOND, words, size, CHALK if earned else ASH)


def _wide(columns: int) -> float:
    """Return the width of each badge in a row with this many."""
    return (WIDTH - 2 * _EDGE - 20) / columns - _GAP


def _lines(title: str, width: float) -> list[tuple[str, int]]:
    """Return a title in one line, or in two where it is too long for letters of a legible size; each with its size."""
    size = fitted_size(title, _LETTERS, width)
    words = title.split(" ")
    if size >= _FEWEST or len(words) < 2:
        return [(title, size)]
    cuts = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    best = min(cuts, key=lambda cut: max(text_width(part, _LETTERS) for part in cut))
    return [(part, fitted_size(part, _LETTERS, width)) for part in best]


def overview(games: Sequence[GameBadges], shown: Shown, picture: Picture) -> Page:
    """Return the page with all badges; a button leads to each game."""
    total = sum(len(game.achievements.listed) for game in games)
    done = sum(game.done(shown) for game in games)
    count = ngettext(
        "-# {done} of {n} achievement on this server", "-# {done} of {n} achievements on this server", total, done=done
    )
    blocks: list[Block] = [Text(f"{_('### Your achievements')}\n{count}"), picture]
    if not shown.whole:
        blocks.append(Text(_("-# Your earlier games are still being looked through.")))
    buttons: list[Button | Link] = [
        Button(game.ui.title, LIST, game.ui.game.key, "primary" if game.done(shown) else "secondary") for game in games
    ]
    return Page((*blocks, *rows(buttons, 3)), EDGE)


def switch_page(*, told: bool) -> Page:
    """Return the page on which a person chooses whether they are told of new achievements."""
    heading = _("### When you achieve something")
    switch = Button(_("Don't tell me"), TELL, "off") if told else Button(_("Tell me"), TELL, "on", "success")
    ways = Row((switch, Button(_("My achievements"), LIST)))
    return Page((Text(f"{heading}\n{told_text(told=told)}"), ways), EDGE)


def game_page(game: GameBadges, shown: Shown, *, share: bool) -> Page:
    """Return the page with the achievements of one game: when each was earned, or how to earn it. Not for the event
    loop.
    """
    ui, key = game.ui, game.ui.game.key
    blocks: list[Block] = [Text(_("### Achievements · {game}", game=ui.title))]
    for one in game.achievements.listed:
        earned = shown.earned.get((key, one.name))
        blocks.append(badge_of(one, ui.colour, earned=earned is not None).text(_when(earned)))
    mine = [one for one in game.achievements.listed if (key, one.name) in shown.earned]
    if mine and share:
        choices = tuple(SelectOption(_(one.title), f"{key}.{one.name}") for one in mine)
        blocks.append(Select(SHARE, choices, _("Share in channel …")))
    blocks.append(Row((Button(_("◀ All achievements"), LIST),)))
    return Page(tuple(blocks), ui.colour)


def _when(earned: Earned | None) -> str:
    if earned is None:
        return _("Not earned yet")
    return _("✓ {date} · table {table}", date=f"<t:{earned.at // 1_000}:d>", table=earned.table)


def shared_page(player: str, ui: GameUI, earned: Sequence[Achievement]) -> Page:
    """Return what everybody sees of what a player has achieved. Not for the event loop."""
    head = ngettext(
        "{player} shares an achievement · {game}",
        "{player} shares achievements · {game}",
        len(earned),
        player=player,
        game=ui.title,
    )
    return Page((Text(head), *(badge_of(one, ui.colour).text() for one in earned)), ui.colour)

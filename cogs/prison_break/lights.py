"""The pause after the lights: where everyone is, beside where their declarations had led until then.

Only public facts are read, so the picture and its text are the same for every reader.
"""

from collections.abc import Iterator, Sequence
from math import ceil

import msgspec

from cogs.core.drawing.canvas import Canvas, fitted_name, scaled_size, text_width
from cogs.core.drawing.composition import PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ALARM, CHALK, INK, LAMP, NIGHT, WIDTH, Colour, mix
from cogs.core.i18n.translation import N_, _, cached_by_language, ngettext
from cogs.core.pages import interludes
from cogs.core.pages.game_ui import TableContext
from cogs.prison_break.corridor import (
    BRICK,
    BUBBLE,
    GLOW,
    MOST_SEATS,
    NAME_SIZE,
    NAME_WIDTH,
    ROW,
    Stage,
    draw_question,
    draw_row,
    draw_sample,
    draw_sky,
    draw_wall,
    flat_colours,
)
from cogs.prison_break.log_words import news_lines
from cogs.prison_break.offer_cards import PAPER
from cogs.prison_break.row_sprites import cell_sprite, plate_sprites, speech_sprite
from cogs.prison_break.tower import LAMP_BOX, SKY, draw_beam, draw_die, draw_lamp, draw_moon, draw_tower
from cogs.prison_break.words import Who, at, declarations_in, round_words, seen_words, sum_words
from engine.contract import Seat
from engine.games.prison_break import LightsThrown, LogEntry, Position, PrisonBreakView, RoundStarts, VotesShown

_FOOT = 64
"""The height of the strip with the legend."""

_TRUE: Colour = (112, 208, 148)
"""A declaration that was true."""


NOTHING_NEW = N_("Nothing new: everyone is where they claimed to be.")
"""The first news line if the lights caught no one elsewhere."""


# ----------------------------------------------------------------------------------------------------------------- text


def view_before(view: PrisonBreakView) -> PrisonBreakView:
    """Return a view of an interlude with what the table knew of everyone just before the lights."""
    last = next(number for number in reversed(range(len(view.log))) if _shows_all(view.log[number]))
    return msgspec.structs.replace(view, prisoners=view.believed, log=view.log[:last])


def _shows_all(entry: LogEntry) -> bool:
    match entry:
        case LightsThrown(positions=positions):
            return positions is not None
        case VotesShown(positions=positions):
            return None not in positions
        case _:
            return False


def _die_face(view: PrisonBreakView) -> int:
    """Return the face of the die that lit the yard, 0 if an offer did."""
    last = next(entry for entry in reversed(view.log) if _shows_all(entry))
    return last.roll if isinstance(last, LightsThrown) else 0


def gap_words(gap: int) -> str:
    """Return the distance of a player from where their declarations led."""
    if not gap:
        return _("as said")
    # Translators: a number of spaces.
    return ngettext("{n} behind", "{n} behind", -gap) if gap < 0 else ngettext("{n} ahead", "{n} ahead", gap)


def status(view: PrisonBreakView, info: TableContext) -> str:
    """Return that the game pauses, and until when."""
    assert view.interlude is not None
    if _die_face(view):
        what = _("▶ **Lights on!** The die lit the yard: all positions are shown · {round}", round=round_words(view))
    else:
        what = _("▶ **Lights on!** Both accepted the offer: all positions are shown · {round}", round=round_words(view))
    waits = interludes.waits(view.interlude, info, _("The round goes on"))
    return f"{what}\n{waits}"


def news(view: PrisonBreakView, info: TableContext) -> str:
    """Return where everyone is, and how far that is from where their declarations led.

    For a round in which no one sneaked before the lights, include why: play continued at once.
    """
    earlier, lines = view_before(view), []
    if isinstance(earlier.log[-1], RoundStarts):
        lines = [f"-# {line}" for line in news_lines(earlier, info.name, 1)]
    return "\n".join([*lines, _gap_lines(view, info)])


def _gap_lines(view: PrisonBreakView, info: TableContext) -> str:
    found = list(_gaps(view))
    if not any(gap for _seat, _position, gap in found):
        where = (_name_at(info.name(seat), position, view.spaces) for seat, position, _gap in found)
        return f"-# {_(NOTHING_NEW)} {' · '.join(where)}"
    return "-# " + " · ".join(_gap_line(info.name(seat), position, gap, view.spaces) for seat, position, gap in found)


def _name_at(name: str, position: Position, spaces: int) -> str:
    # Translators: where a player really is: "Ann on 7".
    return _("{name} {where}", name=name, where=at(position, spaces))


def _gap_line(name: str, position: Position, gap: int, spaces: int) -> str:
    where = at(position, spaces)
    if not gap:
        return _("{name} {where}, as said", name=name, where=where)
    if gap < 0:
        return ngettext(
            "{name} {where}, {n} behind their claim",
            "{name} {where}, {n} behind their claim",
            -gap,
            name=name,
            where=where,
        )
    return ngettext(
        "{name} {where}, {n} ahead of their claim",
        "{name} {where}, {n} ahead of their claim",
        gap,
        name=name,
        where=where,
    )


def _gaps(view: PrisonBreakView) -> Iterator[tuple[Seat, Position, int]]:
    """Yield each player's position, and how far it is ahead of where their declarations led."""
    for number, (prisoner, earlier) in enumerate(zip(view.prisoners, view.believed, strict=True)):
        yield Seat(number), prisoner.seen, prisoner.seen - earlier.led


def found_lines(view: PrisonBreakView, who: Who) -> Iterator[str]:
    """Yield each player's position, and where their declarations had led."""
    for seat, position, gap in _gaps(view):
        where = at(position, view.spaces)
        if not gap:
            yield _("{name} is {where}, as said", name=who(seat), where=where)
            continue
        # Translators: "Ann is on 5, 2 behind: claimed to be on 7".
        yield _(
            "{name} is {where}, {gap}: claimed to be {claimed}",
            name=who(seat),
            where=where,
            gap=gap_words(gap),
            claimed=at(position - gap, view.spaces),
        )


def sentences(view: PrisonBreakView, names: Sequence[str]) -> Iterator[str]:
    """Yield the picture in words."""
    thrown = _die_face(view)
    if not any(gap for _seat, _position, gap in _gaps(view)):
        yield _(NOTHING_NEW)
    if thrown:
        yield _("Lights on: the die shows {roll}, all positions are shown.", roll=thrown)
    else:
        yield _("Lights on: both accepted the offer, all positions are shown.")
    for line in found_lines(view, lambda seat: names[seat]):
        yield f"{line}."
    earlier = view_before(view)
    sums = declarations_in(earlier.log, len(earlier.prisoners))  # the log that no other page has
    for number, prisoner in enumerate(earlier.prisoners):
        seat = Seat(number)
        yield ngettext(
            "Before that, {name}: {seen}, {said}; {n} token.",
            "Before that, {name}: {seen}, {said}; {n} tokens.",
            view.prisoners[seat].tokens,
            name=names[seat],
            seen=seen_words(earlier, seat),
            said=sum_words(sums[seat], prisoner.printed),
        )


# ---------------------------------------------------------------------------------------------------------- the picture


@cached_by_language(24)
def _stage(seats: int, spaces: int) -> Stage:
    tops = tuple(SKY + 8 + ROW * seat for seat in range(seats))
    foot = tops[-1] + ROW + 6
    height = foot + _FOOT
    ground = Canvas(WIDTH, height, NIGHT)
    draw_sky(ground, SKY, 1962, range(170, 560))
    draw_moon(ground)
    draw_wall(ground, SKY, foot)
    ground.box(0, SKY - 4, WIDTH, SKY + 5, mix(BRICK, INK, 0.5))
    for top in tops:
        draw_row(ground, top, spaces)
    draw_tower(ground)
    ground.box(0, foot, WIDTH, height, mix(NIGHT, INK, 0.4))
    ground.box(0, foot, WIDTH, foot + 4, INK)
    sample = Canvas(WIDTH, 4 * ROW + 80, NIGHT)
    draw_sample(sample, spaces)
    draw_beam(sample)
    sample.text(200, 4 * ROW + 40, gap_words(0), 30, _TRUE)
    sample.text(500, 4 * ROW + 40, gap_words(-3), 30, ALARM)
    like = None if seats == MOST_SEATS else _stage(MOST_SEATS, spaces).palette
    flat = (*flat_colours(seats), PAPER, _TRUE)
    palette = Palette(ground.picture(), [sample.picture()], flat, bands=(SKY - 4, *tops, foot), like=like)
    return Stage(palette, tops, spaces)


@drawn
def _head(stage: Stage) -> PlacedBitmap:
    """The lit sky."""
    canvas = _sky(stage, 0, 0, WIDTH, SKY - 4)
    words = _("LIGHTS ON!")
    canvas.text(176, 48, words, scaled_size(words, 44, 350), LAMP, anchor="lm", halo=INK)
    return PlacedBitmap(stage.palette.bitmap(canvas), 0, 0)


def _sky(stage: Stage, left: int, top: int, width: int, height: int) -> Canvas:
    """A part of the sky with the beam across it."""
    canvas = stage.palette.canvas(left, top, width, height)
    draw_beam(canvas)
    return canvas


@drawn
def _lamp(stage: Stage, warden: int) -> PlacedBitmap:
    canvas = _sky(stage, *LAMP_BOX)
    draw_lamp(canvas, warden, True)
    return PlacedBitmap(stage.palette.bitmap(canvas), *LAMP_BOX[:2])


@drawn
def _line(stage: Stage, round_: int) -> PlacedBitmap:
    words = _("round {round} · everyone is seen", round=round_)
    left, top, size = 168, 74, scaled_size(words, 25, 350)
    canvas = _sky(stage, left, top, 22 + ceil(text_width(words, size)), SKY - 4 - top)
    canvas.text(177, 88, words, size, CHALK, anchor="lm", bold=False, halo=INK)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


@drawn
def _cause(stage: Stage, thrown: int) -> PlacedBitmap:
    """What lit the yard: the die that was thrown, or an offer."""
    left, top = 530, 12
    canvas = _sky(stage, left, top, 220, 92)
    if thrown:
        draw_die(canvas, 640, 58, 32, thrown, True)
    else:
        offer, accepted = _("offer"), _("both accepted")
        canvas.text(636, 46, offer, scaled_size(offer, 26, 200), LAMP, halo=INK)
        canvas.text(636, 80, accepted, scaled_size(accepted, 24, 200), CHALK, halo=INK)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


@drawn
def _legend(stage: Stage) -> PlacedBitmap:
    """The legend of the two marks of a row."""
    palette = stage.palette
    top = stage.tops[-1] + ROW + 12
    canvas = palette.canvas(0, top, WIDTH, _FOOT - 6)
    middle = top + (_FOOT - 6) / 2
    draw_question(canvas, 96, middle, 17)
    claimed, real = _("where they claimed to be"), _("where they really are")
    canvas.text(126, middle, claimed, scaled_size(claimed, 26, 310), CHALK, anchor="lm", bold=False)
    canvas.box(448, middle - 24, 496, middle + 24, GLOW, 9)
    canvas.disc(472, middle, 16, INK)
    canvas.disc(472, middle, 14, CHALK)
    canvas.text(510, middle, real, scaled_size(real, 26, 282), CHALK, anchor="lm", bold=False)
    return PlacedBitmap(palette.bitmap(canvas), 0, top)


@drawn
def _verdict(stage: Stage, seat: int, gap: int) -> PlacedBitmap:
    """The distance of the lights from a player's declarations, below these."""
    left, top = WIDTH - 14 - BUBBLE, stage.tops[seat] + 58
    canvas = stage.palette.canvas(left, top, BUBBLE + 14, ROW - 58)
    middle, words = WIDTH - 8 - BUBBLE / 2 + 1, gap_words(gap)
    canvas.box(middle - 45, top + 2, middle + 44, top + 31, INK, 8)
    canvas.text(middle, top + 16, words, scaled_size(words, 24, 83), _TRUE if not gap else ALARM)
    return PlacedBitmap(stage.palette.bitmap(canvas), left, top)


def draw(view: PrisonBreakView, names: Sequence[str] = ("",) * 4) -> bytes:
    """Return what the lights showed as a PNG `WIDTH` wide, with these names on the rows.

    The same view gives the same bytes for every reader. Thread-safe.
    """
    stage = _stage(len(view.prisoners), view.spaces)
    sheet = stage.palette.composition()
    sheet.placed += _sprites(stage, view, names)
    return encode(sheet)


def _sprites(stage: Stage, view: PrisonBreakView, names: Sequence[str]) -> Iterator[PlacedBitmap]:
    yield from (_head(stage), _lamp(stage, view.warden), _line(stage, view.round), _cause(stage, _die_face(view)))
    yield _legend(stage)
    for seat, position, gap in _gaps(view):
        declared, top = position - gap, stage.tops[seat]
        name = fitted_name(names[seat], NAME_SIZE, NAME_WIDTH)
        yield from plate_sprites(stage, seat, view.prisoners[seat].tokens, "", False, name)
        yield speech_sprite(stage, seat, view.believed[seat].declared)
        yield _verdict(stage, seat, gap)
        for between in range(min(declared, position) + 1, max(declared, position)):
            yield cell_sprite(stage, top, seat, between, "trail", ROW)
        if gap:
            yield cell_sprite(stage, top, seat, declared, "claim", ROW)
        yield cell_sprite(stage, top, seat, position, "lit", ROW)

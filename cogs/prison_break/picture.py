"""The picture of Prison Break's table: what everyone may know.

The Warden's tower is above the cell corridor; below it are the offers, and at the bottom the four phases of a round.
`alt_text` has the alt text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import msgspec

from cogs.core.drawing.canvas import Canvas, scaled_size, text_width
from cogs.core.drawing.composition import PlacedBitmap
from cogs.core.drawing.palette import Palette
from cogs.core.drawing.png import encode
from cogs.core.drawing.sprites import drawn
from cogs.core.drawing.theme import ALARM, ASH, CHALK, INK, LAMP, NIGHT, SLATE, WIDTH, Colour, mix
from cogs.core.i18n.translation import N_, _, cached_by_language
from cogs.prison_break import offer_cards
from cogs.prison_break.alt_text import this_round
from cogs.prison_break.corridor import (
    BRICK,
    MOST_SEATS,
    ROW,
    Stage,
    draw_legend,
    draw_look,
    draw_plate,
    draw_row,
    draw_sample,
    draw_since,
    draw_sky,
    draw_speech,
    draw_wall,
    flat_colours,
)
from cogs.prison_break.end_picture import draw_end
from cogs.prison_break.lights import draw as draw_lights
from cogs.prison_break.path_sprites import STRIP, draw_paths_legend, draw_strip, path_sprites
from cogs.prison_break.row_sprites import marker_sprite, own_sprite, row_sprites
from cogs.prison_break.tower import LAMP_BOX, SKY, draw_beam, draw_die, draw_lamp, draw_moon, draw_tower
from cogs.prison_break.words import at
from engine.contract import Seat
from engine.games.prison_break import JAIL, Card, LightsThrown, PrisonBreakView, Terms, VotesShown, terms_of

_FOOT = 58
_KEY = 42  # the height of the legend
_DIE = 570  # the left edge of the die's area
_LINE = 72  # the y of the line below the round's number
# Translators: the four phases of a round.
_PHASES = (N_("SNEAK"), N_("LIGHTS"), N_("OFFER"), N_("GUARDS"))


@dataclass(frozen=True, eq=False)
class _Table:
    """The table's stage and the parts below its rows; `ways`: show the real way below each row."""

    stage: Stage
    slots: int
    ways: bool

    @property
    def shelf(self) -> int:
        """The top of the cards."""
        return _key(self.stage.tops, self.ways) + _KEY * (1 + self.ways)

    @property
    def foot(self) -> int:
        """The top of the phases."""
        return self.stage.palette.ground.height - _FOOT

    def card(self, number: int) -> tuple[int, int]:
        """Return the left and right edge of a card."""
        width = min(250, (WIDTH - 16 - 10 * (self.slots - 1)) // self.slots)
        left = (WIDTH - self.slots * width - 10 * (self.slots - 1)) // 2 + number * (width + 10)
        return left, left + width


@cached_by_language(96)
def _table(seats: int, spaces: int, slots: int, ways: bool) -> _Table:
    return _Table(_stage(seats, spaces, ways), slots, ways)


def _key(tops: Sequence[int], ways: bool) -> int:
    """Return the tops of the lines of the legend."""
    return tops[-1] + ROW + 4 + STRIP * ways


@cached_by_language(48)
def _stage(seats: int, spaces: int, ways: bool) -> Stage:
    tops = tuple(SKY + 8 + (ROW + STRIP * ways) * seat for seat in range(seats))
    key = _key(tops, ways)
    shelf = key + _KEY * (1 + ways)
    height = shelf + offer_cards.HEIGHT + 12 + _FOOT
    ground = Canvas(WIDTH, height, NIGHT)
    draw_sky(ground, SKY, 1962, range(170, 420))
    draw_moon(ground)
    draw_wall(ground, SKY, key - 2)
    ground.box(0, SKY - 4, WIDTH, SKY + 5, mix(BRICK, INK, 0.5))
    for top in tops:
        draw_row(ground, top, spaces)
        if ways:
            draw_strip(ground, top)
    ground.box(0, key - 2, WIDTH, height, mix(NIGHT, INK, 0.4))
    ground.box(0, key - 2, WIDTH, key + 2, INK)
    draw_legend(ground, key + 20)
    if ways:
        draw_paths_legend(ground, key + _KEY + 16)
    draw_tower(ground)
    sample = Canvas(WIDTH, 4 * ROW + 200, NIGHT)
    draw_sample(sample, spaces)
    sample.box(0, 4 * ROW, 400, 4 * ROW + 200, offer_cards.PAPER)
    sample.text(200, 4 * ROW + 50, _("OFFER"), 40, INK)
    offer_cards.draw_vote(sample, 60, 4 * ROW + 140, True, 20)
    offer_cards.draw_vote(sample, 140, 4 * ROW + 140, False, 20)
    sample.box(400, 4 * ROW, 600, 4 * ROW + 200, LAMP)
    sample.box(600, 4 * ROW, 800, 4 * ROW + 200, mix(LAMP, NIGHT, 0.5))
    flat = (*flat_colours(seats), offer_cards.PAPER, offer_cards.YES, offer_cards.NO)
    bands = (SKY - 4, *tops, key, shelf, height - _FOOT)
    like = None if seats == MOST_SEATS else _stage(MOST_SEATS, spaces, ways).palette
    palette = Palette(ground.picture(), [sample.picture()], flat, bands=bands, like=like)
    return Stage(palette, tops, spaces)


# -------------------------------------------------------------------------------------------------------- dynamic parts


def _draw_die(canvas: Canvas, lit: bool, die: int) -> None:
    """The die of the lights check."""
    draw_die(canvas, 640, 46, 27, die, lit)
    words = _("lights on") if lit else _("dark")
    canvas.text(640, 97, words, scaled_size(words, 23, 130), LAMP if lit else ASH, halo=INK)


def _phase(canvas: Canvas, number: int, top: int, now: bool, void: bool) -> None:
    left, right = _phase_edges(number)
    ground = LAMP if now else SLATE
    tip = 14
    middle = top + 26
    corners = [(left, top + 6), (right - tip, top + 6), (right, middle), (right - tip, top + 46), (left, top + 46)]
    if number:
        corners.append((left + tip, middle))
    canvas.area(corners, ground)
    ink = INK if now else ASH
    words = _(_PHASES[number])
    canvas.text((left + right) / 2, middle, words, scaled_size(words, 27, right - left - 3 * tip), ink)
    if void:
        canvas.line([(left + 30, middle), (right - 30, middle)], 4, ALARM)


def _phase_edges(number: int) -> tuple[int, int]:
    return 8 + 196 * number, 8 + 196 * number + (196 if number == len(_PHASES) - 1 else 200)


# ---------------------------------------------------------------------------------------------------------- the sprites


@drawn
def _lamp_sprite(table: _Table, warden: int, lit: bool) -> PlacedBitmap:
    palette = table.stage.palette
    canvas = palette.canvas(*LAMP_BOX)
    draw_lamp(canvas, warden, lit)
    return PlacedBitmap(palette.bitmap(canvas), *LAMP_BOX[:2])


def _sky(table: _Table, left: int, right: int, lit: bool, top: int = 0, bottom: int = SKY - 4) -> Canvas:
    """A part of the sky, lit if the tower's lamp is on."""
    canvas = table.stage.palette.canvas(left, top, right - left, bottom - top)
    if lit:
        draw_beam(canvas)
    return canvas


@drawn
def _beam_sprite(table: _Table) -> PlacedBitmap:
    return PlacedBitmap(table.stage.palette.bitmap(_sky(table, 150, WIDTH, True)), 150, 0)


@drawn
def _round_sprite(table: _Table, round_: int, lit: bool) -> PlacedBitmap:
    words = _("ROUND {round}", round=round_)
    size = scaled_size(words, 44, 390)
    canvas = _sky(table, 160, 190 + ceil(text_width(words, size)), lit, 0, _LINE)
    canvas.text(176, 48, words, size, CHALK, anchor="lm", halo=INK if lit else None)
    return PlacedBitmap(table.stage.palette.bitmap(canvas), 160, 0)


@drawn
def _line_sprite(table: _Table, line: str, lit: bool, paint: Colour) -> PlacedBitmap:
    """The remark below the round's number."""
    size = scaled_size(line, 25, 390) if line else 25
    canvas = _sky(table, 160, 190 + ceil(text_width(line, size)), lit, _LINE, SKY - 4)
    canvas.text(177, 88, line, size, paint, anchor="lm", bold=paint == LAMP, halo=INK)
    return PlacedBitmap(table.stage.palette.bitmap(canvas), 160, _LINE)


@drawn
def _die_sprite(table: _Table, lit: bool, die: int) -> PlacedBitmap:
    canvas = _sky(table, _DIE, 710, lit)
    _draw_die(canvas, lit, die)
    return PlacedBitmap(table.stage.palette.bitmap(canvas), _DIE, 0)


@drawn
def _card_sprite(table: _Table, number: int, terms: Terms, up: bool, vote: offer_cards.Vote) -> PlacedBitmap:
    palette = table.stage.palette
    left, right = table.card(number)
    canvas = palette.canvas(left, table.shelf, right - left, offer_cards.HEIGHT)
    offer_cards.draw_card(canvas, left, right, table.shelf, terms, up, vote)
    return PlacedBitmap(palette.bitmap(canvas), left, table.shelf)


@drawn
def _ballot_sprite(table: _Table, number: int, up: bool, ballot: offer_cards.Ballot) -> PlacedBitmap:
    palette = table.stage.palette
    left, right = table.card(number)
    x, y, width, height = offer_cards.ballot_box(left, right, table.shelf)
    canvas = palette.canvas(x, y, width, height)
    offer_cards.draw_ballot(canvas, left, right, table.shelf, up, ballot)
    return PlacedBitmap(palette.bitmap(canvas), x, y)


@drawn
def _phases_sprite(table: _Table, now: int, void: bool) -> PlacedBitmap:
    palette = table.stage.palette
    canvas = palette.canvas(0, table.foot, WIDTH, _FOOT)
    for number in range(len(_PHASES)):
        _phase(canvas, number, table.foot, number == now, void and not number)
    return PlacedBitmap(palette.bitmap(canvas), 0, table.foot)


# -------------------------------------------------------------------------------------------------------------- drawing


def draw(view: PrisonBreakView, names: Sequence[str] = ("",) * 4) -> bytes:
    """Return the table as a PNG `WIDTH` wide, with these names on the rows; at the end with the real ways.

    The same view gives the same bytes. Thread-safe. Only the content of a public view is drawn.
    """
    if view.phase == "over":
        return draw_end(view, names)
    if view.interlude is not None:
        return draw_lights(view, names)
    return _drawn(view, names, ways=False)


def draw_own(view: PrisonBreakView, names: Sequence[str] = ("",) * 4) -> bytes:
    """Return the table as a PNG `WIDTH` wide for its reader alone, with their real position on their own row, and their
    markers."""
    return _drawn(view, names, ways=False, own=view.seat)


def card_box(view: PrisonBreakView, number: int) -> tuple[int, int, int, int]:
    """Return the edges of a card of the row: left, top, right and bottom."""
    table = _table(len(view.prisoners), view.spaces, len(view.row), False)
    left, right = table.card(number)
    return left, table.shelf, right, table.shelf + offer_cards.HEIGHT


def draw_open(view: PrisonBreakView, names: Sequence[str]) -> bytes:
    """Return a moment of a finished game as a PNG `WIDTH` wide, with everyone's real way below their declarations.

    In an interlude the rows still show what could be believed until then.
    """
    if view.phase == "over":
        return draw_end(view, names)
    if view.interlude is not None:
        view = msgspec.structs.replace(view, prisoners=view.believed)
    return _drawn(view, names, ways=True)


def _drawn(view: PrisonBreakView, names: Sequence[str], *, ways: bool, own: Seat | None = None) -> bytes:
    table = _table(len(view.prisoners), view.spaces, len(view.row), ways)
    sheet = table.stage.palette.composition()
    sheet.placed += _sprites(table, view, names, own)
    if own is not None:
        sheet.placed.append(own_sprite(table.stage, own, view.positions[own] or JAIL))
        sheet.placed += (
            marker_sprite(table.stage, seat, one) for seat, all_ in enumerate(view.markers) for one in all_
        )
    if ways:
        for seat, path in enumerate(view.paths):
            sheet.placed += path_sprites(table.stage, seat, path, "")
    return encode(sheet)


def _sprites(table: _Table, view: PrisonBreakView, names: Sequence[str], own: Seat | None) -> Iterator[PlacedBitmap]:
    now = this_round(view)
    lights = next((entry for entry in now if isinstance(entry, LightsThrown)), None)
    lit = lights is not None and lights.positions is not None
    yield _lamp_sprite(table, view.warden, view.phase == "offer" or lit)
    if lit:
        yield _beam_sprite(table)
    yield _round_sprite(table, view.round, lit)
    line, paint = (_line_words(view), CHALK) if own is None else (own_words(view, own), LAMP)
    yield _line_sprite(table, line, lit, paint)
    if lights is not None and lights.roll:
        yield _die_sprite(table, lit, lights.roll)
    for seat in range(len(view.prisoners)):
        yield from row_sprites(table.stage, view, Seat(seat), names[seat], truth=False)
    place, voted_on = _ballot(view, now)
    for number, card in enumerate(view.row):
        terms = terms_of(card.kind, view.terms)
        ballot = voted_on if number == place else None
        vote: offer_cards.Vote = "none" if ballot is None else "open" if ballot.votes is None else "shown"
        yield _card_sprite(table, number, terms, card.up, vote)
        if ballot is not None:
            yield _ballot_sprite(table, number, card.up, ballot)
    yield _phases_sprite(table, _phase_of(view), view.no_sneak_round == view.round)


def _phase_of(view: PrisonBreakView) -> int:
    """Return the current phase; of an interlude the one in which the lights went on."""
    if view.phase == "interlude":
        return 1 if isinstance(view.log[-1], LightsThrown) else 2
    return {"sneak": 0, "offer": 2, "vote": 2, "guard": 3}[view.phase]


def _line_words(view: PrisonBreakView) -> str:
    """Return the remark below the number of the round."""
    if view.no_sneak_round > view.round:
        return _("Lock Down next round")
    if view.no_sneak_round == view.round:
        return _("Lock Down: no sneaking")
    # Translators: below "ROUND 3": the number of rounds.
    return _("of {last}", last=view.round_limit) if view.round_limit else ""


def own_words(view: PrisonBreakView, own: Seat) -> str:
    """Return the remark to a player alone: where they really are."""
    # Translators: where is "in JAIL" or "on 7".
    return _("you really are {where}", where=at(view.positions[own] or JAIL, view.spaces))


def _ballot(view: PrisonBreakView, this_round: Sequence[object]) -> tuple[int | None, offer_cards.Ballot | None]:
    """Return the card with the current vote, or the one revealed in this round, and what is known of it."""
    proposal = view.proposal
    if proposal is not None:
        pair = (proposal.first, proposal.second)
        return proposal.card, offer_cards.Ballot(pair, None, (pair[0] in proposal.voted, pair[1] in proposal.voted))
    shown = next((entry for entry in this_round if isinstance(entry, VotesShown)), None)
    if shown is None:
        return None, None
    # Two used cards of one kind are alike. Offers dealt since are all face up.
    used = Card(shown.kind, False)
    place = max((number for number, card in enumerate(view.row) if card == used), default=None)
    return place, offer_cards.Ballot((shown.first, shown.second), shown.accepts, (True, True))


# ---------------------------------------------------------------------------------------------------------------- rules


RULES_ALT = N_(
    "A row of the table: A was last seen on 2 in round 1 and has said 5 since. The hollow mark with a question "
    "mark on 7 is where A would be if that's true. Below, what only A sees: A really is on 4."
)


@cached_by_language(8)
def draw_rules() -> bytes:
    """Return the picture of the rules: a prisoner's declarations, and where it really is."""
    spaces = 10
    canvas = Canvas(WIDTH, 2 * ROW + 96, NIGHT)
    draw_wall(canvas, 0, 2 * ROW + 96)
    for number, (title, top) in enumerate(((_("WHAT A SAYS"), 48), (_("WHERE A IS"), 96 + ROW))):
        canvas.box(0, top - 46, WIDTH, top - 6, mix(NIGHT, INK, 0.4))
        canvas.text(WIDTH / 2, top - 26, title, scaled_size(title, 26, WIDTH - 40), LAMP if number else CHALK)
        draw_row(canvas, top, spaces)
    draw_look(canvas, 2, 48, spaces, 0, "seen", ROW, letter=True)
    for between in range(3, 7):
        draw_look(canvas, between, 48, spaces, 0, "trail", ROW)
    draw_look(canvas, 7, 48, spaces, 0, "claim", ROW)
    draw_look(canvas, 4, 96 + ROW, spaces, 0, "true", ROW, letter=True)
    draw_plate(canvas, 48, 0, 3, "", False)
    draw_speech(canvas, 48, 5)
    draw_since(canvas, 48, 1)
    palette = Palette(canvas.picture(), (), flat_colours(1))
    return encode(palette.composition())

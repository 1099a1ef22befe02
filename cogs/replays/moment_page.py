"""The pages of a review that teach: one decision each, with what was played and the better move drawn on the board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from msgspec.structs import replace

from cogs.core.i18n.translation import N_, _
from cogs.core.ops.text_format import cut, percent
from cogs.core.pages.game_ui import GameReview, GameUI, TableContext
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Text, page_buttons
from cogs.replays.chart import chance
from cogs.replays.replay_position import ReplayPosition
from engine.contract import Seat
from engine.players import Steps
from engine.review import Grade, JudgedDecision, Review
from engine.review.moments import WORTH_TELLING, best_move, moments, turning_points

MINE, EVERYBODY = "my", "see"
"""The ways through a review, by the first word of a button's argument."""

LONGEST_SECRET = 1_000

STEPS, MOST_REASONS = 60, 2
"""How long a bot may look for the reasons of a move, and how many lines of them are shown."""

GRADES: dict[Grade, str] = {"blunder": N_("blunder"), "mistake": N_("mistake"), "inaccuracy": N_("inaccuracy")}

Kind = Literal["moment", "close", "best"]
"""A decision that cost something, the closest call of somebody who gave nothing away, or somebody's best move."""


@dataclass(frozen=True)
class Stop:
    """A page on the way through a review."""

    kind: Kind
    decision: JudgedDecision


def stops(review: Review, seat: Seat | None) -> tuple[Stop, ...]:
    """Return the way through a review for a seat: its moments, then its best move. For None, the way through the game:
    the turning points, then the best move of anybody.
    """
    found = turning_points(review) if seat is None else moments(review, seat)
    kinds: list[Stop] = [Stop("moment" if one.lost >= WORTH_TELLING else "close", one) for one in found]
    best = best_move(review, seat)
    return (*kinds, *(() if best is None else (Stop("best", best),)))


def moment_page(
    ui: GameUI,
    words: GameReview,
    review: Review,
    states: Sequence[Any],
    info: TableContext,
    number: int,
    seat: Seat | None,
    reader: Seat | None,
) -> Page | None:
    """Return one page, counted from 1, of the way of `seat` for this reader; None if there is no such page. Draws:
    never on the event loop.
    """
    way = stops(review, seat)
    if not 0 < number <= len(way):
        return None
    stop = way[number - 1]
    one = replace(stop.decision, better=None) if stop.kind == "best" else stop.decision
    view = ui.game.view(states[one.step - 1], one.seat)
    head = _head(way, number, mine=seat is not None)
    about = _("-# {game}, table {table} · move {move}", game=ui.title, table=info.id, move=one.step - 1)
    lines = [*_decision_text(ui, words, one, view, info, reader)]
    if one.seat == reader and (stop.kind == "best" or not words.because(view, one, info)):
        lines += _reasons(ui, words, one, view, states[one.step - 1], info)
    lines += _praise(stop)
    if words.drawn is None and (kept := ui.secret_summary(view)):
        lines.append(cut(_secret(kept, info.name(one.seat), mine=one.seat == reader), LONGEST_SECRET))
    way_name = EVERYBODY if seat is None else MINE
    turning = page_buttons("review", number - 1, len(way), lambda to, slot: f"{way_name}.{to + 1}.{slot}")
    there = ReplayPosition(one.step - 1, one.seat).argument(f"r{number}")
    blocks: list[Block | None] = [
        Text(f"{head}\n{about}"),
        _board(ui, words, one, view, states, info),
        Text("\n".join(lines)),
        Row(turning) if turning else None,
        Row((Button(_("Whole review"), "review", "all"), Button(_("Open in replay"), "replay", there))),
    ]
    return Page(tuple(block for block in blocks if block is not None), ui.colour)


def _decision_text(
    ui: GameUI, words: GameReview, one: JudgedDecision, view: Any, info: TableContext, reader: Seat | None
) -> Iterator[str]:
    """Yield the action, the better one, the difference, and why, line by line."""
    played = words.action_text(view, ui.game.read_action(one.action), info)
    better = None if one.better in (None, one.action) else one.better
    facts = {"sign": "✓" if better is None else "✗", "move": played, "chance": chance(one.played)}
    if one.seat == reader:
        # Translators: sign is ✗ or ✓, move is what was played, such as "push into L3".
        yield _("{sign} **You:** {move} · {chance} to win", **facts)
    else:
        yield _("{sign} {player}: {move} · {chance} to win", player=info.name(one.seat), **facts)
    if better is not None:
        move = words.action_text(view, ui.game.read_action(better), info)
        gain = round(100 * one.best) - round(100 * one.played)
        yield _("✓ **Better:** {move} · {chance} (+{gain})", move=move, chance=chance(one.best), gain=percent(gain))
    if better is not None and (because := words.because(view, one, info)):
        yield f"-# {because}"


def _reasons(
    ui: GameUI, words: GameReview, one: JudgedDecision, view: Any, state: Any, info: TableContext
) -> Iterator[str]:
    """Yield why the better move is good, or what was played if there is none, as a hint would tell the player."""
    if words.explain is None:
        return
    action = ui.game.read_action(one.action if one.better is None else one.better)
    legal = list(ui.game.legal(state, one.seat))
    reasons = words.explain(view, action, legal, Steps(STEPS), Random(0))
    _action, *lines = ui.hint(view, info, action, reasons)
    yield from (f"-# {line}" for line in lines[:MOST_REASONS])


def _head(way: Sequence[Stop], number: int, *, mine: bool) -> str:
    stop = way[number - 1]
    match stop.kind:
        case "best":
            return _("### ★ Your best move") if mine else _("### ★ The best move of the game")
        case "close":
            return _("### You gave nothing away. Your closest call:")
        case "moment":
            facts = {"number": number, "last": sum(one.kind == "moment" for one in way)}
            head = (
                _("### Your moment {number} of {last}", **facts)
                if mine
                else _("### Turning point {number} of {last}", **facts)
            )
            grade = stop.decision.grade
            return head if grade is None else f"{head} · {_(GRADES[grade])}"


def _secret(kept: str, name: str, *, mine: bool) -> str:
    if mine:
        return _("-# Only you knew: {secret}", secret=kept)
    return _("-# Only {player} knew: {secret}", player=name, secret=kept)


def _praise(stop: Stop) -> Iterator[str]:
    """Yield how much a best move mattered."""
    if stop.kind == "best" and stop.decision.lot is not None:
        yield _("-# A random choice here would have left {chance} on average.", chance=chance(stop.decision.lot))


def _board(
    ui: GameUI, words: GameReview, one: JudgedDecision, view: Any, states: Sequence[Any], info: TableContext
) -> Picture | None:
    """Return the board with what was played and the better move, or as it was if the game cannot draw that."""
    read = ui.game.read_action
    better = None if one.better in (None, one.action) else read(one.better)
    drawn = None if words.drawn is None else words.drawn(view, read(one.action), better, info)
    return drawn or ui.picture(ui.game.view(states[one.step - 1], None), info)

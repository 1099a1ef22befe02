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
class ReviewedGame:
    """A finished game with its review: its UI, its `states` by step, and what is shown of its table."""

    ui: GameUI
    review: Review
    states: Sequence[Any]
    info: TableContext

    @property
    def texts(self) -> GameReview:
        """The game's texts about reviews."""
        assert self.ui.review is not None
        return self.ui.review

    def view(self, one: JudgedDecision) -> Any:
        """Return what the player saw when they decided."""
        return self.ui.game.view(self.states[one.step - 1], one.seat)

    def action_text(self, one: JudgedDecision, action: str) -> str:
        """Return a stored action in words, which was possible when this was decided."""
        return self.texts.action_text(self.view(one), self.ui.game.read_action(action), self.info)


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


def moment_page(game: ReviewedGame, number: int, seat: Seat | None, reader: Seat | None) -> Page | None:
    """Return one page, counted from 1, of the way of `seat` for this reader; None if there is no such page. Draws:
    never on the event loop.
    """
    way, info = stops(game.review, seat), game.info
    if not 0 < number <= len(way):
        return None
    stop = way[number - 1]
    one = replace(stop.decision, better=None) if stop.kind == "best" else stop.decision
    head = _head(way, number, mine=seat is not None)
    about = _("-# {game}, table {table} · move {move}", game=game.ui.title, table=info.id, move=one.step - 1)
    lines = [*_decision_text(game, one, reader)]
    if one.seat == reader and (stop.kind == "best" or not game.texts.because(game.view(one), one, info)):
        lines += _reasons(game, one)
    lines += _praise(stop)
    if game.texts.drawn is None and (kept := game.ui.secret_summary(game.view(one))):
        lines.append(cut(_secret(kept, info.name(one.seat), mine=one.seat == reader), LONGEST_SECRET))
    way_name = EVERYBODY if seat is None else MINE
    turning = page_buttons("review", number - 1, len(way), lambda to, slot: f"{way_name}.{to + 1}.{slot}")
    there = ReplayPosition(one.step - 1, one.seat).argument(f"r{number}")
    blocks: list[Block | None] = [
        Text(f"{head}\n{about}"),
        _board(game, one),
        Text("\n".join(lines)),
        Row(turning) if turning else None,
        Row((Button(_("Whole review"), "review", "all"), Button(_("Open in replay"), "replay", there))),
    ]
    return Page(tuple(block for block in blocks if block is not None), game.ui.colour)


def _decision_text(game: ReviewedGame, one: JudgedDecision, reader: Seat | None) -> Iterator[str]:
    """Yield the action, the better one, the difference, and why, line by line."""
    played = game.action_text(one, one.action)
    better = None if one.better in (None, one.action) else one.better
    facts = {"sign": "✓" if better is None else "✗", "move": played, "chance": chance(one.played)}
    if one.seat == reader:
        # Translators: sign is ✗ or ✓, move is what was played, such as "push into L3".
        yield _("{sign} **You:** {move} · {chance} to win", **facts)
    else:
        yield _("{sign} {player}: {move} · {chance} to win", player=game.info.name(one.seat), **facts)
    if better is not None:
        move = game.action_text(one, better)
        gain = round(100 * one.best) - round(100 * one.played)
        yield _("✓ **Better:** {move} · {chance} (+{gain})", move=move, chance=chance(one.best), gain=percent(gain))
    if better is not None and (because := game.texts.because(game.view(one), one, game.info)):
        yield f"-# {because}"


def _reasons(game: ReviewedGame, one: JudgedDecision) -> Iterator[str]:
    """Yield why the better move is good, or what was played if there is none, as a hint would tell the player."""
    explain, rules = game.texts.explain, game.ui.game
    if explain is None:
        return
    action, view = rules.read_action(one.action if one.better is None else one.better), game.view(one)
    legal = list(rules.legal(game.states[one.step - 1], one.seat))
    _action, *lines = game.ui.hint(view, game.info, action, explain(view, action, legal, Steps(STEPS), Random(0)))
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


def _board(game: ReviewedGame, one: JudgedDecision) -> Picture | None:
    """Return the board with what was played and the better move, or as it was if the game cannot draw that."""
    rules, draw, info = game.ui.game, game.texts.drawn, game.info
    better = None if one.better in (None, one.action) else rules.read_action(one.better)
    drawn = None if draw is None else draw(game.view(one), rules.read_action(one.action), better, info)
    return drawn or game.ui.picture(rules.view(game.states[one.step - 1], None), info)

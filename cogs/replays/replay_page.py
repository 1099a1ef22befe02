"""The page of a replay: one moment of a finished game, with everything revealed or as one seat saw it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from cogs.core.i18n.translation import _
from cogs.core.ops.text_format import cut, labelled
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, Button, Page, Picture, Row, Select, SelectOption, Text
from cogs.core.pages.player_page import table_page
from cogs.core.publishing.finished_games import Replay
from cogs.replays.chapters import Chapter, chapter_at
from cogs.replays.replay_position import EVERYTHING, ReplayPosition, revealed_picture

LONGEST_TEXT = 3_000
LEAP = 10


def replay_page(
    ui: GameUI,
    replay: Replay,
    info: TableContext,
    position: ReplayPosition,
    places: Sequence[Chapter],
    line: str,
) -> Page:
    """Return the page of a moment: what happened, the board, what was known, and the controls, with a `line` about an
    animation. Draws: never on the event loop.
    """
    game, state, last = ui.game, replay.states[position.step], len(replay.states) - 1
    title = _(
        "### {game}\n-# Replay of table {table} · move {move} of {last}",
        game=game_title(game),
        table=replay.row.id,
        move=position.step,
        last=last,
    )
    public = game.view(state, None)
    board = revealed_picture(ui, state, info) if position.seat is None else None
    words, pictures = _told(table_page(ui, public, info, board).without_controls())
    # A phone shows the board with all controls, and of what is above them the most recent.
    blocks: list[Block] = [Text(title), *words[:1]]
    if position.seat is None:
        blocks += _secrets(ui, state, info)
    blocks += (*words[1:], *pictures)
    if position.seat is not None:
        name = info.seated_players[position.seat].bold
        known = _shortened(ui.known(game.view(state, position.seat), info))
        blocks += (Text(_("-# What {player} knew at this point:", player=name)), *known) if known else ()
    blocks += _controls(ui, info, position, last, places, line)
    return Page(tuple(blocks), ui.colour)


def _controls(
    ui: GameUI,
    info: TableContext,
    position: ReplayPosition,
    last: int,
    places: Sequence[Chapter],
    line: str,
) -> list[Block]:
    """Return the controls, with a line below the button for an animation while it is drawn."""

    def to(step: int, label: str, slot: str, *, off: bool) -> Button:
        return Button(
            label, "replay", ReplayPosition(min(max(step, 0), last), position.seat).argument(slot), disabled=off
        )

    begun, over = position.step == 0, position.step == last
    everything = SelectOption(_("Everything"), EVERYTHING, _("all hands and secrets"), chosen=position.seat is None)
    seats = (
        SelectOption(
            _("What {player} knew", player=player.label(40)),
            str(player.seat),
            chosen=position.seat == player.seat,
        )
        for player in info.seated_players
    )
    here = chapter_at(places, position.step).step
    jumps = {
        place.step: SelectOption(place.label(info), str(place.step), chosen=place.step == here) for place in places
    }
    return [
        Select("replay-jump", tuple(jumps.values()), _("Jump to …"), position.argument("a")),
        Row(
            (
                to(position.step - LEAP, f"◀ {LEAP}", "b", off=begun),
                to(position.step - 1, "◀", "c", off=begun),
                to(position.step + 1, "▶", "d", off=over),
                to(position.step + LEAP, f"{LEAP} ▶", "e", off=over),
            )
        ),
        Row(
            (
                Button(_("Animation"), "replay-film", position.argument("f"), disabled=bool(line)),
                Button(_("Export"), "replay-file"),
                Button(_("Verify"), "verify"),
                *((Button(_("Review"), "review", "replay"),) if ui.review is not None else ()),
            )
        ),
        *((Text(line),) if line else ()),
        *(
            (Select("replay", (everything, *seats), _("Whose view?"), position.argument("g")),)
            if ui.game.has_hidden_info
            else ()
        ),
    ]


def _told(page: Page) -> tuple[list[Block], list[Block]]:
    """Return the texts of a table's page without the game's title, and its pictures."""
    first, *rest = page.blocks
    assert isinstance(first, Text)
    head = replace(first, body=first.body.partition("\n")[2])
    words = [block for block in (head, *rest) if isinstance(block, Text)]
    return _shortened(words), [block for block in rest if isinstance(block, Picture)]


def _secrets(ui: GameUI, state: Any, info: TableContext) -> Iterator[Text]:
    """Yield what each seat knows, a line each."""
    kept = {player: ui.secret_summary(ui.game.view(state, player.seat)) for player in info.seated_players}
    lines = [labelled(player.bold, words) for player, words in kept.items() if words]
    if lines:
        yield Text("\n".join(lines))


def _shortened(blocks: Iterable[Block]) -> list[Block]:
    """Return blocks with their texts shortened to leave space for the rest: a message may have 4,000 characters."""
    return [
        replace(block, body=cut(block.body, LONGEST_TEXT // 3)) if isinstance(block, Text) else block
        for block in blocks
    ]

"""When an ephemeral page is shown, edited, left alone, finished or deleted: a table of situations.

It checks what a reader sees and which calls are made, not how: see `situations`.
"""

import pytest

from tests.cogs.core.publishing.situations import (
    MINUTE,
    Scene,
    Situation,
    discord_fails,
    discord_is_back,
    found,
    others_move,
    presses,
    presses_at_the_table,
    reader_moves,
    row,
    seeds,
    shows,
    somebody_looks_at_the_table,
    the_bot_is_thrown_out,
    the_bot_restarts,
    the_reader_leaves,
    the_table_is_closed,
    wanted,
)
from tests.cogs.rope_wall.test_interludes import to_the_interlude
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers import break_out
from tools.harness.drivers.ausbrecher import bet

__all__ = ["seeds"]  # a fixture

GONE, REFUSED = 10015, 50013

FAILED = discord_fails("PATCH", "/webhooks/*", 0, times=1_000_000)


async def wall_idle(harness: BotHarness) -> Scene:
    """The Rope Wall; the player who is not to act has just opened their page."""
    await harness.two_at_the_wall()
    await harness.without_tokens()
    await harness.press(harness.idle(), "Play")
    await harness.settle()
    return Scene(harness, harness.idle())


async def wall_awaited(harness: BotHarness) -> Scene:
    """The Rope Wall; the player to act has just opened their page."""
    await harness.two_at_the_wall()
    await harness.without_tokens()
    await harness.press(harness.awaited(), "Play")
    await harness.settle()
    return Scene(harness, harness.awaited())


async def wall_without_page(harness: BotHarness) -> Scene:
    """The Rope Wall; the player who is not to act has no page."""
    await harness.two_at_the_wall()
    await harness.without_tokens()
    return Scene(harness, harness.idle())


async def tiles_waiting(harness: BotHarness) -> Scene:
    """Match Five with three players; the one after the next has just opened their page."""
    await harness.begin("match-five", harness.ben, harness.cleo)
    await harness.without_tokens()
    people = [harness.ann, harness.ben, harness.cleo]
    reader = people[(people.index(harness.awaited()) + 2) % 3]
    await harness.press(reader, "Play")
    await harness.settle()
    return Scene(harness, reader)


async def forecasting(harness: BotHarness) -> Scene:
    """Three give their forecasts at Ausbrecher AG; Ann has chosen a boat for Red."""
    await harness.begin("ausbrecher", harness.ben, harness.cleo)
    await harness.without_tokens()
    await harness.press(harness.ann, "Red", await harness.press(harness.ann, "Make my forecast"))
    await harness.settle()
    return Scene(harness, harness.ann)


async def lobby(harness: BotHarness) -> Scene:
    """A lobby of Prison Break; Ann, its host, has opened *Manage*."""
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    await harness.press(harness.ann, "Manage")
    await harness.settle()
    return Scene(harness, harness.ann)


async def with_direct_message(harness: BotHarness) -> Scene:
    """Prison Break with three players; the player to act has a direct message and has opened their page, too."""
    await harness.begin("prison-break", harness.ben, harness.cleo, interludes="off")
    await harness.without_tokens()
    await harness.press(harness.awaited(), "Play")
    await harness.settle()
    return Scene(harness, harness.awaited())


async def interlude(harness: BotHarness) -> Scene:
    """The Rope Wall at the end of a round; one player has just opened their page."""
    await harness.two_at_the_wall()
    await to_the_interlude(harness)
    await harness.without_tokens()
    await harness.press(harness.ann, "Play")
    await harness.settle()
    return Scene(harness, harness.ann)


async def honour_waiting(harness: BotHarness) -> Scene:
    """Break-Out on honour with three players; a player who is not to act has just opened their page."""
    await harness.begin("break-out", harness.ben, harness.cleo)
    await harness.without_tokens()
    reader = next(person for person in (harness.ann, harness.ben, harness.cleo) if person is not harness.awaited())
    await harness.press(reader, "Play")
    await harness.settle()
    return Scene(harness, reader)


async def ben_gives_his_forecast(scene: Scene) -> None:
    await bet(scene.harness, scene.harness.ben)


async def ben_joins(scene: Scene) -> None:
    await scene.harness.press(scene.harness.ben, "Join")


async def ann_starts(scene: Scene) -> None:
    await scene.harness.press(scene.harness.ann, "Start")


async def reader_resigns(scene: Scene) -> None:
    await scene.harness.resign(scene.reader)


async def the_other_resigns(scene: Scene) -> None:
    other = scene.harness.ben if scene.reader is scene.harness.ann else scene.harness.ann
    await scene.harness.resign(other)


async def ben_is_ready(scene: Scene) -> None:
    await scene.harness.ben.command(scene.harness.yard, "rope-wall ready")


async def one_edit_went_out(scene: Scene) -> None:
    by_token = [call for call in scene.harness.sandbox.calls if call.path.startswith("/webhooks/")]
    assert [(call.method, call.status) for call in by_token] == [("PATCH", 200)]


async def reader_reloads(scene: Scene) -> None:
    await scene.reader.reload()


async def reader_pushes_out_of_turn(scene: Scene) -> None:
    await scene.reader.press(scene.harness.board(), scene.harness.controls("push")[0])


async def reader_pushes_on_the_page(scene: Scene) -> None:
    await scene.reader.press(scene.page(), scene.harness.controls("push", scene.page())[0])


async def reader_sneaks_on_the_direct_message(scene: Scene) -> None:
    await scene.harness.press(scene.reader, "say 2, go 1", scene.reader.dms()[-1])


async def somebody_says_next(scene: Scene) -> None:
    harness = scene.harness
    await harness.awaited().command(harness.yard, "break-out draw")
    await break_out.say_next(harness, 0)


async def old_page_is_pressed(scene: Scene) -> None:
    await scene.reader.press(scene.page(), label="More …")


async def vanished_pages_are_unknown(scene: Scene) -> None:
    scene.harness.sandbox.settings.vanished_is_unknown = True


TABLE = [
    # To act or not, and how soon
    row(
        "whose move it becomes sees it at once",
        wall_idle,
        (others_move, "edited by token"),
        (shows("Your move"), ""),
    ),
    row(
        "who is not awaited sees a move of others when three seconds have passed since their page was opened",
        tiles_waiting,
        (others_move, ""),
        (2_999, ""),
        (1, "edited by token"),
        (MINUTE, ""),
    ),
    row(
        "who is not awaited and has had their page for a while sees a move at once",
        tiles_waiting,
        (3_000, ""),
        (others_move, "edited by token"),
    ),
    row(
        "whose turn comes right after a move of others does not wait for the three seconds",
        tiles_waiting,
        (3_000, ""),
        (others_move, "edited by token"),
        (1_000, ""),
        (others_move, "edited by token"),
    ),
    row(
        "a change that its reader would not see is no edit",
        forecasting,
        (ben_gives_his_forecast, ""),
        (3_000, ""),
        (shows("Red 1"), ""),
    ),
    row(
        "in a window of seconds everybody sees everything at once",
        honour_waiting,
        (somebody_says_next, "edited by token"),
    ),
    row("in an interlude everybody sees at once who is ready", interlude, (ben_is_ready, "edited by token")),
    # Pressed on the page itself
    row(
        "a move on the page is answered by it, and no edit follows",
        wall_awaited,
        (reader_pushes_on_the_page, "answered"),
        (3_000, ""),
        (MINUTE, ""),
    ),
    row(
        "a command of its reader is answered by a new page, and the old one goes",
        wall_awaited,
        (reader_moves, "answered, deleted"),
    ),
    row(
        "another press of Play opens a new page, and the old one goes",
        wall_idle,
        (presses_at_the_table("Play"), "answered, deleted"),
    ),
    row(
        "why nothing was done is told by an edit of the page that is open below the table",
        wall_idle,
        (reader_pushes_out_of_turn, "edited by token"),
        (shows("⚠ It's"), ""),
        (others_move, "edited by token"),
        (shows("Your move", not_="⚠"), ""),
    ),
    row(
        "why nothing was done is told by a message of its own where the page was opened three minutes ago",
        wall_idle,
        (3 * MINUTE, ""),
        (reader_pushes_out_of_turn, "answered"),
        (others_move, "edited by token"),
        (4_000, "deleted"),
    ),
    row(
        "what is read there stays while the game goes on",
        wall_idle,
        (presses("More …"), "answered"),
        (others_move, ""),
        (MINUTE, ""),
        (presses("◀ Back to the game"), "answered"),
        (shows("Your move"), ""),
    ),
    # Recently pressed or not, and the age of the token
    row(
        "who has pressed nothing for just under ten minutes still sees moves",
        wall_idle,
        (10 * MINUTE - 1, ""),
        (others_move, "edited by token"),
    ),
    row(
        "who has pressed nothing for ten minutes sees no moves, and their page rests after thirteen",
        wall_idle,
        (10 * MINUTE - 1, ""),
        (somebody_looks_at_the_table, ""),
        (1, ""),
        (others_move, ""),
        (3 * MINUTE - 1, ""),
        (1, "edited by token, rests"),
        (shows("Go on"), ""),
        (10 * MINUTE, ""),
    ),
    row(
        "a page that rests is left alone until Go on is pressed, and lives on by the new token",
        wall_idle,
        (13 * MINUTE, "edited by token, rests"),
        (somebody_looks_at_the_table, ""),
        (others_move, ""),
        (30 * MINUTE, ""),
        (presses("Go on"), "answered"),
        (shows("Your move"), ""),
        (13 * MINUTE, "edited by token, rests"),
    ),
    row(
        "each press gives a page thirteen more minutes",
        wall_idle,
        (12 * MINUTE, ""),
        (presses("More …"), "answered"),
        (presses("◀ Back to the game"), "answered"),
        (12 * MINUTE, ""),
        (MINUTE, "edited by token, rests"),
    ),
    row(
        "rules that are read rest, too",
        wall_idle,
        (presses("More …"), "answered"),
        (13 * MINUTE, "edited by token, rests"),
    ),
    row(
        "a page that could not be put to rest within fourteen minutes is given up",
        wall_idle,
        (FAILED, ""),
        (13 * MINUTE, "refused"),
        (1_000, "refused"),
        (MINUTE, ""),
        (discord_is_back, ""),
        (10 * MINUTE, ""),
        (somebody_looks_at_the_table, ""),
        (others_move, ""),
    ),
    # Visible or not
    row(
        "whether a page is in sight is not known, so it is edited although its reader has dropped it",
        wall_idle,
        (reader_reloads, ""),
        (others_move, ""),
        (one_edit_went_out, ""),
        (presses_at_the_table("Play"), "answered, deleted"),
    ),
    row(
        "a page that Discord does not know any more is given up at the first edit",
        wall_idle,
        (vanished_pages_are_unknown, ""),
        (reader_reloads, ""),
        (others_move, "refused"),
        (MINUTE, ""),
        (presses_at_the_table("Play"), "answered"),
    ),
    # Faults
    row(
        "an edit that failed in passing is made again after one second, then after two",
        wall_idle,
        (FAILED, ""),
        (others_move, "refused"),
        (999, ""),
        (1, "refused"),
        (1_999, ""),
        (discord_is_back, ""),
        (1, "edited by token"),
        (MINUTE, ""),
    ),
    row(
        "an edit that Discord refuses is made in a simpler form at once",
        wall_idle,
        (discord_fails("PATCH", "/webhooks/*", 403, code=REFUSED), ""),
        (others_move, "edited by token, refused"),
        (MINUTE, "edited by token"),
        (reader_moves, "answered, deleted"),
    ),
    row(
        "a token that is dead before its time is tried once",
        wall_idle,
        (discord_fails("PATCH", "/webhooks/*", 404, code=GONE), ""),
        (others_move, "refused"),
        (MINUTE, ""),
        (presses_at_the_table("Play"), "answered"),
        (shows("Your move"), ""),
    ),
    # Beginning and end
    row(
        "the page on which a lobby is managed shows at once who has come, and becomes a page of the game",
        lobby,
        (ben_joins, "edited by token"),
        (3_000, ""),
        (ann_starts, "edited by token"),
    ),
    row(
        "who ends a game by a command is asked, and the page says how it ended",
        wall_idle,
        (reader_resigns, "answered, deleted, answered"),
    ),
    row(
        "the end of a game is shown at once",
        wall_idle,
        (the_other_resigns, "edited by token"),
        (shows("The result of table"), ""),
        (MINUTE, ""),
    ),
    row(
        "that a game is closed is told at once",
        wall_idle,
        (the_table_is_closed, "edited by token"),
        (shows("is closed"), ""),
    ),
    row(
        "who leaves is told by the answer that a computer plays for them",
        with_direct_message,
        (the_reader_leaves, "answered, deleted, answered, answered"),
        (shows("A computer is playing for"), ""),
    ),
    row(
        "a table at which nothing happens leaves the memory, and its pages rest all the same",
        wall_idle,
        (10 * MINUTE, ""),
        (3 * MINUTE, "edited by token, rests"),
    ),
    row(
        "nothing is edited on a server that has thrown the bot out",
        wall_idle,
        (the_bot_is_thrown_out, ""),
        (13 * MINUTE, ""),
    ),
    # Beside the direct message
    row(
        "a move on the direct message is shown on the page, too, as calmly as a move of others",
        with_direct_message,
        (reader_sneaks_on_the_direct_message, ""),
        (2_999, ""),
        (1, "edited by token"),
    ),
    row(
        "who plays on the direct message sees on their page at once that they are awaited again",
        with_direct_message,
        (reader_sneaks_on_the_direct_message, ""),
        (3_000, "edited by token"),
        (others_move, ""),
        (others_move, "edited by token"),
    ),
    # Restart
    row(
        "a page from before a restart is left alone, and lives on when it is pressed",
        wall_idle,
        (the_bot_restarts, ""),
        (others_move, ""),
        (13 * MINUTE, ""),
        (old_page_is_pressed, "answered"),
        (presses("◀ Back to the game"), "answered"),
        (shows("Your move"), ""),
        (13 * MINUTE, "edited by token, rests"),
    ),
]


@pytest.mark.parametrize("situation", TABLE)
async def test_a_page_is_shown_edited_left_alone_put_to_rest_or_taken_away(harness: BotHarness, situation: Situation):
    assert await found(harness, situation) == wanted(situation)

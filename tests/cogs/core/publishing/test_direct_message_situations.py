"""When a direct message is written, edited, left alone, finished or renewed: a table of situations.

It checks what a reader sees and which calls are made, not how: see `situations`.
"""

import random

import pytest

from sandbox import UserClient
from tests.cogs.core.publishing.situations import (
    MINUTE,
    Scene,
    Situation,
    discord_fails,
    discord_is_back,
    discord_loses_its_answer,
    everybody_is_told_by_direct_message,
    found,
    moves_come_round,
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
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.prison_break import offered, take_turn_by_command

__all__ = ["seeds"]  # a fixture

UNKNOWN_MESSAGE, UNKNOWN_WEBHOOK = 10008, 10015

DIRECT_MESSAGES = "/channels/{dm}/messages"
EDITS = f"{DIRECT_MESSAGES}/*"


def people(harness: BotHarness) -> list[UserClient]:
    """Return the players, starting with the player to act."""
    all_ = [harness.ann, harness.ben, harness.cleo]
    first = all_.index(harness.awaited())
    return all_[first:] + all_[:first]


async def prison(harness: BotHarness) -> None:
    """Start Prison Break, a game of secrets, with three players."""
    await harness.begin("prison-break", harness.ben, harness.cleo, interludes="off")
    await harness.without_tokens()


async def prison_lobby(harness: BotHarness) -> Scene:
    """Ann, Ben and Cleo sit in the lobby of Prison Break; Ben reads."""
    await harness.ann.command(harness.yard, "prison-break start", clock=0)
    await harness.press(harness.ben, "Join")
    await harness.press(harness.cleo, "Join")
    await harness.settle()
    return Scene(harness, harness.ben, direct=True)


async def prison_awaited(harness: BotHarness) -> Scene:
    """Prison Break with three players; the reader is to act."""
    await prison(harness)
    return Scene(harness, people(harness)[0], direct=True)


async def prison_next(harness: BotHarness) -> Scene:
    """Prison Break with three players; the reader acts next."""
    await prison(harness)
    return Scene(harness, people(harness)[1], direct=True)


async def prison_last(harness: BotHarness) -> Scene:
    """Prison Break with three players; the reader acts last."""
    await prison(harness)
    return Scene(harness, people(harness)[2], direct=True)


async def prison_interlude(harness: BotHarness) -> Scene:
    """Prison Break with three players, just after the lights; the reader is the last of them."""
    await harness.begin("prison-break", harness.ben, harness.cleo)
    while harness.view().phase != "interlude":
        if harness.view().phase == "sneak":
            who = harness.awaited()
            # A player who stays back does not win before the lights
            go = min(await offered(harness, who, "sneak", "go"))
            await who.command(harness.yard, "prison-break sneak", say=go, go=go)
        else:
            await take_turn_by_command(harness, random.Random(harness.snapshot().version))
        await harness.settle()
    await harness.without_tokens()
    return Scene(harness, harness.cleo, direct=True)


async def prison_followed(harness: BotHarness) -> Scene:
    """Prison Break with three players; the reader was first and has moved on their direct message."""
    scene = await prison_awaited(harness)
    await scene.press("say 1, go 1")
    await harness.settle()
    scene.happened()
    return scene


async def prison_beside_a_page(harness: BotHarness) -> Scene:
    """Prison Break with three players; the reader acts next, and has a page in the channel, too."""
    scene = await prison_next(harness)
    await harness.press(scene.reader, "Play")
    await harness.settle()
    scene.happened()
    return scene


async def prison_awaited_beside_a_page(harness: BotHarness) -> Scene:
    """Prison Break with three players; the reader is to act, and has a page in the channel, too."""
    scene = await prison_awaited(harness)
    await harness.press(scene.reader, "Play")
    await harness.settle()
    scene.happened()
    return scene


async def tiles_awaited(harness: BotHarness) -> Scene:
    """Match Five with three players; the reader is to act."""
    await harness.begin("match-five", harness.ben, harness.cleo)
    await harness.without_tokens()
    return Scene(harness, people(harness)[0], direct=True)


async def tiles_last(harness: BotHarness) -> Scene:
    """Match Five with three players; the reader acts last."""
    await harness.begin("match-five", harness.ben, harness.cleo)
    await harness.without_tokens()
    return Scene(harness, people(harness)[2], direct=True)


async def wall(harness: BotHarness) -> Scene:
    """The Rope Wall, where nothing is secret; the reader is to act."""
    await harness.two_at_the_wall()
    return Scene(harness, harness.awaited(), direct=True)


async def wall_by_direct_message(harness: BotHarness) -> Scene:
    """The Rope Wall with direct messages switched on; the reader is to act."""
    await everybody_is_told_by_direct_message(harness)
    await harness.two_at_the_wall()
    return Scene(harness, harness.awaited(), direct=True)


async def prison_by_direct_message(harness: BotHarness) -> Scene:
    """Prison Break with direct messages switched on; the reader acts next."""
    await everybody_is_told_by_direct_message(harness)
    return await prison_next(harness)


async def closed(harness: BotHarness) -> Scene:
    """The lobby of Prison Break with three players; Ben accepts no direct messages."""
    scene = await prison_lobby(harness)
    harness.ben.dms_open = False
    return scene


async def alone(harness: BotHarness) -> Scene:
    """Ann opens a table of Prison Break and plays against a computer, without a clock."""
    await harness.begin("prison-break", computer="rookie")
    return Scene(harness, harness.ann, direct=True)


async def ann_starts(scene: Scene) -> None:
    await scene.harness.press(scene.harness.ann, "Start")


async def ann_is_ready(scene: Scene) -> None:
    await scene.harness.ann.command(scene.harness.yard, "prison-break ready")


async def ben_is_ready_and_three_seconds_pass(scene: Scene) -> None:
    await scene.harness.ben.command(scene.harness.yard, "prison-break ready")
    await scene.harness.settle()
    await scene.harness.advance(3_000)


async def reader_lets_messages_in(scene: Scene) -> None:
    scene.reader.dms_open = True


async def reader_sneaks_here(scene: Scene) -> None:
    await scene.press("say 1, go 1")


async def reader_pushes_here(scene: Scene) -> None:
    await scene.reader.press(scene.page(), scene.harness.controls("push", scene.page())[0])


async def reader_sneaks_on_the_page(scene: Scene) -> None:
    page = scene.reader.ephemerals(scene.harness.yard)[-1]
    await scene.harness.press(scene.reader, "say 1, go 1", page)


async def everybody_moves_once(scene: Scene) -> None:
    for _ in range(3):
        if scene.harness.awaited() is scene.reader:
            await reader_moves(scene)
        else:
            await others_move(scene)
        await scene.harness.settle()


async def only_one_is_there(scene: Scene) -> None:
    assert len(scene.pages()) == 1


async def another_resigns(scene: Scene) -> None:
    other = next(person for person in (scene.harness.ann, scene.harness.ben) if person is not scene.reader)
    await scene.harness.resign(other)


TABLE = [
    # Whether there is a direct message at all
    row("in the lobby nobody is written to", prison_lobby, (MINUTE, "")),
    row("a game of secrets begins with a direct message to each", prison_lobby, (ann_starts, "posted"), (MINUTE, "")),
    row("where nothing is secret nobody is written to", wall, (reader_moves, ""), (MINUTE, "")),
    row("who plays alone and without a clock is not written to", alone, (3 * MINUTE, "")),
    # To act or not
    row(
        "whose turn it becomes has it at once, by a counted edit",
        prison_next,
        (others_move, "edited"),
        (shows("Your turn to sneak"), ""),
        (MINUTE, ""),
    ),
    row(
        "who is not awaited reads how it stood, and is left alone while others move",
        prison_last,
        (shows("last updated"), ""),
        (others_move, ""),
        (MINUTE, ""),
    ),
    row(
        "who has moved by a command is no longer told that they are awaited",
        prison_awaited,
        (reader_moves, "edited, rests"),
        (MINUTE, ""),
    ),
    row(
        "what only its reader may know has changed: it is told although they are not awaited",
        tiles_awaited,
        (reader_moves, "edited, rests"),
    ),
    row(
        "moves of others change nothing that a waiting reader must hear of", tiles_last, (others_move, ""), (MINUTE, "")
    ),
    row(
        "in an interlude it is left alone while others are ready, answers its reader, and tells how the game goes on",
        prison_interlude,
        (ann_is_ready, ""),
        (presses("Ready"), "answered"),
        (ben_is_ready_and_three_seconds_pass, "edited by token"),
    ),
    # Pressed on it lately or not
    row("a move on it is answered by it", prison_awaited, (reader_sneaks_here, "answered"), (3_000, "")),
    row(
        "who has pressed on it lately sees moves of others three seconds after the last one, uncounted",
        prison_followed,
        (others_move, ""),
        (2_999, ""),
        (1, "edited by token"),
    ),
    row(
        "it rests five minutes after the last press on it",
        prison_followed,
        (5 * MINUTE - 1, ""),
        (1, "edited by token, rests"),
        (MINUTE, ""),
    ),
    row(
        "whose turn it becomes after those five minutes has it by the token while that lives",
        prison_followed,
        (5 * MINUTE, "edited by token, rests"),
        (4 * MINUTE, ""),
        (moves_come_round, "edited by token"),
    ),
    row(
        "after fourteen minutes it is edited by the bot's own",
        prison_followed,
        (5 * MINUTE, "edited by token, rests"),
        (4 * MINUTE, ""),
        (others_move, ""),
        (5 * MINUTE, ""),
        (others_move, "edited"),
    ),
    row(
        "where the token is dead before its time it is edited by the bot's own",
        prison_followed,
        (3_000, ""),
        (discord_fails("PATCH", "/webhooks/*", 404, code=UNKNOWN_WEBHOOK), ""),
        (others_move, "edited, refused"),
    ),
    row(
        "a press of Go on ends its rest, although nothing has happened",
        prison_last,
        (presses("Go on"), "answered"),
        (shows("Prison Break", not_="last updated"), ""),
        (5 * MINUTE, "edited by token, rests"),
    ),
    row(
        "what is read there stays while there is nothing to hear of, and gives way when its reader is awaited",
        prison_last,
        (presses("More …"), "answered"),
        (presses("Rules"), "answered"),
        (others_move, ""),
        (5 * MINUTE, ""),
        (others_move, "edited by token"),
        (shows("Your turn to sneak"), ""),
    ),
    # Beside the page in the channel
    row(
        "who plays on their page is not edited for until a minute after their last press",
        prison_beside_a_page,
        (others_move, ""),
        (MINUTE - 1, ""),
        (1, "edited"),
        (shows("Your turn to sneak"), ""),
    ),
    row(
        "who plays on their page is not left with a move that is no longer theirs",
        prison_awaited_beside_a_page,
        (reader_sneaks_on_the_page, "edited, rests"),
        (MINUTE, ""),
    ),
    row(
        "several turns on the page cost one edit of the direct message",
        prison_awaited_beside_a_page,
        (reader_sneaks_on_the_page, "edited, rests"),
        (everybody_moves_once, ""),
    ),
    row(
        "who plays on their page and has pressed on the direct message lately sees it there, too, since that is free",
        prison_beside_a_page,
        (presses("Go on"), "answered"),
        (3_000, ""),
        (others_move, "edited by token"),
    ),
    row(
        "Go on works while its reader plays on their page",
        prison_beside_a_page,
        (others_move, ""),
        (presses("Go on"), "answered"),
        (shows("Your turn to sneak"), ""),
    ),
    # Closed or gone
    row(
        "a closed direct message is tried once and never again",
        closed,
        (ann_starts, "refused"),
        (everybody_moves_once, ""),
        (reader_lets_messages_in, ""),
        (MINUTE, ""),
        (moves_come_round, ""),
        (the_bot_restarts, ""),
    ),
    row(
        "in the place of one that is gone another is written when there is something to tell",
        prison_next,
        (discord_fails("PATCH", EDITS, 404, code=UNKNOWN_MESSAGE), ""),
        (others_move, "posted, refused"),
    ),
    # Faults
    row(
        "an edit that failed in passing is made again after ten seconds",
        prison_next,
        (discord_fails("PATCH", EDITS, 0, times=1_000_000), ""),
        (others_move, "refused"),
        (9_999, ""),
        (discord_is_back, ""),
        (1, "edited"),
    ),
    row(
        "an edit that Discord refuses is made in a simpler form at once",
        prison_awaited,
        (discord_fails("PATCH", EDITS, 400, code=50035), ""),
        (reader_moves, "edited, rests, refused"),
        (MINUTE, ""),
        (others_move, ""),
    ),
    row(
        "one that took effect although its answer was lost is not sent twice, and is made sure of ten seconds later",
        prison_lobby,
        (discord_loses_its_answer("POST", DIRECT_MESSAGES), ""),
        (ann_starts, "posted, refused"),
        (9_999, ""),
        (1, "edited"),
        (only_one_is_there, ""),
    ),
    # Reminded by direct message
    row(
        "who wants to be told so has one where nothing is secret, too, a minute after they have pressed something",
        wall_by_direct_message,
        (MINUTE - 1, ""),
        (1, "posted"),
        (reader_pushes_here, "answered"),
    ),
    row(
        "who wants to be told so and presses something meanwhile is told a minute after that",
        wall_by_direct_message,
        (30_000, ""),
        (presses_at_the_table("More …"), ""),
        (MINUTE - 1, ""),
        (1, "posted"),
    ),
    row(
        "who wants to be told so and is not looking has a new one eight seconds after their turn came",
        prison_by_direct_message,
        (others_move, "edited"),
        (7_999, ""),
        (1, "posted, deleted"),
        (MINUTE, ""),
    ),
    # The end
    row(
        "the end of a game is told at once",
        wall_by_direct_message,
        (MINUTE, "posted"),
        (another_resigns, "edited"),
        (shows("wins", not_="last updated"), ""),
    ),
    row(
        "that a game is closed is told at once", prison_last, (the_table_is_closed, "edited"), (shows("is closed"), "")
    ),
    row(
        "who leaves on their turn has no move any more",
        prison_awaited,
        (the_reader_leaves, "edited, rests"),
        (shows("A computer is playing for", not_="Your turn to sneak"), ""),
    ),
    row(
        "nothing is edited on a server that has thrown the bot out",
        prison_last,
        (the_bot_is_thrown_out, ""),
        (10 * MINUTE, ""),
    ),
    # Asleep, and restarts
    row(
        "a table at which nothing happens leaves the memory, and its direct messages stay as they are",
        prison_awaited,
        (15 * MINUTE, ""),
        (somebody_looks_at_the_table, ""),
        (reader_moves, "edited, rests"),
    ),
    row(
        "a restart changes nothing, and the same message is edited on",
        prison_next,
        (the_bot_restarts, ""),
        (others_move, "edited"),
        (reader_sneaks_here, "answered"),
    ),
    row(
        "a restart forgets who was playing on it, so it rests",
        prison_followed,
        (the_bot_restarts, "edited, rests"),
        (others_move, ""),
        (5 * MINUTE, ""),
        (others_move, "edited"),
    ),
]


@pytest.mark.parametrize("situation", TABLE)
async def test_a_direct_message_is_written_edited_left_alone_put_to_rest_or_renewed(
    harness: BotHarness, situation: Situation
):
    assert await found(harness, situation) == wanted(situation)

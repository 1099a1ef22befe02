"""Whole games of Prison Break: on private pages, by slash commands, against the computer.

In every game the channel is searched for secrets: how far anybody went, and how anybody votes.
"""

import random
from typing import Any

from cogs.core.publishing.player_page_host import LIVELY_MS
from engine.games.prison_break import GAME, Sneaked, Voted
from sandbox import UserClient, walk
from tools.harness.bot_harness import BotHarness
from tools.harness.drivers.prison_break import (
    EPHEMERAL,
    make_offer,
    offered,
    select,
    take_turn,
    take_turn_by_command,
    view,
)


async def begin_prison_break(harness: BotHarness, **options: Any) -> None:
    """Start a game of Ann, Ben and Cleo."""
    await harness.begin("prison-break", harness.ben, harness.cleo, **options)


async def play_on(harness: BotHarness, dice: random.Random, until: str, most: int = 400) -> None:
    """Play until this phase."""
    for _ in range(most):
        if view(harness).phase == until:
            await harness.settle()
            return
        await take_turn(harness, dice)
    raise AssertionError(f"no {until} within {most} moves")


async def test_a_whole_game_by_panels_ends_with_everything_shown(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    await play_on(harness, random.Random(5), "over")
    await harness.settle()
    live = harness.messages().table
    assert GAME.fold(await harness.events()) == live.snapshot.state
    assert "What really happened" in harness.public() and "★" in harness.public()
    assert not harness.controls("hand") and harness.controls("rematch")
    results = await live.store.games.results(1)
    assert {row.seat for row in results if row.place == 1} == set(view(harness).winners)
    public = [message for message in harness.sandbox.messages(harness.yard) if not message["flags"] & EPHEMERAL]
    assert len(public) == 1  # edited in place from the first move to the last
    for person in (harness.ann, harness.ben, harness.cleo):
        assert len(person.dms()) == 1 and "What really happened" in UserClient.visible_text(person.dms()[0])


async def test_a_whole_game_by_slash_commands_with_what_completion_offers(harness: BotHarness):
    await begin_prison_break(harness, round_limit=5, interludes="off")
    dice = random.Random(8)
    for _ in range(200):
        if not harness.snapshot().playing:
            break
        await take_turn_by_command(harness, dice)
    await harness.settle()
    assert harness.snapshot().row.status == "over"


async def test_completion_offers_nothing_to_who_cannot_act(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    for name, focus in (("sneak", "go"), ("offer", "offer"), ("guard", "space")):
        if name != "sneak":
            assert await offered(harness, harness.awaited(), name, focus) == []
        assert await offered(harness, harness.idle(), name, focus) == []


async def test_a_sneak_is_answered_on_the_private_panel_and_the_table_learns_the_declaration_only(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    who = harness.awaited()
    panel = await harness.press(who, "Sneak")
    assert panel.message is not None and panel.message["flags"] & EPHEMERAL
    done = await harness.press(who, "say 2, go 1", panel)
    assert done.type == 7 and "said 2, went 1" in done.text
    await harness.settle()
    assert "said 2" in harness.public() and "went" not in harness.public()
    await harness.advance(LIVELY_MS)  # a player on a private page finds it in the direct message a little later
    messages = {
        person.name: UserClient.visible_text(person.dms()[0]) for person in (harness.ann, harness.ben, harness.cleo)
    }
    assert "went 1" in messages.pop(who.name)
    assert not any("went" in text for text in messages.values())


async def test_a_vote_is_shown_to_nobody_until_both_are_in(harness: BotHarness):
    for table, label in enumerate(("✓ Accept", "⊘ Reject"), start=1):
        await begin_prison_break(harness, interludes="off")
        await play_to_the_vote(harness, table)
        proposal = harness.view(table=table).proposal
        first, other = (harness.person_at(seat, table) for seat in (proposal.first, proposal.second))
        watcher = next(person for person in (harness.ann, harness.ben, harness.cleo) if person not in (first, other))
        panel = await harness.press(first, "Vote", table_message(harness, table))
        voted = await harness.press(first, label, panel)
        assert f"You voted **{label}**" in voted.text
        await harness.settle()
        public = UserClient.visible_text(table_message(harness, table))
        assert "(voted)" in public
        messages = [UserClient.visible_text(person.dms()[-1]) for person in (other, watcher)]
        assert not any("You voted" in letter for letter in messages)
        again = await first.command(harness.yard, "prison-break vote", vote="accept", table=table)
        assert "final" in again.text
        assert "✓" not in public and "⊘" not in public


def table_message(harness: BotHarness, table: int) -> Any:
    """Return the message of a table."""
    wanted = harness.snapshot(table).row.message
    return next(message for message in harness.sandbox.messages(harness.yard) if int(message["id"]) == wanted)


async def play_to_the_vote(harness: BotHarness, table: int) -> None:
    """Let everybody sneak honestly, and the Warden offer the first card to the first two."""
    while (public := harness.view(table=table)).phase == "sneak":
        who = harness.person_at(public.to_act[0], table)
        await who.command(harness.yard, "prison-break sneak", say=1, go=1, table=table)
    who = harness.person_at(public.warden, table)
    await who.command(harness.yard, "prison-break offer", offer=0, first=0, second=1, table=table)
    await harness.settle()


async def test_the_dm_shows_the_own_track_is_edited_in_place_and_has_every_control(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    (before,) = harness.ann.dms()
    assert "You are in JAIL" in UserClient.visible_text(before)
    while harness.awaited() is not harness.ann:
        await harness.awaited().command(harness.yard, "prison-break sneak", say=0, go=0)
    await harness.settle()
    await harness.press(harness.ann, "say 1, go 2", harness.ann.dms()[0])
    await harness.settle()
    (after,) = harness.ann.dms()
    assert after["id"] == before["id"] and "You are on 2" in UserClient.visible_text(after)
    media = next(part for part in walk(after["components"]) if part.get("type") == 12)["items"][0]
    assert "You, Ann" in media["description"]
    assert harness.sandbox.file(media["media"]["url"]).startswith(b"\x89PNG")


async def test_a_sneak_takes_two_presses_and_a_vote_one_from_an_open_panel(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    first = harness.awaited()
    panel = await harness.press(first, "Play")
    await harness.press(first, "say 1, go 0", panel)
    await harness.settle()
    assert harness.awaited() is not first
    panels = {}
    while view(harness).phase == "sneak":
        who = harness.awaited()
        panels[who] = await harness.press(who, "Sneak")
        panels[who] = await harness.press(who, "say 0, go 0", panels[who])
        await harness.settle()
    if first not in panels:
        panels[first] = await harness.press(first, "Play")
    warden = harness.person_at(view(harness).warden)
    await warden.command(harness.yard, "prison-break offer", offer=0, first=0, second=1)
    await harness.settle()
    voter = harness.person_at(next(seat for seat in view(harness).to_act if seat != view(harness).warden))
    panel = panels[voter].message["id"]
    shown = next(message for message in voter.messages(harness.yard) if message["id"] == panel)
    await harness.press(voter, "✓ Accept", shown)
    await harness.settle()
    assert int(voter.id) not in {harness.snapshot().seats[seat].user for seat in view(harness).to_act}


async def test_a_whole_game_by_direct_message_alone(harness: BotHarness):
    await begin_prison_break(harness, round_limit=5, interludes="off")
    dice = random.Random(6)
    for _ in range(300):
        if not harness.snapshot().playing:
            break
        await harness.settle()
        who = harness.awaited()
        letter = who.dms()[-1]
        match view(harness).phase:
            case "sneak":
                held = not any(part.get("label") == "say 0, go 1" for part in UserClient.buttons(letter))
                await harness.press(who, f"say {dice.randrange(3)}, go {0 if held else dice.randrange(3)}", letter)
            case "offer":
                await make_offer(harness, who, dice, letter)
            case "vote":
                await harness.press(who, dice.choice(("✓ Accept", "⊘ Reject")), letter)
            case "interlude":
                await harness.press(who, "Ready", letter)
            case _:
                await who.press(letter, select(letter, "guard"), values=[str(dice.randint(1, 10))])
    await harness.settle()
    assert harness.snapshot().row.status == "over"
    assert not any("went" in UserClient.visible_text(letter) for letter in harness.sandbox.messages(harness.yard))


async def test_a_note_is_written_in_a_form_or_by_command_and_only_its_writer_sees_it(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    hand = await harness.press(harness.ben, "Play")
    form = await harness.press(harness.ben, "Write a note", hand)
    done = await harness.ben.submit(form, {"text": "Ann is on 4"})
    assert "> Ann is on 4" in done.text
    form = await harness.ben.command(harness.yard, "prison-break note")
    assert form.modal is not None
    done = await harness.ben.submit(form, {"text": "Ann is on 5"})
    assert "> Ann is on 5" in done.text
    await harness.ben.command(harness.yard, "prison-break note", text="Cleo lies")
    await harness.advance(LIVELY_MS)
    assert "Cleo lies" in UserClient.visible_text(harness.ben.dms()[0])
    assert "Cleo lies" in (await harness.ben.command(harness.yard, "prison-break track")).text
    for elsewhere in (harness.public(), *(UserClient.visible_text(p.dms()[0]) for p in (harness.ann, harness.cleo))):
        assert "lies" not in elsewhere and "Ann is on" not in elsewhere


async def test_what_is_against_the_rules_is_refused_with_the_rule(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    who, idle = harness.awaited(), harness.idle()
    assert "not yours" in (await idle.command(harness.yard, "prison-break sneak", say=1, go=1)).text
    assert "0 to 2" in (await who.command(harness.yard, "prison-break sneak", say=1, go=3)).text
    assert "after the lights check" in (await who.command(harness.yard, "prison-break decline")).text
    assert "no offer to vote" in (await who.command(harness.yard, "prison-break vote", vote="accept")).text
    assert "come last" in (await who.command(harness.yard, "prison-break guard", space=3)).text
    await play_on(harness, random.Random(2), "offer")
    warden = harness.person_at(view(harness).warden)
    other = harness.person_at((view(harness).warden + 1) % 3)
    assert "Only the Warden" in await harness.press_and_read(other, "No offer")
    refused = await warden.command(harness.yard, "prison-break offer", offer=0, first=1, second=1)
    assert "two different players" in refused.text


async def test_a_new_panel_takes_the_old_one_away_and_a_sneak_counts_once(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    who = harness.awaited()
    first = await harness.press(who, "Sneak")
    second = await harness.press(who, "Sneak")
    await harness.press(who, "say 1, go 1", second)
    await harness.settle()
    assert first.message is None
    assert sum(isinstance(event, Sneaked) for event in await harness.events()) == 1


async def test_guards_are_sent_from_the_table_itself(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    await play_on(harness, random.Random(11), "guard")
    who = harness.awaited()
    before = len(harness.sandbox.calls)
    sent = await who.press(harness.board(), select(harness.board(), "guard"), values=["9"])
    assert sent.type == 7 and "sent the guards to 9" in harness.public()
    assert before < len(harness.sandbox.calls)


async def test_two_play_with_the_pair_already_chosen(harness: BotHarness):
    await harness.ann.command(harness.yard, "prison-break start", clock=0, interludes="off")
    await harness.press(harness.ben, "Join")
    await harness.press(harness.ann, "Start")
    await play_on(harness, random.Random(3), "offer")
    warden = harness.awaited()
    panel = await harness.press(warden, "Make an offer")
    await warden.press(
        panel, next(part["custom_id"] for part in UserClient.buttons(panel) if ":offer-make:" in part["custom_id"])
    )
    assert view(harness).phase == "vote"


async def test_against_three_computers_the_game_begins_at_once_and_ends(harness: BotHarness):
    await harness.ann.command(
        harness.yard, "prison-break start", computer="rookie", computers=3, clock=0, offers="sample", round_limit=5
    )
    await harness.settle()
    assert len(view(harness).prisoners) == 4
    dice = random.Random(1)
    for _ in range(400):
        if not harness.snapshot().playing:
            break
        mine = harness.snapshot().seat_of(int(harness.ann.id))
        if mine in view(harness).to_act:
            await act_for(harness, harness.ann, dice)
            await harness.settle()
        else:
            await harness.advance(6_000)
    assert harness.snapshot().row.status == "over"
    options: Any = harness.snapshot().options
    assert (options.offers, options.round_limit) == ("sample", 5)


async def act_for(harness: BotHarness, who: UserClient, dice: random.Random) -> None:
    """Do the simplest thing as a person."""
    match view(harness).phase:
        case "sneak":
            await who.command(harness.yard, "prison-break sneak", say=dice.randrange(3), go=0)
        case "offer":
            await who.command(harness.yard, "prison-break decline")
        case "vote":
            await who.command(harness.yard, "prison-break vote", vote="accept")
        case _:
            await who.command(harness.yard, "prison-break pass")


async def test_the_clock_plays_for_who_does_not_and_says_nothing_of_a_single_vote(harness: BotHarness):
    await begin_prison_break(harness, clock=60, interludes="off")
    await play_to_the_vote(harness, 1)
    proposal = view(harness).proposal
    assert proposal is not None
    await harness.person_at(proposal.first).command(harness.yard, "prison-break vote", vote="accept")
    await harness.advance(61_000)
    assert view(harness).phase != "vote"
    assert "⊘" in harness.public()
    votes = [event for event in await harness.events() if isinstance(event, Voted)]
    assert {(vote.seat, vote.accept) for vote in votes} == {(proposal.first, True), (proposal.second, False)}


async def test_the_log_and_the_text_view_are_for_who_asks(harness: BotHarness):
    await begin_prison_break(harness, interludes="off")
    await play_on(harness, random.Random(4), "guard")
    log = await harness.press(harness.ben, "Log")
    assert "What has happened so far" in log.text and "Lights check" in log.text
    text = await harness.press(harness.ben, "Text view")
    assert "@" in text.text and text.message is not None and text.message["flags"] & EPHEMERAL
    board = await harness.ben.command(harness.yard, "prison-break board")
    assert board.text.split("\n")[1:5] == text.text.split("\n")[1:5]


async def test_the_rules_can_be_leafed_through(harness: BotHarness):
    page = await harness.cleo.command(harness.yard, "rules", game="prison_break")
    assert "the goal" in page.text
    for words in ("Lights check", "Bribe the Guards", "More about the round", "Special cases"):
        page = await harness.press(harness.cleo, "Next ▶", page)
        assert words in page.text

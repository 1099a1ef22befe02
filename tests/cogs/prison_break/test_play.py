"""Whole games of Prison Break, as people play them: by private panels, by slash commands, against the computer.

In every game the channel is watched for what must not stand there: how far anybody went, and how anybody votes.
"""

import random
from typing import Any

from cogs.core.publishing.ephemeral_pages import LIVELY_MS
from engine.games.prison_break import GAME, Sneaked, Voted
from sandbox import UserClient, walk
from tools.harness.bot_harness import House
from tools.harness.drivers.prison_break import EPHEMERAL, command, make_offer, move, offered, select, view


async def three_in_prison(house: House, **options: Any) -> None:
    """Let Ann, Ben and Cleo begin a game."""
    await house.begin("prison-break", house.ben, house.cleo, **options)


def seated(house: House, seat: int) -> UserClient:
    """The person on a seat."""
    user = house.session().table.snapshot.seats[seat].user
    return next(person for person in (house.ann, house.ben, house.cleo) if int(person.id) == user)


async def play_on(house: House, dice: random.Random, until: str, most: int = 400) -> None:
    """Play until this phase."""
    for _ in range(most):
        if view(house).phase == until:
            await house.settle()
            return
        await move(house, dice)
    raise AssertionError(f"no {until} within {most} moves")


async def test_a_whole_game_by_panels_ends_with_everything_shown(house: House):
    await three_in_prison(house, interludes="off")
    await play_on(house, random.Random(5), "over")
    await house.settle()
    live = house.session().table
    assert GAME.fold(await house.events()) == live.snapshot.state
    assert "What really happened" in house.public() and "★" in house.public()
    assert not house.controls("hand") and house.controls("rematch")
    results = await live.store.games.results(1)
    assert {row.seat for row in results if row.place == 1} == set(view(house).winners)
    public = [message for message in house.sandbox.messages(house.yard) if not message["flags"] & EPHEMERAL]
    assert len(public) == 1  # edited in place from the first move to the last
    for person in (house.ann, house.ben, house.cleo):
        assert len(person.dms()) == 1 and "What really happened" in UserClient.visible_text(person.dms()[0])


async def test_a_whole_game_by_slash_commands_with_what_completion_offers(house: House):
    await three_in_prison(house, round_limit=5, interludes="off")
    dice = random.Random(8)
    for _ in range(200):
        if not house.session().table.snapshot.playing:
            break
        await command(house, dice)
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"


async def test_completion_offers_nothing_to_who_cannot_act(house: House):
    await three_in_prison(house, interludes="off")
    for name, focus in (("sneak", "go"), ("offer", "offer"), ("guard", "space")):
        if name != "sneak":
            assert await offered(house, house.awaited(), name, focus) == []
        assert await offered(house, house.idle(), name, focus) == []


async def test_a_sneak_is_answered_on_the_private_panel_and_the_table_learns_the_declaration_only(house: House):
    await three_in_prison(house, interludes="off")
    who = house.awaited()
    panel = await house.press(who, "Sneak")
    assert panel.message is not None and panel.message["flags"] & EPHEMERAL
    done = await house.press(who, "say 2, go 1", panel)
    assert done.type == 7 and "said 2, went 1" in done.text
    await house.settle()
    assert "said 2" in house.public() and "went" not in house.public()
    await house.turn(LIVELY_MS)  # who plays on a panel finds it on the direct message a little later
    letters = {person.name: UserClient.visible_text(person.dms()[0]) for person in (house.ann, house.ben, house.cleo)}
    assert "went 1" in letters.pop(who.name)
    assert not any("went" in text for text in letters.values())


async def test_a_vote_is_shown_to_nobody_until_both_are_in(house: House):
    for table, label in enumerate(("✓ Accept", "⊘ Reject"), start=1):
        await three_in_prison(house, interludes="off")
        await play_to_the_vote(house, table)
        proposal = house.view(table=table).proposal
        first, other = (by_seat(house, table, seat) for seat in (proposal.first, proposal.second))
        watcher = next(person for person in (house.ann, house.ben, house.cleo) if person not in (first, other))
        panel = await house.press(first, "Vote", table_message(house, table))
        voted = await house.press(first, label, panel)
        assert f"Your vote is in: **{label}**" in voted.text
        await house.settle()
        public = UserClient.visible_text(table_message(house, table))
        assert "vote is in" in public
        letters = [UserClient.visible_text(person.dms()[-1]) for person in (other, watcher)]
        assert not any("Your vote" in letter for letter in letters)
        again = await first.command(house.yard, "prison-break vote", vote="accept", table=table)
        assert "final" in again.text
        assert "✓" not in public and "⊘" not in public


def by_seat(house: House, table: int, seat: int) -> UserClient:
    user = house.session(table).table.snapshot.seats[seat].user
    return next(person for person in (house.ann, house.ben, house.cleo) if int(person.id) == user)


def table_message(house: House, table: int) -> Any:
    """The message of a table."""
    wanted = house.session(table).table.snapshot.row.message
    return next(message for message in house.sandbox.messages(house.yard) if int(message["id"]) == wanted)


async def play_to_the_vote(house: House, table: int) -> None:
    """Let everybody sneak honestly, and the Warden offer the first card to the first two."""
    while (public := house.view(table=table)).phase == "sneak":
        who = by_seat(house, table, public.to_act[0])
        await who.command(house.yard, "prison-break sneak", say=1, go=1, table=table)
    who = by_seat(house, table, public.warden)
    await who.command(house.yard, "prison-break offer", offer=0, first=0, second=1, table=table)
    await house.settle()


async def test_the_dm_shows_the_own_track_is_edited_in_place_and_has_every_control(house: House):
    await three_in_prison(house, interludes="off")
    (before,) = house.ann.dms()
    assert "You are in JAIL" in UserClient.visible_text(before)
    while house.awaited() is not house.ann:
        await house.awaited().command(house.yard, "prison-break sneak", say=0, go=0)
    await house.settle()
    await house.press(house.ann, "say 1, go 2", house.ann.dms()[0])
    await house.settle()
    (after,) = house.ann.dms()
    assert after["id"] == before["id"] and "You are on 2" in UserClient.visible_text(after)
    media = next(part for part in walk(after["components"]) if part.get("type") == 12)["items"][0]
    assert "You, Ann" in media["description"]
    assert house.sandbox.file(media["media"]["url"]).startswith(b"\x89PNG")


async def test_a_sneak_takes_two_presses_and_a_vote_one_from_an_open_panel(house: House):
    await three_in_prison(house, interludes="off")
    first = house.awaited()
    panel = await house.press(first, "Play")
    await house.press(first, "say 1, go 0", panel)
    await house.settle()
    assert house.awaited() is not first
    panels = {}
    while view(house).phase == "sneak":
        who = house.awaited()
        panels[who] = await house.press(who, "Sneak")
        panels[who] = await house.press(who, "say 0, go 0", panels[who])
        await house.settle()
    if first not in panels:
        panels[first] = await house.press(first, "Play")
    warden = seated(house, view(house).warden)
    await warden.command(house.yard, "prison-break offer", offer=0, first=0, second=1)
    await house.settle()
    voter = seated(house, next(seat for seat in view(house).to_act if seat != view(house).warden))
    panel = panels[voter].message["id"]
    shown = next(message for message in voter.messages(house.yard) if message["id"] == panel)
    await house.press(voter, "✓ Accept", shown)
    await house.settle()
    assert int(voter.id) not in {house.session().table.snapshot.seats[seat].user for seat in view(house).to_act}


async def test_a_whole_game_by_direct_message_alone(house: House):
    await three_in_prison(house, round_limit=5, interludes="off")
    dice = random.Random(6)
    for _ in range(300):
        if not house.session().table.snapshot.playing:
            break
        await house.settle()
        who = house.awaited()
        letter = who.dms()[-1]
        match view(house).phase:
            case "sneak":
                held = not any(part.get("label") == "say 0, go 1" for part in UserClient.buttons(letter))
                await house.press(who, f"say {dice.randrange(3)}, go {0 if held else dice.randrange(3)}", letter)
            case "offer":
                await make_offer(house, who, dice, letter)
            case "vote":
                await house.press(who, dice.choice(("✓ Accept", "⊘ Reject")), letter)
            case "interlude":
                await house.press(who, "Ready", letter)
            case _:
                await who.press(letter, select(letter, "guard"), values=[str(dice.randint(1, 10))])
    await house.settle()
    assert house.session().table.snapshot.row.status == "over"
    assert not any("went" in UserClient.visible_text(letter) for letter in house.sandbox.messages(house.yard))


async def test_a_note_is_written_in_a_form_or_by_command_and_only_its_writer_sees_it(house: House):
    await three_in_prison(house, interludes="off")
    hand = await house.press(house.ben, "Play")
    form = await house.press(house.ben, "Write a note", hand)
    done = await house.ben.submit(form, {"text": "Ann is on 4"})
    assert "> Ann is on 4" in done.text
    form = await house.ben.command(house.yard, "prison-break note")
    assert form.modal is not None
    done = await house.ben.submit(form, {"text": "Ann is on 5"})
    assert "> Ann is on 5" in done.text
    await house.ben.command(house.yard, "prison-break note", text="Cleo lies")
    await house.turn(LIVELY_MS)
    assert "Cleo lies" in UserClient.visible_text(house.ben.dms()[0])
    assert "Cleo lies" in (await house.ben.command(house.yard, "prison-break track")).text
    for elsewhere in (house.public(), *(UserClient.visible_text(p.dms()[0]) for p in (house.ann, house.cleo))):
        assert "lies" not in elsewhere and "Ann is on" not in elsewhere


async def test_what_is_against_the_rules_is_refused_with_the_rule(house: House):
    await three_in_prison(house, interludes="off")
    who, idle = house.awaited(), house.idle()
    assert "not yours" in (await idle.command(house.yard, "prison-break sneak", say=1, go=1)).text
    assert "0 to 2" in (await who.command(house.yard, "prison-break sneak", say=1, go=3)).text
    assert "after the lights check" in (await who.command(house.yard, "prison-break decline")).text
    assert "no offer to vote" in (await who.command(house.yard, "prison-break vote", vote="accept")).text
    assert "come last" in (await who.command(house.yard, "prison-break guard", space=3)).text
    await play_on(house, random.Random(2), "offer")
    warden = seated(house, view(house).warden)
    other = seated(house, (view(house).warden + 1) % 3)
    assert "Only the Warden" in await house.hears(other, "No offer")
    refused = await warden.command(house.yard, "prison-break offer", offer=0, first=1, second=1)
    assert "two different players" in refused.text


async def test_a_new_panel_takes_the_old_one_away_and_a_sneak_counts_once(house: House):
    await three_in_prison(house, interludes="off")
    who = house.awaited()
    first = await house.press(who, "Sneak")
    second = await house.press(who, "Sneak")
    await house.press(who, "say 1, go 1", second)
    await house.settle()
    assert first.message is None
    assert sum(isinstance(event, Sneaked) for event in await house.events()) == 1


async def test_guards_are_sent_from_the_table_itself(house: House):
    await three_in_prison(house, interludes="off")
    await play_on(house, random.Random(11), "guard")
    who = house.awaited()
    before = len(house.sandbox.calls)
    sent = await who.press(house.board(), select(house.board(), "guard"), values=["9"])
    assert sent.type == 7 and "sent the guards to 9" in house.public()
    assert before < len(house.sandbox.calls)


async def test_two_play_with_the_pair_already_chosen(house: House):
    await house.ann.command(house.yard, "prison-break start", clock=0, interludes="off")
    await house.press(house.ben, "Join")
    await house.press(house.ann, "Start")
    await play_on(house, random.Random(3), "offer")
    warden = house.awaited()
    panel = await house.press(warden, "Make an offer")
    await warden.press(
        panel, next(part["custom_id"] for part in UserClient.buttons(panel) if ":offer-make:" in part["custom_id"])
    )
    assert view(house).phase == "vote"


async def test_against_three_computers_the_game_begins_at_once_and_ends(house: House):
    await house.ann.command(
        house.yard, "prison-break start", computer="rookie", computers=3, clock=0, offers="sample", round_limit=5
    )
    await house.settle()
    assert len(view(house).prisoners) == 4
    dice = random.Random(1)
    for _ in range(400):
        if not house.session().table.snapshot.playing:
            break
        mine = house.session().table.snapshot.seat_of(int(house.ann.id))
        if mine in view(house).to_act:
            await act_for(house, house.ann, dice)
            await house.settle()
        else:
            await house.turn(6_000)
    assert house.session().table.snapshot.row.status == "over"
    options: Any = house.session().table.snapshot.options
    assert (options.offers, options.round_limit) == ("sample", 5)


async def act_for(house: House, who: UserClient, dice: random.Random) -> None:
    """Let somebody do the simplest thing."""
    match view(house).phase:
        case "sneak":
            await who.command(house.yard, "prison-break sneak", say=dice.randrange(3), go=0)
        case "offer":
            await who.command(house.yard, "prison-break decline")
        case "vote":
            await who.command(house.yard, "prison-break vote", vote="accept")
        case _:
            await who.command(house.yard, "prison-break pass")


async def test_the_clock_plays_for_who_does_not_and_says_nothing_of_a_single_vote(house: House):
    await three_in_prison(house, clock=60, interludes="off")
    await play_to_the_vote(house, 1)
    proposal = view(house).proposal
    assert proposal is not None
    await seated(house, proposal.first).command(house.yard, "prison-break vote", vote="accept")
    await house.turn(61_000)
    assert view(house).phase != "vote"
    assert "⊘" in house.public()
    votes = [event for event in await house.events() if isinstance(event, Voted)]
    assert {(vote.seat, vote.accept) for vote in votes} == {(proposal.first, True), (proposal.second, False)}


async def test_the_log_and_the_text_view_are_for_who_asks(house: House):
    await three_in_prison(house, interludes="off")
    await play_on(house, random.Random(4), "guard")
    log = await house.press(house.ben, "Log")
    assert "What happened so far" in log.text and "Lights check" in log.text
    text = await house.press(house.ben, "Text view")
    assert "@" in text.text and text.message is not None and text.message["flags"] & EPHEMERAL
    board = await house.ben.command(house.yard, "prison-break board")
    assert board.text.split("\n")[1:5] == text.text.split("\n")[1:5]


async def test_the_rules_can_be_leafed_through(house: House):
    page = await house.cleo.command(house.yard, "rules", game="prison_break")
    assert "the aim" in page.text
    for words in ("Lights check", "Bribe the Guards", "Small print"):
        page = await house.press(house.cleo, "Next ▶", page)
        assert words in page.text

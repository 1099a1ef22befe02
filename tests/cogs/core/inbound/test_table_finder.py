"""Which table a command means whose author plays at several."""

from tools.harness.bot_harness import BotHarness


async def test_a_move_is_for_the_one_table_that_waits_for_its_player_and_asked_about_if_there_are_two(
    harness: BotHarness,
):
    for number in (1, 2):
        await harness.ann.command(harness.yard, "rope-wall start", clock=0)
        await harness.settle()
        await harness.press(harness.ben, "Join")
        await harness.press(harness.ann, "Start")
        await harness.settle()
        if harness.awaited(number) is not harness.ann:
            await harness.push(table=number)
            await harness.settle()
    before = [harness.pushes(number) for number in (1, 2)]
    asked = await harness.ann.command(harness.yard, "rope-wall push", floor=1, side="left")
    assert "one with `table`" in asked.text
    assert [harness.pushes(number) for number in (1, 2)] == before
    await harness.ann.command(harness.yard, "rope-wall push", floor=1, side="left", table=2)
    await harness.ann.command(harness.yard, "rope-wall push", floor=2, side="left")
    await harness.settle()
    assert [harness.pushes(number) for number in (1, 2)] == [before[0] + 1, before[1] + 1]


async def test_a_move_from_another_channel_is_for_the_only_table_of_its_player_on_the_server(harness: BotHarness):
    await harness.two_at_the_wall()
    court, before = harness.sandbox.add_channel(harness.guild, "court"), harness.pushes()
    await harness.awaited().command(court, "rope-wall push", floor=1, side="left")
    await harness.settle()
    assert harness.pushes() == before + 1

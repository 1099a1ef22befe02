"""Who leaves the server holds nobody up, where Discord may tell us of it (the members intent)."""

from tools.harness.bot_harness import House


async def test_a_computer_plays_on_for_somebody_who_left_the_server(house: House):
    await house.stop()
    house.sandbox.privileged_intents = {"members"}
    await house.start(members_intent=True)
    await house.two_at_the_wall()
    leaver = house.awaited()
    house.sandbox.leave(leaver, house.guild)
    await house.sandbox.until(
        lambda: house.session().table.snapshot.seats[0].caretaker or house.session().table.snapshot.seats[1].caretaker
    )
    await house.turn(5_000)
    assert house.pushes() == 1 and house.awaited() is not leaver


async def test_somebody_who_left_the_server_leaves_the_lobby_too(house: House):
    await house.stop()
    house.sandbox.privileged_intents = {"members"}
    await house.start(members_intent=True)
    await house.ann.command(house.yard, "rope-wall start")
    await house.press(house.ben, "Join")
    house.sandbox.leave(house.ben, house.guild)
    await house.sandbox.until(lambda: "Ben" not in house.public())

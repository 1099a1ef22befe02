"""A real discord.py bot in the sandbox: commands, components, modals, files, private answers and direct messages."""

from __future__ import annotations

import asyncio
import io
import re
from typing import Any

import pytest

from sandbox import PATIENCE_S, Refused, visible_text
from sandbox.messaging.image_size import plain_png

from .conftest import Bot, Scene, app_commands, commands, discord, slash

Click = Any
"""``discord.Interaction`` of any client; discord.py reads these annotations only on commands."""


def board(name: str = "board.png") -> discord.File:
    """Return a small image with an alt text."""
    return discord.File(io.BytesIO(plain_png((10, 20, 30), side=8)), name, description="the board")


class Again(discord.ui.DynamicItem[discord.ui.Button[Any]], template=r"again:(?P<count>\d+)"):
    """A button that survives a restart."""

    def __init__(self, count: int) -> None:
        super().__init__(discord.ui.Button(label="Again", custom_id=f"again:{count}"))
        self.count = count

    @classmethod
    async def from_custom_id(cls, _: Click, __: Any, match: re.Match[str]) -> Again:
        """Rebuild the button from its custom id."""
        return cls(int(match["count"]))

    async def callback(self, interaction: Click) -> None:
        """Count the click."""
        await interaction.response.edit_message(view=Table(self.count + 1), attachments=[board()])


class Table(discord.ui.LayoutView):
    """An image, a text and a button, like a game's table message."""

    def __init__(self, count: int) -> None:
        super().__init__(timeout=None)
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery(
            discord.MediaGalleryItem("attachment://board.png", description="the board")
        )
        row: discord.ui.ActionRow[Any] = discord.ui.ActionRow(Again(count))
        self.add_item(discord.ui.Container(discord.ui.TextDisplay(f"count {count}"), gallery, row))


def add_table(bot: Bot) -> None:
    """Add a command that opens a table."""
    bot.add_dynamic_items(Again)

    @slash(bot, "table")
    async def table(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Table(0), file=board())


async def test_a_command_opens_a_table_and_clicks_edit_it_in_place(scene: Scene) -> None:
    await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    assert used.type == 4
    for _ in range(2):
        clicked = await scene.ben.press(used, label="Again")
        assert clicked.type == 7
    assert "count 2" in used.text
    assert [message["id"] for message in scene.ann.messages(scene.yard)] == [used.message["id"]]
    assert used.message["interaction_metadata"]["name"] == "table"
    assert used.message["edited_timestamp"] is not None
    assert not scene.sandbox.violations


async def test_a_picture_has_its_size_and_alt_text_and_is_served(scene: Scene) -> None:
    await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    gallery = used.message["components"][0]["components"][1]
    media = gallery["items"][0]["media"]
    assert (media["width"], media["height"], media["content_type"]) == (8, 8, "image/png")
    assert gallery["items"][0]["description"] == "the board"
    assert used.message["attachments"] == []  # shown by a component, so not listed again
    async with scene.session.get(media["url"]) as response:
        assert await response.read() == scene.sandbox.file(media["url"])
        assert response.headers["Content-Type"] == "image/png"


async def test_buttons_work_after_the_bot_was_restarted(scene: Scene) -> None:
    first = await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    await first.close()
    await scene.sandbox.until(lambda: not scene.sandbox.online)
    scene.patience(0.5)
    offline = await scene.ann.press(used, label="Again")
    assert offline.failed
    scene.patience(PATIENCE_S)
    await scene.run(add_table)
    await scene.ann.press(used, label="Again")
    assert "count 1" in used.text
    assert not scene.sandbox.violations


def add_push(bot: Bot) -> None:
    """Add a group of commands with every kind of option."""
    group = app_commands.Group(name="rope-wall", description="a game")

    @group.command(name="push", description="push a stone")
    @app_commands.choices(side=[app_commands.Choice(name="Left side", value="left")])
    async def push(
        interaction: discord.Interaction,
        floor: app_commands.Range[int, 1, 9],
        side: str,
        whom: discord.Member,
        hard: bool = False,
        where: str = "here",
    ) -> None:
        await interaction.response.send_message(f"{floor} {side} {whom.display_name} {hard} {where}", ephemeral=True)

    @push.autocomplete("where")
    async def where_choices(interaction: discord.Interaction, current: str) -> list[app_commands.Choice[str]]:
        floor = interaction.namespace.floor
        return [app_commands.Choice(name=f"{current}{floor}{number}", value=str(number)) for number in range(3)]

    bot.tree.add_command(group)


async def test_options_reach_the_bot_as_their_types(scene: Scene) -> None:
    await scene.run(add_push)
    used = await scene.ann.command(scene.yard, "rope-wall push", floor="3", side="Left side", whom=scene.ben, hard=True)
    assert used.message["content"] == "3 left Ben True here"
    assert used.message["interaction_metadata"]["name"] == "rope-wall push"


async def test_autocomplete_knows_the_other_options(scene: Scene) -> None:
    await scene.run(add_push)
    shown = await scene.ann.choices(scene.yard, "rope-wall push", floor=4, where="x", focus="where")
    assert shown[0] == {"name": "x40", "value": "0"}
    assert len(shown) == 3


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"floor": 10, "side": "left"}, "from 1 to 9"),
        ({"floor": "ten", "side": "left"}, "no number"),
        ({"floor": 1, "side": "right"}, "the choices are"),
        ({"floor": 1}, "needs the option 'side'"),
        ({"floor": 1, "side": "left", "hard": "perhaps"}, "cannot be"),
        ({"flor": 1}, "no option 'flor'"),
    ],
)
async def test_a_client_refuses_options_that_the_command_forbids(
    scene: Scene, options: dict[str, Any], reason: str
) -> None:
    await scene.run(add_push)
    with pytest.raises(Refused, match=reason):
        await scene.ann.command(scene.yard, "rope-wall push", **{"whom": scene.ben, **options})


async def test_a_client_refuses_commands_that_do_not_exist(scene: Scene) -> None:
    await scene.run(add_push)
    cases = (("nothing", "offered are: /rope-wall"), ("rope-wall pull", "it has: push"), ("rope-wall", "push"))
    for name, reason in cases:
        with pytest.raises(Refused, match=reason):
            await scene.ann.command(scene.yard, name)


def add_permissions(bot: Bot) -> None:
    """Add commands that are limited to some people or places."""

    @slash(bot, "doctor")
    @app_commands.default_permissions(manage_guild=True)
    @app_commands.guild_only()
    async def doctor(interaction: discord.Interaction) -> None:
        rights = interaction.permissions.manage_guild, interaction.app_permissions.send_messages
        await interaction.response.send_message(str(rights), ephemeral=True)

    @slash(bot, "rules")
    async def rules(interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"{interaction.guild} {interaction.context.dm_channel}")


async def test_commands_are_offered_by_permission_and_context(scene: Scene) -> None:
    await scene.run(add_permissions)
    assert set(scene.ann.commands(scene.yard)) == {"doctor", "rules"}
    assert scene.ben.commands(scene.yard) == ["rules"]
    assert scene.ann.commands(scene.ann.dm) == ["rules"]
    with pytest.raises(Refused):
        await scene.ben.command(scene.yard, "doctor")
    assert (await scene.ann.command(scene.yard, "doctor")).message["content"] == "(True, True)"
    assert (await scene.ann.command(scene.ann.dm, "rules")).message["content"] == "None True"


async def test_an_ephemeral_answer_is_seen_by_its_reader_only(scene: Scene) -> None:
    await scene.run(add_permissions)
    used = await scene.ann.command(scene.yard, "doctor")
    assert used.message in scene.ann.messages(scene.yard)
    assert scene.ben.messages(scene.yard) == []
    assert used.message["flags"] & 64
    status, body = await scene.raw.call("GET", f"/channels/{scene.yard.id}/messages/{used.message['id']}")
    assert (status, body["code"]) == (404, 10008)
    await scene.ann.dismiss(used.message)
    assert scene.ann.messages(scene.yard) == []


def add_later(bot: Bot) -> None:
    """Add commands that respond later or in parts."""

    @slash(bot, "think")
    async def think(interaction: discord.Interaction, private: bool) -> None:
        await interaction.response.defer(ephemeral=private)
        await interaction.edit_original_response(content="thought", attachments=[board()])
        await interaction.followup.send("and more", ephemeral=private)

    @slash(bot, "followed")
    async def followed(interaction: discord.Interaction) -> None:
        await interaction.response.defer(thinking=True)
        first = await interaction.followup.send("first", wait=True)
        await first.edit(content="first, edited")
        second = await interaction.followup.send("second", wait=True)
        await second.delete()

    @slash(bot, "vanish")
    async def vanish(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("soon gone")
        message = await interaction.original_response()
        await interaction.delete_original_response()
        with pytest.raises(discord.NotFound) as missing:
            await message.fetch()
        assert missing.value.code == 10008


async def test_a_deferred_answer_thinks_and_then_speaks(scene: Scene) -> None:
    await scene.run(add_later)
    used = await scene.ann.command(scene.yard, "think", private=True)
    assert used.type == 5
    await scene.ann.until(lambda: len(used.messages) == 2 and not used.message["flags"] & 128)
    assert [message["content"] for message in used.messages] == ["thought", "and more"]
    assert used.message["attachments"][0]["description"] == "the board"
    assert all(message["flags"] & 64 for message in used.messages)
    assert scene.ben.messages(scene.yard) == []


async def test_the_first_follow_up_takes_the_place_of_thinking(scene: Scene) -> None:
    await scene.run(add_later)
    used = await scene.ann.command(scene.yard, "followed")
    await scene.ann.until(lambda: any(call.method == "DELETE" for call in scene.sandbox.calls))
    assert [message["content"] for message in used.messages] == ["first, edited"]
    assert not scene.sandbox.violations


async def test_an_answer_can_be_taken_back(scene: Scene) -> None:
    await scene.run(add_later)
    used = await scene.ann.command(scene.yard, "vanish")
    await scene.ann.until(lambda: used.message is None)
    assert used.messages == []


class Questions(discord.ui.Modal, title="Questions"):
    """A modal with every kind of field."""

    intro: Any = discord.ui.TextDisplay("Say how.")
    text: Any = discord.ui.Label(text="Why", component=discord.ui.TextInput(custom_id="why", max_length=20))
    level: Any = discord.ui.Label(
        text="Level",
        component=discord.ui.RadioGroup(
            custom_id="level",
            options=[
                discord.RadioGroupOption(label="Rookie", value="r"),
                discord.RadioGroupOption(label="Old", value="o"),
            ],
        ),
    )
    wings: Any = discord.ui.Label(
        text="Wings",
        component=discord.ui.CheckboxGroup(
            custom_id="wings",
            max_values=2,
            options=[discord.CheckboxGroupOption(label=name, value=name) for name in ("north", "south", "east")],
        ),
    )
    last: Any = discord.ui.Label(
        text="Cell",
        component=discord.ui.Select(custom_id="cell", options=[discord.SelectOption(label="B3", value="b3")]),
    )

    async def on_submit(self, interaction: Click) -> None:
        """Repeat the text."""
        said = (
            self.text.component.value,
            self.level.component.value,
            sorted(self.wings.component.values),
            self.last.component.values,
        )
        await interaction.response.send_message(repr(said))


def add_questions(bot: Bot) -> None:
    """Add a command that opens a modal."""

    @slash(bot, "ask")
    async def ask(interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(Questions())

    @slash(bot, "agree")
    async def agree(interaction: discord.Interaction) -> None:
        class Agreement(discord.ui.Modal, title="Agreement"):
            yes: Any = discord.ui.Label(text="Agreed", component=discord.ui.Checkbox(custom_id="yes"))
            who: Any = discord.ui.Label(text="With", component=discord.ui.UserSelect(custom_id="who"))

            async def on_submit(self, interaction: Click) -> None:
                names = [user.display_name for user in self.who.component.values]
                await interaction.response.send_message(f"{self.yes.component.value} {names}")

        await interaction.response.send_modal(Agreement())


async def test_a_modal_is_filled_in_and_submitted(scene: Scene) -> None:
    await scene.run(add_questions)
    used = await scene.ann.command(scene.yard, "ask")
    assert used.type == 9
    assert used.modal["title"] == "Questions"
    answers = {"why": "because", "level": "r", "wings": ["south", "north"], "Cell": ["b3"]}
    sent = await scene.ann.submit(used, answers)
    assert sent.message["content"] == "('because', 'r', ['north', 'south'], ['b3'])"
    with pytest.raises(Refused, match="closed"):
        await scene.ann.submit(used, answers)
    assert not scene.sandbox.violations


async def test_checkboxes_and_people_are_chosen_in_modals(scene: Scene) -> None:
    await scene.run(add_questions)
    used = await scene.ann.command(scene.yard, "agree")
    sent = await scene.ann.submit(used, {"yes": True, "who": [scene.ben]})
    assert sent.message["content"] == "True ['Ben']"


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        ({"why": ""}, "required"),
        ({"why": "x" * 21}, "0 to 20"),
        ({"level": "x"}, "no option 'x'"),
        ({"wings": ["north", "south", "east"]}, "1 to 2 choices"),
        ({"wings": []}, "1 to 2 choices|0 to 2 choices"),
        ({"unknown": "x"}, "no 'unknown'"),
    ],
)
async def test_a_client_keeps_a_modal_open_while_a_field_is_wrong(
    scene: Scene, answers: dict[str, Any], reason: str
) -> None:
    await scene.run(add_questions)
    used = await scene.ann.command(scene.yard, "ask")
    good: dict[str, Any] = {"why": "because", "level": "r", "wings": ["south"], "cell": ["b3"]}
    with pytest.raises(Refused, match=reason):
        await scene.ann.submit(used, good | answers)
    assert (await scene.ann.submit(used, good)).type == 4


def add_menus(bot: Bot) -> None:
    """Select menus and buttons of the older kind."""

    class Menus(discord.ui.View):
        @discord.ui.select(
            custom_id="cells",
            placeholder="Cells",
            max_values=2,
            options=[discord.SelectOption(label=f"Cell {n}", value=str(n)) for n in range(3)],
        )
        async def cells(self, interaction: Click, select: Any) -> None:
            await interaction.response.send_message(",".join(select.values), ephemeral=True)

        @discord.ui.select(cls=discord.ui.UserSelect, custom_id="who")
        async def who(self, interaction: Click, select: Any) -> None:
            await interaction.response.send_message(select.values[0].display_name)

        @discord.ui.button(label="Off", disabled=True, custom_id="off")
        async def off(self, interaction: Click, _: Any) -> None:
            await interaction.response.defer()

        @discord.ui.button(label="Wait", custom_id="wait")
        async def linger(self, interaction: Click, _: Any) -> None:
            await interaction.response.defer()
            await interaction.edit_original_response(content="waited")

        @discord.ui.button(label="Silent", custom_id="silent")
        async def silent(self, interaction: Click, _: Any) -> None:
            await asyncio.Event().wait()

    @slash(bot, "menus")
    async def menus(interaction: discord.Interaction) -> None:
        await interaction.response.send_message("choose", view=Menus(), embed=discord.Embed(title="Title"))


async def test_menus_give_their_values(scene: Scene) -> None:
    await scene.run(add_menus)
    used = await scene.ann.command(scene.yard, "menus")
    assert (await scene.ann.press(used, "cells", values=["2", "Cell 0"])).message["content"] == "2,0"
    assert (await scene.ann.press(used, "who", values=[scene.ben])).message["content"] == "Ben"
    waited = await scene.ann.press(used, "wait")
    assert waited.type == 6
    await scene.ann.until(lambda: used.message["content"] == "waited")
    assert not scene.sandbox.violations


async def test_a_client_refuses_what_a_menu_or_button_forbids(scene: Scene) -> None:
    await scene.run(add_menus)
    used = await scene.ann.command(scene.yard, "menus")
    with pytest.raises(Refused, match="disabled"):
        await scene.ann.press(used, label="Off")
    with pytest.raises(Refused, match="takes 1 to 2"):
        await scene.ann.press(used, "cells", values=["0", "1", "2"])
    with pytest.raises(Refused, match="no option '9'"):
        await scene.ann.press(used, "cells", values=["9"])
    with pytest.raises(Refused, match="it has: 'Cells'"):
        await scene.ann.press(used, "nothing")
    assert used.text.splitlines() == [
        "choose", "Title", "Cells", "Cell 0", "Cell 1", "Cell 2", "Off", "Wait", "Silent",
    ]  # fmt: skip


async def test_a_click_that_is_not_answered_in_time_fails_and_is_a_violation(scene: Scene) -> None:
    scene.patience(0.5)
    await scene.run(add_menus)
    used = await scene.ann.command(scene.yard, "menus")
    clicked = await scene.ann.press(used, "silent")
    assert clicked.failed == "This interaction failed"
    assert [violation.text for violation in scene.sandbox.violations] == ["interaction not acknowledged within 0.5 s"]


async def test_a_forged_click_may_go_unanswered(scene: Scene) -> None:
    scene.patience(0.5)
    await scene.run(add_menus)
    used = await scene.ann.command(scene.yard, "menus")
    forged = await scene.ben.forge(used, "no such thing")
    assert forged.failed
    assert not scene.sandbox.violations


async def test_a_late_or_second_answer_is_refused_and_a_violation(scene: Scene) -> None:
    scene.patience(0.5)
    errors: list[int] = []
    late = asyncio.Event()

    def add(bot: Bot) -> None:
        @slash(bot, "twice")
        async def twice(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("once")
            interaction.response._response_type = (
                None  # make discord.py forget the message, as a race between tasks does
            )
            try:
                await interaction.response.send_message("again")
            except discord.HTTPException as error:
                errors.append(error.code)

        @slash(bot, "late")
        async def answers_late(interaction: discord.Interaction) -> None:
            await late.wait()
            try:
                await interaction.response.send_message("late")
            except discord.NotFound as error:
                errors.append(error.code)

    await scene.run(add)
    await scene.ann.command(scene.yard, "twice")
    await scene.ann.until(lambda: errors == [40060])
    assert (await scene.ann.command(scene.yard, "late")).failed
    late.set()
    await scene.ann.until(lambda: errors == [40060, 10062])
    assert [violation.text.split(" after")[0] for violation in scene.sandbox.violations] == [
        "/twice by Ann was answered a second time",
        "interaction not acknowledged within 0.5 s",
        "/late by Ann was answered",
    ]


async def test_the_token_opens_with_the_first_answer_and_closes_with_its_age(scene: Scene) -> None:
    await scene.raw.call("PUT", f"/applications/{scene.sandbox.bot_id}/commands", [{"name": "x", "description": "x"}])
    wire = await scene.wire(1)
    asked = scene.ann.start_command(scene.yard, "x", {})
    token = (await wire.next("INTERACTION_CREATE"))["token"]
    hook = f"/webhooks/{scene.sandbox.bot_id}/{token}"
    assert (await scene.raw.call("POST", hook, {"content": "early"}))[1]["code"] == 10015
    callback = f"/interactions/{asked.id}/{token}/callback"
    status, answer = await scene.raw.call("POST", callback + "?with_response=true", {"type": 5})
    assert (status, answer["interaction"]["response_message_loading"]) == (200, True)
    assert answer["resource"]["message"]["flags"] == 128
    assert (await scene.raw.call("GET", hook + "/messages/@original"))[0] == 200
    assert not scene.sandbox.violations
    scene.sandbox.settings.token_life_ms = 0
    status, answer = await scene.raw.call("PATCH", hook + "/messages/@original", {"content": "too late"})
    assert (status, answer["code"]) == (401, 50027)
    assert "left thinking" in scene.sandbox.violations[0].text


async def test_a_bot_removed_from_a_server_answers_nobody_there(scene: Scene) -> None:
    await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    scene.sandbox.remove_bot(scene.guild)
    assert "not in this server" in str((await scene.ann.press(used, label="Again")).failed)
    with pytest.raises(Refused, match="offered no /table"):
        await scene.ann.command(scene.yard, "table")
    scene.sandbox.leave(scene.ben, scene.guild)
    with pytest.raises(Refused, match="not in"):
        await scene.ben.forge(used, "again:1")
    assert not scene.sandbox.violations


async def test_a_click_on_a_deleted_message_can_be_forged(scene: Scene) -> None:
    scene.patience(0.5)
    await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    table = used.message
    assert table is not None
    await scene.ann.delete(table)
    with pytest.raises(Refused, match="is gone"):
        await scene.ann.press(table, label="Again")
    assert (await scene.ann.forge(table, "again:0")).failed  # the message that the bot edits is gone


async def test_a_forged_custom_id_reaches_the_bots_own_checks(scene: Scene) -> None:
    await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    assert (await scene.ben.forge(used, "again:998")).type == 7
    assert "count 999" in used.text


async def test_a_click_on_an_older_version_reaches_the_bot(scene: Scene) -> None:
    await scene.run(add_table)
    used = await scene.ann.command(scene.yard, "table")
    before = used.message
    assert before is not None
    await scene.ann.press(before, "again:0")
    stale = await scene.ben.press(before, "again:0")
    assert stale.type == 7
    assert "count 1" in stale.text


async def test_a_direct_message_arrives_and_is_edited(scene: Scene) -> None:
    bot = await scene.run(add_table)
    user = await bot.fetch_user(int(scene.ben.id))
    message = await user.send(view=Table(3), file=board())
    assert "count 3" in visible_text(scene.ben.dms()[0])
    assert scene.ann.messages(scene.ben.dm) == []
    await message.edit(view=Table(4), attachments=[board("board.png")])
    assert "count 4" in visible_text(scene.ben.dms()[0])
    assert scene.ben.notices == [{"channel": scene.ben.dm.id, "message": str(message.id), "kind": "dm"}]
    assert (await scene.ben.press(scene.ben.dms()[0], label="Again")).type == 7


async def test_closed_direct_messages_are_refused(scene: Scene) -> None:
    bot = await scene.run(add_table)
    user = await bot.fetch_user(int(scene.ben.id))
    scene.ben.dms_open = False
    with pytest.raises(discord.Forbidden) as closed:
        await user.send("hello")
    assert closed.value.code == 50007
    scene.ben.dms_open = True
    scene.sandbox.leave(scene.ben, scene.guild)
    with pytest.raises(discord.Forbidden) as stranger:
        await user.send("hello")
    assert stranger.value.code == 50278
    assert scene.ben.dms() == []
    assert not scene.sandbox.violations


async def test_mentions_notify_only_those_in_allowed_mentions(scene: Scene) -> None:
    bot = await scene.run(add_table)
    channel: Any = bot.get_channel(int(scene.yard.id))
    only_ben = discord.AllowedMentions(users=[discord.Object(int(scene.ben.id))], everyone=False, roles=False)
    await channel.send(f"{scene.ann.mention} {scene.ben.mention}", allowed_mentions=only_ben)
    await channel.send(f"{scene.ben.mention} again", silent=True)
    assert scene.ann.notices == []
    assert [notice["kind"] for notice in scene.ben.notices] == ["mention"]
    assert not scene.sandbox.violations
    await channel.send("@everyone out")
    assert "calls a whole server" in scene.sandbox.violations[0].text


async def test_a_message_is_sent_once_for_a_nonce(scene: Scene) -> None:
    bot = await scene.run(add_table)
    channel: Any = bot.get_channel(int(scene.yard.id))
    first = await channel.send("once", nonce="n1")
    second = await channel.send("once", nonce="n1")
    assert first.id == second.id
    assert len(scene.ann.messages(scene.yard)) == 1


async def test_an_edit_keeps_replaces_or_drops_files(scene: Scene) -> None:
    bot = await scene.run(add_table)
    channel: Any = bot.get_channel(int(scene.yard.id))
    message = await channel.send("files", files=[board("one.png"), board("two.png")])
    message = await message.edit(content="kept")
    assert [file.filename for file in message.attachments] == ["one.png", "two.png"]
    message = await message.edit(attachments=[message.attachments[1], board("three.png")])
    assert [file.filename for file in message.attachments] == ["two.png", "three.png"]
    assert message.attachments[0].description == "the board"
    message = await message.edit(attachments=[])
    assert message.attachments == []


async def test_the_bot_sees_what_was_said_and_replies(scene: Scene) -> None:
    heard: list[str] = []

    class Listening(Bot):
        async def on_message(self, message: discord.Message) -> None:
            if message.author != self.user:
                heard.append(message.content)
                await message.reply("heard")

    scene.sandbox.privileged_intents = {"message_content"}
    intents = discord.Intents.default()
    intents.message_content = True
    await scene.start(Listening(intents=intents))
    said = await scene.ann.say(scene.yard, "NEXT")
    answer = await scene.ann.until(lambda: scene.ann.messages(scene.yard)[1])
    assert heard == ["NEXT"]
    assert answer["type"] == 19
    assert answer["message_reference"]["message_id"] == said["id"]
    assert scene.ann.notices[0]["kind"] == "mention"  # a reply mentions its author


async def test_a_sharded_bot_gets_the_events_of_its_servers(scene: Scene) -> None:
    class Sharded(commands.AutoShardedBot):
        async def setup_hook(self) -> None:
            @self.tree.command(name="where", description="which shard")
            async def where(interaction: discord.Interaction) -> None:
                await interaction.response.send_message(f"{interaction.guild.name} {interaction.guild.shard_id}")

            await self.tree.sync()

    bot = Sharded("!", intents=discord.Intents.default(), shard_count=1, guild_ready_timeout=0.02)
    await scene.start(bot)
    used = await scene.ann.command(scene.yard, "where")
    assert used.message["content"] == "Alcatraz 0"


async def test_messages_can_be_deleted_listed_and_reacted_to(scene: Scene) -> None:
    bot = await scene.run(add_table)
    channel: Any = bot.get_channel(int(scene.yard.id))
    sent = [await channel.send(str(number)) for number in range(3)]
    assert [message.content async for message in channel.history(limit=2)] == ["2", "1"]
    await sent[0].add_reaction("✅")
    assert scene.ann.messages(scene.yard)[0]["reactions"][0]["emoji"]["name"] == "✅"
    await sent[0].delete()
    await scene.ann.delete(scene.ann.messages(scene.yard)[0])
    assert [message["content"] for message in scene.ann.messages(scene.yard)] == ["2"]
    async with channel.typing():
        pass


async def test_an_application_emoji_can_be_uploaded_and_used(scene: Scene) -> None:
    bot = await scene.run(add_table)
    emoji = await bot.create_application_emoji(name="card_1", image=plain_png((1, 2, 3)))
    channel: Any = bot.get_channel(int(scene.yard.id))
    view = discord.ui.View()
    view.add_item(discord.ui.Button(emoji=emoji, custom_id="card"))
    await channel.send("cards", view=view)
    assert await emoji.read() == plain_png((1, 2, 3))
    shown = scene.ann.buttons(scene.ann.messages(scene.yard)[0])[0]["emoji"]
    assert (shown["id"], shown["name"]) == (str(emoji.id), "card_1")  # a browser would round a number
    assert [each.name for each in await bot.fetch_application_emojis()] == ["card_1"]
    await emoji.delete()
    assert not scene.sandbox.violations


async def test_an_archived_thread_accepts_no_edits_until_it_is_unarchived(scene: Scene) -> None:
    thread = scene.sandbox.add_thread(scene.yard, "night")
    bot = await scene.run(lambda bot: None)
    updates: list[bool] = []

    @bot.event
    async def on_raw_thread_update(payload: discord.RawThreadUpdateEvent) -> None:
        updates.append(payload.data["thread_metadata"]["archived"])

    known = bot.get_guild(int(scene.guild.id)).get_thread(int(thread.id))
    assert known is not None and known.parent_id == int(scene.yard.id)
    message = await known.send("before")
    scene.sandbox.archive(thread)
    await scene.ann.until(lambda: updates == [True])
    with pytest.raises(discord.HTTPException) as refused:
        await message.edit(content="meanwhile")
    assert refused.value.code == 50083
    scene.sandbox.archive(thread, False)
    await scene.ann.until(lambda: updates == [True, False])
    await message.edit(content="after")
    assert scene.sandbox.messages(thread)[0]["content"] == "after"
    scene.sandbox.deny(scene.yard, "SEND_MESSAGES_IN_THREADS")
    with pytest.raises(discord.Forbidden):
        await known.send("not allowed")

"""Prison Break's cog: its slash commands."""

import discord
from discord import app_commands

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.translation import N_, _
from cogs.core.inbound.command_options import WHICH_TABLE, OwnTable
from cogs.core.inbound.game_cog import Caller, GameCog, acting, showing_hand, showing_text, suggesting
from cogs.core.ops.text_format import labelled
from cogs.core.pages import interludes
from cogs.prison_break.achievements import ACHIEVEMENTS
from cogs.prison_break.controls import space_hint
from cogs.prison_break.markers_page import read_spaces
from cogs.prison_break.player_page import note_form
from cogs.prison_break.puzzle import PUZZLE
from cogs.prison_break.ui import PrisonBreakUI
from cogs.prison_break.words import offer_name, terms_words, vote_words
from engine.contract import Seat
from engine.games.prison_break import (
    GAME,
    NOTE_LENGTH,
    Decline,
    Guard,
    Mark,
    Note,
    Offer,
    Pass,
    PrisonBreakView,
    Sneak,
    Vote,
    markers_text,
    terms_of,
)
from engine.players.prison_break import BOTS
from engine.turns import Ready

VOTE_CHOICES: list[app_commands.Choice[str]] = [
    app_commands.Choice(name="✓ accept", value="accept"),
    app_commands.Choice(name="⊘ reject", value="reject"),
]


class PrisonBreak(
    GameCog,
    group_name="prison-break",
    group_description="A bluffing game of hidden tracks and secret votes.",
):
    """Commands of Prison Break."""

    game = GAME

    # Moves

    @app_commands.command(description="Say how far you go, then really go as far as you like. Only you see that.")
    @app_commands.rename(declare="say", move="go")
    @app_commands.describe(declare="What you tell everyone", move="How far you really go", table=WHICH_TABLE)
    async def sneak(
        self,
        interaction: discord.Interaction,
        declare: app_commands.Range[int, 0, 9],
        move: app_commands.Range[int, 0, 9],
        table: OwnTable | None = None,
    ) -> None:
        """Sneak."""
        done = _("You said {said} and went {gone}. No one else learns how far you went.", said=declare, gone=move)
        await self._act(interaction, table, Sneak(declare, move), done)

    @app_commands.command(description="As the Warden, make an offer to two players.")
    @app_commands.describe(
        offer="One of the face-up offers",
        first="One of the two; it can be you",
        second="The other one",
        table=WHICH_TABLE,
    )
    async def offer(
        self, interaction: discord.Interaction, offer: int, first: int, second: int, table: OwnTable | None = None
    ) -> None:
        """Make an offer."""
        await self._act(interaction, table, Offer(offer, first, second), _("You made the offer. Now those two vote."))

    decline = acting("decline", "As the Warden, make no offer this round.", Decline(), N_("You made no offer."))

    @app_commands.command(description="Vote on the offer. Votes are secret until both are in, and final.")
    @app_commands.describe(vote="Accept or reject", table=WHICH_TABLE)
    @app_commands.choices(vote=VOTE_CHOICES)
    async def vote(
        self, interaction: discord.Interaction, vote: app_commands.Choice[str], table: OwnTable | None = None
    ) -> None:
        """Vote."""
        accept = vote.value == "accept"
        done = _("You voted **{vote}**.", vote=vote_words(accept=accept))
        await self._act(interaction, table, Vote(accept), done)

    @app_commands.command(description="Spend a token to send every pawn on a space to JAIL, your own too.")
    @app_commands.describe(space="A numbered space", table=WHICH_TABLE)
    async def guard(
        self, interaction: discord.Interaction, space: app_commands.Range[int, 0, 99], table: OwnTable | None = None
    ) -> None:
        """Make a guard check."""
        done = _("You sent the guards to {space}.", space=space)
        await self._act(interaction, table, Guard(space), done)

    pass_ = acting("pass", "Make no guard check this round.", Pass(), N_("You made no guard check."))

    ready = acting(
        "ready",
        "After the lights: you've seen where everyone is, and the game can go on.",
        Ready(),
        interludes.DONE,
    )

    # What only you see

    track = showing_hand("track", "Show your track, what the others said, and your notepad. Only you see it.")

    @app_commands.command(
        description="Replace the text of your notepad, or leave the text out to edit it. Only you see it."
    )
    @app_commands.describe(text="The new text of your notepad", table=WHICH_TABLE)
    async def note(
        self,
        interaction: discord.Interaction,
        text: app_commands.Range[str, 1, NOTE_LENGTH] | None = None,
        table: OwnTable | None = None,
    ) -> None:
        """Write the notepad, or show the form for it."""
        if text is not None:
            await self._act(interaction, table, Note(text), _("Your notepad is saved."))
            return
        caller = await self._caller(interaction)
        request, view = caller.request, caller.view
        await request.responder.open_modal(note_form(view), request.table.id, view.ui_version)

    @app_commands.command(description="Mark where you think a player is, or remove your markers. Only you see them.")
    @app_commands.describe(player="Whose track", spaces="For example 3 4 exit", table=WHICH_TABLE)
    async def mark(
        self,
        interaction: discord.Interaction,
        player: int,
        spaces: app_commands.Range[str, 1, 100] | None = None,
        table: OwnTable | None = None,
    ) -> None:
        """Set the markers for one player."""
        caller = await self._caller(interaction)
        chosen = read_spaces(spaces or "", caller.view.spaces)
        await self._act_at(caller.request, Mark(markers_text(Seat(player), chosen)), _("Your markers are set."))

    board = showing_text("Show the table as text, with your own track. Only you see it.")

    # Completions: each from the player's own view and legal actions

    @sneak.autocomplete("declare")
    @suggesting
    async def _declarations(self, caller: Caller) -> list[tuple[str, int]]:
        numbers = sorted({action.declare for action in await caller.legal(Sneak)})
        return [(_("{number} – what you tell everyone", number=number), number) for number in numbers]

    @sneak.autocomplete("move")
    @suggesting
    async def _moves(self, caller: Caller) -> list[tuple[str, int]]:
        numbers = sorted({action.move for action in await caller.legal(Sneak)})
        return [(_("{number} – only you see it", number=number), number) for number in numbers]

    @offer.autocomplete("offer")
    @suggesting
    async def _offers(self, caller: Caller) -> list[tuple[str, int]]:
        view, named = caller.view, []
        for card in sorted({action.card for action in await caller.legal(Offer)}):
            kind = view.row[card].kind
            words = labelled(f"{card + 1}. {offer_name(kind)}", terms_words(terms_of(kind, view.terms)))
            named.append((words, card))
        return named

    @offer.autocomplete("first")
    @suggesting
    async def _first(self, caller: Caller) -> list[tuple[str, int]]:
        return await self._players(caller, "second")

    @offer.autocomplete("second")
    @suggesting
    async def _second(self, caller: Caller) -> list[tuple[str, int]]:
        return await self._players(caller, "first")

    async def _players(self, caller: Caller, other: str) -> list[tuple[str, int]]:
        """Return the players that the Warden can still name."""
        offers, taken = await caller.legal(Offer), caller.given(other)
        players = sorted({player for action in offers for player in (action.first, action.second)} - {taken})
        return [(caller.request.snapshot.seated_players[player].label(), player) for player in players]

    @mark.autocomplete("player")
    @suggesting
    async def _opponents(self, caller: Caller) -> list[tuple[str, int]]:
        players = caller.request.snapshot.seated_players
        return [(one.label(), int(one.seat)) for one in players if one.seat != caller.seat]

    @guard.autocomplete("space")
    @suggesting
    async def _spaces(self, caller: Caller) -> list[tuple[str, int]]:
        view, names = caller.request.snapshot.view(None), caller.request.snapshot.info().distinct_names
        assert isinstance(view, PrisonBreakView)
        named = []
        for action in await caller.legal(Guard):
            hint = space_hint(view, action.space, names)
            named.append((f"{action.space} – {hint}" if hint else str(action.space), action.space))
        return named


PACKAGE = GamePackage(BOTS, PrisonBreakUI, PrisonBreak, puzzle=PUZZLE, achievements=ACHIEVEMENTS)

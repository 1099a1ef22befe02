"""Service at the tables, put together: what people can do there, by slash command or by control.

`opening` opens tables, `lobby_verbs` serves their lobbies and seats, `moves` the games, `hints` what a strong
player would do, `pages` what one person sees alone. All their verbs stand in one table, the router's.
"""

from collections.abc import Iterable

from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.handlers import GlobalHandler, ServesGeneral
from cogs.core.inbound.hint_handlers import HintHandlers
from cogs.core.inbound.lobby_handlers import LobbyHandlers
from cogs.core.inbound.move_commands import MoveCommands
from cogs.core.inbound.player_page_handlers import PlayerPageHandlers
from cogs.core.inbound.practice import Practice
from cogs.core.inbound.table_opening import TableOpener
from cogs.core.inbound.table_service import TableService


class Service:
    """What people can do at tables, and what every cog may use of it."""

    def __init__(self, tables: TableService) -> None:
        pages = PlayerPageHandlers(tables)
        opening, moves, seats = TableOpener(tables), MoveCommands(tables), LobbyHandlers(tables)
        self.router = ComponentRouter(tables)
        self.router.add(*pages.verbs(), *seats.verbs(), *opening.verbs(), *HintHandlers(tables).verbs())
        self.open_table = opening.open_table
        self.open_privately = opening.open_privately
        self.practice = Practice(tables)
        self.join = seats.join
        self.command = moves.command
        self.typed = moves.typed
        self.show_hand = pages.show_hand
        self.text_view = pages.text_view
        self.rules_page = pages.rules_page

    def answer_to(self, verb: str, answer: ServesGeneral) -> None:
        """Let a cog serve a verb of its own, at any table and at none. A verb has one answer."""
        self.router.add(GlobalHandler(verb, answer))

    def answer_lessons(self, answer: ServesGeneral, names: Iterable[str] = ("",)) -> None:
        """Let a cog serve whatever is pressed in the lessons or puzzles of these names; without, in all others."""
        self.router.lessons |= dict.fromkeys(names, answer)

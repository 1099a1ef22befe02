"""Assembles the handlers of controls and commands at tables, and offers the cogs what they use of them."""

from collections.abc import Iterable

from cogs.core.inbound.component_router import ComponentRouter
from cogs.core.inbound.hint_handlers import HintHandlers
from cogs.core.inbound.lobby_handlers import LobbyHandlers
from cogs.core.inbound.move_commands import MoveCommands
from cogs.core.inbound.player_page_handlers import PlayerPageHandlers
from cogs.core.inbound.practice import Practice
from cogs.core.inbound.request import GlobalCallback, GlobalHandler
from cogs.core.inbound.table_opening import TableOpener
from cogs.core.inbound.table_service import TableService


class Service:
    """What people can do at tables, for use by the cogs."""

    def __init__(self, tables: TableService) -> None:
        pages = PlayerPageHandlers(tables)
        opening, moves, seats = TableOpener(tables), MoveCommands(tables), LobbyHandlers(tables)
        self.router = ComponentRouter(tables)
        self.router.add(*pages.handlers(), *seats.handlers(), *opening.handlers(), *HintHandlers(tables).handlers())
        self.open_table = opening.open_table
        self.open_privately = opening.open_privately
        self.practice = Practice(tables)
        self.join = seats.join
        self.command = moves.command
        self.typed = moves.typed
        self.text_view = pages.text_view
        self.rules_page = pages.rules_page

    def add_handler(self, verb: str, answer: GlobalCallback) -> None:
        """Let a cog handle a verb of its own, at any table and outside of tables. A verb has one handler."""
        self.router.add(GlobalHandler(verb, answer))

    def add_lesson_handler(self, answer: GlobalCallback, names: Iterable[str] = ("",)) -> None:
        """Let a cog handle all controls in the lessons or puzzles of these names, or by default in all others."""
        self.router.lessons |= dict.fromkeys(names, answer)

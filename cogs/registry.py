"""Which games are played: one line a game, and outside `engine/` the only list of them.

Whatever serves every game is given this list, or what was made of it, and names none.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from cogs.ausbrecher import Ausbrecher, AusbrecherScreen
from cogs.ausbrecher import puzzle as ausbrecher_puzzle
from cogs.break_out import BreakOutCog, BreakOutScreen
from cogs.break_out import puzzle as break_out_puzzle
from cogs.core.app.client import MakeCog
from cogs.core.pages.game_ui import Screen
from cogs.core.pages.puzzles import GamePuzzle
from cogs.match_five import MatchFive, MatchFiveScreen
from cogs.match_five import puzzle as match_five_puzzle
from cogs.prison_break import PrisonBreak, PrisonBreakScreen
from cogs.prison_break import puzzle as prison_break_puzzle
from cogs.rope_wall import RopeWall, RopeWallScreen
from cogs.rope_wall import puzzle as rope_wall_puzzle
from engine.contract import AnyGame
from engine.games import ausbrecher, break_out, match_five, prison_break, rope_wall
from engine.players import Explain, Level, Player
from engine.players import ausbrecher as ausbrecher_players
from engine.players import break_out as break_out_players
from engine.players import match_five as match_five_players
from engine.players import prison_break as prison_break_players
from engine.players import rope_wall as rope_wall_players


@dataclass(frozen=True)
class GamePackage:
    """All that the house needs of a game: its rules, its computer players, what it shows, and its commands.

    `folder` is where its material lies (`<key>.toml`); None is the house's own. A game may have a `puzzle` of the day,
    and `reasons` that say why its strong player does what it does; without them a hint is the move alone.
    """

    game: AnyGame
    players: Mapping[Level, Player]
    screen: Callable[[], Screen]
    cog: MakeCog
    folder: Path | None = None
    puzzle: GamePuzzle | None = None
    reasons: Explain | None = None


GAMES: tuple[GamePackage, ...] = (
    GamePackage(
        rope_wall.GAME,
        rope_wall_players.PLAYERS,
        RopeWallScreen,
        RopeWall,
        puzzle=rope_wall_puzzle.PUZZLE,
        reasons=rope_wall_players.explain,
    ),
    GamePackage(
        match_five.GAME,
        match_five_players.PLAYERS,
        MatchFiveScreen,
        MatchFive,
        puzzle=match_five_puzzle.PUZZLE,
        reasons=match_five_players.explain,
    ),
    GamePackage(
        ausbrecher.GAME,
        ausbrecher_players.PLAYERS,
        AusbrecherScreen,
        Ausbrecher,
        puzzle=ausbrecher_puzzle.PUZZLE,
        reasons=ausbrecher_players.explain,
    ),
    GamePackage(
        prison_break.GAME,
        prison_break_players.PLAYERS,
        PrisonBreakScreen,
        PrisonBreak,
        puzzle=prison_break_puzzle.PUZZLE,
        reasons=prison_break_players.explain,
    ),
    GamePackage(
        break_out.GAME,
        break_out_players.PLAYERS,
        BreakOutScreen,
        BreakOutCog,
        puzzle=break_out_puzzle.PUZZLE,
        reasons=break_out_players.explain,
    ),
)
"""In the order in which people see them: what is learned soonest comes first."""

"""The puzzles of a day as one user sees them: how far they have come, and the page with all of them."""

from dataclasses import dataclass

from cogs.core.i18n.translation import _
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_catalog import EDGE
from cogs.core.pages.page import Button, Page, Row, Text, rows
from cogs.puzzles import words
from cogs.puzzles.daily_post import PuzzleKinds, date, numbered
from cogs.puzzles.pages import whole_day
from cogs.puzzles.results import Tally


@dataclass(frozen=True)
class Day:
    """The puzzles of the day with a number, and what the user has tried. `today`: whether it is the present day."""

    number: int
    puzzles: PuzzleKinds
    tally: Tally
    today: bool

    def _mark(self, key: str) -> str:
        """Return the sign of the user's attempt at a puzzle."""
        return self.tally.mark(self.puzzles[key][0].kind.game.key, self.number)

    def whole(self) -> int:
        """Return how many puzzles the day has, if the user has solved them all, or else 0."""
        return len(self.puzzles) if all(self._mark(key) == words.SOLVED for key in self.puzzles) else 0

    def following(self) -> str:
        """Return the place of the first puzzle that the user has not finished; empty if there is none."""
        unfinished = (key for key in self.puzzles if self._mark(key) in (words.UNTRIED, words.OPEN))
        return next((f"{key}.{self.number}" for key in unfinished), "")

    def score(self, user: int) -> str:
        """Return the user's results in a line, without the answers."""
        signs, row = "".join(map(self._mark, self.puzzles)), self.tally.days_in_a_row()
        line = _("{player} · puzzles of {date} · {signs}", player=f"<@{user}>", date=date(self.number), signs=signs)
        return f"{line} · {words.days(row)}" if row > 1 else line

    def page(self, results: str) -> Page:
        """Return the page with all puzzles and the `results` of a server, if there are any. Draws."""
        title = _("Puzzles of the day") if self.today else _("Puzzles of an earlier day")
        head, whole = f"### {title}\n{numbered(self.number)}", self.whole()
        buttons = []
        for key, (game, _puzzles) in self.puzzles.items():
            sign, style = words.BUTTONS[self._mark(key)]
            buttons.append(Button(f"{sign}{_(game.title)}", "puzzle", f"{key}.{self.number}", style))
        doors = [Button(_("◀ Previous day"), "puzzle", f"day.{self.number - 1}", disabled=self.number <= 1)]
        if not self.today:
            doors.append(Button(_("Next day ▶"), "puzzle", f"day.{self.number + 1}"))
        if self.tally.tried(self.number):
            doors.append(Button(_("Share in channel"), "puzzle", f"share.{self.number}", "success"))
        return Page(
            (
                whole_day(whole).above("", head) if whole else Text(head),
                Text("\n".join(map(self._line, self.puzzles))),
                *rows(buttons),
                *((Text(results),) if results else ()),
                Row(tuple(doors)),
            ),
            EDGE,
        )

    def _line(self, key: str) -> str:
        """Return two lines about a puzzle: its title, and how hard it is and how far the user has come."""
        game, puzzles = self.puzzles[key]
        row = self.tally.days_in_a_row(game.kind.game.key)
        level = words.difficulty(puzzles.numbered(self.number).proof.difficulty)
        state = f"{_(words.SIGNS[self._mark(key)])}{f' · {words.days(row)}' if row else ''}"
        return f"**{_(game.title)}** · {game_title(game.kind.game)}\n-# {level} · {state}"

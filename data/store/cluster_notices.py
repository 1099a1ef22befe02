"""Notices: what the processes of one bot tell each other once something is committed, so that nobody goes on by what
has changed meanwhile.

A notice says only what to read again, never what stands there: no secret is in it, nothing follows from it that is not
in the tables, and who hears it twice is none the wiser. It may get lost, with a connection or with its sender. Then the
listener hears `Missed` when it is back, and every minute the bot compares its awake tables with the database, and lets
go of the rest. What a process keeps in memory that another one can make stale, and what is heard of it:

- the tables in memory, their clocks and messages: `TableChanged` (another process acted at a table of ours), and the
  comparison every minute;
- who is looking at a table, and whose direct message another process is answering: `Pressed`;
- the settings of servers, the limits of open tables among them: `SettingsChanged`. Whether a table more may be opened
  is asked in the transaction that opens it, of what is in the database then;
- how people are notified: `PreferenceChanged`;
- people in tables, pages and preferences that are to be forgotten: `Forgotten`;
- whether there is a game to add to the leaderboards: nobody has to hear of it. Who ends a game adds it, who looks at a
  leaderboard finds out whether it is whole, and on `Missed` everybody looks. Standings and ratings are never kept in
  memory, but for those on the page of a game that has just ended, which its owner works out;
- in which channels tables are open: a table is opened by the owner of its server alone, and listed by whoever owns it
  next, from the tables;
- servers that are out of reach, or gone: only the process that is connected for them is told by Discord. That their
  clocks stand still is kept with each table;
- attempts at puzzles: read at every press, and kept only on top of what was read;
- the emoji of our application: found by a name with a hash of the picture, so those of one version are the same.

May import msgspec, the standard library and its neighbours.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

import msgspec


class TableChanged(msgspec.Struct, frozen=True, tag="table"):
    """Another process has written to a table of ours."""

    table: int


class Pressed(msgspec.Struct, frozen=True, tag="pressed"):
    """Another process serves a press of somebody's at a table of ours, and answers it on their direct message."""

    table: int
    user: int


class SettingsChanged(msgspec.Struct, frozen=True, tag="settings"):
    """Something was set for a server."""

    guild: int


class PreferenceChanged(msgspec.Struct, frozen=True, tag="preference"):
    """Somebody wants to hear otherwise that it is their move."""

    user: int


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
    """Who somebody is was deleted from all that is kept."""

    user: int


class Missed(msgspec.Struct, frozen=True, tag="missed"):
    """Something may have been told that was not heard: all that is known may be stale. No process tells it to another
    one; each tells it to itself, to learn whether anything arrives.
    """


Notice = TableChanged | Pressed | SettingsChanged | PreferenceChanged | Forgotten | Missed
"""What can be heard."""

Hear = Callable[[Notice], None]
"""Takes a notice. Returns at once, and raises nothing."""


class Notices(ABC):
    """What the processes tell each other. A store has them, as `notices`."""

    @abstractmethod
    def listen(self, hear: Hear) -> None:
        """Let this hear, from now on, whatever the others tell; first of all that something may have been missed.
        Returns at once.
        """

    @abstractmethod
    def tell(self, notice: Notice) -> None:
        """Tell all others what was committed. Returns at once, and never fails: what gets lost is found later."""

    @abstractmethod
    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Tell it to the process that has the tables of a server; if that is this one, it hears it at once. Else as
        `tell`.
        """

    @property
    @abstractmethod
    def complaint(self) -> str | None:
        """Why nothing can be heard at the moment; None if all is well."""


class NoNotices(Notices):
    """The notices of a process that is the only one there can be: there is nobody to tell anything."""

    def listen(self, hear: Hear) -> None:
        """Hear nothing, ever."""

    def tell(self, notice: Notice) -> None:
        """Tell nobody."""

    def tell_owner(self, guild: int, notice: Notice) -> None:
        """Tell nobody: this process has all tables."""

    @property
    def complaint(self) -> str | None:
        """Nothing: all that there is to hear is heard."""
        return None

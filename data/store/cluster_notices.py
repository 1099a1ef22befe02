"""Notices that the processes of one bot send each other after a commit, so that none keeps using stale data.

A notice says only what to read again, so receiving it twice does no harm. It may get lost: the listener receives
`Missed` when it reconnects, and every minute the bot compares its loaded tables with the database and drops its caches.
What a process keeps in memory that another one can make stale, and the notice for it:

- loaded tables, their clocks and messages: `TableChanged` (another process acted at one of our tables), and the
  comparison every minute;
- who is looking at a table, and whose direct message another process is answering: `Pressed`;
- the settings of servers, with the limits of open tables: `SettingsChanged`. Whether one more table may be opened is
  checked in the transaction that opens it;
- how people are notified: `PreferenceChanged`;
- people whose data was deleted, in tables, pages and preferences: `Forgotten`;
- whether there is a game to add to the leaderboards: no notice. The process that ends a game adds it, a process that
  shows a leaderboard checks whether it is complete, and on `Missed` all of them check. Standings and ratings are not
  kept in memory, except on the page of a game that has just ended, which its owner computes;
- in which channels tables are open: only the owner of a server opens tables there, and its next owner lists them;
- servers that are unavailable, or gone: Discord informs only the process that is connected for them. Each table
  stores that its clocks are paused;
- attempts at puzzles: read at every press, and saved only on top of what was read;
- the emoji of our application: found by a name with a hash of the picture, so those of one version are the same.
"""

from collections.abc import Callable

import msgspec


class TableChanged(msgspec.Struct, frozen=True, tag="table"):
    """Another process has written to one of our tables."""

    table: int


class Pressed(msgspec.Struct, frozen=True, tag="pressed"):
    """Another process handles a press at one of our tables, and answers it on the presser's direct message."""

    table: int
    user: int


class SettingsChanged(msgspec.Struct, frozen=True, tag="settings"):
    """A setting of a server was changed."""

    guild: int


class PreferenceChanged(msgspec.Struct, frozen=True, tag="preference"):
    """A person changed how they are notified of their turn."""

    user: int


class Forgotten(msgspec.Struct, frozen=True, tag="forgotten"):
    """A person's data was deleted."""

    user: int


class Missed(msgspec.Struct, frozen=True, tag="missed"):
    """Notices may have been lost. A process sends this only to itself, also to learn whether notices arrive."""


Notice = TableChanged | Pressed | SettingsChanged | PreferenceChanged | Forgotten | Missed
"""Any notice."""

Listener = Callable[[Notice], None]
"""Takes a notice. Does not block, and raises nothing."""

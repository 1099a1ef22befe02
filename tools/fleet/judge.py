"""Find faults after a trial: compare the answers people got with what is stored, and check who edited what."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from engine.contract import AnyGame, ClockShift, GameError
from engine.games import GAMES
from sandbox import Violation
from tools.fleet.database import DatabaseReader, Decided
from tools.fleet.parties import Click, Edit, Gain
from tools.fleet.processes import Process

SLACK_MS = 3_000
"""The time within which a take-over must be noticed on a busy machine."""

ANSWERS_MS = 10_000
"""How long a process may answer clicks that arrived before their server went to another process."""

LINGERS_MS = 3_500
"""How long a frozen process may still send what was already being sent."""

LATE = ("not acknowledged within", "was answered after")
"""Violations for being late, which frozen processes commit."""

SEEN_MS = 500
"""By how much a process's clock may be behind when it records from when it serves a server."""


async def wrong_with_moves(reader: DatabaseReader, clicks: Sequence[Click]) -> list[str]:
    """Return violations of: every acknowledged move is stored once, no other one is, and no event is missing."""
    found: list[str] = []
    by_table: dict[int, list[Click]] = defaultdict(list)
    for click in clicks:
        by_table[click.table].append(click)
    for number, key, version in await reader.tables():
        found += wrong_with_events(GAMES[key], number, version, await reader.events(number))
        decided = [each for each in await reader.decided(GAMES[key], number) if each.seat is not None]
        found += unmatched(by_table.pop(number, []), decided, number)
    found += [f"moves were made at table {number}, which is not kept" for number in by_table]
    return found


def wrong_with_events(game: AnyGame, table: int, version: int, events: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield violations of: the events of a table are numbered without gaps, and can be replayed."""
    numbers = [number for number, _ in events]
    if numbers != list(range(version)):
        yield f"table {table} is at event {version}, and has {numbers}"
    try:
        if events:
            game.fold([game.read_event(body) for _, body in events])
    except GameError as error:
        yield f"the events of table {table} cannot be played back: {error!r}"


def unmatched(clicks: Iterable[Click], decided: Iterable[Decided], table: int) -> Iterator[str]:
    """Match clicks with decisions: first the acknowledged ones, then those with an unknown result."""
    left = list(decided)
    tried = list(clicks)
    for certain in (True, False):
        for click in tried:
            if click.fate == "refused" or (click.fate == "taken") != certain:
                continue
            same = (
                each
                for each in left
                if each.number >= click.version and (each.seat, each.action) == (click.seat, click.action)
            )
            match = next(same, None)
            if match is not None:
                left.remove(match)
            elif certain:
                yield f"table {table}: {click.by} said that {click.action} was done at {click.version}; it is not kept"
    for each in left:
        yield f"table {table}: {each.action} of seat {each.seat} is kept at {each.number}, and nobody was told so"


def wrong_with_edits(edits: Iterable[Edit], gains: Iterable[Gain], processes: Iterable[Process]) -> Iterator[str]:
    """Yield edits of a channel by a process after another one has taken over.

    Allowed are edits after the other process has ended or the server has come back, answers to clicks that arrived
    before, and what a frozen process was already sending.
    """
    those = [*processes]
    ended = {process.name: process.ended_ms for process in those}
    woke = {process.name: process.woke_ms for process in those if process.woke_ms is not None}
    got = sorted(gains, key=lambda gain: gain.at_ms)
    by_channel: dict[str, list[Edit]] = defaultdict(list)
    for edit in edits:
        late = edit.at_ms - woke.get(edit.by, edit.at_ms + 1)
        if not (_still_answers(edit, got) or 0 <= late <= LINGERS_MS):
            by_channel[edit.channel].append(edit)
    for made in by_channel.values():
        started: dict[str, int] = {}
        present = ""
        for edit in made:
            if edit.by == present:
                continue
            back = any(
                started.get(present, 0) - SEEN_MS <= gain.at_ms <= edit.at_ms + SEEN_MS
                for gain in got
                if (gain.by, gain.guild) == (edit.by, edit.guild)
            )
            gone = ended.get(present)
            if edit.by in started and not back and (gone is None or gone > edit.at_ms):
                since = started[present]
                how = "answers there" if edit.answers else "changes it"
                yield f"channel {edit.channel}: {edit.by} {how} at {edit.at_ms}, and {present} changes it since {since}"
            started[edit.by] = edit.at_ms
            present = edit.by


def _still_answers(edit: Edit, gains: Iterable[Gain]) -> bool:
    """Return True if a process answers what it had started when the server went to another one."""
    last = next((gain for gain in reversed([*gains]) if gain.guild == edit.guild and gain.at_ms <= edit.at_ms), None)
    return edit.answers and last is not None and last.by != edit.by and edit.at_ms - last.at_ms <= ANSWERS_MS


def wrong_with_clocks(table: int, version: int, decided: Iterable[Decided], away_ms: int) -> Iterator[str]:
    """Yield violations of: the clocks of a table at this version were extended by the time it had no process."""
    delays = [each.action.by_ms for each in decided if each.number >= version and isinstance(each.action, ClockShift)]
    if not delays:
        yield f"table {table}: its clock was not extended after version {version}"
    elif delays[0] < away_ms - SLACK_MS:
        yield f"table {table}: its clock was extended by {delays[0]} ms after {away_ms} ms"


def wrong_with_logs(processes: Iterable[Process]) -> list[str]:
    """Return tracebacks in the logs."""
    found = []
    for process in processes:
        _, traceback, after = process.written.partition("Traceback")
        if traceback:
            found.append(f"{process.name}: {traceback}{after[:1_500]}")
    return found


def wrong_with_rules(violations: Iterable[Violation], processes: Iterable[Process]) -> list[str]:
    """Return violations of Discord's rules other than lateness: frozen processes are late, and so are busy machines.

    What a killed process had deferred stays without an answer, since only that process knows its token.
    """
    excused = (*LATE, *(f"left thinking by {process.name} " for process in processes if process.killed))
    return [str(violation) for violation in violations if not any(words in violation.text for words in excused)]

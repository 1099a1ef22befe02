"""What is wrong, after all: what people were told compared with what is kept, and who changed what they see."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from engine.contract import AnyGame, ClockShift, GameError
from engine.games import GAMES
from sandbox import Violation
from tools.fleet.database import Decided, Kept
from tools.fleet.parties import Click, Edit, Gain
from tools.fleet.processes import Process

SLACK_MS = 3_000
"""So late may it be noticed, on a busy machine, that another process has taken over."""

ANSWERS_MS = 10_000
"""For so long, as people wait for it, a process answers clicks that had come in before the server went to another one.
"""

LINGERS_MS = 3_500
"""For so long a process that stood still sends what was on its way out of it."""

LATE = ("not acknowledged within", "was answered after")
"""What Discord holds against who is late, or stands still and goes on."""

SEEN_MS = 500
"""By so much may the clock of a process be behind, by which it is kept since when it serves a server."""


async def wrong_with_moves(kept: Kept, clicks: Sequence[Click]) -> list[str]:
    """Every move that was acknowledged is kept once, none is kept that nobody made, and no event is missing."""
    found: list[str] = []
    by_table: dict[int, list[Click]] = defaultdict(list)
    for click in clicks:
        by_table[click.table].append(click)
    for number, key, version in await kept.tables():
        found += wrong_with_events(GAMES[key], number, version, await kept.events(number))
        decided = [each for each in await kept.decided(GAMES[key], number) if each.seat is not None]
        found += unmatched(by_table.pop(number, []), decided, number)
    found += [f"moves were made at table {number}, which is not kept" for number in by_table]
    return found


def wrong_with_events(game: AnyGame, table: int, version: int, events: Sequence[tuple[int, str]]) -> Iterator[str]:
    """The events of a table are numbered without a gap, and can be played back."""
    numbers = [number for number, _ in events]
    if numbers != list(range(version)):
        yield f"table {table} is at event {version}, and has {numbers}"
    try:
        if events:
            game.fold([game.read_event(body) for _, body in events])
    except GameError as error:
        yield f"the events of table {table} cannot be played back: {error!r}"


def unmatched(clicks: Iterable[Click], decided: Iterable[Decided], table: int) -> Iterator[str]:
    """Match what was clicked with what was decided: first what was told to be done, then what may have been."""
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
    """Once another process has changed what a channel shows, the one before changes nothing there any more: unless
    that other one has ended since, or the server has come back to it. What it had begun to answer it may answer, for a
    while; and one that stood still may send what was on its way out of it, or a part of an answer.
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
        begun: dict[str, int] = {}
        present = ""
        for edit in made:
            if edit.by == present:
                continue
            back = any(
                begun.get(present, 0) - SEEN_MS <= gain.at_ms <= edit.at_ms + SEEN_MS
                for gain in got
                if (gain.by, gain.guild) == (edit.by, edit.guild)
            )
            gone = ended.get(present)
            if edit.by in begun and not back and (gone is None or gone > edit.at_ms):
                since = begun[present]
                how = "answers there" if edit.answers else "changes it"
                yield f"channel {edit.channel}: {edit.by} {how} at {edit.at_ms}, and {present} changes it since {since}"
            begun[edit.by] = edit.at_ms
            present = edit.by


def _still_answers(edit: Edit, gains: Iterable[Gain]) -> bool:
    """Whether a process answers what it had begun with when the server went to another one."""
    last = next((gain for gain in reversed([*gains]) if gain.guild == edit.guild and gain.at_ms <= edit.at_ms), None)
    return edit.answers and last is not None and last.by != edit.by and edit.at_ms - last.at_ms <= ANSWERS_MS


def wrong_with_clocks(table: int, version: int, decided: Iterable[Decided], away_ms: int) -> Iterator[str]:
    """The clocks of a table that stood at this version when its process ended stood still until it had another one, so
    much later.
    """
    delays = [each.action.by_ms for each in decided if each.number >= version and isinstance(each.action, ClockShift)]
    if not delays:
        yield f"table {table}: its clock was not extended after version {version}"
    elif delays[0] < away_ms - SLACK_MS:
        yield f"table {table}: its clock was extended by {delays[0]} ms after {away_ms} ms"


def wrong_with_logs(processes: Iterable[Process]) -> list[str]:
    """No process has written a traceback."""
    found = []
    for process in processes:
        _, traceback, after = process.written.partition("Traceback")
        if traceback:
            found.append(f"{process.name}: {traceback}{after[:1_500]}")
    return found


def wrong_with_rules(violations: Iterable[Violation]) -> list[str]:
    """No rule of Discord's was broken but by lateness: processes stand still here, and how fast a machine is decides
    nothing.
    """
    return [str(violation) for violation in violations if not any(words in violation.text for words in LATE)]

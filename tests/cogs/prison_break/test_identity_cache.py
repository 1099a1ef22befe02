"""The cache of values shared by several pages: keyed by everything they depend on, and bounded."""

from cogs.prison_break.identity_cache import IdentityCache
from cogs.prison_break.log import recent
from engine.contract import Seat
from engine.games.prison_break import GAME
from tests.cogs.prison_break.scenes import UI, info
from tests.engine.games.prison_break_positions import moment, sneaked


def test_the_same_objects_are_worked_out_once_and_their_equals_separately():
    once, worked = IdentityCache[int](), []

    def ask(log: list[int], also: str) -> int:
        return once.of((log,), also, lambda: worked.append(also) or len(worked))  # type: ignore[func-returns-value]

    one, other = [1, 2], [1, 2]
    assert [ask(one, "a"), ask(one, "a"), ask(one, "b"), ask(other, "a"), ask(one, "a")] == [1, 1, 2, 3, 1]


def test_what_was_worked_out_first_goes_when_there_is_no_room():
    once, logs, worked = IdentityCache[int](size=2), [[number] for number in range(3)], []
    for log in (*logs, logs[2], logs[0]):
        once.of((log,), None, lambda log=log: worked.append(log) or 0)  # type: ignore[misc,func-returns-value]
    assert worked == [*logs, logs[0]]


def test_news_uses_the_names_of_its_own_table_and_is_the_same_for_every_seat():
    state = sneaked(moment((0, 5, 0)), (2, 0))
    views = [GAME.view(state, reader) for reader in (None, Seat(0), Seat(1))]
    for names in (("Ann", "Ben", "Cleo"), ("Dan", "Eve", "Fay")):
        told = {recent(view, info(3, names)) for view in views}
        assert len(told) == 1 and f"**{names[0]}** said 2" in told.pop()
        assert [bool(UI.news(view, info(3, names))) for view in views] == [True, False, False]

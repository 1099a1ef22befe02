"""The headlines of Ausbrecher AG: who has just reached a boat, its value for the reader, and the end."""

from cogs.ausbrecher.ui import AusbrecherUI
from engine.contract import Seat
from engine.games.ausbrecher import COLOURS, GAME, Resolve, Roll, State
from tests.engine.games.ausbrecher_positions import A, after, colours, moment, race
from tools.harness.pages import seated
from tools.harness.playouts import play

UI = AusbrecherUI()


def headline(state: State, seat: Seat | None = None) -> str:
    found = UI.highlight(GAME.view(state, seat), seated(GAME.options(), len(state.forecasts)))
    return "" if found is None else found.headline


def test_a_prisoner_who_reaches_a_boat_is_a_headline_until_the_next_move_or_roll():
    rolled = after(moment(race({18: "red", 5: "blue"})), A, Roll(colours("red blue pink")), 3, 2, 1)
    assert headline(rolled) == ""
    aboard = after(rolled, A, Resolve("red"))
    assert headline(aboard) == "Red escapes in boat 1!"
    found = UI.highlight(GAME.view(aboard, None), seated(GAME.options(), 2))
    assert found is not None and found.picture is not None and found.picture.alt == "Red in boat 1."
    assert headline(after(aboard, A, Resolve("blue"))) == ""


def test_a_boat_that_is_full_sails():
    rolled = after(moment(race({18: "red"}, aboard="blue")), A, Roll(colours("red pink green")), 3, 2, 1)
    assert headline(after(rolled, A, Resolve("red"))) == "Red is aboard: boat 1 sails!"


def test_only_who_forecast_it_reads_what_an_escape_is_worth():
    told: dict[bool, int] = {True: 0, False: 0}
    for seed in range(4):
        for state in play(GAME, seed, seats=3).running:
            public = headline(state)
            for seat in map(Seat, range(3)):
                view, own = GAME.view(state, seat), headline(state, seat)
                moves = next((turn.moves for turn in reversed(view.turns) if turn.moves), ())
                right = bool(public) and bool(view.points[seat][COLOURS.index(moves[-1].colour)])
                assert ("for you" in own) is right and bool(own) is bool(public) and "you" not in public
                told[right] += bool(public)
    assert all(told.values()), told


def test_at_the_end_the_winners_saw_it_coming():
    over = play(GAME, 7, seats=3).states[-1]
    about = seated(GAME.options(), 3)
    totals = [sum(points or 0 for points in one) for one in GAME.view(over, None).points]
    winners = [seat for seat, total in enumerate(totals) if total == max(totals)]
    words = headline(over)
    assert f" saw it coming: {max(totals)} point" in words
    assert all(about.name(Seat(seat)) in words for seat in winners)

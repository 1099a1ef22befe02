"""What a review of Prison Break says besides its figures: why another action was better."""

from random import Random

import pytest

from cogs.prison_break.hints import hint
from cogs.prison_break.review import REVIEW
from engine.contract import Action, Fact, to_json
from engine.games.prison_break import GAME, Guard, Offer, Offering, Pass, Prisoner, Sneak, State, Vote
from engine.players import Explain, Steps
from engine.players.prison_break.reasons import explain
from engine.review import JudgedDecision
from tests.cogs.prison_break.scenes import info
from tests.engine.games.prison_break_positions import A, B, moment, offered

ADVANCE = offered(moment((0, 0, 0), Offering()), "advance")


def why(state: State, better: Action, why: str = "", **facts: Fact) -> str:
    """Return what a review says to A, who did something else."""
    judged = JudgedDecision(1, A, "{}", 0.2, 0.4, to_json(better), why, facts)
    return REVIEW.because(GAME.view(state, A), judged, info(3, ("Ann", "Ben", "Cleo")))


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        (100, "was certain to accept: ✓✓ both 2 forward · ⊘✓ Ann: 3 forward, Ben: nothing."),
        (70, "was 70% likely to accept: ✓✓"),
        (0, "was certain to reject: ✓⊘ Ann: nothing, Ben: 3 forward · ⊘⊘ both 2 back."),
        (50, "was as likely to accept as to reject."),
    ],
)
def test_the_review_of_a_vote_says_what_to_expect_and_what_either_vote_leads_to(odds: int, words: str):
    said = why(ADVANCE, Vote(False), "votes", other=B, odds=odds)
    assert words in said.replace("●\xa0**Ann**", "Ann").replace("◆\xa0**Ben**", "Ben")


def test_the_review_of_a_guard_check_says_who_was_there_and_how_near_the_end():
    said = why(moment((0, 9, 0)), Guard(9), "stands", space=9, odds=18, rival=B)
    assert "**Ben** was 18% likely to be there, 2 spaces before EXIT." in said


def test_the_review_of_a_sneak_says_where_a_lie_would_have_led():
    state = moment((4, 0, 0), prisoners=(Prisoner(3, seen=2, declared=1), Prisoner(3), Prisoner(3)))
    assert why(state, Sneak(0, 2)) == "That would have claimed 3, with your pawn on 6."
    assert why(state, Sneak(1, 0)) == ""


def test_the_review_of_an_offer_lists_its_terms():
    assert why(moment((0, 0, 0), Offering()), Offer(0, A, B)).count("·") == 2
    assert why(moment((0, 0, 0)), Pass()) == ""


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (ADVANCE, Vote(False)),
        (moment((0, 9, 0)), Pass()),
        (moment((0, 0, 0), Offering()), Offer(0, A, B)),
    ],
)
def test_a_review_explains_without_the_chances_of_a_hint_since_it_shows_its_own(state: State, action: Action):
    view, players = GAME.view(state, A), info(3, ("Ann", "Ben", "Cleo"))
    legal = list(GAME.legal(state, A))

    def lines(reasons: Explain) -> str:
        return "\n".join(hint(view, players, action, reasons(view, action, legal, Steps(100), Random(0))))

    assert REVIEW.explain is not None
    assert "of 100 games" in lines(explain) and "of 100 games" not in lines(REVIEW.explain)

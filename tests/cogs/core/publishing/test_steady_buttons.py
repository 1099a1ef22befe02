"""Buttons whose target changes are disabled for a moment, in each message separately."""

from hypothesis import given
from hypothesis import strategies as st

from cogs.core.pages.page import Button, Page, RenderedPage, Row
from cogs.core.publishing.steady_buttons import STEADY_MS, SteadyButtons
from engine.contract import Moment

MOMENTS = st.lists(st.tuples(st.integers(0, 1_500), st.sampled_from(["", "1", "2", "3"]), st.booleans()), max_size=40)


def page(target: str) -> RenderedPage:
    return RenderedPage(Page((Row((Button("NEXT", "next"), Button("DRAW!", "call", target, target=target))),)), 0, 0)


def enabled(rendered: RenderedPage) -> str:
    """Return the target of the button, if it can be pressed."""
    (row,) = rendered.page.blocks
    assert isinstance(row, Row)
    return "".join(one.target for one in row.buttons if isinstance(one, Button) and not one.disabled)


@given(MOMENTS)
def test_no_button_can_be_pressed_in_the_second_after_its_target_came_in_sight_and_all_can_afterwards(
    moments: list[tuple[int, str, bool]],
):
    """`lost` calls show nothing."""
    steady, now = SteadyButtons(), Moment(0)
    target, since = "", Moment(-STEADY_MS)  # the visible page, and since when; the first one changes nothing
    first = True
    for passes, wanted, lost in moments:
        now = Moment(now + passes)
        steady.pop_due(now)
        shown = steady.apply(page(wanted), now)
        assert enabled(page(wanted)) == wanted and [one.label for one in shown.page.blocks[0].buttons] == [
            "NEXT",
            "DRAW!",
        ]
        young = wanted != target or now < since + STEADY_MS
        assert enabled(shown) == ("" if wanted and not first and young else wanted)
        if not lost:
            if wanted and wanted != target:
                target, since = wanted, Moment(-STEADY_MS) if first else now
                first = False
            steady.shown(now)
    if steady.disabled:
        assert steady.due is not None, "somebody looks again"
        assert steady.pop_due(steady.due) and enabled(steady.apply(page(target), Moment(since + STEADY_MS))) == target

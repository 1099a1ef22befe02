"""Buttons that act on a target stay disabled for a moment in each message after it has changed."""

from typing import TypeVar

from cogs.core.pages.page import Button, Row, StampedPage
from engine.contract import Moment

STEADY_MS = 1_000
"""How long buttons stay disabled in a message after their target has changed."""


P = TypeVar("P", bound=StampedPage)


class SteadyButtons:
    """The buttons of one message that have a target (`Button.target`): a press means the target that its presser saw,
    so nobody should press one that has changed under their finger.
    """

    def __init__(self) -> None:
        self.target: str | None = None  # what those in sight act on; None: there are none yet
        self.disabled = False  # whether they are disabled since that has changed just now
        self.due: Moment | None = None  # until when
        self._next: tuple[str | None, bool] = None, False  # the same of the page that is about to be shown

    def apply(self, rendered: P, now: Moment) -> P:
        """Return a page as it is shown now."""
        target = ""
        for block in rendered.page.blocks:
            if isinstance(block, Row):
                for button in block.buttons:
                    if isinstance(button, Button) and button.target:
                        target = button.target
        steady = target == self.target and (self.due is None or self.due <= now)
        disabled = bool(target) and self.target is not None and not steady
        self._next = target or self.target, disabled
        return rendered.with_page(rendered.page.with_targets_disabled()) if disabled else rendered

    def shown(self, now: Moment) -> None:
        """Note that the page is in sight to which this was applied last."""
        before, (self.target, self.disabled) = self.target, self._next
        if self.disabled and self.target != before:
            self.due = Moment(now + STEADY_MS)

    def pop_due(self, now: Moment) -> bool:
        """Return True, once, if they need not be disabled any more."""
        due = self.due is not None and self.due <= now
        if due:
            self.due = None
        return due

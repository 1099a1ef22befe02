"""The UI of Nim."""

from collections.abc import Iterator, Sequence

from cogs.core.pages.custom_ids import ComponentPress, is_number
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, Button, Modal, Page, Row, Text
from cogs.core.pages.refusals import sentence
from engine.contract import Action, Options, Refusal
from tests.sixth.game import GAME, NimView, Take, takes

REFUSALS = {"no-such-heap": "There is no such heap.", "too-many": "From that heap take 1 to {most}."}


class NimUI(GameUI):
    """The user interface of Nim."""

    game = GAME
    colour = 0x4C8BF5
    tagline = "Take from the heaps. Whoever takes the last wins."

    def status(self, view: NimView, info: TableContext) -> str:
        """Return who plays next, and the heaps."""
        if view.winner is not None:
            return f"★ {info.name(view.winner)} **wins!**"
        (turn,) = view.to_act
        return f"▶ {info.name(turn)} to take {info.countdown()}\n{self.text(view, info)}"

    def controls(self, view: NimView, info: TableContext) -> Sequence[Row]:
        """Return a row of buttons for each heap."""
        rows = []
        possible = list(takes(view))
        for heap in range(1, len(view.heaps) + 1):
            own = (take.count for take in possible if take.heap == heap)
            buttons = tuple(Button(f"{count} from heap {heap}", "take", f"{heap}-{count}") for count in own)
            if buttons:
                rows.append(Row(buttons))
        return rows

    def player_blocks(self, view: NimView, info: TableContext) -> Sequence[Block]:
        """Return the buttons: nothing is hidden in this game."""
        return self.controls(view, info)

    def press(self, view: NimView, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return the action of a button."""
        heap, _, count = control.argument.partition("-")
        if control.verb == "take" and is_number(heap) and is_number(count):
            return Take(int(heap), int(count))
        return None

    def advice(self, view: NimView, info: TableContext, legal: Sequence[Action]) -> Iterator[str]:
        """Yield a sentence if it is the seat's turn."""
        yield "Take from a heap." if legal else "Wait: it is not your turn."

    def text(self, view: NimView, info: TableContext) -> str:
        """Return the heaps as text."""
        return "\n".join(f"Heap {heap}: {left}" for heap, left in enumerate(view.heaps, start=1))

    def refusal(self, refusal: Refusal, info: TableContext) -> str:
        """Return the sentence for a refused action."""
        return sentence(refusal, info, REFUSALS)

    def rules(self) -> tuple[Page, ...]:
        """Return the rules on one page."""
        return (Page((Text("Take one to three from one heap. Whoever takes the last wins."),)),)

    def minutes(self, options: Options, seats: int) -> int:
        return 5

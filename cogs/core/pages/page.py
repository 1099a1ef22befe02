"""Pages as plain values: a game's UI turns a view into a `Page`, and `components_v2` turns that into a Discord message.
They are structs, which are made in a fifth of a dataclass's time.
"""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, Self, TypeVar

import msgspec
from msgspec.structs import replace

from cogs.core.i18n.translation import _
from cogs.core.pages import emoji_markup

Style = Literal["primary", "secondary", "success", "danger"]

ALT_LIMIT = 1024
"""Characters that Discord allows in a picture's description."""

TEXT_LIMIT = 4_000
"""Characters that Discord allows in all texts of a message together."""

RESERVED = 300
"""Characters that emoji leave for what is put around a page."""


@dataclass(frozen=True)
class Picture:
    """A picture with its file name and the words for those who cannot see it."""

    data: bytes = field(repr=False)
    name: str
    alt: str

    @property
    def digest(self) -> int:
        """A short name of the file in this process. The hash of bytes, which is cached, is the fastest."""
        return hash((self.name, self.data))

    def __post_init__(self) -> None:
        if not 0 < len(self.alt) <= ALT_LIMIT:
            raise ValueError(f"{self.name}: alt text has 1 to {ALT_LIMIT} characters, not {len(self.alt)}")


def join_within(sentences: Iterable[str], limit: int = ALT_LIMIT) -> str:
    """Return as many sentences, joined by spaces, as fit into `limit` characters; put the most important first."""
    text = ""
    for sentence in sentences:
        longer = f"{text} {sentence}".strip()
        if len(longer) > limit:
            break
        text = longer
    return text


class BoardPlaceholder(msgspec.Struct, frozen=True):
    """The place of the table's picture, which is drawn once for all who see it."""


class Text(msgspec.Struct, frozen=True):
    """A paragraph in Discord's markdown, in which emoji may be marked (`cogs.core.pages.emoji_markup`), perhaps with a
    small picture at its right.
    """

    body: str
    thumbnail: Picture | None = None


class Separator(msgspec.Struct, frozen=True):
    """A thin rule between two parts of a page."""


class Button(msgspec.Struct, frozen=True):
    """A button of a table. `verb` and `argument` come back when it is pressed. `face` names one of the application's
    own emoji, shown instead of `emoji` once uploaded; `beside` is then the label, if it differs, since on a phone a row
    of buttons has little space for both. `target` names what it acts on if that changes with the game: after a change
    it stays disabled for a moment, so that nobody presses a button that has changed under their finger.
    """

    label: str
    verb: str
    argument: str = ""
    style: Style = "secondary"
    emoji: str | None = None
    disabled: bool = False
    face: str | None = None
    beside: str | None = None
    target: str = ""


class Link(msgspec.Struct, frozen=True):
    """A button that opens an address."""

    label: str
    url: str


class SelectOption(msgspec.Struct, frozen=True):
    """One entry of a select. `value` comes back."""

    label: str
    value: str
    description: str | None = None
    emoji: str | None = None
    chosen: bool = False
    face: str | None = None


Bearer = TypeVar("Bearer", Button, SelectOption)


class Select(msgspec.Struct, frozen=True):
    """A drop-down of up to 25 options; `verb`, `argument` and the chosen values come back."""

    verb: str
    choices: tuple[SelectOption, ...]
    placeholder: str
    argument: str = ""
    least: int = 1
    most: int = 1
    disabled: bool = False


class PersonSelect(msgspec.Struct, frozen=True):
    """A drop-down of the server's people, of whom one is chosen: their number comes back as the value."""

    verb: str
    placeholder: str
    argument: str = ""


class Row(msgspec.Struct, frozen=True):
    """Up to five buttons beside each other."""

    buttons: tuple[Button | Link, ...]


Block = Text | Separator | Picture | BoardPlaceholder | Row | Select | PersonSelect


class Page(msgspec.Struct, frozen=True):
    """A message: its blocks from top to bottom, and the colour of its edge (0xRRGGBB)."""

    blocks: tuple[Block, ...]
    colour: int | None = None

    def pictures(self) -> Iterator[Picture]:
        """Iterate over the pictures of the page."""
        for block in self.blocks:
            if isinstance(block, Picture):
                yield block
            elif isinstance(block, Text) and block.thumbnail is not None:
                yield block.thumbnail

    def _with_each(self, change: Callable[[Block], Block | None]) -> "Page":
        """Return the page with each block changed, or left out if that returns None."""
        blocks = map(change, self.blocks)
        return Page(tuple(block for block in blocks if block is not None), self.colour)

    def with_board(self, board: Picture | None) -> "Page":
        """Return the page with the table's picture in its place; without that place if there is no picture."""
        return self._with_each(lambda block: board if isinstance(block, BoardPlaceholder) else block)

    def with_texts(self, change: Callable[[str], str]) -> "Page":
        """Return the page with every text of it changed."""
        return self._with_each(
            lambda block: replace(block, body=change(block.body)) if isinstance(block, Text) else block
        )

    def with_emoji(self, known: Callable[[str], str | None]) -> "Page":
        """Return the page with the application's own emoji, as far as they are known and fit into the texts."""
        if not any(map(_faced, self.blocks)):
            return self
        texts = (len(emoji_markup.strip(block.body)) for block in self.blocks if isinstance(block, Text))
        limit = TEXT_LIMIT - RESERVED - sum(texts)

        def shown(block: Block) -> Block:
            nonlocal limit
            match block:
                case Text():
                    body, limit = emoji_markup.render(block.body, known, limit)
                    return replace(block, body=body)
                case Select():
                    return replace(block, choices=tuple(_with_face(choice, known) for choice in block.choices))
                case _:
                    return block

        return self.with_each_button(lambda button: _with_face(button, known))._with_each(shown)

    def without_controls(self) -> "Page":
        """Return the page without everything that can be pressed, except links."""
        links = self.with_buttons(lambda button: False)
        return links._with_each(lambda block: None if isinstance(block, Select | PersonSelect) else block)

    def with_buttons(self, wanted: Callable[[Button], bool]) -> "Page":
        """Return the page with only those of its buttons that are wanted, and its links; without empty rows."""

        def kept(block: Block) -> Block | None:
            if not isinstance(block, Row):
                return block
            buttons = tuple(one for one in block.buttons if isinstance(one, Link) or wanted(one))
            return Row(buttons) if buttons else None

        return self._with_each(kept)

    def with_controls(self, wanted: Callable[[str], bool]) -> "Page":
        """Return the page with only the buttons and selects whose verb is wanted."""
        page = self.with_buttons(lambda button: wanted(button.verb))
        return page._with_each(
            lambda block: None if isinstance(block, Select | PersonSelect) and not wanted(block.verb) else block
        )

    def with_each_button(self, change: Callable[[Button], Button]) -> "Page":
        """Return the page with each of its buttons changed."""

        def changed(block: Block) -> Block:
            if not isinstance(block, Row):
                return block
            return Row(tuple(change(one) if isinstance(one, Button) else one for one in block.buttons))

        return self._with_each(changed)

    def with_targets_disabled(self) -> "Page":
        """Return the page with the buttons disabled that act on a target."""
        return self.with_each_button(lambda button: replace(button, disabled=True) if button.target else button)

    def digest(self) -> str:
        """Return a short name, in this process, of everything that the page shows: equal pages have equal digests."""
        # Not by `hashlib`, which releases the GIL each time.
        blocks = [
            (hash(block.data), block.name, block.alt) if isinstance(block, Picture) else block for block in self.blocks
        ]
        return f"{hash(msgspec.msgpack.encode((self.colour, blocks))):x}"


def _faced(block: Block) -> bool:
    """Return True if a block names any of the application's own emoji."""
    match block:
        case Text():
            return emoji_markup.BEGIN in block.body
        case Row():
            return any(isinstance(button, Button) and button.face is not None for button in block.buttons)
        case Select():
            return any(choice.face is not None for choice in block.choices)
        case _:
            return False


def _with_face(control: Bearer, known: Callable[[str], str | None]) -> Bearer:
    """Return a control with its own emoji, if that is known."""
    emoji = None if control.face is None else known(control.face)
    if emoji is None:
        return control
    if isinstance(control, Button) and control.beside is not None:
        return replace(control, emoji=emoji, label=control.beside)
    return replace(control, emoji=emoji)


def rows(buttons: Sequence[Button | Link], width: int = 5) -> tuple[Row, ...]:
    """Return the buttons in rows of `width`, at most five."""
    return tuple(Row(tuple(buttons[i : i + width])) for i in range(0, len(buttons), width))


class TextInput(msgspec.Struct, frozen=True):
    """One line or paragraph that a form asks for."""

    name: str
    label: str
    value: str = ""
    placeholder: str = ""
    long: bool = False
    required: bool = False
    limit: int = 400


class Modal(msgspec.Struct, frozen=True):
    """A modal. `verb` and `argument` come back with what was entered, by field name."""

    title: str
    verb: str
    fields: tuple[TextInput, ...]
    argument: str = ""


@dataclass(frozen=True)
class StampedPage:
    """A page with the stamp that its controls carry."""

    page: Page
    stamp: int

    def with_page(self, page: Page) -> Self:
        """Return it with another page."""
        return dataclasses.replace(self, page=page)


@dataclass(frozen=True)
class RenderedPage(StampedPage):
    """What the table message shows, with the revision of the table."""

    revision: int


def pages_of(entries: int, a_page: int) -> int:
    """Return how many pages this many entries take: at least one."""
    return max(1, -(-entries // a_page))


def page_within(number: int, pages: int) -> int:
    """Return a page's number, counted from 0, or the nearest that exists."""
    return min(max(number, 0), pages - 1)


def page_buttons(verb: str, number: int, pages: int, argument: Callable[[int, str], str]) -> tuple[Button, ...]:
    """Return the buttons to turn to the pages beside `number` (from 0) out of `pages`; none for a single page.
    `argument` makes a button's argument of its target page and its slot, which keeps custom_ids distinct.
    """
    if pages == 1:
        return ()
    return (
        Button(_("◀ Previous"), verb, argument(page_within(number - 1, pages), "back"), disabled=number == 0),
        Button(_("{number} of {pages}", number=number + 1, pages=pages), verb, argument(number, "here"), disabled=True),
        Button(_("Next ▶"), verb, argument(page_within(number + 1, pages), "next"), disabled=number == pages - 1),
    )

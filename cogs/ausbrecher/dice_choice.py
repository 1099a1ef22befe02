"""The choice of dice in Ausbrecher AG: one press per die; the last one rolls.

The choice so far travels in the buttons' arguments, a letter per die in the order of the presses and W for the white
one, so it survives a restart and stores nothing.
"""

from dataclasses import dataclass

from cogs.ausbrecher.words import LETTERS, capitalised, face_name, prisoner_name, sign
from cogs.core.i18n.translation import _, ngettext
from cogs.core.ops.text_format import listed
from cogs.core.pages.page import Button, Row, Style
from cogs.core.pages.player_page import DISCARD_DRAFT
from engine.games.ausbrecher import COLOURS, AusbrecherView, Colour, DiceChoice, Roll

WHITE = "W"
_COLOUR_OF = {letter: colour for colour, letter in LETTERS.items()}


@dataclass(frozen=True)
class ChosenDice:
    """The dice chosen so far, the coloured ones in the order in which they were pressed."""

    colours: tuple[Colour, ...] = ()
    white: bool = False

    @property
    def code(self) -> str:
        """Return the choice as an argument."""
        return "".join(LETTERS[colour] for colour in self.colours) + (WHITE if self.white else "")

    def with_colour(self, colour: Colour) -> "ChosenDice":
        """Return the choice after this die was pressed: taken, or given back."""
        if colour in self.colours:
            return ChosenDice(tuple(one for one in self.colours if one != colour), self.white)
        return ChosenDice((*self.colours, colour), self.white)

    def with_white(self) -> "ChosenDice":
        """Return the choice after the white die was pressed."""
        return ChosenDice(self.colours, not self.white)

    def missing(self, choice: DiceChoice) -> int:
        """Return how many prisoners are still to be chosen, including one named before the roll to go back."""
        forward = choice.with_white if self.white and choice.with_white is not None else choice.plain
        return forward + (self.white and choice.second) - len(self.colours)

    def roll(self, choice: DiceChoice) -> Roll | None:
        """Return the roll for this choice, or None if it is incomplete."""
        if self.missing(choice) > 0:
            return None
        if self.white and choice.second:
            return Roll(self.colours[:-1], True, self.colours[-1])
        return Roll(self.colours, self.white)


def load_choice(argument: str) -> ChosenDice | None:
    """Return the choice of an argument, or None."""
    letters = argument.removesuffix(WHITE)
    if len(set(letters)) < len(letters) or not set(letters) <= set(_COLOUR_OF):
        return None
    return ChosenDice(tuple(_COLOUR_OF[letter] for letter in letters), argument.endswith(WHITE))


def dice_rows(view: AusbrecherView, chosen: ChosenDice) -> tuple[Row, Row]:
    """Return the eight dice as buttons, always in the same place; those that cannot be rolled are disabled."""
    assert view.choice is not None
    buttons = []
    for colour, prisoner in zip(COLOURS, view.prisoners, strict=True):
        aboard = prisoner.boat is not None
        buttons.append(_die(colour, chosen.with_colour(colour), colour in chosen.colours, disabled=aboard))
    buttons.append(_die(None, chosen.with_white(), chosen.white, disabled=view.choice.with_white is None))
    if chosen.code:  # in the place of *More …* before the first press
        buttons.append(Button(_("Start over"), "hand", DISCARD_DRAFT))
    return Row(tuple(buttons[:5])), Row(tuple(buttons[5:]))


def _die(colour: Colour | None, after: ChosenDice, taken: bool, *, disabled: bool) -> Button:
    """Return the button of a prisoner's die, or of the white one: grey until it is taken; its emoji has the colour.

    Without a die left it leads to the player page as it was.
    """
    label = capitalised(colour) if colour is not None else _("White")
    style: Style = "success" if taken else "secondary"
    verb, argument = ("dice", after.code) if after.code else ("hand", f"{DISCARD_DRAFT}.dice")
    return Button(label, verb, argument, style, sign(colour), disabled, face_name(colour), "")


def prompt(choice: DiceChoice, chosen: ChosenDice) -> str:
    """Return what is still to be pressed, in a sentence or two."""
    if not chosen.colours and not chosen.white:
        return choice_words(choice)
    if chosen.white and choice.second and len(chosen.colours) == choice.with_white:
        first = capitalised(chosen.colours[0])
        return _("**{prisoner}** goes forward. Who goes back by the white die?", prisoner=first)
    taken = listed([*map(prisoner_name, chosen.colours), *([_("white")] if chosen.white else [])])
    if chosen.white and choice.second:
        return ngettext(
            "Chosen: **{dice}**. Press {n} more die, then who goes back by the white one. The last press rolls.",
            "Chosen: **{dice}**. Press {n} more dice, then who goes back by the white one. The last press rolls.",
            chosen.missing(choice) - 1,
            dice=taken,
        )
    return ngettext(
        "Chosen: **{dice}**. Press {n} more die to roll.",
        "Chosen: **{dice}**. Press {n} more dice to roll.",
        chosen.missing(choice),
        dice=taken,
    )


def why_grey(view: AusbrecherView) -> str:
    """Return why some dice cannot be pressed; empty if all can."""
    assert view.choice is not None
    aboard = any(prisoner.boat is not None for prisoner in view.prisoners)
    if view.choice.with_white is None:
        if aboard:
            return _("-# Grey: prisoners in a boat have no die, and the white die comes in after the first turn.")
        return _("-# Grey: the white die comes in after the first turn.")
    return _("-# Grey: prisoners in a boat have no die.") if aboard else ""


def choice_words(choice: DiceChoice) -> str:
    """Return what to press before anything is chosen."""
    match choice.with_white:
        case None:
            return ngettext(
                "Press {n} die. The last press rolls.", "Press {n} dice. The last press rolls.", choice.plain
            )
        case same if same == choice.plain:
            return ngettext(
                "Press {n} die. The last press rolls. White, pressed first, sends one prisoner back.",
                "Press {n} dice. The last press rolls. White, pressed first, sends one prisoner back.",
                choice.plain,
            )
        case fewer:
            return ngettext(
                "Press {plain} dice, or {n} and the white one. The last press rolls.",
                "Press {plain} dice, or {n} and the white one. The last press rolls.",
                fewer,
                plain=choice.plain,
            )

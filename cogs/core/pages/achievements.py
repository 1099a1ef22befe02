"""The achievements of a game as people see them: each with its title, how to earn it, and a badge."""

from dataclasses import dataclass

from cogs.core.drawing.badges import Symbol, badge
from cogs.core.i18n.translation import _
from cogs.core.pages.page import Block, Button, Picture, Row, Text
from engine.achievements import Rule

SHARE, LIST, TELL = "share-achievement", "achievements", "tell-achievements"
"""The verbs of the button that shows what was achieved to everybody, of the list of all achievements, and of the choice
whether a person is told of new ones.
"""


@dataclass(frozen=True)
class Achievement:
    """One achievement: the name by which it is stored, its title and how to earn it (msgids), and its symbol."""

    name: str
    title: str
    how: str
    symbol: Symbol


@dataclass(frozen=True)
class Achievements:
    """The achievements of one game, and the rule that finds them in a record."""

    rule: Rule
    listed: tuple[Achievement, ...]

    def find(self, name: str) -> Achievement | None:
        """Return the achievement of this name; None if this version knows none."""
        return next((one for one in self.listed if one.name == name), None)


@dataclass(frozen=True)
class Badge:
    """An achievement with the picture of its badge, which needs no drawing any more."""

    achievement: Achievement
    data: bytes

    @property
    def picture(self) -> Picture:
        """The picture, described in the language of the page."""
        name = f"badge-{self.achievement.name}.png"
        return Picture(self.data, name, _("Badge: {title}", title=_(self.achievement.title)))

    def text(self, *below: str) -> Text:
        """Return the title and how it is earned, beside the badge."""
        words = f"**{_(self.achievement.title)}**\n{_(self.achievement.how)}"
        return Text("\n".join([words, *(f"-# {line}" for line in below)]), self.picture)


def badge_of(achievement: Achievement, colour: int, *, earned: bool = True) -> Badge:
    """Return an achievement of a game of this colour with its badge. Not for the event loop."""
    return Badge(achievement, badge(achievement.symbol, colour, earned=earned))


def earned_blocks(badges: tuple[Badge, ...], *, share: bool) -> list[Block]:
    """Return what tells a player at the end of a game what they have achieved, with the way to `share` it."""
    if not badges:
        return []
    ways = (Button(_("Share in channel"), SHARE, style="success"),) if share else ()
    return [
        Text(f"## {_('New achievement') if len(badges) == 1 else _('New achievements')}"),
        *(one.text() for one in badges),
        Row((*ways, Button(_("My achievements"), LIST))),
    ]


def told_text(*, told: bool) -> str:
    """Return whether somebody is told of new achievements."""
    if told:
        return _("When a game ends, I tell you in private what you've newly achieved.")
    return _("I don't tell you about new achievements. `/achievements` still lists them.")

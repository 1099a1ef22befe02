"""The pages of `/settings`: all settings of a server, and a game's defaults for new tables."""

from collections.abc import Collection, Iterator, Mapping

from cogs.admin import puzzle_settings
from cogs.admin.channel_settings import allowed_line
from cogs.admin.language_setting import language_line
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import N_, _, ngettext
from cogs.core.inbound.command_options import CLOCK_CHOICES
from cogs.core.pages.display_names import game_title
from cogs.core.pages.game_ui import GameUI
from cogs.core.pages.page import Block, Button, Page, Row, Select, SelectOption, Separator, Text
from cogs.core.tables.options import value_words
from cogs.core.tables.settings import MAX_SEASON, REFEREE, Settings, referees_of
from engine.contract import Moment

GAME_DEFAULT = "own"
"""The value that resets a game to its own default."""

SEASON = "season_months"

SELECTS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "threads": (N_("Threads"), {"on": N_("Threads on: each table gets its own"), "off": N_("Threads off")}),
    "mentions": (
        N_("Mentions"),
        {"mention": N_("Mentions on: notify players"), "quiet": N_("Mentions quiet: don't notify players")},
    ),
    "enders": (
        N_("Who can end tables"),
        {"moderators": N_("Moderators can end tables"), "openers": N_("Moderators and the host can end tables")},
    ),
    "achievements": (
        N_("Achievements"),
        {"on": N_("Achievements on: told in private"), "off": N_("Achievements off")},
    ),
    SEASON: (N_("Season"), {str(months): "" for months in range(1, MAX_SEASON + 1)}),
}
"""The selects, by their name in the store: the title, and each value in words. Seasons are counted."""


def settings_page(
    settings: Settings, uis: Collection[GameUI], title: str, now: Moment, languages: Languages | None
) -> Page:
    """Return all settings of a server, with the selects that change them. `languages`: if there are several."""
    games = [line for ui in uis if (line := _overrides(settings, ui))]
    games.append(_("-# Other games use their own defaults.") if games else _("-# Every game uses its own defaults."))
    defaults = [_("### Defaults for new tables"), *games, _("-# The host of a table can choose differently.")]
    head = Text("\n".join([f"### {title}", *_house(settings, now, languages)]))
    ways = tuple(SelectOption(ui.title, ui.game.key) for ui in uis)
    way = Select("setting-game", ways, _("Change a game's defaults …"))
    puzzles = Row((Button(_("Puzzles of the day …"), puzzle_settings.VERB),))
    below = Text("\n".join(defaults))
    return Page((head, *_selects(settings), puzzles, Separator(), below, way), puzzle_settings.COLOUR)


def _house(settings: Settings, now: Moment, languages: Languages | None) -> Iterator[str]:
    """Yield a line for each of the server's settings that no select on the page tells, so that all fits a phone."""
    yield allowed_line(settings)
    if languages is not None:
        yield language_line(languages, settings.language)
    yield puzzle_settings.posted_line(settings, now)
    if settings.enders == "openers":
        yield _(
            "**Tables can be ended by** moderators (Manage Messages), and by the table's host if Server Settings › "
            "Integrations offers them `/admin`."
        )
    limits = settings.limits
    yield _(
        "**Open tables**: at most {person} per person, {channel} per channel, {server} in all.",
        person=limits.person,
        channel=limits.channel,
        server=limits.server,
    )
    yield _("-# By command only: `/settings channel add`, `/settings channel except`, `/settings limit`.")


def _overrides(settings: Settings, ui: GameUI) -> str:
    """Return a game's settings for new tables; empty if they are the game's own defaults."""
    game, words = ui.game, []
    if (clock := settings.clocks.get(game.key)) is not None:
        words.append(_("clock {value}", value=value_words("clock", clock)))
    if (chosen := settings.referees.get(game.key)) is not None:
        words.append(_("referee {value}", value=value_words(REFEREE, chosen)))
    return f"**{game_title(game)}** · {' · '.join(words)}" if words else ""


def _selects(settings: Settings) -> Iterator[Select]:
    """Yield a select for each of the server's settings that has a few values."""
    now = {
        "threads": "on" if settings.threads else "off",
        "mentions": settings.mentions,
        "enders": settings.enders,
        "achievements": "on" if settings.achievements else "off",
        SEASON: str(settings.season_months),
    }
    for name, (title, values) in SELECTS.items():
        choices = tuple(SelectOption(_value_label(name, one), one, chosen=one == now[name]) for one in values)
        yield Select("setting", choices, _(title), name)


def _value_label(name: str, value: str) -> str:
    if name == SEASON:
        return ngettext("A season lasts {n} month", "A season lasts {n} months", int(value))
    return _(SELECTS[name][1][value])


def game_page(settings: Settings, ui: GameUI) -> Page:
    """Return the page on which a game's defaults for new tables are set."""
    game = ui.game
    clock = settings.clocks.get(game.key)
    own = _("Turn clock: {value} (default)", value=value_words("clock", game.options().clock))
    clocks = [SelectOption(own, GAME_DEFAULT, chosen=clock is None)]
    for choice in CLOCK_CHOICES:
        label = _("Turn clock: {value}", value=value_words("clock", choice.value))
        clocks.append(SelectOption(label, str(choice.value), chosen=clock == choice.value))
    blocks: list[Block] = [
        Text(_("### {game}: defaults for new tables", game=game_title(game))),
        Select("setting", tuple(clocks), _("Turn clock"), f"clock.{game.key}"),
    ]
    kinds = referees_of(game)
    if kinds:
        chosen = settings.referees.get(game.key)
        usual = value_words(REFEREE, getattr(game.options(), REFEREE))
        referees = [SelectOption(_("Referee: {value} (default)", value=usual), GAME_DEFAULT, chosen=chosen is None)]
        for kind in kinds:
            label = _("Referee: {value}", value=value_words(REFEREE, kind))
            referees.append(SelectOption(label, kind, chosen=chosen == kind))
        blocks.append(Select("setting", tuple(referees), _("Referee"), f"{REFEREE}.{game.key}"))
    blocks.append(Row((Button(_("◀ All settings"), "setting-game"),)))
    return Page(tuple(blocks), puzzle_settings.COLOUR)

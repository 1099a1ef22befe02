"""The user interface of Ausbrecher AG: the table's page, the forecast page, the controls, the short rules."""

from collections.abc import Sequence
from typing import assert_never

from cogs.ausbrecher import advice, dice_choice, emoji, end_picture, forecast_page, hints, moments, picture, rules
from cogs.ausbrecher.ghost_path import jumping_words
from cogs.ausbrecher.review import REVIEW
from cogs.ausbrecher.status import news, status, told
from cogs.ausbrecher.words import (
    LETTERS,
    button,
    capitalised,
    face_name,
    forecast_words,
    refusal_words,
    replaced_button,
    sign,
)
from cogs.core.i18n.translation import N_, _, public_label
from cogs.core.ops.errors import UserError
from cogs.core.pages.custom_ids import ComponentPress
from cogs.core.pages.game_ui import GameUI, TableContext
from cogs.core.pages.page import Block, BoardPlaceholder, Button, Modal, Page, Picture, Row, Select, Text
from engine.contract import Action, Refusal
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    Assignment,
    AusbrecherOptions,
    AusbrecherView,
    Forecast,
    OpenResult,
    Replace,
    Resolve,
    Roll,
)


class AusbrecherUI(GameUI):
    """The user interface of `ausbrecher`; see `cogs.core.pages.game_ui.GameUI`."""

    game = GAME
    colour = 0x2E86AB
    review = REVIEW
    tagline = N_("Seven prisoners belong to no one. Secretly forecast who escapes in which boat, then steer the race.")
    draft_actions = frozenset({"bet", "clear", "dice"})
    harmless_hints = True

    faces = staticmethod(emoji.faces)
    status = staticmethod(status)
    news = staticmethod(news)
    highlight = staticmethod(moments.highlight)
    advice = staticmethod(advice.advice)
    hint = staticmethod(hints.hint)
    refusal = staticmethod(refusal_words)
    rules = staticmethod(rules.pages)

    # The table

    def picture(self, view: AusbrecherView, info: TableContext) -> Picture:
        """Return the picture of the race."""
        names = info.distinct_names
        words = picture.alt(view, names, info.places)
        return Picture(picture.draw(view, names, info.places), f"race-{info.id}-{view.ui_version}.png", words)

    def finale(self, view: AusbrecherView, info: TableContext) -> Picture | None:
        """Return the end with boats that fill, and forecasts that are judged one bet after the other."""
        names = info.distinct_names
        data = end_picture.draw_story(view, names, info.places)
        return None if data is None else Picture(data, f"race-{info.id}.gif", picture.alt(view, names, info.places))

    def controls(self, view: AusbrecherView, info: TableContext) -> Sequence[Row | Select]:
        """Return the controls of the phase."""
        match view.phase:
            case "forecast":
                return [Row((Button(_("Make my forecast"), "hand", "forecast", style="success"),))]
            case "roll":  # dice are chosen on one page: a die pressed here would begin another choice each time
                return [Row((Button(_("Choose dice"), "hand", "dice", style="success"),))]
            case "replace":
                return [Row(tuple(_result("replace", one, replaced_button(one)) for one in view.results))]
            case "resolve":
                return [Row(tuple(_result("move", one, button(one)) for one in view.results if not one.resolved))]
            case "over":
                return []
            case _:
                assert_never(view.phase)

    # What only one seat sees

    def player_blocks(self, view: AusbrecherView, info: TableContext) -> Sequence[Block]:
        """Return a seat's forecast: the forecast page while it can be changed; then the race and its points so far."""
        assert view.seat is not None
        own = view.forecasts[view.seat]
        if view.phase == "forecast":
            return self._bets(view, info, own or forecast_page.EMPTY).blocks
        if view.phase == "over" or own is None:
            return (BoardPlaceholder(),)
        race = self._race(view, info, own)
        if view.turn != view.seat:
            return race
        if view.phase == "roll":
            return (*race, *self._dice(view, dice_choice.ChosenDice()))
        jumping = jumping_words(view)
        return (*race, *((Text(jumping),) if jumping else ()), *self.controls(view, info))

    def _race(self, view: AusbrecherView, info: TableContext, own: Assignment) -> tuple[Block, ...]:
        """Return what happened last, the race, and below the boats the forecast, so that a phone shows the race and
        the controls below it at once.
        """
        assert view.seat is not None
        before = told(view, info, 1)
        return (
            *((Text(before),) if before else ()),
            BoardPlaceholder(),
            forecast_page.bets_picture(own, view.points[view.seat]),
        )

    def _dice(self, view: AusbrecherView, chosen: dice_choice.ChosenDice) -> tuple[Block, ...]:
        assert view.choice is not None
        said = Text("\n".join(filter(None, (dice_choice.prompt(view.choice, chosen), dice_choice.why_grey(view)))))
        return (said, *dice_choice.dice_rows(view, chosen))

    # What players ask

    def press(self, view: AusbrecherView, info: TableContext, control: ComponentPress) -> Action | Page | Modal | None:
        """Return the action or page for a control. Those of earlier versions still work: "panel" and an empty "dice"
        lead to the player page.
        """
        match control.verb:
            case "panel" | "bet" | "clear" | "give":
                return self._bet(view, info, control)
            case "dice":
                return self._choose(view, info, control)
            case "replace" if control.argument in COLOURS:
                return Replace(control.argument)
            case "move" if control.argument in COLOURS:
                return Resolve(control.argument)
        return None

    def _bet(self, view: AusbrecherView, info: TableContext, control: ComponentPress) -> Forecast | Page:
        if view.phase != "forecast":
            raise UserError(self.refusal(Refusal("wrong-phase", phase=view.phase, needs="forecast"), info))
        assert view.seat is not None
        if control.verb == "panel":
            return self._bets(view, info, view.forecasts[view.seat] or forecast_page.EMPTY)
        given = forecast_page.EMPTY if control.verb == "clear" else forecast_page.load_forecast(control.argument)
        if given is None:
            raise UserError(
                _("That doesn't fit the boats. Open your forecast again with *{play}*.", play=public_label("Play"))
            )
        if control.verb == "give":
            return Forecast(given)
        return self._bets(view, info, given, forecast_page.load_filled(control.argument))

    def _bets(self, view: AusbrecherView, info: TableContext, given: Assignment, filled: int | None = None) -> Page:
        return forecast_page.page(view, given, filled, clock=bool(info.options.clock))

    def draft(self, view: AusbrecherView, look: ComponentPress) -> Forecast | None:
        """Return the complete forecast on the page of a control, if none was submitted."""
        chosen = forecast_page.load_forecast(look.argument) if look.verb == "bet" and view.phase == "forecast" else None
        if chosen is None or view.seat is None or view.forecasts[view.seat] is not None:
            return None
        return Forecast(chosen) if forecast_page.is_complete(chosen, view.race.holds) else None

    def lost_draft_text(self, view: AusbrecherView, look: ComponentPress) -> str:
        """Return which forecast counts, for a player who had changed theirs without submitting it when the race
        began.
        """
        own = None if view.seat is None else view.forecasts[view.seat]
        if look.verb not in ("bet", "clear") or own is None or forecast_page.load_forecast(look.argument) == own:
            return ""
        if view.seat in view.drawn:
            return _("The race has started. You hadn't submitted a forecast, so yours was picked at random.")
        return _("The race has started with the forecast you submitted. Your later changes weren't submitted.")

    def _choose(self, view: AusbrecherView, info: TableContext, control: ComponentPress) -> Roll | Page | None:
        chosen = dice_choice.load_choice(control.argument)
        if chosen is None:
            return None
        if view.choice is None or view.turn is None:
            raise UserError(self.refusal(Refusal("wrong-phase", phase=view.phase, needs="roll"), info))
        if view.turn != view.seat:
            raise UserError(self.refusal(Refusal("not-your-turn", turn=view.turn), info))
        own = view.forecasts[view.turn]
        assert own is not None
        if (roll := chosen.roll(view.choice)) is not None:
            return roll
        return Page((*self._race(view, info, own), *self._dice(view, chosen)))

    def fresh(self, view: AusbrecherView, control: ComponentPress) -> bool:
        """Return whether a control is current. The forecast page is as long as forecasts are open; everything
        else belongs to its moment.
        """
        if control.verb in ("panel", "bet", "clear", "give"):
            return view.phase == "forecast"
        return control.stamp == view.ui_version

    def sketch(self, view: AusbrecherView, info: TableContext, action: Action) -> Picture | None:
        """Return the forecast that a hint names, in place of a race that has not begun."""
        if not isinstance(action, Forecast):
            return None
        return forecast_page.forecast_picture(action.boats, (None,) * len(COLOURS))

    def text(self, view: AusbrecherView, info: TableContext) -> str:
        """Return the race as text, with the reader's own forecast."""
        lines = [picture.table_text(view)]
        own = None if view.seat is None else view.forecasts[view.seat]
        if own is not None:
            crews = [
                "".join(LETTERS[colour] for colour, bet in zip(COLOURS, own, strict=True) if bet == boat)
                for boat in sorted(set(own))
            ]
            lines.append(_("forecast {crews}", crews=" / ".join(crews)))
        return "\n".join(lines)

    def secret_summary(self, view: AusbrecherView) -> str:
        """Return the forecast while it is a secret."""
        own = None if view.seat is None or view.phase == "over" else view.forecasts[view.seat]
        return "" if own is None else " · ".join(forecast_words(own, view.points[view.seat or 0]))

    def minutes(self, options: AusbrecherOptions, seats: int) -> int:
        """Estimate minutes: about a hundred choices for any number of players; the short cut ends sooner."""
        return 15 if options.route == "rope" else 20


def _result(verb: str, result: OpenResult, words: str) -> Button:
    """Return the button of a result of the dice, with its die."""
    label = f"{capitalised(result.colour)} {words}"
    colour = result.colour
    return Button(label, verb, colour, "primary", sign(colour), face=face_name(colour), beside=words)

"""What players see of Ausbrecher AG: the table's page, the forecast panel, the controls, the rules in short.

Views in, pages out. May import `cogs.core`, `engine` and its own package.
"""

from collections.abc import Sequence
from typing import assert_never

from cogs.ausbrecher import bets, picture, rules
from cogs.ausbrecher.words import (
    LETTERS,
    button,
    count,
    forecast_words,
    listed,
    named,
    refusal_words,
    replaced_button,
    result_words,
    score,
    standings,
    turn_words,
)
from cogs.core.errors import UserError
from cogs.core.messages.page import Block, Board, Button, Choice, Form, Page, Picture, Row, Select, Text
from cogs.core.router.custom_ids import Control
from cogs.core.screen import TableInfo
from engine.contract import Action, Refusal, Seat
from engine.games.ausbrecher import (
    COLOURS,
    GAME,
    Assignment,
    AusbrecherView,
    Colour,
    Forecast,
    Replace,
    Resolve,
    Roll,
)

LAST_TURNS = 3
"""So many turns are told on the table page."""


class AusbrecherScreen:
    """The screen of `ausbrecher`; see `cogs.core.screen.Screen`."""

    game = GAME
    command = "ausbrecher"
    colour = 0x2E86AB
    tagline = "Seven prisoners belong to nobody. Bet in secret who flees in which boat, then steer the race."
    open_verbs: frozenset[str] = frozenset()

    # The table

    def picture(self, view: AusbrecherView, info: TableInfo) -> Picture:
        """Return the race."""
        names = [sitter.name for sitter in info.sitters]
        return Picture(picture.draw(view), f"race-{info.id}-{view.stamp}.png", picture.alt(view, names))

    def status(self, view: AusbrecherView, info: TableInfo) -> str:
        """Return whose turn it is and what they do; at the end who has won."""
        clock = f" {info.countdown()}" if info.due is not None else ""
        if view.phase == "forecast":
            waiting = listed([info.marked(seat) for seat in view.waiting])
            return (
                f"▶ **Everybody bets in secret:** in which boat does each prisoner flee?{clock}\n"
                f"-# {len(view.given)} of {len(view.forecasts)} forecasts are in; waiting for {waiting}"
            )
        if view.phase == "over":
            return self._ending(view, info)
        assert view.turn is not None
        who = info.marked(view.turn)
        match view.phase:
            case "roll":
                what = f"{who} chooses {self._choice_words(view)}"
            case "replace":
                what = f"{who} rolled white {view.white}: which result does it replace?"
            case "resolve":
                what = f"{who} carries out the results, one after the other"
            case _:
                assert_never(view.phase)
        number = f"Turn {view.turn_number} · at most {count(view.turns_left - 1, 'more turn')}"
        return f"▶ {what}{clock}\n-# {number}{self._starter(view, info)}"

    def _choice_words(self, view: AusbrecherView) -> str:
        assert view.choice is not None
        plain = f"{view.choice.plain} dice"
        match view.choice.with_white:
            case None:
                return plain
            case same if same == view.choice.plain:
                return f"{plain}, with or without the white one"
            case fewer:
                return f"{plain}, or {fewer} and the white one"

    def _starter(self, view: AusbrecherView, info: TableInfo) -> str:
        if view.turn_number != 1 or not view.throws or view.turn is None:
            return ""
        best = max(pips for pips in view.throws[-1] if pips is not None)
        return f" · {info.name(view.turn)} begins with a {best}"

    def _ending(self, view: AusbrecherView, info: TableInfo) -> str:
        totals = [score(points) for points in view.points]
        winners = [info.marked(Seat(seat)) for seat, total in enumerate(totals) if total == max(totals)]
        verb = "wins" if len(winners) == 1 else "share the win"
        why = "" if view.reason == "boats" else "\n-# The last turn was played: the rest boarded in order of position."
        return "\n".join([f"★ {listed(winners)} **{verb}!**{why}", *standings(view, info)])

    def news(self, view: AusbrecherView, info: TableInfo) -> str:
        """Return what happened last."""
        lines = [line for turn in view.turns[-LAST_TURNS:] if (line := turn_words(turn, info))]
        if view.carried:
            boats = listed([f"{named(c)} into boat {view.prisoners[COLOURS.index(c)].boat}" for c in view.carried])
            lines.append(f"Last of all: {boats}")
        if view.drawn:
            lines.append(f"Chance bet for {listed([info.name(seat) for seat in view.drawn])}: the clock ran out.")
        return "\n".join(f"-# {line}" for line in lines)

    def controls(self, view: AusbrecherView, info: TableInfo) -> Sequence[Row | Select]:
        """Return the controls of the phase."""
        match view.phase:
            case "forecast":
                return [Row((Button("Make my forecast", "panel", style="success"),))]
            case "roll":
                return self._dice(view)
            case "replace":
                backs = [Button(replaced_button(one), "replace", one.colour, style="primary") for one in view.results]
                return [Row(tuple(backs))]
            case "resolve":
                left = [one for one in view.results if not one.resolved]
                return [Row(tuple(Button(button(one), "move", one.colour, style="primary") for one in left))]
            case "over":
                return []
            case _:
                assert_never(view.phase)

    def _dice(self, view: AusbrecherView) -> list[Row | Select]:
        assert view.choice is not None
        choices = tuple(self._die(view, colour) for colour in _on_the_way(view))
        plain, white = view.choice.plain, view.choice.with_white
        prompt = f"Roll {'1 die' if plain == 1 else f'{plain} dice'} …"
        selects: list[Row | Select] = [Select("roll", choices, prompt, "", plain, plain)]
        if white is not None:
            prompt = f"… or {white} and the white die" if white != plain else f"… or {white} with the white die"
            selects.append(Select("roll", choices, prompt, "white", white, white))
        return selects

    def _die(self, view: AusbrecherView, colour: Colour) -> Choice:
        prisoner = view.prisoners[COLOURS.index(colour)]
        where = "in its cell" if prisoner.space == 0 else f"on space {prisoner.space} of {view.length}"
        blocked = ", covered: it cannot move now" if prisoner.covered else ""
        return Choice(f"{LETTERS[colour]} – {colour}", colour, f"{where}{blocked}")

    # What only one seat sees

    def own(self, view: AusbrecherView, info: TableInfo) -> Sequence[Block]:
        """Return a seat's forecast: the panel while it can be changed; then the race and how it stands."""
        assert view.seat is not None
        own = view.forecasts[view.seat]
        if view.phase == "forecast":
            return bets.panel(view, own or (bets.NOWHERE,) * len(COLOURS), self.colour).blocks
        mine = () if own is None else self._forecast(view, own)
        return (Board(), *mine, *self.controls(view, info))

    def _forecast(self, view: AusbrecherView, own: Assignment) -> Sequence[Block]:
        assert view.seat is not None
        gained = view.points[view.seat]
        lines = [f"### Your forecast: {count(score(gained), 'point')} so far", *forecast_words(own, gained)]
        if view.phase != "over":
            lines.append("-# Nobody else sees it before the end.")
        shown = Picture(picture.draw_forecast(own, gained), "forecast.png", _plain(" ".join(lines)))
        return (Text("\n".join(lines)), shown)

    # What players ask

    def press(self, view: AusbrecherView, info: TableInfo, control: Control) -> Action | Page | Form:
        """Return what a control asks for. Raises `UserError` for one that does not exist."""
        match control.verb:
            case "panel" | "bet" | "give":
                return self._bet(view, info, control)
            case "roll" | "second":
                return self._roll(view, info, control)
            case "replace" if control.argument in COLOURS:
                return Replace(control.argument)
            case "move" if control.argument in COLOURS:
                return Resolve(control.argument)
        raise UserError("That control does not exist at this table.")

    def _bet(self, view: AusbrecherView, info: TableInfo, control: Control) -> Forecast | Page:
        if view.phase != "forecast":
            raise UserError(self.refusal(Refusal("wrong-phase", phase=view.phase, needs="forecast"), info))
        assert view.seat is not None
        own = view.forecasts[view.seat] or (bets.NOWHERE,) * len(COLOURS)
        match control.verb:
            case "panel":
                return bets.panel(view, own, self.colour)
            case "give":
                given = bets.read(control.argument)
            case _ if "." in control.argument:
                given = bets.chosen(control, view.race.holds)
            case _:
                given = bets.read(control.argument)
        if given is None:
            raise UserError("That choice does not fit the boats. Open your forecast again with *Play*.")
        return Forecast(given) if control.verb == "give" else bets.panel(view, given, self.colour)

    def _roll(self, view: AusbrecherView, info: TableInfo, control: Control) -> Roll | Page:
        if control.verb == "second":
            return Roll(tuple(control.argument.split(".")), True, control.values[0] if control.values else None)
        if control.argument == "white" and view.choice is not None and view.choice.second:
            if view.turn != view.seat:
                raise UserError(self.refusal(Refusal("not-your-turn", turn=view.turn or 0), info))
            return self._second(view, control.values)
        return Roll(control.values, control.argument == "white")

    def _second(self, view: AusbrecherView, colours: Sequence[str]) -> Page:
        others = tuple(self._die(view, colour) for colour in _on_the_way(view) if colour not in colours)
        return Page(
            (
                Text(f"### {listed(colours)} goes forward\nWho goes back by the white die? Then the dice are rolled."),
                Select("second", others, "Who goes back?", ".".join(colours)[:60]),
            ),
            self.colour,
        )

    def fresh(self, view: AusbrecherView, control: Control) -> bool:
        """The forecast panel is good as long as forecasts are; everything else for the moment it was drawn for."""
        if control.verb in ("panel", "bet", "give"):
            return view.phase == "forecast"
        return control.stamp == view.stamp

    def advice(self, view: AusbrecherView, info: TableInfo, legal: Sequence[Action]) -> str:
        """Say what the seat can do now, and why not the rest."""
        lines = ["### What can I do?"]
        if view.phase == "forecast" and view.seat is not None:
            if view.forecasts[view.seat] is None:
                lines.append("Bet in which boat each prisoner flees: *Make my forecast*, or `/ausbrecher forecast`.")
            else:
                lines.append("Your forecast is in; you may change it until the last one is.")
                lines.append(f"Waiting for {listed([info.marked(seat) for seat in view.waiting])}.")
        elif view.turn is not None and view.turn != view.seat:
            lines.append(f"Wait: it is {info.marked(view.turn)}'s turn.")
        elif view.phase == "roll":
            lines.append(f"Choose {self._choice_words(view)}, and roll: with the selects, or `/ausbrecher roll`.")
            lines.append(
                "Dice of covered prisoners may be chosen on purpose. Who is aboard has no die any more."
                if view.choice is not None and view.choice.with_white is not None
                else "The white die comes into play with the game's second turn."
            )
        elif view.phase == "replace":
            results = listed([f"{one.colour} {one.pips}" for one in view.results])
            lines.append(
                f"Say which result ({results}) the white {view.white} replaces: that prisoner goes back by it. "
                "Press it, or `/ausbrecher back`."
            )
        elif view.phase == "resolve":
            lines += [f"- {result_words(one)}" for one in view.results if not one.resolved]
            lines.append("Each result must be carried out, in any order: press one, or `/ausbrecher move`.")
        if view.seat is not None and view.forecasts[view.seat] is not None:
            lines.append("Your forecast: *Play*, or `/ausbrecher forecast-show`.")
        return "\n".join(lines)

    def text(self, view: AusbrecherView, info: TableInfo) -> str:
        """Return the race in letters, and the reader's own forecast."""
        lines = [picture.as_text(view)]
        own = None if view.seat is None else view.forecasts[view.seat]
        if own is not None:
            crews = [
                "".join(LETTERS[colour] for colour, bet in zip(COLOURS, own, strict=True) if bet == boat)
                for boat in sorted(set(own))
            ]
            lines.append(f"my bets {' / '.join(crews)}")
        return "\n".join(lines)

    def refusal(self, refusal: Refusal, info: TableInfo) -> str:
        """Return the sentence for a refused action, with its rule."""
        return refusal_words(refusal, info)

    def rules(self) -> tuple[Page, ...]:
        """Return the rules in short."""
        return rules.pages(self.colour)

    def receipt(self, action: Action) -> None:
        """Say nothing: the table shows every move at once."""


def _on_the_way(view: AusbrecherView) -> tuple[Colour, ...]:
    return tuple(prisoner.colour for prisoner in view.prisoners if prisoner.boat is None)


def _plain(words: str) -> str:
    return words.replace("`", "").replace("### ", "").replace("-# ", "")

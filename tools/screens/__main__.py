"""Measure what players see on a phone: `make screens`, or `python -m tools.screens [GAME ...]`.

In every state of some whole games, of the lessons and of puzzles, the board and all controls must be visible together
on the page where the question is answered, with a tenth of the usable height to spare, and no label may need two lines.
Reports every state that does not fit, with a screenshot. `make screens LANGUAGE=de` measures German pages.
"""

import argparse
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from cogs.core.app.game_package import GamePackage
from cogs.core.i18n.languages import Languages
from cogs.core.i18n.translation import ENGLISH, Language, speaking
from cogs.registry import GAMES
from tools.screens.bot_states import bot_states, page_states, parted_states
from tools.screens.phone import SPARE, Measured, Phone, chromium
from tools.screens.states import State, lesson_states, player_states, puzzle_states

PACKAGES = {package.game.key: package for package in GAMES}
LANGUAGES = Languages.load()
FOLDER = Path("screens")
PICTURES = 12
"""The most screenshots of each kind of page of a game: of the worst ones."""


def main() -> int:
    """Measure the named games, or all of them. Return 1 if a state does not fit."""
    parser = argparse.ArgumentParser(prog="python -m tools.screens", description=__doc__)
    parser.add_argument("games", nargs="*", choices=[[], *PACKAGES], help="the games; all if none is named")
    parser.add_argument("--games", dest="seeds", type=int, default=4, help="games to play of each, dark and light")
    parser.add_argument("--states", type=int, default=60, help="moments to look at in each game")
    parser.add_argument("--language", choices=LANGUAGES.codes, default=ENGLISH.code, help="the language of the pages")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where screenshots are written")
    wanted = parser.parse_args()
    fits, language = True, LANGUAGES.find(wanted.language) or ENGLISH
    with chromium() as browser, speaking(language):
        phones = [Phone(browser, "dark"), Phone(browser, "light")]
        for key in wanted.games or PACKAGES:
            package, folder = PACKAGES[key], wanted.folder / key
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            for kind, states in _kinds(package, wanted.seeds, wanted.states, language):
                fits &= _reported(f"{key} {kind}", states, phones, folder)
        if not wanted.games:
            wanted.folder.mkdir(parents=True, exist_ok=True)
            fits &= _reported("pages", page_states(language), phones, wanted.folder)
    return 0 if fits else 1


def _kinds(package: GamePackage, seeds: int, most: int, language: Language) -> Iterable[tuple[str, Iterable[State]]]:
    yield "games", player_states(package, range(seeds), most)
    yield "lesson", lesson_states(package)
    yield "puzzles", puzzle_states(package)
    yield "bot", bot_states(package, most, language)
    yield "parted", parted_states(package, language)


def _reported(title: str, states: Iterable[State], phones: list[Phone], folder: Path) -> bool:
    """Measure states, print what does not fit, and return True if all do."""
    bad: list[tuple[float, Measured, State, Phone]] = []
    count = whole = 0
    tallest = 0.0
    for number, state in enumerate(states):
        phone = phones[number % len(phones)]
        measured = phone.show(state)
        share = measured.share(whole=state.asks_above)
        count += 1
        whole += measured.whole <= measured.usable
        tallest = max(tallest, share)
        if not measured.fits(whole=state.asks_above):
            bad.append((share, measured, state, phone))
    if not count:
        return True
    print(
        f"{title}: {100 * (count - len(bad)) / count:.1f} % of {count} states fit, the tallest takes {tallest:.0%} of "
        f"what it may; {100 * whole / count:.1f} % fit with all their text",
        flush=True,
    )
    bad.sort(key=lambda one: -one[0])
    for place, (share, measured, state, phone) in enumerate(bad):
        space = measured.usable * (1 - SPARE)
        print(
            f"  {share:.0%} (to the last control {measured.height:.0f} of {space:.0f} px, all {measured.whole:.0f} of "
            f"{measured.usable:.0f}, board {measured.board:.0f}, {measured.controls} controls"
            f"{', too wide' if measured.wide else ''}): {state.name}{_cuts(measured)}"
        )
        if place < PICTURES:
            phone.show(state)
            phone.photograph(folder / f"{title.split()[-1]}-{place:02d}-{share:.0%}-{state.name[:60]}.png")
    return not bad


def _cuts(measured: Measured) -> str:
    """Return the labels that need more than a line, after a line break."""
    return f"\n    cut: {' | '.join(measured.cut)}" if measured.cut else ""


if __name__ == "__main__":
    sys.exit(main())

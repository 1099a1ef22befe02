"""docs/words.txt, the list of all texts that people read: how texts are normalized, and the layout of the list.

`python -m tools.words` writes it; review its diff like a golden's. Numbers, names, cards and places are replaced by
placeholders, so that a sentence is listed once.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

WORDS_FILE = Path(__file__).resolve().parents[2] / "docs" / "words.txt"

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Finn")
"""Names of the people at the tables."""

_COLOURS = "red|blue|green|yellow|black|white|orange|purple|violet|pink|grey|brown|turquoise"
_OFFERS = "Advance|Bribe the Guards|Extra Patrols|Lights On|Lock Down"
_WILD = r"(?:a )?(?:Super )?Wild|DRAW card"
_CARD = r"<card>s?(?: <n>s?)*(?: ×<n>| \(picked\))?"
_COLUMN = r"at <n>(?: <card>)+(?: ×<n>)?(?: locked)?"
_PLACED: tuple[tuple[str, str], ...] = (
    (r"\\(?=[\\_*`~|<>()\[\]#:.@-])", ""),
    (r"\u200b", ""),
    (r"<t:\d+(:\w)?>", "<time>"),
    (r"</([\w -]+):\d+>", r"/\1"),
    (r"https?://\S+?(?=[)\s]|$)", "<address>"),
    (r"<@&?!?\d+>", "<name>"),
    (r"<#\d+>", "<channel>"),
    (r"\b[0-9a-f]{12,}\b", "<code>"),
    (r"\bc{20,}\b", "<code>"),
    (rf"\b({'|'.join(NAMES)}|somebody)\b(?= \([A-F]\)|\*\*)", "<name>"),
    (rf"\b({'|'.join(NAMES)})\b", "<name>"),
    (r"\*\*<name>\*\*", "<name>"),
    (r"[●◆▲■⬢★] (?=<name>)", ""),
    (r"<name>((?:,| and|, and) <name>)+", "<names>"),
    (r"(?<![\w.)*])[AB.](?: [AB.]){2,}(?![\w.])", "<row>"),
    (r"(?<=exits  ).*", "<row>"),
    (r"\b[ROYGBVP_](?: [ROYGBVP_])+\b|\b[ROYGBVP]{2,7}\b(?! [A-Z])", "<row>"),
    (r"<row>(?: / <row>)+", "<row>"),
    (r"\b[A-Z]{1,2}\d{1,2}\b", "<place>"),
    (r"(?<![\w/])\d{1,3}/\d{1,3}\b", "<place>"),
    (r"\b[rbygov]\d\b", "<card>"),
    (r"(?<![\w<])[+−-]?\d+([.,:]\d+)?", "<n>"),
    (r"[①-⑳]", "<n>"),
    (r"<n>(\+<n>)+", "<n>"),
    (r"<n> (full )?(row|column|stack)(?(1)| of <n>)", "<line>"),
    (rf"\b({_COLOURS}) (<n>|R\b)", "<card>"),
    (rf"\b({_COLOURS})\b", "<colour>"),
    (rf"(?:{_WILD}) as (?:<card>|<n>)", "<card>"),
    (rf"{_CARD}(?:(?:, | and |, and )(?:{_CARD}|(?:{_WILD})(?: ×<n>| \(picked\))?))+", "<cards>"),
    (rf"{_COLUMN}(?:, {_COLUMN})*(?=;)", "<row>"),
    (rf"(?<!\*)\b(?:{_OFFERS})((?:, | and )(?:{_OFFERS}))+", "<offers>"),
    (r"\b(in JAIL|on EXIT|on <n>|to JAIL)\b", "<where>"),
    (r"<(\w+)>((?:, | · |/| and |, and | → | or |[-–]| )<\1>)+", r"<\1>s"),
)
_APART = re.compile(r"\n| · |\s{3,}|(?<=[.!?:;])[*_]* (?=[A-ZÀ-Ž<*/`])")
_MARKS = re.compile(r"^(?:-#|#+|>|[-•*+–]) |^[\s*_`|│┌└├─═·.:;,()\[\]✓✗⚠→←↑↓▸▶◀●◆▲■⬢★☆]+(?= )")
_WORDS = re.compile(r"[A-Za-zÀ-ž]{2,}")


GLOSSARY = """\
One word for one thing, in every text and in every translation:

table              one game and its players, from the lobby to the end; it has a number
lobby              a table before its game starts
host               the player who opened the table, or has taken it over
seat, player       a place at a table, and the person or computer in it
invite             it reserves a seat for a person
watch              see a game without a seat
computer           a computer player: a Master or a Trainee; it also plays for a person who is absent
turn clock         how long a turn may take; when time runs out, the clock makes a safe move
rated, unrated     whether a game changes ratings
practice           a private game against a computer, which is never rated
private view       the page of a game that only you see
DM                 a direct message from the bot
resign, leave      give up a game; go away from a table, where a computer plays on
kick, pardon       remove a player; let one play on who missed turns
hint               what a Master would do now
review, replay     a finished game judged, and shown again
verify, Fairness   the proof that chance was fair, and the button that explains it
pause              the time between two rounds in which all can see what was decided
on hold            a table that no one is at; its clock is stopped until someone is back
call               MELD! or DRAW! in Break-Out, by which a player is challenged
manager, moderator who may change a server's settings, and who may end and repair tables
"""


def placed(words: str) -> str:
    """Return a text with placeholders for numbers, names, cards, places and times."""
    for pattern, stand_in in _PLACED:
        words = re.sub(pattern, stand_in, words)
    return words


def sentences(words: str) -> Iterator[str]:
    """Yield the sentences, lines and parts of lines of a text as they are listed."""
    for piece in _APART.split(placed(words)):
        told = _MARKS.sub("", piece.strip()).strip()
        if _WORDS.search(re.sub(r"<\w+>", "", told)):
            yield told


def ordered(found: Iterable[str]) -> list[str]:
    """Return entries in the order of the list, without duplicates."""
    return sorted(set(found), key=lambda words: (words.lower(), words))


def written(parts: Iterable[tuple[str, Iterable[str]]]) -> str:
    """Return the list: its parts, each under its heading."""
    blocks = [f"== {heading}\n\n" + "".join(f"{words}\n" for words in ordered(found)) for heading, found in parts]
    return "\n".join((GLOSSARY, *blocks))


def listed(heading: str) -> set[str]:
    """Return the entries of one part of the list."""
    inside, found = False, set[str]()
    for line in WORDS_FILE.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            inside = heading == line[3:]
        elif line and inside:
            found.add(line)
    return found

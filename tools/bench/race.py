"""Solve the bare race of Prison Break for two, and write the Master's table: `python -m tools.bench.race`.

It takes about a minute.
"""

import sys
from itertools import product
from pathlib import Path

JAIL, EXIT, BEHIND = 0, 11, -2
"""`BEHIND` is the position of a pawn that guards have sent to JAIL: it skips a sneak, which is two spaces."""
TOKENS = 4
"""More tokens count as this number."""
LIT = 1 / 3
FOUND = 0.3
"""The probability that guards find a hidden pawn; measured between Masters, which hide in this way."""
STEPS = ((1, 0.3), (2, 0.7))
"""How a hidden pawn moves; from 9 on it steps out, and one behind JAIL comes to JAIL."""
CLOSE = 1e-4
SOLVED = Path(__file__).resolve().parents[2] / "engine" / "players" / "prison_break" / "odds.py"

Index = tuple[int, int, int, int]
"""The Warden's position, the other's position, the Warden's tokens, the other's tokens."""
Prospects = dict[Index, float]
"""Probability that the Warden wins."""

PLACES = range(BEHIND, EXIT + 1)
HELD = range(TOKENS + 1)
ALL: list[Index] = list(product(PLACES, PLACES, HELD, HELD))

# The rows of face-up offers that a Warden meets, as kinds: every other time one alone, else two.
ROWS = [((one,), 0.1) for one in range(5)] + [
    ((one, two), 0.5 * (1 / 45 if one == two else 4 / 45)) for one in range(5) for two in range(one, 5)
]


def moved(place: int, steps: int) -> int:
    """Return where a pawn moves to; backwards no further than JAIL."""
    return min(place + steps, EXIT) if steps > 0 else max(place + steps, min(place, JAIL))


def held(place: int) -> int:
    """Return the position that represents a pawn which may not move in the next round."""
    return place if place == EXIT else max(place - 2, BEHIND)


def paid(tokens: int, change: int) -> int:
    """Return how many tokens are left."""
    return min(max(tokens + change, 0), TOKENS)


def value(both: float, first: float, second: float, none: float) -> float:
    """Return the value of a vote for the Warden from its four outcomes: both accept, only the Warden, only the other,
    nobody.
    """
    low, high = max(min(both, first), min(second, none)), min(max(both, second), max(first, none))
    return low if low >= high else (both * none - first * second) / (both + none - first - second)


def round_ends(prospects: Prospects) -> Prospects:
    """Return the prospects when a round ends: a pawn on EXIT has won, otherwise the other player becomes Warden."""
    return {(a, b, k, m): 1.0 if a == EXIT else 0.0 if b == EXIT else 1 - prospects[b, a, m, k] for a, b, k, m in ALL}


def guards_go(ends: Prospects, a_shown: bool, b_shown: bool) -> Prospects:
    """Return the prospects before the guard checks: the Warden's, then the other's, each made if it helps."""
    second = dict(ends)
    for a, b, k, m in ALL:
        if m and JAIL < a < EXIT:
            sure = 1.0 if a_shown else FOUND
            check = sure * ends[BEHIND, b, k, m - 1] + (1 - sure) * ends[a, b, k, m - 1]
            second[a, b, k, m] = min(check, second[a, b, k, m])
    first = dict(second)
    for a, b, k, m in ALL:
        if k and JAIL < b < EXIT:
            sure = 1.0 if b_shown else FOUND
            check = sure * second[a, BEHIND, k - 1, m] + (1 - sure) * second[a, b, k - 1, m]
            first[a, b, k, m] = max(check, first[a, b, k, m])
    return first


def offered(prospects: Prospects, lit: bool) -> Prospects:
    """Return the prospects before the offer."""
    ends = round_ends(prospects)
    go = {(a, b): guards_go(ends, a, b) for a in (False, True) for b in (False, True)}
    now, only_a, only_b, seen = go[lit, lit], go[True, lit], go[lit, True], go[True, True]
    before = {}
    for at in ALL:
        a, b, k, m = at

        def when(one: int, other: int, k: int = k, m: int = m) -> float:
            return now[one, other, k, m]

        same = now[at]
        worth = (
            value(
                when(moved(a, 2), moved(b, 2)),
                when(a, moved(b, 3)),
                when(moved(a, 3), b),
                when(moved(a, -2), moved(b, -2)),
            ),
            value(seen[at], only_a[at], only_b[at], when(moved(a, -1), moved(b, -1))),
            value(
                same, when(moved(a, -2), moved(b, 1)), when(moved(a, 1), moved(b, -2)), when(moved(a, -2), moved(b, -2))
            ),
            value(
                when(held(a), held(b)),
                when(held(a), moved(b, 3)),
                when(moved(a, 3), held(b)),
                when(moved(a, -4), moved(b, -4)),
            ),
            value(
                ends[at],
                when(a, b, paid(k, -1), paid(m, 1)),
                when(a, b, paid(k, 1), paid(m, -1)),
                when(a, b, paid(k, -1), paid(m, -1)),
            ),
        )
        before[at] = sum(share * max(same, *(worth[kind] for kind in row)) for row, share in ROWS)
    return before


def swept(prospects: Prospects) -> Prospects:
    """Return the prospects at the beginning of a round, from those at the beginning of the next one."""
    dark, lit = offered(prospects, False), offered(prospects, True)
    after = {at: (1 - LIT) * dark[at] + LIT * lit[at] for at in ALL}

    def ways(place: int) -> tuple[tuple[int, float], ...]:
        return STEPS if JAIL <= place < EXIT - 2 else ((2, 1.0),)

    return {
        (a, b, k, m): sum(
            one * other * after[moved(a, to), moved(b, step), k, m] for to, one in ways(a) for step, other in ways(b)
        )
        if EXIT not in (a, b)
        else float(a == EXIT)
        for a, b, k, m in ALL
    }


def solved() -> Prospects:
    """Return the prospects at the beginning of a round of the bare race, solved backwards until they no longer change.

    The bare race is Prison Break with open positions, from the rule book: a sneak of 1 or 2, the lights, an offer that
    the Warden makes if it helps and both vote on as well as they can, then guards. A check always finds a pawn that the
    lights have shown, and any other with probability `FOUND`.
    """
    prospects = dict.fromkeys(ALL, 0.5)
    while True:
        after = swept(prospects)
        if max(abs(after[at] - prospects[at]) for at in ALL) < CLOSE:
            return after
        prospects = after


HEAD = '''"""A table of how likely the Warden is to win the bare race of Prison Break for two.

Generated by `python -m tools.bench.race`, which defines the bare race; do not edit it by hand.
"""

BEHIND, TOKENS = {behind}, {tokens}
"""The lowest position, that of a pawn that skips a sneak in JAIL; and the number of tokens that count."""

# In thousandths. There is one line for each number of tokens of the Warden, then of the other, then for each position
# of the Warden; along the line goes the other's position.
ROWS = """
{rows}
"""
'''


def written(prospects: Prospects) -> str:
    """Return the source of the module that holds this table."""
    rows = [
        " ".join(f"{round(1000 * prospects[a, b, k, m])}" for b in PLACES) for k in HELD for m in HELD for a in PLACES
    ]
    return HEAD.format(behind=BEHIND, tokens=TOKENS, rows="\n".join(rows))


if __name__ == "__main__":
    SOLVED.write_text(written(solved()), encoding="utf-8")
    sys.stdout.write(f"written: {SOLVED.name}\n")

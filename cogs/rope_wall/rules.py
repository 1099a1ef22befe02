"""The short rules of the Rope Wall, page by page, with pictures: the basics first."""

from functools import cache

from cogs.core.drawing.excerpts import side_by_side
from cogs.core.i18n.translation import N_, _
from cogs.core.pages.display_names import game_title
from cogs.core.pages.page import Page, Picture, Text
from cogs.rope_wall import picture
from engine.games.rope_wall import GAME

AIM = N_("""\
### {title} – the goal
Join knots of your colour, side by side, from the lowest floor to the highest: that's a rope. You win the round, and \
a prisoner climbs out. **Three prisoners win the game.**
### Your turn
Push one of your thirteen knots into the wall through one of the ten openings: five floors, left or right. It shoves \
the knots in front of it one step further.""")

ROPE = N_("""\
### What counts as a rope
Knots hold side by side, never at corners. The wall is slippery, so a rope needs **at least one bend**: somewhere it \
must run sideways. A straight column doesn't hold.
-# Left: a rope, and its prisoner is out. Right: no rope. A knot that just sticks out beside it doesn't help, unless \
it's on the lowest or highest floor: there it makes a bend.""")

FULL_FLOOR = N_("""\
### A full floor
Your push makes a knot fall out on the other side. It goes back to its owner, who may not use that opening on their \
next turn. Two openings can be barred at once.
- No knots left? You wait until one falls out.
- A random player starts. The loser of a round starts the next.""")

SPECIAL_ROPES = N_("""\
### Special cases: ropes
- Where a prisoner climbed out, that exit is closed for the rest of the game: ropes must end elsewhere, but may run \
along below it.
- If there's a choice of exits, the winner of the round chooses.
- If you finish ropes of both colours at once, yours counts. If you finish only the other player's, they win the \
round.
- Two ropes of your own at once free two prisoners: there must be two open exits, and below each the rope climbs \
from the fourth floor to the fifth. The two may share knots; a rope that runs on along the top floor isn't a second \
one. Table option: *apart*, with no shared knot.""")

SPECIAL_ENDS = N_("""\
### Special cases: ends and time
- If a full wall brings no rope within ten more turns (waiting counts), or a round brings none within 120 pushes, \
the round is cancelled; after a cancelled round, the same player starts again. Table option: 80 pushes, or no limit, \
which makes the game unrated.
- After **three cancelled rounds in a row** the game ends: the player who has freed more prisoners wins, and equal \
numbers share the win.
- After a round, the wall stays as it is until both of you are ready, for 20 seconds at most, unless the table has \
no pause between rounds.
- If time runs out while you choose an exit, it's the leftmost.""")


@cache
def _drawn() -> dict[str, tuple[bytes, str]]:
    """Return the pictures with their descriptions, still in English."""
    found = {drawing.name: (data, drawing.alt) for drawing, data in picture.draw_rules()}
    rope, straight = found["rope"], found["straight"]
    found["ropes"] = (side_by_side(rope[0], straight[0]), "")
    return found


def pages() -> tuple[Page, ...]:
    """Return the short rules."""
    drawn = _drawn()

    def shown(name: str, *described: str) -> Picture:
        return Picture(drawn[name][0], f"{name}.png", " ".join(_(drawn[one][1]) for one in described or (name,)))

    return (
        Page((Text(_(AIM, title=game_title(GAME))), shown("push"))),
        Page((Text(_(ROPE)), shown("ropes", "rope", "straight"))),
        Page((Text(_(FULL_FLOOR)), shown("eject"))),
        Page((Text(_(SPECIAL_ROPES)),)),
        Page((Text(_(SPECIAL_ENDS)),)),
    )

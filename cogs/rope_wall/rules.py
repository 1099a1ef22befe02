"""The short rules of the Rope Wall, page by page, with pictures."""

from cogs.core.pages.page import Page, Picture, Text
from cogs.rope_wall import picture
from engine.games.rope_wall import GAME


def pages(colour: int) -> tuple[Page, ...]:
    """Return the short rules."""
    pictures = {name: (data, alt) for name, data, alt in picture.draw_rules()}

    def shown(name: str) -> Picture:
        data, alt = pictures[name]
        return Picture(data, f"{name}.png", alt)

    aim = (
        Text(
            f"### {GAME.title} – the aim\n"
            "Both of you have thirteen knots. On your turn, push one of yours into the wall through one of the ten "
            "openings: five floors, left or right. It shoves the knots in front of it one step further.\n"
            "Whoever joins knots of their colour, side by side, from the lowest floor to the highest, has a rope, "
            "wins the round, and a prisoner climbs out. **Three prisoners win the game.**"
        ),
        shown("push"),
    )
    rope = (
        Text(
            "### What counts as a rope\n"
            "Knots hold side by side, never at corners. The wall is slippery, so a rope needs **at least one "
            "bend**: somewhere it must run sideways. A straight column does not hold. A knot that merely sticks out "
            "beside it does not help, unless it is on the lowest or the highest floor: there it makes a bend."
        ),
        shown("rope"),
        shown("straight"),
    )
    small_print = (
        Text(
            "### Small print\n"
            "- On a full floor, your push makes a knot fall out on the other side. It goes back to its owner, who "
            "may not use that opening on their next turn. Two such bars can stand at once.\n"
            "- No knots left? You wait until one falls out.\n"
            "- Where a prisoner climbed out, that exit is closed for the rest of the game: ropes must end "
            "elsewhere, but may run along below it. If there is a choice of exits, the winner of the round "
            "chooses; if time runs out, it is the leftmost.\n"
            "- Finish ropes of both colours at once, and yours counts. Finish only the other's, and the round is "
            "theirs.\n"
            "- Two ropes of your own at once free two prisoners: two open exits, and below each the rope climbs from "
            "the fourth floor to the fifth. The two may share knots; a rope that runs on along the top floor is no "
            "second one. Table option: *apart*, without a common knot.\n"
            "- If a full wall brings no rope within ten more turns (waiting counts), or a round none within 120 "
            "pushes, the round is cancelled. Table option: 80 pushes, or no limit, and then the game is not ranked. "
            "After **three cancelled rounds in a row** the game ends: whoever has freed more prisoners wins, and equal "
            "numbers share the win.\n"
            "- After a round the wall stays as it is until both of you are ready, for 20 seconds at the most, "
            "unless the table has no interludes.\n"
            "- Who begins is drawn by lot. The loser of a round begins the next; after a cancelled round it is the "
            "same player again."
        ),
        shown("eject"),
    )
    return tuple(Page(blocks, colour) for blocks in (aim, rope, small_print))

"""The short rules of the Rope Wall, page by page, with pictures."""

from cogs.core.i18n.translation import _
from cogs.core.pages.page import Page, Picture, Text
from cogs.rope_wall import picture
from engine.games.rope_wall import GAME


def pages(colour: int) -> tuple[Page, ...]:
    """Return the short rules."""
    pictures = {name: (data, alt) for name, data, alt in picture.draw_rules()}

    def shown(name: str) -> Picture:
        data, alt = pictures[name]
        return Picture(data, f"{name}.png", alt)

    aim = [
        _("### {title} – the aim", title=GAME.title),
        _(
            "You each have thirteen knots. On your turn, push one into the wall through one of the ten openings: five "
            "floors, left or right. It shoves the knots in front of it one step further."
        ),
        _(
            "Join knots of your colour, side by side, from the lowest floor to the highest, and you have a rope: you "
            "win the round, and a prisoner climbs out. **Three prisoners win the game.**"
        ),
    ]
    rope = [
        _("### What counts as a rope"),
        _(
            "Knots hold side by side, never at corners. The wall is slippery, so a rope needs **at least one bend**: "
            "somewhere it must run sideways. A straight column doesn't hold. A knot that just sticks out beside it "
            "doesn't help, unless it's on the lowest or highest floor: there it makes a bend."
        ),
    ]
    small_print = [
        _("### Small print"),
        _(
            "- On a full floor, your push makes a knot fall out on the other side. It goes back to its owner, who may "
            "not use that opening on their next turn. Two openings can be barred at once."
        ),
        _("- No knots left? You wait until one falls out."),
        _(
            "- Where a prisoner climbed out, that exit is closed for the rest of the game: ropes must end elsewhere, "
            "but may run along below it. If there's a choice of exits, the winner of the round chooses; if time runs "
            "out, it's the leftmost."
        ),
        _(
            "- If you finish ropes of both colours at once, yours counts. If you finish only the other player's, they "
            "win the round."
        ),
        _(
            "- Two ropes of your own at once free two prisoners: there must be two open exits, and below each the rope "
            "climbs from the fourth floor to the fifth. The two may share knots; a rope that runs on along the top "
            "floor isn't a second one. Table option: *apart*, with no shared knot."
        ),
        _(
            "- If a full wall brings no rope within ten more turns (waiting counts), or a round brings none within 120 "
            "pushes, the round is cancelled. Table option: 80 pushes, or no limit, which makes the game unrated."
        ),
        _(
            "- After **three cancelled rounds in a row** the game ends: the player who has freed more prisoners wins, "
            "and equal numbers share the win."
        ),
        _(
            "- After a round, the wall stays as it is until both of you are ready, for 20 seconds at most, unless the "
            "table has no pause between rounds."
        ),
        _(
            "- A random player starts. The loser of a round starts the next; after a cancelled round, the same player "
            "starts again."
        ),
    ]
    return (
        Page((Text("\n".join(aim)), shown("push")), colour),
        Page((Text("\n".join(rope)), shown("rope"), shown("straight")), colour),
        Page((Text("\n".join(small_print)), shown("eject")), colour),
    )

"""The achievements of Break-Out, in words and symbols."""

from cogs.core.drawing.badges import Area, Disc, Line, Ring
from cogs.core.i18n.translation import N_
from cogs.core.pages.achievements import Achievement, Achievements
from engine.achievements import break_out as rule

ACHIEVEMENTS = Achievements(
    rule.earned,
    (
        Achievement(
            rule.SHARP_EYES,
            N_("Sharp Eyes"),
            N_("Catch three bad melds in one round."),
            (Ring(-2.5, -2.5, 5.6), Line(((2, 2), (8.5, 8.5)), 3.6)),
        ),
        Achievement(
            rule.FORGED_PAPERS,
            N_("Forged Papers"),
            N_("Win a round in which you bluffed and no one caught you."),
            (
                Line(((-6, -9), (2, -9), (7, -4), (7, 9), (-6, 9), (-6, -9)), 2),
                Line(((-2.5, -1), (3.5, -1)), 1.8),
                Line(((-2.5, 3), (3.5, 3)), 1.8),
            ),
        ),
        Achievement(
            rule.FULL_CELL,
            N_("Full Cell"),
            N_("Break out with a full cell."),
            tuple(
                Area(((x - 2.4, y - 2.4), (x + 2.4, y - 2.4), (x + 2.4, y + 2.4), (x - 2.4, y + 2.4)))
                for y in (-6.4, 0, 6.4)
                for x in (-6.4, 0, 6.4)
            ),
        ),
        Achievement(
            rule.LONE_ESCAPE,
            N_("Lone Escape"),
            N_("Win a round before anyone else has broken out."),
            (
                Disc(2, -7.2, 2.6),
                Line(((1, -3), (-1.5, 2.5)), 3.2),
                Line(((-1.5, 2.5), (3, 5), (2, 9.5)), 2.4),
                Line(((-1.5, 2.5), (-4, 6), (-9, 6)), 2.4),
                Line(((1, -3), (-4.5, -3.5), (-6.5, 0)), 2),
                Line(((1, -2.5), (4.5, 0.5), (8.5, -1.5)), 2),
            ),
        ),
    ),
)

"""The achievements of the Rope Wall, in words and symbols."""

from cogs.core.drawing.badges import Area, Line
from cogs.core.i18n.translation import N_
from cogs.core.pages.achievements import Achievement, Achievements
from engine.achievements import rope_wall as rule

ACHIEVEMENTS = Achievements(
    rule.earned,
    (
        Achievement(
            rule.TWO_EXITS,
            N_("Two Ways Out"),
            N_("Free two prisoners with one push."),
            (
                Line(((-5.4, 8), (-5.4, -7))),
                Line(((-9.2, -3.5), (-5.4, -8), (-1.6, -3.5))),
                Line(((5.4, 8), (5.4, -7))),
                Line(((1.6, -3.5), (5.4, -8), (9.2, -3.5))),
            ),
        ),
        Achievement(
            rule.FAST_CLIMB,
            N_("Fast Climb"),
            N_("Win a round with at most ten pushes of your own."),
            (Area(((2, -10), (-7, 2), (-1, 2), (-3, 10), (7, -3), (1, -3))),),
        ),
        Achievement(
            rule.CLEAN_BREAK,
            N_("Clean Break"),
            N_("Win before your rival frees a prisoner."),
            (
                Line(((-10, 5), (-3, 1.5)), 3.4),
                Line(((3, -1.5), (10, -5)), 3.4),
                Line(((-3, -7), (-1.5, -3.5))),
                Line(((1.5, 3.5), (3, 7))),
                Line(((-7, -3), (-4.5, -2))),
                Line(((4.5, 2), (7, 3))),
            ),
        ),
        Achievement(
            rule.FROM_THE_HOLE,
            N_("Out of the Hole"),
            N_("Win after being two prisoners behind."),
            (
                Area(((-10, 7), (-6, 5), (6, 5), (10, 7), (6, 9.5), (-6, 9.5))),
                Line(((0, 4), (0, -8)), 2.6),
                Line(((-5, -3), (0, -9), (5, -3)), 2.6),
            ),
        ),
    ),
)

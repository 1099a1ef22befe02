"""The achievements of Match Five, in words and symbols."""

from cogs.core.drawing.badges import Area, Disc, Line, Ring
from cogs.core.i18n.translation import N_
from cogs.core.pages.achievements import Achievement, Achievements
from engine.achievements import match_five as rule

ACHIEVEMENTS = Achievements(
    rule.earned,
    (
        Achievement(
            rule.WILD_FIVE,
            N_("Master Key"),
            N_("Complete a five with a Wild."),
            (
                Ring(-5, 0, 3.6),
                Line(((-1.5, 0), (9, 0)), 2.6),
                Line(((9, 0), (9, 4.5)), 2.6),
                Line(((5, 0), (5, 4)), 2.6),
            ),
        ),
        Achievement(
            rule.TWO_FIVES,
            N_("Double Shift"),
            N_("Complete two fives in one turn."),
            tuple(Disc(x, y, 1.7) for y in (-3.5, 3.5) for x in (-8.8, -4.4, 0, 4.4, 8.8)),
        ),
        Achievement(
            rule.BIG_HAUL,
            N_("Big Haul"),
            N_("Score at least 70 points in one turn."),
            (
                Area(((-4.5, -1), (-3, -7), (3, -7), (4.5, -1))),
                Area(((-10, 7), (-8.5, 1), (-2.2, 1), (-0.7, 7))),
                Area(((0.7, 7), (2.2, 1), (8.5, 1), (10, 7))),
            ),
        ),
        Achievement(
            rule.LAST_TILE,
            N_("Lights Out"),
            N_("Win a game in which you lay your last tile first."),
            (
                Ring(0, -3, 5),
                Line(((-2.4, 5.2), (2.4, 5.2))),
                Line(((-1.6, 8.4), (1.6, 8.4))),
                Line(((-8.5, -8.5), (8.5, 8.5)), 2.6),
            ),
        ),
    ),
)

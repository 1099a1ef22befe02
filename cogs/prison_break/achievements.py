"""The achievements of Prison Break, in words and symbols."""

from cogs.core.drawing.badges import Area, Line, Ring
from cogs.core.i18n.translation import N_
from cogs.core.pages.achievements import Achievement, Achievements
from engine.achievements import prison_break as rule

ACHIEVEMENTS = Achievements(
    rule.earned,
    (
        Achievement(
            rule.HONEST,
            N_("Honest Convict"),
            N_("Escape without a lie, after at least three sneaks."),
            (Line(((-8, 0), (-2.5, 6), (8.5, -6.5)), 3.6),),
        ),
        Achievement(
            rule.SILVER_TONGUE,
            N_("Silver Tongue"),
            N_("Escape after at least four lies, and never be caught by the guards."),
            (
                Line(((-9, -7), (9, -7), (9, 4), (0, 4), (-5, 9), (-4.5, 4), (-9, 4), (-9, -7))),
                Line(((-5, -1), (-2.5, -3), (0, -1), (2.5, 1), (5, -1))),
            ),
        ),
        Achievement(
            rule.DOUBLE_CATCH,
            N_("Double Catch"),
            N_("Catch two other prisoners with one guard check."),
            (Ring(-5.8, 1.5, 3.8), Ring(5.8, 1.5, 3.8), Line(((-2.4, -1), (0, -3), (2.4, -1)), 1.8)),
        ),
        Achievement(
            rule.TURNCOAT,
            N_("Turncoat"),
            N_("Escape after rejecting twice what the other player accepted."),
            (
                Line(((-9, -3.5), (5, -3.5)), 2.6),
                Area(((4, -8), (10, -3.5), (4, 1))),
                Line(((9, 4.5), (-5, 4.5)), 2.6),
                Area(((-4, 0), (-10, 4.5), (-4, 9))),
            ),
        ),
    ),
)

"""The achievements of Ausbrecher AG, in words and symbols."""

from cogs.core.drawing.badges import Area, Disc, Line
from cogs.core.i18n.translation import N_
from cogs.core.pages.achievements import Achievement, Achievements
from engine.achievements import ausbrecher as rule

_WATER = Line(((-9, 9), (-5, 8), (0, 9), (5, 8), (9, 9)), 1.6)

ACHIEVEMENTS = Achievements(
    rule.earned,
    (
        Achievement(
            rule.INSIDER,
            N_("Inside Job"),
            N_("Forecast the right boat for at least five prisoners."),
            (
                Line(((-10, 0), (-5, -5), (0, -6.5), (5, -5), (10, 0), (5, 5), (0, 6.5), (-5, 5), (-10, 0))),
                Disc(0, 0, 3.2),
            ),
        ),
        Achievement(
            rule.WHOLE_CREW,
            N_("Whole Crew"),
            N_("Forecast everyone aboard a boat that takes two or more."),
            (Area(((-10, 1), (10, 1), (6.5, 6.5), (-6.5, 6.5))), Disc(-4, -3.5, 2.8), Disc(4, -3.5, 2.8), _WATER),
        ),
        Achievement(
            rule.DOUBLE_LAUNCH,
            N_("Double Launch"),
            N_("Bring two prisoners aboard in one turn."),
            (
                Area(((-10, 2.5), (-1, 2.5), (-2.5, 6), (-8.5, 6))),
                Area(((-5.5, 1), (-5.5, -8), (-0.8, 1))),
                Area(((1, 2.5), (10, 2.5), (8.5, 6), (2.5, 6))),
                Area(((5.5, 1), (5.5, -8), (10, 1))),
                _WATER,
            ),
        ),
        Achievement(
            rule.BACK_IN_THE_CELL,
            N_("Back in the Cell"),
            N_("Send a prisoner all the way back to a cell."),
            (
                *(Line(((x, -8), (x, 8)), 2.4) for x in (-7, -2.35, 2.35, 7)),
                Line(((-9, -8), (9, -8)), 2.4),
                Line(((-9, 8), (9, 8)), 2.4),
            ),
        ),
    ),
)

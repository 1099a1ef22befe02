-- Which puzzle of the day somebody has opened last, of each game: who opened it on its day may answer a little after
-- midnight, and it counts for that day.
CREATE TABLE openings (
    user   INTEGER NOT NULL,
    game   TEXT    NOT NULL,
    number INTEGER NOT NULL,                                -- of the puzzle, one a day, from 1
    PRIMARY KEY (user, game)
) WITHOUT ROWID;

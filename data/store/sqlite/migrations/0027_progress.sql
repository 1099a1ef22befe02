-- Which lessons a user has finished.
CREATE TABLE lessons (
    user INTEGER NOT NULL,
    game TEXT    NOT NULL,
    at   INTEGER NOT NULL,
    PRIMARY KEY (user, game)
) WITHOUT ROWID;

-- Which achievements a user has earned on a server, and in which game first.
CREATE TABLE achievements (
    user     INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    name     TEXT    NOT NULL,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    at       INTEGER NOT NULL,
    PRIMARY KEY (user, guild, game, name)
) WITHOUT ROWID;

CREATE INDEX achievements_of_table ON achievements (table_id);

-- Who does not want to be told of achievements.
CREATE TABLE achievements_off (
    user INTEGER PRIMARY KEY
);

-- Whether it was worked out what was achieved in a finished game.
ALTER TABLE endings ADD COLUMN judged INTEGER NOT NULL DEFAULT 0 CHECK (judged IN (0, 1));

-- What somebody has done about a puzzle of the day. It is kept from the first press: a second one is no second chance.
CREATE TABLE attempts (
    user   INTEGER NOT NULL,
    game   TEXT    NOT NULL,
    number INTEGER NOT NULL,                                -- of the puzzle, one a day, from 1
    played TEXT    NOT NULL,                                -- the solver's own actions, a JSON list
    solved INTEGER          CHECK (solved IN (0, 1)),       -- NULL while it is open
    guild  INTEGER,                                         -- where it was begun, NULL in direct messages
    timely INTEGER NOT NULL CHECK (timely IN (0, 1)),       -- begun on its day
    at     INTEGER NOT NULL,                                -- when it was begun
    PRIMARY KEY (user, game, number)
) WITHOUT ROWID;

CREATE INDEX attempts_on_server ON attempts (guild, number) WHERE guild IS NOT NULL;

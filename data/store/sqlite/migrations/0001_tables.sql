-- Runs of the bot, tables, who sits at them, what happened there and how it ended.
-- Moments are milliseconds since the Unix epoch; users, servers, channels and messages are Discord's numbers.

-- One row for each start of the bot. The gap between the end of one and the start of the next is time that no player
-- is to lose.
CREATE TABLE runs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    alive_at   INTEGER NOT NULL
);

CREATE TABLE tables (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    game       TEXT    NOT NULL,
    guild      INTEGER NOT NULL,
    channel    INTEGER NOT NULL,
    opener     INTEGER NOT NULL,
    status     TEXT    NOT NULL CHECK (status IN ('lobby', 'playing', 'over', 'closed')),
    options    TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    run        INTEGER NOT NULL REFERENCES runs (id),  -- up to which the clocks have been extended
    version    INTEGER NOT NULL DEFAULT 0,             -- the number of events
    due        INTEGER,                                -- the earliest deadline, that of the lobby included
    seed       BLOB,                                   -- secret until the game is over
    commitment TEXT,
    message    INTEGER,
    message_at INTEGER,
    started_at INTEGER,
    ended_at   INTEGER,
    invited    INTEGER,
    rematch_of INTEGER REFERENCES tables (id)
);

-- The bot starts by reading the open ones, however many lie behind it.
CREATE INDEX tables_open ON tables (id) WHERE status IN ('lobby', 'playing');
CREATE INDEX tables_open_in_channel ON tables (channel) WHERE status IN ('lobby', 'playing');
CREATE INDEX tables_rematch ON tables (rematch_of) WHERE rematch_of IS NOT NULL;

CREATE TABLE seats (
    table_id   INTEGER NOT NULL REFERENCES tables (id),
    seat       INTEGER NOT NULL CHECK (seat >= 0),
    user       INTEGER,                                -- none: a computer player
    name       TEXT    NOT NULL,
    level      TEXT    CHECK (level IN ('rookie', 'warden')),
    caretaker  INTEGER NOT NULL DEFAULT 0 CHECK (caretaker IN (0, 1)),
    lapses     INTEGER NOT NULL DEFAULT 0,
    dm_channel INTEGER,
    dm_message INTEGER,
    dm_state   TEXT,
    dm_closed  INTEGER NOT NULL DEFAULT 0 CHECK (dm_closed IN (0, 1)),
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;

-- Nobody sits twice at a table; and what somebody plays is found by who they are.
CREATE UNIQUE INDEX seats_user ON seats (user, table_id) WHERE user IS NOT NULL;

-- What was asked for. Its number is that of the first event that followed; seat NULL is the clock, or at 0 the setup.
CREATE TABLE decisions (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number   INTEGER NOT NULL,
    seat     INTEGER,
    at       INTEGER NOT NULL,
    action   TEXT,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;

-- What happened. A number is taken once: the key guards against two hands writing to one table.
CREATE TABLE events (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    number   INTEGER NOT NULL,
    body     TEXT    NOT NULL,
    PRIMARY KEY (table_id, number)
) WITHOUT ROWID;

CREATE TABLE results (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL,
    user     INTEGER,
    place    INTEGER NOT NULL CHECK (place >= 1),
    score    INTEGER NOT NULL,
    reason   TEXT    NOT NULL,
    ended_at INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;

CREATE INDEX results_of_game ON results (guild, game, user);
CREATE INDEX results_of_user ON results (user, ended_at) WHERE user IS NOT NULL;

-- Lines that mention somebody and go when the turn passes, also when that is after a restart.
CREATE TABLE mentions (
    message  INTEGER PRIMARY KEY,
    table_id INTEGER NOT NULL REFERENCES tables (id),
    channel  INTEGER NOT NULL
);

CREATE INDEX mentions_of_table ON mentions (table_id);

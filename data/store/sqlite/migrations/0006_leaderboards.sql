-- Leaderboards are kept: what the results add up to, brought forward by each of them, so that they can be shown at once.

-- How often results of a game on a server were changed or taken back: what was added up before is to be added up anew.
CREATE TABLE corrections (
    guild INTEGER NOT NULL,
    game  TEXT    NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (guild, game)
) WITHOUT ROWID;

-- Until now they were counted all together, for sums that did not outlive a run of the bot.
DROP TRIGGER results_change;
DROP TRIGGER results_go;
DROP TABLE amendments;

-- One row a leaderboard: a server's board of a game from a moment to before another. After a correction a new one is
-- built beside the one that is shown, takes its place when it is whole, and the old one is cleared away.
CREATE TABLE leaderboards (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    guild     INTEGER NOT NULL,
    game      TEXT    NOT NULL,
    board     TEXT    NOT NULL CHECK (board IN ('ranked', 'casual')),
    since     INTEGER NOT NULL,
    until     INTEGER NOT NULL,
    state     TEXT    NOT NULL CHECK (state IN ('shown', 'building', 'gone')),
    last      INTEGER NOT NULL,                        -- every ending up to this number has been added
    corrected INTEGER NOT NULL,                        -- the corrections at its beginning
    due       INTEGER NOT NULL DEFAULT 1 CHECK (due IN (0, 1))  -- whether there is something to do on it
);

CREATE UNIQUE INDEX leaderboards_of_game ON leaderboards (guild, game, board, since, until, state)
WHERE state <> 'gone';

CREATE INDEX leaderboards_due ON leaderboards (id) WHERE due;

INSERT INTO leaderboards (guild, game, board, since, until, state, last, corrected)
SELECT DISTINCT guild, game, board, 0, 4611686018427387904, 'shown', 0, 0 FROM endings WHERE board IS NOT NULL;

-- Whatever ends, or is corrected, is to be added up.
CREATE TRIGGER endings_come_in AFTER INSERT ON endings WHEN NEW.board IS NOT NULL
BEGIN
    INSERT OR IGNORE INTO leaderboards (guild, game, board, since, until, state, last, corrected)
    VALUES (NEW.guild, NEW.game, NEW.board, 0, 4611686018427387904, 'shown', 0,
            coalesce((SELECT count FROM corrections WHERE guild = NEW.guild AND game = NEW.game), 0));
    UPDATE leaderboards SET due = 1 WHERE guild = NEW.guild AND game = NEW.game AND board = NEW.board AND NOT due;
END;

CREATE TRIGGER results_change AFTER UPDATE ON results
BEGIN
    INSERT INTO corrections VALUES (NEW.guild, NEW.game, 1)
    ON CONFLICT (guild, game) DO UPDATE SET count = count + 1;
    UPDATE leaderboards SET due = 1 WHERE guild = NEW.guild AND game = NEW.game AND NOT due;
END;

CREATE TRIGGER results_go AFTER DELETE ON results
BEGIN
    DELETE FROM endings
    WHERE table_id = OLD.table_id AND NOT EXISTS (SELECT 1 FROM results WHERE table_id = OLD.table_id);
    INSERT INTO corrections VALUES (OLD.guild, OLD.game, 1)
    ON CONFLICT (guild, game) DO UPDATE SET count = count + 1;
    UPDATE leaderboards SET due = 1 WHERE guild = OLD.guild AND game = OLD.game AND NOT due;
END;

CREATE TABLE standings (
    leaderboard INTEGER NOT NULL REFERENCES leaderboards (id),
    player              NOT NULL,                      -- a user's number, or the level of computer players
    name        TEXT    NOT NULL,
    mu          REAL    NOT NULL,
    sigma       REAL    NOT NULL,
    rating      INTEGER NOT NULL,
    games       INTEGER NOT NULL,
    wins        INTEGER NOT NULL,
    streak      INTEGER NOT NULL,
    longest     INTEGER NOT NULL,
    best        INTEGER,
    trace       TEXT    NOT NULL,                      -- the last ratings, as JSON
    PRIMARY KEY (leaderboard, player)
) WITHOUT ROWID;

CREATE INDEX standings_of_user ON standings (player);
-- People who are ranked, after five games, and those who are being placed: each in the order in which they are shown.
CREATE INDEX standings_ranked ON standings (leaderboard, rating DESC, wins DESC, name, player)
WHERE games >= 5 AND typeof(player) = 'integer';
CREATE INDEX standings_placing ON standings (leaderboard, games DESC, rating DESC, wins DESC, name, player)
WHERE games < 5 AND typeof(player) = 'integer';

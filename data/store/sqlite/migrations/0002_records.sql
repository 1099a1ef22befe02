-- Which finished games count where. Ratings are not kept: they follow from the results, so a result counts once
-- whatever happens to the bot between the end of a game and the next look at a leaderboard.

-- One row a finished game, written by the very statement that writes its results. The id grows in the order in which
-- games ended. board NULL: it counts on none.
CREATE TABLE endings (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id),
    guild    INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    board    TEXT    CHECK (board IN ('ranked', 'casual')),
    at       INTEGER NOT NULL
);

CREATE INDEX endings_of_board ON endings (guild, game, board, id);

-- How often results were changed or taken back since: whoever has added them up adds them up anew.
CREATE TABLE amendments (count INTEGER NOT NULL);
INSERT INTO amendments VALUES (0);

-- Where a game counts, by who sits there now and who has moved. Giving up is no move, and neither is what the clock or
-- the setup did.
CREATE VIEW boards AS
SELECT id AS table_id,
       CASE
           WHEN EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND (level IS NOT NULL OR caretaker))
               THEN 'casual'
           WHEN EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND NOT EXISTS (
                   SELECT 1 FROM decisions
                   WHERE table_id = seats.table_id AND seat = seats.seat AND action NOT LIKE '{"do":"resign"%'))
               THEN NULL
           ELSE 'ranked'
       END AS board
FROM tables;

INSERT INTO endings (table_id, guild, game, board, at)
SELECT table_id, min(guild), min(game), (SELECT board FROM boards WHERE boards.table_id = results.table_id),
       min(ended_at)
FROM results GROUP BY table_id ORDER BY min(ended_at), table_id;

CREATE TRIGGER results_come_in AFTER INSERT ON results
WHEN NOT EXISTS (SELECT 1 FROM endings WHERE table_id = NEW.table_id)
BEGIN
    INSERT INTO endings (table_id, guild, game, board, at)
    SELECT table_id, NEW.guild, NEW.game, board, NEW.ended_at FROM boards WHERE table_id = NEW.table_id;
END;

CREATE TRIGGER results_change AFTER UPDATE ON results
BEGIN
    UPDATE amendments SET count = count + 1;
END;

CREATE TRIGGER results_go AFTER DELETE ON results
BEGIN
    DELETE FROM endings
    WHERE table_id = OLD.table_id AND NOT EXISTS (SELECT 1 FROM results WHERE table_id = OLD.table_id);
    UPDATE amendments SET count = count + 1;
END;

-- What the managers of a server have set, by name.
CREATE TABLE settings (
    guild INTEGER NOT NULL,
    name  TEXT    NOT NULL,
    value TEXT    NOT NULL,
    PRIMARY KEY (guild, name)
) WITHOUT ROWID;

-- Who does not want to stand on leaderboards.
CREATE TABLE hidden_users (
    user INTEGER PRIMARY KEY
);

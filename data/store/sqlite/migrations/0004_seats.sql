-- Who leaves a ranked game takes the last place among those still in, for good; a table without anybody sleeps; and a
-- game may end as it stood, with places and without scores.

-- The order in which people left a ranked game, from 1; those who left at the same moment share a number.
ALTER TABLE seats ADD COLUMN forfeit INTEGER CHECK (forfeit >= 1);

-- Since when nobody has been there to play: until somebody is back, no clock runs and no computer plays.
ALTER TABLE tables ADD COLUMN slept_at INTEGER;

-- Games under way at which a computer plays for somebody who was told that leaving costs nothing: they stay casual.
ALTER TABLE tables ADD COLUMN casual INTEGER NOT NULL DEFAULT 0 CHECK (casual IN (0, 1));
UPDATE tables SET casual = 1
WHERE status = 'playing' AND EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND caretaker);

-- A score may be missing. Such a constraint goes only with its table, and the triggers of the table go with it.
CREATE TABLE results_anew (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    seat     INTEGER NOT NULL,
    user     INTEGER,
    place    INTEGER NOT NULL CHECK (place >= 1),
    score    INTEGER,                                  -- none: the game ended as it stood
    reason   TEXT    NOT NULL,
    ended_at INTEGER NOT NULL,
    guild    INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;

INSERT INTO results_anew SELECT table_id, seat, user, place, score, reason, ended_at, guild, game FROM results;
DROP TABLE results;
ALTER TABLE results_anew RENAME TO results;

CREATE INDEX results_of_game ON results (guild, game, user);
CREATE INDEX results_of_user ON results (user, ended_at) WHERE user IS NOT NULL;

-- Where a game counts that ends from now on. With computer players: casual. Else ranked, if everybody who stayed has
-- moved; giving up is no move, and neither is what the clock or the setup did. A caretaker changes nothing of it.
DROP VIEW boards;
CREATE VIEW boards AS
SELECT id AS table_id,
       CASE
           WHEN casual OR EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND level IS NOT NULL)
               THEN 'casual'
           WHEN EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND forfeit IS NULL AND NOT EXISTS (
                   SELECT 1 FROM decisions
                   WHERE table_id = seats.table_id AND seat = seats.seat AND action NOT LIKE '{"do":"resign"%'))
               THEN NULL
           ELSE 'ranked'
       END AS board
FROM tables;

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

-- Which seats have moved is kept with them, by whoever knows the game: being ready, a note to oneself and giving up are
-- no moves, and a database cannot tell them from moves by what they are called.
ALTER TABLE seats ADD COLUMN moved INTEGER NOT NULL DEFAULT 0 CHECK (moved IN (0, 1));

-- Of games that began before, what can be told: giving up and being ready are called alike in every game.
UPDATE seats SET moved = 1
WHERE EXISTS (
    SELECT 1 FROM decisions
    WHERE decisions.table_id = seats.table_id AND decisions.seat = seats.seat
      AND json_extract(action, '$.do') NOT IN ('resign', 'ready'));

-- Where a game counts that ends from now on. With computer players: casual. Else ranked, if everybody who stayed has
-- moved.
DROP TRIGGER results_come_in;
DROP VIEW boards;
CREATE VIEW boards AS
SELECT id AS table_id,
       CASE
           WHEN casual OR EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND level IS NOT NULL)
               THEN 'casual'
           WHEN EXISTS (SELECT 1 FROM seats WHERE table_id = tables.id AND forfeit IS NULL AND NOT moved)
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

-- Why the clocks of a table are paused (NULL: its server is out of reach), since when the bot may not write in its channel,
-- and for how long that has paused its clocks before: it may do so for a day in all.
ALTER TABLE tables ADD COLUMN paused_by TEXT;
ALTER TABLE tables ADD COLUMN blocked_at INTEGER;
ALTER TABLE tables ADD COLUMN blocked_ms INTEGER NOT NULL DEFAULT 0;

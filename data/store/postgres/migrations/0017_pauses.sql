-- Why the clocks of a table are paused, and how long its channel was closed to the bot, as SQLite's migration 0024 has it.
ALTER TABLE tables ADD COLUMN paused_by text;
ALTER TABLE tables ADD COLUMN blocked_at bigint;
ALTER TABLE tables ADD COLUMN blocked_ms bigint NOT NULL DEFAULT 0;

-- What led to what somebody has begun to put together on a page of theirs, as SQLite's migration 0016 has it.
ALTER TABLE seats ADD COLUMN begun text;

UPDATE seats SET begun = dm_look WHERE dm_look IS NOT NULL;

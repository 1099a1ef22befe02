-- What led to what somebody has begun to put together on a page of theirs, wherever that stands, as JSON. It was known of
-- direct messages alone.
ALTER TABLE seats ADD COLUMN begun TEXT;

UPDATE seats SET begun = dm_look WHERE dm_look IS NOT NULL;

-- The channel that the thread of a table belongs to: the tables of all its threads are counted together. NULL where a
-- table stands in no thread, or was opened before this was kept.
ALTER TABLE tables ADD COLUMN parent INTEGER;

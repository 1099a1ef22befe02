-- The channel that a table's thread belongs to, as SQLite's migration 0017 has it.
ALTER TABLE tables ADD COLUMN parent bigint;

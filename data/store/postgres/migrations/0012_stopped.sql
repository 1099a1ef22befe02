-- Since when a run is over, as SQLite's migration 0019 has it.
ALTER TABLE runs ADD COLUMN stopped_at bigint;

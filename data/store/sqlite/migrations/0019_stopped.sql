-- Since when a run is over: its process stopped, or the next run began. NULL while it goes on, and after a crash. How long
-- nobody was there is computed from `alive_at` all the same.
ALTER TABLE runs ADD COLUMN stopped_at INTEGER;

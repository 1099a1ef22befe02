-- Under which version of its game's rules a table began. Those that began before there were versions have the first.
ALTER TABLE tables ADD COLUMN rules INTEGER NOT NULL DEFAULT 1;

-- What led to the page that somebody's direct message shows, as SQLite's migration 0014 has it.
ALTER TABLE seats ADD COLUMN dm_look text;

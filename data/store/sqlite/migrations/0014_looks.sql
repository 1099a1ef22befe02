-- What led to the page that somebody's direct message shows, as JSON: what they have put together there counts when the
-- clock of their turn runs out, also after a restart. NULL where it shows the game itself.
ALTER TABLE seats ADD COLUMN dm_look TEXT;

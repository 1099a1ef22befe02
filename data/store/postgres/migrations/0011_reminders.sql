-- Which lines have reminded the players of a turn, and which old messages showed a table, as SQLite's migration 0018 has
-- it.
ALTER TABLE tables ADD COLUMN reminded text;
ALTER TABLE mentions ADD COLUMN showed_table boolean NOT NULL DEFAULT false;

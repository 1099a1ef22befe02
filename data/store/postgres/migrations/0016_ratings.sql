-- Changes by each game, and versions of the computers' ratings, as SQLite's migration 0023 has them.
ALTER TABLE standings ADD COLUMN changes text NOT NULL DEFAULT '[]';
ALTER TABLE leaderboards ADD COLUMN version bigint NOT NULL DEFAULT 0;

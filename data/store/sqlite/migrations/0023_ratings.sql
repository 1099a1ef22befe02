-- By how much each of a player's last games has changed the best guess of their strength, as JSON: lists of the table, the
-- change in points and how many games count by then.
ALTER TABLE standings ADD COLUMN changes TEXT NOT NULL DEFAULT '[]';

-- With which version of the computers' ratings a leaderboard was added up: those with an older one are added up once more.
ALTER TABLE leaderboards ADD COLUMN version INTEGER NOT NULL DEFAULT 0;

-- Of which shard a run was: number `shard` of `shards`. Over this database one process serves all servers, which is
-- shard 0 of 1; others may have come from a database that several served.
ALTER TABLE runs ADD COLUMN shard INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN shards INTEGER NOT NULL DEFAULT 1;

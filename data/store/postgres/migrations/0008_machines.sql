-- On which machine a process runs, and when it began there by that machine's own count: one that starts there can tell
-- whether it is gone for good. Empty and 0 where that is not known.
ALTER TABLE processes
    ADD COLUMN machine text   NOT NULL DEFAULT '',
    ADD COLUMN born    bigint NOT NULL DEFAULT 0;

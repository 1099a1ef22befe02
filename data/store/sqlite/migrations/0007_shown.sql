-- What the message of each table is known to show, so that whatever was committed is shown in the end, also by the next
-- start of the bot; and tables that stand still while their server cannot be reached.

-- `revision` grows with every change of what a table shows. `shown` is the revision that its message is known to show:
-- it may lag behind the truth and never leads.
ALTER TABLE tables ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
ALTER TABLE tables ADD COLUMN shown INTEGER NOT NULL DEFAULT 0;

-- Since when the clocks of an open table have stood still, because the bot is not on its server.
ALTER TABLE tables ADD COLUMN paused_at INTEGER;

-- Of the games of earlier versions, those that are over count as shown; the open ones are drawn once more.
UPDATE tables SET shown = revision WHERE status IN ('over', 'closed');

CREATE INDEX tables_unshown ON tables (id) WHERE shown < revision;

CREATE TRIGGER tables_changed AFTER UPDATE OF status, opener, options, version, due, invited, slept_at ON tables
WHEN new.status IS NOT old.status OR new.opener IS NOT old.opener OR new.options IS NOT old.options
    OR new.version IS NOT old.version OR new.due IS NOT old.due OR new.invited IS NOT old.invited
    OR new.slept_at IS NOT old.slept_at
BEGIN
    UPDATE tables SET revision = revision + 1 WHERE id = new.id;
END;

CREATE TRIGGER seats_taken AFTER INSERT ON seats
BEGIN
    UPDATE tables SET revision = revision + 1 WHERE id = new.table_id;
END;

CREATE TRIGGER seats_left AFTER DELETE ON seats
BEGIN
    UPDATE tables SET revision = revision + 1 WHERE id = old.table_id;
END;

CREATE TRIGGER seats_changed AFTER UPDATE OF user, name, level, caretaker, forfeit ON seats
WHEN new.user IS NOT old.user OR new.name IS NOT old.name OR new.level IS NOT old.level
    OR new.caretaker IS NOT old.caretaker OR new.forfeit IS NOT old.forfeit
BEGIN
    UPDATE tables SET revision = revision + 1 WHERE id = new.table_id;
END;

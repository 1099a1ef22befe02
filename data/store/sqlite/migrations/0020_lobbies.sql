-- Lobbies: several people can be invited at a time, people who were removed need an invitation, and a player can ask to
-- become the host.

-- Lists of users: each number between spaces, such as ' 1 2 ', and empty if there is nobody.
DROP TRIGGER tables_changed;
ALTER TABLE tables ADD COLUMN guests TEXT NOT NULL DEFAULT '';
UPDATE tables SET guests = ' ' || invited || ' ' WHERE invited IS NOT NULL;
ALTER TABLE tables DROP COLUMN invited;
ALTER TABLE tables RENAME COLUMN guests TO invited;
ALTER TABLE tables ADD COLUMN kicked TEXT NOT NULL DEFAULT '';

-- Who has asked to become the host, and when they do unless the host is there.
ALTER TABLE tables ADD COLUMN heir INTEGER;
ALTER TABLE tables ADD COLUMN heir_due INTEGER;

CREATE TRIGGER tables_changed
AFTER UPDATE OF status, opener, options, version, due, invited, kicked, heir, heir_due, slept_at ON tables
WHEN new.status IS NOT old.status OR new.opener IS NOT old.opener OR new.options IS NOT old.options
    OR new.version IS NOT old.version OR new.due IS NOT old.due OR new.invited IS NOT old.invited
    OR new.kicked IS NOT old.kicked OR new.heir IS NOT old.heir OR new.heir_due IS NOT old.heir_due
    OR new.slept_at IS NOT old.slept_at
BEGIN
    UPDATE tables SET revision = revision + 1 WHERE id = new.id;
END;

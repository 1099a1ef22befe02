-- Lobbies, as SQLite's migration 0020 has them.
DROP TRIGGER tables_changed ON tables;
ALTER TABLE tables ALTER COLUMN invited TYPE text USING coalesce(' ' || invited || ' ', '');
ALTER TABLE tables ALTER COLUMN invited SET DEFAULT '';
ALTER TABLE tables ALTER COLUMN invited SET NOT NULL;
ALTER TABLE tables ADD COLUMN kicked text NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN heir bigint;
ALTER TABLE tables ADD COLUMN heir_due bigint;

CREATE TRIGGER tables_changed
BEFORE UPDATE OF status, opener, options, version, due, invited, kicked, heir, heir_due, slept_at ON tables
FOR EACH ROW WHEN (
    (NEW.status, NEW.opener, NEW.options, NEW.version, NEW.due, NEW.invited, NEW.kicked, NEW.heir, NEW.heir_due,
     NEW.slept_at)
    IS DISTINCT FROM
    (OLD.status, OLD.opener, OLD.options, OLD.version, OLD.due, OLD.invited, OLD.kicked, OLD.heir, OLD.heir_due,
     OLD.slept_at)
) EXECUTE FUNCTION table_changes();

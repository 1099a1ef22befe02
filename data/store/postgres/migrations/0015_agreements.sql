-- What the players of a running game agree on, as SQLite's migration 0021 has it.
ALTER TABLE tables ADD COLUMN agreements text;

CREATE TRIGGER tables_agreed BEFORE UPDATE OF agreements ON tables
FOR EACH ROW WHEN (NEW.agreements IS DISTINCT FROM OLD.agreements) EXECUTE FUNCTION table_changes();

-- What the players of a running game agree on or are asked, as JSON: `Agreements` in `cogs/core/tables/agreements.py`. It
-- names seats, never people. NULL if nobody was ever asked anything.
ALTER TABLE tables ADD COLUMN agreements TEXT;

-- The table shows it.
CREATE TRIGGER tables_agreed AFTER UPDATE OF agreements ON tables WHEN new.agreements IS NOT old.agreements
BEGIN
    UPDATE tables SET revision = revision + 1 WHERE id = new.id;
END;

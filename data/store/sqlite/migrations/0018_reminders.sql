-- Which lines have reminded the players of a turn, as JSON: `Reminder` in `data/store/rows.py`. It is stored before a line
-- is sent, so that nobody is mentioned twice. NULL if no line was sent yet.
ALTER TABLE tables ADD COLUMN reminded TEXT;

-- Whether a message that is to be deleted showed the table: if it cannot be deleted, it says where the table goes on.
ALTER TABLE mentions ADD COLUMN showed_table INTEGER NOT NULL DEFAULT 0 CHECK (showed_table IN (0, 1));

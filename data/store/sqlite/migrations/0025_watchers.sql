-- Who watches a game without a seat, and whether they were told how it ended.
CREATE TABLE watchers (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    user     INTEGER NOT NULL,
    told     INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1)),
    PRIMARY KEY (table_id, user)
) WITHOUT ROWID;

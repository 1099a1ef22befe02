-- What happened in a game that is over, as one value, as SQLite's migration 0011 has it.
CREATE TABLE packed_events (
    table_id bigint PRIMARY KEY REFERENCES tables (id),
    body     bytea NOT NULL
);

-- It is compressed already: nothing is to be tried again.
ALTER TABLE packed_events ALTER COLUMN body SET STORAGE EXTERNAL;

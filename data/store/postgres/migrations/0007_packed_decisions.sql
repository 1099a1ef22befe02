-- What led to the events of a game that is over, as one value, as SQLite's migration 0015 has it.
CREATE TABLE packed_decisions (
    table_id bigint PRIMARY KEY REFERENCES tables (id),
    body     bytea NOT NULL
);

-- It is compressed already: nothing is to be tried again.
ALTER TABLE packed_decisions ALTER COLUMN body SET STORAGE EXTERNAL;

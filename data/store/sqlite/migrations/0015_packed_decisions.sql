-- What led to the events of a game that is over, as one value: `data/store/packing.py` says how. Games that ended before
-- there was this keep their rows in decisions.
CREATE TABLE packed_decisions (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id),
    body     BLOB NOT NULL
);

-- Reviews of finished games, so that none is worked out twice. One of another version is worked out again.
CREATE TABLE reviews (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id),
    version  INTEGER NOT NULL,
    body     BLOB    NOT NULL
);

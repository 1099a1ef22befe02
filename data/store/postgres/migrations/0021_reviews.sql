-- Reviews of finished games, as SQLite's migration 0028 has them.
CREATE TABLE reviews (
    table_id bigint  PRIMARY KEY REFERENCES tables (id),
    version  integer NOT NULL,
    body     bytea   NOT NULL
);

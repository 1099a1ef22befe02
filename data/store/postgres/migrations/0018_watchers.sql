-- Who watches a game without a seat, as SQLite's migration 0025 has it.
CREATE TABLE watchers (
    table_id bigint  NOT NULL REFERENCES tables (id),
    "user"   bigint  NOT NULL,
    told     boolean NOT NULL DEFAULT false,
    PRIMARY KEY (table_id, "user")
);

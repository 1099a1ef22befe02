-- In which language a user reads, as SQLite's migration 0026 has it.
CREATE TABLE languages (
    "user" bigint PRIMARY KEY,
    chosen text,
    seen   text
);

-- Copies of this database that were made and found whole.
CREATE TABLE backups (
    id    INTEGER PRIMARY KEY AUTOINCREMENT,
    at    INTEGER NOT NULL,
    bytes INTEGER NOT NULL
);

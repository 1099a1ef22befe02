-- In which language a user reads: the one they have chosen, and the one that Discord named last.
CREATE TABLE languages (
    user   INTEGER PRIMARY KEY,
    chosen TEXT,
    seen   TEXT
);

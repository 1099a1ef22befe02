-- How somebody wants to hear that it is their move, where it is not the usual way: "message", "nothing".
CREATE TABLE notified_users (
    user INTEGER PRIMARY KEY,
    how  TEXT NOT NULL
);

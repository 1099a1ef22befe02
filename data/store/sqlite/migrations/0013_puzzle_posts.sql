-- The last day's puzzles that were posted on a server, so that a day is posted once, whatever stops in between.
CREATE TABLE puzzle_posts (
    guild   INTEGER PRIMARY KEY,
    number  INTEGER NOT NULL,       -- of the puzzles, one a day, from 1
    at      INTEGER NOT NULL,       -- when posting them was last begun
    message INTEGER,                -- the message; NULL until it is known to stand
    trouble TEXT                    -- why it could not be posted; NULL where it could, or is being tried
);

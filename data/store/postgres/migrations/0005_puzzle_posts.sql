-- The last day's puzzles that were posted on a server, as SQLite's migration 0013 has it.
CREATE TABLE puzzle_posts (
    guild    bigint PRIMARY KEY,
    "number" bigint NOT NULL,
    at       bigint NOT NULL,
    message  bigint,
    trouble  text
);

-- Lessons and achievements, as SQLite's migration 0027 has them.
CREATE TABLE lessons (
    "user" bigint NOT NULL,
    game   text   COLLATE "C" NOT NULL,
    at     bigint NOT NULL,
    PRIMARY KEY ("user", game)
);

CREATE TABLE achievements (
    "user"   bigint NOT NULL,
    guild    bigint NOT NULL,
    game     text   COLLATE "C" NOT NULL,
    name     text   COLLATE "C" NOT NULL,
    table_id bigint NOT NULL REFERENCES tables (id),
    at       bigint NOT NULL,
    PRIMARY KEY ("user", guild, game, name)
);

CREATE INDEX achievements_of_table ON achievements (table_id);

CREATE TABLE achievements_off (
    "user" bigint PRIMARY KEY
);

ALTER TABLE endings ADD COLUMN judged boolean NOT NULL DEFAULT false;

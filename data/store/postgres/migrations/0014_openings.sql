-- Which puzzle of the day somebody has opened last, as SQLite's migration 0021 has it.
CREATE TABLE openings (
    "user"   bigint NOT NULL,
    game     text   COLLATE "C" NOT NULL,
    "number" bigint NOT NULL,
    PRIMARY KEY ("user", game)
);

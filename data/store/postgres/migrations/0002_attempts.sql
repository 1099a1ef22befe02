-- What somebody has done about a puzzle of the day, as SQLite's migration 0010 has it.
CREATE TABLE attempts (
    "user"   bigint  NOT NULL,
    game     text    COLLATE "C" NOT NULL,
    "number" bigint  NOT NULL,
    played   text    NOT NULL,
    solved   boolean,
    guild    bigint,
    timely   boolean NOT NULL,
    at       bigint  NOT NULL,
    PRIMARY KEY ("user", game, "number")
);

CREATE INDEX attempts_on_server ON attempts (guild, "number") WHERE guild IS NOT NULL;

-- Both SQLite and PostgreSQL read this file: TEXT and BIGINT only, times in milliseconds since 1970,
-- yes and no as 1 and 0, bytes as hexadecimal digits. What stands in a comment that begins with /*SQLite is read by
-- SQLite alone.

CREATE TABLE tables (
    id         TEXT   NOT NULL PRIMARY KEY,
    code       TEXT   NOT NULL,
    game       TEXT   NOT NULL,
    rules      BIGINT NOT NULL,
    listed     BIGINT NOT NULL,
    phase      TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL,
    due_at     BIGINT,
    summary    TEXT   NOT NULL,
    secret     TEXT   NOT NULL
);
-- A code may be used again once its table is over. Unfinished tables are also found by this index.
CREATE UNIQUE INDEX tables_code ON tables (code) WHERE phase <> 'over';
CREATE INDEX tables_due ON tables (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX tables_listed ON tables (created_at) WHERE listed = 1 AND phase <> 'over';

-- In SQLite a log is one stretch of a tree, without an index beside it. Whether its table exists is asked at the end,
-- or SQLite would keep a copy of every page in case that the statement must be undone.
CREATE TABLE entries (
    table_id TEXT   NOT NULL REFERENCES tables (id) ON DELETE CASCADE /*SQLite DEFERRABLE INITIALLY DEFERRED */,
    height   BIGINT NOT NULL,
    at       BIGINT NOT NULL,
    body     TEXT   NOT NULL,
    PRIMARY KEY (table_id, height)
) /*SQLite WITHOUT ROWID */;

CREATE TABLE seats (
    table_id  TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    player_id TEXT NOT NULL,
    PRIMARY KEY (table_id, player_id)
) /*SQLite WITHOUT ROWID */;
CREATE INDEX seats_player ON seats (player_id);

CREATE TABLE players (
    id          TEXT   NOT NULL PRIMARY KEY,
    name        TEXT   NOT NULL,
    avatar      TEXT   NOT NULL,
    preferences TEXT   NOT NULL,
    created_at  BIGINT NOT NULL,
    seen_at     BIGINT NOT NULL
);

CREATE TABLE results (
    table_id  TEXT   NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat      BIGINT NOT NULL,
    player_id TEXT,
    name      TEXT   NOT NULL,
    game      TEXT   NOT NULL,
    players   BIGINT NOT NULL,
    place     BIGINT NOT NULL,
    total     BIGINT NOT NULL,
    won       BIGINT NOT NULL,
    shared    BIGINT NOT NULL,
    deals     BIGINT NOT NULL,
    over_at   BIGINT NOT NULL,
    PRIMARY KEY (table_id, seat)
);
CREATE INDEX results_player ON results (player_id, over_at, table_id);

CREATE TABLE records (
    table_id TEXT   NOT NULL PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    record   TEXT   NOT NULL,
    at       BIGINT NOT NULL
);

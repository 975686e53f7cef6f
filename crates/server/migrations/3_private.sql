-- Private tables: the server keeps their entries in order and cannot read them.

CREATE TABLE private_tables (
    id         TEXT   NOT NULL PRIMARY KEY,
    access     TEXT   NOT NULL,
    secret     TEXT   NOT NULL,
    -- The key of the hub that began the log, if it was another one.
    first_hub  TEXT,
    code       TEXT,
    game       TEXT   NOT NULL,
    seats      BIGINT NOT NULL,
    name       TEXT   NOT NULL,
    listed     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    -- Whether it comes from a backup, so that members may have more of its log.
    restored   BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX private_tables_code ON private_tables (code);
CREATE INDEX private_tables_used ON private_tables (used_at);

-- An entry that has a height keeps it: this is what puts a log in order.
CREATE TABLE private_entries (
    table_id TEXT   NOT NULL REFERENCES private_tables (id) ON DELETE CASCADE /*SQLite DEFERRABLE INITIALLY DEFERRED */,
    height   BIGINT NOT NULL,
    body     BYTEA  NOT NULL,
    PRIMARY KEY (table_id, height)
);

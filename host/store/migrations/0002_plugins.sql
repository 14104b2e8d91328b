-- One dialect for SQLite and PostgreSQL still; BYTEA is PostgreSQL's name, SQLite takes any and keeps bytes as bytes.

-- What a change did. Rows of before, and of an older version that still writes, do not know: they may have added.
ALTER TABLE changes ADD COLUMN action TEXT NOT NULL DEFAULT 'replaced';

-- What a plugin keeps for a site. Keys are UTF-8 in bytes: both databases then sort them alike, whatever the
-- database's collation is, and a key may hold a zero.
CREATE TABLE plugin_values (
    site_id BIGINT NOT NULL,
    plugin TEXT NOT NULL,
    entry BYTEA NOT NULL,
    value BYTEA NOT NULL,
    PRIMARY KEY (site_id, plugin, entry)
);

-- What that adds up to; a writer locks the row, so that a quota cannot be exceeded by two at once.
CREATE TABLE plugin_usage (
    site_id BIGINT NOT NULL,
    plugin TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    PRIMARY KEY (site_id, plugin)
);

-- How far a reader of the change log has come.
CREATE TABLE readers (
    name TEXT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL
);

-- Events that plugins are still to be told of. Times are milliseconds since 1970.
CREATE TABLE deliveries (
    id BIGINT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    plugin TEXT NOT NULL,
    event TEXT NOT NULL,
    event_key TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts BIGINT NOT NULL,
    next_at BIGINT NOT NULL,
    created BIGINT NOT NULL,
    error TEXT NOT NULL,
    UNIQUE (site_id, plugin, event_key)
);
CREATE INDEX deliveries_due ON deliveries (state, next_at);
INSERT INTO sequences (name, value) VALUES ('deliveries', 0);
INSERT INTO sequences (name, value) VALUES ('claims', 0);

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

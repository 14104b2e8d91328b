-- Different readers who searched for a text on a day. Rows of before, and of an older version that still writes, have 0: it is not known
-- how many readers they are of.
ALTER TABLE searches ADD COLUMN readers BIGINT NOT NULL DEFAULT 0;

-- The readers that `readers` counts, each as a hash with the secret of the day. They are deleted soon after the day is over, and the secret
-- with them.
CREATE TABLE search_readers (
    site_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    words TEXT NOT NULL,
    reader TEXT NOT NULL,
    PRIMARY KEY (day, site_id, words, reader)
);
CREATE TABLE reader_secrets (
    day BIGINT NOT NULL PRIMARY KEY,
    secret BYTEA NOT NULL
);

-- Sessions of signed-in readers, by the digest of the token that the cookie holds. Times are milliseconds since 1970.
CREATE TABLE sessions (
    digest TEXT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    subject TEXT NOT NULL,
    name TEXT NOT NULL,
    created BIGINT NOT NULL,
    used BIGINT NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (site_id, subject);
CREATE INDEX sessions_by_creation ON sessions (created);
CREATE INDEX sessions_by_use ON sessions (used);

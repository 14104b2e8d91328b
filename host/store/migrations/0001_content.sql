-- One dialect for SQLite and PostgreSQL: BIGINT and TEXT only, JSON as TEXT, files on disk.

-- Counters that transactions take numbers from. The update locks the row, so that numbers are committed in order:
-- a reader of the change log never sees 8 before 7.
CREATE TABLE sequences (
    name TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL
);
INSERT INTO sequences (name, value) VALUES ('articles', 0);
INSERT INTO sequences (name, value) VALUES ('changes', 0);

CREATE TABLE journals (
    site_id BIGINT NOT NULL,
    journal TEXT NOT NULL,
    position BIGINT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (site_id, journal)
);

CREATE TABLE issues (
    site_id BIGINT NOT NULL,
    journal TEXT NOT NULL,
    year BIGINT NOT NULL,
    issue TEXT NOT NULL,
    sort_key TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (site_id, journal, year, issue)
);

CREATE TABLE articles (
    id BIGINT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    source_key TEXT NOT NULL,
    doi_key TEXT,
    digest TEXT NOT NULL,
    journal TEXT NOT NULL,
    year BIGINT NOT NULL,
    issue TEXT NOT NULL,
    page_key TEXT NOT NULL,
    published TEXT NOT NULL,
    first_status BIGINT NOT NULL,
    card TEXT NOT NULL,
    meta TEXT NOT NULL,
    body TEXT NOT NULL,
    rendered TEXT NOT NULL,
    UNIQUE (site_id, source_key)
);
CREATE UNIQUE INDEX articles_by_doi ON articles (site_id, doi_key);
CREATE INDEX articles_by_issue ON articles (site_id, journal, year, issue, page_key, id);
CREATE INDEX articles_by_date ON articles (site_id, published, id);

CREATE TABLE media (
    site_id BIGINT NOT NULL,
    digest TEXT NOT NULL,
    name TEXT NOT NULL,
    mime TEXT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (site_id, digest)
);

CREATE TABLE settings (
    site_id BIGINT NOT NULL,
    setting TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (site_id, setting)
);

-- The one change log: written in the transaction of the change, read by the index, the page cache and other replicas.
CREATE TABLE changes (
    seq BIGINT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    entity TEXT NOT NULL
);
CREATE INDEX changes_by_site ON changes (site_id, seq);

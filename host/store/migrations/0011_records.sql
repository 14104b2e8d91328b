-- What people changed by hand: who, which record, what it was and what it is. `moment` is milliseconds since 1970, the values are JSON.
CREATE TABLE audit (
    id BIGINT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    moment BIGINT NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    old_value TEXT NOT NULL,
    new_value TEXT NOT NULL
);
CREATE INDEX audit_by_site ON audit (site_id, id);
CREATE INDEX audit_by_subject ON audit (site_id, subject, id);
INSERT INTO sequences (name, value) VALUES ('audit', 0);

-- The fields of records that were edited by hand, with their values as JSON: an import keeps them.
CREATE TABLE edits (
    site_id BIGINT NOT NULL,
    subject TEXT NOT NULL,
    field TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (site_id, subject, field)
);

-- Articles that were withdrawn. The whole article is moved here, so that no list, index or call can show it by mistake; its page shows
-- what `withdrawal` says (JSON: date and reason). Harvesters read of it in `removed_articles`. `exhibits` are its figures and tables.
CREATE TABLE withdrawn_articles (
    site_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    source_key TEXT NOT NULL,
    doi_key TEXT,
    journal TEXT NOT NULL,
    withdrawal TEXT NOT NULL,
    digest TEXT NOT NULL,
    card TEXT NOT NULL,
    meta TEXT NOT NULL,
    body TEXT NOT NULL,
    rendered TEXT NOT NULL,
    files TEXT NOT NULL,
    exhibits TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (site_id, id),
    UNIQUE (site_id, source_key)
);
CREATE INDEX withdrawn_articles_by_doi ON withdrawn_articles (site_id, doi_key);

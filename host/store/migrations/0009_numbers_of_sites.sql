-- The numbers of articles and resources are unique on their site, and no longer in the installation: a site that is loaded from another
-- installation keeps its numbers, and with them its addresses, whatever numbers other sites have. New numbers are still taken from one
-- sequence. SQLite changes no primary key, so that the tables are written anew, with the columns that they have after 0008.
CREATE TABLE articles_of_sites (
    id BIGINT NOT NULL,
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
    files TEXT NOT NULL DEFAULT '[]',
    changed BIGINT NOT NULL DEFAULT 0,
    origin TEXT NOT NULL DEFAULT '',
    change_seq BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (site_id, id),
    UNIQUE (site_id, source_key)
);
INSERT INTO articles_of_sites (id, site_id, source_key, doi_key, digest, journal, year, issue, page_key, published, first_status, card, meta,
    body, rendered, files, changed, origin, change_seq)
SELECT id, site_id, source_key, doi_key, digest, journal, year, issue, page_key, published, first_status, card, meta, body, rendered, files,
    changed, origin, change_seq FROM articles;
DROP TABLE articles;
ALTER TABLE articles_of_sites RENAME TO articles;
CREATE UNIQUE INDEX articles_by_doi ON articles (site_id, doi_key);
CREATE INDEX articles_by_issue ON articles (site_id, journal, year, issue, page_key, id);
CREATE INDEX articles_by_date ON articles (site_id, published, id);
CREATE INDEX articles_by_change ON articles (site_id, changed, change_seq, id);
CREATE INDEX articles_by_origin ON articles (site_id, origin);
CREATE INDEX articles_by_journal ON articles (site_id, journal, published, id);
CREATE INDEX articles_by_status ON articles (site_id, first_status, published, id);

CREATE TABLE resources_of_sites (
    id BIGINT NOT NULL,
    site_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    entry TEXT NOT NULL,
    section TEXT NOT NULL,
    article_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    dated TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (site_id, id),
    UNIQUE (site_id, kind, entry)
);
INSERT INTO resources_of_sites (id, site_id, kind, entry, section, article_id, position, dated, data)
SELECT id, site_id, kind, entry, section, article_id, position, dated, data FROM resources;
DROP TABLE resources;
ALTER TABLE resources_of_sites RENAME TO resources;
CREATE INDEX resources_in_order ON resources (site_id, kind, position, dated DESC, id DESC);
CREATE INDEX resources_by_section ON resources (site_id, kind, section, position, dated DESC, id DESC);
CREATE INDEX resources_by_article ON resources (site_id, article_id, kind, id);

-- Configuration files of a site that was loaded, until they are written to the folder of the sites: the site is loaded in one transaction, and
-- files are not part of it. Whoever finds a row after a crash writes the file.
CREATE TABLE loaded_configuration (
    site_id BIGINT NOT NULL,
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    content BYTEA NOT NULL,
    PRIMARY KEY (site_id, folder, path)
);

-- What a site publishes besides articles: one row a thing, the value as JSON, and the columns that lists are made by.
CREATE TABLE resources (
    id BIGINT NOT NULL PRIMARY KEY,
    site_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    entry TEXT NOT NULL,
    section TEXT NOT NULL,
    article_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    dated TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (site_id, kind, entry)
);
CREATE INDEX resources_in_order ON resources (site_id, kind, position, dated DESC, id DESC);
CREATE INDEX resources_by_section ON resources (site_id, kind, section, position, dated DESC, id DESC);
CREATE INDEX resources_by_article ON resources (site_id, article_id, kind, id);
INSERT INTO sequences (name, value) VALUES ('resources', 0);
-- The moment of the latest change of an article: it never goes back, whatever the clock does.
INSERT INTO sequences (name, value) VALUES ('moments', 0);

-- Shelves that articles stand on: authors, institutions, funders, key words, subjects. Written with the article.
CREATE TABLE article_shelves (
    site_id BIGINT NOT NULL,
    shelf TEXT NOT NULL,
    label TEXT NOT NULL,
    published TEXT NOT NULL,
    article_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, shelf, label, published, article_id)
);
CREATE INDEX article_shelves_by_article ON article_shelves (site_id, article_id);

-- The files that came with an article: JSON, a list of names and addresses.
ALTER TABLE articles ADD COLUMN files TEXT NOT NULL DEFAULT '[]';

-- When an article was last written (milliseconds since 1970), and the digest of the bytes that it was imported from.
ALTER TABLE articles ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE articles ADD COLUMN origin TEXT NOT NULL DEFAULT '';
CREATE INDEX articles_by_change ON articles (site_id, changed, id);
CREATE INDEX articles_by_origin ON articles (site_id, origin);
CREATE INDEX articles_by_journal ON articles (site_id, journal, published, id);
CREATE INDEX articles_by_status ON articles (site_id, first_status, published, id);
CREATE INDEX articles_by_number ON articles (site_id, id);

-- Articles that are no more: harvesters are told, and one that comes back gets its number back.
CREATE TABLE removed_articles (
    site_id BIGINT NOT NULL,
    id BIGINT NOT NULL,
    source_key TEXT NOT NULL,
    journal TEXT NOT NULL,
    changed BIGINT NOT NULL,
    PRIMARY KEY (site_id, id),
    UNIQUE (site_id, source_key)
);
CREATE INDEX removed_articles_by_change ON removed_articles (site_id, changed, id);

-- Views and downloads a day (days since 1970); day -1 is the sum over all days.
CREATE TABLE counts (
    site_id BIGINT NOT NULL,
    kind TEXT NOT NULL,
    day BIGINT NOT NULL,
    entity BIGINT NOT NULL,
    visits BIGINT NOT NULL,
    downloads BIGINT NOT NULL,
    PRIMARY KEY (site_id, kind, day, entity)
);
CREATE INDEX counts_by_entity ON counts (site_id, kind, entity);
CREATE INDEX counts_by_visits ON counts (site_id, kind, day, visits);
CREATE INDEX counts_by_downloads ON counts (site_id, kind, day, downloads);

-- What readers searched for, a day.
CREATE TABLE searches (
    site_id BIGINT NOT NULL,
    day BIGINT NOT NULL,
    words TEXT NOT NULL,
    times BIGINT NOT NULL,
    PRIMARY KEY (site_id, day, words)
);

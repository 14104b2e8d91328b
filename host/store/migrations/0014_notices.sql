-- Notices (retractions, corrections, comments): what the source of an article says of another article, in the order of the source. `side` is
-- the side on which the article itself stands: 'notice' or 'affected'. `target` is the identifier of the other article, or '' if the source
-- has none, and `target_id` its number on the site, 0 while the site has no such article.
CREATE TABLE article_notices (
    site_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    position BIGINT NOT NULL,
    kind TEXT NOT NULL,
    side TEXT NOT NULL,
    target TEXT NOT NULL,
    target_id BIGINT NOT NULL,
    address TEXT NOT NULL,
    label TEXT NOT NULL,
    PRIMARY KEY (site_id, article_id, position)
);
CREATE INDEX article_notices_by_target ON article_notices (site_id, target);
CREATE INDEX article_notices_by_target_id ON article_notices (site_id, target_id);

-- Identifiers of articles other than the DOI, by which notices may name them (`pmid:1`, `pmcid:1`).
CREATE TABLE article_identifiers (
    site_id BIGINT NOT NULL,
    identifier TEXT NOT NULL,
    article_id BIGINT NOT NULL,
    PRIMARY KEY (site_id, identifier, article_id)
);
CREATE INDEX article_identifiers_by_article ON article_identifiers (site_id, article_id);

-- 1 as soon as the notices in the rows of before are recorded.
INSERT INTO sequences (name, value) VALUES ('notices', 0);

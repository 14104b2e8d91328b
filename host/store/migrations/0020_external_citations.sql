-- How often articles are cited according to a service that counts the citations of all publishers (Crossref), as it was imported last.
CREATE TABLE external_citations (
    site_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    citations BIGINT NOT NULL,
    PRIMARY KEY (site_id, article_id)
);

-- Which works the articles cite, by DOI in lower case, so that the citations of an article are counted from the references of the other
-- articles of the installation. `source` is the key of the citing article, which is the same on every site that has it. A row stays when the
-- article is removed, or cites the work no more, with 1 in `gone`: whoever counts again finds out by it which counts have changed.
CREATE TABLE citations (
    site_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    cited TEXT NOT NULL,
    source TEXT NOT NULL,
    gone BIGINT NOT NULL,
    PRIMARY KEY (site_id, article_id, cited)
);
CREATE INDEX citations_by_cited ON citations (cited);
-- Cited articles are looked up on all sites.
CREATE INDEX articles_by_doi_key ON articles (doi_key);

-- 1 as soon as the citations in the rows of before are recorded.
INSERT INTO sequences (name, value) VALUES ('citations', 0);

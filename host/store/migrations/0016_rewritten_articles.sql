-- Articles with rows that were written without a new moment and number of change: what readers and harvesters see of them is the same, or
-- they came with a site that was loaded, with the moments of another installation. `rewrite` is another number each time. With it, the next
-- backup knows that the rows differ from those in the backup before.
CREATE TABLE rewritten_articles (
    site_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    rewrite BIGINT NOT NULL,
    PRIMARY KEY (site_id, article_id)
);
INSERT INTO sequences (name, value) VALUES ('rewrites', 0);

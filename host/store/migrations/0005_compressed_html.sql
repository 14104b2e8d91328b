-- The compressed HTML of an article's long sections, for the article page. It has a table of its own, so that whatever else reads articles does not
-- read it too. It belongs to the article with this digest: a host of an older version that rewrites the article leaves this row behind. An article
-- without a row that fits is compressed when its page is made.
CREATE TABLE compressed_html (
    site_id BIGINT NOT NULL,
    article_id BIGINT NOT NULL,
    digest TEXT NOT NULL,
    blocks BYTEA NOT NULL,
    PRIMARY KEY (site_id, article_id)
);

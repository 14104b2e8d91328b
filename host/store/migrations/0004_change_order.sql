-- The number of the latest change of an article. Several articles of one millisecond are listed in the order of their changes, so that a
-- harvester that goes on behind the last one that it has read misses none. Rows of before, and of an older version that still writes, have 0:
-- they are ordered by their numbers within their millisecond.
ALTER TABLE articles ADD COLUMN change_seq BIGINT NOT NULL DEFAULT 0;
ALTER TABLE removed_articles ADD COLUMN change_seq BIGINT NOT NULL DEFAULT 0;
DROP INDEX articles_by_change;
DROP INDEX removed_articles_by_change;
CREATE INDEX articles_by_change ON articles (site_id, changed, change_seq, id);
CREATE INDEX removed_articles_by_change ON removed_articles (site_id, changed, change_seq, id);

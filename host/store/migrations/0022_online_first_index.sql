-- The articles that are published online and not yet in an issue, newest first. Lists of them are counted as often as they are shown. The index has
-- the columns of its condition too, so that the articles themselves are not read for the count. A statement uses the index if it has both
-- conditions as they stand here.
CREATE INDEX articles_online_first ON articles (site_id, published, id, issue, first_status) WHERE issue = '' AND first_status <> -1;

-- 1 if an editor wants a journal or an issue shown although it has no articles. The value is part of `data` too.
ALTER TABLE journals ADD COLUMN shown BIGINT NOT NULL DEFAULT 0;
ALTER TABLE issues ADD COLUMN shown BIGINT NOT NULL DEFAULT 0;

-- The sections of a site: `entry` is the name without case and spacing, `label` the spelling that is shown, the first one that was imported.
CREATE TABLE sections (
    site_id BIGINT NOT NULL,
    entry TEXT NOT NULL,
    label TEXT NOT NULL,
    PRIMARY KEY (site_id, entry)
);

-- A digest of volume, issue, first page and title as the source has them, or "" where one of them is not known. An article without identifiers is recognised by it.
-- Rows of before, and of an older version that still writes, have "".
ALTER TABLE articles ADD COLUMN work_key TEXT NOT NULL DEFAULT '';
CREATE INDEX articles_by_work ON articles (site_id, work_key);
ALTER TABLE withdrawn_articles ADD COLUMN work_key TEXT NOT NULL DEFAULT '';
CREATE INDEX withdrawn_articles_by_work ON withdrawn_articles (site_id, work_key);

-- 1 as soon as the sections and the work keys of the rows of before are recorded.
INSERT INTO sequences (name, value) VALUES ('sections', 0);

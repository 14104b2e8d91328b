-- What uses which file of a site: an article with its figures and tables, another resource, a journal, an issue. Without a row in use, a
-- file is not served. `ended` is the moment (milliseconds since 1970) when the last version that names the file was replaced or removed;
-- 0 means that the file is in use.
CREATE TABLE media_uses (
    site_id BIGINT NOT NULL,
    digest TEXT NOT NULL,
    used_by TEXT NOT NULL,
    ended BIGINT NOT NULL,
    PRIMARY KEY (site_id, digest, used_by)
);
CREATE INDEX media_uses_by_user ON media_uses (site_id, used_by);

-- When a file was last stored by an import. A file that was stored a moment ago is not removed, although no article uses it yet.
ALTER TABLE media ADD COLUMN saved BIGINT NOT NULL DEFAULT 0;
CREATE INDEX media_by_digest ON media (digest);

-- Locked by whatever stores or removes files.
INSERT INTO sequences (name, value) VALUES ('media', 0);
-- 1 as soon as the uses of the rows of before are recorded.
INSERT INTO sequences (name, value) VALUES ('media_uses', 0);

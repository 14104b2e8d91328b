-- Addresses that a site answered before and does not answer any more, with what is there now. `path` is below the root of the site, without
-- percent-encoding and query. `target` is the number of an article, the key of a journal or a path, by `kind`; of an issue it is the key
-- of its journal, and the other two columns name the issue.
CREATE TABLE redirects (
    site_id BIGINT NOT NULL,
    path TEXT NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    year BIGINT NOT NULL,
    issue TEXT NOT NULL,
    PRIMARY KEY (site_id, path)
);

-- Counts the writes by which the host checks that the database can be written.
INSERT INTO sequences (name, value) VALUES ('write_checks', 0);

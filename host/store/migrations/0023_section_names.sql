-- The names of a site's sections in several languages, as far as articles have told them. `entry` is the key of the English name, else of the first
-- one; `data` has the names by language.
CREATE TABLE section_names (
    site_id BIGINT NOT NULL,
    entry TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (site_id, entry)
);

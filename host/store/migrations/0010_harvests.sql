-- Harvests of OAI-PMH repositories: how far the harvest of each repository and set has come, as JSON.
CREATE TABLE harvests (
    site_id BIGINT NOT NULL,
    repository TEXT NOT NULL,
    record_set TEXT NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (site_id, repository, record_set)
);

-- The articles that came from a repository, by the identifiers of its records: a deleted record has nothing but its identifier.
CREATE TABLE harvested_records (
    site_id BIGINT NOT NULL,
    repository TEXT NOT NULL,
    identifier TEXT NOT NULL,
    source_key TEXT NOT NULL,
    PRIMARY KEY (site_id, repository, identifier)
);
CREATE INDEX harvested_records_by_key ON harvested_records (site_id, source_key);

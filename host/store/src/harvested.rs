//! Harvests of other repositories over OAI-PMH: how far each has come, and which articles came from which record.
//!
//! They are the harvester's own state, not content of the site, so that nothing is written to the change log.

use crate::{SiteStore, StoreError};

const READING: &str = "reading the state of a harvest";
const WRITING: &str = "saving the state of a harvest";

/// What one page of a harvest changed, to be saved together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HarvestedPage {
    /// The state of the harvest after the page, as JSON.
    pub state: String,
    /// Records whose article the site has: identifier and source key.
    pub kept: Vec<(String, String)>,
    /// Identifiers of records that are deleted.
    pub deleted: Vec<String>,
}

impl SiteStore {
    /// The saved state of the harvest of a repository and set ("" for all sets).
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn harvest_state(&self, repository: &str, set: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar("SELECT state FROM harvests WHERE site_id = $1 AND repository = $2 AND record_set = $3")
            .bind(self.site)
            .bind(repository)
            .bind(set)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    /// The source key of the article that came from a record.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn harvested_key(&self, repository: &str, identifier: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar(
            "SELECT source_key FROM harvested_records WHERE site_id = $1 AND repository = $2 AND identifier = $3",
        )
        .bind(self.site)
        .bind(repository)
        .bind(identifier)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }

    /// The records that the article with this source key came from: repository and identifier.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn harvested_from(&self, source_key: &str) -> Result<Vec<(String, String)>, StoreError> {
        sqlx::query_as("SELECT repository, identifier FROM harvested_records WHERE site_id = $1 AND source_key = $2")
            .bind(self.site)
            .bind(source_key)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    /// Saves what a page of a harvest changed, in one transaction.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is saved then.
    pub async fn save_harvested_page(
        &self,
        repository: &str,
        set: &str,
        page: &HarvestedPage,
    ) -> Result<(), StoreError> {
        self.write_harvested_page(repository, set, page).await.map_err(StoreError::query(WRITING))
    }

    async fn write_harvested_page(&self, repository: &str, set: &str, page: &HarvestedPage) -> Result<(), sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        sqlx::query(
            "INSERT INTO harvests (site_id, repository, record_set, state) VALUES ($1, $2, $3, $4) \
             ON CONFLICT (site_id, repository, record_set) DO UPDATE SET state = excluded.state",
        )
        .bind(self.site)
        .bind(repository)
        .bind(set)
        .bind(&page.state)
        .execute(&mut *tx)
        .await?;
        for (identifier, source_key) in &page.kept {
            sqlx::query(
                "INSERT INTO harvested_records (site_id, repository, identifier, source_key) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (site_id, repository, identifier) DO UPDATE SET source_key = excluded.source_key",
            )
            .bind(self.site)
            .bind(repository)
            .bind(identifier)
            .bind(source_key)
            .execute(&mut *tx)
            .await?;
        }
        for identifier in &page.deleted {
            sqlx::query("DELETE FROM harvested_records WHERE site_id = $1 AND repository = $2 AND identifier = $3")
                .bind(self.site)
                .bind(repository)
                .bind(identifier)
                .execute(&mut *tx)
                .await?;
        }
        tx.commit().await
    }
}

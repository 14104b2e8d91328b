//! Failed attempts to sign in, counted by account and client network, and by account alone. The caller decides about their consequences.

use sqlx::{Any, Transaction};

use crate::{SiteStore, StoreError};

const READING: &str = "reading attempts to sign in";
const WRITING: &str = "counting an attempt to sign in";
/// The network under which the sum over all networks is stored.
const ALL: &str = "";

/// Failures so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures {
    /// How many there are.
    pub count: i64,
    /// When the latest was; 0 if there is none.
    pub latest: i64,
}

/// Failures of one account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Attempts {
    /// From one network.
    pub here: Failures,
    /// From all networks.
    pub everywhere: Failures,
}

impl SiteStore {
    /// The failures of an account (the digest of the name that was typed) from one network and from all, that are not older than `since`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn attempts(&self, account: &str, network: &str, since: i64) -> Result<Attempts, StoreError> {
        let rows: Vec<(String, i64, i64)> = sqlx::query_as(
            "SELECT network, failures, latest FROM sign_in_attempts \
             WHERE site_id = $1 AND account = $2 AND network IN ($3, '') AND latest >= $4",
        )
        .bind(self.site)
        .bind(account)
        .bind(network)
        .bind(since)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let of = |network: &str| {
            let row = rows.iter().find(|(found, ..)| found == network);
            row.map_or_else(Failures::default, |(_, count, latest)| Failures { count: *count, latest: *latest })
        };
        Ok(Attempts { here: of(network), everywhere: of(ALL) })
    }

    /// Counts an attempt as a failure, before its password is checked, so that attempts at once are counted too; a success takes it back with
    /// [`Self::forget_attempts`]. Counts whose latest failure is older than `since` begin anew. Returns the counts with this attempt.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn count_attempt(
        &self,
        account: &str,
        network: &str,
        since: i64,
        now: i64,
    ) -> Result<Attempts, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        // The sum first, always: two attempts wait for each other instead of stopping each other.
        let everywhere = count(&mut tx, (self.site, account, ALL), since, now).await;
        let everywhere = everywhere.map_err(StoreError::query(WRITING))?;
        let here = count(&mut tx, (self.site, account, network), since, now).await;
        let here = here.map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(Attempts { here, everywhere })
    }

    /// Forgets the failures of an account from one network after a success there, and takes them off the sum: those from other networks stay.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn forget_attempts(&self, account: &str, network: &str) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "UPDATE sign_in_attempts SET failures = failures - COALESCE((SELECT own.failures FROM sign_in_attempts own \
             WHERE own.site_id = $1 AND own.account = $2 AND own.network = $3), 0) \
             WHERE site_id = $1 AND account = $2 AND network = ''",
        )
        .bind(self.site)
        .bind(account)
        .bind(network)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "DELETE FROM sign_in_attempts WHERE site_id = $1 AND account = $2 \
             AND (network = $3 OR (network = '' AND failures <= 0))",
        )
        .bind(self.site)
        .bind(account)
        .bind(network)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }
}

async fn count(
    tx: &mut Transaction<'_, Any>,
    (site, account, network): (i64, &str, &str),
    since: i64,
    now: i64,
) -> Result<Failures, sqlx::Error> {
    let (count, latest): (i64, i64) = sqlx::query_as(
        "INSERT INTO sign_in_attempts (site_id, account, network, failures, latest) VALUES ($1, $2, $3, 1, $5) \
         ON CONFLICT (site_id, account, network) DO UPDATE SET \
         failures = CASE WHEN sign_in_attempts.latest < $4 THEN 1 ELSE sign_in_attempts.failures + 1 END, latest = $5 \
         RETURNING failures, latest",
    )
    .bind(site)
    .bind(account)
    .bind(network)
    .bind(since)
    .bind(now)
    .fetch_one(&mut **tx)
    .await?;
    Ok(Failures { count, latest })
}

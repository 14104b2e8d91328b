//! Institutions whose readers have rights on a site, and their members.

use serde_json::{Value, json};

use super::{MemberStore, changed};
use crate::{AuditEntry, SiteStore, StoreError, audit};

const READING: &str = "reading institutions";
const WRITING: &str = "writing an institution";

/// An institution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Institution {
    /// Its key, unique on the site.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The address ranges of its readers (`192.0.2.0/24`, `2001:db8::/32`).
    pub networks: Vec<String>,
    /// When its rights end; 0 for never.
    pub until: i64,
}

/// An institution that a member belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Affiliation {
    /// The key of the institution.
    pub institution: String,
    /// Its name; "" if the site's configuration has it and not the database.
    pub name: String,
    /// Since when the member belongs to it.
    pub since: i64,
    /// When that ends; 0 for never.
    pub until: i64,
}

impl SiteStore {
    /// The institutions of the site, by key.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn institutions(&self) -> Result<Vec<Institution>, StoreError> {
        let rows: Vec<(String, String, String, i64)> = sqlx::query_as(
            "SELECT institution, name, networks, until FROM institutions WHERE site_id = $1 ORDER BY institution",
        )
        .bind(self.site)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let read = |(key, name, networks, until): (String, String, String, i64)| {
            let networks =
                serde_json::from_str(&networks).map_err(StoreError::damaged("the address ranges of an institution"))?;
            Ok(Institution { key, name, networks, until })
        };
        rows.into_iter().map(read).collect()
    }

    /// Stores an institution, with the line of the audit trail.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn set_institution(&self, new: &Institution, who: &str, now: i64) -> Result<(), StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        sqlx::query(
            "INSERT INTO institutions (site_id, institution, name, networks, until, changed) VALUES ($1, $2, $3, $4, $5, $6) \
             ON CONFLICT (site_id, institution) DO UPDATE SET name = excluded.name, networks = excluded.networks, \
             until = excluded.until, changed = excluded.changed",
        )
        .bind(self.site)
        .bind(&new.key)
        .bind(&new.name)
        .bind(crate::json(&new.networks)?)
        .bind(new.until)
        .bind(now)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        let after = json!({ "name": new.name, "networks": new.networks, "until": new.until });
        audit::append(&mut tx, self.site, now, &line(who, "changed", &new.key, after)).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// Removes an institution with its members, with the line of the audit trail. Returns whether the site had it.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn remove_institution(&self, key: &str, who: &str, now: i64) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let mut removed = false;
        for sql in [
            "DELETE FROM institutions WHERE site_id = $1 AND institution = $2",
            "DELETE FROM institution_members WHERE site_id = $1 AND institution = $2",
        ] {
            let done = sqlx::query(sql)
                .bind(self.site)
                .bind(key)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
            removed |= changed(&done);
        }
        if removed {
            audit::append(&mut tx, self.site, now, &line(who, "removed", key, Value::Null)).await?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(removed)
    }
}

impl MemberStore {
    /// The institutions that the member belongs to now, by key.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn affiliations(&self, now: i64) -> Result<Vec<Affiliation>, StoreError> {
        let rows: Vec<(String, String, i64, i64)> = sqlx::query_as(
            "SELECT m.institution, COALESCE(i.name, ''), m.since, m.until FROM institution_members m \
             LEFT JOIN institutions i ON i.site_id = m.site_id AND i.institution = m.institution \
             WHERE m.site_id = $1 AND m.member_id = $2 AND (m.until = 0 OR m.until > $3) \
             AND (COALESCE(i.until, 0) = 0 OR i.until > $3) ORDER BY m.institution",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(now)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let read = |(institution, name, since, until)| Affiliation { institution, name, since, until };
        Ok(rows.into_iter().map(read).collect())
    }

    /// Makes the member belong to an institution until a time (0 for ever), with the line of the audit trail.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn join_institution(&self, key: &str, until: i64, who: &str, now: i64) -> Result<(), StoreError> {
        let mut tx = self.begin(WRITING).await?;
        sqlx::query(
            "INSERT INTO institution_members (site_id, institution, member_id, since, until) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (site_id, institution, member_id) DO UPDATE SET until = excluded.until",
        )
        .bind(self.site)
        .bind(key)
        .bind(self.member)
        .bind(now)
        .bind(until)
        .execute(&mut *tx)
        .await
        .map_err(StoreError::query(WRITING))?;
        let entry = line(who, "joined", key, json!({ "member": self.member, "until": until }));
        audit::append(&mut tx, self.site, now, &entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))
    }

    /// Ends that the member belongs to an institution, with the line of the audit trail. Returns whether the member did.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn leave_institution(&self, key: &str, who: &str, now: i64) -> Result<bool, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        let done =
            sqlx::query("DELETE FROM institution_members WHERE site_id = $1 AND institution = $2 AND member_id = $3")
                .bind(self.site)
                .bind(key)
                .bind(self.member)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        if changed(&done) {
            let entry = line(who, "left", key, json!({ "member": self.member }));
            audit::append(&mut tx, self.site, now, &entry).await?;
        }
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(changed(&done))
    }
}

fn line(who: &str, action: &str, key: &str, after: Value) -> AuditEntry {
    let subject = format!("institution/{key}");
    AuditEntry { who: who.to_owned(), action: action.to_owned(), subject, before: Value::Null, after }
}

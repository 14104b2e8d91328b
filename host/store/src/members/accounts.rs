//! Accounts of members: their names, their profile, whether they may sign in.

use std::fmt;

use masthead_domain::{
    Lang,
    member::{Gender, MemberId, MemberName, MemberState, NameKind, Profile},
};
use serde_json::json;
use sqlx::{Any, Row as _, Transaction, any::AnyRow};

use super::{MemberStore, changed, identities, identities::Identity, outbox, outbox::NewMessage, sessions};
use crate::{AuditEntry, SiteStore, StoreError, audit, next};

const READING: &str = "reading a member";
const WRITING: &str = "writing a member";

/// A member to be created.
#[derive(Clone)]
pub struct NewMember<'a> {
    /// The random name of the member towards authenticators (passkeys), unique on the site.
    pub handle: &'a str,
    /// The names by which the member signs in, at most one of each kind.
    pub names: &'a [MemberName],
    /// The digest of the password as a PHC string, or "" for a member without a password.
    pub password: &'a str,
    /// An identity that is bound to the account from the beginning.
    pub identity: Option<&'a Identity>,
    /// The language of messages.
    pub lang: Lang,
    /// The profile.
    pub profile: &'a Profile,
}

impl fmt::Debug for NewMember<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewMember").field("handle", &self.handle).finish_non_exhaustive()
    }
}

/// The result of creating a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Created {
    /// The member exists now.
    Member(MemberId),
    /// Nothing: the site has another member with the name of this kind.
    NameTaken(NameKind),
    /// Nothing: the identity belongs to another member.
    IdentityTaken,
}

/// The result of changing a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameSet {
    /// It is changed.
    Set,
    /// Nothing: the name belongs to another member.
    Taken,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The number.
    pub id: MemberId,
    /// The name towards authenticators.
    pub handle: String,
    /// The account name, or "".
    pub account: String,
    /// The e-mail address, or "". It was verified.
    pub email: String,
    /// The mobile number, or "". It was verified.
    pub mobile: String,
    /// Whether the member has a password.
    pub has_password: bool,
    /// When it was changed.
    pub password_changed: i64,
    /// Whether the member may sign in.
    pub state: MemberState,
    /// The language of messages.
    pub lang: Lang,
    /// The profile.
    pub profile: Profile,
    /// When the member accepted the user agreement.
    pub agreed: i64,
    /// When the account was created.
    pub created: i64,
    /// When the member signed in for the last time.
    pub seen: i64,
}

impl SiteStore {
    /// Creates a member. The member has accepted the user agreement at that time.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn create_member(&self, new: &NewMember<'_>, now: i64) -> Result<Created, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let created = insert(&mut tx, self.site, new, now).await.map_err(StoreError::query(WRITING))?;
        match created {
            Created::Member(_) => tx.commit().await,
            Created::NameTaken(_) | Created::IdentityTaken => tx.rollback().await,
        }
        .map_err(StoreError::query(WRITING))?;
        Ok(created)
    }

    /// The number of the member with this name.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn member_by_name(&self, name: &MemberName) -> Result<Option<MemberId>, StoreError> {
        let found: Option<i64> =
            sqlx::query_scalar("SELECT member_id FROM member_names WHERE site_id = $1 AND name = $2")
                .bind(self.site)
                .bind(name.key())
                .fetch_optional(&self.pool)
                .await
                .map_err(StoreError::query(READING))?;
        Ok(found.map(MemberId))
    }

    /// The number of members of the site.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn member_count(&self) -> Result<i64, StoreError> {
        sqlx::query_scalar("SELECT COUNT(*) FROM members WHERE site_id = $1")
            .bind(self.site)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    /// Closes the account of a member, or opens it again, as an administrator does; closing ends all sessions. Returns whether the site has
    /// this member.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn set_member_state(
        &self,
        member: MemberId,
        state: MemberState,
        who: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.pool.begin().await.map_err(StoreError::query(WRITING))?;
        let done = sqlx::query("UPDATE members SET state = $3 WHERE site_id = $1 AND id = $2")
            .bind(self.site)
            .bind(member.0)
            .bind(state.as_str())
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if !changed(&done) {
            return Ok(false);
        }
        if state != MemberState::Active {
            sqlx::query("DELETE FROM sessions WHERE site_id = $1 AND member_id = $2")
                .bind(self.site)
                .bind(member.0)
                .execute(&mut *tx)
                .await
                .map_err(StoreError::query(WRITING))?;
        }
        let entry = AuditEntry {
            who: who.to_owned(),
            action: "changed".to_owned(),
            subject: format!("member/{member}"),
            before: serde_json::Value::Null,
            after: json!({ "state": state.as_str() }),
        };
        audit::append(&mut tx, self.site, now, &entry).await?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(true)
    }
}

impl MemberStore {
    /// The member; `None` after erasure, and for a number of another site.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn member(&self) -> Result<Option<Member>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM members WHERE site_id = $1 AND id = $2");
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(self.site)
            .bind(self.member)
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query(READING))?
            .as_ref()
            .map(member)
            .transpose()
            .map_err(StoreError::query(READING))
    }

    /// Changes the profile and the language of messages.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn set_profile(&self, profile: &Profile, lang: Lang) -> Result<(), StoreError> {
        let done = sqlx::query(
            "UPDATE members SET name = $3, region = $4, major = $5, institution = $6, research_field = $7, gender = $8, \
             photo = $9, lang = $10 WHERE site_id = $1 AND id = $2",
        )
        .bind(self.site)
        .bind(self.member)
        .bind(&profile.name)
        .bind(&profile.region)
        .bind(&profile.major)
        .bind(&profile.institution)
        .bind(&profile.research_field)
        .bind(profile.gender.map_or("", Gender::as_str))
        .bind(&profile.photo)
        .bind(lang.code())
        .execute(&self.pool)
        .await
        .map_err(StoreError::query(WRITING))?;
        if changed(&done) { Ok(()) } else { Err(StoreError::MemberGone(self.member)) }
    }

    /// Gives the member another name of the kind that `name` has, with the messages about it (also to the earlier address), and ends all
    /// sessions but the one with the number `kept`: an attacker who has one of the others does not keep it after the change.
    ///
    /// # Errors
    /// [`StoreError::Query`], [`StoreError::MemberGone`].
    pub async fn set_name(
        &self,
        name: &MemberName,
        kept: Option<i64>,
        messages: &[NewMessage],
        now: i64,
    ) -> Result<NameSet, StoreError> {
        let mut tx = self.begin(WRITING).await?;
        sqlx::query("DELETE FROM member_names WHERE site_id = $1 AND member_id = $2 AND kind = $3")
            .bind(self.site)
            .bind(self.member)
            .bind(name.kind().as_str())
            .execute(&mut *tx)
            .await
            .map_err(StoreError::query(WRITING))?;
        if !add_name(&mut tx, self.site, self.member, name).await.map_err(StoreError::query(WRITING))? {
            tx.rollback().await.map_err(StoreError::query(WRITING))?;
            return Ok(NameSet::Taken);
        }
        show_name(&mut tx, self.site, self.member, name.kind(), name.shown())
            .await
            .map_err(StoreError::query(WRITING))?;
        sessions::end_but(&mut *tx, self.site, self.member, kept).await.map_err(StoreError::query(WRITING))?;
        outbox::add(&mut tx, self.site, self.member, messages, now).await.map_err(StoreError::query(WRITING))?;
        tx.commit().await.map_err(StoreError::query(WRITING))?;
        Ok(NameSet::Set)
    }
}

const COLUMNS: &str = "id, handle, account, email, mobile, CAST(CASE password WHEN '' THEN 0 ELSE 1 END AS BIGINT), password_changed, state, lang, name, \
     region, major, institution, research_field, gender, photo, agreed, created, seen";

fn member(row: &AnyRow) -> Result<Member, sqlx::Error> {
    Ok(Member {
        id: MemberId(row.try_get(0)?),
        handle: row.try_get(1)?,
        account: row.try_get(2)?,
        email: row.try_get(3)?,
        mobile: row.try_get(4)?,
        has_password: row.try_get::<i64, _>(5)? == 1,
        password_changed: row.try_get(6)?,
        state: state(row.try_get(7)?),
        lang: lang(row.try_get(8)?),
        profile: Profile {
            name: row.try_get(9)?,
            region: row.try_get(10)?,
            major: row.try_get(11)?,
            institution: row.try_get(12)?,
            research_field: row.try_get(13)?,
            gender: Gender::parse(row.try_get(14)?),
            photo: row.try_get(15)?,
        },
        agreed: row.try_get(16)?,
        created: row.try_get(17)?,
        seen: row.try_get(18)?,
    })
}

/// A stored state; one that this version does not know does not let the member in.
pub(super) fn state(text: &str) -> MemberState {
    MemberState::parse(text).unwrap_or(MemberState::Closed)
}

/// A stored language; English for one that this version does not know.
pub(super) fn lang(text: &str) -> Lang {
    Lang::ALL.into_iter().find(|lang| lang.code() == text).unwrap_or(Lang::En)
}

async fn insert(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    new: &NewMember<'_>,
    now: i64,
) -> Result<Created, sqlx::Error> {
    let id = next(tx, "members").await?;
    for name in new.names {
        if !add_name(tx, site, id, name).await? {
            return Ok(Created::NameTaken(name.kind()));
        }
    }
    if let Some(identity) = new.identity
        && !identities::add(tx, site, id, identity, now).await?
    {
        return Ok(Created::IdentityTaken);
    }
    let shown = |kind| new.names.iter().find(|name| name.kind() == kind).map_or("", MemberName::shown);
    sqlx::query(
        "INSERT INTO members (site_id, id, handle, account, email, mobile, password, password_changed, state, lang, name, region, \
         major, institution, research_field, gender, photo, agreed, created, seen) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18, $18)",
    )
    .bind(site)
    .bind(id)
    .bind(new.handle)
    .bind(shown(NameKind::Account))
    .bind(shown(NameKind::Email))
    .bind(shown(NameKind::Mobile))
    .bind(new.password)
    .bind(if new.password.is_empty() { 0 } else { now })
    .bind(MemberState::Active.as_str())
    .bind(new.lang.code())
    .bind(&new.profile.name)
    .bind(&new.profile.region)
    .bind(&new.profile.major)
    .bind(&new.profile.institution)
    .bind(&new.profile.research_field)
    .bind(new.profile.gender.map_or("", Gender::as_str))
    .bind(&new.profile.photo)
    .bind(now)
    .execute(&mut **tx)
    .await?;
    Ok(Created::Member(MemberId(id)))
}

/// Gives a name to a member; returns false if another member has it.
async fn add_name(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    member: i64,
    name: &MemberName,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query(
        "INSERT INTO member_names (site_id, name, kind, member_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
    )
    .bind(site)
    .bind(name.key())
    .bind(name.kind().as_str())
    .bind(member)
    .execute(&mut **tx)
    .await?;
    Ok(changed(&done))
}

async fn show_name(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    member: i64,
    kind: NameKind,
    shown: &str,
) -> Result<(), sqlx::Error> {
    let sql = match kind {
        NameKind::Account => "UPDATE members SET account = $3 WHERE site_id = $1 AND id = $2",
        NameKind::Email => "UPDATE members SET email = $3 WHERE site_id = $1 AND id = $2",
        NameKind::Mobile => "UPDATE members SET mobile = $3 WHERE site_id = $1 AND id = $2",
    };
    sqlx::query(sql).bind(site).bind(member).bind(shown).execute(&mut **tx).await?;
    Ok(())
}

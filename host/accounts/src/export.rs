//! Everything that a site has of a member, as files: JSON of each kind, and the pictures that the member uploaded. It has no digests of
//! passwords, tokens, codes or keys: they are of no use to the member, and would be to somebody who finds the file.

use jiff::Timestamp;
use masthead_domain::{
    ArticleId,
    member::{ListedItem, Use},
    resource::{Comment, Stored},
    route::Route,
};
use masthead_store::{ItemFilter, Member, MemberStore, SiteStore, StoreError, Window};
use serde_json::{Value, json};

/// Entries that are read at a time.
const BATCH: i64 = 500;

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportFile {
    /// Its path within the export.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
    /// Whether it is compressed already.
    pub compressed: bool,
}

/// Why an export cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The member was erased meanwhile.
    #[error("the member was erased while an export was made: there is nothing to export")]
    Gone,
    /// A file cannot be encoded.
    #[error("encoding a file of an export: {0}; please report it")]
    Encoding(#[from] serde_json::Error),
    /// Nobody takes the files any more.
    #[error("the export was broken off")]
    BrokenOff,
}

/// Gives the files of an export to `take`, one after the other, so that one at a time is in memory. `root` is the address of the site in a
/// language (`https://example.org/en`): the addresses of items are complete.
///
/// # Errors
/// [`ExportError`].
pub async fn files<F>(
    site: &SiteStore,
    store: &MemberStore,
    (root, now): (&str, i64),
    mut take: impl FnMut(ExportFile) -> F,
) -> Result<(), ExportError>
where
    F: Future<Output = Result<(), ExportError>>,
{
    let member = store.member().await?.ok_or(ExportError::Gone)?;
    take(json_file("account.json", &account(store, &member, now).await?)?).await?;
    take(json_file("favourites.json", &favourites(store, root).await?)?).await?;
    take(json_file("albums.json", &albums(store, root).await?)?).await?;
    for (name, act) in [("views.json", Use::View), ("downloads.json", Use::Download)] {
        take(json_file(name, &uses(store, act, root).await?)?).await?;
    }
    take(json_file("subscriptions.json", &subscriptions(store).await?)?).await?;
    take(json_file("searches.json", &searches(store, root).await?)?).await?;
    take(json_file("comments.json", &comments(store, root).await?)?).await?;
    take(json_file("sign-in.json", &sign_in(store).await?)?).await?;
    for info in store.files().await? {
        // It may have been removed meanwhile.
        let Some(file) = site.member_file(&info.id).await? else { continue };
        let ending = if file.media_type == "image/png" { "png" } else { "jpg" };
        let name = format!("files/{}.{ending}", info.id);
        take(ExportFile { name, bytes: file.bytes, compressed: true }).await?;
    }
    Ok(())
}

fn json_file(name: &str, value: &Value) -> Result<ExportFile, ExportError> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    Ok(ExportFile { name: name.to_owned(), bytes, compressed: false })
}

/// An instant in ISO 8601; null for never.
fn at(ms: i64) -> Value {
    if ms == 0 { Value::Null } else { Timestamp::from_millisecond(ms).map_or(Value::Null, |at| at.to_string().into()) }
}

async fn account(store: &MemberStore, member: &Member, now: i64) -> Result<Value, StoreError> {
    let institutions: Vec<Value> = store
        .affiliations(now)
        .await?
        .into_iter()
        .map(|one| json!({ "institution": one.institution, "name": one.name, "since": at(one.since), "until": at(one.until) }))
        .collect();
    Ok(json!({
        "userName": member.account,
        "email": member.email,
        "mobile": member.mobile,
        "language": member.lang.code(),
        "profile": member.profile,
        "state": member.state.as_str(),
        "hasPassword": member.has_password,
        "passwordChanged": at(member.password_changed),
        "agreementAccepted": at(member.agreed),
        "created": at(member.created),
        "lastSignIn": at(member.seen),
        "institutions": institutions,
    }))
}

fn item(listed: &ListedItem, root: &str) -> Value {
    json!({
        "type": listed.item.kind.as_str(),
        "id": listed.item.id,
        "title": listed.title,
        "address": format!("{root}{}", listed.address),
    })
}

/// The item with further fields.
fn with(mut item: Value, more: &[(&str, Value)]) -> Value {
    for (name, value) in more {
        item[*name] = value.clone();
    }
    item
}

/// All entries of a list that is read in parts.
async fn all<T, F>(mut read: impl FnMut(Window) -> F) -> Result<Vec<T>, StoreError>
where
    F: Future<Output = Result<masthead_store::Listed<T>, StoreError>>,
{
    let (mut entries, mut skip) = (Vec::new(), 0);
    loop {
        let part = read(Window { skip, size: BATCH }).await?;
        entries.extend(part.entries);
        skip += BATCH;
        if skip >= part.total {
            return Ok(entries);
        }
    }
}

async fn favourites(store: &MemberStore, root: &str) -> Result<Value, StoreError> {
    let found = all(|window| store.favourites(ItemFilter::default(), window)).await?;
    Ok(found.iter().map(|one| with(item(&one.item, root), &[("collected", at(one.added))])).collect())
}

async fn albums(store: &MemberStore, root: &str) -> Result<Value, StoreError> {
    let mut albums = Vec::new();
    for entry in all(|window| store.albums("", window)).await? {
        let album = entry.album;
        let items = all(|window| store.album_items(album.id, ItemFilter::default(), window)).await?;
        let items: Value = items.iter().map(|one| with(item(&one.item, root), &[("added", at(one.added))])).collect();
        albums.push(json!({
            "name": album.text.name,
            "enName": album.text.en_name,
            "cover": album.text.cover,
            "created": at(album.created),
            "changed": at(album.changed),
            "items": items,
        }));
    }
    Ok(albums.into())
}

async fn uses(store: &MemberStore, act: Use, root: &str) -> Result<Value, StoreError> {
    let found = all(|window| store.uses(act, window)).await?;
    let view = |one: &masthead_store::UsedItem| {
        with(item(&one.item, root), &[("times", one.times.into()), ("latest", at(one.latest))])
    };
    Ok(found.iter().map(view).collect())
}

async fn subscriptions(store: &MemberStore) -> Result<Value, StoreError> {
    let found = store.subscriptions().await?;
    let view = |one: masthead_store::Subscription| {
        json!({
            "email": one.email,
            "type": one.kind.as_str(),
            "keywords": one.keywords,
            "column": one.column,
            "since": at(one.since),
        })
    };
    Ok(found.into_iter().map(view).collect())
}

async fn searches(store: &MemberStore, root: &str) -> Result<Value, StoreError> {
    let found = store.searches().await?;
    let view = |one: masthead_store::SavedSearch| {
        json!({
            "name": one.text.name,
            "address": format!("{root}{}", one.text.address),
            "alert": one.text.alert,
            "since": at(one.since),
        })
    };
    Ok(found.into_iter().map(view).collect())
}

async fn comments(store: &MemberStore, root: &str) -> Result<Value, StoreError> {
    let found = store.comments().await?;
    let view = |one: Stored<Comment>| {
        let Comment { article, author, text, date, state, .. } = one.value;
        let address = format!("{root}/{}", Route::Article(ArticleId(article)).path());
        json!({ "article": address, "author": author, "text": text, "date": date, "state": state })
    };
    Ok(found.into_iter().map(view).collect())
}

/// How the member signs in, without anything by which somebody else could.
async fn sign_in(store: &MemberStore) -> Result<Value, StoreError> {
    let identities: Value = store
        .identities()
        .await?
        .into_iter()
        .map(|one| {
            let identity = one.identity;
            json!({ "provider": identity.provider, "subject": identity.subject, "name": identity.name, "since": at(one.since) })
        })
        .collect();
    let passkeys: Value = store
        .passkeys()
        .await?
        .into_iter()
        .map(|one| json!({ "name": one.name, "created": at(one.created), "used": at(one.used) }))
        .collect();
    let sessions: Value = store
        .sessions(0, 0)
        .await?
        .into_iter()
        .map(|one| json!({ "method": one.method, "client": one.client, "created": at(one.created), "used": at(one.used) }))
        .collect();
    Ok(json!({ "identities": identities, "passkeys": passkeys, "sessions": sessions }))
}

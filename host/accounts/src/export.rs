//! All data that a site has about a member, as files: JSON of each kind, and the pictures that the member uploaded. The files have no
//! digests of passwords, tokens, codes or keys: these are of no use to the member, and would be to an attacker who finds the file.

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
    /// The receiver of the files has gone.
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

/// The member's ways to sign in, without secrets.
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::{cell::RefCell, collections::BTreeMap};

    use masthead_domain::member::{ItemRef, ItemType, MemberId};
    use masthead_store::{AlbumText, MemberUse, NewFile, NewSession, Saving, SearchText};

    use super::*;
    use crate::testing::{SITE, START, names, site, store};

    const ROOT: &str = "https://ocean.example/en";

    fn listed(id: i64) -> ListedItem {
        let item = ItemRef::new(ItemType::Article, id);
        ListedItem { item, title: format!("Article {id}"), address: format!("/article/{id}") }
    }

    /// The files of an export by name.
    async fn exported(site: &SiteStore, member: MemberId) -> Result<BTreeMap<String, Vec<u8>>, ExportError> {
        let all = RefCell::new(BTreeMap::new());
        let take = |file: ExportFile| {
            all.borrow_mut().insert(file.name, file.bytes);
            std::future::ready(Ok(()))
        };
        files(site, &site.of_member(member), (ROOT, START), take).await?;
        Ok(all.into_inner())
    }

    fn json(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Value {
        serde_json::from_slice(&files[name]).unwrap()
    }

    #[tokio::test]
    async fn an_export_has_every_entry_and_no_secret() {
        let site = site().await;
        let member = site.member(&names(), "Tidal-Basin7").await;
        let other = site.member(&[], "").await;
        let mine = site.store.of_member(member);
        let many = BATCH + 1;
        let items: Vec<ListedItem> = (1..=many).map(listed).collect();
        mine.collect(&items, many, START).await.unwrap();
        site.store.of_member(other).collect(&[listed(9_999)], 1, START).await.unwrap();
        let file = NewFile { id: "cover1", purpose: "albumCover", media_type: "image/png", bytes: b"picture" };
        mine.add_file(&file, 100, START).await.unwrap();
        let text = AlbumText { name: "Tides".into(), en_name: String::new(), cover: "cover1".into() };
        let Saving::Saved(album) = mine.add_album(&text, 1, START).await.unwrap() else { panic!("no album") };
        mine.add_to_album(album, &items[..2], 10, START).await.unwrap();
        let search = SearchText { name: "Waves".into(), address: "/search?q=wave".into(), alert: true };
        mine.add_search(&search, 1, START).await.unwrap();
        let new = NewSession { digest: "digest-of-a-token", replaces: None, method: "password", client: "Firefox" };
        mine.begin_session(&new, START).await.unwrap();
        let files = exported(&site.store, member).await.unwrap();
        assert_eq!(json(&files, "favourites.json").as_array().map(Vec::len), Some(501));
        assert_eq!(
            json(&files, "favourites.json")[0]["address"].as_str().map(|found| found.starts_with(ROOT)),
            Some(true)
        );
        let albums = json(&files, "albums.json");
        assert_eq!((&albums[0]["name"], albums[0]["items"].as_array().map(Vec::len)), (&json!("Tides"), Some(2)));
        assert_eq!(json(&files, "searches.json")[0]["address"], "https://ocean.example/en/search?q=wave");
        assert_eq!(json(&files, "sign-in.json")["sessions"][0]["client"], "Firefox");
        assert_eq!(json(&files, "account.json")["mobile"], "13812345678");
        assert_eq!(files["files/cover1.png"], b"picture");
        let texts: String = files.values().map(|bytes| String::from_utf8_lossy(bytes)).collect();
        for secret in ["argon2", "digest-of-a-token", "9999", "Article 9999"] {
            assert!(!texts.contains(secret), "{secret}");
        }
    }

    #[tokio::test]
    async fn what_was_used_is_in_the_files_of_its_kind() {
        let (_folder, store) = store().await;
        let member = crate::testing::member(&store.site(SITE), "ada", "").await;
        let used = |act, id| MemberUse { site: SITE, member, act, item: listed(id), at: START };
        store.record_member_uses(&[used(Use::View, 1), used(Use::View, 1), used(Use::Download, 2)]).await.unwrap();
        let files = exported(&store.site(SITE), member).await.unwrap();
        let (views, downloads) = (json(&files, "views.json"), json(&files, "downloads.json"));
        assert_eq!(
            (&views[0]["id"], &views[0]["times"], views.as_array().map(Vec::len)),
            (&json!("1"), &json!(2), Some(1))
        );
        assert_eq!((&downloads[0]["id"], &downloads[0]["latest"]), (&json!("2"), &json!("2023-11-14T22:13:20Z")));
    }

    #[tokio::test]
    async fn nobody_who_was_erased_is_exported() {
        let (_folder, store) = store().await;
        let member = crate::testing::member(&store.site(SITE), "ada", "").await;
        store.site(SITE).of_member(member).erase(&[], "", START).await.unwrap();
        assert!(matches!(exported(&store.site(SITE), member).await, Err(ExportError::Gone)));
    }
}

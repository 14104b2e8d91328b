//! Items of a site that members collect, put into albums, view and download: the parameters that name them, and their form in lists.

use std::collections::HashMap;

use axum::http::StatusCode;
use masthead_accounts::items::ExistingItem;
use masthead_domain::{
    ArticleId,
    link::LinkKind,
    member::{ItemRef, ItemType, ListedItem},
    notice::NoticeMark,
    route::Route,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    api::envelope::{ApiError, Caller, storable},
    i18n::notice_mark_key,
    schema,
};

/// Greatest number of items that a member selects at a time (specification section 5).
pub(super) const MAX_SELECTED: usize = 5;
/// Greatest number of entries that one call removes.
const MAX_REMOVED: usize = 100;
/// Greatest length of an id.
const MAX_ID: usize = 200;

/// A number or a key.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum AnyId {
    /// A number.
    Number(i64),
    /// A key, or a number as text.
    Text(String),
}

/// An item that a call names.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NamedItem {
    /// `article`, `publication`, `picture`, `table`, `audio`, `video`, `book`, `news`, `album` or another type that searches have.
    #[serde(rename = "type")]
    #[schema(example = "article")]
    kind: String,
    /// Its number; of a journal, its key.
    #[schema(value_type = String, example = "17")]
    id: AnyId,
}

/// The items of a selection, each once.
///
/// # Errors
/// 400, if nothing or more than five items are selected, or a name is none.
pub(super) fn selected(caller: &Caller, items: &[NamedItem]) -> Result<Vec<ItemRef>, ApiError> {
    if items.is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "nothing_selected"));
    }
    if items.len() > MAX_SELECTED {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "too_many_selected"));
    }
    let mut all = Vec::with_capacity(items.len());
    for NamedItem { kind, id } in items {
        let id = match id {
            AnyId::Number(number) => number.to_string(),
            AnyId::Text(text) => text.clone(),
        };
        let item = item(kind, &id).ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))?;
        if !all.contains(&item) {
            all.push(item);
        }
    }
    Ok(all)
}

/// The item of this type with this id; `None` if there is no such type, or the id has not its form.
pub(super) fn item(kind: &str, id: &str) -> Option<ItemRef> {
    let kind = ItemType::parse(kind)?;
    match kind {
        ItemType::Publication => {
            let key = storable(id.trim()).filter(|key| !key.is_empty() && key.len() <= MAX_ID)?;
            Some(ItemRef::new(kind, key))
        }
        // Numbers in their one form, so that no item is in a list twice.
        ItemType::Article | ItemType::Resource(_) => {
            let number: i64 = id.trim().parse().ok().filter(|number| *number > 0)?;
            Some(ItemRef::new(kind, number))
        }
    }
}

/// The entries that the query of a removal names: `type=article&id=1&id=2`, or a type for each id in the same order.
///
/// # Errors
/// 400, if nothing or too much is named.
pub(super) fn of_query(caller: &Caller, query: Option<&str>) -> Result<Vec<ItemRef>, ApiError> {
    let bad = || caller.fail(StatusCode::BAD_REQUEST, "bad_request");
    let (types, ids) = (values(query, "type"), values(query, "id"));
    if ids.is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "nothing_selected"));
    }
    let of_all = types.len() == 1;
    if ids.len() > MAX_REMOVED || !(of_all || types.len() == ids.len()) {
        return Err(bad());
    }
    let named = ids.iter().enumerate().map(|(index, id)| item(types.get(if of_all { 0 } else { index })?, id));
    named.collect::<Option<Vec<_>>>().ok_or_else(bad)
}

/// The numbers that the query of a removal names by `id`, at most a hundred.
///
/// # Errors
/// 400, if nothing or too much is named.
pub(super) fn numbers(caller: &Caller, query: Option<&str>) -> Result<Vec<i64>, ApiError> {
    let ids = values(query, "id");
    if ids.is_empty() {
        return Err(caller.fail(StatusCode::BAD_REQUEST, "nothing_selected"));
    }
    let numbers: Option<Vec<i64>> = ids.iter().map(|id| id.parse().ok().filter(|id| *id > 0)).collect();
    let numbers = numbers.filter(|numbers| numbers.len() <= MAX_REMOVED);
    numbers.ok_or_else(|| caller.fail(StatusCode::BAD_REQUEST, "bad_request"))
}

/// The values of a parameter that may be repeated.
fn values(query: Option<&str>, name: &str) -> Vec<String> {
    let pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    pairs.filter(|(key, _)| key == name).map(|(_, value)| value.into_owned()).collect()
}

/// Those of the items that the site has, with their titles in the reader's language.
///
/// # Errors
/// [`ApiError`].
pub(super) async fn known(caller: &Caller, items: &[ItemRef]) -> Result<HashMap<ItemRef, ExistingItem>, ApiError> {
    let found = masthead_accounts::items::known(&caller.store(), caller.lang, items).await;
    found.map_err(caller.store_failed())
}

/// The address of a path below the root of the site, in the reader's language.
pub(super) fn below(caller: &Caller, path: &str) -> String {
    caller.addresses().path(path.trim_start_matches('/'))
}

/// The title, or a text in its place.
fn named(caller: &Caller, title: String) -> String {
    if title.trim().is_empty() { caller.app.messages.get(caller.lang, "untitled").to_owned() } else { title }
}

/// An entry of a member's list.
#[derive(Serialize, ToSchema)]
pub struct ItemView {
    /// Number of the entry, where the list has numbers: of a view, of a download.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<i64>,
    /// Type of the item.
    #[serde(rename = "type")]
    kind: String,
    /// Its number; of a journal, its key.
    id: String,
    /// Its title in the reader's language; for a deleted item, the title at the time it was saved.
    title: String,
    /// Address of its page.
    address: String,
    /// Whether the site still has it.
    available: bool,
    /// How it is marked: an article is corrected, retracted, or an expression of concern is about it.
    #[schema(value_type = schema::NoticeMark)]
    notice: NoticeMark,
    /// The word for that in the reader's language, or "".
    #[serde(rename = "noticeText")]
    notice_text: String,
    /// When it was collected, viewed or downloaded, ISO 8601 in the time zone of the site.
    date: String,
}

/// An entry of a list as it is stored.
pub(super) struct MemberListEntry {
    /// Number of the entry, where the list has numbers.
    pub record: Option<i64>,
    /// The item with the title and the address of then.
    pub listed: ListedItem,
    /// Milliseconds since 1970.
    pub at: i64,
}

/// The entries of a list, in their order, with the present titles and addresses of the items.
pub(super) async fn shown(caller: &Caller, entries: Vec<MemberListEntry>) -> Result<Vec<ItemView>, ApiError> {
    let items: Vec<ItemRef> = entries.iter().map(|entry| entry.listed.item.clone()).collect();
    let mut known = known(caller, &items).await?;
    let articles: Vec<ArticleId> =
        known.values().filter_map(|known| if let Route::Article(id) = known.route { Some(id) } else { None }).collect();
    let mut call = caller.plugin_call("api");
    let hrefs = caller.addresses().articles(&mut call, LinkKind::ListArticle, &articles).await;
    let hrefs: HashMap<i64, String> = articles.iter().map(|id| id.0).zip(hrefs).collect();
    let view = |MemberListEntry { record, listed, at }: MemberListEntry| {
        let known = known.remove(&listed.item);
        let available = known.is_some();
        let notice = known.as_ref().map_or_else(Default::default, |known| known.notice);
        let (title, address) = match known {
            Some(ExistingItem { title, route: Route::Article(id), .. }) => {
                let own = || caller.addresses().route(&Route::Article(id));
                (named(caller, title), hrefs.get(&id.0).cloned().unwrap_or_else(own))
            }
            Some(ExistingItem { title, route, .. }) => (named(caller, title), caller.addresses().route(&route)),
            None => (named(caller, listed.title), below(caller, &listed.address)),
        };
        let date = caller.instant(at);
        ItemView {
            record,
            kind: listed.item.kind.as_str().to_owned(),
            id: listed.item.id,
            title,
            address,
            available,
            notice,
            notice_text: notice_mark_key(notice)
                .map_or_else(String::new, |key| caller.app.messages.get(caller.lang, key).to_owned()),
            date,
        }
    };
    Ok(entries.into_iter().map(view).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_have_one_form() {
        let is = |kind: &str, id: &str| item(kind, id).map(|item| format!("{}/{}", item.kind.as_str(), item.id));
        assert_eq!(is("article", "17").as_deref(), Some("article/17"));
        assert_eq!(is("thesis", " 017 ").as_deref(), Some("article/17"));
        assert_eq!(is("publication", "rivers").as_deref(), Some("publication/rivers"));
        assert_eq!(is("video", "3").as_deref(), Some("video/3"));
        let long = "x".repeat(MAX_ID + 1);
        for (kind, id) in [
            ("article", "0"),
            ("article", "-1"),
            ("article", "1'--"),
            ("article", "99999999999999999999"),
            ("comment", "3"),
            ("", "3"),
            ("publication", ""),
            ("publication", "a\0b"),
            ("publication", &long),
        ] {
            assert_eq!(is(kind, id), None, "{kind} {id}");
        }
    }

    #[test]
    fn parameters_may_be_repeated() {
        assert_eq!(values(Some("type=article&id=1&id=2&timestamps=3"), "id"), ["1", "2"]);
        assert!(values(None, "id").is_empty());
    }
}

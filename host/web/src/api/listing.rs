//! Lists with two kinds of paging: by page number up to a limit, and by cursor without a limit.

use std::collections::BTreeMap;

use masthead_domain::{
    LocalText,
    resource::{
        Album, Audio, Book, Collection, Column, Composite, Conference, Document, Expert, FriendLink, Information, News,
        Patent, Picture, Standard, Stored, TableSheet, Tool, Topic, Video, Wechat,
    },
};
use masthead_store::{ResourceCursor, StoredResource};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::envelope::{ApiError, Caller, storable};
use crate::failure::Failure;
use crate::schema::{self, FromDomain};

/// Default number of entries on a page.
const DEFAULT_SIZE: u32 = 20;
/// Greatest number of entries on a page.
pub const MAX_SIZE: u32 = 100;
/// Greatest offset of a page that is requested by number; later pages are reached with `after`.
const MAX_OFFSET: u64 = 10_000;

/// Query of a page of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Page, from 0. Pages after the 10,000th entry are available with `after` only.
    #[serde(default)]
    pub page: u32,
    /// Entries on a page: 20 by default, at most 100.
    pub size: Option<u32>,
    /// Starts after this position: the value of `next` of the previous page. `page` is then ignored.
    pub after: Option<String>,
}

impl Paging {
    /// The names of the parameters.
    pub const NAMES: [&str; 3] = ["page", "size", "after"];

    /// Entries on a page.
    fn size(&self) -> u32 {
        self.size.unwrap_or(DEFAULT_SIZE).clamp(1, MAX_SIZE)
    }

    /// Number of entries before the page with the requested number; the error 400 behind the limit of pages by number.
    fn offset(&self, caller: &Caller) -> Result<u64, ApiError> {
        let offset = u64::from(self.page) * u64::from(self.size());
        if offset > MAX_OFFSET { Err(caller.failed(Failure::NotUnderstood)) } else { Ok(offset) }
    }

    /// The places of the page in a list that has an order of its own, so that no field of an entry tells which ones follow it. `after` is
    /// then the number of the entries before the page.
    pub fn places(&self, caller: &Caller) -> Result<Places, ApiError> {
        let (number, offset) = match &self.after {
            Some(after) => (0, after.parse().map_err(|_| caller.failed(Failure::NotUnderstood))?),
            None => (self.page, self.offset(caller)?),
        };
        Ok(Places { number, size: self.size(), offset })
    }
}

/// The places of a page in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places {
    /// Number of the page, from 0; 0 if the page was requested with `after`.
    number: u32,
    /// Entries on a page.
    pub size: u32,
    /// Number of entries before the page.
    pub offset: u64,
}

impl Places {
    /// The page with these entries, of a list with `total` entries.
    #[must_use]
    pub fn page<T>(&self, content: Vec<T>, total: u64) -> Page<T> {
        let end = self.offset.saturating_add(content.len() as u64);
        let next = (!content.is_empty() && end < total).then(|| end.to_string());
        let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        Page {
            content,
            total_elements: whole(total),
            total_pages: whole(total.div_ceil(u64::from(self.size))),
            number: self.number,
            size: self.size,
            last: next.is_none(),
            next,
        }
    }
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// Entries of this page.
    pub content: Vec<T>,
    /// Number of all entries of the list.
    pub total_elements: i64,
    /// Number of pages.
    pub total_pages: i64,
    /// Number of this page, from 0; 0 if the page was requested with `after`.
    pub number: u32,
    /// Entries on a page.
    pub size: u32,
    /// Whether this is the last page.
    pub last: bool,
    /// Value of `after` for the next page; null on the last page.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// The same page with other entries.
    pub fn map<U>(self, content: Vec<U>) -> Page<U> {
        Page {
            content,
            total_elements: self.total_elements,
            total_pages: self.total_pages,
            number: self.number,
            size: self.size,
            last: self.last,
            next: self.next,
        }
    }
}

/// A resource with its name in the reader's language.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry<T> {
    /// Id of the resource.
    pub id: i64,
    /// Name in the reader's language.
    pub res_name: String,
    /// All fields of the resource.
    #[serde(flatten)]
    pub value: T,
}

/// A resource type that has a name and a short form for lists.
pub trait ListedResource: StoredResource {
    /// The type in which the API sends the resource.
    type Schema: FromDomain<Self>;

    /// The name.
    fn name(&self) -> &LocalText;

    /// Removes the fields that only the resource's own page shows.
    fn shorten(&mut self) {}
}

macro_rules! listed_resources {
    ($($type:ident . $name:ident $(without $($long:ident),+)?;)+) => {
        $(impl ListedResource for $type {
            type Schema = schema::$type;

            fn name(&self) -> &LocalText {
                &self.$name
            }
            $(fn shorten(&mut self) {
                $(self.$long = Default::default();)+
            })?
        })+
    };
}

listed_resources! {
    News.title without content, attachments;
    Information.title without content, attachments;
    Column.title;
    Wechat.title;
    FriendLink.title;
    Composite.title without blocks;
    Collection.title without items;
    Album.title without items;
    Topic.title without items;
    Picture.title;
    TableSheet.title;
    Audio.title without transcript;
    Video.title without transcript;
    Patent.title;
    Standard.title;
    Book.title without catalogue;
    Document.title;
    Tool.title;
    Expert.name without bio;
    Conference.title without content;
}

impl<S> Entry<S> {
    /// A resource with all its fields, for a reader.
    pub fn of<T: ListedResource<Schema = S>>(caller: &Caller, stored: Stored<T>) -> Self
    where
        S: FromDomain<T>,
    {
        let Stored { id, value } = stored;
        Self { id, res_name: value.name().get(caller.lang).to_owned(), value: S::from_domain(value) }
    }

    /// A resource in its short form, for a list.
    pub fn short<T: ListedResource<Schema = S>>(caller: &Caller, mut stored: Stored<T>) -> Self
    where
        S: FromDomain<T>,
    {
        stored.value.shorten();
        Self::of(caller, stored)
    }
}

/// A filter of a list: the name of its parameter and the allowed values (empty: any value).
pub struct Filter {
    /// Name of the parameter, or "" without a filter.
    pub name: &'static str,
    /// The allowed values.
    pub values: &'static [&'static str],
}

impl Filter {
    /// The section that a query selects; "" selects all.
    fn read(&self, caller: &Caller, query: &BTreeMap<String, String>) -> Result<String, ApiError> {
        let requested = query.get(self.name).map(|value| value.trim()).unwrap_or_default();
        let known = requested.is_empty() || self.values.is_empty() || self.values.contains(&requested);
        let section = storable(requested).filter(|_| known);
        section.map(str::to_owned).ok_or_else(|| caller.failed(Failure::NotUnderstood))
    }
}

/// A page of resources of one kind, in the editors' manual order and then newest first.
pub async fn page<T: StoredResource>(
    caller: &Caller,
    paging: &Paging,
    filter: &Filter,
    query: &BTreeMap<String, String>,
) -> Result<Page<Stored<T>>, ApiError> {
    let section = filter.read(caller, query)?;
    let size = paging.size();
    let (store, failed) = (caller.store(), caller.store_failed());
    let total = store.resource_count(T::KIND, &section).await.map_err(&failed)?;
    let (number, start) = match &paging.after {
        Some(after) => {
            let cursor = storable(after).and_then(ResourceCursor::parse);
            (0, Some(Some(cursor.ok_or_else(|| caller.failed(Failure::NotUnderstood))?)))
        }
        None => match i64::try_from(paging.offset(caller)?).unwrap_or(i64::MAX) {
            0 => (paging.page, Some(None)),
            skipped => {
                (paging.page, store.resource_cursor_at::<T>(&section, skipped).await.map_err(&failed)?.map(Some))
            }
        },
    };
    let mut content = match start {
        Some(after) => store.resources::<T>(&section, after.as_ref(), i64::from(size) + 1).await.map_err(&failed)?,
        None => Vec::new(),
    };
    let next = cut(&mut content, i64::from(size)).map(|stored| ResourceCursor::behind(stored).to_string());
    let last = next.is_none();
    let pages = (total + i64::from(size) - 1) / i64::from(size);
    Ok(Page { content, total_elements: total, total_pages: pages, number, size, last, next })
}

/// Cuts a list, of which one entry more than the page holds was read, to the size of the page. Returns the last entry of the page if
/// the list continues behind it.
pub fn cut<T>(found: &mut Vec<T>, size: i64) -> Option<&T> {
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let more = found.len() > size;
    found.truncate(size);
    found.last().filter(|_| more)
}

/// The resource with the given id, else with the given key.
pub async fn stored<T: StoredResource>(caller: &Caller, id: &str) -> Result<Stored<T>, ApiError> {
    let (store, failed) = (caller.store(), caller.store_failed());
    let by_number = match id.parse::<i64>() {
        Ok(number) => store.resource::<T>(number).await.map_err(&failed)?,
        Err(_) => None,
    };
    let found = match (by_number, storable(id).filter(|key| key.len() <= 512)) {
        (None, Some(key)) => store.resource_by_key::<T>(key).await.map_err(&failed)?,
        (by_number, _) => by_number,
    };
    found.ok_or_else(|| caller.failed(Failure::NoData))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_by_places_leads_to_the_next_until_the_last() {
        let places = |offset: u64| Places { number: 0, size: 2, offset };
        let page = |offset: u64, content: &[u8]| {
            let page = places(offset).page(content.to_vec(), 5);
            assert_eq!((page.total_elements, page.total_pages, page.last), (5, 3, page.next.is_none()));
            page.next
        };
        assert_eq!(page(0, &[1, 2]).as_deref(), Some("2"));
        assert_eq!(page(2, &[3, 4]).as_deref(), Some("4"));
        assert_eq!(page(4, &[5]), None);
        assert_eq!(page(u64::MAX, &[]), None);
    }
}

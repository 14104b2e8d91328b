//! Lists of what a site publishes: pages by number within bounds, and cursors without any.

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

use crate::api::envelope::{ApiError, Caller};
use crate::failure::Failure;
use crate::schema::{self, FromDomain};

/// Things on a page, where the caller does not say.
const SIZE: u32 = 20;
/// Things on a page, at most.
const LARGEST: u32 = 100;
/// How far pages by number go: what lies behind is reached with `after`.
const DEEPEST: u64 = 10_000;

/// Which page of a list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Paging {
    /// Page, from 0. Pages that begin behind the ten thousandth thing are had with `after` only.
    #[serde(default)]
    pub page: u32,
    /// Things on a page: 20 where it is left out, at most 100.
    pub size: Option<u32>,
    /// `next` of the page before; goes on behind it, whatever `page` says.
    pub after: Option<String>,
}

/// A page of a list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// What is on it.
    pub content: Vec<T>,
    /// How many there are in all.
    pub total_elements: i64,
    /// How many pages that makes.
    pub total_pages: i64,
    /// This page's number, from 0; 0 where the page was asked for with `after`.
    pub number: u32,
    /// Things on a page.
    pub size: u32,
    /// Whether nothing comes behind.
    pub last: bool,
    /// Where the list goes on, for `after`; null on the last page.
    pub next: Option<String>,
}

impl<T> Page<T> {
    /// The same page of something else.
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

/// Something that a site publishes, with its name in the reader's language.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry<T> {
    /// Its number.
    pub id: i64,
    /// Its name in the reader's language.
    pub res_name: String,
    /// All that is known about it.
    #[serde(flatten)]
    pub value: T,
}

/// What has a name, and a short form for lists.
pub trait Shown: StoredResource {
    /// How it travels.
    type Schema: FromDomain<Self>;

    /// The name.
    fn name(&self) -> &LocalText;

    /// Takes away what only the thing's own page shows.
    fn shorten(&mut self) {}
}

macro_rules! shown {
    ($($type:ident . $name:ident $(without $($long:ident),+)?;)+) => {
        $(impl Shown for $type {
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

shown! {
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
    /// A thing for a reader.
    pub fn of<T: Shown<Schema = S>>(caller: &Caller, stored: Stored<T>) -> Self
    where
        S: FromDomain<T>,
    {
        let Stored { id, value } = stored;
        Self { id, res_name: value.name().get(caller.lang).to_owned(), value: S::from_domain(value) }
    }

    /// A thing in a list.
    pub fn short<T: Shown<Schema = S>>(caller: &Caller, mut stored: Stored<T>) -> Self
    where
        S: FromDomain<T>,
    {
        stored.value.shorten();
        Self::of(caller, stored)
    }
}

/// What a list is chosen by: the name of the parameter, and the values that it may have (none named = any).
pub struct Filter {
    /// Name of the parameter, or "" where there is none.
    pub name: &'static str,
    /// Its values.
    pub values: &'static [&'static str],
}

impl Filter {
    /// The section that a query asks for; "" is all.
    fn read(&self, caller: &Caller, query: &BTreeMap<String, String>) -> Result<String, ApiError> {
        let asked = query.get(self.name).map(|value| value.trim()).unwrap_or_default();
        if asked.is_empty() || self.values.is_empty() || self.values.contains(&asked) {
            Ok(asked.to_owned())
        } else {
            Err(caller.failed(Failure::NotUnderstood))
        }
    }
}

/// A page of a kind, in the order of the editors' hand and then newest first.
pub async fn page<T: StoredResource>(
    caller: &Caller,
    paging: &Paging,
    filter: &Filter,
    query: &BTreeMap<String, String>,
) -> Result<Page<Stored<T>>, ApiError> {
    let section = filter.read(caller, query)?;
    let size = paging.size.unwrap_or(SIZE).clamp(1, LARGEST);
    let (store, failed) = (caller.store(), caller.store_failed());
    let total = store.resource_count(T::KIND, &section).await.map_err(&failed)?;
    let offset = u64::from(paging.page) * u64::from(size);
    let (number, start) = match &paging.after {
        Some(after) => {
            let cursor = ResourceCursor::parse(after).ok_or_else(|| caller.failed(Failure::NotUnderstood))?;
            (0, Some(Some(cursor)))
        }
        None if offset > DEEPEST => return Err(caller.failed(Failure::NotUnderstood)),
        None if offset == 0 => (paging.page, Some(None)),
        None => {
            let skipped = i64::try_from(offset).unwrap_or(i64::MAX);
            (paging.page, store.resource_cursor_at::<T>(&section, skipped).await.map_err(&failed)?.map(Some))
        }
    };
    // One more than is shown tells whether the list goes on.
    let mut content = match start {
        Some(after) => store.resources::<T>(&section, after.as_ref(), i64::from(size) + 1).await.map_err(&failed)?,
        None => Vec::new(),
    };
    let last = content.len() <= size as usize;
    content.truncate(size as usize);
    let next = content.last().filter(|_| !last).map(|stored| ResourceCursor::behind(stored).to_string());
    let pages = (total + i64::from(size) - 1) / i64::from(size);
    Ok(Page { content, total_elements: total, total_pages: pages, number, size, last, next })
}

/// The thing with this number, else with this key.
pub async fn stored<T: StoredResource>(caller: &Caller, id: &str) -> Result<Stored<T>, ApiError> {
    let (store, failed) = (caller.store(), caller.store_failed());
    let by_number = match id.parse::<i64>() {
        Ok(number) => store.resource::<T>(number).await.map_err(&failed)?,
        Err(_) => None,
    };
    let found = match by_number {
        Some(found) => Some(found),
        None if id.len() <= 512 => store.resource_by_key::<T>(id).await.map_err(&failed)?,
        None => None,
    };
    found.ok_or_else(|| caller.failed(Failure::NoData))
}

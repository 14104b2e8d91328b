//! Types that the calls of the personal centre share: pages of lists, failures and answers.

use axum::Json;
use masthead_domain::member::ItemType;
use masthead_store::{Listed, StoreError, Window};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    api::{
        envelope::{ApiError, Caller, storable},
        signed_in::SignedIn,
        types::Envelope,
    },
    failure::Failure,
};

/// Entries on a page, if the call does not say.
const DEFAULT_SIZE: u32 = 20;
/// Greatest number of entries on a page.
const MAX_SIZE: u32 = 100;
/// Greatest length of a keyword, in characters.
const MAX_KEYWORD: usize = 100;

/// Query of a page of a member's list.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageOf {
    /// Page, from 0.
    #[serde(default)]
    page: u32,
    /// Entries on a page: 20 by default, at most 100.
    size: Option<u32>,
}

impl PageOf {
    /// The part of the list.
    pub(super) fn window(&self) -> Window {
        Window { skip: i64::from(self.page) * i64::from(self.entries()), size: i64::from(self.entries()) }
    }

    fn entries(&self) -> u32 {
        self.size.unwrap_or(DEFAULT_SIZE).clamp(1, MAX_SIZE)
    }

    /// The page with these entries.
    pub(super) fn of<T>(&self, content: Vec<T>, total: i64) -> MemberPage<T> {
        MemberPage { content, total_elements: total, page: self.page, size: self.entries() }
    }
}

/// A page of a member's list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberPage<T> {
    /// Entries of this page.
    content: Vec<T>,
    /// Number of all entries of the list.
    total_elements: i64,
    /// Number of this page, from 0.
    page: u32,
    /// Entries on a page.
    size: u32,
}

impl SignedIn {
    /// The current time in milliseconds since 1970.
    pub(super) fn now(&self) -> i64 {
        self.caller.app.counting.now()
    }

    /// Converts a store error, for `map_err`.
    pub(super) fn failed(&self) -> impl Fn(StoreError) -> ApiError + '_ {
        self.caller.store_failed()
    }
}

/// The entries of a part of a list, and the length of the whole.
pub(super) fn split<T>(listed: Listed<T>) -> (Vec<T>, i64) {
    (listed.entries, listed.total)
}

/// The type that a list is filtered by; "" is none.
///
/// # Errors
/// 400 for an unknown type.
pub(super) fn type_of(caller: &Caller, name: &str) -> Result<Option<ItemType>, ApiError> {
    match name {
        "" => Ok(None),
        name => ItemType::parse(name).map(Some).ok_or_else(|| caller.failed(Failure::NotUnderstood)),
    }
}

/// The keyword that a list is filtered by.
///
/// # Errors
/// 400 for one that no title can have.
pub(super) fn keyword<'a>(caller: &Caller, text: &'a str) -> Result<&'a str, ApiError> {
    let fits = storable(text.trim()).filter(|text| text.chars().count() <= MAX_KEYWORD);
    fits.ok_or_else(|| caller.failed(Failure::NotUnderstood))
}

/// The answer of a change that was made, with its message in the reader's language.
pub(super) fn done(by: &SignedIn, key: &str) -> Json<Envelope<bool>> {
    with_message(by, true, key)
}

/// A success with its payload and its message in the reader's language.
pub(super) fn with_message<T>(by: &SignedIn, data: T, key: &str) -> Json<Envelope<T>> {
    let message = by.caller.app.messages.get(by.caller.lang, key).to_owned();
    Json(Envelope { status: 0, data: Some(data), message })
}

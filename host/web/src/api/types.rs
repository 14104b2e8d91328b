//! Types that several calls share.

use masthead_runtime::hook_types::Badge;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The envelope of every `/rc-pub` response. Status 0 is success.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Envelope<T> {
    /// 0 for success, else a status of the error catalogue.
    pub status: i32,
    /// The payload; null on failure.
    pub data: Option<T>,
    /// A message in the reader's language.
    pub message: String,
}

/// A badge that a plugin attaches to an article.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BadgeView {
    /// Short text of the badge.
    pub label: String,
    /// Explanation, or "".
    pub hint: String,
    /// neutral, good, caution or bad.
    pub tone: String,
    /// Target of the badge: a path inside the site or an address; or "".
    pub href: String,
}

impl BadgeView {
    /// Converts a badge of the plugin contract.
    #[must_use]
    pub fn of(badge: &Badge) -> Self {
        Self {
            label: badge.label.clone(),
            hint: badge.hint.clone(),
            tone: crate::page::content::plugin_contributions::tone(badge.tone).to_owned(),
            href: badge.href.clone(),
        }
    }
}

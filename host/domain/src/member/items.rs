//! Items that members collect, view, download and put into albums.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::named;
use crate::{ids::SiteId, resource::ResourceKind};

/// The type of an item, by the name that calls use (`article`, `publication`, `picture`, `video`, ...).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ItemType {
    /// An article, by its number.
    Article,
    /// A journal, by its number or key.
    Publication,
    /// A resource, by its number.
    Resource(ResourceKind),
}

impl ItemType {
    /// The name in calls and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Article => "article",
            Self::Publication => "publication",
            Self::Resource(kind) => kind.as_str(),
        }
    }

    /// The type with this name; `thesis` is the specification's other name of an article. Comments are no items.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "article" | "thesis" => Some(Self::Article),
            "publication" => Some(Self::Publication),
            _ => ResourceKind::parse(name).filter(|kind| *kind != ResourceKind::Comment).map(Self::Resource),
        }
    }
}

impl From<ItemType> for String {
    fn from(value: ItemType) -> Self {
        value.as_str().to_owned()
    }
}

impl TryFrom<String> for ItemType {
    type Error = String;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        Self::parse(&name).ok_or_else(|| format!("there is no item type {name:?}"))
    }
}

/// An item of a site.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ItemRef {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: ItemType,
    /// Its number or key among those of its type.
    pub id: String,
}

impl ItemRef {
    /// The item of this type with this number.
    #[must_use]
    pub fn new(kind: ItemType, id: impl fmt::Display) -> Self {
        Self { kind, id: id.to_string() }
    }

    /// The item with this number of a site, where items of `own` and of other sites stand side by side: the id of an item of another site has the
    /// number of its site before its own (`448/17`).
    #[must_use]
    pub fn at(kind: ItemType, (site, id): (SiteId, i64), own: SiteId) -> Self {
        if site == own { Self::new(kind, id) } else { Self::new(kind, format_args!("{site}/{id}")) }
    }

    /// The site and the number of such an item; `None` for an item with a key in place of a number.
    #[must_use]
    pub fn place(&self, own: SiteId) -> Option<(SiteId, i64)> {
        let Some((site, id)) = self.id.split_once('/') else { return Some((own, self.id.parse().ok()?)) };
        Some((SiteId(site.parse().ok()?), id.parse().ok()?))
    }
}

/// An item as a member's lists keep it: they show the title and the address of then when the item is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedItem {
    /// The item.
    #[serde(flatten)]
    pub item: ItemRef,
    /// Its title.
    pub title: String,
    /// The path of its page below the root of the site.
    pub address: String,
}

named! {
    /// What a member did with an item.
    Use {
        /// Opened its page.
        View = "view",
        /// Downloaded its file.
        Download = "download",
    }
}

#[cfg(test)]
mod tests {
    use super::{ItemRef, ItemType};
    use crate::{ids::SiteId, resource::ResourceKind};

    #[test]
    fn items_have_the_names_of_the_calls() {
        let item = ItemRef::new(ItemType::Resource(ResourceKind::Picture), 7);
        let json = serde_json::json!({ "type": "picture", "id": "7" });
        assert_eq!(serde_json::to_value(&item).ok(), Some(json.clone()));
        assert_eq!(serde_json::from_value(json).ok(), Some(item));
        assert_eq!(ItemType::parse("thesis"), Some(ItemType::Article));
        assert_eq!(ItemType::parse("publication").map(ItemType::as_str), Some("publication"));
        assert_eq!((ItemType::parse("comment"), ItemType::parse("Article")), (None, None));
        assert!(serde_json::from_str::<ItemRef>(r#"{"type":"member","id":"1"}"#).is_err());
    }

    #[test]
    fn items_of_several_sites_are_told_apart() {
        let (own, other) = (SiteId(448), SiteId(905));
        let at = |site| ItemRef::at(ItemType::Article, (site, 17), own);
        assert_eq!((at(own), at(other).id.as_str()), (ItemRef::new(ItemType::Article, 17), "905/17"));
        assert_eq!((at(own).place(own), at(other).place(own)), (Some((own, 17)), Some((other, 17))));
        for key in ["", "tides", "tides/2026/3", "905/", "/17", "905/17/3"] {
            assert_eq!(ItemRef::new(ItemType::Publication, key).place(own), None, "{key}");
        }
    }
}

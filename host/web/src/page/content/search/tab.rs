//! The tabs of the page of results: what each searches, and how its hits can be sorted.

use masthead_domain::resource::ResourceKind;
use masthead_search::{EntryKind, Facet};

use crate::search_service::terms::OTHER;

/// A tab.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Articles.
    #[default]
    Articles,
    /// Journals.
    Journals,
    /// Figures.
    Figures,
    /// Tables.
    Tables,
    /// Sound recordings.
    Audio,
    /// Films.
    Video,
    /// Books, patents, standards, documents, conferences, tools, collections, albums, experts.
    Resources,
    /// News and posts.
    News,
}

impl Tab {
    /// All tabs, in their order on the page.
    pub const ALL: [Self; 8] = [
        Self::Articles,
        Self::Journals,
        Self::Figures,
        Self::Tables,
        Self::Audio,
        Self::Video,
        Self::Resources,
        Self::News,
    ];

    /// The value of the parameter `type`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Articles => "article",
            Self::Journals => "publication",
            Self::Figures => "picture",
            Self::Tables => "table",
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Resources => "other",
            Self::News => "news",
        }
    }

    /// The value of the parameter `type`, or "" for the tab that is shown without it.
    pub const fn other_name(self) -> &'static str {
        match self {
            Self::Articles => "",
            other => other.name(),
        }
    }

    /// Key of the name.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Articles => "tab_article",
            Self::Journals => "tab_publication",
            Self::Figures => "tab_figures",
            Self::Tables => "tab_tables",
            Self::Audio => "tab_audio",
            Self::Video => "tab_video",
            Self::Resources => "tab_resources",
            Self::News => "news",
        }
    }

    /// The kinds of resources that it has.
    pub const fn resources(self) -> &'static [ResourceKind] {
        match self {
            Self::Articles | Self::Journals => &[],
            Self::Figures => &[ResourceKind::Picture],
            Self::Tables => &[ResourceKind::Table],
            Self::Audio => &[ResourceKind::Audio],
            Self::Video => &[ResourceKind::Video],
            Self::Resources => &OTHER,
            Self::News => &[ResourceKind::News, ResourceKind::Wechat],
        }
    }

    /// The kinds of entries that it searches.
    pub fn kinds(self) -> Vec<EntryKind> {
        match self {
            Self::Articles => vec![EntryKind::Article],
            Self::Journals => vec![EntryKind::Publication],
            other => other.resources().iter().copied().map(EntryKind::Resource).collect(),
        }
    }

    /// Whether its hits can be sorted by this key. What is not an article has neither references nor comments, and journals have no date.
    pub fn sorts(self, key: &str) -> bool {
        match self {
            Self::Articles => true,
            Self::Journals => key.is_empty(),
            Self::Figures | Self::Tables | Self::News => ["", "date", "visits", "updateTime"].contains(&key),
            Self::Audio | Self::Video | Self::Resources => {
                ["", "date", "visits", "downloads", "updateTime"].contains(&key)
            }
        }
    }

    /// Whether its hits are counted and filtered by this field.
    pub const fn has(self, facet: Facet) -> bool {
        match self {
            Self::Articles => true,
            // What is part of an article has the article's journal, access and so on.
            Self::Figures | Self::Tables => !matches!(facet, Facet::OnlineFirst | Facet::ArticleType | Facet::Fund),
            Self::Audio | Self::Video | Self::Resources => {
                matches!(facet, Facet::Year | Facet::Author | Facet::Language)
            }
            Self::Journals | Self::News => matches!(facet, Facet::Year | Facet::Language),
        }
    }

    /// The tab of a value of the parameter `type`, and the kind if the value names one of several. An unknown value means articles.
    pub fn of_type(name: &str) -> (Self, Option<ResourceKind>) {
        let tab = match name {
            "publication" | "periodical" => Self::Journals,
            "onlineVideo" | "videoManuscript" => Self::Video,
            "other" | "mixed" => Self::Resources,
            _ => {
                let kind = ResourceKind::parse(name);
                let tab = kind.and_then(|kind| Self::ALL.into_iter().find(|tab| tab.resources().contains(&kind)));
                let Some(tab) = tab else { return (Self::Articles, None) };
                let several = tab.resources().len() > 1 && name != tab.name();
                return (tab, kind.filter(|_| several));
            }
        };
        (tab, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_are_found_by_their_types_and_the_specifications() {
        for tab in Tab::ALL {
            assert_eq!(Tab::of_type(tab.name()), (tab, None), "{tab:?}");
            assert!(tab.sorts("") && tab.has(Facet::Year), "{tab:?}");
            assert_eq!(tab.sorts("updateTime"), tab != Tab::Journals, "{tab:?}");
        }
        for (name, expected) in [
            ("", (Tab::Articles, None)),
            ("thesis", (Tab::Articles, None)),
            ("nonsense", (Tab::Articles, None)),
            ("comment", (Tab::Articles, None)),
            ("periodical", (Tab::Journals, None)),
            ("onlineVideo", (Tab::Video, None)),
            ("mixed", (Tab::Resources, None)),
            ("patent", (Tab::Resources, Some(ResourceKind::Patent))),
            ("wechat", (Tab::News, Some(ResourceKind::Wechat))),
        ] {
            assert_eq!(Tab::of_type(name), expected, "{name}");
        }
    }
}

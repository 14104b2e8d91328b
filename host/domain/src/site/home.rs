//! The composition of a site's home page.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::lang::LocalText;

/// What the home page consists of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Home {
    /// Typographic arrangement of the sections.
    pub layout: HomeLayout,
    /// The sections from above. Without sections, the page shows the journal with its current issue, or the site's journals with the
    /// latest articles.
    pub sections: Vec<HomeSection>,
}

impl Home {
    /// Greatest number of sections.
    pub const MAX_SECTIONS: usize = 32;

    /// Whether the page shows what changes without a change of the site's content: usage, searches, other sites.
    #[must_use]
    pub fn is_dated(&self) -> bool {
        let dated = [HomeKind::Rankings, HomeKind::HotWords, HomeKind::Sites];
        self.sections.iter().any(|section| dated.contains(&section.kind))
    }
}

/// Typographic arrangement of a home page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HomeLayout {
    /// A journal: its cover on a coloured band, then its issue and lists.
    #[default]
    Journal,
    /// A newspaper: a centred title between rules, a leading article, narrow columns.
    Newspaper,
    /// An entrance: tiles on a tinted ground, covers in rows.
    Portal,
}

impl HomeLayout {
    /// The name in configuration and markup.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Journal => "journal",
            Self::Newspaper => "newspaper",
            Self::Portal => "portal",
        }
    }
}

/// A section of the home page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HomeSection {
    /// What it shows.
    pub kind: HomeKind,
    /// Where it stands. Neighbours of `main` and `side` stand beside each other on wide screens.
    #[serde(default)]
    pub place: HomePlace,
    /// Heading in place of that of its kind.
    #[serde(default)]
    pub title: LocalText,
    /// Greatest number of entries, up to 50; 0 stands for that of its kind.
    #[serde(default)]
    pub size: u32,
    /// Number of the channel whose child page (`home/<number>`) it belongs to; 0 for the home page itself. A channel without sections of its
    /// own shows the whole home page.
    #[serde(default)]
    pub channel: i64,
    /// Of `news` and `carousel`: the tab from which the news come (`information`, `announcement`, `dynamic`, `statement`), or "" for all.
    #[serde(default)]
    pub news_type: String,
    /// Of `carousel`: its slides. Without slides, it shows the news that have a picture.
    #[serde(default)]
    pub slides: Vec<HomeSlide>,
    /// Of `rankings`: the offered windows in months, the first one being shown at first; 0 stands for all time. All six by default.
    #[serde(default)]
    pub months: Vec<u32>,
    /// Of `rankings`: what the rankings are ordered by, the first one being shown at first. Both by default.
    #[serde(default)]
    pub measures: Vec<HomeMeasure>,
    /// Of `statistics`: the unit of the numbers.
    #[serde(default)]
    pub unit: HomeUnit,
}

impl HomeSection {
    /// Windows of rankings, in months (specification section 9); 0 is all time.
    pub const WINDOWS: [u32; 6] = [0, 3, 6, 12, 24, 36];
    /// Greatest number of entries.
    pub const MAX_SIZE: u32 = 50;

    /// A section of a kind with the defaults of all options.
    #[must_use]
    pub fn new(kind: HomeKind) -> Self {
        Self {
            kind,
            place: HomePlace::Full,
            title: LocalText::default(),
            size: 0,
            channel: 0,
            news_type: String::new(),
            slides: Vec::new(),
            months: Vec::new(),
            measures: Vec::new(),
            unit: HomeUnit::Auto,
        }
    }

    /// The number of entries that it shows at most.
    #[must_use]
    pub const fn entries(&self) -> u32 {
        match self.size {
            0 => self.kind.default_size(),
            size if size > Self::MAX_SIZE => Self::MAX_SIZE,
            size => size,
        }
    }

    /// The windows of a ranking, at least one.
    #[must_use]
    pub fn windows(&self) -> &[u32] {
        if self.months.is_empty() { &Self::WINDOWS } else { &self.months }
    }

    /// The measures of a ranking, at least one.
    #[must_use]
    pub fn ranked_by(&self) -> &[HomeMeasure] {
        if self.measures.is_empty() { &HomeMeasure::ALL } else { &self.measures }
    }

    /// The options that are set and that its kind does not read.
    #[must_use]
    pub fn options_of_other_kinds(&self) -> Vec<&'static str> {
        let news = matches!(self.kind, HomeKind::News | HomeKind::Carousel);
        let rankings = self.kind == HomeKind::Rankings;
        [
            ("newsType", self.news_type.is_empty() || news),
            ("slides", self.slides.is_empty() || self.kind == HomeKind::Carousel),
            ("months", self.months.is_empty() || rankings),
            ("measures", self.measures.is_empty() || rankings),
            ("unit", self.unit == HomeUnit::Auto || self.kind == HomeKind::Statistics),
            ("size", self.size == 0 || self.kind.default_size() > 0),
        ]
        .into_iter()
        .filter_map(|(option, fits)| (!fits).then_some(option))
        .collect()
    }
}

/// What a section of the home page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum HomeKind {
    /// The journal with its cover, introduction and data; on a site with several journals, the site's name and description.
    Hero,
    /// Pictures with a title, one after the other: `slides`, or news.
    Carousel,
    /// The articles of the current issue; the latest articles on a site with several journals, and before the first issue.
    Contents,
    /// The cover of the current issue of the first journal, with its first articles.
    CurrentIssue,
    /// The latest articles.
    Latest,
    /// Articles that are published online and in no issue yet.
    OnlineFirst,
    /// Articles that were accepted and are not published yet.
    JustAccepted,
    /// News.
    News,
    /// Collections (special issues, virtual albums) with their covers.
    Albums,
    /// The most read or downloaded articles of a window of time.
    Rankings,
    /// Words to search for: those of the configuration, then those that most readers searched for.
    HotWords,
    /// The numbers of the site's resources as a chart.
    Statistics,
    /// Friendship links.
    Links,
    /// The journals of the site with their covers.
    Journals,
    /// The other sites of the site's group.
    Sites,
    /// What modules put into the slot `home.sections`; at the end of the page where no section has this kind.
    Plugins,
}

impl HomeKind {
    /// The name in configuration and markup.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hero => "hero",
            Self::Carousel => "carousel",
            Self::Contents => "contents",
            Self::CurrentIssue => "currentIssue",
            Self::Latest => "latest",
            Self::OnlineFirst => "onlineFirst",
            Self::JustAccepted => "justAccepted",
            Self::News => "news",
            Self::Albums => "albums",
            Self::Rankings => "rankings",
            Self::HotWords => "hotWords",
            Self::Statistics => "statistics",
            Self::Links => "links",
            Self::Journals => "journals",
            Self::Sites => "sites",
            Self::Plugins => "plugins",
        }
    }

    /// The number of entries where a section does not set it; 0 for kinds without a limit.
    #[must_use]
    pub const fn default_size(self) -> u32 {
        match self {
            Self::Carousel | Self::CurrentIssue | Self::OnlineFirst | Self::JustAccepted | Self::News => 5,
            Self::Contents | Self::Latest => 8,
            Self::Albums => 6,
            Self::Rankings | Self::HotWords => 10,
            Self::Links => 12,
            Self::Journals => 24,
            Self::Hero | Self::Statistics | Self::Sites | Self::Plugins => 0,
        }
    }
}

/// Where a section of the home page stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HomePlace {
    /// Over the whole width.
    #[default]
    Full,
    /// In the wide column.
    Main,
    /// In the narrow column.
    Side,
}

/// A slide of a carousel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct HomeSlide {
    /// Picture under the sites' assets, such as `slides/tides.svg`.
    pub picture: String,
    /// Title.
    pub title: LocalText,
    /// A sentence under the title.
    pub text: LocalText,
    /// Where it leads: an address of the web, or a path behind the language such as `issues`; "" for nowhere.
    pub link: String,
}

/// What a ranking is ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HomeMeasure {
    /// Views.
    Visits,
    /// Downloads.
    Downloads,
}

impl HomeMeasure {
    /// All measures.
    pub const ALL: [Self; 2] = [Self::Visits, Self::Downloads];

    /// The name in configuration and addresses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Visits => "visits",
            Self::Downloads => "downloads",
        }
    }
}

/// Unit of the numbers in a chart (specification section 9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HomeUnit {
    /// Pieces, unless the greatest number is 10,000 or more.
    #[default]
    Auto,
    /// Pieces.
    Pieces,
    /// Ten thousands, with one decimal.
    #[serde(rename = "10k")]
    TenThousand,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn section(json: serde_json::Value) -> Result<HomeSection, serde_json::Error> {
        serde_json::from_value(json)
    }

    #[test]
    fn a_section_is_its_kind_with_the_defaults_of_the_specification() {
        let rankings = section(serde_json::json!({ "kind": "rankings" })).unwrap();
        assert_eq!(rankings, HomeSection::new(HomeKind::Rankings));
        assert_eq!((rankings.entries(), rankings.windows()), (10, &[0, 3, 6, 12, 24, 36][..]));
        assert_eq!(rankings.ranked_by(), HomeMeasure::ALL);
        let many = section(serde_json::json!({ "kind": "latest", "size": 900 })).unwrap();
        assert_eq!(many.entries(), HomeSection::MAX_SIZE);
        let unit = section(serde_json::json!({ "kind": "statistics", "unit": "10k" })).unwrap();
        assert_eq!(unit.unit, HomeUnit::TenThousand);
    }

    #[test]
    fn an_unknown_kind_is_named_with_the_known_ones() {
        let message = section(serde_json::json!({ "kind": "weather" })).unwrap_err().to_string();
        assert!(message.contains("weather") && message.contains("currentIssue"), "{message}");
    }

    #[test]
    fn options_of_other_kinds_are_found() {
        let wrong = section(serde_json::json!({ "kind": "hero", "size": 3, "months": [3], "unit": "pieces" })).unwrap();
        assert_eq!(wrong.options_of_other_kinds(), ["months", "unit", "size"]);
        let right = section(serde_json::json!({ "kind": "news", "newsType": "dynamic", "size": 3 })).unwrap();
        assert!(right.options_of_other_kinds().is_empty());
    }
}

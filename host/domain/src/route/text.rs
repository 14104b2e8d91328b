//! The routes of pages of text: about, information, composite pages, news, boards, experts, journals, and the catch-all by channel code.

use super::percent::encode_segment;
use crate::{
    resource::NewsType,
    site::{Channel, Site},
};

/// A page of text. The number of a channel is 0 where the address names none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPage {
    /// `about/:id?`, `aboutus/:id?`: the text of a channel, and what is known of the journals.
    About(i64),
    /// `info` without an id: all pages of text.
    Texts,
    /// `info/:id` with the key of a text.
    Text(String),
    /// `newcomposite/:id?`: the number of a channel or of a composite page, or its key.
    Composite(String),
    /// `news/:id?`: the list of news under its tabs.
    News(i64),
    /// `newsInfo/:id?/:activeId?`: the news of a channel, and the number of the item that is open, or 0.
    NewsInfo(i64, i64),
    /// `editorial-board/:id?/:editorialId?`: the board, and the number of the expert whose details are open, or 0.
    Board(i64, i64),
    /// `scholarList`: all experts.
    Experts,
    /// `scholar/:id`: an expert.
    Expert(i64),
    /// `mag/:key?`: a journal; without a key, the only one or the list of all.
    Journal(String),
    /// `contact`: how to reach the editors.
    Contact,
    /// `newArticle`: conferences, or articles before their publication.
    Articles,
    /// `newLink1`: the links of a channel.
    Links,
    /// `newLeaguage`: the site in its languages.
    Languages,
    /// `:code`: a channel with any other code.
    Channel(String),
}

impl TextPage {
    /// The route's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::About(_) => "about",
            Self::Texts | Self::Text(_) => "info",
            Self::Composite(_) => "newcomposite",
            Self::News(_) => "news",
            Self::NewsInfo(..) => "newsInfo",
            Self::Board(..) => "editorial-board",
            Self::Experts => "scholarList",
            Self::Expert(_) => "scholar",
            Self::Journal(_) => "mag",
            Self::Contact => "contact",
            Self::Articles => "newArticle",
            Self::Links => "newLink1",
            Self::Languages => "newLeaguage",
            Self::Channel(_) => "channel",
        }
    }

    /// The query parameters that the page reads. What else the specification's links carry (`columnName`, `index`, `parentIndex`, `bannerId`)
    /// repeats what the configuration says of the channel `columnId`.
    #[must_use]
    pub const fn parameters(&self) -> &'static [&'static str] {
        match self {
            Self::About(_) | Self::Contact => &["columnId", "childId"],
            Self::Links => &["columnId", "childId", "page"],
            Self::News(_) => &["columnId", "newsDataType", "page"],
            Self::NewsInfo(..) | Self::Expert(_) | Self::Texts | Self::Composite(_) => &["page"],
            Self::Board(..) => &["board", "page"],
            Self::Experts => &["topicId", "page"],
            Self::Journal(_) => &["tab", "column", "page"],
            Self::Articles => &["code", "columnId", "page"],
            Self::Languages => &["columnId", "childId", "styleId"],
            Self::Channel(_) => &["columnId", "childId", "newsDataType", "newCompositeId", "page"],
            Self::Text(_) => &[],
        }
    }

    /// Whether a value of a parameter other than `page` can mean anything on the site.
    pub(super) fn reads(name: &str, value: &str, site: &Site) -> bool {
        match name {
            "columnId" | "childId" => is_channel(value, site),
            "newsDataType" => NewsType::ALL.iter().any(|kind| kind.as_str() == value),
            "newCompositeId" => site.channels.iter().any(|channel| channel.new_composite_id == value),
            "code" => ["conference", "prePublication"].contains(&value),
            "styleId" => value == "4",
            _ => true,
        }
    }

    /// Parses the decoded path segments behind the language; the first one with the site's aliases resolved.
    #[must_use]
    pub fn parse(first: &str, rest: &[&str]) -> Option<Self> {
        let text = || rest.first().map(|segment| (*segment).to_owned()).unwrap_or_default();
        Some(match (first, rest) {
            // An unknown channel is no reason to withhold what is known of the journal.
            ("about" | "aboutus", []) => Self::About(0),
            ("about" | "aboutus", [id]) => Self::About(number(id).unwrap_or_default()),
            ("info", []) => Self::Texts,
            // A number is the number of a text: `Route::Information`.
            ("info", [key]) if !is_number(key) => Self::Text((*key).to_owned()),
            ("newcomposite", [] | [_]) => Self::Composite(text()),
            ("news" | "newsDetails", []) => Self::News(0),
            ("news", [id]) => Self::News(number(id)?),
            ("newsInfo", []) => Self::NewsInfo(0, 0),
            ("newsInfo", [id]) => Self::NewsInfo(number(id)?, 0),
            ("newsInfo", [id, active]) => Self::NewsInfo(number(id)?, number(active)?),
            ("editorial-board", []) => Self::Board(0, 0),
            ("editorial-board", [id]) => Self::Board(number(id)?, 0),
            ("editorial-board", [id, expert]) => Self::Board(number(id)?, number(expert)?),
            ("scholarList", []) => Self::Experts,
            ("scholar", [id]) => Self::Expert(number(id).filter(|id| *id > 0)?),
            ("mag", [] | [_]) => Self::Journal(text()),
            ("contact", []) => Self::Contact,
            ("newArticle", []) => Self::Articles,
            ("newLink1", []) => Self::Links,
            ("newLeaguage", []) => Self::Languages,
            _ => return None,
        })
    }

    /// The page of an enabled channel whose code is the only segment.
    #[must_use]
    pub fn of_code(segments: &[&str], site: &Site) -> Option<Self> {
        let [code] = segments else { return None };
        let has_code = |channel: &Channel| channel.enable == "1" && channel.code == *code;
        site.channels.iter().any(has_code).then(|| Self::Channel((*code).to_owned()))
    }

    /// The percent-encoded path behind the language, without leading slash.
    #[must_use]
    pub fn path(&self) -> String {
        let name = self.name();
        match self {
            Self::About(0) | Self::News(0) | Self::NewsInfo(0, 0) | Self::Board(0, 0) => name.to_owned(),
            Self::About(id) | Self::News(id) | Self::Board(id, 0) | Self::Expert(id) => format!("{name}/{id}"),
            Self::NewsInfo(id, active) => format!("{name}/{id}/{active}"),
            Self::Board(id, expert) => format!("{name}/{id}/{expert}"),
            Self::Channel(code) => encode_segment(code),
            Self::Text(key) | Self::Composite(key) | Self::Journal(key) if !key.is_empty() => {
                format!("{name}/{}", encode_segment(key))
            }
            _ => name.to_owned(),
        }
    }
}

/// Whether a value is the number of a page behind the first one, which has one address without a number.
pub(super) fn is_later_page(value: &str) -> bool {
    value.parse::<u32>().is_ok_and(|page| page > 1 && page.to_string() == value)
}

/// Whether a value is the number of a channel of the site.
pub(super) fn is_channel(value: &str, site: &Site) -> bool {
    site.channels.iter().any(|channel| channel.id.to_string() == value)
}

/// Whether a segment consists of digits.
pub(super) fn is_number(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number that is not negative, as the addresses of the specification hold it: 0 stands for none.
fn number(segment: &str) -> Option<i64> {
    segment.parse().ok().filter(|number| *number >= 0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::route::{ResourceList, Route};

    fn parse(path: &str) -> Option<TextPage> {
        let segments: Vec<&str> = path.split('/').collect();
        TextPage::parse(segments[0], &segments[1..])
    }

    fn site() -> Site {
        let value = serde_json::json!({
            "id": 1, "sld": "s", "name": { "en": "S" }, "colorId": 1, "languages": ["en"], "header": {},
            "channels": [
                { "id": 7, "code": "newItem", "enable": "1", "newCompositeId": "start" },
                { "id": 8, "code": "hidden", "enable": "0" },
            ],
        });
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn routes_of_the_specification_are_parsed() {
        for (path, page) in [
            ("about", TextPage::About(0)),
            ("aboutus/7", TextPage::About(7)),
            ("about/made-up", TextPage::About(0)),
            ("info", TextPage::Texts),
            ("info/ethics", TextPage::Text("ethics".into())),
            ("newcomposite", TextPage::Composite(String::new())),
            ("newcomposite/7", TextPage::Composite("7".into())),
            ("news", TextPage::News(0)),
            ("newsDetails", TextPage::News(0)),
            ("newsInfo/7/0", TextPage::NewsInfo(7, 0)),
            ("newsInfo/7/12", TextPage::NewsInfo(7, 12)),
            ("editorial-board/7/3", TextPage::Board(7, 3)),
            ("editorial-board", TextPage::Board(0, 0)),
            ("scholar/3", TextPage::Expert(3)),
            ("mag/tides", TextPage::Journal("tides".into())),
            ("newLeaguage", TextPage::Languages),
        ] {
            assert_eq!(parse(path), Some(page), "{path}");
        }
        for path in ["news/x", "newsInfo/-1", "newsInfo/1/2/3", "editorial-board/1/x", "scholar/0", "scholar", "info/1"]
        {
            assert_eq!(parse(path), None, "{path}");
        }
    }

    #[test]
    fn written_paths_are_parsed_to_their_pages() {
        for page in [
            TextPage::About(4),
            TextPage::Texts,
            TextPage::Text("a".into()),
            TextPage::Composite("start".into()),
            TextPage::News(4),
            TextPage::NewsInfo(4, 0),
            TextPage::NewsInfo(0, 9),
            TextPage::Board(4, 0),
            TextPage::Board(0, 9),
            TextPage::Experts,
            TextPage::Journal("j".into()),
            TextPage::Articles,
            TextPage::Links,
            TextPage::Contact,
        ] {
            assert_eq!(parse(&page.path()), Some(page));
        }
    }

    #[test]
    fn only_codes_of_enabled_channels_are_pages() {
        let site = site();
        assert_eq!(TextPage::of_code(&["newItem"], &site), Some(TextPage::Channel("newItem".into())));
        assert_eq!(TextPage::of_code(&["hidden"], &site), None);
        assert_eq!(TextPage::of_code(&["newItem", "1"], &site), None);
    }

    #[test]
    fn values_that_name_nothing_are_not_read() {
        let site = site();
        let text = Route::Text(TextPage::News(0));
        let reads = |name: &str, value: &str| text.reads(name, value, &site);
        assert!(reads("columnId", "7") && reads("newsDataType", "statement") && reads("page", "2"));
        assert!(reads("newCompositeId", "start") && reads("code", "conference") && reads("styleId", "4"));
        for (name, value) in [
            ("columnId", "9"),
            ("columnId", "07"),
            ("newsDataType", "gossip"),
            ("page", "1"),
            ("page", "02"),
            ("page", "x"),
            ("newCompositeId", "end"),
            ("code", "x"),
        ] {
            assert!(!reads(name, value), "{name}={value}");
        }
        let list = Route::Resources(ResourceList::Currency);
        for (name, value) in
            [("columnId", "7"), ("styleId", "2"), ("sort", "oldest"), ("sort", "visits"), ("page", "2"), ("q", "tide")]
        {
            assert!(list.reads(name, value, &site), "{name}={value}");
        }
        for (name, value) in
            [("columnId", "9"), ("styleId", "3"), ("sort", "up"), ("page", "1"), ("index", "-1"), ("issearch", "1")]
        {
            assert!(!list.reads(name, value, &site), "{name}={value}");
        }
        let results = Route::ResourceResults(ResourceList::Currency);
        for (name, value) in [("columnId", "7"), ("styleId", "2"), ("sort", "date"), ("page", "2"), ("field", "isbn")] {
            assert!(results.reads(name, value, &site), "{name}={value}");
        }
        for (name, value) in
            [("columnId", "9"), ("styleId", "3"), ("page", "1"), ("index", "-1"), ("issearch", "1"), ("site", "a")]
        {
            assert!(!results.reads(name, value, &site), "{name}={value}");
        }
        let collections = Route::Collections(None);
        assert!(collections.reads("sort", "oldest", &site) && !collections.reads("sort", "visits", &site));
        let article = Route::parse(&["article", "5"], &site.aliases).unwrap();
        assert_eq!(article.parameters(), ["columnId", "virtualId", "graphicAbstract"]);
        for (name, value) in
            [("columnId", "7"), ("virtualId", "12"), ("virtualId", "卷-1.a_b"), ("graphicAbstract", "1")]
        {
            assert!(article.reads(name, value, &site), "{name}={value}");
        }
        let long = "x".repeat(101);
        for (name, value) in
            [("columnId", "9"), ("virtualId", "a/b"), ("virtualId", &long), ("graphicAbstract", "made-up")]
        {
            assert!(!article.reads(name, value, &site), "{name}={value}");
        }
        assert!(Route::Search.reads("sort", "visits", &site) && !Route::OnlineFirst.reads("page", "x", &site));
    }
}

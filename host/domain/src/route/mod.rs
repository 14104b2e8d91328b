//! The routes of specification section 2: one enum for both route families, with parsing and writing of their addresses.

use std::{collections::BTreeMap, fmt::Write as _};

mod resources;
mod search;
mod text;

use self::percent::encode_segment;
pub use self::{
    resources::{OWN_PAGES, ResourceList},
    search::{AccountPage, SEARCH_ROWS},
    text::TextPage,
};
use crate::{
    ids::{ArticleId, Doi},
    lang::Lang,
    resource::ResourceKind,
    site::Site,
};

/// A page of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// `{lang}/home`.
    Home,
    /// `{lang}/home/:id`: the home page of a channel, by its number.
    HomeOf(i64),
    /// `issues`: all issues.
    Issues,
    /// `issue/:year`: the issues of a year.
    IssuesOf(i32),
    /// `issue/:year/:issue`; without both, the latest.
    Issue {
        /// Key of the journal if the site has several (query `journal`), else "".
        journal: String,
        /// Year and issue as printed; `None` for the latest.
        which: Option<(i32, String)>,
    },
    /// `justAccepted`.
    JustAccepted,
    /// `onlineFirst`.
    OnlineFirst,
    /// `article/:thesisId`.
    Article(ArticleId),
    /// `article/doi/:doi1/:doi2/...`.
    ArticleByDoi(Doi),
    /// `article` without an id or with an invalid one: "Article id is not exist".
    ArticleMissing,
    /// `homeNav`: the whole navigation.
    Navigation,
    /// A page of text.
    Text(TextPage),
    /// `newsDetails/:id`: one news item, by its number.
    NewsDetails(i64),
    /// `info/:id`: a page of text, by its number; the number of a channel `item` or `newItem` stands for the page of the channel.
    Information(i64),
    /// `search?q=`.
    Search,
    /// `article?type=&index=-1`: the articles that a search found.
    ArticleResults,
    /// `searchPublication`: the journals that a search found.
    PublicationResults,
    /// `seniorSearch`: the advanced search.
    AdvancedSearch,
    /// `login`, `register`, `personal` and the other pages of accounts.
    Account(AccountPage),
    /// `textList`, `audioList`, `othersList`, `informationList`, `currencyList`, `bookList`.
    Resources(ResourceList),
    /// The same address with words: the page of results, in the tab of the list's type.
    ResourceResults(ResourceList),
    /// `picture/:id`, `book/:id`, ...: a resource by its kind and number ([`Route::of_resource`]).
    Resource(ResourceKind, i64),
    /// `collectionList/:id`: special issues or albums, with the number of the channel that lists them.
    Collections(Option<i64>),
    /// `collections/:virtualId`: a special issue or virtual collection, by its number or key.
    Collection(String),
}

impl Route {
    /// The route's name, as used by metrics, plugins and the shell.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Home | Self::HomeOf(_) => "home",
            Self::Issues | Self::IssuesOf(_) => "issues",
            Self::Issue { .. } => "issue",
            Self::JustAccepted => "justAccepted",
            Self::OnlineFirst => "onlineFirst",
            Self::Article(_) | Self::ArticleByDoi(_) | Self::ArticleMissing => "article",
            Self::Navigation => "homeNav",
            Self::Text(page) => page.name(),
            Self::NewsDetails(_) => "newsDetails",
            Self::Information(_) => "info",
            Self::Search => "search",
            Self::ArticleResults => "articleResults",
            Self::PublicationResults => "searchPublication",
            Self::AdvancedSearch => "seniorSearch",
            Self::Account(page) => page.name(),
            Self::Resources(list) | Self::ResourceResults(list) => list.name(),
            Self::Resource(kind, _) => kind.as_str(),
            Self::Collections(_) => "collectionList",
            Self::Collection(_) => "collections",
        }
    }

    /// The query parameters that the page of this route reads. All others are removed from a request, so that the page and the
    /// key of the page cache depend on declared parameters only.
    #[must_use]
    pub const fn parameters(&self) -> &'static [&'static str] {
        match self {
            Self::Issue { .. } => &["journal", "page"],
            Self::Issues | Self::IssuesOf(_) | Self::JustAccepted | Self::OnlineFirst => &["page"],
            Self::Search | Self::ArticleResults | Self::PublicationResults => search::RESULTS,
            Self::AdvancedSearch => search::ADVANCED,
            Self::Account(AccountPage::Personal) => search::PERSONAL,
            Self::Account(_) => &["url"],
            // The ranking that is shown: what it is ordered by, and its window.
            Self::Home | Self::HomeOf(_) => &["by", "months"],
            Self::Text(page) => page.parameters(),
            Self::Resources(list) => list.parameters(),
            Self::ResourceResults(_) => search::LIST_RESULTS,
            Self::Resource(ResourceKind::Album, _) | Self::Collection(_) => &["tab", "page"],
            Self::Collections(_) => &["journal", "sort", "page"],
            // Where the reader came from, and what is open at first. `index`, `Fpath`, `type` and `type1` say again in which list that was.
            Self::Article(_) | Self::ArticleByDoi(_) => &["columnId", "virtualId", "graphicAbstract"],
            Self::ArticleMissing
            | Self::Navigation
            | Self::NewsDetails(_)
            | Self::Information(_)
            | Self::Resource(..) => &[],
        }
    }

    /// Whether a value of a parameter can mean anything to the page on the site. Others are dropped, so that made-up addresses of one page do not
    /// fill the page cache.
    #[must_use]
    pub fn reads(&self, name: &str, value: &str, site: &Site) -> bool {
        match (self, name) {
            (_, "page") => text::is_later_page(value),
            (Self::Text(_), _) => TextPage::reads(name, value, site),
            // The specification's links carry them, and no list depends on them.
            (Self::Resources(_) | Self::ResourceResults(_), "index" | "issearch") => false,
            (Self::Resources(_) | Self::ResourceResults(_) | Self::Article(_) | Self::ArticleByDoi(_), "columnId") => {
                text::is_channel(value, site)
            }
            (Self::Article(_) | Self::ArticleByDoi(_), "virtualId") => is_key(value),
            (_, "graphicAbstract") => value == "1",
            // Only a group site has sites to choose from in a search.
            (_, "site") => site.is_group_site(),
            (Self::Resources(_) | Self::ResourceResults(_), "styleId") => ["1", "2"].contains(&value),
            (Self::Resources(_), "sort") => ["newest", "oldest", "visits"].contains(&value),
            (Self::Collections(_), "sort") => ["newest", "oldest"].contains(&value),
            _ => true,
        }
    }

    /// Parses the decoded path segments behind the language. `aliases` are the site's other names for a first segment.
    #[must_use]
    pub fn parse(segments: &[&str], aliases: &BTreeMap<String, String>) -> Option<Self> {
        let first = *segments.first()?;
        let first = aliases.get(first).map_or(first, String::as_str);
        let rest = &segments[1..];
        Some(match (first, rest) {
            ("home" | "index", []) => Self::Home,
            // Numbers in their one form only, because other forms would be other addresses of the same page.
            ("home" | "index", [id]) => id
                .parse()
                .ok()
                .filter(|number: &i64| *number > 0 && number.to_string() == *id)
                .map_or(Self::Home, Self::HomeOf),
            ("issues", []) => Self::Issues,
            ("issue", []) => Self::Issue { journal: String::new(), which: None },
            ("issue", [year]) => Self::IssuesOf(year.parse().ok().filter(|year| *year > 0)?),
            ("issue", [year, issue]) => {
                Self::Issue { journal: String::new(), which: Some((year.parse().ok()?, (*issue).to_owned())) }
            }
            ("justAccepted", []) => Self::JustAccepted,
            ("onlineFirst", []) => Self::OnlineFirst,
            ("article", ["doi", doi @ ..]) if !doi.is_empty() => {
                Doi::parse(&doi.join("/")).map_or(Self::ArticleMissing, Self::ArticleByDoi)
            }
            ("article", [] | ["doi"]) => Self::ArticleMissing,
            ("article", [id]) => {
                id.parse().ok().filter(|id| *id > 0).map_or(Self::ArticleMissing, |id| Self::Article(ArticleId(id)))
            }
            ("homeNav", []) => Self::Navigation,
            ("newsDetails", [id]) => Self::NewsDetails(id.parse().ok().filter(|id| *id > 0)?),
            ("info", [id]) if text::is_number(id) => Self::Information(id.parse().ok().filter(|id| *id > 0)?),
            ("search", []) => Self::Search,
            ("searchPublication", []) => Self::PublicationResults,
            ("seniorSearch", []) => Self::AdvancedSearch,
            ("collectionList" | "collections", []) => Self::Collections(None),
            ("collectionList", [id]) => Self::Collections(Some(id.parse().ok().filter(|id| *id > 0)?)),
            ("collections", [name]) => Self::Collection((*name).to_owned()),
            _ => {
                let account = if rest.is_empty() { AccountPage::parse(first).map(Self::Account) } else { None };
                let text = || TextPage::parse(first, rest).map(Self::Text);
                return account.or_else(text).or_else(|| Self::of_resources(first, rest));
            }
        })
    }

    /// A list of resources, or the page of one.
    fn of_resources(first: &str, rest: &[&str]) -> Option<Self> {
        match rest {
            [] => ResourceList::parse(first).map(Self::Resources),
            [id] => resources::parse_own_page(first, id).map(|(kind, id)| Self::Resource(kind, id)),
            _ => None,
        }
    }

    /// Parses the decoded path segments behind the language of a site: a route, or else the code of one of its channels.
    #[must_use]
    pub fn of_site(segments: &[&str], site: &Site) -> Option<Self> {
        Self::parse(segments, &site.aliases).or_else(|| TextPage::of_code(segments, site).map(Self::Text))
    }

    /// The route of an address with a query: `article` without an id is the page of articles that were found, where the query has something
    /// that is searched (specification section 2, "Search result navigation").
    #[must_use]
    pub fn searched(self, segments: usize, has: impl Fn(&str) -> bool) -> Self {
        let asks = ["q", "type", "index"].into_iter().any(has);
        if self == Self::ArticleMissing && segments == 1 && asks { Self::ArticleResults } else { self }
    }

    /// The route of an address whose query has words: a list of resources becomes the page of results, except for a type (`kind`) that has no
    /// tab there.
    #[must_use]
    pub fn with_words(self, words: &str, kind: &str) -> Self {
        match self {
            Self::Resources(list) if !words.is_empty() && list.has_results(kind) => Self::ResourceResults(list),
            other => other,
        }
    }

    /// Whether the page lists what a search found.
    #[must_use]
    pub const fn is_search(&self) -> bool {
        matches!(
            self,
            Self::Search
                | Self::ArticleResults
                | Self::PublicationResults
                | Self::ResourceResults(_)
                | Self::AdvancedSearch
        )
    }

    /// The page of a resource, by its kind and number; `None` for kinds without a page of their own.
    #[must_use]
    pub fn of_resource(kind: ResourceKind, id: i64) -> Option<Self> {
        match kind {
            ResourceKind::News => Some(Self::NewsDetails(id)),
            ResourceKind::Information => Some(Self::Information(id)),
            ResourceKind::Collection => Some(Self::Collection(id.to_string())),
            ResourceKind::Expert => Some(Self::Text(TextPage::Expert(id))),
            own if resources::has_own_page(own) => Some(Self::Resource(own, id)),
            _ => None,
        }
    }

    /// The percent-encoded path behind the language, without leading slash.
    #[must_use]
    pub fn path(&self) -> String {
        match self {
            Self::Home => "home".to_owned(),
            Self::ArticleResults => "article".to_owned(),
            Self::HomeOf(id) => format!("home/{id}"),
            Self::IssuesOf(year) => format!("issue/{year}"),
            Self::Issue { which: Some((year, issue)), .. } => format!("issue/{year}/{}", encode_segment(issue)),
            Self::Article(id) => format!("article/{id}"),
            Self::NewsDetails(id) => format!("newsDetails/{id}"),
            Self::Information(id) => format!("info/{id}"),
            Self::Text(page) => page.path(),
            Self::Resource(kind, id) => format!("{}/{id}", kind.as_str()),
            Self::Collections(Some(channel)) => format!("collectionList/{channel}"),
            Self::Collection(name) => format!("collections/{}", encode_segment(name)),
            Self::ArticleByDoi(doi) => {
                let mut path = "article/doi".to_owned();
                for segment in doi.as_str().split('/') {
                    let _ = write!(path, "/{}", encode_segment(segment));
                }
                path
            }
            other => other.name().to_owned(),
        }
    }
}

/// Whether a value may be the number or key of a special issue.
fn is_key(value: &str) -> bool {
    value.len() <= 100 && value.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
}

/// The parts of a request's path that are known before the site's own routes are considered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// Short name in the path, for a host that names no site.
    pub sld: Option<&'a str>,
    /// Language segment.
    pub lang: Option<Lang>,
    /// The remaining segments.
    pub rest: Vec<&'a str>,
}

impl<'a> Address<'a> {
    /// Splits decoded path segments. With `site_in_path` the first segment names the site: `/:sld/:lang?/...`; otherwise the path
    /// begins with the language: `/:lang/...`.
    #[must_use]
    pub fn split(segments: &[&'a str], site_in_path: bool) -> Self {
        let (sld, rest) = match segments {
            [first, rest @ ..] if site_in_path => (Some(*first), rest),
            all => (None, all),
        };
        let lang = rest.first().and_then(|segment| segment.parse().ok());
        let rest = if lang.is_some() { &rest[1..] } else { rest };
        Self { sld, lang, rest: rest.to_vec() }
    }
}

mod percent {
    use std::fmt::Write as _;

    /// Percent-encodes all characters except the unreserved ones of RFC 3986.
    pub fn encode_segment(text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for byte in text.bytes() {
            if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                out.push(byte as char);
            } else {
                let _ = write!(out, "%{byte:02X}");
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parse(path: &str) -> Option<Route> {
        let aliases = BTreeMap::from([("hssArticle".to_owned(), "article".to_owned())]);
        Route::parse(&path.split('/').collect::<Vec<_>>(), &aliases)
    }

    #[test]
    fn routes_of_the_specification_are_parsed() {
        assert_eq!(parse("home"), Some(Route::Home));
        assert_eq!(parse("home/3"), Some(Route::HomeOf(3)));
        for other in ["home/03", "home/x", "home/-3", "home/0", "index/99999999999999999999"] {
            assert_eq!(parse(other), Some(Route::Home), "{other}");
        }
        assert_eq!(parse("issue"), Some(Route::Issue { journal: String::new(), which: None }));
        assert_eq!(
            parse("issue/2026/S 1"),
            Some(Route::Issue { journal: String::new(), which: Some((2026, "S 1".into())) })
        );
        assert_eq!(parse("article/17"), Some(Route::Article(ArticleId(17))));
        assert_eq!(parse("hssArticle/17"), Some(Route::Article(ArticleId(17))));
        assert_eq!(parse("article/doi/10.5555/a/b/c"), Some(Route::ArticleByDoi(Doi::parse("10.5555/a/b/c").unwrap())));
    }

    #[test]
    fn an_invalid_article_id_is_a_missing_article() {
        for path in [
            "article",
            "article/x",
            "article/-1",
            "article/0",
            "article/doi",
            "article/doi/x",
            "article/99999999999999999999",
        ] {
            assert_eq!(parse(path), Some(Route::ArticleMissing), "{path}");
        }
    }

    #[test]
    fn other_paths_are_no_routes() {
        for path in [
            "",
            "nowhere",
            "issue/x/1",
            "issue/x",
            "issue/0",
            "issue/-5",
            "issue/99999999999",
            "issue/2026/1/2",
            "article/1/2",
            "home/1/2",
            "newsDetails/x",
            "info/0",
        ] {
            assert_eq!(parse(path), None, "{path}");
        }
    }

    #[test]
    fn written_paths_are_parsed_to_their_routes() {
        for route in [
            Route::Home,
            Route::HomeOf(7),
            Route::Issues,
            Route::JustAccepted,
            Route::OnlineFirst,
            Route::Text(TextPage::About(0)),
            Route::Search,
            Route::Navigation,
            Route::NewsDetails(12),
            Route::Information(3),
            Route::Article(ArticleId(5)),
            Route::IssuesOf(2025),
            Route::Issue { journal: String::new(), which: Some((2025, "2".into())) },
            Route::ArticleByDoi(Doi::parse("10.5555/a.b/c").unwrap()),
        ] {
            assert_eq!(parse(&route.path()), Some(route));
        }
    }

    #[test]
    fn addresses_of_both_families_are_split() {
        let segments = ["ocean", "en", "issue", "2026", "1"];
        let by_path = Address::split(&segments, true);
        assert_eq!((by_path.sld, by_path.lang), (Some("ocean"), Some(Lang::En)));
        let by_host = Address::split(&segments[1..], false);
        assert_eq!((by_host.sld, by_host.lang, &by_host.rest), (None, Some(Lang::En), &by_path.rest));
    }
}

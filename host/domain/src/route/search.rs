//! The pages of a search, and those of readers' accounts.

/// Conditions of an advanced search on one page.
pub const SEARCH_ROWS: usize = 5;

/// What every page of a search reads: words, kind, field and match; order; filters; the site of a group; page.
macro_rules! search_parameters {
    ($($more:literal),*) => {
        &[
            "q", "type", "field", "match", "sort", "order", "column", "journal", "author", "articleType", "language", "fund", "oa",
            "publishType", "yearFrom", "yearTo", "lastYears", "site", "page", "after",
            $($more),*
        ]
    };
}

/// The query parameters of the page of results.
pub(super) const RESULTS: &[&str] = search_parameters!();

/// The query parameters of a list of resources with words: beside those of the results, what names the list and its channel.
pub(super) const LIST_RESULTS: &[&str] = search_parameters!("code", "columnId", "styleId", "issearch", "index");

/// The query parameters of the advanced search: beside those of the results, the rows, each with operator, field, value and match.
pub(super) const ADVANCED: &[&str] = search_parameters!(
    "o1", "f1", "v1", "m1", "o2", "f2", "v2", "m2", "o3", "f3", "v3", "m3", "o4", "f4", "v4", "m4", "o5", "f5", "v5",
    "m5"
);

/// The query parameters of the personal center: its tab, and the part of the list that the tab shows. The host reads the tab only; the others are
/// part of the address in each language.
pub(super) const PERSONAL: &[&str] = &["url", "tab", "type", "keyword", "album", "page"];

/// A page of readers' accounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountPage {
    /// `login`: sign-in.
    Login,
    /// `quickLogin`: sign-in with a code.
    QuickLogin,
    /// `register`: registration.
    Register,
    /// `forgetCode`: a new password.
    ForgetCode,
    /// `accountBinding`: connection of an account with one of another service.
    AccountBinding,
    /// `personal`: the personal center.
    Personal,
}

impl AccountPage {
    /// All pages.
    pub const ALL: [Self; 6] =
        [Self::Login, Self::QuickLogin, Self::Register, Self::ForgetCode, Self::AccountBinding, Self::Personal];

    /// The name in addresses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::QuickLogin => "quickLogin",
            Self::Register => "register",
            Self::ForgetCode => "forgetCode",
            Self::AccountBinding => "accountBinding",
            Self::Personal => "personal",
        }
    }

    /// The page with this name in addresses.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|page| page.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::route::Route;

    fn parse(path: &str) -> Option<Route> {
        Route::parse(&path.split('/').collect::<Vec<_>>(), &BTreeMap::new())
    }

    #[test]
    fn pages_of_searches_and_accounts_are_parsed_by_name() {
        for route in [Route::Search, Route::PublicationResults, Route::AdvancedSearch] {
            assert_eq!(parse(&route.path()), Some(route.clone()));
            assert!(route.is_search() && route.parameters().contains(&"page"), "{route:?}");
        }
        for page in AccountPage::ALL {
            assert_eq!(parse(page.name()), Some(Route::Account(page)));
            let personal = page == AccountPage::Personal;
            assert_eq!(Route::Account(page).parameters().len(), if personal { 6 } else { 1 });
            assert_eq!(Route::Account(page).parameters()[0], "url");
        }
        assert_eq!(parse("seniorSearch/1"), None);
        assert_eq!(parse("login/external"), None, "the sign-in itself is no page");
    }

    #[test]
    fn articles_without_an_id_are_found_where_the_query_asks() {
        let none = || Route::ArticleMissing;
        assert_eq!(none().searched(1, |name| name == "index"), Route::ArticleResults);
        assert_eq!(none().searched(1, |_| false), Route::ArticleMissing);
        assert_eq!(none().searched(2, |_| true), Route::ArticleMissing, "article/x");
        assert_eq!(Route::Home.searched(1, |_| true), Route::Home);
        assert_eq!(Route::ArticleResults.path(), "article");
    }

    #[test]
    fn every_row_of_an_advanced_search_has_its_parameters() {
        for row in 1..=SEARCH_ROWS {
            for part in ["o", "f", "v", "m"] {
                assert!(ADVANCED.contains(&format!("{part}{row}").as_str()), "{part}{row}");
            }
        }
        assert_eq!(ADVANCED.len(), RESULTS.len() + 4 * SEARCH_ROWS);
    }
}

//! What the address of a search asks for. Every state of the page of results is an address, which this type reads and writes.

use masthead_domain::{
    resource::ResourceKind,
    route::{Route, SEARCH_ROWS},
};
use masthead_search::{Clause, EntryKind, Facet, Filter, Join, Query, SpellingSuggestion};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::tab::Tab;
use crate::{
    page::{content::resources, context::Context},
    search_service::{Nearest, SearchRequest, terms},
    usage::popularity::Counter,
};

/// Sort keys, with the keys of their names (specification section 9).
pub const SORTS: [(&str, &str); 7] = [
    ("", "sort_relevance"),
    ("date", "sort_date"),
    ("visits", "visits"),
    ("downloads", "downloads"),
    ("referenceCount", "sort_citations"),
    ("commentCount", "sort_comments"),
    ("updateTime", "sort_updated"),
];
/// Further sort keys of articles (specification section 3), with the keys of their names.
pub const MORE_SORTS: [(&str, &str); 4] = [
    ("ppubDate", "sort_print_date"),
    ("firstStatus", "sort_first_status"),
    ("year", "sort_year"),
    ("issue", "sort_issue"),
];
/// The fields by whose values hits are counted and filtered.
pub const FILTERED: [Facet; 9] = [
    Facet::Year,
    Facet::Access,
    Facet::OnlineFirst,
    Facet::Journal,
    Facet::Column,
    Facet::Author,
    Facet::ArticleType,
    Facet::Language,
    Facet::Fund,
];
/// Windows of years: all of them, or the last n (specification section 9).
pub const WINDOWS: [i32; 3] = [5, 3, 1];
/// The windows of the advanced search.
pub const ADVANCED_WINDOWS: [i32; 2] = [10, 5];

/// A condition of an advanced search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdvancedCondition {
    /// AND, OR or NOT: how it is joined to those before it.
    pub join: String,
    /// Field of the specification, or "" for all.
    pub field: String,
    /// What is searched.
    pub value: String,
    /// 1 for a precise match, 0 for a fuzzy one, "" for words as usual.
    pub precise: String,
}

/// The state of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchState {
    /// Whether it is an advanced search.
    pub advanced: bool,
    /// What the reader typed.
    pub words: String,
    /// The tab.
    pub tab: Tab,
    /// One kind of the tab, or `None` for all of them.
    pub kind: Option<ResourceKind>,
    /// Whether the address names what is searched: then all of it is listed without words.
    pub named: bool,
    /// Field of the specification, or "" for all.
    pub field: String,
    /// Match of the words: precise or fuzzy, or `None` for words as usual.
    pub precise: Option<bool>,
    /// Sort key, one of [`SORTS`] or [`MORE_SORTS`].
    pub sort: &'static str,
    /// Whether the least comes first. Relevance has one direction.
    pub ascending: bool,
    /// Column (subject heading), or "".
    pub column: String,
    /// Key of a journal, or "".
    pub journal: String,
    /// Name of an author, or "".
    pub author: String,
    /// JATS article type, or "".
    pub article_type: String,
    /// Language of the article, or "".
    pub language: String,
    /// Funder, or "".
    pub fund: String,
    /// Open access, or not.
    pub open: Option<bool>,
    /// Published online first, or formally.
    pub online_first: Option<bool>,
    /// First year, as typed.
    pub year_from: String,
    /// Last year, as typed.
    pub year_to: String,
    /// The last years, including the present one.
    pub last_years: Option<i32>,
    /// Short name of one site of the group, or "" for all of them.
    pub site: String,
    /// Conditions of the advanced search; a row without a value is none.
    pub rows: Vec<AdvancedCondition>,
}

impl SearchState {
    /// Reads the parameters of a page, each by its name; "" for one that the address does not have.
    pub fn read<'a>(route: &Route, parameter: impl Fn(&str) -> &'a str) -> Self {
        let text = |name: &str| parameter(name).to_owned();
        let given = match route {
            Route::PublicationResults => "publication",
            Route::ResourceResults(list) => resources::searched_type(*list, [parameter("type"), parameter("code")]),
            _ => parameter("type"),
        };
        let (tab, kind) = Tab::of_type(given);
        let advanced = *route == Route::AdvancedSearch;
        // The specification has two names for the date, and lists have one for each of its directions.
        let asked_sort = match parameter("sort") {
            "publishDate" | "newest" | "oldest" => "date",
            other => other,
        };
        let known = SORTS.iter().chain(&MORE_SORTS).map(|(sort, _)| *sort).find(|sort| *sort == asked_sort);
        let sort = known.filter(|sort| tab.sorts(sort)).unwrap_or_default();
        let field = parameter("field");
        let last_years = parameter("lastYears").parse().ok().filter(|years| (1..=100).contains(years));
        Self {
            advanced,
            words: text("q"),
            tab,
            kind,
            named: matches!(route, Route::ArticleResults | Route::PublicationResults) || !given.is_empty(),
            field: if field == "0" || terms::target(field).is_none() { String::new() } else { field.to_owned() },
            precise: one_or_zero(parameter("match")),
            ascending: !sort.is_empty() && (parameter("order") == "asc" || parameter("sort") == "oldest"),
            sort,
            column: text("column"),
            journal: text("journal"),
            author: text("author"),
            article_type: text("articleType"),
            language: text("language"),
            fund: text("fund"),
            // As in the specification: 0 is open access, 1 is not; 1 is online first, 0 is formal.
            open: one_or_zero(parameter("oa")).map(|not| !not),
            online_first: one_or_zero(parameter("publishType")),
            year_from: text("yearFrom"),
            year_to: text("yearTo"),
            last_years,
            site: text("site"),
            rows: if advanced { rows(&parameter) } else { Vec::new() },
        }
    }

    /// The parameters of the address, without those that have their usual value, and without the page.
    pub fn parameters(&self) -> Vec<(String, String)> {
        let bit = |value: Option<bool>| value.map(|one| u8::from(one).to_string()).unwrap_or_default();
        let kind = self
            .kind
            .map_or_else(|| if self.named { self.tab.name() } else { self.tab.other_name() }, ResourceKind::as_str);
        let mut all: Vec<(String, String)> = [
            ("q", self.words.clone()),
            ("type", kind.to_owned()),
            ("field", self.field.clone()),
            ("match", bit(self.precise)),
            ("sort", self.sort.to_owned()),
            ("order", if self.ascending { "asc".to_owned() } else { String::new() }),
            ("column", self.column.clone()),
            ("journal", self.journal.clone()),
            ("author", self.author.clone()),
            ("articleType", self.article_type.clone()),
            ("language", self.language.clone()),
            ("fund", self.fund.clone()),
            ("oa", bit(self.open.map(|open| !open))),
            ("publishType", bit(self.online_first)),
            ("yearFrom", self.year_from.clone()),
            ("yearTo", self.year_to.clone()),
            ("lastYears", self.last_years.map(|years| years.to_string()).unwrap_or_default()),
            ("site", self.site.clone()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| !row.value.is_empty()) {
            let number = index + 1;
            let join = if row.join == "AND" { "" } else { row.join.as_str() };
            for (name, value) in
                [("o", join), ("f", row.field.as_str()), ("v", row.value.as_str()), ("m", row.precise.as_str())]
            {
                all.push((format!("{name}{number}"), value.to_owned()));
            }
        }
        all.retain(|(_, value)| !value.is_empty());
        all
    }

    /// The route of its addresses.
    pub const fn route(&self) -> Route {
        if self.advanced { Route::AdvancedSearch } else { Route::Search }
    }

    /// The address of this state.
    pub fn href(&self, context: &Context<'_>) -> String {
        let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
        let pairs: Vec<String> =
            self.parameters().iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let path = context.addresses.route(&self.route());
        if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// The same search in another tab. What that tab does not have is left out.
    pub fn in_tab(&self, tab: Tab) -> Self {
        let sort = if tab.sorts(self.sort) { self.sort } else { "" };
        let kept =
            Self { tab, kind: None, named: true, sort, ascending: self.ascending && !sort.is_empty(), ..self.clone() };
        let absent = FILTERED.into_iter().filter(|facet| !tab.has(*facet));
        absent.fold(kept, |state, facet| state.without(facet))
    }

    /// The same search without the filter by this field.
    pub fn without(&self, facet: Facet) -> Self {
        let mut state = self.clone();
        match facet {
            Facet::Year => {
                state.year_from.clear();
                state.year_to.clear();
                state.last_years = None;
            }
            Facet::Access => state.open = None,
            Facet::OnlineFirst => state.online_first = None,
            _ => {
                if let Some(value) = state.value_mut(facet) {
                    value.clear();
                }
            }
        }
        state
    }

    /// The same search with this value of a field; with a year, with that year alone.
    pub fn with(&self, facet: Facet, value: &str) -> Self {
        let mut state = self.without(facet);
        match facet {
            Facet::Year => {
                value.clone_into(&mut state.year_from);
                value.clone_into(&mut state.year_to);
            }
            Facet::Access => state.open = Some(value == "true"),
            Facet::OnlineFirst => state.online_first = Some(value == "true"),
            _ => {
                if let Some(one) = state.value_mut(facet) {
                    value.clone_into(one);
                }
            }
        }
        state
    }

    /// The filter by a field that has one value.
    pub fn value(&self, facet: Facet) -> &str {
        match facet {
            Facet::Column => &self.column,
            Facet::Journal => &self.journal,
            Facet::Author => &self.author,
            Facet::ArticleType => &self.article_type,
            Facet::Language => &self.language,
            Facet::Fund => &self.fund,
            Facet::Kind | Facet::Year | Facet::Access | Facet::OnlineFirst => "",
        }
    }

    const fn value_mut(&mut self, facet: Facet) -> Option<&mut String> {
        Some(match facet {
            Facet::Column => &mut self.column,
            Facet::Journal => &mut self.journal,
            Facet::Author => &mut self.author,
            Facet::ArticleType => &mut self.article_type,
            Facet::Language => &mut self.language,
            Facet::Fund => &mut self.fund,
            Facet::Kind | Facet::Year | Facet::Access | Facet::OnlineFirst => return None,
        })
    }

    /// The same search without filters.
    pub fn without_filters(&self) -> Self {
        let state = Self { kind: None, precise: None, site: String::new(), ..self.clone() };
        FILTERED.into_iter().fold(state, |state, facet| state.without(facet))
    }

    /// Whether anything is to be searched or listed.
    pub fn is_search(&self) -> bool {
        self.has_words() || (!self.advanced && (self.named || self.is_filtered()))
    }

    /// Whether the reader typed something.
    pub fn has_words(&self) -> bool {
        !self.words.trim().is_empty() || self.rows.iter().any(|row| !row.value.is_empty())
    }

    /// The words and the values of the rows with the operators between them.
    pub fn typed(&self) -> String {
        let rows = self.rows.iter().filter(|row| !row.value.is_empty()).enumerate();
        let rows = rows.map(|(place, row)| match (place, row.join.as_str()) {
            (0, "AND" | "OR" | "") => row.value.clone(),
            (_, join) => format!("{join} {}", row.value),
        });
        let words = Some(&self.words).filter(|words| !words.is_empty()).cloned();
        words.into_iter().chain(rows).collect::<Vec<_>>().join(" ")
    }

    /// The same search with the words that were probably meant, each in its place.
    pub fn meant(&self, suggestion: &SpellingSuggestion) -> Self {
        let mut state = self.clone();
        let mut texts = suggestion.clauses.iter().map(|clause| &clause.text);
        for row in state.rows.iter_mut().filter(|row| row.clause().is_some()) {
            if let Some(text) = texts.next() {
                row.value.clone_from(text);
            }
        }
        // Words that are a condition are the last one.
        state.words.clone_from(texts.next().unwrap_or(&suggestion.text));
        state
    }

    /// Whether a filter is set. The match of the words is none: it filters nothing without words.
    pub fn is_filtered(&self) -> bool {
        self.without_filters() != Self { precise: None, ..self.clone() }
    }

    /// The kinds of entries that are searched.
    pub fn kinds(&self) -> Vec<EntryKind> {
        self.kind.map_or_else(|| self.tab.kinds(), |kind| vec![EntryKind::Resource(kind)])
    }

    /// The filters, with the present year for the last years.
    pub fn filters(&self, this_year: i32) -> Vec<Filter> {
        let named = |text: &str, filter: fn(String) -> Filter| (!text.is_empty()).then(|| filter(text.to_owned()));
        [
            year(&self.year_from).map(Filter::YearFrom),
            year(&self.year_to).map(Filter::YearTo),
            self.last_years.map(|years| Filter::YearFrom(this_year.saturating_sub(years - 1))),
            self.open.map(Filter::OpenAccess),
            self.online_first.map(Filter::OnlineFirst),
            named(&self.column, Filter::Column),
            named(&self.journal, Filter::Journal),
            named(&self.author, Filter::Author),
            named(&self.article_type, Filter::ArticleType),
            named(&self.language, Filter::Language),
            named(&self.fund, Filter::Fund),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The request for a part of the hits.
    pub fn request(&self, this_year: i32, offset: usize, limit: usize) -> SearchRequest {
        let (order, counter): (_, Option<(Counter, bool)>) =
            terms::order(self.sort, self.ascending).unwrap_or_default();
        // Words for a field, or with a match of their own, are a condition; others are rewritten by plugins.
        let typed = self.field.is_empty() && self.precise.is_none();
        let own = (!typed && !self.words.is_empty()).then(|| Clause {
            join: Join::And,
            target: terms::target(&self.field).unwrap_or(masthead_search::Target::Everything),
            text: self.words.clone(),
            precise: self.precise == Some(true),
        });
        let clauses = self.rows.iter().filter_map(AdvancedCondition::clause).chain(own).collect();
        let text = if typed { self.words.clone() } else { String::new() };
        let query = Query {
            kinds: self.kinds(),
            text,
            clauses,
            all: !self.has_words(),
            order,
            filters: self.filters(this_year),
            ..Query::default()
        };
        SearchRequest { query, counter, offset, limit, nearest: Nearest::Executed, ..SearchRequest::default() }
    }
}

impl AdvancedCondition {
    fn clause(&self) -> Option<Clause> {
        if self.value.is_empty() {
            return None;
        }
        let join = match self.join.as_str() {
            "OR" => Join::Or,
            "NOT" => Join::Not,
            _ => Join::And,
        };
        let target = terms::target(&self.field)?;
        Some(Clause { join, target, text: self.value.clone(), precise: self.precise == "1" })
    }
}

/// The rows of an advanced search, in their places.
fn rows<'a>(parameter: &impl Fn(&str) -> &'a str) -> Vec<AdvancedCondition> {
    let text = |part: &str, row: usize| parameter(&format!("{part}{row}")).to_owned();
    (1..=SEARCH_ROWS)
        .map(|row| AdvancedCondition {
            join: if ["OR", "NOT"].contains(&text("o", row).as_str()) { text("o", row) } else { "AND".to_owned() },
            field: Some(text("f", row))
                .filter(|field| terms::target(field).is_some() && field != "0")
                .unwrap_or_default(),
            value: text("v", row),
            precise: Some(text("m", row)).filter(|one| one_or_zero(one).is_some()).unwrap_or_default(),
        })
        .collect()
}

/// A year as readers type it.
pub fn year(text: &str) -> Option<i32> {
    text.parse().ok().filter(|year| (1..=9999).contains(year))
}

fn one_or_zero(text: &str) -> Option<bool> {
    match text {
        "1" => Some(true),
        "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> SearchState {
        SearchState {
            words: "sea".into(),
            column: "Letters".into(),
            open: Some(true),
            last_years: Some(3),
            ..SearchState::default()
        }
    }

    fn written(state: &SearchState) -> String {
        let pairs: Vec<String> = state.parameters().iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("&")
    }

    #[test]
    fn an_address_has_what_differs_from_the_usual() {
        assert_eq!(written(&SearchState::default()), "");
        assert_eq!(written(&asked()), "q=sea&column=Letters&oa=0&lastYears=3");
        assert_eq!(written(&asked().without_filters()), "q=sea");
        assert_eq!(written(&asked().in_tab(Tab::Figures)), "q=sea&type=picture&column=Letters&oa=0&lastYears=3");
        assert_eq!(written(&asked().in_tab(Tab::News)), "q=sea&type=news&lastYears=3", "without what the tab has not");
        let at_site = SearchState { site: "pier".into(), ..asked() };
        assert_eq!(written(&at_site.in_tab(Tab::News)), "q=sea&type=news&lastYears=3&site=pier");
        assert_eq!(written(&at_site.without_filters()), "q=sea");
        let row = |join: &str, value: &str| AdvancedCondition {
            join: join.into(),
            value: value.into(),
            ..AdvancedCondition::default()
        };
        let advanced = SearchState {
            advanced: true,
            rows: vec![row("AND", "a"), row("OR", ""), row("NOT", "b")],
            ..SearchState::default()
        };
        assert_eq!(written(&advanced), "v1=a&o3=NOT&v3=b");
    }

    #[test]
    fn a_list_with_words_is_the_tab_of_its_type() {
        use masthead_domain::route::ResourceList::{Audio, Books, Currency, Information, Others, Text};

        for (list, kind, code, tab, one) in [
            (Text, "picture", "", Tab::Figures, None),
            (Text, "table", "", Tab::Tables, None),
            (Text, "made-up", "", Tab::Figures, None),
            (Audio, "", "", Tab::Video, None),
            (Audio, "audio", "", Tab::Audio, None),
            (Others, "other", "", Tab::Resources, None),
            (Others, "tool", "", Tab::Resources, Some(ResourceKind::Tool)),
            (Information, "news", "", Tab::News, None),
            (Information, "wechat", "", Tab::News, Some(ResourceKind::Wechat)),
            (Currency, "mixed", "", Tab::Resources, None),
            (Currency, "onlineVideo", "", Tab::Video, None),
            (Currency, "", "standard", Tab::Resources, Some(ResourceKind::Standard)),
            (Books, "", "", Tab::Resources, Some(ResourceKind::Book)),
        ] {
            let parameter = |name: &str| match name {
                "q" => "tide",
                "type" => kind,
                "code" => code,
                "field" => "resName_tic",
                _ => "",
            };
            let state = SearchState::read(&Route::ResourceResults(list), parameter);
            assert_eq!((state.tab, state.kind, state.named), (tab, one, true), "{list:?} {kind} {code}");
            assert_eq!((state.words.as_str(), state.field.as_str()), ("tide", "resName_tic"));
            assert_eq!(state.route(), Route::Search, "the links of the page lead to the other results");
        }
        for (sort, expected) in [("newest", ("date", false)), ("oldest", ("date", true)), ("visits", ("visits", false))]
        {
            let state =
                SearchState::read(&Route::ResourceResults(Books), |name| if name == "sort" { sort } else { "" });
            assert_eq!((state.sort, state.ascending), expected, "the orders of a list");
        }
    }

    #[test]
    fn filters_and_named_kinds_are_searched_without_words() {
        assert!(!SearchState::default().is_search());
        assert!(!SearchState { sort: "date", precise: Some(true), ..SearchState::default() }.is_search());
        assert!(asked().is_search());
        assert!(SearchState { column: "Letters".into(), ..SearchState::default() }.is_search());
        assert!(SearchState { named: true, ..SearchState::default() }.is_search());
        assert!(
            !SearchState {
                advanced: true,
                named: true,
                rows: vec![AdvancedCondition::default()],
                ..SearchState::default()
            }
            .is_search()
        );
    }

    #[test]
    fn the_last_years_include_the_present_one() {
        let filters = asked().filters(2026);
        assert!(
            filters.contains(&Filter::YearFrom(2024)) && filters.contains(&Filter::OpenAccess(true)),
            "{filters:?}"
        );
        assert_eq!([year("2026"), year("0"), year("x"), year("99999")], [Some(2026), None, None, None]);
    }

    #[test]
    fn what_was_meant_stands_where_it_was_typed() {
        let row = |join: &str, value: &str| AdvancedCondition {
            join: join.into(),
            value: value.into(),
            ..AdvancedCondition::default()
        };
        let advanced = SearchState {
            advanced: true,
            rows: vec![row("AND", "sedimnet"), row("AND", ""), row("NOT", "ice")],
            ..SearchState::default()
        };
        let corrected = |state: &SearchState| {
            let query = state.request(2026, 0, 20).query;
            let right = |text: &str| text.replace("sedimnet", "sediment");
            let clauses = query.clauses.iter().map(|clause| Clause { text: right(&clause.text), ..clause.clone() });
            state.meant(&SpellingSuggestion { text: right(&query.text), clauses: clauses.collect(), total: 1 })
        };
        let meant = corrected(&advanced);
        assert_eq!(
            (meant.typed().as_str(), written(&meant).as_str()),
            ("sediment NOT ice", "v1=sediment&o3=NOT&v3=ice")
        );
        let words = SearchState { words: "sedimnet".into(), ..SearchState::default() };
        for state in [words.clone(), SearchState { field: "resName_tic".into(), ..words }] {
            let expected = SearchState { words: "sediment".into(), ..state.clone() };
            assert_eq!(corrected(&state), expected);
            assert_eq!(expected.typed(), "sediment");
        }
    }

    #[test]
    fn words_of_a_field_are_a_condition() {
        let plain = asked().request(2026, 0, 20).query;
        assert_eq!((plain.text.as_str(), plain.clauses.len()), ("sea", 0));
        let titled =
            SearchState { field: "resName_tic".into(), precise: Some(true), ..asked() }.request(2026, 0, 20).query;
        assert_eq!((titled.text.as_str(), titled.clauses.len(), titled.clauses[0].precise), ("", 1, true));
    }
}

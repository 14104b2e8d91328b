//! Parameters of a search, from the address or as JSON.

use axum::http::StatusCode;
use masthead_domain::site::{SearchCondition, search_type};
use masthead_search::{Clause, Filter, Join, MAX_CLAUSES, MAX_TEXT, MAX_WINDOW, Order, PageKey, Query};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::envelope::{ApiError, Caller};
use crate::search_service::{
    SearchRequest, SearchScope,
    terms::{self, kinds},
};
use crate::usage::popularity::Counter;

/// Default number of hits on a page (specification section 9).
const DEFAULT_PAGE_SIZE: usize = 20;
/// Greatest number of hits on a page.
const MAX_PAGE_SIZE: usize = 100;
/// Greatest length of the conditions in an address, in bytes.
const MAX_CONDITIONS: usize = 64 << 10;

/// Parameters of a search.
#[derive(Clone, Debug, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", default)]
pub struct SearchForm {
    /// Search text: AND, OR, NOT in capitals, quotation marks for a phrase.
    pub q: Option<String>,
    /// What is searched: article (default; also thesis), publication (also periodical), picture, table, video, audio,
    /// book, news, patent, standard, document, expert, ..., other (patents, standards, documents, tools), all.
    #[serde(rename = "type")]
    pub kind: String,
    /// Page, from 0.
    pub page: usize,
    /// Hits on a page: 20 by default, at most 100.
    pub size: Option<usize>,
    /// Sort key: relevance (default), date (the same as publishDate), visits, downloads, referenceCount (citations: by articles of the
    /// installation, or as Crossref counts them if that is more and was imported), commentCount, updateTime (journals, and records
    /// changed before the installation recorded the time of changes, come last), publishDate, ppubDate, firstStatus, year, issue.
    pub sort: String,
    /// Sort direction: desc (default) or asc.
    pub order: String,
    /// First year.
    pub year_from: Option<i32>,
    /// Last year.
    pub year_to: Option<i32>,
    /// The last n years, including the current one: 1, 3, 5, 10.
    pub last_years: Option<i32>,
    /// `true`: open access only; `false`: other articles only.
    pub oa: Option<bool>,
    /// Publish type of articles: 0 formal, 1 online first.
    pub publish_type: Option<u8>,
    /// A column (subject heading), as in the hit counts.
    pub column: String,
    /// Key of a journal.
    pub journal: String,
    /// JATS article type.
    pub article_type: String,
    /// Name of an author, as it is printed, in any case and spacing.
    pub author: String,
    /// Language of the article, as a BCP 47 tag; script and region do not matter.
    pub language: String,
    /// Name of a funder, as it is printed, in any case and spacing.
    pub fund: String,
    /// Starts behind this hit: the value of `next` of the page before. Pages behind the 10,000th hit are available with it only. `page` is
    /// then the number that the answer repeats.
    pub after: String,
    /// If nothing matches the whole query, or few entries match a short one, `true` returns the results of the nearest query that has more;
    /// `relaxation` describes it. With `false`, an answer without hits only says in `relaxation` how that query differs, and in
    /// `didYouMean` what was probably meant.
    pub relax: bool,
    /// Sites that are searched: `own` (default), or `group`, which at a group site are this site and the other open sites of its group.
    pub scope: String,
    /// Conditions of an advanced search as a JSON array of objects with `field`, `value`, `operator`, `matchType`: at most 12, each with a
    /// `value` of at most 512 characters.
    pub conditions: String,
    /// `true` while the reader is still typing: the search is not counted.
    pub suggest: bool,
}

/// Parameters of a search, as JSON.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SearchBody {
    /// Search text.
    q: Option<String>,
    /// What is searched, as in the address.
    #[serde(rename = "type")]
    kind: String,
    /// Page, from 0.
    page: usize,
    /// Hits on a page.
    size: Option<usize>,
    /// Sort key, as in the address.
    sort: String,
    /// Sort direction: desc or asc.
    order: String,
    /// First year.
    year_from: Option<i32>,
    /// Last year.
    year_to: Option<i32>,
    /// The last n years, including the current one.
    last_years: Option<i32>,
    /// `true`: open access only; `false`: other articles only.
    oa: Option<bool>,
    /// Publish type of articles: 0 formal, 1 online first.
    publish_type: Option<u8>,
    /// A column (subject heading).
    column: String,
    /// Key of a journal.
    journal: String,
    /// JATS article type.
    article_type: String,
    /// Name of an author.
    author: String,
    /// Language of the article.
    language: String,
    /// Name of a funder.
    fund: String,
    /// Starts behind this hit, as in the address.
    after: String,
    /// `true`: the nearest search is made where nothing has all that was typed, as in the address.
    relax: bool,
    /// Sites that are searched, as in the address.
    scope: String,
    /// Conditions: at most 12.
    conditions: Vec<Condition>,
}

/// A condition of an advanced search (specification "Search condition").
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Condition {
    /// Field to search: resName_tic, keyword_tic, authors_tic, authorCompany_tic, summary_tic, doi, part, firstPageNum,
    /// lastPageNum; noteChinese_tic, keyWords_tic, thesis_tic; enResName_tic, keywordExt_tic, en_Thesis_tic;
    /// publicationName, organizerUnit, cn, issn; isbn; "" or 0 for all fields.
    pub field: String,
    /// Text to search for: at most 512 characters.
    pub value: String,
    /// Operator between this condition and those before it: AND (default), OR or NOT.
    pub operator: String,
    /// 1 for a precise match, 0 for a fuzzy one.
    pub match_type: i32,
}

impl From<SearchBody> for (SearchForm, Vec<Condition>) {
    fn from(body: SearchBody) -> Self {
        let form = SearchForm {
            q: body.q,
            kind: body.kind,
            page: body.page,
            size: body.size,
            sort: body.sort,
            order: body.order,
            year_from: body.year_from,
            year_to: body.year_to,
            last_years: body.last_years,
            oa: body.oa,
            publish_type: body.publish_type,
            column: body.column,
            journal: body.journal,
            article_type: body.article_type,
            author: body.author,
            language: body.language,
            fund: body.fund,
            after: body.after,
            relax: body.relax,
            scope: body.scope,
            conditions: String::new(),
            suggest: false,
        };
        (form, body.conditions)
    }
}

impl SearchForm {
    /// Parses the conditions in the address.
    pub fn read_conditions(&self, caller: &Caller) -> Result<Vec<Condition>, ApiError> {
        if self.conditions.trim().is_empty() {
            return Ok(Vec::new());
        }
        if self.conditions.len() > MAX_CONDITIONS {
            return Err(bad_request(caller));
        }
        serde_json::from_str(&self.conditions).map_err(|_| bad_request(caller))
    }

    /// The search text, or "".
    pub fn typed(&self) -> &str {
        self.q.as_deref().unwrap_or_default()
    }

    /// Number of hits on a page.
    pub fn size(&self) -> usize {
        self.size.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE)
    }

    /// The search request with sort order and page; whoever answers it says what becomes of the nearest search. The error 400 is returned for
    /// pages beyond the searchable range.
    pub fn request(&self, caller: &Caller, conditions: &[Condition]) -> Result<SearchRequest, ApiError> {
        let (order, counter) = order(&self.sort, &self.order).ok_or_else(|| bad_request(caller))?;
        let query = self.query(caller, conditions)?;
        let limit = self.size();
        let after = self.key(caller)?;
        let offset = if after.is_some() { 0 } else { self.page.saturating_mul(limit) };
        if offset.saturating_add(limit) > MAX_WINDOW {
            let (messages, count) = (&caller.app.messages, MAX_WINDOW.to_string());
            let message = messages.format(caller.lang, "search_too_deep", &[("count", &count)]);
            return Err(ApiError::new(StatusCode::BAD_REQUEST, &message));
        }
        let query = Query { order, ..query };
        let scope = self.scope(caller)?;
        Ok(SearchRequest { query, scope, counter, offset, limit, after, ..SearchRequest::default() })
    }

    /// The sites that are searched.
    pub fn scope(&self, caller: &Caller) -> Result<SearchScope, ApiError> {
        match self.scope.trim() {
            "" | "own" => Ok(SearchScope::Own),
            "group" => Ok(SearchScope::Group),
            _ => Err(bad_request(caller)),
        }
    }

    /// The hit behind which the page starts.
    fn key(&self, caller: &Caller) -> Result<Option<PageKey>, ApiError> {
        if self.after.is_empty() {
            return Ok(None);
        }
        self.after.parse().map(Some).map_err(|()| bad_request(caller))
    }

    /// The query without sort order and page.
    pub fn query(&self, caller: &Caller, conditions: &[Condition]) -> Result<Query, ApiError> {
        require_searchable(caller, conditions)?;
        let own = &caller.entry().site.search.conditions;
        let own = own.get(search_type(self.kind.trim()).unwrap_or("article")).map_or(&[][..], Vec::as_slice);
        let clauses = conditions.iter().map(|condition| clause(&offered(condition, own)));
        let clauses = clauses.collect::<Option<Vec<_>>>().ok_or_else(|| bad_request(caller))?;
        if self.publish_type.is_some_and(|kind| kind > 1) {
            return Err(bad_request(caller));
        }
        let filters = self.filters(caller);
        Ok(Query {
            kinds: kinds(&self.kind).ok_or_else(|| bad_request(caller))?,
            text: self.typed().to_owned(),
            clauses,
            // Without a text, a filter (such as a column or a year) lists all entries that match it.
            all: !filters.is_empty(),
            filters,
            ..Query::default()
        })
    }

    fn filters(&self, caller: &Caller) -> Vec<Filter> {
        let named = |text: &str, filter: fn(String) -> Filter| {
            (!text.trim().is_empty()).then(|| filter(text.trim().to_owned()))
        };
        let since = self.last_years.filter(|years| *years > 0).map(|years| {
            let today = crate::usage::dates::iso(caller.today());
            let year: i32 = today.get(..4).and_then(|year| year.parse().ok()).unwrap_or_default();
            Filter::YearFrom(year.saturating_sub(years - 1))
        });
        [
            self.year_from.map(Filter::YearFrom),
            self.year_to.map(Filter::YearTo),
            since,
            self.oa.map(Filter::OpenAccess),
            self.publish_type.map(|kind| Filter::OnlineFirst(kind == 1)),
            named(&self.column, Filter::Column),
            named(&self.journal, Filter::Journal),
            named(&self.article_type, Filter::ArticleType),
            named(&self.author, Filter::Author),
            named(&self.language, Filter::Language),
            named(&self.fund, Filter::Fund),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Refuses more conditions than a search takes, and longer ones: what was left out may have been meant to exclude what is found.
fn require_searchable(caller: &Caller, conditions: &[Condition]) -> Result<(), ApiError> {
    let refusal = |key: &str, values: &[(&str, &str)]| {
        ApiError::new(StatusCode::BAD_REQUEST, &caller.app.messages.format(caller.lang, key, values))
    };
    if conditions.len() > MAX_CLAUSES {
        let count = MAX_CLAUSES.to_string();
        return Err(refusal("too_many_conditions", &[("count", count.as_str())]));
    }
    let is_long = |condition: &Condition| condition.value.chars().nth(MAX_TEXT).is_some();
    let Some(place) = conditions.iter().position(is_long) else { return Ok(()) };
    let (number, count) = ((place + 1).to_string(), MAX_TEXT.to_string());
    Err(refusal("condition_too_long", &[("row", number.as_str()), ("count", count.as_str())]))
}

fn bad_request(caller: &Caller) -> ApiError {
    caller.fail(StatusCode::BAD_REQUEST, "bad_request")
}

fn order(sort: &str, order: &str) -> Option<(Order, Option<(Counter, bool)>)> {
    match order.trim() {
        "" | "desc" => terms::order(sort, false),
        "asc" => terms::order(sort, true),
        _ => None,
    }
}

/// The condition with the field for which the value of the site's own selector stands.
fn offered(condition: &Condition, own: &[SearchCondition]) -> Condition {
    let sent = condition.field.trim();
    let chosen = own.iter().find(|own| !own.value.is_empty() && own.value == sent);
    let field = chosen.map_or(sent, |own| own.field.as_str()).to_owned();
    Condition { field, ..condition.clone() }
}

fn clause(condition: &Condition) -> Option<Clause> {
    let target = terms::target(&condition.field)?;
    let join = match condition.operator.trim() {
        "" | "AND" => Join::And,
        "OR" => Join::Or,
        "NOT" => Join::Not,
        _ => return None,
    };
    Some(Clause { join, target, text: condition.value.clone(), precise: condition.match_type == 1 })
}

#[cfg(test)]
mod tests {
    use masthead_domain::{resource::ResourceKind, site::search_fields};

    use super::*;

    #[test]
    fn every_field_of_the_specification_is_accepted() {
        let fields = "resName_tic keyword_tic authors_tic authorCompany_tic summary_tic doi part firstPageNum lastPageNum \
                      noteChinese_tic keyWords_tic thesis_tic enResName_tic keywordExt_tic en_Thesis_tic publicationName \
                      organizerUnit cn issn 0";
        let types = ["article", "publication", "onlineVideo"].into_iter();
        let types = types.chain(ResourceKind::ALL.into_iter().map(ResourceKind::as_str));
        let offered = types.flat_map(search_fields).map(|offered| offered.field);
        for field in fields.split_whitespace().chain(offered) {
            assert!(clause(&Condition { field: field.into(), ..Condition::default() }).is_some(), "{field}");
        }
        assert!(clause(&Condition { field: "title".into(), ..Condition::default() }).is_none());
        assert!(clause(&Condition { operator: "and".into(), ..Condition::default() }).is_none(), "upper case only");
    }

    #[test]
    fn every_sort_key_of_the_specification_is_accepted() {
        let keys = "visits downloads referenceCount commentCount publishDate ppubDate firstStatus year issue relevance \
                    date updateTime";
        for key in keys.split_whitespace() {
            assert!(order(key, "").is_some() && order(key, "asc").is_some(), "{key}");
        }
        assert!(order("price", "").is_none() && order("year", "up").is_none());
    }
}

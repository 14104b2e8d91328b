//! Calls about articles related by authors, institutions, funders, keywords or similar content; and the tree of
//! columns.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use axum::{Json, extract::Query};
use masthead_content::readable_article;
use masthead_domain::{
    ArticleId, Lang,
    link::LinkKind,
    resource::{Column, Stored},
    section::SectionNames,
    text::section_key,
};
use masthead_search::Clusters;
use masthead_store::{BrowseBy, StoredArticle, browse_label};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::{
    articles::{self, LinkedCard},
    envelope::{ApiError, Caller},
    types::Envelope,
};
use crate::search_service::{self, SearchFailure, SearchRequest};

/// Greatest number of authors, institutions or funders of an article that are looked up.
const MAX_NAMES: usize = 20;
/// Default number of articles for each name.
const DEFAULT_ARTICLES: usize = 5;
/// Greatest number of articles for each name.
const MAX_ARTICLES: usize = 20;
/// Greatest number of columns and subject headings of a site.
const MAX_COLUMNS: i64 = 1_000;

/// Query of related articles.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Related {
    /// The article's id.
    id: i64,
    /// Articles for each name: 5 by default, at most 20.
    size: Option<usize>,
}

/// Other articles with the same author, institution or funder.
#[derive(Serialize, ToSchema)]
pub struct Relation {
    /// The name as it stands in the article.
    name: String,
    /// Other articles with this name, newest first.
    articles: Vec<LinkedCard>,
}

/// Returns other articles by the authors of an article.
#[utoipa::path(get, path = "/rc-pub/front/front-article/relationAuthor", tag = "article", params(Related),
    responses((status = 200, body = Envelope<Vec<Relation>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn authors(caller: Caller, Query(query): Query<Related>) -> Result<Json<Envelope<Vec<Relation>>>, ApiError> {
    let article = articles::stored(&caller, query.id).await?;
    let names = article.meta.authors().map(masthead_domain::article::Contributor::display_name).collect();
    let relations = relations(&caller, &article, BrowseBy::Author, names, query.size).await?;
    Ok(caller.ok(relations))
}

/// Returns other articles from the institutions of an article.
#[utoipa::path(get, path = "/rc-pub/front/front-article/relationOrg", tag = "article", params(Related),
    responses((status = 200, body = Envelope<Vec<Relation>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn organizations(
    caller: Caller,
    Query(query): Query<Related>,
) -> Result<Json<Envelope<Vec<Relation>>>, ApiError> {
    let article = articles::stored(&caller, query.id).await?;
    let names = article.meta.affiliations.iter().map(|place| place.text.clone()).collect();
    let relations = relations(&caller, &article, BrowseBy::Organization, names, query.size).await?;
    Ok(caller.ok(relations))
}

/// Returns other articles with the same funders or the same grants as an article.
#[utoipa::path(get, path = "/rc-pub/front/front-article/relationFund", tag = "article", params(Related),
    responses((status = 200, body = Envelope<Vec<Relation>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn funds(caller: Caller, Query(query): Query<Related>) -> Result<Json<Envelope<Vec<Relation>>>, ApiError> {
    let article = articles::stored(&caller, query.id).await?;
    let names = article.meta.funding.iter().flat_map(|fund| std::iter::once(&fund.source).chain(&fund.awards));
    let names = names.cloned().collect();
    let relations = relations(&caller, &article, BrowseBy::Fund, names, query.size).await?;
    Ok(caller.ok(relations))
}

async fn relations(
    caller: &Caller,
    article: &StoredArticle,
    by: BrowseBy,
    mut names: Vec<String>,
    size: Option<usize>,
) -> Result<Vec<Relation>, ApiError> {
    let size = size.unwrap_or(DEFAULT_ARTICLES).clamp(1, MAX_ARTICLES);
    names.retain(|name| !name.trim().is_empty());
    names.truncate(MAX_NAMES);
    let store = caller.store();
    let mut relations: Vec<Relation> = Vec::new();
    for name in names {
        if relations.iter().any(|known| browse_label(&known.name) == browse_label(&name)) {
            continue;
        }
        // One more, because the article itself is among the results.
        let limit = i64::try_from(size + 1).unwrap_or(i64::MAX);
        let mut ids = store.browse_articles(by, &name, limit).await.map_err(caller.store_failed())?;
        ids.retain(|id| *id != article.id.0);
        ids.truncate(size);
        let articles = linked(caller, ids.into_iter().map(ArticleId).collect()).await?;
        relations.push(Relation { name, articles });
    }
    Ok(relations)
}

async fn linked(caller: &Caller, ids: Vec<ArticleId>) -> Result<Vec<LinkedCard>, ApiError> {
    let cards = caller.store().cards_by_id(&ids).await.map_err(caller.store_failed())?;
    Ok(LinkedCard::all(caller, LinkKind::ListArticle, cards).await)
}

/// Returns articles similar to an article: by rare words of title, keywords and abstract, then by common keywords.
#[utoipa::path(get, path = "/rc-pub/front/front-article/relationArticle", tag = "article", params(Related),
    responses((status = 200, body = Envelope<Vec<LinkedCard>>), (status = 404, body = Envelope<serde_json::Value>)))]
pub async fn alike(caller: Caller, Query(query): Query<Related>) -> Result<Json<Envelope<Vec<LinkedCard>>>, ApiError> {
    let article = articles::stored(&caller, query.id).await?;
    let size = query.size.unwrap_or(DEFAULT_ARTICLES).clamp(1, MAX_ARTICLES);
    let rendered = readable_article::rendered(&article, None).map_err(|error| caller.internal_error(&error))?;
    let found = search_service::similar(&caller.app, caller.entry().site.id, &article, &rendered, size).await;
    let ids = found.map_err(caller.page_failed())?;
    let articles = linked(&caller, ids).await?;
    Ok(caller.ok(articles))
}

/// A column of the site.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ColumnNode {
    /// Key of the column; for a subject heading without a column, its folded label.
    key: String,
    /// Name in the reader's language.
    name: String,
    /// Value of the filter `column` of a search.
    column: String,
    /// Number of articles in the column, without those of its child columns.
    article_count: i64,
    /// Child columns.
    #[schema(no_recursion)]
    children: Vec<ColumnNode>,
}

/// The labels of the subject headings with the numbers of their articles, by the key of the section ([`SectionNames::key`]).
type Counts = BTreeMap<String, (String, i64)>;

/// Returns the columns that the editors configured, in their order, followed by the subject headings of articles that
/// belong to no column.
#[utoipa::path(get, path = "/rc-pub/front/front-article/getColumnTree", tag = "article",
    responses((status = 200, body = Envelope<Vec<ColumnNode>>)))]
pub async fn columns(caller: Caller) -> Result<Json<Envelope<Vec<ColumnNode>>>, ApiError> {
    let store = caller.store();
    let columns = store.resources::<Column>("", None, MAX_COLUMNS).await.map_err(caller.store_failed())?;
    let labels = store.browse_labels(BrowseBy::Subject, "", MAX_COLUMNS).await.map_err(caller.store_failed())?;
    let menu = caller.app.menu_content(caller.entry()).await.map_err(caller.store_failed())?;
    let mut counts = counts(labels, &menu.sections);
    let query = masthead_search::Query {
        kinds: vec![masthead_search::EntryKind::Article],
        all: true,
        ..masthead_search::Query::default()
    };
    let mut call = caller.plugin_call("api");
    let request = SearchRequest { query, ..SearchRequest::default() };
    let printed = search_service::clusters(&caller.app, caller.entry(), &mut call, request).await;
    // The browse index folds case; the full-text index has the headings as they are shown.
    let printed = match printed {
        // The headings are read from the database; only how they are printed is not known yet.
        Err(SearchFailure::Incomplete) => Clusters::default(),
        other => other.map_err(caller.page_failed())?,
    };
    let mut headings = Headings { printed: HashMap::new(), sections: &menu.sections, lang: caller.lang };
    let mut printed: Vec<&(String, u64)> = printed.of(masthead_search::Facet::Column).iter().collect();
    // The filter of a section is its name with most articles, of several the one in the caller's language.
    printed.sort_by_key(|(name, count)| (Reverse(*count), menu.sections.name(name, caller.lang) != name));
    for (name, _) in printed {
        headings.printed.entry(menu.sections.key(name)).or_insert_with(|| name.clone());
    }
    let known: BTreeSet<&str> = columns.iter().map(|column| column.value.key.as_str()).collect();
    let mut groups: BTreeMap<String, Vec<ColumnNode>> = BTreeMap::new();
    for column in &columns {
        let parent = Some(column.value.parent.as_str()).filter(|parent| known.contains(parent)).unwrap_or_default();
        groups.entry(parent.to_owned()).or_default().push(headings.of_column(column, &mut counts));
    }
    let mut tree = children_of("", &mut groups);
    // The remaining columns are part of a cycle of parents; they are listed on the first level rather than lost.
    while let Some(key) = groups.keys().next().cloned() {
        tree.extend(children_of(&key, &mut groups));
    }
    tree.extend(counts.into_iter().map(|(key, (label, count))| headings.alone(&key, label, count)));
    Ok(caller.ok(tree))
}

/// The numbers of articles by section. Of the names of a section in several languages, which an article can have all, the one with most articles
/// counts.
fn counts(labels: Vec<(String, i64)>, sections: &SectionNames) -> Counts {
    let mut by_name: Counts = BTreeMap::new();
    for (label, count) in labels {
        by_name.entry(section_key(&label)).or_insert((label, 0)).1 += count;
    }
    let mut counts: Counts = BTreeMap::new();
    for (label, count) in by_name.into_values() {
        let known = counts.entry(sections.key(&label)).or_insert_with(|| (label.clone(), count));
        if known.1 < count {
            *known = (label, count);
        }
    }
    counts
}

/// How headings are named.
struct Headings<'a> {
    /// The heading as the search index has it, by the key of the section: the browse index folds case.
    printed: HashMap<String, String>,
    sections: &'a SectionNames,
    lang: Lang,
}

impl Headings<'_> {
    /// A column, to which the headings with one of its names belong.
    fn of_column(&self, column: &Stored<Column>, counts: &mut Counts) -> ColumnNode {
        let title = &column.value.title;
        let keys: Vec<String> =
            title.0.values().map(|name| self.sections.key(name)).filter(|key| !key.is_empty()).collect();
        let article_count = keys.iter().filter_map(|key| counts.remove(key)).map(|(_, count)| count).sum();
        let filter = keys.iter().find_map(|key| self.printed.get(key)).cloned();
        let name = title.get(self.lang).to_owned();
        ColumnNode {
            key: column.value.key.clone(),
            column: filter.unwrap_or_else(|| name.clone()),
            name,
            article_count,
            children: Vec::new(),
        }
    }

    /// A heading that belongs to no column.
    fn alone(&self, key: &str, label: String, article_count: i64) -> ColumnNode {
        let column = self.printed.get(key).unwrap_or(&label).clone();
        let name = self.sections.name(&column, self.lang).to_owned();
        ColumnNode { key: label, name, column, article_count, children: Vec::new() }
    }
}

fn children_of(key: &str, groups: &mut BTreeMap<String, Vec<ColumnNode>>) -> Vec<ColumnNode> {
    let mut nodes = groups.remove(key).unwrap_or_default();
    for node in &mut nodes {
        node.children = children_of(&node.key, groups);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use masthead_domain::LocalText;

    use super::*;

    #[test]
    fn a_heading_in_several_languages_is_one_column() {
        let mut sections = SectionNames::new();
        sections.add(&LocalText([(Lang::Zh, "评论".to_owned()), (Lang::En, "Commentary".to_owned())].into()));
        let labels = [("评论", 3), ("commentary", 2), ("Letters", 4), ("letters", 5)];
        let mut counted = counts(labels.map(|(name, count)| (name.to_owned(), count)).into(), &sections);
        assert_eq!(counted["commentary"], ("评论".to_owned(), 3));
        assert_eq!(counted["letters"], ("Letters".to_owned(), 9));
        let headings = Headings { printed: HashMap::new(), sections: &sections, lang: Lang::En };
        let alone = headings.alone("commentary", "评论".into(), 3);
        assert_eq!((alone.name.as_str(), alone.column.as_str()), ("Commentary", "评论"));
        // A column of one of these names has the articles of all of them.
        let value = Column { key: "c".into(), title: LocalText::of(Lang::En, "Commentary"), ..Column::default() };
        let column = headings.of_column(&Stored { id: 1, value }, &mut counted);
        assert_eq!((column.article_count, counted.len()), (3, 1));
    }
}

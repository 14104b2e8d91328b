//! Reading of the index: ordered hits, counts by value, and similar articles.

use masthead_domain::{ArticleId, SiteId};
use tantivy::{
    DocAddress, DocId, Searcher, SegmentReader, TantivyDocument, Term,
    aggregation::{AggContextParams, AggregationCollector, AggregationLimitsGuard, agg_req::Aggregations},
    collector::{Count, TopDocs},
    query::{BooleanQuery, MoreLikeThisQuery, Occur, Query as Matcher},
    schema::{OwnedValue, Value as _},
};

use super::{SearchIndex, documents, matching, term_matcher};
use crate::{
    entry::EntryKind,
    index::{Clusters, Hit, Hits, Likeness, SearchError},
    query::{MAX_WINDOW, Order, Query, SortKey},
};

/// Limit on the values that are counted for a field.
const VALUES: u32 = 50;
/// Limit on the memory for counting, in bytes.
const COUNTING_BYTES: u64 = 128 << 20;
/// Number of an article's words by which similar articles are searched.
const LIKE_WORDS: usize = 24;
/// Bytes of each text of an article from which these words are chosen.
const LIKE_BYTES: usize = 8_000;

fn failed(source: tantivy::TantivyError) -> SearchError {
    SearchError::Use { doing: "searching", source: source.into() }
}

impl SearchIndex {
    /// The hits of a query, at most `limit` behind `offset`. Hits beyond [`MAX_WINDOW`] are not listed; the total includes them.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn search(&self, site: SiteId, query: &Query, offset: usize, limit: usize) -> Result<Hits, SearchError> {
        let Some(matcher) = matching::build(&self.columns, site, query) else { return Ok(Hits::default()) };
        let limit = limit.min(MAX_WINDOW.saturating_sub(offset));
        let searcher = self.reader.searcher();
        if limit == 0 {
            return Ok(Hits { total: searcher.search(&matcher, &Count).map_err(failed)?, ..Hits::default() });
        }
        let top = TopDocs::with_limit(limit).and_offset(offset);
        let (addresses, total) = match query.order {
            Order::Relevance => {
                let (hits, total) = searcher.search(&matcher, &(top.order_by_score(), Count)).map_err(failed)?;
                (hits.into_iter().map(|(_, address)| address).collect(), total)
            }
            Order::Descending(key) => sorted(&searcher, &*matcher, top, key, 1).map_err(failed)?,
            Order::Ascending(key) => sorted(&searcher, &*matcher, top, key, -1).map_err(failed)?,
        };
        Ok(Hits { total, hits: self.read(&searcher, addresses)?, next: None })
    }

    fn read(&self, searcher: &Searcher, addresses: Vec<DocAddress>) -> Result<Vec<Hit>, SearchError> {
        let mut hits = Vec::with_capacity(addresses.len());
        for address in addresses {
            let document: TantivyDocument = searcher.doc(address).map_err(failed)?;
            let text = |column| document.get_first(column).and_then(|value| value.as_str()).unwrap_or_default();
            let id = document.get_first(self.columns.id).and_then(|value| value.as_i64()).unwrap_or_default();
            let Some(kind) = EntryKind::parse(text(self.columns.resource)) else { continue };
            let site =
                SiteId(document.get_first(self.columns.site).and_then(|value| value.as_i64()).unwrap_or_default());
            hits.push(Hit { site, kind, id, journal: text(self.columns.journal).to_owned() });
        }
        Ok(hits)
    }

    /// Counts the hits of a query by their values. Time grows with the number of hits; memory is limited.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn clusters(&self, site: SiteId, query: &Query) -> Result<Clusters, SearchError> {
        let Some(matcher) = matching::build(&self.columns, site, query) else { return Ok(Clusters::default()) };
        let terms = |field: &str| serde_json::json!({ "terms": { "field": field, "size": VALUES } });
        let asked: serde_json::Map<String, serde_json::Value> = ["year", "column", "journal", "kind", "person"]
            .into_iter()
            .map(|field| (field.to_owned(), terms(field)))
            .collect();
        let invalid = |error: serde_json::Error| failed(tantivy::TantivyError::InvalidArgument(error.to_string()));
        let asked: Aggregations = serde_json::from_value(asked.into()).map_err(invalid)?;
        let limits = AggregationLimitsGuard::new(Some(COUNTING_BYTES), Some(u32::MAX));
        let context = AggContextParams::new(limits, self.index.tokenizers().clone());
        let collector = AggregationCollector::from_aggs(asked, context);
        let (counted, total) = self.reader.searcher().search(&matcher, &(collector, Count)).map_err(failed)?;
        let counted = serde_json::to_value(counted).map_err(invalid)?;
        let values =
            |field: &str| counted[field]["buckets"].as_array().into_iter().flatten().filter_map(value).collect();
        Ok(Clusters {
            total,
            years: values("year"),
            columns: values("column"),
            journals: values("journal"),
            types: values("kind"),
            authors: values("person"),
            ..Clusters::default()
        })
    }

    /// Other articles of the site that share rare words with an article, most similar first.
    ///
    /// # Errors
    /// [`SearchError::Use`].
    pub fn like(
        &self,
        site: SiteId,
        article: ArticleId,
        likeness: &Likeness,
        limit: usize,
    ) -> Result<Vec<ArticleId>, SearchError> {
        let columns = &self.columns;
        let texts = [
            (columns.title, &likeness.title),
            (columns.keywords, &likeness.keywords),
            (columns.summary, &likeness.summary),
        ];
        let texts = texts
            .into_iter()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(column, text)| (column, vec![OwnedValue::Str(opening(text).to_owned())]))
            .collect::<Vec<_>>();
        if texts.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let alike = MoreLikeThisQuery::builder()
            .with_min_doc_frequency(2)
            .with_min_term_frequency(1)
            .with_min_word_length(3)
            .with_max_query_terms(LIKE_WORDS)
            .with_document_fields(texts);
        let key = documents::key(site, EntryKind::Article, article.0, "");
        let matcher = BooleanQuery::new(vec![
            (Occur::Must, term_matcher::of_site(columns, site)),
            (Occur::Must, term_matcher::of_kinds(columns, &[EntryKind::Article])),
            (Occur::MustNot, term_matcher::exactly(Term::from_field_text(columns.key, &key))),
            (Occur::Must, Box::new(alike)),
        ]);
        let searcher = self.reader.searcher();
        let top = TopDocs::with_limit(limit.min(MAX_WINDOW)).order_by_score();
        let hits = searcher.search(&matcher, &top).map_err(failed)?;
        let hits = self.read(&searcher, hits.into_iter().map(|(_, address)| address).collect())?;
        Ok(hits.into_iter().map(|hit| ArticleId(hit.id)).collect())
    }
}

fn sorted(
    searcher: &Searcher,
    matcher: &dyn Matcher,
    top: TopDocs,
    key: SortKey,
    sign: i64,
) -> tantivy::Result<(Vec<DocAddress>, usize)> {
    let column = match key {
        SortKey::Date => "dated",
        SortKey::PrintDate => "printed",
        SortKey::Year => "year",
        SortKey::Issue => "issue",
        SortKey::FirstStatus => "first_status",
        SortKey::References => "references",
        SortKey::Citations => "citations",
        SortKey::Updated => "updated",
    };
    let top = top.order_by(move |segment: &SegmentReader| {
        let values = segment.fast_fields().i64(column).ok();
        let ids = segment.fast_fields().i64("id").ok();
        move |doc: DocId| {
            let value = values.as_ref().and_then(|values| values.first(doc));
            let id = ids.as_ref().and_then(|ids| ids.first(doc)).unwrap_or_default();
            (value.map_or(i64::MIN, |value| value.saturating_mul(sign)), id)
        }
    });
    let (hits, total) = searcher.search(matcher, &(top, Count))?;
    Ok((hits.into_iter().map(|(_, address)| address).collect(), total))
}

fn value(bucket: &serde_json::Value) -> Option<(String, u64)> {
    let name = match &bucket["key"] {
        serde_json::Value::String(name) => name.clone(),
        serde_json::Value::Number(number) => format!("{}", number.as_f64()? as i64),
        _ => return None,
    };
    Some((name, bucket["doc_count"].as_u64()?)).filter(|(name, _)| !name.is_empty())
}

/// The start of a text, limited in bytes and cut between characters.
fn opening(text: &str) -> &str {
    let end = (0..=LIKE_BYTES.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

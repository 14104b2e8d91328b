//! Several lists of a site in one query: what a page that consists of lists needs, however many they are.

use std::{collections::HashMap, ops::Range};

use masthead_domain::{
    card::ArticleCard,
    publication::Issue,
    resource::{ResourceKind, Stored},
};

use crate::{
    BrowseBy, CardPage, CardQuery, Ranking, SiteStore, StoreError, StoredForm, StoredResource,
    articles::{has_order, in_order},
    browse_label,
    counts::ALL_DAYS,
    resources::read,
};

const READING: &str = "reading the lists of a page";
/// Entries of a ranking that are read beyond its length, because the articles of some may have been removed.
const SPARE: i64 = 40;
/// The order of the articles of an issue.
const PAGE_ORDER: &str = "page_key, id";
/// The order of all other lists of articles.
const NEWEST_FIRST: &str = "published DESC, id DESC";

/// One of the lists.
#[derive(Clone, Debug, PartialEq)]
pub enum ListQuery {
    /// Articles, at most so many. Those of an issue come in page order.
    Articles(CardQuery, i64),
    /// The articles of an issue at these places of page order, from 0; all of them where an editor has set an order. [`List::cards_of`] puts
    /// them in this order.
    OfIssue(Issue, Range<u64>),
    /// How many articles an issue has: [`List::total`].
    SizeOfIssue(Issue),
    /// The numbers of those articles of [`ListQuery::OfIssue`] that have a PDF.
    Pdfs(Issue, Range<u64>),
    /// The articles with any of these labels in the browse index, each once, newest first: those at these places, from 0.
    PartOfLabels(BrowseBy, Vec<String>, Range<u64>),
    /// How many articles have any of these labels: [`List::total`].
    SizeOfLabels(BrowseBy, Vec<String>),
    /// The most viewed or downloaded articles since a day (`None`: over all days), at most so many.
    Ranked(Ranking, Option<i64>, i64),
    /// Resources of a kind in a section ("": in all), at most so many, in the order of lists.
    Resources(ResourceKind, String, i64),
    /// The resource of a kind with this key.
    Named(ResourceKind, String),
    /// How many resources there are of these kinds, and how many articles and issues.
    Numbers(Vec<ResourceKind>),
    /// The words that at least so many readers of one day searched for since a day, at most so many, as in [`SiteStore::hot_words`].
    Words {
        /// The first day.
        since: i64,
        /// The number of readers.
        readers: u32,
        /// The number of words.
        limit: i64,
    },
}

/// The rows of one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct List {
    /// A number (of an article, of a resource, how often), a name, the stored form.
    rows: Vec<(i64, String, String)>,
}

impl List {
    /// The articles, each with its number: how often it was viewed or downloaded in a ranking, else its own.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn cards(&self) -> Result<Vec<(i64, ArticleCard)>, StoreError> {
        let card = |data: &str| ArticleCard::decode(data).map_err(StoreError::damaged("an article's card"));
        self.rows.iter().map(|(number, _, data)| Ok((*number, card(data)?))).collect()
    }

    /// The articles of an issue ([`ListQuery::OfIssue`]), in the order of sections and articles that its editor has set.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn cards_of(&self, issue: &Issue) -> Result<Vec<ArticleCard>, StoreError> {
        let cards = self.cards()?.into_iter().map(|(_, card)| card);
        let mut named: Vec<(String, ArticleCard)> =
            self.rows.iter().map(|(_, key, _)| key.clone()).zip(cards).collect();
        in_order(&mut named, issue);
        Ok(named.into_iter().map(|(_, card)| card).collect())
    }

    /// The resources.
    ///
    /// # Errors
    /// [`StoreError::Damaged`].
    pub fn resources<T: StoredResource>(&self) -> Result<Vec<Stored<T>>, StoreError> {
        self.rows.iter().map(|(id, _, data)| read((*id, data.clone()))).collect()
    }

    /// The names, in their order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|(_, name, _)| name.as_str())
    }

    /// The numbers, in their order.
    pub fn numbers(&self) -> impl Iterator<Item = i64> {
        self.rows.iter().map(|(number, _, _)| *number)
    }

    /// The number of which a list of one number consists ([`ListQuery::SizeOfIssue`], [`ListQuery::SizeOfLabels`]).
    #[must_use]
    pub fn total(&self) -> u64 {
        self.numbers().next().and_then(|number| u64::try_from(number).ok()).unwrap_or(0)
    }

    /// The numbers by name.
    #[must_use]
    pub fn by_name(&self) -> HashMap<&str, i64> {
        self.rows.iter().map(|(number, name, _)| (name.as_str(), *number)).collect()
    }
}

impl SiteStore {
    /// All these lists, in the order of the queries, by one statement.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn lists(&self, queries: &[ListQuery]) -> Result<Vec<List>, StoreError> {
        let mut lists = vec![List::default(); queries.len()];
        let mut statement = Statement::new(self.site);
        for (index, query) in queries.iter().enumerate() {
            statement.add(index, query);
        }
        if statement.parts.is_empty() {
            return Ok(lists);
        }
        let sql = statement.parts.join(" UNION ALL ");
        let mut query = sqlx::query_as::<_, (i64, i64, i64, String, String)>(sqlx::AssertSqlSafe(sql));
        for value in statement.values {
            query = match value {
                Value::Number(number) => query.bind(number),
                Value::Text(text) => query.bind(text),
            };
        }
        let mut rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
        rows.sort_by_key(|(list, place, ..)| (*list, *place));
        for (list, _, number, name, data) in rows {
            if let Some(list) = usize::try_from(list).ok().and_then(|list| lists.get_mut(list)) {
                list.rows.push((number, name, data));
            }
        }
        Ok(lists)
    }

    /// The part of the articles of an issue behind `offset`, at most `limit`, and the number of all of them, by one statement. They come in the
    /// order of sections and articles that an editor has set, for which the issue is read whole, else in page order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn issue_page(&self, issue: &Issue, offset: u64, limit: u32) -> Result<CardPage, StoreError> {
        let places = places(offset, limit);
        let queries = [ListQuery::OfIssue(issue.clone(), places), ListQuery::SizeOfIssue(issue.clone())];
        let lists = self.lists(&queries).await?;
        let [cards, size] = lists.as_slice() else { return Ok(CardPage::default()) };
        let before = if has_order(issue) { usize::try_from(offset).unwrap_or(usize::MAX) } else { 0 };
        let cards = cards.cards_of(issue)?.into_iter().skip(before).take(limit as usize).collect();
        Ok(CardPage { total: size.total(), cards })
    }

    /// The part of the articles with any of these labels in the browse index behind `offset`, at most `limit`, newest first, and the number of
    /// all of them, by one statement. Case and spacing of labels do not matter.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn browse_page(
        &self,
        by: BrowseBy,
        labels: &[&str],
        offset: u64,
        limit: u32,
    ) -> Result<CardPage, StoreError> {
        let labels: Vec<String> = labels.iter().map(|label| (*label).to_owned()).collect();
        let part = ListQuery::PartOfLabels(by, labels.clone(), places(offset, limit));
        let lists = self.lists(&[part, ListQuery::SizeOfLabels(by, labels)]).await?;
        let [cards, size] = lists.as_slice() else { return Ok(CardPage::default()) };
        let cards = cards.cards()?.into_iter().map(|(_, card)| card).collect();
        Ok(CardPage { total: size.total(), cards })
    }
}

/// The places of a part of a list.
fn places(offset: u64, limit: u32) -> Range<u64> {
    offset..offset.saturating_add(limit.into())
}

/// What is read of an issue for a part of it. What comes first in the order of an editor may be anywhere in page order.
fn read_for(issue: &Issue, places: &Range<u64>) -> Range<u64> {
    if has_order(issue) { 0..u64::MAX } else { places.clone() }
}

enum Value {
    Number(i64),
    Text(String),
}

/// A statement that is put together from the parts of its lists. Every part selects list, place, number, name and stored form.
struct Statement {
    parts: Vec<String>,
    values: Vec<Value>,
}

impl Statement {
    /// `$1` is the site in all parts.
    fn new(site: i64) -> Self {
        Self { parts: Vec::new(), values: vec![Value::Number(site)] }
    }

    fn number(&mut self, number: i64) -> String {
        self.values.push(Value::Number(number));
        format!("${}", self.values.len())
    }

    fn text(&mut self, text: &str) -> String {
        self.values.push(Value::Text(text.to_owned()));
        format!("${}", self.values.len())
    }

    fn add(&mut self, list: usize, query: &ListQuery) {
        match query {
            ListQuery::Articles(which, limit) => self.articles(list, which, *limit),
            ListQuery::OfIssue(issue, places) => self.issue(list, issue, places),
            ListQuery::SizeOfIssue(issue) => self.issue_size(list, issue),
            ListQuery::Pdfs(issue, places) => self.pdfs(list, issue, places),
            ListQuery::PartOfLabels(by, labels, places) => self.labelled(list, *by, labels, places),
            ListQuery::SizeOfLabels(by, labels) => self.labelled_size(list, *by, labels),
            ListQuery::Ranked(by, since, limit) => self.ranked(list, *by, *since, *limit),
            ListQuery::Resources(kind, section, limit) => self.resources(list, *kind, section, *limit),
            ListQuery::Named(kind, key) => self.named(list, *kind, key),
            ListQuery::Numbers(kinds) => self.counts(list, kinds),
            ListQuery::Words { since, readers, limit } => self.words(list, *since, *readers, *limit),
        }
    }

    /// A part that numbers the rows of a query in their order. The query is limited by itself, so that no more rows are numbered.
    fn part(&mut self, list: usize, order: &str, columns: &str, rows: &str) {
        self.parts.push(format!(
            "SELECT CAST({list} AS BIGINT) AS list, ROW_NUMBER() OVER (ORDER BY {order}) AS place, {columns} \
             FROM ({rows}) AS t{list}"
        ));
    }

    fn articles(&mut self, list: usize, which: &CardQuery, limit: i64) {
        let (and, order) = match which {
            CardQuery::Issue { journal, year, issue } => (self.of_issue(journal, *year, issue), PAGE_ORDER),
            CardQuery::Journal(journal) => (format!(" AND journal = {}", self.text(journal)), NEWEST_FIRST),
            other => (other.condition().to_owned(), NEWEST_FIRST),
        };
        self.cards(list, &and, order, &(0..u64::try_from(limit).unwrap_or(0)));
    }

    fn issue(&mut self, list: usize, issue: &Issue, places: &Range<u64>) {
        let and = self.of_issue(&issue.journal, issue.year, &issue.issue);
        self.cards(list, &and, PAGE_ORDER, &read_for(issue, places));
    }

    fn issue_size(&mut self, list: usize, issue: &Issue) {
        let and = self.of_issue(&issue.journal, issue.year, &issue.issue);
        self.total(list, &format!("SELECT COUNT(*) AS total FROM articles WHERE site_id = $1{and}"));
    }

    /// A list of one number.
    fn total(&mut self, list: usize, rows: &str) {
        self.part(list, "total", "total AS number, CAST('' AS TEXT) AS name, CAST('' AS TEXT) AS data", rows);
    }

    fn cards(&mut self, list: usize, and: &str, order: &str, places: &Range<u64>) {
        let limits = self.limits(places);
        let rows = format!(
            "SELECT id, published, page_key, source_key, card FROM articles WHERE site_id = $1{and} ORDER BY {order} {limits}"
        );
        self.part(list, order, "id AS number, source_key AS name, card AS data", &rows);
    }

    /// The condition for the articles of an issue.
    fn of_issue(&mut self, journal: &str, year: i32, issue: &str) -> String {
        let (journal, year, issue) = (self.text(journal), self.number(i64::from(year)), self.text(issue));
        format!(" AND journal = {journal} AND year = {year} AND issue = {issue}")
    }

    fn limits(&mut self, places: &Range<u64>) -> String {
        let mut number = |value: u64| self.number(i64::try_from(value).unwrap_or(i64::MAX));
        let (limit, offset) = (number(places.end.saturating_sub(places.start)), number(places.start));
        format!("LIMIT {limit} OFFSET {offset}")
    }

    /// In the stored form of an article's data, a quotation mark of a text is escaped, so that only the field itself is found.
    fn pdfs(&mut self, list: usize, issue: &Issue, places: &Range<u64>) {
        let and = self.of_issue(&issue.journal, issue.year, &issue.issue);
        let limits = self.limits(&read_for(issue, places));
        let rows = format!(
            "SELECT id FROM (SELECT id, meta FROM articles WHERE site_id = $1{and} ORDER BY {PAGE_ORDER} {limits}) AS a \
             WHERE meta LIKE '%\"pdf\":\"%' AND meta NOT LIKE '%\"pdf\":\"\"%'"
        );
        self.part(list, "id", "id AS number, CAST('' AS TEXT) AS name, CAST('' AS TEXT) AS data", &rows);
    }

    /// The condition for the entries of the browse index with any of these labels.
    fn with_labels(&mut self, by: BrowseBy, labels: &[String]) -> String {
        let shelf = self.text(by.as_str());
        let labels: Vec<String> = labels.iter().map(|label| self.text(&browse_label(label))).collect();
        // PostgreSQL has no empty list of values.
        let any = if labels.is_empty() { "1 = 0".to_owned() } else { format!("label IN ({})", labels.join(", ")) };
        format!("site_id = $1 AND shelf = {shelf} AND {any}")
    }

    /// All entries of an article have its date of publication, so that each article is one row.
    fn labelled(&mut self, list: usize, by: BrowseBy, labels: &[String], places: &Range<u64>) {
        let with = self.with_labels(by, labels);
        let limits = self.limits(places);
        let rows = format!(
            "SELECT a.id, s.published, a.source_key, a.card FROM (SELECT DISTINCT published, article_id FROM article_shelves \
             WHERE {with} ORDER BY published DESC, article_id DESC {limits}) AS s \
             JOIN articles AS a ON a.site_id = $1 AND a.id = s.article_id"
        );
        self.part(list, NEWEST_FIRST, "id AS number, source_key AS name, card AS data", &rows);
    }

    fn labelled_size(&mut self, list: usize, by: BrowseBy, labels: &[String]) {
        let with = self.with_labels(by, labels);
        self.total(list, &format!("SELECT COUNT(DISTINCT article_id) AS total FROM article_shelves WHERE {with}"));
    }

    fn ranked(&mut self, list: usize, by: Ranking, since: Option<i64>, limit: i64) {
        let counted = match by {
            Ranking::Visits => "visits",
            Ranking::Downloads => "downloads",
        };
        let (first, last) = since.map_or((ALL_DAYS, ALL_DAYS), |day| (day.max(0), i64::MAX));
        let (first, last) = (self.number(first), self.number(last));
        let (some, limit) = (self.number(limit.saturating_add(SPARE)), self.number(limit));
        let rows = format!(
            "SELECT c.entity, c.total, a.source_key, a.card FROM (SELECT entity, CAST(SUM({counted}) AS BIGINT) AS total \
             FROM counts WHERE site_id = $1 AND kind = 'article' AND day >= {first} AND day <= {last} GROUP BY entity \
             HAVING SUM({counted}) > 0 ORDER BY total DESC, entity DESC LIMIT {some}) AS c \
             JOIN articles AS a ON a.site_id = $1 AND a.id = c.entity ORDER BY c.total DESC, c.entity DESC LIMIT {limit}"
        );
        self.part(list, "total DESC, entity DESC", "total AS number, source_key AS name, card AS data", &rows);
    }

    fn resources(&mut self, list: usize, kind: ResourceKind, section: &str, limit: i64) {
        let kind = self.text(kind.as_str());
        let and = if section.is_empty() { String::new() } else { format!(" AND section = {}", self.text(section)) };
        let limit = self.number(limit);
        let order = "position, dated DESC, id DESC";
        let rows = format!(
            "SELECT id, position, dated, entry, data FROM resources WHERE site_id = $1 AND kind = {kind}{and} \
             ORDER BY {order} LIMIT {limit}"
        );
        self.part(list, order, "id AS number, entry AS name, data AS data", &rows);
    }

    fn named(&mut self, list: usize, kind: ResourceKind, key: &str) {
        // No key has a zero byte, and PostgreSQL refuses to look for one.
        let key = if key.contains('\0') { "" } else { key };
        let (kind, key) = (self.text(kind.as_str()), self.text(key));
        let rows =
            format!("SELECT id, entry, data FROM resources WHERE site_id = $1 AND kind = {kind} AND entry = {key}");
        self.part(list, "id", "id AS number, entry AS name, data AS data", &rows);
    }

    fn counts(&mut self, list: usize, kinds: &[ResourceKind]) {
        let kinds: Vec<String> = kinds.iter().map(|kind| self.text(kind.as_str())).collect();
        let mut rows = "SELECT COUNT(*) AS total, CAST('article' AS TEXT) AS name FROM articles WHERE site_id = $1 \
             UNION ALL SELECT COUNT(*) AS total, CAST('issue' AS TEXT) AS name FROM \
             (SELECT DISTINCT journal, year, issue FROM articles WHERE site_id = $1 AND issue <> '') AS i"
            .to_owned();
        if !kinds.is_empty() {
            rows.push_str(&format!(
                " UNION ALL SELECT COUNT(*) AS total, kind AS name FROM resources WHERE site_id = $1 AND kind IN ({}) \
                 GROUP BY kind",
                kinds.join(", ")
            ));
        }
        self.part(list, "name", "total AS number, name AS name, CAST('' AS TEXT) AS data", &rows);
    }

    fn words(&mut self, list: usize, since: i64, readers: u32, limit: i64) {
        let (since, readers, limit) = (self.number(since), self.number(i64::from(readers)), self.number(limit));
        let rows = format!(
            "SELECT words, CAST(SUM(readers) AS BIGINT) AS total FROM searches WHERE site_id = $1 AND day >= {since} \
             GROUP BY words HAVING MAX(readers) >= {readers} ORDER BY total DESC, words LIMIT {limit}"
        );
        self.part(list, "total DESC, words", "total AS number, words AS name, CAST('' AS TEXT) AS data", &rows);
    }
}

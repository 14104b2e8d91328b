//! Lists of records, page by page.

use masthead_domain::{
    ArticleId, Lang, LocalText,
    article::{PublishState, pick},
    card::ArticleCard,
    of_kind,
    resource::{Resource as _, ResourceKind},
};
use masthead_store::{CardCursor, CardQuery, ResourceCursor};
use serde::Serialize;
use serde_json::Value;

use super::{
    RecordError, RecordType, Records,
    types::{issue_name, json_of},
    unknown,
};

/// Which records to list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// The key of a journal, or the name of an issue (`tides/2026/3`) for articles; the section of a list for resources (a type of news, a
    /// state of comments); "" for all.
    pub within: String,
    /// Whether to list the withdrawn articles.
    pub withdrawn: bool,
    /// The place to begin behind: `next` of the previous page; "" for the first page.
    pub after: String,
    /// Greatest number of records.
    pub limit: i64,
}

/// A page of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Listing {
    /// The records.
    pub records: Vec<ListedRecord>,
    /// The place behind the page; null at the end.
    pub next: Option<String>,
}

/// A record in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ListedRecord {
    /// Its name.
    pub name: String,
    /// Its title in English, else in another language; or "".
    pub title: String,
    /// Its date, and the state of an article.
    pub note: String,
}

impl Records {
    /// A page of records.
    ///
    /// # Errors
    /// [`RecordError`].
    pub async fn list(&self, of: RecordType, query: &ListQuery) -> Result<Listing, RecordError> {
        match of {
            RecordType::Journal => self.list_journals().await,
            RecordType::Issue => self.list_issues(&query.within).await,
            RecordType::Article if query.withdrawn => self.list_withdrawn(query).await,
            RecordType::Article => self.list_articles(query).await,
            RecordType::Resource(kind) => self.list_resources(kind, query).await,
        }
    }

    async fn list_journals(&self) -> Result<Listing, RecordError> {
        let journals = self.store().journals().await?;
        let records = journals.into_iter().map(|journal| ListedRecord {
            name: journal.key,
            title: journal.title.get(Lang::En).to_owned(),
            note: if journal.issn.is_empty() { journal.eissn } else { journal.issn },
        });
        Ok(Listing { records: records.collect(), next: None })
    }

    async fn list_issues(&self, journal: &str) -> Result<Listing, RecordError> {
        let journals = self.store().journals().await?;
        if !journal.is_empty() && !journals.iter().any(|one| one.key == journal) {
            let known: Vec<String> = journals.into_iter().map(|one| one.key).collect();
            return Err(unknown(RecordType::Journal, journal, &known));
        }
        let mut records = Vec::new();
        for one in journals.iter().filter(|one| journal.is_empty() || one.key == journal) {
            let issues = self.store().issues(&one.key).await?;
            records.extend(issues.into_iter().map(|issue| ListedRecord {
                name: format!("{}/{}/{}", issue.journal, issue.year, issue.issue),
                title: issue.title.get(Lang::En).to_owned(),
                note: issue.date,
            }));
        }
        Ok(Listing { records, next: None })
    }

    async fn list_articles(&self, query: &ListQuery) -> Result<Listing, RecordError> {
        let (store, limit) = (self.store(), query.limit.max(1));
        if query.within.contains('/') {
            let (journal, year, issue) = issue_name(&query.within)?;
            let all = CardQuery::Issue { journal: journal.to_owned(), year, issue: issue.to_owned() };
            // The order of an issue is known of the whole issue only, and a page begins behind an article of it.
            let mut cards = store.cards(&all, None, i64::MAX).await?;
            if let Some(last) = place(&query.after, |text| text.parse::<i64>().ok())? {
                let left =
                    || RecordError::invalid(format!("the article {last} has left the issue: begin the list again"));
                let at = cards.iter().position(|card| card.id == last).ok_or_else(left)?;
                cards.drain(..=at);
            }
            let next = cut(&mut cards, limit).map(|last| last.id.to_string());
            return Ok(Listing { records: cards.iter().map(of_card).collect(), next });
        }
        if query.within.is_empty() {
            let after = place(&query.after, |text| text.parse().ok())?.unwrap_or(0);
            let mut page = store.article_listing(after, limit + 1).await?;
            let next = cut(&mut page, limit).map(|last| last.id.to_string());
            let ids: Vec<ArticleId> = page.iter().map(|one| one.id).collect();
            let cards = store.cards_by_id(&ids).await?;
            return Ok(Listing { records: cards.iter().map(of_card).collect(), next });
        }
        let after = place(&query.after, CardCursor::parse)?;
        let all = CardQuery::Journal(query.within.clone());
        let mut cards = store.cards(&all, after.as_ref(), limit + 1).await?;
        let next = cut(&mut cards, limit).map(|last| CardCursor::behind(last).to_string());
        Ok(Listing { records: cards.iter().map(of_card).collect(), next })
    }

    async fn list_withdrawn(&self, query: &ListQuery) -> Result<Listing, RecordError> {
        let after = place(&query.after, |text| text.parse().ok())?.unwrap_or(0);
        let limit = query.limit.max(1);
        let mut found = self.store().withdrawn_articles(after, limit + 1).await?;
        let next = cut(&mut found, limit).map(|last| last.id.to_string());
        let records = found.into_iter().map(|one| ListedRecord {
            name: one.id.to_string(),
            title: pick(&one.meta.titles, "en").map(|title| title.plain.clone()).unwrap_or_default(),
            note: format!("withdrawn {}", one.withdrawal.date),
        });
        Ok(Listing { records: records.collect(), next })
    }

    async fn list_resources(&self, kind: ResourceKind, query: &ListQuery) -> Result<Listing, RecordError> {
        let after = place(&query.after, ResourceCursor::parse)?;
        let limit = query.limit.max(1);
        of_kind!(kind, T => {
            let mut found = self.store().resources::<T>(&query.within, after.as_ref(), limit + 1).await?;
            let next = cut(&mut found, limit).map(|last| ResourceCursor::behind(last).to_string());
            let mut records = Vec::with_capacity(found.len());
            for one in &found {
                let keys = one.value.list_keys();
                let title = title(&json_of(&one.value)?);
                records.push(ListedRecord { name: keys.key.to_owned(), title, note: keys.date.to_owned() });
            }
            Ok(Listing { records, next })
        })
    }
}

/// Removes what is behind a page; returns its last element if there is more.
fn cut<T>(found: &mut Vec<T>, limit: i64) -> Option<&T> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let more = found.len() > limit;
    found.truncate(limit);
    found.last().filter(|_| more)
}

/// The place to begin a page behind; `None` for the first page.
fn place<T>(text: &str, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, RecordError> {
    if text.is_empty() {
        return Ok(None);
    }
    let fault = || RecordError::invalid(format!("{text:?} is no place in this list: give `next` of the page before"));
    parse(text).map(Some).ok_or_else(fault)
}

fn of_card(card: &ArticleCard) -> ListedRecord {
    let state = if card.first_status == -1 {
        PublishState::Accepted
    } else if card.issue.is_empty() && !card.published.is_empty() {
        PublishState::OnlineFirst
    } else {
        PublishState::Formal
    };
    let state = serde_json::to_value(state).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default();
    ListedRecord {
        name: card.id.to_string(),
        title: card.title("en").map(|title| title.plain.clone()).unwrap_or_default(),
        note: format!("{state} {}", card.published).trim().to_owned(),
    }
}

/// The title or name of a resource; the text of one without.
fn title(record: &Value) -> String {
    let named = ["title", "name"].iter().find_map(|key| record.get(key).filter(|value| value.is_object()));
    let texts: Option<LocalText> = named.and_then(|texts| serde_json::from_value(texts.clone()).ok());
    let text = texts.map(|texts| texts.get(Lang::En).to_owned());
    text.unwrap_or_else(|| record["text"].as_str().unwrap_or_default().chars().take(80).collect())
}

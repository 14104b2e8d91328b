//! Crossref deposits of stored articles: the file with which a publisher registers DOIs, corrected metadata, and notices.

use masthead_domain::{
    ArticleId, Doi,
    card::ArticleCard,
    content::{ArticleBody, Reference, text::plain},
    notice::{NoticeKind, NoticeSide},
};
use masthead_formats::catalogues::crossref_deposit::{DepositEntry, DepositWriter};
use masthead_store::{SiteStore, StoreError};

use crate::notices;

pub use masthead_formats::catalogues::crossref_deposit::Depositor;

/// Greatest number of articles of one deposit; Crossref refuses files of more than 150 MB.
pub const MAX_ARTICLES: usize = 5_000;
/// Number of articles that are in memory with their texts.
const BATCH: usize = 50;

/// A deposit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Deposited {
    /// The file.
    pub xml: String,
    /// Number of articles in it.
    pub articles: usize,
    /// The articles that are not in it, with what Crossref demands and they lack.
    pub left_out: Vec<(ArticleId, &'static str)>,
    /// Number of corrections, retractions and other updates that are not in it because the depositor has no Crossmark policy.
    pub notices_left_out: usize,
}

/// Writes a deposit of articles of a site; `page` gives the public address of an article. `now` is the time in milliseconds since 1970:
/// Crossref takes the deposit of a DOI if it is later than the one before.
///
/// # Errors
/// [`StoreError`].
pub async fn write(
    store: &SiteStore,
    ids: &[ArticleId],
    depositor: &Depositor,
    page: impl Fn(ArticleId) -> String,
    now: i64,
) -> Result<Deposited, StoreError> {
    let journals = store.journals().await?;
    let mut cards = store.cards_by_id(ids).await?;
    // Those of one issue follow one another, in the order in which they were given.
    cards.sort_by(|left, right| {
        let issue = |card: &ArticleCard| (card.journal.clone(), card.year, card.volume.clone(), card.issue.clone());
        issue(left).cmp(&issue(right))
    });
    let timestamp = jiff::Timestamp::from_millisecond(now).unwrap_or_default();
    let timestamp = format!("{}{:03}", timestamp.strftime("%Y%m%d%H%M%S"), timestamp.subsec_millisecond());
    let mut writer = DepositWriter::new(depositor, &format!("masthead-{}-{timestamp}", store.id()), &timestamp);
    let mut made = Deposited::default();
    for some in cards.chunks(BATCH) {
        let some_ids: Vec<ArticleId> = some.iter().map(ArticleCard::article_id).collect();
        let mut articles = store.full_articles(&some_ids).await?;
        let all_notices = notices::of_articles(store, &some_ids, |_| String::new()).await?;
        for card in some {
            let id = card.article_id();
            let Some((meta, body)) = articles.remove(&id) else { continue };
            let own = all_notices.get(&id).map(Vec::as_slice).unwrap_or_default();
            let own: Vec<(NoticeKind, NoticeSide, Doi)> =
                own.iter().filter_map(|one| Some((one.notice.kind, one.notice.side, one.doi()?))).collect();
            // What a depositor sends to Crossref is the depositor's decision; no reader gets it from here.
            let body = body.unseal();
            let added = writer.add(&DepositEntry {
                meta: &meta,
                journal: journals.iter().find(|journal| journal.key == card.journal),
                abstracts: &abstracts(&body),
                references: &references(&body),
                notices: &own,
                page: &page(id),
            });
            match added {
                Ok(notices) => {
                    made.articles += 1;
                    made.notices_left_out += notices;
                }
                Err(reason) => made.left_out.push((id, reason)),
            }
        }
    }
    made.xml = writer.finish();
    Ok(made)
}

fn abstracts(body: &ArticleBody) -> Vec<(String, String)> {
    body.abstracts.iter().map(|one| (one.lang.clone(), plain(&one.nodes).trim().to_owned())).collect()
}

fn references(body: &ArticleBody) -> Vec<&Reference> {
    body.reference_lists.iter().flat_map(|list| &list.refs).collect()
}

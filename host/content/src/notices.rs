//! Notices between articles (retractions, corrections, comments) with the data of the other article for readers and harvesters.

use std::collections::HashMap;

use masthead_domain::{
    ArticleId, Doi,
    article::{ArticleMeta, RelatedArticle},
    card::{ArticleCard, CardText},
    notice::{Notice, NoticeKind, NoticeMark, NoticeSide},
};
use masthead_store::{SiteStore, StoreError};
use serde_json::{Map, Value, json};

/// A notice between an article and another one.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedNotice {
    /// The notice, from the view of the article.
    pub notice: Notice,
    /// The card of the other article, if the site has it.
    pub other: Option<ArticleCard>,
    /// The address of the other article's page on this site, or "".
    pub page: String,
}

/// The notices of articles, by article; articles without any are left out. `page` gives the address of an article's page, or "".
///
/// # Errors
/// The error of the store.
pub async fn of_articles(
    store: &SiteStore,
    ids: &[ArticleId],
    page: impl Fn(ArticleId) -> String,
) -> Result<HashMap<ArticleId, Vec<LinkedNotice>>, StoreError> {
    let found = store.notices(ids).await?;
    let mut others: Vec<ArticleId> = found.values().flatten().filter_map(|notice| notice.article).collect();
    others.sort_unstable();
    others.dedup();
    let cards = store.cards_by_id(&others).await?;
    let cards: HashMap<ArticleId, ArticleCard> = cards.into_iter().map(|card| (card.article_id(), card)).collect();
    let linked = |notice: Notice| {
        let other = notice.article.and_then(|id| cards.get(&id)).cloned();
        let page = other.as_ref().map(|card| page(card.article_id())).unwrap_or_default();
        LinkedNotice { notice, other, page }
    };
    Ok(found.into_iter().map(|(id, notices)| (id, notices.into_iter().map(&linked).collect())).collect())
}

/// The notices of one article, the weightiest first.
///
/// # Errors
/// The error of the store.
pub async fn of_article(
    store: &SiteStore,
    id: ArticleId,
    page: impl Fn(ArticleId) -> String,
) -> Result<Vec<LinkedNotice>, StoreError> {
    Ok(of_articles(store, &[id], page).await?.remove(&id).unwrap_or_default())
}

impl LinkedNotice {
    /// The DOI of the other article, if it is known.
    #[must_use]
    pub fn doi(&self) -> Option<Doi> {
        let of_card = self.other.as_ref().and_then(|card| card.doi.clone());
        of_card.or_else(|| Doi::parse(&self.notice.address).ok())
    }

    /// The permanent address of the other article: that of its DOI, else of its page here, else the one that the source has.
    #[must_use]
    pub fn address(&self) -> String {
        let doi = self.doi().map(|doi| doi.url()).unwrap_or_default();
        first(&[&doi, &self.page, &self.notice.address])
    }

    /// Where a reader of this site finds the other article: on its page here, else at its permanent address.
    #[must_use]
    pub fn href(&self) -> String {
        if self.page.is_empty() { self.address() } else { self.page.clone() }
    }

    /// The title of the other article for readers of the language with this BCP 47 tag, else its reference in the source, else its DOI or
    /// address.
    #[must_use]
    pub fn title(&self, tag: &str) -> String {
        let title = self.own_title(tag).map_or("", |title| title.plain.as_str());
        let doi = self.doi().map(|doi| doi.to_string()).unwrap_or_default();
        first(&[title, &self.notice.label, &doi, &self.notice.address, &self.page])
    }

    /// The BCP 47 tag of [`LinkedNotice::title`], or "" where it is not known.
    #[must_use]
    pub fn title_language(&self, tag: &str) -> &str {
        self.own_title(tag).map_or("", |title| title.lang.as_str())
    }

    fn own_title(&self, tag: &str) -> Option<&CardText> {
        self.other.as_ref().and_then(|card| card.title(tag)).filter(|title| !title.plain.is_empty())
    }
}

/// Greatest number of related articles that are looked for on the site.
const RELATED: usize = 20;

/// The cards of the related articles that the site has, each with the DOI by which the source names it.
///
/// # Errors
/// The error of the store.
pub async fn related_here(store: &SiteStore, meta: &ArticleMeta) -> Result<Vec<(Doi, ArticleCard)>, StoreError> {
    let named = meta.related.iter().filter_map(|one| Doi::parse(&one.href).ok()).take(RELATED);
    let named: Vec<(String, Doi)> = named.map(|doi| (doi.url(), doi)).collect();
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let known = store.article_ids_by_names(&names).await?;
    let found = named.into_iter().filter_map(|(name, doi)| Some((doi, *known.get(&name)?)));
    let found: Vec<(Doi, ArticleId)> = found.collect();
    let ids: Vec<ArticleId> = found.iter().map(|(_, id)| *id).collect();
    let cards = store.cards_by_id(&ids).await?;
    let card = |id: ArticleId| cards.iter().find(|card| card.article_id() == id).cloned();
    Ok(found.into_iter().filter_map(|(doi, id)| Some((doi, card(id)?))).collect())
}

/// The first text that is not empty.
fn first(texts: &[&str]) -> String {
    texts.iter().find(|text| !text.is_empty()).map(|text| (*text).to_owned()).unwrap_or_default()
}

/// The mark of an article about which there are these notices.
#[must_use]
pub fn mark(notices: &[LinkedNotice]) -> NoticeMark {
    let affecting = notices.iter().filter(|one| one.notice.side == NoticeSide::Affected);
    affecting.map(|one| one.notice.kind.mark()).max().unwrap_or_default()
}

/// The notices that the article's own JATS does not contain, as related articles.
#[must_use]
pub fn related(notices: &[LinkedNotice]) -> Vec<RelatedArticle> {
    let unstated = notices.iter().filter(|one| !one.notice.stated);
    let related = unstated.map(|one| RelatedArticle {
        kind: one.notice.kind.relation(one.notice.side).to_owned(),
        href: one.doi().map_or_else(|| one.address(), |doi| doi.to_string()),
        text: String::new(),
    });
    related.filter(|related| !related.href.is_empty()).collect()
}

/// Adds notices to the schema.org description of an article: `correction` and `subjectOf` of an affected one, `isBasedOn` of a notice, and the
/// status of a retracted one.
pub fn describe(description: &mut Value, notices: &[LinkedNotice]) {
    let Some(members) = description.as_object_mut() else { return };
    for one in notices {
        let address = one.address();
        if address.is_empty() {
            continue;
        }
        let title = one.other.as_ref().and_then(|card| card.title(&card.language)).map(|title| title.plain.clone());
        let published = one.other.as_ref().map(|card| card.published.clone()).unwrap_or_default();
        let (member, class) = match (one.notice.side, one.notice.kind) {
            (NoticeSide::Notice, _) => ("isBasedOn", "ScholarlyArticle"),
            (NoticeSide::Affected, NoticeKind::Comment | NoticeKind::Reply | NoticeKind::Update) => {
                ("subjectOf", "ScholarlyArticle")
            }
            (NoticeSide::Affected, _) => ("correction", "CorrectionComment"),
        };
        let mut value = Map::from_iter([
            ("@type".to_owned(), json!(class)),
            ("@id".to_owned(), json!(address)),
            ("url".to_owned(), json!(address)),
        ]);
        for (name, text) in [("name", title.unwrap_or_default()), ("datePublished", published)] {
            if !text.is_empty() {
                value.insert(name.to_owned(), json!(text));
            }
        }
        if let Value::Array(values) = members.entry(member).or_insert_with(|| json!([])) {
            values.push(Value::Object(value));
        }
    }
    if mark(notices) == NoticeMark::Retracted {
        members.insert("creativeWorkStatus".to_owned(), json!("Retracted"));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn linked(kind: NoticeKind, side: NoticeSide, doi: Option<&str>, stated: bool) -> LinkedNotice {
        let other = ArticleCard { id: 7, doi: doi.map(|doi| Doi::parse(doi).unwrap()), ..ArticleCard::default() };
        let notice = Notice {
            kind,
            side,
            article: Some(ArticleId(7)),
            target: String::new(),
            address: String::new(),
            label: String::new(),
            stated,
        };
        LinkedNotice { notice, other: Some(other), page: "https://a.example/en/article/7".into() }
    }

    #[test]
    fn only_what_the_source_does_not_say_is_added_to_it() {
        let notices = [
            linked(NoticeKind::Correction, NoticeSide::Affected, Some("10.5555/N"), false),
            linked(NoticeKind::Retraction, NoticeSide::Affected, Some("10.5555/said"), true),
            linked(NoticeKind::Comment, NoticeSide::Affected, None, false),
        ];
        let related: Vec<_> = related(&notices).into_iter().map(|one| (one.kind, one.href)).collect();
        let expected = [("correction-forward", "10.5555/N"), ("commentary", "https://a.example/en/article/7")];
        assert_eq!(related, expected.map(|(kind, href)| (kind.to_owned(), href.to_owned())));
    }

    #[test]
    fn an_article_is_described_with_its_notices() {
        let mut affected = json!({ "@type": "ScholarlyArticle" });
        describe(
            &mut affected,
            &[
                linked(NoticeKind::Retraction, NoticeSide::Affected, Some("10.5555/r"), false),
                linked(NoticeKind::Correction, NoticeSide::Affected, Some("10.5555/c"), false),
                linked(NoticeKind::Comment, NoticeSide::Affected, None, false),
            ],
        );
        assert_eq!(affected["creativeWorkStatus"], "Retracted");
        assert_eq!(affected["correction"][1]["@id"], "https://doi.org/10.5555/c");
        assert_eq!(affected["subjectOf"][0]["url"], "https://a.example/en/article/7");
        let mut notice = json!({});
        describe(&mut notice, &[linked(NoticeKind::Retraction, NoticeSide::Notice, Some("10.5555/a"), true)]);
        assert_eq!(notice["isBasedOn"][0]["@id"], "https://doi.org/10.5555/a");
        assert!(notice["creativeWorkStatus"].is_null(), "the notice itself is not retracted");
    }

    #[test]
    fn an_unknown_article_has_the_address_of_the_source() {
        let mut unknown = linked(NoticeKind::Correction, NoticeSide::Notice, None, true);
        (unknown.other, unknown.page) = (None, String::new());
        unknown.notice.address = "https://doi.org/10.9999/x".into();
        assert_eq!((unknown.href().as_str(), unknown.title("en").as_str()), ("https://doi.org/10.9999/x", "10.9999/x"));
        unknown.notice.label = "On tides".into();
        assert_eq!(unknown.title("en"), "On tides");
    }
}

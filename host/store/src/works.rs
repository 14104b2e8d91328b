//! Articles without identifiers. A corrected source of such an article has another digest, and so another key; the article is recognised by
//! its journal, its issue, its first page and its title.

use std::collections::{HashMap, HashSet};

use masthead_domain::{
    ArticleId,
    article::{ArticleMeta, Contributor},
    text::{hex, section_key, title_key},
};
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Transaction};

use crate::{LIST, NewArticle, SiteStore, StoreError, StoredForm, edits, journals, places, subjects};

const READING: &str = "looking for articles with the same issue, pages and title";

/// What a site has of an article that is to be stored and whose key it does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExistingArticle {
    /// Nothing: it is a new article. So is one whose key is known, which needs no other way to be found.
    No,
    /// This article, of which only a digest was known.
    As {
        /// The article's number.
        id: ArticleId,
        /// Its source key.
        source_key: String,
    },
    /// This article, of which only a digest was known, and which is withdrawn.
    Withdrawn {
        /// The article's number.
        id: ArticleId,
        /// Its source key.
        source_key: String,
    },
    /// These articles, or others of the same list if there are none, each of which may be the same one or another one: the decision is not
    /// the program's.
    Perhaps(Vec<ArticleId>),
}

/// Work key, number, source key, journal and metadata of an article, and 1 if it is withdrawn.
type CandidateRow = (String, i64, String, String, String, i64);

/// An article with the same work key.
struct Candidate {
    id: i64,
    source_key: String,
    journal: String,
    /// Its metadata, without what an editor has changed: a source may still have the earlier values.
    meta: ArticleMeta,
    withdrawn: bool,
    /// Whether an editor has moved it to its journal, so that a source may name another one.
    moved: bool,
}

impl Candidate {
    /// Leaves out of the comparison what was edited by hand.
    fn without(mut self, edited: &[String]) -> Self {
        for path in edited {
            match path.split('.').next().unwrap_or_default() {
                "journal" => self.moved = true,
                "year" => self.meta.year = None,
                "articleType" => self.meta.article_type.clear(),
                "contributors" => self.meta.contributors.clear(),
                _ => {}
            }
        }
        self
    }

    /// Whether a description that names this journal is of an article in the same journal.
    fn is_in(&self, journal: Option<&str>, meta: &ArticleMeta) -> bool {
        let names = names(meta);
        Some(self.journal.as_str()) == journal
            || (self.moved && self.meta.authors().any(|one| names.contains(&name(one))))
    }
}

/// How a source key begins that is the digest of a source.
const DIGEST: &str = "sha256:";

/// Whether a source key is the digest of a source, which says nothing about the article.
fn is_digest(source_key: &str) -> bool {
    source_key.starts_with(DIGEST)
}

/// The digest of what identifies an article besides its journal: volume, issue, first page or article number, and title. `None` if the page,
/// the title, or the issue with volume and year is not known. The year counts only where there is no volume, because sources correct it.
#[must_use]
pub fn work_key(meta: &ArticleMeta) -> Option<String> {
    let number = |text: &str| section_key(text).trim_start_matches('0').to_owned();
    let title = title_key(&meta.titles.first()?.plain);
    let page = number(if meta.first_page.is_empty() { &meta.elocation_id } else { &meta.first_page });
    let (volume, issue, part) = (number(&meta.volume), number(&meta.issue), number(&meta.part));
    let year = meta.year.filter(|_| volume.is_empty()).map(|year| year.to_string()).unwrap_or_default();
    let placed = !volume.is_empty() || !issue.is_empty() || !year.is_empty();
    if title.is_empty() || page.is_empty() || !placed {
        return None;
    }
    let mut hash = Sha256::new();
    for field in [&volume, &issue, &part, &year, &page, &title] {
        hash.update(field);
        hash.update([0_u8]);
    }
    Some(hex(&hash.finalize()))
}

/// Whether two descriptions with the same work key are of different articles: by the year, the type, an identifier, or because they have no
/// author in common.
fn contradict(one: &ArticleMeta, other: &ArticleMeta) -> bool {
    let years = one.year.zip(other.year).is_some_and(|(one, other)| one != other);
    let types =
        !one.article_type.is_empty() && !other.article_type.is_empty() && one.article_type != other.article_type;
    let ids = one.ids.iter().any(|(kind, id)| {
        let mut same_kind = other.ids.iter().filter(|(known, _)| known == kind).peekable();
        same_kind.peek().is_some() && same_kind.all(|(_, known)| known != id)
    });
    let (authors, others) = (names(one), names(other));
    years || types || ids || (!authors.is_empty() && !others.is_empty() && authors.is_disjoint(&others))
}

fn names(meta: &ArticleMeta) -> HashSet<String> {
    meta.authors().map(name).collect()
}

fn name(person: &Contributor) -> String {
    if person.surname.is_empty() { title_key(&person.display_name()) } else { title_key(&person.surname) }
}

fn recognised(meta: &ArticleMeta, candidates: &[&Candidate]) -> ExistingArticle {
    match candidates {
        [] => ExistingArticle::No,
        [only] if is_digest(&only.source_key) && !contradict(meta, &only.meta) => {
            let (id, source_key) = (ArticleId(only.id), only.source_key.clone());
            if only.withdrawn {
                ExistingArticle::Withdrawn { id, source_key }
            } else {
                ExistingArticle::As { id, source_key }
            }
        }
        // Articles that have identifiers, and not the same ones, are different articles.
        all if !is_digest(&meta.source_key) && all.iter().all(|one| !is_digest(&one.source_key)) => ExistingArticle::No,
        all => ExistingArticle::Perhaps(all.iter().map(|one| ArticleId(one.id)).collect()),
    }
}

/// Whether another article of the list may be the same one as the article at this place: it is not known which of the two is meant.
fn is_twice(new: &[&ArticleMeta], keys: &[Option<String>], at: usize) -> bool {
    let (Some(meta), Some(Some(key))) = (new.get(at), keys.get(at)) else { return false };
    new.iter().zip(keys).enumerate().any(|(other_at, (other, other_key))| {
        other_at != at
            && other_key.as_ref() == Some(key)
            && other.source_key != meta.source_key
            && (is_digest(&meta.source_key) || is_digest(&other.source_key))
            && other.journal == meta.journal
            && !contradict(meta, other)
    })
}

impl SiteStore {
    /// Looks for the articles that these are, where their keys are not known: the outcome of each, in their order. Those of one list are
    /// different articles. Each is described as its source has it, without the fields that were edited by hand.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn recognise(&self, new: &[&ArticleMeta]) -> Result<Vec<ExistingArticle>, StoreError> {
        let keys: Vec<Option<String>> = new.iter().map(|meta| work_key(meta)).collect();
        let known = self.known_keys(new).await?;
        let unknown = new.iter().zip(&keys).filter(|(meta, _)| !known.contains(&meta.source_key));
        let unknown: Vec<&str> = unknown.filter_map(|(_, key)| key.as_deref()).collect();
        let candidates = self.candidates(&unknown).await?;
        let journals = if candidates.is_empty() { Vec::new() } else { self.journals().await? };
        let mut all = Vec::with_capacity(new.len());
        for (at, meta) in new.iter().enumerate() {
            let key = keys.get(at).and_then(Option::as_ref).filter(|_| !known.contains(&meta.source_key));
            let journal = journals::find(&journals, &meta.journal).map(|journal| journal.key.as_str());
            let same: Vec<&Candidate> = key
                .and_then(|key| candidates.get(key))
                .into_iter()
                .flatten()
                .filter(|one| one.is_in(journal, meta))
                .collect();
            all.push(if key.is_some() && is_twice(new, &keys, at) {
                ExistingArticle::Perhaps(same.iter().map(|one| ArticleId(one.id)).collect())
            } else {
                recognised(meta, &same)
            });
        }
        Ok(all)
    }

    /// The articles with these work keys, withdrawn or not, by key.
    async fn candidates(&self, keys: &[&str]) -> Result<HashMap<String, Vec<Candidate>>, StoreError> {
        let mut found: HashMap<String, Vec<Candidate>> = HashMap::new();
        for some in keys.chunks(LIST) {
            let places = places(2, some.len());
            let sql = format!(
                "SELECT work_key, id, source_key, journal, meta, CAST(0 AS BIGINT) FROM articles \
                 WHERE site_id = $1 AND work_key IN ({places}) \
                 UNION ALL SELECT work_key, id, source_key, journal, meta, CAST(1 AS BIGINT) FROM withdrawn_articles \
                 WHERE site_id = $1 AND work_key IN ({places}) ORDER BY id"
            );
            let mut query = sqlx::query_as::<_, CandidateRow>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for key in some {
                query = query.bind(*key);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            let ids: Vec<i64> = rows.iter().map(|row| row.1).collect();
            let edited = edits::fields_of(&self.pool, self.site, &ids).await?;
            for (key, id, source_key, journal, meta, withdrawn) in rows {
                let meta = ArticleMeta::decode(&meta).map_err(StoreError::damaged("an article's data"))?;
                let one = Candidate { id, source_key, journal, meta, withdrawn: withdrawn == 1, moved: false };
                found.entry(key).or_default().push(one.without(edited.get(&id).map_or(&[][..], Vec::as_slice)));
            }
        }
        if !keys.is_empty() {
            for (key, one) in self.edited_candidates(keys).await? {
                let same = found.entry(key).or_default();
                if !same.iter().any(|known| known.id == one.id) {
                    same.push(one);
                }
            }
        }
        Ok(found)
    }

    /// The articles without identifiers, withdrawn or not, that have one of these work keys since an editor has changed issue, page or title.
    /// A later source may have what the editor wrote.
    async fn edited_candidates(&self, keys: &[&str]) -> Result<Vec<(String, Candidate)>, StoreError> {
        let changed: Vec<String> = sqlx::query_scalar(
            "SELECT DISTINCT subject FROM edits WHERE site_id = $1 AND subject LIKE 'article/%' AND (field LIKE 'titles%' \
             OR field IN ('volume', 'issue', 'part', 'year', 'firstPage', 'elocationId'))",
        )
        .bind(self.site)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        let ids: Vec<i64> = changed.iter().filter_map(|subject| Some(subjects::as_article(subject)?.0)).collect();
        let mut found = Vec::new();
        for some in ids.chunks(LIST) {
            let places = places(2, some.len());
            let sql = format!(
                "SELECT id, source_key, journal, meta, CAST(0 AS BIGINT) FROM articles \
                 WHERE site_id = $1 AND id IN ({places}) AND source_key LIKE '{DIGEST}%' \
                 UNION ALL SELECT id, source_key, journal, meta, CAST(1 AS BIGINT) FROM withdrawn_articles \
                 WHERE site_id = $1 AND id IN ({places}) AND source_key LIKE '{DIGEST}%' ORDER BY id"
            );
            let mut query =
                sqlx::query_as::<_, (i64, String, String, String, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for id in some {
                query = query.bind(*id);
            }
            let rows = query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?;
            let edited = edits::fields_of(&self.pool, self.site, some).await?;
            for (id, source_key, journal, meta, withdrawn) in rows {
                let meta = ArticleMeta::decode(&meta).map_err(StoreError::damaged("an article's data"))?;
                let Some(key) = work_key(&meta).filter(|key| keys.contains(&key.as_str())) else { continue };
                let one = Candidate { id, source_key, journal, meta, withdrawn: withdrawn == 1, moved: false };
                found.push((key, one.without(edited.get(&id).map_or(&[][..], Vec::as_slice))));
            }
        }
        Ok(found)
    }

    /// Those of the source keys that the site knows, of present or removed articles; withdrawn ones are among the removed.
    async fn known_keys(&self, new: &[&ArticleMeta]) -> Result<HashSet<String>, StoreError> {
        let mut known = HashSet::new();
        for some in new.chunks(LIST) {
            let places = places(2, some.len());
            let sql = format!(
                "SELECT source_key FROM articles WHERE site_id = $1 AND source_key IN ({places}) \
                 UNION ALL SELECT source_key FROM removed_articles WHERE site_id = $1 AND source_key IN ({places})"
            );
            let mut query = sqlx::query_scalar::<_, String>(sqlx::AssertSqlSafe(sql)).bind(self.site);
            for meta in some {
                query = query.bind(meta.source_key.as_str());
            }
            known.extend(query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))?);
        }
        Ok(known)
    }
}

/// Gives the article that a new one replaces the new one's key, by which the new one is then found. Nothing happens if the article is gone
/// or has got identifiers meanwhile, or if another article has, or had before it was removed or withdrawn, the new key.
pub(crate) async fn take_over(tx: &mut Transaction<'_, Any>, site: i64, new: &NewArticle) -> Result<(), sqlx::Error> {
    let Some(id) = new.replaces else { return Ok(()) };
    let key = new.article.meta.source_key.as_str();
    let before: Option<String> = sqlx::query_scalar("SELECT source_key FROM articles WHERE site_id = $1 AND id = $2")
        .bind(site)
        .bind(id.0)
        .fetch_optional(&mut **tx)
        .await?;
    let Some(before) = before.filter(|before| is_digest(before) && before != key) else { return Ok(()) };
    sqlx::query(
        "UPDATE articles SET source_key = $3 WHERE site_id = $1 AND source_key = $2 \
         AND NOT EXISTS (SELECT 1 FROM articles AS a WHERE a.site_id = $1 AND a.source_key = $3) \
         AND NOT EXISTS (SELECT 1 FROM removed_articles AS r WHERE r.site_id = $1 AND r.source_key = $3)",
    )
    .bind(site)
    .bind(&before)
    .bind(key)
    .execute(&mut **tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use masthead_domain::article::LangText;

    use super::*;

    fn meta(title: &str, volume: &str, page: &str) -> ArticleMeta {
        ArticleMeta {
            titles: vec![LangText { lang: "en".into(), plain: title.into(), nodes: Vec::new() }],
            volume: volume.into(),
            issue: "2".into(),
            first_page: page.into(),
            year: Some(2026),
            ..ArticleMeta::default()
        }
    }

    fn authored(meta: ArticleMeta, surnames: &[&str]) -> ArticleMeta {
        let author =
            |name: &&str| Contributor { role: "author".into(), surname: (*name).to_owned(), ..Contributor::default() };
        ArticleMeta { contributors: surnames.iter().map(author).collect(), ..meta }
    }

    #[test]
    fn issue_page_and_title_identify_an_article_however_they_are_written() {
        let key = work_key(&meta("On “tides”", "3", "7")).unwrap();
        for same in [meta("ON TIDES.", "03", "007"), ArticleMeta { year: Some(2025), ..meta("On tides", "3", "7") }] {
            assert_eq!(work_key(&same).as_deref(), Some(key.as_str()), "{same:?}");
        }
        let numbered = ArticleMeta { first_page: String::new(), elocation_id: "7".into(), ..meta("On tides", "3", "") };
        assert_eq!(work_key(&numbered).as_deref(), Some(key.as_str()));
        for other in [meta("On tides", "4", "7"), meta("On tides", "3", "8"), meta("On ebbs", "3", "7")] {
            assert_ne!(work_key(&other).unwrap(), key, "{other:?}");
        }
        let unvolumed = |year| work_key(&ArticleMeta { year: Some(year), ..meta("On tides", "", "7") });
        assert_ne!(unvolumed(2025), unvolumed(2026), "without a volume, issue 2 is of a year");
        let unplaced = ArticleMeta { issue: String::new(), year: None, ..meta("On tides", "", "7") };
        for unknown in [unplaced, meta("", "3", "7"), meta("—", "3", "7"), meta("On tides", "3", "")] {
            assert_eq!(work_key(&unknown), None, "{unknown:?}");
        }
    }

    #[test]
    fn year_type_identifiers_and_authors_tell_articles_apart() {
        let one = authored(meta("Reviews", "3", "7"), &["Pier", "Mole"]);
        for same in [
            one.clone(),
            authored(one.clone(), &["MOLE"]),
            authored(one.clone(), &[]),
            ArticleMeta { year: None, ids: vec![("pii".into(), "1".into())], ..one.clone() },
        ] {
            assert!(!contradict(&one, &same), "{same:?}");
        }
        let typed = |kind: &str| ArticleMeta { article_type: kind.into(), ..one.clone() };
        let named = |id: &str| ArticleMeta { ids: vec![("pii".into(), id.into())], ..one.clone() };
        assert!(contradict(&one, &authored(one.clone(), &["Wharf"])));
        assert!(contradict(&one, &ArticleMeta { year: Some(2025), ..one.clone() }));
        assert!(contradict(&typed("research-article"), &typed("correction")));
        assert!(contradict(&named("1"), &named("2")) && !contradict(&named("1"), &named("1")));
    }
}

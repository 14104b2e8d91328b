//! What machines follow: feeds, and the headers of records for harvesters.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context as _;

use super::{Comparison, MOST_LISTS, Side, text, token};

/// The forms of a feed, and the lists that feeds have besides the latest articles.
const FEEDS: [&str; 2] = ["feed.rss", "feed.atom"];
const LISTS: [&str; 3] = ["", "?list=justAccepted", "?list=onlineFirst"];
/// The most feeds that are compared.
const MOST_FEEDS: usize = 10_000;
/// Questions about the repository as a whole.
const REPOSITORY: [&str; 3] = ["/oai?verb=Identify", "/oai?verb=ListMetadataFormats", "/oai?verb=ListSets"];
const IDENTIFIERS: &str = "ListIdentifiers";
/// The most records that are in one list so far and not in the other. Copies list their records in the same order.
const MOST_UNMATCHED: usize = 100_000;
/// The most records whose differences are listed one by one.
const MOST_SHOWN: usize = 100;

impl Comparison<'_> {
    /// Compares the feeds of all lists and of all journals in each language.
    pub(super) async fn feeds(&mut self, pages: &BTreeSet<String>, languages: &BTreeSet<String>) -> anyhow::Result<()> {
        let feeds = feeds(pages, languages);
        if feeds.len() > MOST_FEEDS {
            self.report.partial.insert("feeds");
        }
        for feed in feeds.iter().take(MOST_FEEDS) {
            self.report.feeds += 1;
            self.answers("feed", feed).await?;
        }
        Ok(())
    }

    /// Compares what the repository says of itself, and the identifiers and datestamps of its records one by one. Returns the numbers of the
    /// articles that one of the sides says were removed.
    pub(super) async fn records(&mut self) -> anyhow::Result<BTreeSet<i64>> {
        for question in REPOSITORY {
            self.report.calls += 1;
            self.answers("call", question).await?;
        }
        let (mut a, mut b) = (Headers::of(self.a), Headers::of(self.b));
        let mut found = Found::default();
        for _ in 0..MOST_LISTS {
            if a.next.is_none() && b.next.is_none() {
                break;
            }
            for (name, in_a, in_b) in a.advance(&mut b).await? {
                found.add(name, in_a, in_b);
            }
            for (name, in_b, in_a) in b.advance(&mut a).await? {
                found.add(name, in_a, in_b);
            }
            if a.unmatched.len().max(b.unmatched.len()) > MOST_UNMATCHED {
                self.report.partial.insert("records");
                break;
            }
        }
        self.report.records += a.seen.max(b.seen);
        let missing = || "not there".to_owned();
        a.unmatched.into_iter().for_each(|(name, said)| found.add(name, said, missing()));
        b.unmatched.into_iter().for_each(|(name, said)| found.add(name, missing(), said));
        for (name, in_a, in_b) in found.shown {
            self.differs("record", name, in_a, in_b);
        }
        if found.further > 0 {
            let further = || format!("{} further records differ", found.further);
            self.differs("record", "/oai".to_owned(), further(), further());
        }
        a.removed.append(&mut b.removed);
        Ok(a.removed)
    }
}

/// The feeds of a site with these pages.
fn feeds(pages: &BTreeSet<String>, languages: &BTreeSet<String>) -> BTreeSet<String> {
    let lists = languages.iter().flat_map(|lang| LISTS.map(|list| (lang.as_str(), list.to_owned())));
    let journals = pages.iter().filter_map(|page| {
        let mut segments = page.split('?').next()?.split('/').skip(1);
        let (lang, key) = (segments.next()?, segments.next().filter(|page| *page == "mag").and(segments.next())?);
        (!key.is_empty()).then(|| (lang, format!("?journal={key}")))
    });
    lists.chain(journals).flat_map(|(lang, list)| FEEDS.map(|feed| format!("/{lang}/{feed}{list}"))).collect()
}

/// Records that differ: name, and what each side says of it.
#[derive(Default)]
struct Found {
    shown: Vec<(String, String, String)>,
    /// How many are not shown.
    further: usize,
}

impl Found {
    fn add(&mut self, name: String, in_a: String, in_b: String) {
        if self.shown.len() < MOST_SHOWN { self.shown.push((name, in_a, in_b)) } else { self.further += 1 }
    }
}

/// How far the list of records of one side has been read.
struct Headers<'a> {
    side: &'a Side,
    /// Path of the next page.
    next: Option<String>,
    /// Headers whose counterpart has not been read, by the name of the record.
    unmatched: BTreeMap<String, String>,
    /// Numbers of removed articles.
    removed: BTreeSet<i64>,
    seen: usize,
}

impl<'a> Headers<'a> {
    fn of(side: &'a Side) -> Self {
        let next = Some(format!("/oai?verb={IDENTIFIERS}&metadataPrefix=oai_dc"));
        Self { side, next, unmatched: BTreeMap::new(), removed: BTreeSet::new(), seen: 0 }
    }

    /// Reads the next page. Returns the records of which the other side says something else: name, what this side says, and what the other
    /// one does.
    async fn advance(&mut self, other: &mut Headers<'_>) -> anyhow::Result<Vec<(String, String, String)>> {
        let Some(path) = self.next.take() else { return Ok(Vec::new()) };
        let answer = self.side.get(&path).await.with_context(|| format!("asking for {path}"))?;
        self.next = token(IDENTIFIERS, &answer.body);
        let mut differing = Vec::new();
        for header in text::headers(&String::from_utf8_lossy(&answer.body)) {
            self.seen += 1;
            let number = header.name.strip_prefix("article/").and_then(|number| number.parse::<i64>().ok());
            self.removed.extend(number.filter(|_| header.deleted));
            match other.unmatched.remove(&header.name) {
                None => _ = self.unmatched.insert(header.name, header.said),
                Some(said) if said == header.said => {}
                Some(said) => differing.push((header.name, header.said, said)),
            }
        }
        Ok(differing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feeds_are_those_of_lists_and_journals_in_each_language() {
        let pages = ["/en/home", "/zh/home", "/en/mag", "/en/mag/tide%20tables", "/zh/mag/tide%20tables"];
        let found = feeds(&pages.map(str::to_owned).into(), &["en", "zh"].map(str::to_owned).into());
        assert_eq!(found.len(), 2 * 2 * (LISTS.len() + 1));
        for feed in [
            "/en/feed.rss",
            "/zh/feed.atom?list=onlineFirst",
            "/en/feed.atom?list=justAccepted",
            "/zh/feed.rss?journal=tide%20tables",
        ] {
            assert!(found.contains(feed), "{feed}: {found:?}");
        }
    }

    #[test]
    fn many_differing_records_are_counted() {
        let mut found = Found::default();
        for number in 0..MOST_SHOWN + 3 {
            found.add(format!("article/{number}"), "a".to_owned(), "b".to_owned());
        }
        assert_eq!((found.shown.len(), found.further), (MOST_SHOWN, 3));
    }
}

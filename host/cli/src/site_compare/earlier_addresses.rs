//! Addresses of what was there before: redirects, and the pages that are left of removed and withdrawn articles.

use std::collections::BTreeSet;

use masthead_store::backup::Value;

use super::{Comparison, escaped, page_call};

/// The most redirects, and the most removed articles, whose addresses are asked for.
const MOST: usize = 20_000;

impl Comparison<'_> {
    /// Compares what is left of articles that were removed or withdrawn: the status, and on the page the date and the reason in each language.
    /// `removed` has those that the lists of records name.
    pub(super) async fn tombstones(
        &mut self,
        mut removed: BTreeSet<i64>,
        languages: &BTreeSet<String>,
    ) -> anyhow::Result<()> {
        let number = |value: Value| if let Value::Int(number) = value { Some(number) } else { None };
        removed.append(&mut self.stored("tombstones", ("removed_articles", "id"), number).await?);
        if removed.len() > MOST {
            self.report.partial.insert("tombstones");
        }
        for number in removed.into_iter().take(MOST) {
            self.report.tombstones += 1;
            self.answers("tombstone", &format!("/rc-pub/front/front-article/{number}")).await?;
            for lang in languages {
                let page = format!("/{lang}/article/{number}");
                self.answers_about("tombstone", &page, &page_call(&page)).await?;
            }
        }
        Ok(())
    }

    /// Compares where the earlier addresses lead whose redirects are stored on a side that is on this machine: as they are stored, and with a
    /// language, because that of a page redirects with one only.
    pub(super) async fn redirects(&mut self, languages: &BTreeSet<String>) -> anyhow::Result<()> {
        let path = |value: Value| if let Value::Text(path) = value { Some(path) } else { None };
        let paths = self.stored("redirects", ("redirects", "path"), path).await?;
        let language = languages.first().map(|lang| format!("/{lang}")).unwrap_or_default();
        for path in paths {
            self.report.redirects += 1;
            for before in BTreeSet::from(["", language.as_str()]) {
                let what = format!("{before}{path}");
                self.answers_about("redirect", &what, &page_call(&format!("{before}{}", address(&path)))).await?;
            }
        }
        Ok(())
    }

    /// The values of a column on both sides. `kind` is noted as compared in part if there are more.
    async fn stored<T: Ord>(
        &mut self,
        kind: &'static str,
        (table, column): (&str, &str),
        read: fn(Value) -> Option<T>,
    ) -> anyhow::Result<BTreeSet<T>> {
        let mut all = BTreeSet::new();
        for side in [self.a, self.b] {
            let (values, more) = side.column(table, column, MOST).await?;
            all.extend(values.into_iter().filter_map(read));
            if more {
                self.report.partial.insert(kind);
            }
        }
        Ok(all)
    }
}

/// A stored path as it is written in an address: percent-encoded, also in the query that names a journal.
fn address(path: &str) -> String {
    let encoded = |text: &str, kept: &str| text.split(kept).map(escaped).collect::<Vec<_>>().join(kept);
    match path.split_once('?') {
        Some((path, query)) => format!("{}?{}", encoded(path, "/"), encoded(query, "=")),
        None => encoded(path, "/"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_paths_are_addresses() {
        for (path, expected) in [
            ("/index.php/one/article/view/12", "/index.php/one/article/view/12"),
            ("/期 1", "/%E6%9C%9F%201"),
            ("/100%", "/100%25"),
            ("/issue/2026/3?journal=tide&tables", "/issue/2026/3?journal=tide%26tables"),
        ] {
            assert_eq!(address(path), expected, "{path}");
        }
        assert_eq!(page_call("/100%25"), "/rc-pub/front/page?path=%2F100%2525");
    }
}

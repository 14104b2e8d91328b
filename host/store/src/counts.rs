//! Usage counts: views, downloads, searches. They are not part of the change log, because a change of a site's content discards all its
//! cached pages. The caller passes the day.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use masthead_domain::{ArticleId, SiteId};
use sqlx::{Any, Transaction};

use crate::{LIST, ROWS, SiteStore, Store, StoreError, lock_changes, places, value_rows};

/// The day under which the sum over all days is stored.
pub(crate) const ALL_DAYS: i64 = -1;
/// Kind of the counts of articles, and of the part of them that was taken over from another platform.
const ARTICLE: &str = "article";
const IMPORTED: &str = "article-imported";
const WRITING: &str = "adding to counts";
const READING: &str = "reading counts";

/// Views and downloads of one article or resource on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// The site.
    pub site: SiteId,
    /// `article`, or the name of a resource's kind.
    pub kind: String,
    /// Its number.
    pub entity: i64,
    /// Days since 1970.
    pub day: i64,
    /// Views.
    pub visits: i64,
    /// Downloads.
    pub downloads: i64,
}

/// Views and downloads of an article on another platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedCount {
    /// The article.
    pub article: ArticleId,
    /// Days since 1970; `None` for the sum of all days.
    pub day: Option<i64>,
    /// Views.
    pub visits: i64,
    /// Downloads.
    pub downloads: i64,
}

/// A search for some words by one reader on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The site.
    pub site: SiteId,
    /// Days since 1970.
    pub day: i64,
    /// The words, folded.
    pub words: String,
    /// The reader, as a hash with the secret of the day ([`Store::reader_secret`]).
    pub reader: String,
}

/// Views and downloads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Views.
    pub visits: i64,
    /// Downloads.
    pub downloads: i64,
}

/// What a ranking is ordered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranking {
    /// Views.
    Visits,
    /// Downloads.
    Downloads,
}

impl Store {
    /// Adds to the counts, in one transaction. A reader counts once for the same words on one day.
    ///
    /// # Errors
    /// [`StoreError::Query`]; nothing is added then.
    pub async fn add_counts(&self, counts: &[Count], searches: &[Searched]) -> Result<(), StoreError> {
        self.write_counts(counts, searches).await.map_err(StoreError::query(WRITING))
    }

    async fn write_counts(&self, counts: &[Count], searches: &[Searched]) -> Result<(), sqlx::Error> {
        let mut tx = self.pool.begin().await?;
        add_visits(&mut tx, counts).await?;
        add_searches(&mut tx, searches).await?;
        tx.commit().await
    }

    /// The secret with which the readers of a day are hashed: `proposed`, unless the day has one already. All processes that use
    /// the database have the same one.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn reader_secret(&self, day: i64, proposed: &[u8; 32]) -> Result<Vec<u8>, StoreError> {
        sqlx::query("INSERT INTO reader_secrets (day, secret) VALUES ($1, $2) ON CONFLICT (day) DO NOTHING")
            .bind(day)
            .bind(&proposed[..])
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        sqlx::query_scalar("SELECT secret FROM reader_secrets WHERE day = $1")
            .bind(day)
            .fetch_one(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    /// Deletes the readers of the days before a day, with the secrets of these days. The numbers of readers are kept.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn forget_readers(&self, before: i64) -> Result<(), StoreError> {
        for statement in ["DELETE FROM search_readers WHERE day < $1", "DELETE FROM reader_secrets WHERE day < $1"] {
            sqlx::query(statement).bind(before).execute(&self.pool).await.map_err(StoreError::query(WRITING))?;
        }
        Ok(())
    }

    /// Deletes the counts of searches before a day.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn forget_searches(&self, before: i64) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM searches WHERE day < $1")
            .bind(before)
            .execute(&self.pool)
            .await
            .map_err(StoreError::query(WRITING))?;
        Ok(())
    }
}

/// Adds views and downloads to the day of each and to the sum over all days. All processes write the rows in the same order, so that
/// no two of them wait for each other.
async fn add_visits(tx: &mut Transaction<'_, Any>, counts: &[Count]) -> Result<(), sqlx::Error> {
    let mut rows = Rows::new();
    for count in counts {
        for day in [count.day, ALL_DAYS] {
            let sum = rows.entry((count.site.0, count.kind.as_str(), day, count.entity)).or_default();
            sum.visits += count.visits;
            sum.downloads += count.downloads;
        }
    }
    add_rows(tx, rows).await
}

/// What is added to rows: site, kind, day, number -> views and downloads.
type Rows<'a> = BTreeMap<(i64, &'a str, i64, i64), Totals>;

async fn add_rows(tx: &mut Transaction<'_, Any>, rows: Rows<'_>) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = rows.into_iter().collect();
    for some in rows.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO counts (site_id, kind, day, entity, visits, downloads) VALUES {} \
             ON CONFLICT (site_id, kind, day, entity) DO UPDATE SET visits = counts.visits + excluded.visits, \
             downloads = counts.downloads + excluded.downloads",
            value_rows(6, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for ((site, kind, day, entity), sum) in some {
            query = query.bind(*site).bind(*kind).bind(*day).bind(*entity).bind(sum.visits).bind(sum.downloads);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// Adds searches, in the same order in all processes. A search of a reader who is known already adds nothing.
async fn add_searches(tx: &mut Transaction<'_, Any>, searches: &[Searched]) -> Result<(), sqlx::Error> {
    let readers: BTreeSet<(i64, i64, &str, &str)> =
        searches.iter().map(|one| (one.site.0, one.day, one.words.as_str(), one.reader.as_str())).collect();
    let readers: Vec<_> = readers.into_iter().collect();
    let mut new: BTreeMap<(i64, i64, String), i64> = BTreeMap::new();
    for some in readers.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO search_readers (site_id, day, words, reader) VALUES {} \
             ON CONFLICT (day, site_id, words, reader) DO NOTHING RETURNING site_id, day, words",
            value_rows(4, some.len())
        );
        let mut query = sqlx::query_as::<_, (i64, i64, String)>(sqlx::AssertSqlSafe(sql));
        for (site, day, words, reader) in some {
            query = query.bind(*site).bind(*day).bind(*words).bind(*reader);
        }
        for search in query.fetch_all(&mut **tx).await? {
            *new.entry(search).or_default() += 1;
        }
    }
    let rows: Vec<_> = new.into_iter().collect();
    for some in rows.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO searches (site_id, day, words, times, readers) VALUES {} \
             ON CONFLICT (site_id, day, words) DO UPDATE SET times = searches.times + excluded.times, \
             readers = searches.readers + excluded.readers",
            value_rows(5, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for ((site, day, words), readers) in some {
            query = query.bind(*site).bind(*day).bind(words.as_str()).bind(*readers).bind(*readers);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

/// The counts of one article by day, and their sum as far as it is known apart from the days.
#[derive(Default)]
struct ByDay {
    days: BTreeMap<i64, Totals>,
    sum: Totals,
}

impl ByDay {
    fn set(&mut self, day: Option<i64>, visits: i64, downloads: i64) {
        let totals = match day {
            Some(day) => self.days.entry(day).or_default(),
            None => &mut self.sum,
        };
        *totals = Totals { visits: totals.visits.max(visits), downloads: totals.downloads.max(downloads) };
    }

    /// What these counts have more than the known ones: by day, and under [`ALL_DAYS`] in the sum.
    fn beyond(&self, known: &Self) -> Vec<(i64, Totals)> {
        let more = |new: Totals, old: Totals| Totals {
            visits: (new.visits - old.visits).max(0),
            downloads: (new.downloads - old.downloads).max(0),
        };
        let before = |day: &i64| known.days.get(day).copied().unwrap_or_default();
        let mut added: Vec<(i64, Totals)> =
            self.days.iter().map(|(day, new)| (*day, more(*new, before(day)))).collect();
        let of_days =
            known.days.values().chain(added.iter().map(|(_, more)| more)).fold(Totals::default(), |sum, one| Totals {
                visits: sum.visits + one.visits,
                downloads: sum.downloads + one.downloads,
            });
        let sum = Totals {
            visits: of_days.visits.max(self.sum.visits),
            downloads: of_days.downloads.max(self.sum.downloads),
        };
        added.push((ALL_DAYS, more(sum, known.sum)));
        added.retain(|(_, more)| *more != Totals::default());
        added
    }
}

impl SiteStore {
    /// Takes over the counts of articles from another platform. It remembers what was taken over: the same counts add nothing again,
    /// and later ones add what they have more, whether they are by day or sums. Counts are never reduced. Returns the number of
    /// articles that got something.
    ///
    /// # Errors
    /// [`StoreError::Query`]. Some articles may have their counts then; the same call adds the others.
    pub async fn import_article_counts(&self, counts: &[ImportedCount]) -> Result<usize, StoreError> {
        let mut given: BTreeMap<i64, ByDay> = BTreeMap::new();
        for count in counts {
            given.entry(count.article.0).or_default().set(count.day, count.visits, count.downloads);
        }
        let given: Vec<(i64, ByDay)> = given.into_iter().collect();
        let mut changed = 0;
        for some in given.chunks(LIST) {
            changed += self.write_imported(some).await.map_err(StoreError::query(WRITING))?;
        }
        Ok(changed)
    }

    async fn write_imported(&self, given: &[(i64, ByDay)]) -> Result<usize, sqlx::Error> {
        // Two imports of the same counts wait for each other.
        let mut tx = lock_changes(&self.pool).await?;
        let sql = format!(
            "SELECT entity, day, visits, downloads FROM counts WHERE site_id = $1 AND kind = $2 AND entity IN ({})",
            places(3, given.len())
        );
        let mut query =
            sqlx::query_as::<_, (i64, i64, i64, i64)>(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(IMPORTED);
        for (article, _) in given {
            query = query.bind(*article);
        }
        let mut known: HashMap<i64, ByDay> = HashMap::new();
        for (article, day, visits, downloads) in query.fetch_all(&mut *tx).await? {
            let day = Some(day).filter(|day| *day != ALL_DAYS);
            known.entry(article).or_default().set(day, visits, downloads);
        }
        let nothing = ByDay::default();
        let (mut rows, mut changed) = (Rows::new(), 0);
        for (article, counts) in given {
            let added = counts.beyond(known.get(article).unwrap_or(&nothing));
            changed += usize::from(!added.is_empty());
            for (day, more) in added {
                for kind in [ARTICLE, IMPORTED] {
                    rows.insert((self.site, kind, day, *article), more);
                }
            }
        }
        add_rows(&mut tx, rows).await?;
        tx.commit().await?;
        Ok(changed)
    }

    /// Views and downloads of one article or resource over all days.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn totals(&self, kind: &str, entity: i64) -> Result<Totals, StoreError> {
        let row: Option<(i64, i64)> = sqlx::query_as(
            "SELECT visits, downloads FROM counts WHERE site_id = $1 AND kind = $2 AND day = $3 AND entity = $4",
        )
        .bind(self.site)
        .bind(kind)
        .bind(ALL_DAYS)
        .bind(entity)
        .fetch_optional(&self.pool)
        .await
        .map_err(StoreError::query(READING))?;
        Ok(row.map_or_else(Totals::default, |(visits, downloads)| Totals { visits, downloads }))
    }

    /// The views or downloads over all days of everything of these kinds that has some: `(kind, number, how often)`.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn all_counts(&self, kinds: &[&str], by: Ranking) -> Result<Vec<(String, i64, i64)>, StoreError> {
        let column = match by {
            Ranking::Visits => "visits",
            Ranking::Downloads => "downloads",
        };
        let sql = format!(
            "SELECT kind, entity, {column} FROM counts WHERE site_id = $1 AND day = $2 AND {column} > 0 AND kind IN ({})",
            places(3, kinds.len())
        );
        let mut query = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(self.site).bind(ALL_DAYS);
        for kind in kinds {
            query = query.bind((*kind).to_owned());
        }
        query.fetch_all(&self.pool).await.map_err(StoreError::query(READING))
    }

    /// The articles or resources with the most views or downloads since a day (`None`: over all days): `(number, how often)`, most first.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn ranking(
        &self,
        kind: &str,
        by: Ranking,
        since: Option<i64>,
        limit: i64,
    ) -> Result<Vec<(i64, i64)>, StoreError> {
        const VISITS: &str = "SELECT entity, CAST(SUM(visits) AS BIGINT) AS total FROM counts \
             WHERE site_id = $1 AND kind = $2 AND day >= $3 AND day <= $4 \
             GROUP BY entity HAVING SUM(visits) > 0 ORDER BY total DESC, entity DESC LIMIT $5";
        const DOWNLOADS: &str = "SELECT entity, CAST(SUM(downloads) AS BIGINT) AS total FROM counts \
             WHERE site_id = $1 AND kind = $2 AND day >= $3 AND day <= $4 \
             GROUP BY entity HAVING SUM(downloads) > 0 ORDER BY total DESC, entity DESC LIMIT $5";
        let sql = match by {
            Ranking::Visits => VISITS,
            Ranking::Downloads => DOWNLOADS,
        };
        let (from, to) = since.map_or((ALL_DAYS, ALL_DAYS), |day| (day.max(0), i64::MAX));
        sqlx::query_as(sql)
            .bind(self.site)
            .bind(kind)
            .bind(from)
            .bind(to)
            .bind(limit)
            .fetch_all(&self.pool)
            .await
            .map_err(StoreError::query(READING))
    }

    /// The words that most readers searched for since a day: `(words, readers)`, most first. Only words for which at least
    /// `readers` different readers searched on one day: over several days, readers cannot be told apart.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn hot_words(&self, since: i64, readers: u32, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
        sqlx::query_as(
            "SELECT words, CAST(SUM(readers) AS BIGINT) AS total FROM searches WHERE site_id = $1 AND day >= $2 \
             GROUP BY words HAVING MAX(readers) >= $3 ORDER BY total DESC, words LIMIT $4",
        )
        .bind(self.site)
        .bind(since)
        .bind(i64::from(readers))
        .bind(limit)
        .fetch_all(&self.pool)
        .await
        .map_err(StoreError::query(READING))
    }
}

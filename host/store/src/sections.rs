//! The sections (columns) of a site. Names that differ by case or spacing are one section, which has the spelling that was imported first. A
//! section can have names in several languages.

use std::collections::{BTreeMap, HashMap};

use masthead_domain::{Lang, LocalText, article::ArticleMeta, text::section_key};
use sqlx::{Any, Transaction};

use crate::{LIST, SiteStore, StoreError, StoredForm, encode, places};

const WRITING_NAMES: &str = "writing the names of sections";

/// The spellings of the sections that some articles name, in the transaction that stores these.
pub(crate) struct Spellings(HashMap<String, String>);

impl Spellings {
    /// Reads the spellings of these names, and records those of new sections in the order of the names.
    pub(crate) async fn record(tx: &mut Transaction<'_, Any>, site: i64, names: &[&str]) -> Result<Self, sqlx::Error> {
        let mut first: BTreeMap<String, &str> = BTreeMap::new();
        for name in names.iter().copied() {
            first.entry(section_key(name)).or_insert(name);
        }
        first.remove("");
        let mut known = entries(tx, site, ("sections", "label"), first.keys()).await?;
        for (key, name) in first {
            if known.contains_key(&key) {
                continue;
            }
            let label = name.split_whitespace().collect::<Vec<_>>().join(" ");
            sqlx::query(
                "INSERT INTO sections (site_id, entry, label) VALUES ($1, $2, $3) ON CONFLICT (site_id, entry) DO NOTHING",
            )
            .bind(site)
            .bind(&key)
            .bind(&label)
            .execute(&mut **tx)
            .await?;
            known.insert(key, label);
        }
        Ok(Self(known))
    }

    /// The metadata with the spellings of the site, each section once; `None` if they have them already.
    pub(crate) fn corrected(&self, meta: &ArticleMeta) -> Option<ArticleMeta> {
        let mut subjects: Vec<String> = Vec::with_capacity(meta.subjects.len());
        for subject in &meta.subjects {
            let spelled = self.0.get(&section_key(subject)).unwrap_or(subject);
            if !subjects.contains(spelled) {
                subjects.push(spelled.clone());
            }
        }
        (subjects != meta.subjects).then(|| {
            let subject_names = meta.subject_names.iter().map(|names| self.spelled(names)).collect();
            ArticleMeta { subjects, subject_names, ..meta.clone() }
        })
    }

    /// Records the names that sections have in several languages. A name replaces the one that is known in its language.
    pub(crate) async fn record_names<'n>(
        &self,
        tx: &mut Transaction<'_, Any>,
        site: i64,
        sections: impl Iterator<Item = &'n LocalText>,
    ) -> Result<(), StoreError> {
        let mut told: BTreeMap<String, LocalText> = BTreeMap::new();
        for names in sections {
            let names = self.spelled(names);
            told.entry(section_key(names.get(Lang::En))).or_default().0.extend(names.0);
        }
        let known = entries(tx, site, ("section_names", "data"), told.keys()).await;
        let known = known.map_err(StoreError::query(WRITING_NAMES))?;
        for (key, names) in told {
            // Names that cannot be read are replaced.
            let before = known.get(&key).and_then(|data| LocalText::decode(data).ok()).unwrap_or_default();
            let mut all = before.clone();
            all.0.extend(names.0);
            if all == before {
                continue;
            }
            sqlx::query(
                "INSERT INTO section_names (site_id, entry, data) VALUES ($1, $2, $3) \
                 ON CONFLICT (site_id, entry) DO UPDATE SET data = excluded.data",
            )
            .bind(site)
            .bind(&key)
            .bind(encode(&all)?)
            .execute(&mut **tx)
            .await
            .map_err(StoreError::query(WRITING_NAMES))?;
        }
        Ok(())
    }

    /// The names of a section in the spelling of the site.
    fn spelled(&self, names: &LocalText) -> LocalText {
        let spelled = |name: &String| self.0.get(&section_key(name)).unwrap_or(name).clone();
        LocalText(names.0.iter().map(|(lang, name)| (*lang, spelled(name))).collect())
    }
}

/// A column of a table of sections, by the keys of these.
async fn entries<'k>(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    (table, column): (&str, &str),
    keys: impl Iterator<Item = &'k String>,
) -> Result<HashMap<String, String>, sqlx::Error> {
    let keys: Vec<&String> = keys.collect();
    let mut known = HashMap::with_capacity(keys.len());
    for some in keys.chunks(LIST) {
        let sql =
            format!("SELECT entry, {column} FROM {table} WHERE site_id = $1 AND entry IN ({})", places(2, some.len()));
        let mut query = sqlx::query_as::<_, (String, String)>(sqlx::AssertSqlSafe(sql)).bind(site);
        for key in some {
            query = query.bind(key.as_str());
        }
        known.extend(query.fetch_all(&mut **tx).await?);
    }
    Ok(known)
}

impl SiteStore {
    /// The spelling of a section, whatever case and spacing the name has; `None` if no article is in it.
    ///
    /// # Errors
    /// [`StoreError::Query`].
    pub async fn section(&self, name: &str) -> Result<Option<String>, StoreError> {
        sqlx::query_scalar("SELECT label FROM sections WHERE site_id = $1 AND entry = $2")
            .bind(self.site)
            .bind(section_key(name))
            .fetch_optional(&self.pool)
            .await
            .map_err(StoreError::query("reading the sections of a site"))
    }
}

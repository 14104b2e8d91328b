//! Full-text search of SQLite (FTS5), as an application without an engine of its own would use it.

use std::path::Path;

use sqlx::{
    SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::runtime::Runtime;

use super::{Database, Engine, WEIGHTS, runtime};
use crate::{content::Document, judged::Query};

/// Documents that are written in one transaction.
const BATCH: usize = 5_000;
/// Pages in memory, as SQLite states it: KiB, as a negative number.
const CACHE: &str = "-262144";
/// Bytes of an index that FTS5 collects in memory before it writes them.
const COLLECTED: i64 = 256 * 1024 * 1024;

/// How FTS5 divides texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tokenizer {
    /// Words of letters and digits; accents are removed.
    Unicode61,
    /// Every three characters.
    Trigram,
}

/// A table of FTS5 in a file of its own.
pub struct Fts5 {
    runtime: Runtime,
    pool: SqlitePool,
    tokenizer: Tokenizer,
}

impl Fts5 {
    /// An empty table, in a file that is created in `folder`.
    #[must_use]
    pub fn create(folder: &Path, tokenizer: Tokenizer) -> Self {
        let runtime = runtime();
        let (file, tokenize) = match tokenizer {
            Tokenizer::Unicode61 => ("unicode61.db", "unicode61 remove_diacritics 2"),
            Tokenizer::Trigram => ("trigram.db", "trigram"),
        };
        let statement = sqlx::AssertSqlSafe(format!(
            "CREATE VIRTUAL TABLE documents USING fts5(kind UNINDEXED, key UNINDEXED, title, keywords, authors, company, \
             summary, text, doi, tokenize = '{tokenize}')"
        ));
        let options = SqliteConnectOptions::new()
            .filename(folder.join(file))
            .create_if_missing(true)
            // The table is made for one comparison: nothing of it has to outlast the process, and it gets memory to be filled fast.
            .journal_mode(SqliteJournalMode::Off)
            .synchronous(SqliteSynchronous::Off)
            .pragma("cache_size", CACHE);
        let pool = runtime.block_on(async {
            let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await.unwrap();
            sqlx::query(statement).execute(&pool).await.unwrap();
            sqlx::query("INSERT INTO documents (documents, rank) VALUES ('hashsize', $1)")
                .bind(COLLECTED)
                .execute(&pool)
                .await
                .unwrap();
            pool
        });
        Self { runtime, pool, tokenizer }
    }

    /// The query in the language of FTS5: quoted words, all of which have to match; phrases stay phrases. `None` if nothing is left that
    /// it could search: trigrams find no word of fewer than three characters.
    fn expression(&self, typed: &str) -> Option<String> {
        let shortest = if self.tokenizer == Tokenizer::Trigram { 3 } else { 1 };
        let mut parts = Vec::new();
        let quote = |c: char| matches!(c, '"' | '“' | '”');
        for (number, piece) in typed.split(quote).enumerate() {
            let quoted = number % 2 == 1;
            let words: Vec<&str> = if quoted { vec![piece] } else { piece.split_whitespace().collect() };
            for word in words {
                let operator = !quoted && matches!(word, "AND" | "OR" | "NOT");
                if word.chars().filter(|c| c.is_alphanumeric()).count() >= shortest && !operator {
                    parts.push(format!("\"{word}\""));
                }
            }
        }
        (!parts.is_empty()).then(|| parts.join(" "))
    }
}

impl Database for Fts5 {
    fn add(&self, documents: &[Document]) {
        self.runtime.block_on(async {
            for some in documents.chunks(BATCH) {
                let mut tx = self.pool.begin().await.unwrap();
                for document in some {
                    sqlx::query("INSERT INTO documents VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)")
                        .bind(&document.kind)
                        .bind(&document.key)
                        .bind(&document.title)
                        .bind(&document.keywords)
                        .bind(&document.authors)
                        .bind(&document.company)
                        .bind(&document.summary)
                        .bind(&document.text)
                        .bind(&document.doi)
                        .execute(&mut *tx)
                        .await
                        .unwrap();
                }
                tx.commit().await.unwrap();
            }
        });
    }

    fn finish(&self) {
        self.runtime.block_on(async {
            sqlx::query("INSERT INTO documents (documents) VALUES ('optimize')").execute(&self.pool).await.unwrap();
        });
    }

    fn bytes(&self) -> u64 {
        let size =
            sqlx::query_scalar::<_, i64>("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
        self.runtime.block_on(size.fetch_one(&self.pool)).unwrap().unsigned_abs()
    }
}

impl Engine for Fts5 {
    fn name(&self) -> &'static str {
        match self.tokenizer {
            Tokenizer::Unicode61 => "SQLite FTS5 unicode61",
            Tokenizer::Trigram => "SQLite FTS5 trigram",
        }
    }

    fn find(&self, query: &Query, limit: usize) -> Vec<String> {
        let Some(expression) = self.expression(&query.text) else { return Vec::new() };
        let [title, keywords, authors, company, summary, text, doi] = WEIGHTS;
        let found = sqlx::query_scalar::<_, String>(
            "SELECT key FROM documents WHERE documents MATCH $1 AND ($2 = 'all' OR kind = $2) \
             ORDER BY bm25(documents, 0.0, 0.0, $3, $4, $5, $6, $7, $8, $9) LIMIT $10",
        )
        .bind(expression)
        .bind(&query.kind)
        .bind(title)
        .bind(keywords)
        .bind(authors)
        .bind(company)
        .bind(summary)
        .bind(text)
        .bind(doi)
        .bind(i64::try_from(limit).unwrap())
        .fetch_all(&self.pool);
        self.runtime.block_on(found).unwrap()
    }
}

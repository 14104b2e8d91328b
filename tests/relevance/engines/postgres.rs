//! Full-text search of PostgreSQL: a column of weighted lexemes with a GIN index, and the query language of web searches.

use std::path::Path;

use sqlx::{PgPool, postgres::PgPoolOptions};
use tokio::runtime::Runtime;

use super::{Database, Engine, runtime};
use crate::{cluster::Cluster, content::Document, judged::Query};

/// Documents that one statement writes.
const ROWS: usize = 200;
/// Bytes of a text that are indexed: a column of lexemes holds one megabyte.
const TEXT: usize = 400_000;
/// The code of a query that ran out of time.
const GAVE_UP: &str = "57014";

/// A table of PostgreSQL in a cluster of its own, which is stopped and removed with it.
pub struct Postgres {
    runtime: Runtime,
    pool: PgPool,
    _cluster: Cluster,
}

impl Postgres {
    /// An empty table in a cluster with its files in `parent`, or in one line why there is none.
    ///
    /// # Errors
    /// Why the cluster cannot be started here.
    pub fn create(parent: &Path) -> Result<Self, String> {
        let cluster = Cluster::start_in(parent)?;
        let runtime = runtime();
        let pool = runtime.block_on(async {
            let pool = PgPoolOptions::new().max_connections(1).connect(&cluster.url()).await.unwrap();
            sqlx::query("CREATE TABLE documents (kind text NOT NULL, key text NOT NULL, words tsvector NOT NULL)")
                .execute(&pool)
                .await
                .unwrap();
            pool
        });
        Ok(Self { runtime, pool, _cluster: cluster })
    }

    /// Ends every later query after so many milliseconds; it finds nothing then.
    pub fn give_up_after(&self, milliseconds: u32) {
        let statement = sqlx::AssertSqlSafe(format!("SET statement_timeout = {milliseconds}"));
        self.runtime.block_on(sqlx::query(statement).execute(&self.pool)).unwrap();
    }
}

/// A text without the character that PostgreSQL cannot store, as far as it is indexed.
fn storable(text: &str) -> String {
    text[..text.floor_char_boundary(TEXT)].replace('\0', " ")
}

impl Database for Postgres {
    fn add(&self, documents: &[Document]) {
        self.runtime.block_on(async {
            for some in documents.chunks(ROWS) {
                let column = |text: &dyn Fn(&Document) -> String| some.iter().map(text).collect::<Vec<_>>();
                let join = |parts: [&str; 2]| storable(&parts.join("\n"));
                sqlx::query(
                    "INSERT INTO documents SELECT kind, key, setweight(to_tsvector('english', a), 'A') || \
                     setweight(to_tsvector('english', b), 'B') || setweight(to_tsvector('english', c), 'C') || \
                     setweight(to_tsvector('english', d), 'D') \
                     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) \
                     AS given (kind, key, a, b, c, d)",
                )
                .bind(column(&|document| document.kind.clone()))
                .bind(column(&|document| document.key.clone()))
                .bind(column(&|document| join([&document.title, &document.doi])))
                .bind(column(&|document| join([&document.keywords, &document.authors])))
                .bind(column(&|document| join([&document.summary, &document.company])))
                .bind(column(&|document| storable(&document.text)))
                .execute(&self.pool)
                .await
                .unwrap();
            }
        });
    }

    fn finish(&self) {
        self.runtime.block_on(async {
            for statement in ["CREATE INDEX words ON documents USING gin (words)", "VACUUM ANALYZE documents"] {
                sqlx::query(statement).execute(&self.pool).await.unwrap();
            }
        });
    }

    fn bytes(&self) -> u64 {
        let size = sqlx::query_scalar::<_, i64>("SELECT pg_total_relation_size('documents')").fetch_one(&self.pool);
        self.runtime.block_on(size).unwrap().unsigned_abs()
    }
}

impl Engine for Postgres {
    fn name(&self) -> &'static str {
        "PostgreSQL full text"
    }

    fn find(&self, query: &Query, limit: usize) -> Vec<String> {
        let found = sqlx::query_scalar::<_, String>(
            "SELECT key FROM documents, websearch_to_tsquery('english', $1) AS asked \
             WHERE words @@ asked AND ($2 = 'all' OR kind = $2) ORDER BY ts_rank_cd(words, asked) DESC, key LIMIT $3",
        )
        .bind(storable(&query.text))
        .bind(&query.kind)
        .bind(i64::try_from(limit).unwrap())
        .fetch_all(&self.pool);
        match self.runtime.block_on(found) {
            Ok(keys) => keys,
            Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(GAVE_UP) => Vec::new(),
            Err(error) => panic!("{}: {error}", query.text),
        }
    }
}

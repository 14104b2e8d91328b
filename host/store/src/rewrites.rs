//! Writes to the rows of articles that give the article no new moment and number of change.
//!
//! A backup reads the rows of an article only if the article has another version than in the backup before. Whatever else writes these
//! rows notes it here, and makes the version another one by this.

use std::collections::BTreeSet;

use sqlx::{Any, Transaction};

use crate::{ROWS, next, value_rows};

/// Notes that rows of these articles are written, in the transaction that writes them.
pub(crate) async fn note(
    tx: &mut Transaction<'_, Any>,
    site: i64,
    articles: &BTreeSet<i64>,
) -> Result<(), sqlx::Error> {
    if articles.is_empty() {
        return Ok(());
    }
    let rewrite = next(tx, "rewrites").await?;
    let articles: Vec<i64> = articles.iter().copied().collect();
    for some in articles.chunks(ROWS) {
        let sql = format!(
            "INSERT INTO rewritten_articles (site_id, article_id, rewrite) VALUES {} \
             ON CONFLICT (site_id, article_id) DO UPDATE SET rewrite = excluded.rewrite",
            value_rows(3, some.len())
        );
        let mut query = sqlx::query(sqlx::AssertSqlSafe(sql));
        for article in some {
            query = query.bind(site).bind(*article).bind(rewrite);
        }
        query.execute(&mut **tx).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::{fs, path::Path};

    /// Beginnings of statements that write rows of articles.
    const WRITES: [&str; 4] =
        ["UPDATE articles SET", "INSERT INTO articles ", "UPDATE compressed_html SET", "INSERT INTO compressed_html "];

    /// The files with statements that give the article no new number of change, with the number of these statements and the reason for
    /// which the next backup has the rows nevertheless.
    const WITHOUT_CHANGE: [(&str, usize, &str); 4] = [
        ("article_writer.rs", 2, "the compressed HTML is written with its article, and a new source key is noted"),
        ("backfill.rs", 1, "an older database is brought up to date; backups of an older schema are not taken over"),
        ("notices.rs", 1, "an article whose mark changes gets a new number of change in the same transaction"),
        ("works.rs", 1, "the article is replaced in the same transaction"),
    ];

    #[test]
    fn every_write_of_rows_of_articles_is_known_to_backups() {
        let mut without = Vec::new();
        for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            if !path.is_file() || name == "rewrites.rs" {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let statements = WRITES.iter().flat_map(|write| text.match_indices(write));
            let statement = |(at, _): (usize, &str)| text[at..].split('"').next().unwrap_or_default().to_owned();
            let count = statements.map(statement).filter(|statement| !statement.contains("change_seq")).count();
            if count > 0 {
                without.push((name, count));
            }
        }
        without.sort();
        let known: Vec<_> = WITHOUT_CHANGE.iter().map(|(name, count, _)| ((*name).to_owned(), *count)).collect();
        assert_eq!(
            without, known,
            "call `rewrites::note` in the transaction, or give the reason why backups need none"
        );
    }
}

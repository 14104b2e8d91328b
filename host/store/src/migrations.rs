//! The migrations of the database, compiled into the program.
//!
//! They are listed here instead of by `sqlx::migrate!`, because the macros of sqlx compile SQLite and the drivers once more for the compiler.

use std::{borrow::Cow, sync::LazyLock};

use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

macro_rules! files {
    ($($name:literal),+ $(,)?) => { &[$(($name, include_str!(concat!("../migrations/", $name, ".sql")))),+] };
}

/// The name without `.sql`, which is the number and the description, and the text of every file in `migrations`.
const FILES: &[(&str, &str)] = files![
    "0001_content",
    "0002_plugins",
    "0003_resources",
    "0004_change_order",
    "0005_compressed_html",
    "0007_media_uses",
    "0008_readers",
    "0009_numbers_of_sites",
    "0010_harvests",
    "0011_records",
    "0012_redirects",
    "0013_shown_sections_and_works",
    "0014_notices",
    "0016_rewritten_articles",
    "0017_change_marks",
    "0018_citations",
    "0019_members",
    "0020_external_citations",
    "0021_changed_resources",
    "0022_online_first_index",
    "0023_section_names",
    "0024_order_of_journals",
];

/// All migrations, in the order of their numbers.
pub(crate) static MIGRATIONS: LazyLock<Migrator> = LazyLock::new(|| Migrator::with_migrations(migrations()));

fn migrations() -> Vec<Migration> {
    let numbered = |(name, sql): &(&str, &'static str)| {
        let (number, description) = name.split_once('_')?;
        let description = Cow::Owned(description.replace('_', " "));
        Some(Migration::new(number.parse().ok()?, description, MigrationType::Simple, sql.into_sql_str(), false))
    };
    FILES.iter().filter_map(numbered).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::path::Path;

    use sqlx::migrate::Migrator;

    use super::MIGRATIONS;

    /// Databases keep number, description and checksum of each migration, and refuse another one under the same number.
    #[tokio::test]
    async fn every_file_is_the_migration_that_sqlx_reads() {
        let read = Migrator::new(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))).await.unwrap();
        let told = |migrator: &Migrator| -> Vec<_> {
            let fields = |one: &sqlx::migrate::Migration| {
                (one.version, one.description.clone(), one.checksum.clone(), one.no_tx)
            };
            migrator.iter().map(fields).collect()
        };
        assert!(!told(&read).is_empty());
        assert_eq!(told(&MIGRATIONS), told(&read));
    }
}

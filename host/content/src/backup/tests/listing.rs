//! The list of backups, also beside the process that writes one.

use super::filled;
use crate::backup::{BackupFolder, BackupSummary};

#[tokio::test]
async fn backups_are_listed_while_another_one_is_written() {
    let (desk, _) = filled().await;
    assert!(BackupFolder::listed(&desk.backups()).unwrap().is_empty(), "nothing was ever written");
    let manifest = desk.save(false, false).await.manifest;
    let _writer = BackupFolder::open_to_write(&desk.backups(), &[]).unwrap();
    assert!(BackupFolder::open_to_read(&desk.backups()).is_err(), "its parts are not read meanwhile");
    std::fs::write(desk.backups().join("backups/2026-04-01.json"), "{").unwrap();
    let listed = BackupFolder::listed(&desk.backups()).unwrap();
    let names: Vec<(&str, bool)> = listed.iter().map(|(name, read)| (name.as_str(), read.is_ok())).collect();
    assert_eq!(names, [("2026-03-01", true), ("2026-04-01", false)]);
    let short = BackupSummary::from(&manifest);
    assert_eq!((short.name.as_str(), short.articles, short.missing_files), ("2026-03-01", 6, 0));
    assert!(short.rows > short.articles && !short.secrets);
}

//! Backup folders in which something was cut off, changed or removed, and what a killed backup leaves behind.

use std::{collections::BTreeSet, fs, path::PathBuf};

use super::{below, filled, rows};
use crate::backup::BackupFolder;

/// Every kind of file in a backup folder, cut off, changed and removed.
#[tokio::test]
async fn damage_is_found_and_refused() {
    let (desk, _) = filled().await;
    desk.save(false, false).await;
    desk.article(1, 2).await;
    desk.file(b"another picture").await;
    let latest = desk.save(false, false).await.manifest;
    let known: BTreeSet<PathBuf> = below(&desk.backups()).into_iter().collect();
    let of_backups: Vec<PathBuf> = known
        .iter()
        .filter(|path| ["chunks", "files", "backups"].iter().any(|kind| path.starts_with(desk.backups().join(kind))))
        .cloned()
        .collect();
    assert!(of_backups.len() > 8, "{of_backups:#?}");
    for path in of_backups {
        let whole = fs::read(&path).unwrap();
        let half = whole.len() / 2;
        let mut changed = whole.clone();
        changed[half] ^= 0x55;
        let is_manifest = path.starts_with(desk.backups().join("backups"));
        let shown = path.strip_prefix(desk.backups()).unwrap().display().to_string().replace('/', "-");
        for (how, damaged) in [("cut", Some(&whole[..half])), ("changed", Some(&changed[..])), ("removed", None)] {
            match damaged {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let damaged_backups = desk.damaged();
            // Without its manifest, there is no such backup.
            assert_eq!(damaged_backups.is_empty(), is_manifest && damaged.is_none(), "{shown} {how}");
            for name in ["2026-03-01", latest.name.as_str()] {
                let unusable = damaged_backups.contains(name) || is_manifest && shown == format!("backups-{name}.json");
                if !unusable && !is_manifest {
                    continue;
                }
                let into = format!("{shown} {how} {name}");
                match desk.restore(&into, Some(name), false).await {
                    Ok(_) => assert!(!unusable, "{into} was restored"),
                    Err(error) => {
                        let sentence = format!("{error:#}");
                        assert!(unusable, "{into}: {sentence}");
                        assert!(sentence.contains(name) || sentence.contains("nothing was restored"), "{sentence}");
                        // Nothing is left that a host could serve or stumble over.
                        assert_eq!(below(&desk.path(&into)), Vec::<PathBuf>::new(), "{into}");
                    }
                }
            }
            if is_manifest {
                // The latest backup is the default, and none is taken in its place unasked.
                let usable = BackupFolder::open_to_read(&desk.backups()).unwrap().backup(None).is_ok();
                let is_latest = shown == format!("backups-{}.json", latest.name);
                assert_eq!(usable, damaged.is_none() || !is_latest, "{shown} {how}");
            }
            fs::write(&path, &whole).unwrap();
        }
    }
    assert_eq!(desk.problems(), Vec::<String>::new());
}

#[tokio::test]
async fn what_a_killed_backup_left_is_not_trusted() {
    let (desk, _) = filled().await;
    desk.save(false, false).await;
    let complete: BTreeSet<PathBuf> = below(&desk.backups()).into_iter().collect();
    desk.article(1, 2).await;
    desk.file(b"another picture").await;
    let second = desk.save(false, false).await.manifest;
    // As after a crash: what the second backup wrote has its names, and not its bytes.
    let of_second: Vec<PathBuf> = below(&desk.backups()).into_iter().filter(|path| !complete.contains(path)).collect();
    assert!(of_second.len() >= 4, "{of_second:#?}");
    for path in of_second {
        let is_manifest = path.starts_with(desk.backups().join("backups"));
        let cut = if is_manifest { fs::remove_file(path) } else { fs::write(path, "") };
        cut.unwrap();
    }
    fs::write(desk.backups().join("unfinished"), "").unwrap();
    fs::create_dir_all(desk.backups().join("new")).unwrap();
    fs::write(desk.backups().join("new/0"), "half").unwrap();
    assert_eq!(desk.problems(), Vec::<String>::new(), "the first backup is as it was");
    let again = desk.save(false, false).await.manifest;
    assert_eq!((&again.tables, again.added), (&second.tables, second.added));
    assert_eq!(desk.problems(), Vec::<String>::new());
    assert!(!desk.backups().join("unfinished").exists() && !desk.backups().join("new/0").exists());
    desk.restore("there", None, false).await.unwrap();
    assert_eq!(desk.restored_rows("there").await, rows(&desk.store).await);
}

#[tokio::test]
async fn damage_is_repaired_by_a_full_backup() {
    let (desk, file) = filled().await;
    let first = desk.save(false, false).await.manifest;
    let chunk = desk.chunks(&first, "articles")[0].chunk.hex();
    let damaged = [format!("chunks/{}/{chunk}", &chunk[..2]), format!("files/{}/{file}", &file[..2])];
    for path in damaged {
        let path = desk.backups().join(path);
        let mut bytes = fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(path, bytes).unwrap();
    }
    assert_eq!(desk.problems().len(), 2);
    desk.save(false, false).await;
    assert_eq!(desk.problems().len(), 4, "each backup that has them is reported");
    desk.save(false, true).await;
    assert_eq!(desk.problems(), Vec::<String>::new());
}

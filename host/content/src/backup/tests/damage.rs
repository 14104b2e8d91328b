//! Backup folders in which something was cut off, changed or removed, what a killed backup leaves behind, and backups of others.

use std::{collections::BTreeSet, fs, io::Write as _, path::PathBuf};

use flate2::{Compression, write::GzEncoder};
use masthead_store::Media;

use super::{Draw, SITE, below, filled, rows};
use crate::{
    backup::{BackupFolder, Choices, Manifest, RestoreTarget, folder::CHUNKS, manifest::Root, restore},
    files,
};

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

/// The first and the last byte are cut off, and what is behind places between them.
#[tokio::test]
async fn a_backup_that_is_cut_anywhere_is_found_and_refused() {
    let (desk, _) = filled().await;
    desk.save(false, false).await;
    desk.article(1, 2).await;
    let latest = desk.save(false, false).await.manifest;
    let mut draw = Draw(31);
    for path in below(&desk.backups()) {
        let kind = path.strip_prefix(desk.backups()).unwrap().display().to_string();
        if !["chunks", "files", "backups"].iter().any(|of_backups| kind.starts_with(of_backups)) {
            continue;
        }
        let whole = fs::read(&path).unwrap();
        let mut places = vec![0, whole.len() - 1];
        places.extend((0..6).map(|_| draw.below(whole.len())));
        for place in places {
            fs::write(&path, &whole[..place]).unwrap();
            let damaged = desk.damaged();
            assert!(!damaged.is_empty(), "{kind}, cut at {place} of {} bytes", whole.len());
            if !damaged.contains(&latest.name) && kind != format!("backups/{}.json", latest.name) {
                continue;
            }
            let into = format!("{} cut at {place}", kind.replace('/', "-"));
            assert!(desk.restore(&into, Some(&latest.name), false).await.is_err(), "{into} was restored");
            assert_eq!(below(&desk.path(&into)), Vec::<PathBuf>::new(), "{into}");
        }
        fs::write(&path, &whole).unwrap();
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

/// A length is a quick check: it is no damage if the bytes are those of the digest.
#[tokio::test]
async fn another_length_than_expected_is_no_damage_by_itself() {
    let (desk, file) = filled().await;
    let other = files::keep(&desk.data(), b"another picture").unwrap();
    let media = Media { digest: other.clone(), name: "b.png".into(), mime: "image/png".into(), bytes: 99 };
    desk.store.site(SITE).save_media(&media).await.unwrap();
    let saved = desk.save(false, false).await;
    assert_eq!(saved.problems, Vec::<String>::new());
    // As if another version of the compressor had written the chunk again.
    let chunk = desk.chunks(&saved.manifest, "articles")[0].clone();
    let folder = BackupFolder::open_to_read(&desk.backups()).unwrap();
    let raw = folder.read_chunk(&chunk.chunk).unwrap();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(&raw).unwrap();
    let again = encoder.finish().unwrap();
    assert_ne!(again.len() as u64, chunk.stored);
    fs::write(folder.path(CHUNKS, &chunk.chunk), again).unwrap();
    drop(folder);
    assert_eq!(desk.problems(), Vec::<String>::new());
    desk.restore("there", None, false).await.unwrap();
    assert_eq!(desk.restored_rows("there").await, rows(&desk.store).await);
    for (digest, bytes) in [(&file, &b"a picture"[..]), (&other, &b"another picture"[..])] {
        assert_eq!(fs::read(files::path(&desk.path("there/data"), digest)).unwrap(), bytes);
    }
    assert_eq!(desk.save(false, false).await.manifest.added.files, 0);
}

#[tokio::test]
async fn a_backup_of_a_newer_version_is_refused() {
    let (desk, _) = filled().await;
    let manifest = desk.save(false, false).await.manifest;
    let path = desk.backups().join("backups/2026-03-01.json");
    for newer in [Manifest { format: 2, ..manifest.clone() }, Manifest { schema: 9999, ..manifest.clone() }] {
        fs::write(&path, newer.text().unwrap()).unwrap();
        let refused = format!("{:#}", desk.restore("there", None, false).await.err().unwrap());
        assert!(refused.contains("newer Masthead"), "{refused}");
        assert!(!desk.path("there").exists());
    }
    // A backup that names files elsewhere is none of this program.
    let folder = BackupFolder::open_to_write(&desk.backups(), &[]).unwrap();
    let mut listed = folder.folder_files(&manifest).unwrap();
    for (root, name) in
        [(Root::Sites, "../outside.toml"), (Root::Sites, "/etc/outside.toml"), (Root::Data, "masthead.db")]
    {
        (listed[0].root, listed[0].path) = (root, name.to_owned());
        let list = folder.write_chunk(&postcard::to_stdvec(&listed).unwrap()).unwrap().digest.hex();
        let hostile = Manifest { folder_files: list, ..manifest.clone() };
        fs::write(&path, hostile.text().unwrap()).unwrap();
        let reading = desk.path("reading");
        let target = RestoreTarget { data: &reading, sites: &reading, database: None };
        let choices = Choices { at: None, replace: true, keep_sites: false, who: "ada" };
        let refused = restore(&folder, &target, &choices).await.err().unwrap().to_string();
        assert!(refused.contains("none of an installation"), "{refused}");
    }
    // The second of two files of one path could not be put in its place after the content was removed.
    let mut twice = folder.folder_files(&manifest).unwrap();
    twice.push(twice[0].clone());
    let list = folder.write_chunk(&postcard::to_stdvec(&twice).unwrap()).unwrap().digest.hex();
    fs::write(&path, Manifest { folder_files: list, ..manifest }.text().unwrap()).unwrap();
    drop(folder);
    let refused = desk.restore("there", None, false).await.err().unwrap().to_string();
    assert!(refused.contains("twice"), "{refused}");
}

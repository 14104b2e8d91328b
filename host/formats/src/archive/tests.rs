#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use std::io::{Cursor, Write};

use proptest::prelude::*;
use zip::write::SimpleFileOptions;

use super::*;

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
        writer.start_file(*name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A tar with unchecked names in its headers.
fn tarred(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in files {
        out.extend(block(name, content.len() as u64, tar::EntryType::Regular));
        out.extend_from_slice(content);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

fn block(name: &str, size: u64, kind: tar::EntryType) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(size);
    header.set_mode(0o644);
    header.set_entry_type(kind);
    header.set_cksum();
    header.as_bytes().to_vec()
}

fn gzipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn open(bytes: &[u8], limits: &PackageLimits) -> Result<(tempfile::TempDir, Unpacked), PackageError> {
    let folder = tempfile::tempdir().unwrap();
    let result = unpack(Cursor::new(bytes), limits, folder.path());
    if result.is_err() {
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "a refused package leaves no files");
    }
    result.map(|done| (folder, done))
}

fn reason(bytes: &[u8]) -> String {
    open(bytes, &PackageLimits::default()).unwrap_err().to_string()
}

#[test]
fn all_three_forms_unpack_to_the_same_files() {
    let files: &[(&str, &[u8])] = &[("a.xml", b"<article/>"), ("figs/图1.png", b"png"), ("__MACOSX/._a.xml", b"x")];
    let tar = tarred(files);
    for package in [zipped(files), gzipped(&tar), tar] {
        let (folder, done) = open(&package, &PackageLimits::default()).unwrap();
        let names: Vec<&str> = done.files.iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names, ["a.xml", "figs/图1.png"]);
        assert_eq!((done.bytes, done.skipped.len()), (13, 1));
        assert_eq!(fs::read(folder.path().join("figs/图1.png")).unwrap(), b"png");
    }
}

#[test]
fn a_tar_of_the_usual_tools_unpacks_with_long_names() {
    let mut builder = tar::Builder::new(Vec::new());
    let long = format!("{}/article.xml", ["a-folder-with-a-long-name"; 8].join("/"));
    for name in [long.as_str(), "b.xml"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(2);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, &b"ab"[..]).unwrap();
    }
    let (_, done) = open(&builder.into_inner().unwrap(), &PackageLimits::default()).unwrap();
    assert_eq!(done.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(), [long.as_str(), "b.xml"]);
}

#[test]
fn names_in_gbk_are_read() {
    let mut bytes = zipped(&[("xxxx.xml", b"1")]);
    // The name in the local header and in the directory; the UTF-8 flag is not set for ASCII names.
    for at in bytes.windows(4).enumerate().filter(|(_, four)| *four == b"xxxx").map(|(at, _)| at).collect::<Vec<_>>() {
        bytes[at..at + 4].copy_from_slice(b"\xc2\xdb\xce\xc4");
    }
    let (_, done) = open(&bytes, &PackageLimits::default()).unwrap();
    assert_eq!(done.files[0].name, "论文.xml");
}

#[test]
fn names_outside_the_folder_are_refused() {
    for name in ["../evil", "a/../../evil", "/etc/passwd", "C:/x", "c:x", "a\\b", "..", "a/\u{7}b"] {
        for package in [zipped(&[("ok", b"1"), (name, b"2")]), tarred(&[("ok", b"1"), (name, b"2")])] {
            let message = reason(&package);
            assert!(message.contains("refused") && message.contains(&format!("{name:?}")), "{name}: {message}");
        }
    }
}

#[test]
fn links_and_devices_are_refused() {
    use tar::EntryType;
    for kind in [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Block, EntryType::Fifo] {
        let mut bytes = block("trap", 0, kind);
        bytes.resize(bytes.len() + 1024, 0);
        assert!(reason(&bytes).contains("\"trap\""), "{kind:?}");
    }
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.add_symlink("trap", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    let bytes = writer.finish().unwrap().into_inner();
    assert!(reason(&bytes).contains("symbolic link"));
}

#[test]
fn two_files_of_one_name_are_refused() {
    let mut zip = zipped(&[("one.xml", b"1"), ("two.xml", b"2")]);
    for at in zip.windows(7).enumerate().filter(|(_, name)| *name == b"two.xml").map(|(at, _)| at).collect::<Vec<_>>() {
        zip[at..at + 7].copy_from_slice(b"one.xml");
    }
    for package in [zip, tarred(&[("one.xml", b"1"), ("./one.xml", b"2")])] {
        let message = reason(&package);
        assert!(message.contains("two") && message.contains("one.xml"), "{message}");
    }
    let message = reason(&tarred(&[("a", b"1"), ("a/b", b"2")]));
    assert!(message.contains("a/b"), "{message}");
}

#[test]
fn encrypted_entries_are_refused() {
    let mut bytes = zipped(&[("secret.xml", b"1")]);
    let directory = bytes.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    bytes[6] |= 1;
    bytes[directory + 8] |= 1;
    let message = reason(&bytes);
    assert!(message.contains("secret.xml") && message.contains("encrypted"), "{message}");
}

#[test]
fn limits_hold_for_what_is_written() {
    let small = PackageLimits { max_entries: 2, max_entry_bytes: 1000, max_total_bytes: 1500, max_ratio: 200 };
    let three: &[(&str, &[u8])] = &[("a", b"1"), ("b", b"2"), ("c", b"3")];
    let large: &[(&str, &[u8])] = &[("a", &[7; 1001])];
    let much: &[(&str, &[u8])] = &[("a", &[7; 900]), ("b", &[8; 900])];
    for form in [zipped, tarred, |files: &[(&str, &[u8])]| gzipped(&tarred(files))] {
        assert!(matches!(open(&form(three), &small), Err(PackageError::TooMany { limit: 2 })));
        assert!(matches!(open(&form(large), &small), Err(PackageError::EntryTooLarge { limit: 1000, .. })));
        assert!(matches!(open(&form(much), &small), Err(PackageError::TooLarge { limit: 1500, .. })));
    }
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![0_u8; 20 << 20];
    let limits = PackageLimits::default();
    for package in [zipped(&[("bomb", &zeros)]), gzipped(&tarred(&[("bomb", &zeros)]))] {
        let error = open(&package, &limits).unwrap_err();
        assert!(matches!(&error, PackageError::Ratio { .. }), "{error}");
    }
    // A zip that declares a wrong size of its entry.
    let mut lying = zipped(&[("bomb", &zeros[..3 << 20])]);
    let directory = lying.windows(4).rposition(|four| four == b"PK\x01\x02").unwrap();
    lying[directory + 24..directory + 28].copy_from_slice(&10_u32.to_le_bytes());
    assert!(open(&lying, &limits).is_err());
    // A name of many megabytes in an extended header.
    let mut name = block("././@LongLink", 30 << 20, tar::EntryType::GNULongName);
    name.extend(vec![b'a'; 30 << 20]);
    assert!(reason(&name).contains("extended header"));
}

#[test]
fn files_of_other_formats_are_refused() {
    for bytes in [&b""[..], b"%PDF-1.7", b"<article/>", &[0; 600]] {
        assert!(matches!(open(bytes, &PackageLimits::default()), Err(PackageError::NotAPackage { .. })), "{bytes:?}");
    }
    assert!(matches!(open(&gzipped(b"hello"), &PackageLimits::default()), Err(PackageError::NotAPackage { .. })));
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine"), "x").unwrap();
    let error = unpack(Cursor::new(zipped(&[])), &PackageLimits::default(), folder.path()).unwrap_err();
    assert!(matches!(error, PackageError::NotEmpty { .. }));
    assert!(folder.path().join("mine").exists());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn damage_never_panics_and_never_leaves_the_folder(cut in 0_usize..4000, at in 0_usize..4000, byte: u8, form in 0_usize..3) {
        let files: &[(&str, &[u8])] = &[("a.xml", b"<article/>"), ("f/b.png", &[9; 700]), ("c", b"")];
        let mut bytes = [zipped(files), tarred(files), gzipped(&tarred(files))][form].clone();
        let at = at % bytes.len();
        bytes[at] = byte;
        bytes.truncate(bytes.len() - cut % bytes.len());
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("in");
        fs::create_dir(&inner).unwrap();
        let result = unpack(Cursor::new(bytes), &PackageLimits::default(), &inner);
        prop_assert_eq!(fs::read_dir(outer.path()).unwrap().count(), 1);
        if result.is_err() {
            prop_assert_eq!(fs::read_dir(&inner).unwrap().count(), 0);
        }
    }
}

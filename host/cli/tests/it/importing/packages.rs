//! Zip and tar packages: articles with images and PDFs, and hostile archives.

use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use masthead_domain::resource::{Picture, TableSheet};

use super::{Desk, jats, outcomes};

const FIGURE: &str = "<p>Text.</p><fig id=\"f1\"><label>Figure 1</label><caption><title>Levels</title></caption><graphic xlink:href=\"images/f1.png\"/></fig><table-wrap id=\"t1\"><label>Table 1</label><table><tbody><tr><td>1</td></tr></tbody></table></table-wrap>";

/// A PNG of 600 by 10 pixels.
pub fn png() -> Vec<u8> {
    let mut rows = GzRows::default();
    for row in 0..10_u8 {
        rows.0.push(0);
        for column in 0..600_u32 {
            rows.0.extend([row * 20, u8::try_from(column % 251).unwrap(), 90]);
        }
    }
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&rows.0).unwrap();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend(600_u32.to_be_bytes());
    header.extend(10_u32.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    for (name, data) in [(b"IHDR", header), (b"IDAT", packed.finish().unwrap()), (b"IEND", Vec::new())] {
        out.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        let tagged = [name.as_slice(), &data].concat();
        out.extend(&tagged);
        out.extend(crc32fast::hash(&tagged).to_be_bytes());
    }
    out
}

#[derive(Default)]
struct GzRows(Vec<u8>);

/// A gzipped tar of these entries.
pub fn tar_gz(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (name, bytes) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        // The name is set directly, because the library rejects the path traversal that is tested here.
        let field = &mut header.as_old_mut().name;
        field[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        archive.append(&header, *bytes).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap()
}

#[test]
fn a_package_is_imported_with_its_images_in_three_sizes() {
    let desk = Desk::new("package");
    let article = jats("10.5555/package.1", "Packed", FIGURE);
    let picture = png();
    let package = desk.write(
        "issue.tar.gz",
        tar_gz(&[("one/a.xml", article.as_bytes()), ("one/images/f1.png", &picture), ("one/notes.txt", b"x")]),
    );
    let (report, good) = desk.import("auto", &[&package], &[]);
    assert!(good, "{report}");
    assert_eq!(outcomes(&report), [("article".to_owned(), "created".to_owned())]);
    assert!(report["items"][0]["path"].as_str().unwrap().ends_with("issue.tar.gz/one/a.xml"));
    let (figures, tables, files) = desk.read(async |site| {
        let id = report["items"][0]["article"].as_i64().unwrap();
        let article = site.article(masthead_domain::ArticleId(id)).await.unwrap().unwrap();
        (
            site.resources_of_article::<Picture>(id).await.unwrap(),
            site.resources_of_article::<TableSheet>(id).await.unwrap(),
            article.files,
        )
    });
    assert_eq!((figures.len(), tables.len(), files.len()), (1, 1, 1));
    let shown = &figures[0].value.pictures[0];
    assert_eq!((shown.width, shown.height), (600, 10));
    assert_ne!(shown.small, shown.big, "600 pixels are more than a preview has");
    assert_eq!(shown.big, shown.original, "an image that browsers can show is not converted");
    assert_eq!(files[0].address, shown.original);
    let (again, _) = desk.import("jats", &[&package], &[]);
    assert_eq!(outcomes(&again)[0].1, "unchanged");
    // The same package is unchanged; an image in another format updates the article.
    let other =
        desk.write("issue.tar.gz", tar_gz(&[("one/a.xml", article.as_bytes()), ("one/images/f1.png", &picture[..])]));
    assert_eq!(outcomes(&desk.import("auto", &[&other], &[]).0)[0].1, "unchanged");
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>";
    let other = desk.write("other.tgz", tar_gz(&[("a.xml", article.as_bytes()), ("images/f1.svg", svg)]));
    assert_eq!(outcomes(&desk.import("auto", &[&other], &[]).0)[0].1, "updated");
    assert!(
        std::fs::read_dir(desk.data().join("unpacked")).unwrap().next().is_none(),
        "the unpacked files are removed"
    );
}

#[test]
fn the_pdf_of_an_article_is_stored_as_one_of_its_files() {
    let desk = Desk::new("pdf");
    let named = |doi: &str, pdf: &str| {
        let uri = format!("<self-uri content-type=\"pdf\" xlink:href=\"{pdf}\"/></article-meta>");
        jats(doi, "Printed", "<p>x</p>").replace("</article-meta>", &uri)
    };
    let of = |name: &str, entries: &[(&str, &[u8])]| {
        let (report, good) = desk.import("auto", &[&desk.write(name, tar_gz(entries))], &[]);
        assert!(good, "{report}");
        let item = report["items"][0].clone();
        let article = desk.read(async |site| {
            site.article(masthead_domain::ArticleId(item["article"].as_i64().unwrap())).await.unwrap().unwrap()
        });
        (item, article)
    };
    let pdf = b"%PDF-1.7 pages".as_slice();
    let uri = named("10.5555/pdf.1", "print/full.pdf");
    let (_, article) =
        of("named.tgz", &[("a.xml", uri.as_bytes()), ("print/full.pdf", pdf), ("a.pdf", b"%PDF-1.0 other")]);
    assert_eq!(
        article.pdf().map(|file| file.name.as_str()),
        Some("print/full.pdf"),
        "the PDF that the source names has priority"
    );
    let silent = jats("10.5555/pdf.2", "Printed", "<p>x</p>");
    let (_, article) = of("beside.tgz", &[("b.xml", silent.as_bytes()), ("b.pdf", pdf), ("c.pdf", pdf)]);
    assert_eq!(article.pdf().map(|file| file.name.as_str()), Some("b.pdf"));
    let absent = named("10.5555/pdf.3", "https://a.example/x.pdf");
    let (item, article) = of("absent.tgz", &[("d.xml", absent.as_bytes()), ("d.svg", b"<svg/>")]);
    assert_eq!(
        (article.pdf(), article.meta.pdf.as_str(), item["warnings"].as_array().map_or(0, Vec::len)),
        (None, "", 0)
    );
    let false_one = named("10.5555/pdf.4", "e.pdf");
    let (item, article) = of("false.tgz", &[("e.xml", false_one.as_bytes()), ("e.pdf", b"<script>")]);
    assert!(article.pdf().is_none() && article.files.is_empty());
    assert!(item["warnings"].to_string().contains("e.pdf is not a PDF"), "{item}");
}

#[test]
fn hostile_archives_are_rejected_by_name_and_leave_no_files() {
    let desk = Desk::new("hostile");
    let article = jats("10.5555/package.2", "Good", "<p>x</p>");
    let good = ("a.xml", article.as_bytes());
    let bomb = vec![0_u8; 64 << 20];
    for (name, bytes, word) in [
        ("up.tar.gz", tar_gz(&[good, ("../../evil.xml", b"<x/>")]), "evil.xml"),
        ("root.tgz", tar_gz(&[good, ("/etc/evil.xml", b"<x/>")]), "evil.xml"),
        ("bomb.tar.gz", tar_gz(&[good, ("zeros.bin", &bomb)]), "zeros.bin"),
        ("cut.tar.gz", tar_gz(&[good])[..40].to_vec(), ""),
        ("none.zip", b"PK\x03\x04 no zip".to_vec(), ""),
        ("empty.zip", Vec::new(), ""),
        ("pictures.tar.gz", tar_gz(&[("a.png", b"x")]), "no XML file"),
    ] {
        let path = desk.write(name, bytes);
        let (report, all_good) = desk.import("auto", &[&path], &[]);
        assert!(!all_good, "{name}");
        let item = &report["items"][0];
        assert_eq!(
            (item["outcome"].as_str(), item["kind"].as_str()),
            (Some("failed"), Some("package")),
            "{name}: {item}"
        );
        let error = item["error"].as_str().unwrap();
        assert!(error.contains(word) && error.len() > 15, "{name}: {error}");
    }
    assert_eq!(desk.read(async |site| site.article_count().await.unwrap()), 0, "a rejected package adds no article");
    assert!(std::fs::read_dir(desk.data().join("unpacked")).unwrap().next().is_none());
}

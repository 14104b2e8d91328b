//! Reads every file of the corpus in a format other than JATS. Skipped if there is no corpus.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::{
    fs,
    path::{Path, PathBuf},
};

use masthead_documents::jats;
use masthead_domain::article::Article;
use masthead_formats::{
    FormatError, JatsFault, Work,
    catalogues::{Book, crossref, doaj, isbn13, jats_issue, marc, ojs, onix},
    references::{self, article as cite},
};

fn read_jats(xml: &[u8]) -> Result<Article, JatsFault> {
    match jats::import(xml, &jats::Limits::default()) {
        Ok(read) => Ok(read.article),
        Err(jats::ImportError::NotArticle { .. }) => Err(JatsFault::NotArticle),
        Err(error) => Err(JatsFault::Unreadable(error.to_string())),
    }
}

fn root() -> PathBuf {
    std::env::var_os("MASTHEAD_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from)
}

/// Files of a folder by name; if there is no corpus, prints a line and returns none.
fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let folder = root().join("other").join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: no corpus at {}", folder.display());
        return Vec::new();
    };
    let mut found: Vec<(String, Vec<u8>)> = entries
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap()))
        .collect();
    found.sort();
    found
}

fn line(file: &str, records: usize, faults: &[FormatError], more: &str) {
    println!("{file:<36} {records:>5} records {:>3} faults  {more}", faults.len());
    for fault in faults.iter().take(4) {
        println!("    {fault}");
    }
}

fn split<T>(all: impl Iterator<Item = Result<T, FormatError>>) -> (Vec<T>, Vec<FormatError>) {
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for one in all {
        match one {
            Ok(one) => good.push(one),
            Err(error) => bad.push(error),
        }
    }
    (good, bad)
}

/// Checks what every article from a catalogue must have, and that its citation can be written and read back.
fn cited(article: &Article) {
    let meta = &article.meta;
    assert!(!meta.source_key.is_empty() && !meta.language.is_empty());
    let title = meta.title(&meta.language);
    let written = cite::ris(meta, "https://a.example/1");
    let read = references::ris(written.as_bytes()).unwrap();
    assert!(read.faults.is_empty() && read.records.len() == 1, "{written}");
    assert!(read.records[0].title.starts_with(title), "{written}");
    assert_eq!(read.records[0].authors.len(), meta.authors().count(), "{written}");
    let written = cite::bibtex(meta, "https://a.example/1");
    let read = references::bibtex(written.as_bytes()).unwrap();
    assert!(read.faults.is_empty() && read.records.len() == 1, "{:?} {written}", read.faults);
    assert_eq!(read.records[0].authors.len(), meta.authors().count(), "{written}");
    let written = cite::csl_json(meta, "").to_string();
    assert_eq!(references::csl_json(written.as_bytes()).unwrap().records.len(), 1);
}

#[test]
fn crossref_is_read() {
    for (name, bytes) in files("crossref") {
        let made = crossref::import(&bytes, read_jats).unwrap_or_else(|error| panic!("{name}: {error}"));
        let articles = &made.articles.records;
        let refs: usize =
            articles.iter().flat_map(|article| &article.body.reference_lists).map(|list| list.refs.len()).sum();
        let more = format!("{refs} references, {} issues, {} journals", made.periods.len(), made.journals.len());
        line(&name, articles.len(), &made.articles.faults, &more);
        articles.iter().for_each(cited);
        for reference in articles.iter().flat_map(|one| &one.body.reference_lists).flat_map(|list| &list.refs) {
            assert!(!reference.citations[0].plain.is_empty(), "{reference:?}");
        }
        match name.as_str() {
            "journal-works-peerj.json" => {
                assert_eq!((articles.len(), made.articles.faults.len()), (20, 0));
                assert!(articles.iter().all(|one| one.meta.journal.issn == ["2167-8359"] && one.meta.open_access));
            }
            "work-single.json" => {
                let meta = &articles[0].meta;
                assert_eq!(
                    (meta.first_page.as_str(), meta.last_page.as_str(), meta.reference_count),
                    ("588", "602", 57)
                );
                assert_eq!((made.periods[0].volume.as_str(), made.periods[0].date.as_str()), ("33", "2012-03"));
            }
            "work-single-1.json" => assert_eq!(articles[0].meta.dates.received, "1996-11-25"),
            "work-single-2.json" => {
                assert_eq!(articles[0].meta.dates.accepted, "2015-10-19");
                assert_eq!(articles[0].meta.elocation_id, "16696");
            }
            "journals.json" => assert_eq!(made.journals.len(), 20),
            _ => {}
        }
    }
}

#[test]
fn doaj_is_read() {
    for (name, bytes) in files("doaj") {
        let read =
            if name.ends_with("xml") { doaj::import_xml(&bytes, read_jats) } else { doaj::import(&bytes, read_jats) };
        let made = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        line(&name, made.articles.records.len(), &made.articles.faults, &format!("{} journals", made.journals.len()));
        made.articles.records.iter().for_each(cited);
        match name.as_str() {
            "article.json" => {
                let meta = &made.articles.records[0].meta;
                assert_eq!((meta.contributors.len(), meta.last_page.as_str()), (4, "223"));
            }
            "doajxml_article_uploads.xml" => {
                assert_eq!((made.articles.records.len(), made.articles.faults.len()), (18, 0));
                assert_eq!(made.articles.records[0].meta.journal.issn, ["1234-5678", "9876-5432"]);
            }
            "journal-search.json" => assert_eq!(made.journals.len(), 10),
            "journal.json" => assert_eq!(made.journals[0].issn, ["1544-9173", "1545-7885"]),
            _ => {}
        }
    }
}

#[test]
fn references_are_read() {
    for (name, bytes) in files("references") {
        // DataCite has a JSON format of its own, which is not read.
        if name.starts_with("dataCite") {
            assert!(references::read(&bytes).is_err());
            continue;
        }
        let made = references::read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let dois = made.records.iter().filter(|work| work.doi.is_some()).count();
        line(&name, made.records.len(), &made.faults, &format!("{dois} DOIs"));
        for work in &made.records {
            let citation = work.to_citation(read_jats);
            let known = !work.title.is_empty() || !work.authors.is_empty();
            assert!(!known || !citation.plain.is_empty(), "{work:?}");
        }
        let find = |key: &str| made.records.iter().find(|work: &&Work| work.key == key).unwrap();
        match name.as_str() {
            "gbt7714-data.json" => {
                assert_eq!((made.records.len(), made.faults.len()), (141, 0));
                let book = find("gbt7714.b.1:10");
                assert_eq!(
                    (book.translators.len(), book.pages.as_str(), isbn13(&book.isbn).is_some()),
                    (1, "235-236", true)
                );
                assert!(book.to_citation(read_jats).plain.contains("[M]"));
            }
            "acta-psychologica-sinica-data.json" => {
                assert_eq!(find("cps.4.14:4").doi.as_ref().unwrap().as_str(), "10.1037/10138-002");
            }
            "gbt7714-examples.bib" => {
                assert!(made.records.len() > 200, "{}", made.records.len());
                assert_eq!(find("gbt7714.5.1:3").to_citation(read_jats).ids[0].1, "978-1-119-59612-7");
                assert_eq!(find("gbt7714.5.1:4").pages, "50-58");
            }
            "ris-test.ris" => {
                let work = &made.records[0];
                assert_eq!((work.kind.as_str(), work.pages.as_str(), work.editors.len()), ("chapter", "73-74", 1));
            }
            "endnote-test.enw" => assert_eq!(made.records[0].authors.len(), 2),
            _ => {}
        }
    }
}

fn shown(name: &str, books: &[Book], faults: &[FormatError]) {
    let isbns = books.iter().filter(|book| !book.isbn.is_empty()).count();
    let warnings: Vec<&String> = books.iter().flat_map(|book| &book.warnings).collect();
    line(name, books.len(), faults, &format!("{isbns} ISBNs, {} warnings", warnings.len()));
    for warning in warnings.iter().take(3) {
        println!("    warning: {warning}");
    }
    for book in books {
        assert!(book.withdrawn || !book.title.is_empty());
        assert!(book.isbn.is_empty() || isbn13(&book.isbn).as_deref() == Some(&book.isbn));
        println!(
            "    {:13} {:>3} letters of title, {:>2} people, {} {:?} {:?}",
            book.isbn,
            book.title.chars().count(),
            book.contributors.len(),
            book.language,
            book.published,
            book.pages
        );
    }
}

#[test]
fn onix_is_read() {
    for (name, bytes) in files("onix") {
        let (books, faults) = split(onix::products(bytes.as_slice()));
        shown(&name, &books, &faults);
        assert!(faults.is_empty() && !books.is_empty());
        if name == "Onix3.1-single-ref.xml" {
            let [book] = books.as_slice() else { panic!() };
            assert_eq!((book.isbn.as_str(), book.title.as_str()), ("9780007232833", "Roseanna"));
            assert_eq!((book.first_published.as_str(), book.original_language.as_str()), ("1968", "sv"));
            assert_eq!((book.contributors.len(), book.pages, book.codes.len()), (4, Some(245), 5));
            assert!(book.contributors[0].bio.len() > 100 && book.description.len() > 100);
            assert!(book.cover.ends_with("9780007232833.jpg"));
        }
    }
}

#[test]
fn marc_is_read() {
    for (name, bytes) in files("marc") {
        let (books, faults) = if name.ends_with("xml") {
            split(marc::xml_records(bytes.as_slice()))
        } else {
            split(marc::records(bytes.as_slice()))
        };
        shown(&name, &books, &faults);
        match name.as_str() {
            "marc.dat" => assert_eq!((books.len(), faults.len()), (20, 0)),
            "batch.xml" => assert_eq!((books.len(), faults.len()), (2, 0)),
            "flatlandromanceo00abbouoft_marc.xml" => {
                assert_eq!(
                    (books[0].title.as_str(), books[0].subtitle.as_str()),
                    ("Flatland", "a romance of many dimensions")
                );
                assert_eq!((books[0].publisher.as_str(), books[0].published.as_str()), ("Seeley and Co.", "1884"));
            }
            "880_Nihon_no_chasho.mrc" => {
                assert_eq!(books[0].romanized_title, "Nihon no chasho");
                assert!(books[0].title.chars().all(|c| !c.is_ascii_alphabetic()));
                assert_eq!((books[0].contributors.len(), books[0].language.as_str()), (3, "ja"));
            }
            "lc_0444897283.mrc" => assert_eq!(books[0].isbn, "9780444897282"),
            "wrapped_lines.mrc" => assert_eq!((books.len(), books[0].pages), (1, Some(605))),
            _ => assert!(faults.is_empty() && books.len() == 1),
        }
    }
}

#[test]
fn ojs_is_read() {
    for (name, bytes) in files("ojs") {
        let made = ojs::import(&bytes, read_jats, &|_| None).unwrap_or_else(|error| panic!("{name}: {error}"));
        let files: usize = made.articles.records.iter().map(|one| one.files.len()).sum();
        line(
            &name,
            made.articles.records.len(),
            &made.articles.faults,
            &format!("{files} files, {} issues", made.issues.len()),
        );
        made.articles.records.iter().for_each(|one| cited(&one.article));
        if name == "sample.xml" {
            let one = &made.articles.records[0];
            assert_eq!(
                (one.article.meta.title("en").len(), one.section.as_str(), one.files.len()),
                (24, "Articles", 4)
            );
            // The sample's embedded picture is not valid base64.
            assert_eq!(made.articles.faults.len(), 1);
        }
    }
}

#[test]
fn issues_are_read_from_articles() {
    let (mut read, mut named) = (0, 0);
    for folder in ["jats", "zh-chinaxiv"] {
        let found = walkdir::WalkDir::new(root().join(folder)).into_iter().filter_map(Result::ok);
        for entry in found.filter(|entry| entry.path().extension().is_some_and(|end| end == "xml")) {
            let bytes = fs::read(entry.path()).unwrap();
            let periods = jats_issue::periods(bytes.as_slice())
                .unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
            let imported = jats::import(&bytes, &Default::default()).unwrap().article.meta;
            read += 1;
            if let [period] = periods.as_slice() {
                named += 1;
                assert_eq!(
                    (&period.volume, &period.issue),
                    (&imported.volume, &imported.issue),
                    "{}",
                    entry.path().display()
                );
                assert_eq!(period.journal.issn, imported.journal.issn, "{}", entry.path().display());
            }
        }
    }
    println!("{read} articles, {named} name an issue");
    for (name, bytes) in files("oai").into_iter().filter(|(name, _)| name.contains("jats")) {
        let periods = jats_issue::periods(bytes.as_slice()).unwrap();
        assert_eq!((periods.len(), periods[0].titles.len(), periods[0].date.as_str()), (1, 1, "1986-07-12"), "{name}");
    }
    assert!(read == 0 || named * 10 > read * 8);
}

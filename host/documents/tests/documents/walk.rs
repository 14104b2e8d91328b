//! Every text of an article is on its page or listed in the report of the import as left out, with the reason: articles of the corpus
//! (skipped if there is none), and a hand-made article with the parts that publishers put beside the text.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
};

use masthead_documents::{
    html::{self, RenderedArticle},
    jats::{self, Imported, Limits},
};
use masthead_domain::{
    article::{ArticleMeta, Contributor},
    content::text::plain,
    text::{letters, month},
};
use roxmltree::{Document, Node, ParsingOptions};

const EVERY_PART: &[u8] = include_bytes!("../fixtures/every-part.xml");

fn local<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

/// Texts by what became of them.
#[derive(Default)]
struct Counts {
    texts: usize,
    shown: usize,
    /// Texts of punctuation and signs, in which there is nothing to look for.
    signs: usize,
    /// Letters of formulas, which are converted; other tests compare formulas.
    formulas: usize,
    /// Parts of dates that are shown in ISO 8601.
    dates: usize,
    left_out: BTreeMap<&'static str, usize>,
    lost: Vec<String>,
}

/// The text between the tags of HTML, and the attributes that are shown or read aloud, without tags.
fn words_of_html(html: &str, out: &mut String) {
    let mut rest = html;
    while let Some((text, tail)) = rest.split_once('<') {
        out.push_str(&html_escape::decode_html_entities(text));
        let (tag, after) = tail.split_once('>').unwrap_or((tail, ""));
        for key in ["alt", "aria-label", "title", "href", "data-description", "alttext", "data-latex"] {
            let value = tag.split_once(&format!(" {key}=\"")).and_then(|(_, value)| value.split_once('"'));
            if let Some((value, _)) = value {
                out.push(' ');
                out.push_str(&html_escape::decode_html_entities(value));
                out.push(' ');
            }
        }
        rest = after;
    }
    out.push_str(&html_escape::decode_html_entities(rest));
}

/// The metadata that the article's page shows beside the sections, in its text or its `citation_*` tags. The test
/// `every_text_of_the_metadata_is_on_the_page` of the crate with the page holds the page to it.
fn words_of_metadata(meta: &ArticleMeta, out: &mut String) {
    let mut say = |text: &str| {
        out.push_str(text);
        out.push(' ');
    };
    for text in meta.titles.iter().chain(&meta.subtitles).chain(&meta.author_notes) {
        say(&text.plain);
    }
    meta.subjects.iter().for_each(|subject| say(subject));
    let journal = &meta.journal;
    for text in [&journal.title, &journal.abbrev, &journal.publisher].into_iter().chain(&journal.issn) {
        say(text);
    }
    let place = [&meta.volume, &meta.issue, &meta.first_page, &meta.last_page, &meta.elocation_id];
    place.into_iter().for_each(|text| say(text));
    say(&meta.doi.as_ref().map(masthead_domain::Doi::url).unwrap_or_default());
    let dates = &meta.dates;
    for date in [&dates.received, &dates.revised, &dates.accepted, &dates.print, &dates.online] {
        say(date);
    }
    meta.contributors.iter().for_each(|person| words_of_person(person, &mut say));
    for one in &meta.affiliations {
        [&one.label, &one.text, &one.contact].into_iter().for_each(|text| say(text));
    }
    say(&meta.copyright);
    say(&plain(&meta.license));
    say(&meta.license_url);
    for one in &meta.related {
        say(&one.text);
    }
}

fn words_of_person(person: &Contributor, say: &mut dyn FnMut(&str)) {
    say(&person.display_name());
    person.alternatives.iter().for_each(|(_, name)| say(name));
    person.marks.iter().chain(&person.credit).for_each(|text| say(text));
    for text in [&person.orcid, &person.email, &person.address, &person.group] {
        say(text);
    }
    say(&plain(&person.bio));
}

fn words(imported: &Imported, rendered: &RenderedArticle) -> String {
    let mut out = String::new();
    words_of_metadata(&imported.article.meta, &mut out);
    for section in &rendered.sections {
        out.push_str(&section.title);
        out.push(' ');
        words_of_html(&section.html, &mut out);
        out.push(' ');
    }
    letters(&out)
}

/// Where a text was found last, so that the next one is looked for near it first.
struct Shown {
    letters: String,
    at: usize,
    known: HashSet<String>,
}

impl Shown {
    fn has(&mut self, text: &str) -> bool {
        const NEAR: usize = 4000;
        if self.known.contains(text) {
            return true;
        }
        let end = self.letters.floor_char_boundary((self.at + NEAR).min(self.letters.len()));
        let near = self.letters.get(self.at..end).and_then(|near| near.find(text)).map(|found| self.at + found);
        let found = near.or_else(|| self.letters.find(text));
        if let Some(found) = found {
            self.at = found;
            self.known.insert(text.to_owned());
        }
        found.is_some()
    }
}

/// The date of an element in ISO 8601, as far as its parts are numbers and months.
fn iso_dates(date: Node) -> Vec<String> {
    let part = |name: &str| {
        date.children().find(|child| local(*child) == name).and_then(|child| child.text()).unwrap_or_default().trim()
    };
    let year = part("year").to_owned();
    let number = part("month").trim_end_matches('.').to_lowercase();
    let number = number.parse::<u8>().ok().or_else(|| month(&number));
    let mut all = vec![year.clone()];
    if let Some(month) = number {
        all.push(format!("{year}-{month:02}"));
        if let Ok(day) = part("day").parse::<u8>() {
            all.push(format!("{year}-{month:02}-{day:02}"));
        }
    }
    all
}

/// Whether this part of a date is in the article's dates.
fn is_in_dates(part: Node, meta: &ArticleMeta) -> bool {
    let Some(date) = part.parent().filter(|up| matches!(local(*up), "date" | "pub-date")) else { return false };
    let parts = match local(part) {
        "year" => 1,
        "month" => 2,
        "day" => 3,
        _ => return false,
    };
    let dates = &meta.dates;
    let known = [&dates.received, &dates.revised, &dates.accepted, &dates.print, &dates.online];
    iso_dates(date).get(parts - 1).is_some_and(|iso| known.iter().any(|date| date.starts_with(iso.as_str())))
}

/// What a text becomes where it is changed on purpose: the number in the address of an ORCID iD, and each label in a list of an
/// author's affiliations.
fn changed<'a>(text: &'a str, around: Node) -> Vec<&'a str> {
    let labels = |up: Node| local(up) == "xref" && up.attribute("ref-type") == Some("aff");
    if local(around) == "contrib-id" || (local(around) == "uri" && text.contains("orcid.org")) {
        text.trim().rsplit('/').take(1).collect()
    } else if around.ancestors().any(labels) {
        text.split(',').collect()
    } else {
        vec![text]
    }
}

fn walk(name: &str, source: &str, imported: &Imported, rendered: &RenderedArticle, counts: &mut Counts) {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let tree = Document::parse_with_options(source, options).unwrap();
    let mut shown = Shown { letters: words(imported, rendered), at: 0, known: HashSet::new() };
    let reasons: HashSet<&str> = imported.report.left_out.iter().map(|one| one.reason).collect();
    for node in tree.root_element().descendants().filter(|node| node.is_text()) {
        let text = node.text().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        counts.texts += 1;
        let around = node.parent().unwrap();
        let wanted: Vec<String> =
            changed(text, around).into_iter().map(letters).filter(|one| !one.is_empty()).collect();
        if wanted.is_empty() {
            counts.signs += 1;
        } else if is_in_dates(around, &imported.article.meta) {
            counts.dates += 1;
        } else if wanted.iter().all(|one| shown.has(one)) {
            counts.shown += 1;
        } else if node.ancestors().any(|up| matches!(local(up), "math" | "tex-math")) {
            counts.formulas += 1;
        } else if let Some(reason) = node.ancestors().filter_map(jats::reason_to_leave_out).last() {
            *counts.left_out.entry(reason).or_default() += 1;
            assert!(reasons.contains(reason), "{name}: the report does not list {reason:?}");
        } else {
            let mut path: Vec<&str> = around.ancestors().take(5).map(local).collect();
            path.reverse();
            let start: String = text.trim().chars().take(80).collect();
            counts.lost.push(format!("{name}: {}: {start:?}", path.join("/")));
        }
    }
}

fn render(imported: &Imported) -> RenderedArticle {
    html::render(&imported.article, &|href| Some(format!("/files/{}", href.replace(' ', "%20")).into()))
}

impl Counts {
    fn print(&self, what: &str) {
        println!(
            "{what}: {} texts, of which {} shown, {} in dates, {} in formulas, {} without letters",
            self.texts, self.shown, self.dates, self.formulas, self.signs
        );
        println!("left out: {:#?}", self.left_out);
    }

    fn check(&self) {
        let first = self.lost.iter().take(100).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.lost.is_empty(), "{} texts are neither shown nor listed as left out:\n{first}", self.lost.len());
    }
}

#[test]
fn every_text_of_the_corpus_is_shown_or_listed_as_left_out() {
    let root = std::env::var_os("MASTHEAD_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), std::path::PathBuf::from);
    let mut files: Vec<_> = ["jats", "zh-chinaxiv"]
        .iter()
        .flat_map(|folder| walkdir::WalkDir::new(root.join(folder)).into_iter().filter_map(Result::ok))
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .collect();
    files.sort();
    if files.is_empty() {
        return println!("skipped: no corpus at {}", root.display());
    }
    let mut counts = Counts::default();
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy();
        let bytes = std::fs::read(file).unwrap();
        let imported = jats::import(&bytes, &Limits::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        walk(&name, std::str::from_utf8(&bytes).unwrap(), &imported, &render(&imported), &mut counts);
    }
    counts.print(&format!("{} files", files.len()));
    counts.check();
}

fn every_part() -> Imported {
    jats::import(EVERY_PART, &Limits::default()).unwrap()
}

#[test]
fn every_text_of_the_fixture_is_shown_or_listed_as_left_out() {
    let imported = every_part();
    let mut counts = Counts::default();
    walk("every-part.xml", std::str::from_utf8(EVERY_PART).unwrap(), &imported, &render(&imported), &mut counts);
    counts.print("the fixture");
    counts.check();
}

#[test]
fn parts_beside_the_text_are_shown() {
    let imported = every_part();
    let page = words(&imported, &render(&imported));
    for text in [
        "Read at the spring assembly.",
        "Dedicated to the divers.",
        "Conceptualization",
        "anna@pier.example",
        "Quay 5; +1 555 0100",
        "Carl Groyne",
        "Steering committee",
        "Tide Office",
        "the Night Shift",
        "for the Union of Dockers",
        "desk@quays.example; +1 555 0199",
        "Closed since winter.",
        "Reviewing editor",
        "Notes on authors",
        "Present address: Dune Lane.",
        "Harbour Board",
        "Share it with the crew.",
        "Corrects On anchors",
        "Soundings of 2025",
        "The Book of Piers. Mole & Sons, 2019. 300 p.",
        "HF-9",
        "Pier Anna, Wharf Eve",
        "Open access by the Quay Library.",
        "Set in lead type.",
        "Taken at noon.",
        "View from the north.",
        "Photograph by Eve",
        "Scan of the log.",
        "Weather log",
        "Appendices of the survey",
        "Ida Sluice: Referee",
        "Letters to the dam.",
    ] {
        assert!(page.contains(&letters(text)), "{text}");
    }
}

#[test]
fn what_is_left_out_is_listed_with_the_reason() {
    let imported = every_part();
    let listed: BTreeMap<&str, u32> = imported.report.left_out.iter().map(|one| (one.path, one.texts)).collect();
    for (path, texts) in [
        ("title-group/alt-title", 2),
        ("article-meta/article-id", 1),
        ("contrib/contrib-id", 1),
        ("custom-meta-group", 2),
        ("article-meta/permissions/license", 1),
        ("sec/title", 1),
        ("back/title", 1),
        ("history", 3),
    ] {
        assert_eq!(listed.get(path), Some(&texts), "{path} in {listed:?}");
    }
    assert!(imported.report.left_out.iter().all(|one| one.reason.len() > 10 && one.texts > 0));
    let page = words(&imported, &render(&imported));
    for text in ["Moles and piers Pier et al.", "jharb-key", "99887766", "Mit der Mannschaft teilen.", "Henrietta"] {
        assert!(!page.contains(&letters(text)), "{text}");
    }
}

#[test]
fn members_of_a_collaboration_are_no_authors_and_keep_their_group() {
    let meta = every_part().article.meta;
    let authors: Vec<String> = meta.authors().map(Contributor::display_name).collect();
    assert_eq!(authors, ["Anna Pier Jr, PhD", "Shi Bai", "The Breakwater Consortium", "Eve Wharf"]);
    let members: Vec<(String, &str)> = meta
        .contributors
        .iter()
        .filter(|one| !one.group.is_empty())
        .map(|one| (one.display_name(), one.group.as_str()))
        .collect();
    let group = "The Breakwater Consortium";
    assert_eq!(members, [("Carl Groyne".to_owned(), group), ("Dora Jetty".to_owned(), group)]);
    assert_eq!(meta.contributors[0].marks, ["b", "†", "k"], "the label of an affiliation stands for its mark");
}

#[test]
fn the_xml_of_an_export_has_these_parts_for_other_readers_too() {
    let first = every_part().article;
    let exact = jats::export(&first, &jats::ExportOptions::default());
    assert_eq!(jats::import(exact.as_bytes(), &Limits::default()).unwrap().article, first);
    let portable = jats::export(&first, &jats::ExportOptions { portable: true, ..jats::ExportOptions::default() });
    let read = jats::import(portable.as_bytes(), &Limits::default()).unwrap().article.meta;
    let people = |meta: &ArticleMeta| -> Vec<(String, String, String, String)> {
        let one =
            |one: &Contributor| (one.display_name(), one.group.clone(), one.address.clone(), one.credit.join(";"));
        meta.contributors.iter().map(one).collect()
    };
    assert_eq!(people(&read), people(&first.meta));
    let contacts =
        |meta: &ArticleMeta| -> Vec<String> { meta.affiliations.iter().map(|one| one.contact.clone()).collect() };
    assert_eq!(contacts(&read), contacts(&first.meta));
}

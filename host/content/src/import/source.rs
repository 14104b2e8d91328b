//! Selection of the files to import, and detection of their formats.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::import::article::Source;

/// Format as which files are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The format of each file is detected from its name and its first bytes.
    #[default]
    Auto,
    /// JATS articles; packages (zip, tar, tar.gz) are opened.
    Jats,
    /// Issues that JATS files name: articles, and publishers' issue files.
    Periods,
    /// Crossref's JSON and deposit XML: articles' metadata, issues, journals.
    Crossref,
    /// DOAJ's JSON and XML: the same.
    Doaj,
    /// ONIX 3: books.
    Onix,
    /// MARC 21, as ISO 2709 or MARCXML: books.
    Marc,
    /// Exports of OJS 2 and 3: native XML, packages of whole journals, usage reports.
    Ojs,
    /// All content other than articles, such as news, experts and albums: TOML files named after the kind (`news.toml`).
    Resources,
    /// RIS, BibTeX, EndNote, CSL-JSON: the references of one article, which the request must name.
    References,
}

impl Format {
    /// Every format with its name and its description for help texts.
    pub const ALL: [(Self, &'static str, &'static str); 10] = [
        (Self::Auto, "auto", "Detect the format of each file from its name and content"),
        (Self::Jats, "jats", "JATS articles, also in packages (zip, tar, tar.gz)"),
        (Self::Periods, "periods", "Issues named in JATS articles or in publishers' issue files"),
        (Self::Crossref, "crossref", "Crossref JSON or deposit XML: metadata of articles, issues and journals"),
        (Self::Doaj, "doaj", "DOAJ JSON or XML: metadata of articles, issues and journals"),
        (Self::Onix, "onix", "ONIX 3: books"),
        (Self::Marc, "marc", "MARC 21 (ISO 2709 or MARCXML): books"),
        (Self::Ojs, "ojs", "Exports of OJS 2 and 3: native XML, packages of whole journals, usage reports (CSV, JSON)"),
        (
            Self::Resources,
            "resources",
            "TOML files named after a resource kind (news.toml): news, experts, albums and others",
        ),
        (
            Self::References,
            "references",
            "RIS, BibTeX, EndNote or CSL-JSON: the reference list of the article given with --article",
        ),
    ];

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(format, ..)| format)
    }

    /// Whether the paths contain any file that a run with this format would import.
    #[must_use]
    pub fn finds_any(self, paths: &[PathBuf]) -> bool {
        !found(paths, self).is_empty()
    }
}

/// A file, or a series of files, to import.
pub enum Found {
    /// JATS files.
    Articles(Vec<Source>),
    /// A zip or tar package of JATS articles.
    Package(PathBuf),
    /// A file of another format.
    File(PathBuf, Format),
    /// A file that cannot be imported.
    Unsupported {
        /// The file.
        path: String,
        /// The reason.
        reason: String,
    },
}

/// All files to import under the paths, in the order of the paths; the files of a folder are sorted by name.
#[must_use]
pub fn found(paths: &[PathBuf], format: Format) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for path in paths {
        if path.is_dir() {
            // Symbolic links are not followed, because they could lead out of the folder.
            let walk = walkdir::WalkDir::new(path).sort_by_file_name();
            let files = walk.into_iter().flatten().filter(|entry| entry.file_type().is_file());
            for file in files.map(walkdir::DirEntry::into_path).filter(|file| is_candidate(file, format)) {
                add(&mut all, file, format);
            }
        } else {
            add(&mut all, path.clone(), format);
        }
    }
    // Resources may name articles, which must be there first.
    all.sort_by_key(|found| matches!(found, Found::File(_, Format::Resources)));
    if format == Format::Ojs {
        // Counts belong to articles, which must be there first.
        all.sort_by_key(|found| matches!(found, Found::File(path, _) if is_usage_report(path)));
    }
    all
}

/// Whether the file name is that of a usage report of OJS.
pub(super) fn is_usage_report(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ending.eq_ignore_ascii_case("csv") || ending.eq_ignore_ascii_case("json")
}

/// Whether a file of a package is an export of OJS, or a usage report beside it.
pub(super) fn is_ojs(path: &Path) -> bool {
    is_usage_report(path) || matches!(sniff(path), Ok(Format::Ojs))
}

fn add(all: &mut Vec<Found>, path: PathBuf, format: Format) {
    if is_package(&path) && matches!(format, Format::Auto | Format::Jats) {
        all.push(Found::Package(path));
        return;
    }
    let format = match format {
        Format::Auto => sniff(&path),
        known => Ok(known),
    };
    match format {
        Err(reason) => all.push(Found::Unsupported { path: path.display().to_string(), reason }),
        Ok(Format::Jats) => {
            let source = Source { shown: path.display().to_string(), path };
            match all.last_mut() {
                Some(Found::Articles(files)) => files.push(source),
                _ => all.push(Found::Articles(vec![source])),
            }
        }
        Ok(format) => all.push(Found::File(path, format)),
    }
}

/// Whether a run with this format imports a file that it finds in a folder; images, notes and other files are ignored.
fn is_candidate(path: &Path, format: Format) -> bool {
    let is = |endings: &[&str]| {
        path.extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    };
    match format {
        Format::Auto => is(&["xml", "json", "mrc", "marc"]) || is_package(path),
        Format::Jats => is(&["xml"]) || is_package(path),
        Format::Crossref | Format::Doaj => is(&["json", "xml"]),
        Format::Marc => is(&["xml", "mrc", "marc", "dat"]),
        Format::Periods | Format::Onix => is(&["xml"]),
        // Beside an export there may be JATS files, which its articles name.
        Format::Ojs => is_package(path) || (is(&["xml", "csv", "json"]) && is_ojs(path)),
        Format::Resources => is(&["toml"]),
        Format::References => is(&["ris", "bib", "enw", "json"]),
    }
}

/// Whether the file name has the extension of a package.
#[must_use]
pub fn is_package(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending))
}

/// Detects the format of a file from its first bytes, or returns the reason why it cannot be imported.
fn sniff(path: &Path) -> Result<Format, String> {
    let mut head = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(16_384).read_to_end(&mut head))
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    of_bytes(&head)
}

fn of_bytes(head: &[u8]) -> Result<Format, String> {
    const REFERENCES: &str =
        "the file is a reference list, which belongs to an article: masthead import references FILE --article DOI";
    if head.is_empty() {
        return Err("the file is empty".to_owned());
    }
    // The leader of ISO 2709: the length of the record, and the entry map of its directory.
    if head.get(..5).is_some_and(|length| length.iter().all(u8::is_ascii_digit)) && head.get(20..22) == Some(b"45") {
        return Ok(Format::Marc);
    }
    // In UTF-16, every character that matters here has a zero byte, which is dropped.
    let text: String = head.iter().filter(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
    let text = text.trim_start_matches(['\u{ef}', '\u{bb}', '\u{bf}', '\u{fe}', '\u{ff}', ' ', '\n', '\r', '\t']);
    let has = |word: &str| text.contains(word);
    if text.starts_with(['{', '[']) {
        return match () {
            () if has("\"bibjson\"") => Ok(Format::Doaj),
            () if has("\"message-type\"") || has("\"deposited\"") || has("\"reference-count\"") => Ok(Format::Crossref),
            () if has("\"article-journal\"") || has("\"container-title\"") || has("\"issued\"") => {
                Err(REFERENCES.to_owned())
            }
            () => Err("the file is JSON, but neither from Crossref nor from DOAJ".to_owned()),
        };
    }
    if text.starts_with('@') || text.starts_with("TY  -") || text.starts_with("%0 ") {
        return Err(REFERENCES.to_owned());
    }
    if !text.starts_with('<') {
        return Err("the file has no format that can be imported".to_owned());
    }
    match root(text) {
        "OAI-PMH" => Err("the file is an OAI-PMH response: take its articles over with masthead harvest".to_owned()),
        "ONIXMessage" | "ONIXmessage" => Ok(Format::Onix),
        "collection" | "record" if has("MARC21/slim") || has("<leader>") => Ok(Format::Marc),
        "doi_batch" => Ok(Format::Crossref),
        "records" if has("journalTitle") => Ok(Format::Doaj),
        "issues" | "articles" | "extended_issues" | "extended_articles" => Ok(Format::Ojs),
        "article" | "journal" if has("pkp.sfu.ca") => Ok(Format::Ojs),
        "issue" => Ok(Format::Ojs),
        "issue-xml" | "issue-meta" => Ok(Format::Periods),
        // Other elements are left to the JATS importer, which reports them with line and column.
        _ => Ok(Format::Jats),
    }
}

/// The name of the root element without prefix, or "". Comments, processing instructions and the DOCTYPE before it are skipped.
fn root(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        let end = match () {
            () if text.starts_with("<!--") => "-->",
            () if text.starts_with("<?") => "?>",
            () if text.starts_with("<!") && text.split('>').next().is_some_and(|tag| tag.contains('[')) => "]>",
            () if text.starts_with("<!") => ">",
            () => break,
        };
        text = text.split_once(end).map_or("", |(_, rest)| rest);
    }
    let name = text.trim_start_matches('<').split([' ', '>', '\n', '\r', '\t', '/']).next().unwrap_or_default();
    name.rsplit(':').next().unwrap_or_default()
}

/// The XML files and packages of folders, sorted by name, and all other paths unchanged.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> Vec<PathBuf> {
    let each = found(paths, Format::Jats).into_iter().flat_map(|found| match found {
        Found::Articles(files) => files.into_iter().map(|file| file.path).collect(),
        Found::Package(path) | Found::File(path, _) => vec![path],
        Found::Unsupported { .. } => Vec::new(),
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::expect_used)]
    use super::*;

    #[test]
    fn usage_reports_are_read_behind_the_exports() {
        let folder = tempfile::tempdir().expect("a folder");
        let files =
            [("a.csv", "x"), ("b.xml", "<issues/>"), ("c.tar.gz", "x"), ("d.xml", "<article/>"), ("notes.txt", "x")];
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let names: Vec<_> = found(&[folder.path().to_owned()], Format::Ojs)
            .into_iter()
            .map(|found| match found {
                Found::File(path, Format::Ojs) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
                _ => None,
            })
            .collect();
        assert_eq!(names, ["b.xml", "c.tar.gz", "a.csv"].map(|name| Some(name.to_owned())));
    }

    #[test]
    fn formats_are_detected_from_the_first_bytes() {
        for (head, format) in [
            ("<?xml version=\"1.0\"?><!DOCTYPE article SYSTEM \"x.dtd\"><article>", Format::Jats),
            ("\u{feff}<article xmlns=\"http://pkp.sfu.ca\">", Format::Ojs),
            ("<!-- <issues> --><ns:ONIXMessage release=\"3.0\">", Format::Onix),
            ("<collection xmlns=\"http://www.loc.gov/MARC21/slim\">", Format::Marc),
            ("01142cam  2200301 a 4500", Format::Marc),
            ("{\"status\":\"ok\",\"message-type\":\"work\"}", Format::Crossref),
            (" [{\"bibjson\":{}}]", Format::Doaj),
            ("<?xml version=\"1.0\"?><cr:doi_batch version=\"4.4.2\">", Format::Crossref),
            ("<journal xmlns=\"http://pkp.sfu.ca\" url_path=\"rivers\">", Format::Ojs),
            ("<records><record><journalTitle>Tide Ledger</journalTitle>", Format::Doaj),
            ("<nothing/>", Format::Jats),
        ] {
            assert_eq!(of_bytes(head.as_bytes()), Ok(format), "{head}");
        }
        let wide: Vec<u8> = "<issues>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(of_bytes(&[&[0xff, 0xfe], wide.as_slice()].concat()), Ok(Format::Ojs));
        for head in ["", "@article{x,", "TY  - JOUR", "plain text", "<OAI-PMH>", "{}", "%PDF-1.7"] {
            assert!(of_bytes(head.as_bytes()).is_err(), "{head}");
        }
    }
}

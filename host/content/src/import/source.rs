//! Which files a run is about, and what each is.

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::import::article::Source;

/// What files are taken for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Each by its name and its first bytes.
    #[default]
    Auto,
    /// JATS articles; packages (zip, tar, tar.gz) are opened.
    Jats,
    /// Issues that JATS files name: articles, and publishers' issue files.
    Periods,
    /// Crossref's JSON: articles' metadata, issues, journals.
    Crossref,
    /// DOAJ's JSON: the same.
    Doaj,
    /// ONIX 3: books.
    Onix,
    /// MARC 21, as ISO 2709 or MARCXML: books.
    Marc,
    /// Native XML of OJS 2 and 3: issues, articles, embedded files.
    Ojs,
    /// News, experts, albums and all else that is no article: TOML files named after the kind (`news.toml`).
    Resources,
    /// RIS, BibTeX, EndNote, CSL-JSON: the references of one article, which has to be named.
    References,
}

impl Format {
    /// Every format with its name and what it reads, for help texts.
    pub const ALL: [(Self, &'static str, &'static str); 10] = [
        (Self::Auto, "auto", "Each file by its name and its first bytes"),
        (Self::Jats, "jats", "JATS articles; packages (zip, tar, tar.gz) are opened"),
        (Self::Periods, "periods", "Issues that JATS files name: articles, and publishers' issue files"),
        (Self::Crossref, "crossref", "Crossref's JSON: metadata of articles, issues, journals"),
        (Self::Doaj, "doaj", "DOAJ's JSON or XML: metadata of articles, issues, journals"),
        (Self::Onix, "onix", "ONIX 3: books"),
        (Self::Marc, "marc", "MARC 21, as ISO 2709 or MARCXML: books"),
        (Self::Ojs, "ojs", "Native XML of OJS 2 and 3: issues, articles, embedded files"),
        (
            Self::Resources,
            "resources",
            "TOML files named after their kind (news.toml): news, experts, albums and others",
        ),
        (
            Self::References,
            "references",
            "RIS, BibTeX, EndNote, CSL-JSON: the references of one article, which has to be named",
        ),
    ];

    /// The format with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(_, known, _)| *known == name).map(|(format, ..)| format)
    }

    /// Whether there is any file under the paths that a run would look at.
    #[must_use]
    pub fn finds_any(self, paths: &[PathBuf]) -> bool {
        !found(paths, self).is_empty()
    }
}

/// Something to import, in the order of the paths.
pub enum Found {
    /// JATS files.
    Articles(Vec<Source>),
    /// A zip or tar package.
    Package(PathBuf),
    /// A file of another format.
    File(PathBuf, Format),
    /// Nothing that can be imported.
    Odd {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
}

/// Every file under the paths: folders in the order of their names, other paths as they are.
#[must_use]
pub fn found(paths: &[PathBuf], format: Format) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    for path in paths {
        if path.is_dir() {
            // Links are not followed: a package must not lead out of its folder.
            let walk = walkdir::WalkDir::new(path).sort_by_file_name();
            let files = walk.into_iter().flatten().filter(|entry| entry.file_type().is_file());
            for file in files.map(walkdir::DirEntry::into_path).filter(|file| is_wanted(file, format)) {
                add(&mut all, file, format);
            }
        } else {
            add(&mut all, path.clone(), format);
        }
    }
    all
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
        Err(reason) => all.push(Found::Odd { path: path.display().to_string(), reason }),
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

/// Files of a folder that a run of this format looks at; others (pictures, notes) lie beside them.
fn is_wanted(path: &Path, format: Format) -> bool {
    let is = |endings: &[&str]| {
        path.extension()
            .and_then(|ending| ending.to_str())
            .is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    };
    match format {
        Format::Auto => is(&["xml", "json", "mrc", "marc"]) || is_package(path),
        Format::Jats => is(&["xml"]) || is_package(path),
        Format::Crossref | Format::Doaj => is(&["json"]),
        Format::Marc => is(&["xml", "mrc", "marc", "dat"]),
        Format::Periods | Format::Onix | Format::Ojs => is(&["xml"]),
        Format::Resources => is(&["toml"]),
        Format::References => is(&["ris", "bib", "enw", "json"]),
    }
}

/// Whether the name is that of a package.
#[must_use]
pub fn is_package(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
    [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|ending| name.ends_with(ending))
}

/// What a file is, by its first bytes; or why it is nothing that can be imported.
fn sniff(path: &Path) -> Result<Format, String> {
    let mut head = Vec::new();
    std::fs::File::open(path)
        .and_then(|file| file.take(16_384).read_to_end(&mut head))
        .map_err(|error| format!("it cannot be read: {error}"))?;
    of_bytes(&head)
}

fn of_bytes(head: &[u8]) -> Result<Format, String> {
    const REFERENCES: &str =
        "it is a list of references, which belongs to an article: masthead import references FILE --article DOI";
    if head.is_empty() {
        return Err("the file is empty".to_owned());
    }
    // The leader of ISO 2709: a record's length, and the form of its directory.
    if head.get(..5).is_some_and(|length| length.iter().all(u8::is_ascii_digit)) && head.get(20..22) == Some(b"45") {
        return Ok(Format::Marc);
    }
    // UTF-16 has a zero beside every letter that matters here.
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
            () => Err("it is JSON, but neither of Crossref nor of DOAJ".to_owned()),
        };
    }
    if text.starts_with('@') || text.starts_with("TY  -") || text.starts_with("%0 ") {
        return Err(REFERENCES.to_owned());
    }
    if !text.starts_with('<') {
        return Err("it is of no format that can be imported".to_owned());
    }
    match root(text) {
        "OAI-PMH" => Err("it is an answer of OAI-PMH: harvest the records that it lists, and import those".to_owned()),
        "ONIXMessage" | "ONIXmessage" => Ok(Format::Onix),
        "collection" | "record" if has("MARC21/slim") || has("<leader>") => Ok(Format::Marc),
        "issues" | "articles" => Ok(Format::Ojs),
        "article" | "issue" if has("pkp.sfu.ca") => Ok(Format::Ojs),
        "issue" => Ok(Format::Ojs),
        "issue-xml" | "issue-meta" => Ok(Format::Periods),
        // What is no article is told so by the one who reads articles, with line and column.
        _ => Ok(Format::Jats),
    }
}

/// The root element's name without prefix, or "": what stands before it is passed by.
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

/// The XML files of folders in the order of their names, other paths as they are.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> Vec<PathBuf> {
    let each = found(paths, Format::Jats).into_iter().flat_map(|found| match found {
        Found::Articles(files) => files.into_iter().map(|file| file.path).collect(),
        Found::Package(path) | Found::File(path, _) => vec![path],
        Found::Odd { .. } => Vec::new(),
    });
    each.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (head, format) in [
            ("<?xml version=\"1.0\"?><!DOCTYPE article SYSTEM \"x.dtd\"><article>", Format::Jats),
            ("\u{feff}<article xmlns=\"http://pkp.sfu.ca\">", Format::Ojs),
            ("<!-- <issues> --><ns:ONIXMessage release=\"3.0\">", Format::Onix),
            ("<collection xmlns=\"http://www.loc.gov/MARC21/slim\">", Format::Marc),
            ("01142cam  2200301 a 4500", Format::Marc),
            ("{\"status\":\"ok\",\"message-type\":\"work\"}", Format::Crossref),
            (" [{\"bibjson\":{}}]", Format::Doaj),
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

//! The files in OJS's native XML: galleys, the files that these need, covers; embedded, or named by an address or a path.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};

use super::{FORMAT, Imported, internal_id, locale};
use crate::{FormatError, xml::Element};

/// Limit on one embedded file in bytes: the importer stores no larger ones.
const MAX_FILE: usize = 64 << 20;
const UNPUBLISHED: (&str, &str) =
    ("manuscripts, review files and other files of the editing", "readers of OJS did not see them");

/// A file that is embedded or referred to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OjsFile {
    /// File name without folders.
    pub name: String,
    /// Label in OJS ("PDF", "XML"), or "".
    pub label: String,
    /// Media type as declared, else by the file extension, else "".
    pub mime: String,
    /// BCP 47 tag, or "".
    pub language: String,
    /// Alternative text of a cover, or "".
    pub alt: String,
    /// Content; empty if the file is only referred to.
    pub bytes: Vec<u8>,
    /// Address of a file that is only referred to, or its path beside the XML file, or "".
    pub href: String,
    /// `galley`, `dependent` (a picture or style sheet of a galley), `cover` or `supplementary`.
    pub role: &'static str,
    /// Names of the galley in addresses: its own, its number, its public id.
    pub galley: Vec<String>,
    /// Number of the file in OJS, or "".
    pub id: String,
}

impl OjsFile {
    /// Whether it is an HTML page.
    #[must_use]
    pub fn is_html(&self) -> bool {
        self.mime.starts_with("text/html") || self.mime.starts_with("application/xhtml+xml")
    }
}

/// The files of an article in the order of the file. One that cannot be decoded is reported as a fault; the article is kept.
pub(super) fn of_article(element: &Element, current: &Element, made: &mut Imported) -> Vec<OjsFile> {
    let mut found = Files::default();
    let same = std::ptr::eq(element, current);
    let galleys: Vec<&Element> =
        current.all("article_galley").chain(element.all("article_galley").filter(|_| !same)).collect();
    found.submission_files(element, &galleys);
    for galley in &galleys {
        if let Some(remote) = galley.child("remote") {
            found.take(embedded(remote, of_galley(galley)));
        }
    }
    // In OJS 2, galleys contain files.
    for galley in element.elements() {
        let role = match galley.name.as_str() {
            "galley" | "htmlgalley" | "xmlgalley" => "galley",
            "supplemental_file" => "supplementary",
            _ => continue,
        };
        for part in galley.elements().filter(|part| matches!(part.name.as_str(), "file" | "image" | "stylesheet")) {
            let file = if part.name == "file" {
                OjsFile { label: galley.child_text("label"), role, ..of_galley(galley) }
            } else {
                OjsFile { language: locale(galley), role: "dependent", ..OjsFile::default() }
            };
            found.take(embedded(part, file));
        }
    }
    found.covers(current);
    made.leave_out(UNPUBLISHED, found.unpublished);
    for fault in found.faults {
        made.articles.fault(fault);
    }
    found.files
}

#[derive(Default)]
struct Files {
    files: Vec<OjsFile>,
    faults: Vec<FormatError>,
    unpublished: usize,
}

impl Files {
    fn take(&mut self, file: Result<OjsFile, FormatError>) {
        match file {
            Ok(file) if !file.bytes.is_empty() || !file.href.is_empty() => self.files.push(file),
            Ok(_) => {}
            Err(fault) => self.faults.push(fault),
        }
    }

    /// In OJS 3, galleys refer to files, and files that a galley needs refer to its file. The others are published only if their
    /// stage says so, or if the file has no stages.
    fn submission_files(&mut self, article: &Element, galleys: &[&Element]) {
        let named =
            |file: &&Element| matches!(file.name.as_str(), "submission_file" | "artwork_file" | "supplementary_file");
        let galley_of = |id: &str| {
            let refers = |galley: &&&Element| galley.all("submission_file_ref").any(|one| one.attribute("id") == id);
            galleys.iter().find(refers).filter(|_| !id.is_empty())
        };
        for file in article.elements().filter(named) {
            let galley = galley_of(file.attribute("id"));
            let needed_by = file.child("submission_file_ref").map(|one| one.attribute("id")).unwrap_or_default();
            let kept = if let Some(galley) = galley {
                of_galley(galley)
            } else if galley_of(needed_by).is_some() {
                OjsFile { role: "dependent", ..OjsFile::default() }
            } else if matches!(file.attribute("stage"), "" | "public" | "jats") {
                OjsFile { role: "supplementary", ..OjsFile::default() }
            } else {
                self.unpublished += 1;
                continue;
            };
            let revision = file.all("revision").last().or_else(|| file.all("file").last()).unwrap_or(file);
            let names =
                [revision.attribute("filename").to_owned(), file.child_text("name"), revision.child_text("name")];
            let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
            let mime = revision.attribute("filetype").to_owned();
            self.take(embedded(revision, OjsFile { name, mime, id: file.attribute("id").to_owned(), ..kept }));
        }
    }

    /// The covers of an issue or an article.
    fn covers(&mut self, element: &Element) {
        let lists = element.elements().filter(|list| matches!(list.name.as_str(), "covers" | "issue_covers"));
        for cover in lists.flat_map(|list| list.all("cover")).chain(element.all("cover")) {
            let name = cover.child_text("cover_image");
            let holder = cover.child("image").unwrap_or(cover);
            let (language, alt) = (locale(cover), cover.child_text("cover_image_alt_text"));
            self.take(embedded(holder, OjsFile { name, language, alt, role: "cover", ..OjsFile::default() }));
        }
    }
}

/// A file of a galley, without name and content.
fn of_galley(galley: &Element) -> OjsFile {
    let public = galley.all("id").find(|id| id.attribute("type") == "public").map(Element::text).unwrap_or_default();
    let names = [galley.attribute("url_path").to_owned(), internal_id(galley), public];
    OjsFile {
        label: galley.child_text("name"),
        language: locale(galley),
        role: "galley",
        galley: names.into_iter().filter(|name| !name.is_empty()).collect(),
        ..OjsFile::default()
    }
}

/// The covers of an issue, and the faults of those that cannot be decoded.
pub(super) fn covers(issue: &Element) -> (Vec<OjsFile>, Vec<FormatError>) {
    let mut found = Files::default();
    found.covers(issue);
    (found.files, found.faults)
}

/// The content in `embed`, or the address in `href` or `remote`.
fn embedded(holder: &Element, mut file: OjsFile) -> Result<OjsFile, FormatError> {
    let reference =
        if holder.name == "remote" { Some(holder) } else { holder.child("href").or_else(|| holder.child("remote")) };
    if let Some(embed) = holder.child("embed") {
        if file.name.is_empty() {
            embed.attribute("filename").clone_into(&mut file.name);
        }
        if file.mime.is_empty() {
            embed.attribute("mime_type").clone_into(&mut file.mime);
        }
        file.bytes = decode(&embed.raw_text())
            .map_err(|reason| FormatError::new(FORMAT, reason).line(embed.line).field(file.name.clone()))?;
    } else if let Some(reference) = reference {
        reference.attribute("src").clone_into(&mut file.href);
        if file.mime.is_empty() {
            reference.attribute("mime_type").clone_into(&mut file.mime);
        }
        if file.name.is_empty() {
            file.name.clone_from(&file.href);
        }
    }
    file.name = plain_name(&file.name, holder.attribute("extension"));
    if file.mime.is_empty() {
        file.mime = by_ending(&file.name).to_owned();
    }
    Ok(file)
}

/// The last part of a path. OJS 3 gives the extension apart if the name, which authors write, has none.
fn plain_name(path: &str, extension: &str) -> String {
    let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let mut name: String = last.chars().filter(|c| !c.is_control()).take(200).collect();
    if matches!(name.as_str(), "." | "..") {
        name.clear();
    }
    let plain = (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let has_it = name.rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(extension));
    if plain && !name.is_empty() && !has_it {
        name = format!("{name}.{extension}");
    }
    name
}

fn by_ending(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).as_deref() {
        Some("pdf") => "application/pdf",
        Some("xml") => "application/xml",
        Some("html" | "htm") => "text/html",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("epub") => "application/epub+zip",
        _ => "",
    }
}

/// Decodes base64, or says why not.
fn decode(text: &str) -> Result<Vec<u8>, String> {
    let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    if packed.len() / 4 * 3 > MAX_FILE {
        return Err(format!("the embedded file is larger than {MAX_FILE} bytes; it was left out"));
    }
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let decoded = GeneralPurpose::new(&STANDARD, config).decode(packed);
    decoded.map_err(|_| "the embedded file is not valid base64; it was left out: export it again".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_lose_their_folders_and_get_their_extension() {
        for (path, extension, name) in [
            ("..\\..\\d.csv", "", "d.csv"),
            ("../../etc/passwd", "", "passwd"),
            ("..", "pdf", ""),
            ("Article Text", "pdf", "Article Text.pdf"),
            ("a.PDF", "pdf", "a.PDF"),
            ("a", "../x", "a"),
        ] {
            assert_eq!(plain_name(path, extension), name, "{path} {extension}");
        }
    }

    #[test]
    fn a_file_larger_than_the_limit_is_not_decoded() {
        let packed = "A".repeat(MAX_FILE / 3 * 4 + 8);
        assert!(decode(&packed).unwrap_err().contains("larger than"));
        assert_eq!(decode("aGVs\n bG8").unwrap(), b"hello");
        assert!(decode("???").unwrap_err().contains("base64"));
    }
}

//! The files of an article in its record: the PDF, and the others that readers download (further galleys, data). Pictures and files that the
//! text shows or links to are part of the text.

use std::{
    collections::HashSet,
    path::{Component, Path},
};

use masthead_domain::{
    article::{Article, ArticleFile, ArticleMeta},
    content::Node,
};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    identifiers::IDS,
    values::{Sides, text, wanted},
};

/// The field with the address of the PDF.
pub const PDF: &str = "pdf";
/// The field of the other files.
pub const FILES: &str = "files";
/// The key of an address in the entry of a list.
pub const FILE: &str = "file";

/// Keys of content that name files of its article.
const NAMING: [&str; 4] = ["big", "small", "print", "href"];
/// The name of the JATS file in a package of an article.
const SOURCE: &str = "article.xml";
/// Greatest number of bytes of the name of a file.
const LONGEST: usize = 200;

/// The names of files that a part of an article has under these keys, in its order.
fn named(part: &impl Serialize, keys: &[&str]) -> Vec<String> {
    fn walk(value: &Value, keys: &[&str], found: &mut Vec<String>) {
        match value {
            Value::Array(all) => all.iter().for_each(|one| walk(one, keys, found)),
            Value::Object(fields) => {
                for (key, inner) in fields {
                    match inner {
                        Value::String(name) if keys.contains(&key.as_str()) && !name.is_empty() => {
                            found.push(name.clone());
                        }
                        inner => walk(inner, keys, found),
                    }
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    walk(&serde_json::to_value(part).unwrap_or_default(), keys, &mut found);
    found
}

/// The names of the files that the text of an article shows or links to; none if the article has no files.
pub fn of_text(article: &Article, files: &[ArticleFile]) -> HashSet<String> {
    if files.is_empty() {
        return HashSet::new();
    }
    named(&article.body, &NAMING).into_iter().chain(named(&article.meta.contributors, &NAMING)).collect()
}

/// The first file of the article that these nodes show as a picture.
pub fn picture<'a>(nodes: &[Node], files: &'a [ArticleFile]) -> Option<&'a ArticleFile> {
    if files.is_empty() {
        return None;
    }
    named(&nodes, &NAMING[..1]).iter().find_map(|name| files.iter().find(|file| file.name == *name))
}

/// The address of the PDF of an article, or "".
pub fn pdf<'a>(meta: &ArticleMeta, files: &'a [ArticleFile]) -> &'a str {
    let own = files.iter().find(|file| !meta.pdf.is_empty() && file.name == meta.pdf);
    own.map_or("", |file| file.address.as_str())
}

/// The files that are neither the PDF nor a part of the text.
fn others<'a>(
    meta: &'a ArticleMeta,
    of_text: &'a HashSet<String>,
    files: &'a [ArticleFile],
) -> impl Iterator<Item = &'a ArticleFile> {
    files.iter().filter(move |file| is_other(meta, of_text, file))
}

/// Whether a file is neither the PDF nor a part of the text.
fn is_other(meta: &ArticleMeta, of_text: &HashSet<String>, file: &ArticleFile) -> bool {
    file.name != meta.pdf && !of_text.contains(&file.name)
}

/// Marks the files that pages offer as downloads of their own. Style sheets and scripts of a page that became the text are of no use alone.
pub fn mark_offered(article: &Article, files: &mut [ArticleFile]) {
    let of_text = of_text(article, files);
    for file in files {
        let of_page = file
            .name
            .rsplit_once('.')
            .is_some_and(|(_, ending)| ["css", "js"].iter().any(|one| ending.eq_ignore_ascii_case(one)));
        file.offered = !of_page && is_other(&article.meta, &of_text, file);
    }
}

pub fn entry(file: &ArticleFile) -> Value {
    json!({ "name": file.name, FILE: file.address })
}

/// The other files, as the record has them.
pub fn record(article: &Article, files: &[ArticleFile]) -> Value {
    others(&article.meta, &of_text(article, files), files).map(entry).collect()
}

/// The name of the file with an address, which is added to the files if it is not among them.
pub fn name_of(files: &mut Vec<ArticleFile>, address: &str, stem: &str) -> String {
    if let Some(known) = files.iter().find(|file| file.address == address) {
        return known.name.clone();
    }
    let name = free_name(files, address, stem);
    files.push(ArticleFile { name: name.clone(), address: address.to_owned(), ..ArticleFile::default() });
    name
}

/// A name that no file of the article has, with the extension of an address.
fn free_name(files: &[ArticleFile], address: &str, stem: &str) -> String {
    let ending = address.rsplit_once('.').map_or("bin", |(_, ending)| ending);
    let numbered = |number: usize| match number {
        1 => format!("{stem}.{ending}"),
        _ => format!("{stem}-{number}.{ending}"),
    };
    (1..).map(numbered).find(|name| files.iter().all(|file| file.name != *name)).unwrap_or_default()
}

/// Puts the files in which two records differ into those of the article, whose text is changed already; `of_former` are those that it showed
/// before.
pub fn put(
    article: &mut Article,
    files: &mut Vec<ArticleFile>,
    of_former: &HashSet<String>,
    (before, after): Sides<'_>,
    faults: &mut Vec<String>,
) {
    let of_text = of_text(article, files);
    let meta = &mut article.meta;
    // What only the former text showed is no download.
    files.retain(|file| !of_former.contains(&file.name) || of_text.contains(&file.name) || file.name == meta.pdf);
    if before[PDF] != after[PDF] {
        put_pdf(meta, files, &of_text, &text(after, PDF));
    }
    let template = entry(&ArticleFile::default());
    let Some(wanted) = wanted(&before[FILES], &after[FILES], &template) else { return };
    let own: Vec<String> = others(meta, &of_text, files).map(|file| file.name.clone()).collect();
    files.retain(|file| !own.contains(&file.name));
    let known = before[FILES].as_array().map(Vec::as_slice).unwrap_or_default();
    for (at, one) in wanted.iter().enumerate() {
        let (name, address) = (text(one, "name"), text(one, FILE));
        if files.iter().any(|file| file.name == name) {
            faults.push(format!("{FILES}.{at}.name: {name:?} is the name of another file of the article"));
        } else if !known.contains(one) && !is_name(&name) {
            // Names of sources are not always ones that an editor may give.
            let begin: String = name.chars().take(60).collect();
            faults
                .push(format!("{FILES}.{at}.name: {begin:?} cannot be the name of a file; give one such as data.csv"));
        } else if address.is_empty() {
            faults.push(format!("{FILES}.{at}.{FILE}: an entry needs a file ({FILES}.{at}.{FILE}=@FILE)"));
        } else {
            files.push(ArticleFile { name, address, ..ArticleFile::default() });
        }
    }
}

/// Gives an article the PDF with this address, or none. The file that was the PDF goes, unless the text links to it.
fn put_pdf(meta: &mut ArticleMeta, files: &mut Vec<ArticleFile>, of_text: &HashSet<String>, address: &str) {
    let former = std::mem::take(&mut meta.pdf);
    let known = files.iter().find(|file| file.address == address).map(|file| file.name.clone());
    if known.is_none() && !address.is_empty() && !former.is_empty() {
        // The source names its PDF so.
        match files.iter_mut().find(|file| file.name == former) {
            Some(file) => address.clone_into(&mut file.address),
            None => {
                files.push(ArticleFile { name: former.clone(), address: address.to_owned(), ..ArticleFile::default() })
            }
        }
        meta.pdf = former;
        return;
    }
    if known.as_ref() != Some(&former) && !of_text.contains(&former) {
        files.retain(|file| file.name != former);
    }
    if !address.is_empty() {
        meta.pdf = name_of(files, address, "article");
    }
}

/// Whether an editor may give a file this name: packages of the article have it as a path.
fn is_name(name: &str) -> bool {
    let within = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let plain = !name.contains(['\\', ':']) && !name.ends_with('/') && !name.chars().any(char::is_control);
    within && plain && !name.is_empty() && name.len() <= LONGEST && name != SOURCE
}

/// The addresses of files in an edited field.
pub fn addresses<'a>(path: &str, value: &'a Value) -> Vec<&'a str> {
    fn walk<'a>(value: &'a Value, is_address: bool, found: &mut Vec<&'a str>) {
        match value {
            Value::String(address) if is_address && !address.is_empty() => found.push(address),
            Value::Array(all) => all.iter().for_each(|one| walk(one, false, found)),
            Value::Object(fields) => fields.iter().for_each(|(key, one)| walk(one, key == FILE, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    // A kind of identifiers may have any name (`ids.file`).
    if path.split('.').next() != Some(IDS) {
        walk(value, path == PDF || path.rsplit('.').next() == Some(FILE), &mut found);
    }
    found
}

#[cfg(test)]
mod tests {
    use masthead_domain::content::{ArticleBody, Graphics};

    use super::*;

    fn file(name: &str, address: &str) -> ArticleFile {
        ArticleFile { name: name.to_owned(), address: address.to_owned(), ..ArticleFile::default() }
    }

    /// An article with a PDF, a picture in the text and two other files.
    fn article() -> (Article, Vec<ArticleFile>) {
        let picture = Node::Graphic(Box::new(Graphics { big: "f1.png".to_owned(), ..Graphics::default() }));
        let body = ArticleBody { body: vec![picture], ..ArticleBody::default() };
        let meta = ArticleMeta { pdf: "a.pdf".to_owned(), ..ArticleMeta::default() };
        let names = ["a.pdf", "f1.png", "a.epub", "data.csv"];
        (Article { meta, body }, names.map(|name| file(name, &format!("/{name}"))).to_vec())
    }

    fn sides(article: &Article, files: &[ArticleFile]) -> Value {
        json!({ PDF: pdf(&article.meta, files), FILES: record(article, files) })
    }

    /// The name of the PDF and the files after a change, and the faults.
    fn edited(change: impl FnOnce(&mut Value)) -> (String, Vec<(String, String)>, Vec<String>) {
        let ((mut article, mut files), mut faults) = (article(), Vec::new());
        let before = sides(&article, &files);
        let mut after = before.clone();
        change(&mut after);
        let of_former = of_text(&article, &files);
        put(&mut article, &mut files, &of_former, (&before, &after), &mut faults);
        let files = files.into_iter().map(|file| (file.name, file.address)).collect();
        (article.meta.pdf, files, faults)
    }

    fn names(files: &[(String, String)]) -> Vec<&str> {
        files.iter().map(|(name, _)| name.as_str()).collect()
    }

    #[test]
    fn pages_offer_what_is_neither_pdf_nor_text_nor_of_use_for_a_page_alone() {
        let (article, mut files) = article();
        files.extend([file("galley/style.CSS", "/style.css"), file("readme", "/readme")]);
        files[1].offered = true;
        mark_offered(&article, &mut files);
        let offered: Vec<_> = files.iter().filter(|file| file.offered).map(|file| file.name.as_str()).collect();
        assert_eq!(offered, ["a.epub", "data.csv", "readme"]);
    }

    #[test]
    fn what_the_text_shows_is_not_among_the_other_files() {
        let (article, files) = article();
        let others = json!([{ "name": "a.epub", "file": "/a.epub" }, { "name": "data.csv", "file": "/data.csv" }]);
        assert_eq!(sides(&article, &files), json!({ "pdf": "/a.pdf", "files": others }));
        assert_eq!(picture(&article.body.body, &files), Some(&files[1]));
        assert_eq!(picture(&article.body.body, &files[2..]), None);
    }

    #[test]
    fn the_pdf_is_replaced_removed_and_taken_from_the_other_files() {
        let (pdf, files, faults) = edited(|after| after["pdf"] = json!("/new.pdf"));
        assert_eq!((pdf.as_str(), files[0].1.as_str(), files.len()), ("a.pdf", "/new.pdf", 4), "{faults:?}");
        let (pdf, files, _) = edited(|after| after["pdf"] = json!(""));
        assert_eq!((pdf.as_str(), names(&files)), ("", vec!["f1.png", "a.epub", "data.csv"]));
        let (pdf, files, _) = edited(|after| after["pdf"] = json!("/a.epub"));
        assert_eq!((pdf.as_str(), names(&files)), ("a.epub", vec!["f1.png", "a.epub", "data.csv"]));
        let ((mut article, mut files), mut faults) = (article(), Vec::new());
        article.meta.pdf.clear();
        files.remove(0);
        let (before, after) =
            (sides(&article, &files), json!({ "pdf": "/new.pdf", "files": record(&article, &files) }));
        put(&mut article, &mut files, &HashSet::new(), (&before, &after), &mut faults);
        assert_eq!((article.meta.pdf.as_str(), pdf_of(&article, &files)), ("article.pdf", "/new.pdf"), "{faults:?}");
    }

    fn pdf_of<'a>(article: &Article, files: &'a [ArticleFile]) -> &'a str {
        pdf(&article.meta, files)
    }

    #[test]
    fn other_files_are_attached_replaced_and_removed() {
        let list = json!([{ "name": "data.csv", "file": "/data-2.csv" }, { "name": "es/a.pdf", "file": "/es.pdf" }]);
        let (pdf, files, faults) = edited(|after| after["files"] = list);
        assert_eq!(names(&files), ["a.pdf", "f1.png", "data.csv", "es/a.pdf"], "{faults:?}");
        assert_eq!((pdf.as_str(), files[2].1.as_str()), ("a.pdf", "/data-2.csv"));
        let (_, files, _) = edited(|after| after["files"] = Value::Null);
        assert_eq!(names(&files), ["a.pdf", "f1.png"]);
        for (name, address, part) in [
            ("../x.pdf", "/x.pdf", "files.0.name: \"../x.pdf\" cannot be the name"),
            ("/etc/passwd", "/x.pdf", "cannot be the name"),
            ("a\\b", "/x.pdf", "cannot be the name"),
            ("article.xml", "/x.xml", "cannot be the name"),
            ("", "/x.pdf", "cannot be the name"),
            ("f1.png", "/x.png", "files.0.name: \"f1.png\" is the name of another file"),
            ("a.pdf", "/x.pdf", "is the name of another file"),
            ("x.pdf", "", "files.0.file: an entry needs a file"),
        ] {
            let list = json!([{ "name": name, "file": address }]);
            let (.., faults) = edited(|after| after["files"] = list);
            assert!(faults.len() == 1 && faults[0].contains(part), "{part}: {faults:?}");
        }
    }

    #[test]
    fn addresses_are_found_in_fields_with_files() {
        let list = json!([{ "name": "a", "file": "/a" }, { "file": "" }, { "file": "/b" }]);
        assert_eq!(addresses("files", &list), ["/a", "/b"]);
        assert_eq!(addresses("pdf", &json!("/c")), ["/c"]);
        assert_eq!(addresses("files.0.file", &json!("/d")), ["/d"]);
        for (path, value) in [("titles.en", json!("/e")), ("ids.file", json!("e-1")), ("ids", json!({ "file": "e-1" }))]
        {
            assert_eq!(addresses(path, &value), [""; 0], "{path}");
        }
    }
}

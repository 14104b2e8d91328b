//! Exports of OJS, versions 2 and 3: the native XML of issues and articles with the files in it, the export of a whole journal
//! ([`journal`]), and usage reports ([`usage`]). The versions put the same things into different places.

use std::collections::BTreeSet;

use masthead_domain::{
    article::{Article, ArticleMeta, Contributor, KeywordGroup},
    content::{Node, RefList},
    ids::Doi,
    lang::language_tag,
    license, link,
    text::hex,
};
use sha2::{Digest, Sha256};

use super::{
    crossref::{affiliation, orcid, pages},
    issue::Period,
};
use crate::{
    FormatError, ReadJats, Records, Work,
    date::{self, DateReader},
    markup,
    xml::{Element, document},
};

mod files;
mod galley;
mod issues;
mod journal;
mod unread;
pub mod usage;

pub use files::OjsFile;
pub use journal::{OjsAnnouncement, OjsJournal, OjsPage, OjsSection, Texts};
pub use usage::UsageCount;

const FORMAT: &str = "OJS native XML";
/// Limit on the size of a file with its embedded files, in bytes.
const MAX_BYTES: usize = 256 << 20;
/// Limit on the locales of a file: each is a part of old addresses.
const MAX_LOCALES: usize = 20;

/// The content of an OJS file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The journal, as far as the file describes it: the export of issues does not even name it, that of a whole journal does.
    pub journal: OjsJournal,
    /// The locales of the file as OJS writes them in addresses (`en`, `pt_BR`).
    pub locales: BTreeSet<String>,
    /// The sections of the journal.
    pub sections: Vec<OjsSection>,
    /// The published issues, in the order of the file.
    pub issues: Vec<OjsIssue>,
    /// The published articles.
    pub articles: Records<OjsArticle>,
    /// Announcements.
    pub announcements: Vec<OjsAnnouncement>,
    /// Pages of text.
    pub pages: Vec<OjsPage>,
    /// Views and downloads of articles by day.
    pub counts: Vec<UsageCount>,
    /// What the import does not take over.
    pub left_out: Vec<LeftOut>,
}

/// Things of one kind that the import does not take over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// What they are.
    pub what: &'static str,
    /// Why they are left out.
    pub reason: &'static str,
    /// Their number.
    pub times: u32,
}

impl Imported {
    /// Counts things that are left out.
    fn leave_out(&mut self, (what, reason): (&'static str, &'static str), times: usize) {
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        match self.left_out.iter_mut().find(|known| known.what == what) {
            _ if times == 0 => {}
            Some(known) => known.times = known.times.saturating_add(times),
            None => self.left_out.push(LeftOut { what, reason, times }),
        }
    }
}

/// An issue of OJS.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OjsIssue {
    /// The issue; `cover` is the name of its cover.
    pub period: Period,
    /// Its number in OJS, or "".
    pub id: String,
    /// Its name in addresses instead of the number, or "".
    pub url_path: String,
    /// The names of the files of the whole issue in addresses.
    pub galleys: Vec<String>,
    /// Its cover, the first where there is one for each language.
    pub cover: Option<OjsFile>,
    /// The titles of its sections as OJS lists them; empty if the file does not say it.
    pub sections: Vec<String>,
    /// The places of its articles in [`Imported::articles`] as OJS lists them; empty if the file does not say it.
    pub order: Vec<usize>,
}

/// An article of OJS.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OjsArticle {
    /// The article: from its JATS galley completed by OJS's metadata, or from the metadata alone.
    pub article: Article,
    /// Its number in OJS, or "".
    pub id: String,
    /// Its name in addresses instead of the number, or "".
    pub url_path: String,
    /// Its public id, which addresses may have too, or "".
    pub public_id: String,
    /// The numbers of its versions in OJS.
    pub versions: Vec<String>,
    /// Index of its issue in [`Imported::issues`].
    pub issue: Option<usize>,
    /// Title of its section, or "".
    pub section: String,
    /// Its place in its section, if the file says it.
    pub position: Option<u32>,
    /// Index of its JATS galley in `files`.
    pub source: Option<usize>,
    /// Galleys, files that these need, covers and supplementary files.
    pub files: Vec<OjsFile>,
    /// Warnings about it.
    pub warnings: Vec<String>,
}

const UNPUBLISHED: (&str, &str) = ("articles that are not published", "readers of OJS did not see them");
const VERSIONS: (&str, &str) = ("versions of articles that are not the current one", "an article has one version here");

/// What reads the galleys of articles.
#[derive(Clone, Copy)]
struct Galleys<'a> {
    jats: ReadJats,
    linked: &'a dyn Fn(&str) -> Option<Vec<u8>>,
}

/// Reads a file with the root element `journal`, `issues`, `issue`, `articles` or `article`. `linked` gives the bytes of an XML
/// galley that the file does not embed but names by a path beside it.
///
/// # Errors
/// [`FormatError`] if the bytes are not such XML.
pub fn import(bytes: &[u8], jats: ReadJats, linked: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Imported, FormatError> {
    let galleys = Galleys { jats, linked };
    let root = document(FORMAT, bytes, MAX_BYTES)?;
    let mut made = Imported::default();
    add_locales(&root, &mut made.locales);
    match root.name.as_str() {
        "journal" => journal::read(&root, galleys, &mut made),
        "issues" | "extended_issues" => issues::list(&root, galleys, &mut made),
        "issue" | "extended_issue" => issues::read(&root, galleys, &mut made),
        "articles" | "extended_articles" => articles(&root, galleys, &mut made),
        "article" | "extended_article" => article(&root, "", None, galleys, &mut made),
        other => {
            let reason = format!(
                "the root element is <{other}>, not journal, issues, issue, articles or article: export native XML"
            );
            return Err(FormatError::new(FORMAT, reason));
        }
    }
    issues::number(&mut made);
    Ok(made)
}

/// The child elements with one of two names: exports of a whole journal call some elements `extended_...`.
fn either<'a>(element: &'a Element, name: &'a str, extended: &'a str) -> impl Iterator<Item = &'a Element> {
    element.elements().filter(move |child| child.name == name || child.name == extended)
}

/// Articles that stand outside of an issue.
fn articles(list: &Element, galleys: Galleys<'_>, made: &mut Imported) {
    for one in either(list, "article", "extended_article") {
        let section = section_title(one, made);
        article(one, &section, None, galleys, made);
    }
}

fn add_locales(element: &Element, locales: &mut BTreeSet<String>) {
    let locale = element.attribute("locale");
    let plain =
        (2..=14).contains(&locale.len()) && locale.bytes().all(|c| c.is_ascii_alphanumeric() || b"_@".contains(&c));
    if plain && locales.len() < MAX_LOCALES {
        locales.insert(locale.to_owned());
    }
    element.elements().for_each(|child| add_locales(child, locales));
}

/// The number of a thing in OJS, or "".
fn internal_id(element: &Element) -> String {
    element.all("id").find(|id| id.attribute("type") == "internal").map(Element::text).unwrap_or_default()
}

/// The title of the section that an article refers to, or "".
fn section_title(article: &Element, made: &Imported) -> String {
    let publication = publication(article).unwrap_or(article);
    let references = [publication.attribute("section_ref"), article.attribute("section_ref")];
    let reference = references.into_iter().find(|reference| !reference.is_empty());
    let section = made.sections.iter().find(|section| Some(section.key.as_str()) == reference);
    section.and_then(|section| section.titles.first()).map(|(_, title)| title.clone()).unwrap_or_default()
}

/// The BCP 47 tag of an element's locale: `en_US` becomes `en`; for Chinese the country determines the script.
fn locale(element: &Element) -> String {
    let tag = language_tag(element.attribute("locale"));
    if tag.starts_with("zh") { tag } else { tag.split('-').next().unwrap_or_default().to_owned() }
}

/// Texts of the child elements with this name, by language; those in the article's own language first.
fn texts(element: &Element, name: &str, own: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> =
        element.all(name).map(|one| (locale(one), one.text())).filter(|(_, text)| !text.is_empty()).collect();
    found.sort_by_key(|(lang, _)| lang != own);
    found
}

fn text_in(element: &Element, name: &str, own: &str) -> String {
    texts(element, name, own).into_iter().next().map(|(_, text)| text).unwrap_or_default()
}

/// The metadata of an article: since OJS 3.2 those of its current version, else of its last published one; before, the article
/// itself. `None` if it has versions and none is published.
fn publication(article: &Element) -> Option<&Element> {
    let current = article.attribute("current_publication_id");
    let published = || article.all("publication").filter(|one| is_published(one));
    let found = published().find(|one| internal_id(one) == current).or_else(|| published().last());
    found.or_else(|| article.child("publication").is_none().then_some(article))
}

/// Whether the state of an article or version is the one that OJS calls published, or is not given.
fn is_published(element: &Element) -> bool {
    matches!(element.attribute("status"), "" | "3")
}

fn article(element: &Element, section: &str, issue_at: Option<usize>, galleys: Galleys<'_>, made: &mut Imported) {
    let jats = galleys.jats;
    let Some(current) = publication(element).filter(|_| is_published(element)) else {
        return made.leave_out(UNPUBLISHED, 1);
    };
    let versions: Vec<String> = element.all("publication").map(internal_id).collect();
    made.leave_out(VERSIONS, versions.len().saturating_sub(1));
    let language = [locale(current), locale(element), language_tag(element.attribute("language"))];
    let language = language.into_iter().find(|tag| !tag.is_empty()).unwrap_or_else(|| "en".to_owned());
    let mut meta = ArticleMeta { language, article_type: "research-article".to_owned(), ..ArticleMeta::default() };
    described(current, jats, &mut meta);
    let mut read = DateReader::new(FormatError::new(FORMAT, "").line(element.line));
    identified(element, current, &mut meta, &mut read);
    for author in current.child("authors").unwrap_or(current).all("author") {
        contributor(author, jats, &mut meta);
    }
    let issue_at = issue_at.or_else(|| issues::of_single(element, current, made));
    if let Some(issue) = issue_at.and_then(|at| made.issues.get(at)) {
        meta.volume.clone_from(&issue.period.volume);
        meta.issue.clone_from(&issue.period.issue);
        meta.year = issue.period.year.or_else(|| date::year(&meta.dates.online));
    }
    if !section.is_empty() {
        meta.subjects.insert(0, section.to_owned());
    }
    let files = files::of_article(element, current, made);
    let number = made.articles.records.len() + made.articles.faults.len() + 1;
    if meta.titles.is_empty() && files.is_empty() {
        let fault = FormatError::new(FORMAT, "the article has neither a title nor a file; it was left out");
        made.articles.fault(fault.record(number).line(element.line));
        return;
    }
    unread::count(current, made);
    let mut article = Article { meta, ..Article::default() };
    for one in current.all("abstract") {
        article.body.abstracts.extend(markup::abstracts(jats, &locale(one), &one.raw_text()));
    }
    references(current, jats, &mut article);
    let public = article.meta.ids.iter().find(|(kind, _)| kind == "publisher-id").map(|(_, id)| id.clone());
    let mut record = OjsArticle {
        article,
        id: internal_id(element),
        url_path: current.attribute("url_path").to_owned(),
        public_id: public.unwrap_or_default(),
        versions: versions.into_iter().filter(|id| !id.is_empty()).collect(),
        issue: issue_at,
        section: section.to_owned(),
        position: [current, element].iter().find_map(|one| one.attribute("seq").parse().ok()),
        source: None,
        files,
        warnings: read.warnings(),
    };
    galley::take_source(&mut record, galleys, made);
    made.articles.records.push(record);
}

fn described(current: &Element, jats: ReadJats, meta: &mut ArticleMeta) {
    let own = meta.language.clone();
    let line = |(lang, text): (String, String)| markup::text(jats, &lang, &text);
    meta.titles = texts(current, "title", &own).into_iter().map(line).collect();
    for prefix in texts(current, "prefix", &own) {
        if let Some(title) = meta.titles.iter_mut().find(|title| title.lang == prefix.0) {
            *title = markup::text(jats, &prefix.0, &format!("{} {}", prefix.1, title.plain));
        }
    }
    meta.subtitles = texts(current, "subtitle", &own).into_iter().map(line).collect();
    for group in current.all("keywords") {
        keywords(&locale(group), group.all("keyword").map(Element::text).collect(), meta);
    }
    // OJS 2 has keywords as subjects, separated by semicolons.
    for subject in current.child("indexing").into_iter().flat_map(|one| one.all("subject")) {
        let words = subject.text().split(';').map(|word| word.trim().to_owned()).collect();
        keywords(&locale(subject), words, meta);
    }
    for group in current.all("subjects") {
        meta.subjects.extend(group.all("subject").map(Element::text).filter(|one| !one.is_empty()));
    }
    pages(&current.child_text("pages"), "", meta);
    rights(current, &own, meta);
}

/// The licence and the holder of the copyright, which OJS 2 has in an element of their own. Only the licence makes an article open access:
/// `access_status` of OJS 3 and `open_access` of OJS 2 say who may read it.
fn rights(current: &Element, own: &str, meta: &mut ArticleMeta) {
    let places: Vec<&Element> = std::iter::once(current).chain(current.child("permissions")).collect();
    let mut addresses =
        places.iter().flat_map(|place| ["licenseUrl", "license_url"].map(|name| place.child_text(name)));
    meta.license_url = addresses.find(|address| link::is_web(address)).unwrap_or_default();
    meta.open_access = license::states_open(&meta.license_url, &meta.license);
    let first = |names: [&str; 2]| {
        let mut texts = places.iter().flat_map(|place| names.map(|name| text_in(place, name, own)));
        texts.find(|text| !text.is_empty()).unwrap_or_default()
    };
    let holder = first(["copyrightHolder", "copyright_holder"]);
    let year = first(["copyrightYear", "copyright_year"]);
    if !holder.is_empty() {
        meta.copyright =
            ["©", &year, &holder].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    }
}

fn keywords(lang: &str, words: Vec<String>, meta: &mut ArticleMeta) {
    let plain: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    if !plain.is_empty() {
        let items = plain.iter().map(|word| vec![Node::text(word)]).collect();
        meta.keywords.push(KeywordGroup { lang: lang.to_owned(), items, plain, ..KeywordGroup::default() });
    }
}

fn identified(element: &Element, current: &Element, meta: &mut ArticleMeta, read: &mut DateReader) {
    let same = std::ptr::eq(element, current);
    for id in current.all("id").chain(element.all("id").filter(|_| !same)) {
        let (kind, value) = (id.attribute("type"), id.text());
        if kind == "doi" && meta.doi.is_none() {
            meta.doi = Doi::parse(&value).ok();
        } else if !value.is_empty() && kind != "doi" && kind != "internal" {
            meta.ids.push((if kind == "public" { "publisher-id" } else { kind }.to_owned(), value));
        }
    }
    let public = element.attribute("public_id");
    if !public.is_empty() {
        meta.ids.push(("publisher-id".to_owned(), public.to_owned()));
    }
    let mut dated = |name: &str, texts: &[&str]| {
        texts.iter().map(|text| read.iso(name, text)).find(|day| !day.is_empty()).unwrap_or_default()
    };
    let submitted = "date_submitted";
    meta.dates.received = dated(submitted, &[current.attribute(submitted), element.attribute(submitted)]);
    let published = "date_published";
    let printed = current.child_text(published);
    meta.dates.online = dated(published, &[current.attribute(published), element.attribute(published), &printed]);
    meta.year = date::year(&meta.dates.online);
    let id = meta.ids.iter().find(|(kind, _)| kind == "publisher-id");
    meta.source_key = match (&meta.doi, id) {
        (Some(doi), _) => format!("doi:{}", doi.key()),
        (None, Some((_, id))) => format!("publisher-id:{id}"),
        _ => {
            let text = format!(
                "{:?}{:?}{}",
                meta.titles.first().map(|title| &title.plain),
                meta.dates.online,
                current.child_text("pages")
            );
            format!("sha256:{}", hex(&Sha256::digest(text.as_bytes())))
        }
    };
}

fn contributor(author: &Element, jats: ReadJats, meta: &mut ArticleMeta) {
    let own = meta.language.clone();
    let first_of = |names: &[&str]| {
        names.iter().map(|name| text_in(author, name, &own)).filter(|text| !text.is_empty()).collect::<Vec<_>>()
    };
    let given = first_of(&["givenname"]);
    let given = if given.is_empty() { first_of(&["firstname", "middlename"]) } else { given };
    let family = first_of(&["familyname", "lastname"]);
    let group = author.attribute("user_group_ref").to_lowercase();
    let mut made = Contributor {
        role: if group.contains("translator") {
            "translator"
        } else if group.contains("editor") {
            "editor"
        } else {
            "author"
        }
        .to_owned(),
        surname: family.into_iter().next().unwrap_or_default(),
        given_names: given.join(" "),
        email: author.child_text("email"),
        orcid: orcid(&author.child_text("orcid")),
        corresponding: author.attribute("primary_contact") == "true",
        ..Contributor::default()
    };
    if made.surname.is_empty() {
        made.collab = std::mem::take(&mut made.given_names);
    }
    // Names in other languages.
    for (lang, given) in texts(author, "givenname", &own).into_iter().skip(1) {
        let family = author.all("familyname").find(|one| locale(one) == lang).map(Element::text).unwrap_or_default();
        let other = Contributor { surname: family, given_names: given, ..Contributor::default() };
        made.alternatives.push((lang, other.display_name().trim().to_owned()));
    }
    made.affiliations =
        texts(author, "affiliation", &own).into_iter().take(1).map(|(_, text)| affiliation(&text, "", meta)).collect();
    made.bio = markup::abstracts(jats, "", &author.child("biography").map(Element::raw_text).unwrap_or_default())
        .into_iter()
        .next()
        .map(|bio| bio.nodes)
        .unwrap_or_default();
    if made.surname.is_empty() && made.collab.is_empty() {
        return;
    }
    meta.contributors.push(made);
}

fn references(current: &Element, jats: ReadJats, article: &mut Article) {
    let citations = current.child("citations").into_iter().flat_map(|list| list.all("citation"));
    let refs: Vec<_> = citations
        .map(Element::text)
        .filter(|text| !text.is_empty())
        .enumerate()
        .map(|(at, text)| Work { unstructured: text, ..Work::default() }.to_reference(jats, format!("ref-{}", at + 1)))
        .collect();
    article.meta.reference_count = u32::try_from(refs.len()).unwrap_or(u32::MAX);
    if !refs.is_empty() {
        article.body.reference_lists.push(RefList { refs, ..RefList::default() });
    }
}

#[cfg(test)]
mod tests;

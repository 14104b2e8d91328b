//! The native XML of OJS, versions 2 and 3: issues, articles and the files embedded in it.
//!
//! Long because both versions put the same things into different places, and each place is a few lines.

use base64::{
    Engine,
    alphabet::STANDARD,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig},
};
use masthead_domain::{
    article::{Article, ArticleMeta, Contributor, JournalRef, KeywordGroup, LangText},
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
    FormatError, JatsFault, ReadJats, Records, Work, date, markup,
    xml::{Element, document},
};

const FORMAT: &str = "OJS native XML";
/// Limit on the size of a file with its embedded files, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The content of an OJS file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Imported {
    /// The articles.
    pub articles: Records<OjsArticle>,
    /// The issues, in the order of the file; the file does not name the journal.
    pub periods: Vec<Period>,
    /// Covers of the issues and files of whole issues.
    pub files: Vec<OjsFile>,
}

/// An article of OJS.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OjsArticle {
    /// The article: from its JATS galley completed by OJS's metadata, or from the metadata alone.
    pub article: Article,
    /// Index of its issue in [`Imported::periods`].
    pub period: Option<usize>,
    /// Title of its section, or "".
    pub section: String,
    /// Index of its JATS galley in `files`.
    pub source: Option<usize>,
    /// Galleys, covers and supplementary files.
    pub files: Vec<OjsFile>,
}

/// A file that is embedded or referred to by address.
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
    /// Content; empty if the file is only referred to.
    pub bytes: Vec<u8>,
    /// Address of a file that is only referred to, or "".
    pub href: String,
    /// `galley`, `cover` or `supplementary`.
    pub role: &'static str,
}

/// Reads a file with the root element `issues`, `issue`, `articles` or `article`.
///
/// # Errors
/// [`FormatError`] if the bytes are not such XML.
pub fn import(bytes: &[u8], jats: ReadJats) -> Result<Imported, FormatError> {
    let root = document(FORMAT, bytes, MAX_BYTES)?;
    let mut made = Imported::default();
    match root.name.as_str() {
        "issues" => root.all("issue").for_each(|one| issue(one, jats, &mut made)),
        "issue" => issue(&root, jats, &mut made),
        "articles" => root.all("article").for_each(|one| article(one, "", None, jats, &mut made)),
        "article" => article(&root, "", None, jats, &mut made),
        other => {
            let reason =
                format!("the root element is <{other}>, not issues, issue, articles or article: export native XML");
            return Err(FormatError::new(FORMAT, reason));
        }
    }
    Ok(made)
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

fn issue(element: &Element, jats: ReadJats, made: &mut Imported) {
    let period = period(element, element.child("issue_identification").unwrap_or(element));
    let at = made.periods.len();
    made.periods.push(period);
    let covers: Vec<OjsFile> = covers(element);
    if let (Some(period), Some(cover)) = (made.periods.get_mut(at), covers.first()) {
        period.cover.clone_from(if cover.href.is_empty() { &cover.name } else { &cover.href });
    }
    made.files.extend(covers);
    // OJS 3 lists sections beside the articles, OJS 2 nests articles in them.
    let sections: Vec<(String, String)> = element
        .child("sections")
        .into_iter()
        .flat_map(|sections| sections.all("section"))
        .map(|section| (section.attribute("ref").to_owned(), section.child_text("title")))
        .collect();
    for one in element.child("articles").into_iter().flat_map(|articles| articles.all("article")) {
        let current = publication(one);
        let reference =
            [current.attribute("section_ref"), one.attribute("section_ref")].into_iter().find(|r| !r.is_empty());
        let section = sections.iter().find(|(key, _)| Some(key.as_str()) == reference).map_or("", |(_, title)| title);
        article(one, section, Some(at), jats, made);
    }
    for section in element.all("section") {
        let title = section.child_text("title");
        section.all("article").for_each(|one| article(one, &title, Some(at), jats, made));
    }
}

fn period(issue: &Element, identification: &Element) -> Period {
    let printed = issue.child_text("date_published");
    let day = date::iso(&printed);
    let year = identification.child_text("year");
    let mut ids: Vec<(String, String)> = issue
        .all("id")
        .filter(|id| id.attribute("advice") != "ignore")
        .map(|id| (id.attribute("type").to_owned(), id.text()))
        .filter(|(_, id)| !id.is_empty())
        .collect();
    if !issue.attribute("public_id").is_empty() {
        ids.push(("publisher-id".to_owned(), issue.attribute("public_id").to_owned()));
    }
    Period {
        year: year.parse().ok().or_else(|| date::year(&day)),
        volume: identification.child_text("volume"),
        issue: identification.child_text("number"),
        titles: texts(identification, "title", ""),
        descriptions: issue
            .all("description")
            .map(|one| (locale(one), one.prose()))
            .filter(|(_, text)| !text.is_empty())
            .collect(),
        date: if day.is_empty() { date::of(&year, "", "") } else { day },
        ids,
        ..Period::default()
    }
}

/// The metadata of an article: since OJS 3.2 those of its current version, else of its last; before, the article itself.
fn publication(article: &Element) -> &Element {
    let current = article.attribute("current_publication_id");
    let is_current =
        |one: &&Element| one.all("id").any(|id| id.attribute("type") == "internal" && id.text() == current);
    let versions = || article.all("publication");
    versions().find(is_current).or_else(|| versions().last()).unwrap_or(article)
}

fn article(element: &Element, section: &str, period_at: Option<usize>, jats: ReadJats, made: &mut Imported) {
    let current = publication(element);
    let language = [locale(current), locale(element), language_tag(element.attribute("language"))];
    let language = language.into_iter().find(|tag| !tag.is_empty()).unwrap_or_else(|| "en".to_owned());
    let mut meta = ArticleMeta { language, article_type: "research-article".to_owned(), ..ArticleMeta::default() };
    described(current, jats, &mut meta);
    identified(element, current, &mut meta);
    for author in current.child("authors").unwrap_or(current).all("author") {
        contributor(author, jats, &mut meta);
    }
    // A single article has the metadata of its issue.
    let period_at = period_at.or_else(|| {
        let identification = element.child("issue_identification").or_else(|| current.child("issue_identification"))?;
        let period = period(element, identification);
        (period != Period::default()).then(|| {
            let known = made.periods.iter().position(|known| known.same(&period) && known.titles == period.titles);
            known.unwrap_or_else(|| {
                made.periods.push(Period { date: String::new(), ids: Vec::new(), descriptions: Vec::new(), ..period });
                made.periods.len() - 1
            })
        })
    });
    if let Some(period) = period_at.and_then(|at| made.periods.get(at)) {
        meta.volume.clone_from(&period.volume);
        meta.issue.clone_from(&period.issue);
        meta.year = period.year.or_else(|| date::year(&meta.dates.online));
    }
    if !section.is_empty() {
        meta.subjects.insert(0, section.to_owned());
    }
    let files = files(element, current, made);
    let number = made.articles.records.len() + made.articles.faults.len() + 1;
    if meta.titles.is_empty() && files.is_empty() {
        let fault = FormatError::new(FORMAT, "the article has neither a title nor a file; it was left out");
        made.articles.fault(fault.record(number).line(element.line));
        return;
    }
    let mut article = Article { meta, ..Article::default() };
    for one in current.all("abstract") {
        article.body.abstracts.extend(markup::abstracts(jats, &locale(one), &one.raw_text()));
    }
    references(current, jats, &mut article);
    let mut record = OjsArticle { article, period: period_at, section: section.to_owned(), source: None, files };
    take_source(&mut record, jats, made);
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
    meta.license_url = ["licenseUrl", "license_url"]
        .into_iter()
        .map(|name| current.child_text(name))
        .find(|address| link::is_web(address))
        .unwrap_or_default();
    let holder = text_in(current, "copyrightHolder", &own);
    let year = current.child_text("copyrightYear");
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

fn identified(element: &Element, current: &Element, meta: &mut ArticleMeta) {
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
    let attribute = |name: &str| {
        [current.attribute(name), element.attribute(name)].into_iter().map(date::iso).find(|day| !day.is_empty())
    };
    meta.dates.received = attribute("date_submitted").unwrap_or_default();
    meta.dates.online = attribute("date_published").unwrap_or_else(|| date::iso(&current.child_text("date_published")));
    meta.year = date::year(&meta.dates.online);
    // The journal states open access explicitly: 1 means open access, 0 the issue's setting; OJS 2 has an empty element.
    meta.open_access = license::is_open(&meta.license_url)
        || [current.attribute("access_status"), element.attribute("access_status")].contains(&"1")
        || current.child("open_access").is_some();
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

/// The files of an article, galleys first. A file that cannot be decoded is reported as a fault; the article is kept.
fn files(element: &Element, current: &Element, made: &mut Imported) -> Vec<OjsFile> {
    let mut found = Vec::new();
    let mut faults = Vec::new();
    let mut take = |file: Result<OjsFile, FormatError>| match file {
        Ok(file) if !file.bytes.is_empty() || !file.href.is_empty() => found.push(file),
        Ok(_) => {}
        Err(fault) => faults.push(fault),
    };
    // In OJS 3, galleys refer to files.
    let galley_of = |id: &str| {
        let points =
            |galley: &&Element| galley.child("submission_file_ref").is_some_and(|one| one.attribute("id") == id);
        current.all("article_galley").chain(element.all("article_galley")).find(points)
    };
    for file in element.all("submission_file") {
        let galley = galley_of(file.attribute("id"));
        let revision = file.all("revision").last().or_else(|| file.child("file")).unwrap_or(file);
        let role = if galley.is_some() { "galley" } else { "supplementary" };
        let label = galley.map(|galley| galley.child_text("name")).unwrap_or_default();
        let name = [revision.attribute("filename").to_owned(), file.child_text("name"), revision.child_text("name")];
        let name = name.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let language = galley.map(locale).unwrap_or_default();
        take(embedded(
            revision,
            OjsFile {
                name,
                label,
                language,
                role,
                mime: revision.attribute("filetype").to_owned(),
                ..OjsFile::default()
            },
        ));
    }
    for galley in
        current.all("article_galley").chain(element.all("article_galley").filter(|_| !std::ptr::eq(element, current)))
    {
        if let Some(remote) = galley.child("remote") {
            let file = OjsFile { label: galley.child_text("name"), role: "galley", ..OjsFile::default() };
            take(embedded(remote, file));
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
            let role = if part.name == "file" { role } else { "supplementary" };
            let label = if part.name == "file" { galley.child_text("label") } else { String::new() };
            take(embedded(part, OjsFile { label, language: locale(galley), role, ..OjsFile::default() }));
        }
    }
    found.extend(covers(current));
    for fault in faults {
        made.articles.fault(fault);
    }
    found
}

fn covers(element: &Element) -> Vec<OjsFile> {
    let lists = element.all("covers").flat_map(|covers| covers.all("cover"));
    lists
        .chain(element.all("cover"))
        .filter_map(|cover| {
            let name = cover.child_text("cover_image");
            let holder = cover.child("image").unwrap_or(cover);
            embedded(holder, OjsFile { name, language: locale(cover), role: "cover", ..OjsFile::default() }).ok()
        })
        .filter(|file| !file.bytes.is_empty() || !file.href.is_empty())
        .collect()
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
        file.bytes = decode(&embed.raw_text()).ok_or_else(|| {
            let reason = "the embedded file is not valid base64; it was left out: export it again";
            FormatError::new(FORMAT, reason).line(embed.line).field(file.name.clone())
        })?;
    } else if let Some(reference) = reference {
        reference.attribute("src").clone_into(&mut file.href);
        if file.mime.is_empty() {
            reference.attribute("mime_type").clone_into(&mut file.mime);
        }
        if file.name.is_empty() {
            file.name.clone_from(&file.href);
        }
    }
    // A path is reduced to the file name.
    file.name = file
        .name
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or_default()
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect();
    if matches!(file.name.as_str(), "." | "..") {
        file.name.clear();
    }
    if file.mime.is_empty() {
        file.mime = by_ending(&file.name).to_owned();
    }
    Ok(file)
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

fn decode(text: &str) -> Option<Vec<u8>> {
    let packed: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&STANDARD, config).decode(packed).ok()
}

/// Reads the article from its JATS galley, if there is one; OJS's metadata complete it.
fn take_source(record: &mut OjsArticle, jats: ReadJats, made: &mut Imported) {
    for (at, file) in record.files.iter().enumerate() {
        let xml = file.mime.contains("xml") && !file.mime.contains("html")
            || file.name.to_ascii_lowercase().ends_with(".xml");
        if !xml || file.bytes.is_empty() || file.role == "cover" {
            continue;
        }
        match jats(&file.bytes) {
            Ok(read) => {
                let known = std::mem::replace(&mut record.article, read);
                fill(&mut record.article, known);
                record.source = Some(at);
                return;
            }
            Err(JatsFault::NotArticle) => {}
            Err(JatsFault::Unreadable(error)) => {
                let reason = format!("the XML galley was not used as the article's source: {error}");
                made.articles.fault(FormatError::new(FORMAT, reason).field(file.name.clone()));
            }
        }
    }
}

fn fill(article: &mut Article, known: Article) {
    let (meta, other) = (&mut article.meta, known.meta);
    let journal = JournalRef::default();
    if meta.journal == journal {
        meta.journal = other.journal;
    }
    if meta.doi.is_none() {
        meta.doi = other.doi;
        meta.source_key = other.source_key;
    }
    for (own, given) in [
        (&mut meta.volume, other.volume),
        (&mut meta.issue, other.issue),
        (&mut meta.dates.received, other.dates.received),
        (&mut meta.license_url, other.license_url),
        (&mut meta.copyright, other.copyright),
    ] {
        if own.is_empty() {
            *own = given;
        }
    }
    if meta.dates.published().is_empty() {
        meta.dates.online = other.dates.online;
    }
    if meta.first_page.is_empty() && meta.elocation_id.is_empty() {
        (meta.first_page, meta.last_page, meta.elocation_id) = (other.first_page, other.last_page, other.elocation_id);
    }
    meta.year = meta.year.or(other.year);
    let missing = |own: &[LangText], one: &LangText| own.iter().all(|title| title.lang != one.lang);
    let titles: Vec<LangText> = other.titles.into_iter().filter(|one| missing(&meta.titles, one)).collect();
    if meta.titles.is_empty() {
        meta.titles = titles;
    }
    if meta.contributors.is_empty() {
        (meta.contributors, meta.affiliations) = (other.contributors, other.affiliations);
    }
    if meta.keywords.is_empty() {
        meta.keywords = other.keywords;
    }
    if article.body.abstracts.is_empty() {
        article.body.abstracts = known.body.abstracts;
    }
    if article.body.reference_lists.is_empty() {
        article.body.reference_lists = known.body.reference_lists;
        meta.reference_count = other.reference_count;
    }
}

#[cfg(test)]
mod tests;

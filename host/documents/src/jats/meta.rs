//! Import of bibliographic metadata: `front`, `article-meta`, `journal-meta`.

use masthead_domain::{
    article::{ArticleMeta, Funding, JournalRef, KeywordGroup, LangText, RelatedArticle},
    content::Node,
    ids::Doi,
    license as licenses, link,
    notice::NoticeKind,
    text::letters,
};

use super::{
    Importer,
    back::lang_text,
    classify::by_type,
    dates,
    people::tidy,
    refs::pub_id_url,
    subjects::subjects,
    xml::{X, attr, child, child_text, children, elements, href, lang, name, own_lang, path, text, typed},
};
use masthead_domain::content::text::plain;

/// Types of cross-references that are marks of notes.
pub(super) const NOTE_REFERENCES: &[&str] = &["fn", "author-notes", "corresp"];

impl Importer {
    pub(super) fn meta(&mut self, x: X) -> ArticleMeta {
        let mut meta = ArticleMeta {
            article_type: attr(x, "article-type").to_owned(),
            language: own_lang(x),
            ..ArticleMeta::default()
        };
        if meta.language.is_empty() {
            "en".clone_into(&mut meta.language);
        }
        if self.lang.is_empty() {
            self.lang.clone_from(&meta.language);
        }
        if let Some(journal) = path(x, &["front", "journal-meta"]) {
            meta.journal = journal_ref(journal);
        }
        let Some(front) = path(x, &["front", "article-meta"]) else {
            self.report.warn("the article has no article-meta: its title and identifiers are not known");
            return meta;
        };
        self.identifiers(front, &mut meta);
        (meta.titles, meta.subtitles) = self.titles(front);
        if meta.titles.is_empty() {
            self.report.warn("the article has no title");
        }
        (meta.subjects, meta.subject_names) = subjects(front, &meta.language);
        meta.affiliations = self.affiliations(front);
        meta.contributors = self.contributors(front);
        tidy(&mut meta.contributors);
        meta.author_notes = self.author_notes(front);
        meta.keywords = self.keyword_groups(front);
        self.issue(front, &mut meta);
        meta.dates = dates::dates(front);
        meta.year = dates::year(front, &meta.dates);
        meta.funding = funding(front);
        self.permissions(front, &mut meta);
        meta.related = self.related(front);
        meta.pdf = pdf(front);
        meta
    }

    fn identifiers(&mut self, front: X, meta: &mut ArticleMeta) {
        for part in children(front, "article-id") {
            let (kind, value) = (typed(part, "pub-id-type"), text(part));
            if kind == "doi" && meta.doi.is_none() {
                match Doi::parse(&value) {
                    Ok(doi) => meta.doi = Some(doi),
                    Err(error) => self.report.warn(format!("the article's DOI was left out: {error}")),
                }
            } else if !value.is_empty() && kind != "doi" {
                meta.ids.push((kind.to_owned(), value));
            }
        }
        let of = |kinds: &[&str]| {
            meta.ids.iter().find(|(kind, _)| kinds.contains(&kind.as_str())).map(|(_, value)| value.clone())
        };
        meta.source_key = if let Some(doi) = &meta.doi {
            format!("doi:{}", doi.key())
        } else if let Some(value) = of(&["pmcid", "pmc", "pmc-uid", "pmcaid"]) {
            format!("pmcid:{}", value.trim_start_matches("PMC"))
        } else if let Some(value) = of(&["pmid"]) {
            format!("pmid:{value}")
        } else if let Some(value) = of(&["publisher-id", "manuscript"]) {
            format!("publisher-id:{value}")
        } else {
            // The number that an article had in OJS, which its import gives to articles without other identifiers.
            of(&["ojs"]).map(|value| format!("ojs:{value}")).unwrap_or_default()
        };
    }

    /// Titles and subtitles, the original first.
    pub(super) fn titles(&mut self, front: X) -> (Vec<LangText>, Vec<LangText>) {
        let (mut titles, mut subtitles) = (Vec::new(), Vec::new());
        let Some(group) = child(front, "title-group") else { return (titles, subtitles) };
        let add = |this: &mut Self, x: X, list: &mut Vec<LangText>| {
            let tag = Some(lang(x)).filter(|tag| !tag.is_empty()).unwrap_or_else(|| this.lang.clone());
            let mut nodes = this.line(x);
            nodes = without_notes(nodes);
            super::nodes::trim(&mut nodes);
            let made = lang_text(tag, nodes);
            if !made.plain.is_empty() {
                list.push(made);
            }
        };
        for part in elements(group) {
            match name(part) {
                "article-title" => add(self, part, &mut titles),
                "subtitle" => add(self, part, &mut subtitles),
                "trans-title" => add(self, part, &mut titles),
                "trans-subtitle" => add(self, part, &mut subtitles),
                "trans-title-group" => {
                    for inner in elements(part) {
                        match name(inner) {
                            "trans-title" => add(self, inner, &mut titles),
                            "trans-subtitle" => add(self, inner, &mut subtitles),
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        (titles, subtitles)
    }

    /// Correspondence and notes, and what stands beside the contributors of a group ("on behalf of").
    pub(super) fn author_notes(&mut self, front: X) -> Vec<LangText> {
        let mut notes = Vec::new();
        let groups = children(front, "contrib-group").flat_map(|group| group.descendants());
        for group in groups.filter(|node| name(*node) == "contrib-group") {
            let beside = |part: &X| !matches!(name(*part), "contrib" | "aff" | "aff-alternatives" | "contrib-group");
            for part in elements(group).filter(beside) {
                self.author_note(part, &mut notes);
            }
        }
        let within = |x: &X| name(*x) == "fn" && x.ancestors().any(|up| name(up) == "aff");
        for note in front.descendants().filter(within) {
            self.author_note(note, &mut notes);
        }
        for part in children(front, "author-notes").flat_map(elements) {
            // Typed statements are imported into the parts of the body.
            if name(part) != "fn" || by_type(attr(part, "fn-type")).is_none() {
                self.author_note(part, &mut notes);
            }
        }
        notes
    }

    fn author_note(&mut self, x: X, notes: &mut Vec<LangText>) {
        let nodes = if name(x) == "fn" { self.blocks(x, &[]) } else { self.line(x) };
        let made = lang_text(lang(x), nodes);
        if !made.plain.is_empty() {
            notes.push(made);
        }
    }

    pub(super) fn keyword_groups(&mut self, front: X) -> Vec<KeywordGroup> {
        let mut groups = Vec::new();
        for group in children(front, "kwd-group") {
            let mut made = KeywordGroup {
                lang: lang(group),
                kind: attr(group, "kwd-group-type").to_owned(),
                title: [child_text(group, "label"), child_text(group, "title")].join(" ").trim().to_owned(),
                ..KeywordGroup::default()
            };
            if made.lang.is_empty() {
                made.lang.clone_from(&self.lang);
            }
            for part in group.descendants().filter(|part| matches!(name(*part), "kwd" | "compound-kwd")) {
                let nodes = if name(part) == "kwd" {
                    self.line(part)
                } else {
                    vec![Node::text(elements(part).map(text).collect::<Vec<_>>().join(" — "))]
                };
                let word = plain(&nodes);
                if !word.is_empty() {
                    made.plain.push(word);
                    made.items.push(nodes);
                }
            }
            if !made.items.is_empty() {
                groups.push(made);
            }
        }
        groups
    }

    /// Related articles and objects, and works that the article reviews, as printed.
    pub(super) fn related(&mut self, front: X) -> Vec<RelatedArticle> {
        let mut all = Vec::new();
        for part in elements(front) {
            let (kind, text) = match name(part) {
                "related-article" => (attr(part, "related-article-type"), text(part)),
                "related-object" => (object_kind(part), text(part)),
                "product" => ("product", self.citation(part).plain),
                _ => continue,
            };
            let made = RelatedArticle { kind: kind.to_owned(), href: related_address(part), text };
            if !made.href.is_empty() || !made.text.is_empty() {
                all.push(made);
            }
        }
        all
    }

    fn issue(&mut self, front: X, meta: &mut ArticleMeta) {
        meta.volume = child_text(front, "volume");
        meta.issue = child_text(front, "issue");
        meta.part = child_text(front, "issue-part");
        meta.first_page = child_text(front, "fpage");
        meta.last_page = child_text(front, "lpage");
        meta.elocation_id = child_text(front, "elocation-id");
    }

    fn permissions(&mut self, front: X, meta: &mut ArticleMeta) {
        let Some(permissions) = child(front, "permissions") else { return };
        meta.copyright = copyright(permissions);
        let all: Vec<X> = children(permissions, "license").collect();
        meta.open_access = is_open(permissions, &all);
        if let Some(license) = &license(&all, &self.lang) {
            meta.license = self.blocks(*license, &["license_ref"]);
            let reference = license
                .descendants()
                .chain(permissions.descendants())
                .find(|node| name(*node) == "license_ref")
                .map(text);
            let link = license
                .descendants()
                .filter(|node| matches!(name(*node), "ext-link" | "uri"))
                .map(href)
                .find(|link| licenses::is_open(link));
            let kind = attr(*license, "license-type");
            meta.license_url =
                [href(*license), reference.unwrap_or_default(), link.unwrap_or_default(), kind.to_owned()]
                    .into_iter()
                    .find(|address| link::is_web(address))
                    .unwrap_or_default();
            self.report_refused(&href(*license));
        }
    }
}

/// Whether a licence of the article is an open one, by its kind, an address or its text. A copyright statement and `free_to_read` are no
/// licences: the second says who may read the article, and not what may be done with it.
fn is_open(permissions: X, all: &[X]) -> bool {
    let addresses = permissions.descendants().filter(|node| name(*node) == "license_ref").map(text);
    let links = all.iter().flat_map(|one| one.descendants()).filter(|node| node.is_element()).map(href);
    addresses.chain(links).any(|address| licenses::is_open(&address))
        || all.iter().any(|one| {
            let kind = attr(*one, "license-type");
            licenses::is_open_kind(kind) || licenses::is_open(kind) || licenses::names_open(&text(*one))
        })
}

/// The kind of a related object: the relation, where one of the attributes for it names a notice, else the type of the document.
fn object_kind<'a>(x: X<'a, '_>) -> &'a str {
    let is_notice = |word: &&str| !word.is_empty() && NoticeKind::of_relation(word, "").is_some();
    let relation = ["link-type", "content-type"].into_iter().map(|key| attr(x, key)).find(is_notice);
    relation.unwrap_or_else(|| attr(x, "document-type"))
}

/// The DOI or address of a related article or object. Numbers of PubMed become addresses, because a number alone does not tell what it is.
fn related_address(x: X) -> String {
    let link = href(x);
    if !link.is_empty() {
        let known = identifier_address(attr(x, "ext-link-type"), &link);
        // PLOS writes DOIs in this form without saying what they are.
        return known.unwrap_or_else(|| link.strip_prefix("info:doi/").unwrap_or(&link).to_owned());
    }
    let attributes = [("object-id-type", "object-id"), ("document-id-type", "document-id")];
    let by_attribute = attributes.into_iter().find_map(|(kind, id)| identifier_address(attr(x, kind), attr(x, id)));
    let ids = || x.descendants().filter(|part| matches!(name(*part), "pub-id" | "article-id" | "object-id"));
    let by_element = || ids().find_map(|part| identifier_address(typed(part, "pub-id-type"), &text(part)));
    let by_link = || x.descendants().filter(|part| name(*part) == "ext-link").map(href).find(|link| !link.is_empty());
    by_attribute.or_else(by_element).or_else(by_link).unwrap_or_default()
}

/// The DOI as written, or the address of a number of PubMed or PubMed Central; `None` for identifiers of other types.
fn identifier_address(kind: &str, value: &str) -> Option<String> {
    let address = match kind.to_ascii_lowercase().as_str() {
        "doi" => value.strip_prefix("info:doi/").unwrap_or(value).to_owned(),
        "pmid" | "pubmed" => pub_id_url("pmid", value),
        "pmcid" | "pmc" | "pmcaid" | "pmc-uid" => pub_id_url("pmcid", value),
        _ => String::new(),
    };
    Some(address).filter(|address| !address.is_empty())
}

/// The licence that is shown. Journals in several languages state it in each; the one in the article's language is used.
fn license<'a, 'i>(licenses: &[X<'a, 'i>], language: &str) -> Option<X<'a, 'i>> {
    licenses.iter().find(|one| own_lang(**one) == language).or(licenses.first()).copied()
}

/// Whether a `license` of an article is the one that is shown.
pub(super) fn license_is_shown(x: X) -> bool {
    let article = x.ancestors().find(|up| name(*up) == "article");
    let language = article.map(own_lang).filter(|tag| !tag.is_empty()).unwrap_or_else(|| "en".to_owned());
    let all: Vec<X> = x.parent().into_iter().flat_map(|up| children(up, "license")).collect();
    license(&all, &language) == Some(x)
}

/// The copyright statements as printed, and the year and holder where these do not contain them.
fn copyright(permissions: X) -> String {
    let mut whole = children(permissions, "copyright-statement").map(text).collect::<Vec<_>>().join(" ");
    let parts: Vec<String> = elements(permissions)
        .filter(|part| matches!(name(*part), "copyright-year" | "copyright-holder"))
        .map(text)
        .filter(|part| !part.is_empty() && !letters(&whole).contains(&letters(part)))
        .collect();
    if !parts.is_empty() {
        let sign = if whole.is_empty() { "© " } else { " © " };
        whole.push_str(sign);
        whole.push_str(&parts.join(" "));
    }
    whole
}

/// The DOIs of an article or of a part, with their elements. The first is the one that is used.
pub(super) fn dois<'a, 'i: 'a>(front: X<'a, 'i>) -> impl Iterator<Item = (X<'a, 'i>, Doi)> {
    children(front, "article-id")
        .filter(|id| typed(*id, "pub-id-type") == "doi")
        .filter_map(|id| Some((id, Doi::parse(&text(id)).ok()?)))
}

/// A title without its footnote marks.
fn without_notes(nodes: Vec<Node>) -> Vec<Node> {
    let note = |node: &Node| {
        matches!(node, Node::Xref { ref_type, .. } if NOTE_REFERENCES.contains(&ref_type.as_str()))
            || matches!(node, Node::InlineNote { .. })
    };
    nodes
        .into_iter()
        .filter(|node| !note(node) && !matches!(node, Node::Sup { nodes } if nodes.iter().any(note)))
        .collect()
}

fn journal_ref(x: X) -> JournalRef {
    let group = child(x, "journal-title-group").unwrap_or(x);
    let mut journal = JournalRef {
        title: child_text(group, "journal-title"),
        publisher: path(x, &["publisher", "publisher-name"]).map(text).unwrap_or_default(),
        ..JournalRef::default()
    };
    for title in children(group, "trans-title-group").chain(children(group, "trans-title")) {
        let text_of = if name(title) == "trans-title" { text(title) } else { child_text(title, "trans-title") };
        journal.trans_titles.push((lang(title), text_of));
    }
    journal.abbrev = child_text(group, "abbrev-journal-title");
    let abbreviations =
        children(x, "journal-id").filter(|id| matches!(attr(*id, "journal-id-type"), "nlm-ta" | "iso-abbrev"));
    if journal.abbrev.is_empty() {
        journal.abbrev = abbreviations.map(text).find(|text| !text.is_empty()).unwrap_or_default();
    }
    if journal.title.is_empty() {
        journal.title.clone_from(&journal.abbrev);
    }
    for issn in children(x, "issn").map(text) {
        let digits: String = issn.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_uppercase();
        if digits.len() == 8 {
            let issn = format!("{}-{}", &digits[..4], &digits[4..]);
            if !journal.issn.contains(&issn) {
                journal.issn.push(issn);
            }
        }
    }
    journal
}

fn funding(front: X) -> Vec<Funding> {
    let groups =
        children(front, "funding-group").flat_map(|x| x.descendants()).filter(|node| name(*node) == "award-group");
    let mut all: Vec<Funding> = Vec::new();
    for x in groups {
        let sources: Vec<X> =
            x.descendants().filter(|node| matches!(name(*node), "funding-source" | "support-source")).collect();
        let own = |source: X| {
            let inner: String = source
                .descendants()
                .filter(|node| node.is_text() && node.parent().is_none_or(|up| name(up) != "institution-id"))
                .filter_map(|node| node.text())
                .collect();
            super::xml::fold(&inner)
        };
        let ids = sources
            .iter()
            .flat_map(|source| source.descendants())
            .filter(|node| name(*node) == "institution-id")
            .map(text);
        let ids = ids.chain(sources.iter().map(|source| href(*source)));
        let source_id = ids
            .map(|id| if id.starts_with("10.") { format!("https://doi.org/{id}") } else { id })
            .find(|id| id.starts_with("http"))
            .unwrap_or_default();
        let mut recipients: Vec<String> = x
            .children()
            .filter(|node| matches!(name(*node), "principal-award-recipient" | "principal-investigator"))
            .flat_map(recipients_of)
            .collect();
        recipients.dedup();
        all.push(Funding {
            source: sources.iter().map(|source| own(*source)).collect::<Vec<_>>().join("; "),
            source_id,
            awards: children(x, "award-id").map(text).filter(|id| !id.is_empty()).collect(),
            recipients,
        });
    }
    all
}

/// The names and institutions of the recipients of an award; those of one without names as printed.
fn recipients_of(x: X) -> Vec<String> {
    let known = |part: &X| matches!(name(*part), "name" | "string-name" | "institution" | "collab");
    let names: Vec<String> = elements(x)
        .filter(known)
        .map(|part| if name(part) == "name" { super::people::person(part) } else { text(part) })
        .filter(|name| !name.is_empty())
        .collect();
    if names.is_empty() { Some(text(x)).filter(|text| !text.is_empty()).into_iter().collect() } else { names }
}

/// The first `self-uri` that refers to a PDF beside the article. Addresses on other servers are not files of the article.
fn pdf(front: X) -> String {
    let named = |x: &X| {
        let title = x.attributes().find(|attribute| attribute.name() == "title").map_or("", |title| title.value());
        let kind = [attr(*x, "content-type"), title.trim()].concat().to_ascii_lowercase();
        href(*x).to_ascii_lowercase().ends_with(".pdf") && (kind.is_empty() || kind.ends_with("pdf"))
    };
    children(front, "self-uri").find(named).map(href).filter(|name| !name.contains("://")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::jats::{Limits, import};

    #[test]
    fn related_articles_are_named_by_doi_or_address() {
        for (element, kind, href) in [
            ("<related-article related-article-type='x' ext-link-type='doi' l:href='10.5555/a'/>", "x", "10.5555/a"),
            ("<related-article related-article-type='x' l:href='info:doi/10.5555/a'/>", "x", "10.5555/a"),
            (
                "<related-article related-article-type='x' ext-link-type='pmid' l:href='12'/>",
                "x",
                "https://pubmed.ncbi.nlm.nih.gov/12/",
            ),
            (
                "<related-article related-article-type='x' ext-link-type='pmc' l:href='PMC12'/>",
                "x",
                "https://www.ncbi.nlm.nih.gov/pmc/articles/PMC12/",
            ),
            (
                "<related-article related-article-type='x' ext-link-type='uri' l:href='https://a.example/'/>",
                "x",
                "https://a.example/",
            ),
            (
                "<related-article related-article-type='x'>On <pub-id pub-id-type='doi'>10.5555/b</pub-id></related-article>",
                "x",
                "10.5555/b",
            ),
            (
                "<related-object link-type='retracted-article' document-id-type='doi' document-id='10.5555/c'/>",
                "retracted-article",
                "10.5555/c",
            ),
            (
                "<related-object document-type='dataset' link-type='y' object-id-type='pmid' object-id='3'>D</related-object>",
                "dataset",
                "https://pubmed.ncbi.nlm.nih.gov/3/",
            ),
        ] {
            let source = format!(
                "<article xmlns:l='http://www.w3.org/1999/xlink'><front><article-meta><title-group><article-title>T</article-title>\
                 </title-group>{element}</article-meta></front></article>"
            );
            let meta = import(source.as_bytes(), &Limits::default()).unwrap().article.meta;
            let found: Vec<_> = meta.related.iter().map(|one| (one.kind.as_str(), one.href.as_str())).collect();
            assert_eq!(found, [(kind, href)], "{element}");
        }
    }
}

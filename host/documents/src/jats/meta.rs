//! Import of bibliographic metadata: `front`, `article-meta`, `journal-meta`.

use masthead_domain::{
    article::{ArticleMeta, Dates, Funding, JournalRef, KeywordGroup, LangText, RelatedArticle},
    content::Node,
    ids::Doi,
    link,
};

use super::{
    Importer,
    back::lang_text,
    classify::by_type,
    people::tidy,
    xml::{X, attr, child, child_text, children, elements, href, lang, name, own_lang, path, text, typed},
};
use masthead_domain::content::text::plain;

impl Importer {
    pub(super) fn meta(&mut self, x: X) -> ArticleMeta {
        let mut meta = ArticleMeta {
            article_type: attr(x, "article-type").to_owned(),
            language: own_lang(x),
            open_access: true,
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
        subjects(front, &mut meta.subjects);
        meta.affiliations = self.affiliations(front);
        meta.contributors = self.contributors(front);
        tidy(&mut meta.contributors);
        self.author_notes(front, &mut meta);
        meta.keywords = self.keyword_groups(front);
        self.issue(front, &mut meta);
        meta.dates = dates(front);
        meta.year = year(front, &meta.dates);
        meta.funding = funding(front);
        self.permissions(front, &mut meta);
        meta.related = related(front);
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
        } else {
            of(&["publisher-id", "manuscript"]).map(|value| format!("publisher-id:{value}")).unwrap_or_default()
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

    fn author_notes(&mut self, front: X, meta: &mut ArticleMeta) {
        for notes in children(front, "author-notes") {
            for part in elements(notes).filter(|part| !matches!(name(*part), "title" | "label")) {
                // Typed statements are imported into the parts of the body.
                if name(part) == "fn" && by_type(attr(part, "fn-type")).is_some() {
                    continue;
                }
                let nodes = if name(part) == "fn" { self.blocks(part, &[]) } else { self.line(part) };
                let made = lang_text(lang(part), nodes);
                if !made.plain.is_empty() {
                    meta.author_notes.push(made);
                }
            }
        }
    }

    pub(super) fn keyword_groups(&mut self, front: X) -> Vec<KeywordGroup> {
        let mut groups = Vec::new();
        for group in children(front, "kwd-group") {
            let mut made = KeywordGroup {
                lang: lang(group),
                kind: attr(group, "kwd-group-type").to_owned(),
                title: child_text(group, "title"),
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
        meta.copyright = child_text(permissions, "copyright-statement");
        if meta.copyright.is_empty() {
            let parts = [child_text(permissions, "copyright-year"), child_text(permissions, "copyright-holder")];
            let joined = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            if !joined.is_empty() {
                meta.copyright = format!("© {joined}");
            }
        }
        let licenses: Vec<X> = children(permissions, "license").collect();
        // Journals in several languages state the licence in each; the one in the article's language is used.
        let license = licenses.iter().find(|one| own_lang(**one) == self.lang).or(licenses.first());
        if let Some(license) = license {
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
                .find(|link| link.contains("creativecommons.org"));
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

/// A title without its footnote marks.
fn without_notes(nodes: Vec<Node>) -> Vec<Node> {
    let note = |node: &Node| {
        matches!(node, Node::Xref { ref_type, .. } if matches!(ref_type.as_str(), "fn" | "author-notes" | "corresp"))
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

fn subjects(front: X, out: &mut Vec<String>) {
    let Some(categories) = child(front, "article-categories") else { return };
    for subject in categories.descendants().filter(|node| matches!(name(*node), "subject" | "compound-subject")) {
        let text = if name(subject) == "subject" {
            text(subject)
        } else {
            elements(subject).map(text).collect::<Vec<_>>().join(": ")
        };
        if !text.is_empty() && !out.contains(&text) {
            out.push(text);
        }
    }
}

fn date(x: X) -> String {
    if let Some(iso) = x.attribute("iso-8601-date").map(str::trim).filter(|iso| {
        let digits = iso.bytes().filter(u8::is_ascii_digit).count();
        matches!((iso.len(), digits), (4, 4) | (7, 6) | (10, 8)) && child(x, "year").is_none()
    }) {
        return iso.to_owned();
    }
    let year = child_text(x, "year");
    if year.len() != 4 || !year.bytes().all(|byte| byte.is_ascii_digit()) {
        return String::new();
    }
    let Some(month) = month(&child_text(x, "month")) else { return year };
    match child_text(x, "day").parse::<u8>() {
        Ok(day @ 1..=31) => format!("{year}-{month:02}-{day:02}"),
        _ => format!("{year}-{month:02}"),
    }
}

fn month(source: &str) -> Option<u8> {
    let lower = source.trim_end_matches('.').to_lowercase();
    if let Ok(number @ 1..=12) = lower.parse::<u8>() {
        return Some(number);
    }
    masthead_domain::text::month(&lower)
}

fn dates(front: X) -> Dates {
    let mut dates = Dates::default();
    let history = child(front, "history").into_iter().flat_map(elements);
    let events =
        child(front, "pub-history").into_iter().flat_map(|x| x.descendants()).filter(|node| name(*node) == "date");
    for x in history.chain(events).chain(children(front, "pub-date")) {
        let published = name(x) == "pub-date";
        let kind = if published {
            format!("{} {}", attr(x, "pub-type"), attr(x, "date-type"))
        } else {
            attr(x, "date-type").to_owned()
        };
        let format = attr(x, "publication-format");
        let value = date(x);
        let field = match kind.trim() {
            "received" => &mut dates.received,
            "rev-recd" | "rev-received" | "revised" | "rev-request" => {
                // The latest revision is kept.
                if value > dates.revised {
                    dates.revised.clone_from(&value);
                }
                continue;
            }
            "accepted" => &mut dates.accepted,
            "ppub" | "epub-ppub" => &mut dates.print,
            "epub" | "published-online" | "online" | "epreprint" | "preprint" => &mut dates.online,
            "pub" | "publication" | "" if published && format == "print" => &mut dates.print,
            "pub" | "publication" | "" if published => &mut dates.online,
            "collection" if published && format != "electronic" => &mut dates.print,
            _ => continue,
        };
        if field.len() < value.len() {
            *field = value;
        }
    }
    dates
}

fn year(front: X, dates: &Dates) -> Option<i32> {
    let of = |date: &str| date.get(..4).and_then(|year| year.parse().ok());
    let collection = children(front, "pub-date")
        .find(|x| attr(*x, "pub-type") == "collection" || attr(*x, "date-type") == "collection")
        .map(date);
    collection
        .as_deref()
        .and_then(of)
        .or_else(|| of(&dates.print))
        .or_else(|| of(dates.published()))
        .or_else(|| children(front, "pub-date").find_map(|x| of(&date(x))))
}

fn funding(front: X) -> Vec<Funding> {
    let groups =
        children(front, "funding-group").flat_map(|x| x.descendants()).filter(|node| name(*node) == "award-group");
    let mut all: Vec<Funding> = Vec::new();
    for x in groups {
        let source = x.descendants().find(|node| matches!(name(*node), "funding-source" | "support-source"));
        let own = |source: X| {
            let inner: String = source
                .descendants()
                .filter(|node| node.is_text() && node.parent().is_none_or(|up| name(up) != "institution-id"))
                .filter_map(|node| node.text())
                .collect();
            super::xml::fold(&inner)
        };
        let ids = source
            .into_iter()
            .flat_map(|source| source.descendants())
            .filter(|node| name(*node) == "institution-id")
            .map(text);
        let ids = ids.chain(source.map(href));
        let source_id = ids
            .map(|id| if id.starts_with("10.") { format!("https://doi.org/{id}") } else { id })
            .find(|id| id.starts_with("http"))
            .unwrap_or_default();
        let mut recipients: Vec<String> = x
            .children()
            .filter(|node| name(*node) == "principal-award-recipient")
            .map(|one| child(one, "name").map_or_else(|| text(one), super::people::person))
            .collect();
        recipients.dedup();
        all.push(Funding {
            source: source.map(own).unwrap_or_default(),
            source_id,
            awards: children(x, "award-id").map(text).filter(|id| !id.is_empty()).collect(),
            recipients,
        });
    }
    all
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

fn related(front: X) -> Vec<RelatedArticle> {
    children(front, "related-article")
        .map(|x| RelatedArticle { kind: attr(x, "related-article-type").to_owned(), href: href(x), text: text(x) })
        .filter(|one| !one.href.is_empty() || !one.text.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::month;

    #[test]
    fn months_are_read() {
        assert_eq!(month("05"), Some(5));
        assert_eq!(month("Sept."), Some(9));
        assert_eq!(month("13"), None);
        assert_eq!(month(""), None);
    }
}

//! Export of the article, its front matter, and parts with front matter of their own.

use masthead_domain::{
    Doi,
    article::{Article, ArticleMeta, Dates, Funding, JournalRef, KeywordGroup, LangText},
    content::{Node, SubArticle, text::plain},
    license, link,
};

use super::{Export, ID_TYPES, typed};
use crate::jats::subjects;

/// Namespaces that are declared on the root element.
const NAMESPACES: [(&str, &str); 3] = [
    ("xmlns:xlink", "http://www.w3.org/1999/xlink"),
    ("xmlns:mml", "http://www.w3.org/1998/Math/MathML"),
    ("xmlns:ali", "http://www.niso.org/schemas/ali/1.0/"),
];

impl Export<'_> {
    pub(super) fn article(&mut self, article: &Article) {
        let (meta, body) = (&article.meta, &article.body);
        // Importers and JATS take English for a source without a language; then no language is declared, as none was in the source.
        let omitted = meta.language == "en" && undeclared(article);
        let language = if omitted { "" } else { meta.language.as_str() };
        let mut attributes = NAMESPACES.to_vec();
        attributes.extend([
            ("article-type", meta.article_type.as_str()),
            ("dtd-version", "1.3"),
            ("xml:lang", language),
        ]);
        self.element("article", &attributes, |this| {
            this.out.line();
            this.element("front", &[], |this| {
                this.out.line();
                this.journal(&meta.journal);
                this.article_meta(article);
            });
            this.out.line();
            if !this.options.front_only {
                this.parts(body);
            }
        });
        self.out.line();
    }

    fn journal(&mut self, journal: &JournalRef) {
        self.element("journal-meta", &[], |this| {
            this.out.line();
            // JATS requires an identifier and an ISSN of every journal.
            let name = [&journal.abbrev, &journal.title].into_iter().find(|name| !name.is_empty());
            let key = name.or(journal.issn.first()).map_or("", String::as_str);
            this.leaf("journal-id", &[("journal-id-type", "publisher-id")], key);
            this.out.line();
            let named = !journal.title.is_empty() || !journal.abbrev.is_empty() || !journal.trans_titles.is_empty();
            if named {
                this.element("journal-title-group", &[], |this| {
                    this.out.line();
                    this.field("journal-title", &[], &journal.title);
                    for (lang, title) in &journal.trans_titles {
                        let lang = this.inherited(lang);
                        this.element("trans-title-group", &[("xml:lang", &lang)], |this| {
                            this.leaf("trans-title", &[], title);
                        });
                        this.out.line();
                    }
                    this.field("abbrev-journal-title", &[], &journal.abbrev);
                });
                this.out.line();
            }
            for issn in &journal.issn {
                this.field("issn", &[], issn);
            }
            if journal.issn.is_empty() {
                this.empty("issn", &[]);
            }
            if !journal.publisher.is_empty() {
                this.element("publisher", &[], |this| this.leaf("publisher-name", &[], &journal.publisher));
                this.out.line();
            }
        });
        self.out.line();
    }

    fn article_meta(&mut self, article: &Article) {
        let (meta, body) = (&article.meta, &article.body);
        self.element("article-meta", &[], |this| {
            this.out.line();
            if let Some(doi) = &meta.doi {
                this.field("article-id", &[("pub-id-type", "doi")], doi.as_str());
            }
            for (kind, id) in &meta.ids {
                this.field("article-id", &typed("pub-id-type", kind, ID_TYPES), id);
            }
            if !meta.subjects.is_empty() {
                this.element("article-categories", &[], |this| {
                    // Headings of one language that follow each other are one group. Those without other names are of another type, where there
                    // are some with, because importers count the headings of a type in each language.
                    let headings = subjects::tagged(&meta.subjects, &meta.subject_names);
                    for group in headings.chunk_by(|(_, left), (_, right)| left == right) {
                        let lang = group.first().map_or("", |(_, lang)| *lang);
                        let kind =
                            if lang.is_empty() && !meta.subject_names.is_empty() { "subject" } else { "heading" };
                        this.element("subj-group", &[("subj-group-type", kind), ("xml:lang", lang)], |this| {
                            group.iter().for_each(|(subject, _)| this.leaf("subject", &[], subject));
                        });
                    }
                });
                this.out.line();
            }
            this.titles(&meta.titles, &meta.subtitles);
            this.contributors(&meta.contributors);
            this.affiliations(&meta.affiliations);
            this.author_notes(&meta.author_notes);
            this.publication(meta);
            this.permissions(meta);
            if !meta.pdf.is_empty() {
                this.empty("self-uri", &[("content-type", "pdf"), ("xlink:href", &meta.pdf)]);
                this.out.line();
            }
            let options = this.options;
            for related in meta.related.iter().chain(options.related) {
                let link_type = match related.href.as_str() {
                    doi if doi.starts_with("10.") && Doi::parse(doi).is_ok() => "doi",
                    address if link::is_web(address) => "uri",
                    _ => "",
                };
                let attributes = [
                    ("related-article-type", related.kind.as_str()),
                    ("ext-link-type", link_type),
                    ("xlink:href", &related.href),
                ];
                this.leaf("related-article", &attributes, &related.text);
                this.out.line();
            }
            this.abstracts(body);
            this.keywords(&meta.keywords);
            this.funding(&meta.funding);
            if meta.reference_count > 0 {
                let count = meta.reference_count.to_string();
                this.element("counts", &[], |this| this.empty("ref-count", &[("count", &count)]));
                this.out.line();
            }
        });
        self.out.line();
    }

    /// The title, its subtitles, and the translations of both.
    fn titles(&mut self, titles: &[LangText], subtitles: &[LangText]) {
        self.element("title-group", &[], |this| {
            let (first, translations) =
                titles.split_first().map_or((None, titles), |(first, rest)| (Some(first), rest));
            match first {
                Some(title) => this.title("article-title", title),
                None => this.empty("article-title", &[]),
            }
            // Subtitles are written with the title of their language, unless that changes their order.
            let translated = |text: &LangText| translations.iter().any(|title| title.lang == text.lang);
            let split = subtitles.iter().position(translated).unwrap_or(subtitles.len());
            let (own, mut rest) = subtitles.split_at(split);
            let mut groups = Vec::new();
            for title in translations {
                let count = rest.iter().take_while(|text| text.lang == title.lang).count();
                let (here, later) = rest.split_at(count);
                groups.push((title, here));
                rest = later;
            }
            let in_order = rest.is_empty();
            for subtitle in if in_order { own } else { subtitles } {
                this.title("subtitle", subtitle);
            }
            for (title, here) in groups {
                let lang = this.assumed(&title.lang);
                this.element("trans-title-group", &[("xml:lang", &lang)], |this| {
                    this.title("trans-title", title);
                    for subtitle in if in_order { here } else { &[] } {
                        this.title("trans-subtitle", subtitle);
                    }
                });
            }
        });
        self.out.line();
    }

    fn title(&mut self, name: &'static str, title: &LangText) {
        let lang = self.assumed(&title.lang);
        self.element(name, &[("xml:lang", &lang)], |this| this.inline(&title.nodes));
    }

    fn author_notes(&mut self, notes: &[LangText]) {
        if notes.is_empty() {
            return;
        }
        self.element("author-notes", &[], |this| {
            for note in notes {
                let lang = this.inherited(&note.lang);
                let mail = |node: &Node| matches!(node, Node::ExtLink { kind, .. } if kind == "email");
                if note.nodes.iter().any(Node::is_block) {
                    this.element("fn", &[("xml:lang", &lang)], |this| this.blocks(&note.nodes));
                } else {
                    let name = if note.nodes.iter().any(mail) { "corresp" } else { "p" };
                    this.element(name, &[("xml:lang", &lang)], |this| this.inline(&note.nodes));
                }
            }
        });
        self.out.line();
    }

    /// Dates and place of publication.
    fn publication(&mut self, meta: &ArticleMeta) {
        let dates = &meta.dates;
        let published = [("print", &dates.print), ("electronic", &dates.online)];
        for (format, date) in published.into_iter().filter(|(_, date)| !date.is_empty()) {
            self.date("pub-date", &[("date-type", "pub"), ("publication-format", format)], date);
        }
        if let Some(year) = meta.year.filter(|year| year_of(dates) != Some(*year)) {
            let attributes = [("date-type", "collection"), ("publication-format", "electronic")];
            self.date("pub-date", &attributes, &year.to_string());
        }
        self.field("volume", &[], &meta.volume);
        self.field("issue", &[], &meta.issue);
        self.field("issue-part", &[], &meta.part);
        self.field("fpage", &[], &meta.first_page);
        self.field("lpage", &[], &meta.last_page);
        self.field("elocation-id", &[], &meta.elocation_id);
        let history = [("received", &dates.received), ("rev-recd", &dates.revised), ("accepted", &dates.accepted)];
        if history.iter().any(|(_, date)| !date.is_empty()) {
            self.element("history", &[], |this| {
                for (kind, date) in history.into_iter().filter(|(_, date)| !date.is_empty()) {
                    this.date("date", &[("date-type", kind)], date);
                }
            });
            self.out.line();
        }
    }

    fn date(&mut self, name: &'static str, attributes: &[(&str, &str)], date: &str) {
        let mut attributes = attributes.to_vec();
        attributes.push(("iso-8601-date", date));
        let parts: Vec<&str> = date.split('-').collect();
        self.element(name, &attributes, |this| {
            // Numbers that no calendar has are written in the attribute only.
            let real = parts.get(1).is_none_or(|month| matches!(month.parse(), Ok(1_u8..=12)))
                && parts.get(2).is_none_or(|day| matches!(day.parse(), Ok(1_u8..=31)));
            if real {
                for (part, name) in parts.iter().zip(["year", "month", "day"]).collect::<Vec<_>>().into_iter().rev() {
                    this.leaf(name, &[], part);
                }
            }
        });
        self.out.line();
    }

    fn permissions(&mut self, meta: &ArticleMeta) {
        let licensed = !meta.license.is_empty() || !meta.license_url.is_empty();
        if meta.copyright.is_empty() && !licensed && !meta.open_access {
            return;
        }
        // What the licence itself does not say is said by its kind.
        let named = license::is_open(&meta.license_url) || license::names_open(&plain(&meta.license));
        let kind = if meta.open_access && !named { "open-access" } else { "" };
        self.element("permissions", &[], |this| {
            this.field("copyright-statement", &[], &meta.copyright);
            if licensed || !kind.is_empty() {
                let url = meta.license_url.as_str();
                let attributes: Vec<(&str, &str)> = [("license-type", kind), ("xlink:href", url)]
                    .into_iter()
                    .filter(|(_, value)| !value.is_empty())
                    .collect();
                this.element("license", &attributes, |this| {
                    if !url.is_empty() {
                        this.leaf("ali:license_ref", &[], url);
                    }
                    this.license(&meta.license);
                    if !licensed {
                        this.leaf("license-p", &[], "Open access");
                    }
                });
            }
        });
        self.out.line();
    }

    /// Paragraphs of a licence; inline nodes between them become a paragraph.
    pub(super) fn license(&mut self, nodes: &[Node]) {
        let paragraph = |node: &Node| matches!(node, Node::P { .. });
        for run in nodes.chunk_by(|a, b| !paragraph(a) && !paragraph(b)) {
            match run {
                [Node::P { id, lang, nodes }] => {
                    self.element("license-p", &[("id", id), ("xml:lang", lang)], |this| this.inline(nodes));
                }
                run => self.element("license-p", &[], |this| this.inline(run)),
            }
        }
    }

    fn keywords(&mut self, groups: &[KeywordGroup]) {
        for group in groups {
            let lang = self.assumed(&group.lang);
            self.element("kwd-group", &[("kwd-group-type", &group.kind), ("xml:lang", &lang)], |this| {
                if !group.title.is_empty() {
                    this.leaf("title", &[], &group.title);
                }
                for item in &group.items {
                    this.element("kwd", &[], |this| this.inline(item));
                }
            });
            self.out.line();
        }
    }

    fn funding(&mut self, all: &[Funding]) {
        if all.is_empty() {
            return;
        }
        self.element("funding-group", &[], |this| {
            this.out.line();
            for one in all {
                this.element("award-group", &[], |this| {
                    if !one.source.is_empty() || !one.source_id.is_empty() {
                        this.element("funding-source", &[], |this| this.funder(one));
                    }
                    one.awards.iter().for_each(|award| this.leaf("award-id", &[], award));
                    one.recipients.iter().for_each(|name| this.leaf("principal-award-recipient", &[], name));
                });
                this.out.line();
            }
        });
        self.out.line();
    }

    fn funder(&mut self, one: &Funding) {
        if one.source_id.is_empty() {
            return self.out.characters(&one.source);
        }
        self.element("institution-wrap", &[], |this| {
            if !one.source.is_empty() {
                this.leaf("institution", &[], &one.source);
            }
            this.leaf("institution-id", &[], &one.source_id);
        });
    }

    /// A translation, reply or report. JATS allows either responses or sub-articles, so that all are written as sub-articles.
    pub(super) fn sub_article(&mut self, sub: &SubArticle) {
        let lang = self.inherited(&sub.lang);
        let attributes = [("article-type", sub.kind.as_str()), ("id", &sub.id), ("xml:lang", &lang)];
        let outer = std::mem::replace(&mut self.language, sub.lang.clone());
        self.element("sub-article", &attributes, |this| {
            this.out.line();
            this.element("front-stub", &[], |this| {
                this.out.line();
                this.field("article-id", &[("pub-id-type", "doi")], &sub.doi);
                if !sub.titles.is_empty() {
                    this.titles(&sub.titles, &[]);
                }
                this.names(&sub.authors);
                for affiliation in &sub.affiliations {
                    this.leaf("aff", &[], affiliation);
                }
                this.author_notes(&sub.notes);
                this.abstracts(&sub.body);
                this.keywords(&sub.keywords);
            });
            this.out.line();
            this.parts(&sub.body);
        });
        self.out.line();
        self.language = outer;
    }
}

/// Whether a part of the article has no language, though parts without one inherit the article's.
fn undeclared(article: &Article) -> bool {
    let body = &article.body;
    let mut languages = body
        .reference_lists
        .iter()
        .flat_map(|list| {
            let citations = list.refs.iter().flat_map(|one| &one.citations).map(|citation| &citation.lang);
            list.title.iter().map(|title| &title.lang).chain(citations)
        })
        .chain(article.meta.author_notes.iter().map(|note| &note.lang))
        .chain(
            body.acknowledgements
                .iter()
                .chain(&body.notes)
                .filter_map(|part| part.title.as_ref())
                .map(|title| &title.lang),
        )
        .chain(body.abstracts.iter().filter_map(|one| one.title.as_ref()).map(|title| &title.lang));
    languages.any(String::is_empty)
}

/// The year that the importer derives from the dates.
fn year_of(dates: &Dates) -> Option<i32> {
    let of = |date: &str| date.get(..4).and_then(|year| year.parse().ok());
    of(&dates.print).or_else(|| of(dates.published()))
}

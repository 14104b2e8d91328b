//! Renders content nodes to sanitized semantic HTML, section by section in the order of the article page.

mod back;
mod block;
mod citations;
mod figure;
pub mod ids;
mod inline;
mod links;
mod refs;
pub mod sanitize;
mod table;

use std::collections::{HashMap, HashSet};

use masthead_domain::{
    article::{Article, ArticleMeta, LangText},
    content::{Abstract, ArticleBody, Part},
    resource::Renditions,
};
use serde::{Deserialize, Serialize};

use masthead_domain::content::text::plain;

pub use self::back::{fold_roles, link_keywords};

/// A whole article as HTML.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenderedArticle {
    /// Titles: `(BCP 47 tag, HTML)`, the original first.
    pub title_html: Vec<(String, String)>,
    /// The sections in the order of the article page.
    pub sections: Vec<RenderedSection>,
    /// Headings of all levels. Every section except the body has one of level 1; its title is "" if the page supplies the heading.
    pub outline: Vec<OutlineEntry>,
    /// Plain text of all sections, for search.
    pub text: String,
}

/// One section of the article page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RenderedSection {
    /// Kind of the section.
    pub kind: SectionKind,
    /// BCP 47 tag, or "".
    pub lang: String,
    /// Heading as in the source; "" if the page supplies the heading in the interface language.
    pub title: String,
    /// Id of its element, unique in the article; it begins with [`ids::PREFIX`].
    pub id: String,
    /// Sanitized HTML, without a heading for the section itself.
    pub html: String,
}

/// Kinds of sections, in the order in which the specification's article page shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SectionKind {
    /// Abstract.
    Abstract,
    /// Graphical abstract.
    GraphicAbstract,
    /// Keywords.
    Keywords,
    /// OCIS codes.
    Ocis,
    /// Highlights.
    Highlights,
    /// The body.
    Body,
    /// Expert comments, reports and replies.
    ExpertComment,
    /// Author contributions.
    Contributions,
    /// Acknowledgements.
    Acknowledgements,
    /// Supplementary material.
    Supplementary,
    /// Conflicts of interest.
    Conflict,
    /// Ethics.
    Ethics,
    /// Funding.
    Funding,
    /// Supporting data.
    SupportingData,
    /// Glossary.
    Glossary,
    /// Appendix.
    Appendix,
    /// Footnotes and other notes.
    Footnotes,
    /// References.
    References,
    /// Translations and other parts published with the article.
    SubArticle,
}

impl SectionKind {
    /// The name as serde writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Abstract => "abstract",
            Self::GraphicAbstract => "graphic-abstract",
            Self::Keywords => "keywords",
            Self::Ocis => "ocis",
            Self::Highlights => "highlights",
            Self::Body => "body",
            Self::ExpertComment => "expert-comment",
            Self::Contributions => "contributions",
            Self::Acknowledgements => "acknowledgements",
            Self::Supplementary => "supplementary",
            Self::Conflict => "conflict",
            Self::Ethics => "ethics",
            Self::Funding => "funding",
            Self::SupportingData => "supporting-data",
            Self::Glossary => "glossary",
            Self::Appendix => "appendix",
            Self::Footnotes => "footnotes",
            Self::References => "references",
            Self::SubArticle => "sub-article",
        }
    }

    /// Whether it is of what everybody may read before the text: abstracts, keywords and the like.
    #[must_use]
    pub const fn is_before_text(self) -> bool {
        matches!(self, Self::Abstract | Self::GraphicAbstract | Self::Keywords | Self::Ocis | Self::Highlights)
    }
}

/// A heading in the article's outline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlineEntry {
    /// Id of the target element.
    pub id: String,
    /// 1 for sections, 2 for headings within them, ...
    pub level: u8,
    /// Number as printed, or "".
    pub label: String,
    /// The heading; "" if the page supplies it.
    pub title: String,
    /// The section that contains the heading.
    pub section: SectionKind,
}

/// A stored file of the article.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoredFile {
    /// Its address.
    pub url: String,
    /// Width and height of a picture in pixels, so that the page can reserve its place (`masthead_formats::images::size`).
    pub size: Option<(u32, u32)>,
    /// Address of a small version of a picture, or "" if there is no other one.
    pub small: String,
    /// Address of the file as it came, which may be TIFF, or "" if it is the one at `url`.
    pub original: String,
}

impl StoredFile {
    /// A picture with its other versions; versions that are the one which is shown are left out.
    #[must_use]
    pub fn of(files: &Renditions) -> Self {
        let other = |address: &String| if *address == files.big { String::new() } else { address.clone() };
        Self {
            url: files.big.clone(),
            size: (files.width > 0).then_some((files.width, files.height)),
            small: other(&files.small),
            original: other(&files.original),
        }
    }
}

impl From<String> for StoredFile {
    fn from(url: String) -> Self {
        Self { url, ..Self::default() }
    }
}

/// Returns the stored file for its address in the source.
type AssetUrl<'a> = &'a dyn Fn(&str) -> Option<StoredFile>;

/// State of one rendering pass.
struct Renderer<'a> {
    asset_url: AssetUrl<'a>,
    /// Ids used so far.
    used: HashSet<String>,
    /// The last number that was tried for each id that is used several times.
    repeated: HashMap<String, u32>,
    /// Ids of the complete article, as targets of cross-references; `None` in the first pass, which collects them.
    targets: Option<HashSet<String>>,
    outline: Vec<OutlineEntry>,
    sections: Vec<RenderedSection>,
    kind: SectionKind,
    /// Offset of heading levels: 1 within a part that has a heading of its own.
    offset: u8,
    /// Language of the surrounding element.
    lang: String,
    in_link: bool,
    generated: u32,
    numbering: citations::Numbering,
    /// Bytes that the ids of ranges of citations may still take, because a short text can name hundreds of references.
    range_room: usize,
}

/// Bytes for the ids of ranges of citations in one article.
const RANGE_ROOM: usize = 1 << 20;

/// Renders an article. `asset_url` returns the stored file for an address in the source; for `None`, a placeholder with the
/// file's name is rendered.
#[must_use]
pub fn render(article: &Article, asset_url: &dyn Fn(&str) -> Option<StoredFile>) -> RenderedArticle {
    // The targets of cross-references are known only after all ids are, so that a first pass collects the ids.
    let mut first = Renderer::new(article, asset_url, None);
    first.all(article);
    let mut second = Renderer::new(article, asset_url, Some(first.used));
    let title_html = second.titles(&article.meta.titles);
    second.all(article);
    let mut sections = second.sections;
    for section in &mut sections {
        section.html = sanitize::clean(&section.html);
    }
    RenderedArticle { title_html, sections, outline: second.outline, text: all_text(article) }
}

impl<'a> Renderer<'a> {
    fn new(article: &Article, asset_url: AssetUrl<'a>, targets: Option<HashSet<String>>) -> Self {
        Self {
            asset_url,
            used: HashSet::new(),
            repeated: HashMap::new(),
            targets,
            outline: Vec::new(),
            sections: Vec::new(),
            kind: SectionKind::Body,
            offset: 0,
            lang: article.meta.language.clone(),
            in_link: false,
            generated: 0,
            numbering: citations::Numbering::of(&article.body),
            range_room: RANGE_ROOM,
        }
    }

    fn titles(&mut self, titles: &[LangText]) -> Vec<(String, String)> {
        let mut all = Vec::new();
        for title in titles {
            let mut html = String::new();
            // Titles are shown within links and headings, where a link is not allowed.
            self.in_link = true;
            self.inline(&title.nodes, &mut html);
            self.in_link = false;
            all.push((title.lang.clone(), sanitize::clean(&html)));
        }
        all
    }

    fn all(&mut self, article: &Article) {
        let body = &article.body;
        self.abstracts(&body.abstracts, SectionKind::Abstract);
        self.abstracts(&body.abstract_graphic, SectionKind::GraphicAbstract);
        self.keywords(&article.meta.keywords);
        self.parts(&body.highlights, SectionKind::Highlights);
        self.body(body);
        for sub in &body.responses {
            self.sub_article(sub, SectionKind::ExpertComment);
        }
        self.statements(&article.meta, body);
        self.awards(&article.meta.funding, &body.funding);
        self.parts(&body.supporting_data, SectionKind::SupportingData);
        self.parts(&body.glossary, SectionKind::Glossary);
        self.parts(&body.appendix, SectionKind::Appendix);
        self.parts(&body.notes, SectionKind::Footnotes);
        self.footnote_section(&body.footnotes);
        for list in &body.reference_lists {
            self.reference_section(list);
        }
        for sub in &body.sub_articles {
            self.sub_article(sub, SectionKind::SubArticle);
        }
    }

    fn statements(&mut self, meta: &ArticleMeta, body: &ArticleBody) {
        let contributions: Vec<Part> = body.contributions.iter().map(|one| one.part.clone()).collect();
        self.parts(&contributions, SectionKind::Contributions);
        self.roles(&meta.contributors, &body.contributions);
        self.parts(&body.acknowledgements, SectionKind::Acknowledgements);
        self.parts(&body.supplementary, SectionKind::Supplementary);
        self.parts(&body.conflict, SectionKind::Conflict);
        self.parts(&body.ethics, SectionKind::Ethics);
        self.parts(&body.funding, SectionKind::Funding);
    }

    fn abstracts(&mut self, abstracts: &[Abstract], kind: SectionKind) {
        for one in abstracts {
            let title = one.title.as_ref().map_or("", |title| title.plain.as_str());
            let id = self.open(kind, "", title, "");
            let html = self.within(&one.lang, |this, html| this.flow(&one.nodes, html));
            self.close(kind, one.lang.clone(), title, id, html);
        }
    }

    fn parts(&mut self, parts: &[Part], kind: SectionKind) {
        for part in parts {
            let title = part.title.as_ref().map_or("", |title| title.plain.as_str());
            let title = if kind == SectionKind::Appendix || !part.label.is_empty() {
                format!("{} {title}", part.label).trim().to_owned()
            } else {
                title.to_owned()
            };
            let id = self.open(kind, &part.id, &title, "");
            let html = self.within(&part.lang, |this, html| this.flow(&part.nodes, html));
            self.close(kind, part.lang.clone(), &title, id, html);
        }
    }

    fn body(&mut self, body: &ArticleBody) {
        if body.body.is_empty() && body.floats.is_empty() {
            return;
        }
        self.kind = SectionKind::Body;
        let id = self.claim("", "section-body");
        let mut html = String::new();
        self.flow(&body.body, &mut html);
        if !body.floats.is_empty() {
            html.push_str("<section class=\"floats\" data-floats=\"1\">");
            self.flow(&body.floats, &mut html);
            html.push_str("</section>");
        }
        self.close(SectionKind::Body, String::new(), "", id, html);
    }

    /// Reserves the section's id and adds it to the outline.
    fn open(&mut self, kind: SectionKind, id: &str, title: &str, label: &str) -> String {
        self.kind = kind;
        let id = self.claim(id, &format!("section-{}", kind.name()));
        self.outline.push(OutlineEntry {
            id: id.clone(),
            level: 1,
            label: label.to_owned(),
            title: title.to_owned(),
            section: kind,
        });
        id
    }

    fn close(&mut self, kind: SectionKind, lang: String, title: &str, id: String, html: String) {
        self.sections.push(RenderedSection { kind, lang, title: title.to_owned(), id, html });
    }

    /// Renders content in a language; the previous language is restored afterwards.
    fn within(&mut self, lang: &str, then: impl FnOnce(&mut Self, &mut String)) -> String {
        let outer = (!lang.is_empty()).then(|| std::mem::replace(&mut self.lang, lang.to_owned()));
        let mut html = String::new();
        then(self, &mut html);
        if let Some(outer) = outer {
            self.lang = outer;
        }
        html
    }
}

/// Plain text of the whole article.
fn all_text(article: &Article) -> String {
    let mut out = String::new();
    for text in article.meta.titles.iter().chain(&article.meta.subtitles) {
        out.push_str(&text.plain);
        out.push('\n');
    }
    for group in &article.meta.keywords {
        out.push_str(&group.plain.join("; "));
        out.push('\n');
    }
    body_text(&article.body, &mut out);
    out
}

fn body_text(body: &ArticleBody, out: &mut String) {
    let mut line = |nodes: &[masthead_domain::content::Node]| {
        let text = plain(nodes);
        if !text.is_empty() {
            out.push_str(&text);
            out.push('\n');
        }
    };
    for one in body.abstracts.iter().chain(&body.abstract_graphic) {
        line(&one.nodes);
    }
    line(&body.body);
    line(&body.floats);
    let contributions = body.contributions.iter().map(|one| &one.part);
    let lists = [
        &body.highlights,
        &body.acknowledgements,
        &body.supplementary,
        &body.conflict,
        &body.ethics,
        &body.funding,
        &body.supporting_data,
        &body.glossary,
        &body.appendix,
        &body.notes,
    ];
    for part in lists.into_iter().flatten().chain(contributions) {
        if let Some(title) = &part.title {
            line(&title.nodes);
        }
        line(&part.nodes);
    }
    for note in &body.footnotes {
        line(&note.nodes);
    }
    for list in &body.reference_lists {
        let mut refs = String::new();
        masthead_domain::content::text::push_refs(list, &mut refs);
        out.push_str(&masthead_domain::content::text::fold(&refs));
        out.push('\n');
    }
    for sub in body.responses.iter().chain(&body.sub_articles) {
        for text in sub.titles.iter().chain(&sub.notes) {
            out.push_str(&text.plain);
            out.push('\n');
        }
        body_text(&sub.body, out);
    }
}

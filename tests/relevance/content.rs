//! What a site holds, as documents for other engines and as a source of queries.

use std::collections::HashMap;

use masthead_documents::{figures_and_tables, html::RenderedArticle, html::SectionKind};
use masthead_domain::{
    ArticleId, Doi, LocalText,
    article::ArticleMeta,
    content::{ArticleBody, text::plain},
    of_kind,
    resource::{Picture, Resource as _, ResourceKind, SearchText, TableSheet, TextParts},
    text::without_tags,
};
use masthead_store::{ResourceRow, SiteStore, StoredForm as _};

/// Articles and resources that are read at once.
const ROWS: i64 = 500;

/// What an engine indexes: an article or a resource.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Identifies it in judgements: the DOI of an article (else its number), for figures and tables with `#` and the id in the article;
    /// for other resources the kind, `:` and the key.
    pub key: String,
    /// Its kind, as in the search calls.
    pub kind: String,
    pub title: String,
    pub keywords: String,
    pub authors: String,
    pub company: String,
    pub summary: String,
    pub text: String,
    pub doi: String,
}

/// An article.
#[derive(Debug)]
pub struct Article {
    /// Its key in judgements.
    pub key: String,
    pub meta: ArticleMeta,
    /// The text of its page.
    pub text: String,
}

/// A figure or a table.
#[derive(Debug)]
pub struct Exhibit {
    /// Its key in judgements.
    pub key: String,
    /// Heading and text of the caption.
    pub caption: String,
    /// The texts of its cells; empty for figures.
    pub cells: Vec<String>,
}

/// The content of a site.
#[derive(Debug, Default)]
pub struct Content {
    pub documents: Vec<Document>,
    pub articles: Vec<Article>,
    pub figures: Vec<Exhibit>,
    pub tables: Vec<Exhibit>,
    names: HashMap<i64, String>,
}

impl Content {
    /// Reads a site.
    pub async fn of(site: &SiteStore) -> Self {
        let (mut content, mut after) = (Self::default(), 0);
        loop {
            let listed = site.article_listing(after, ROWS).await.unwrap();
            let Some(last) = listed.last() else { break };
            after = last.id.0;
            for article in listed {
                content.article(site, article.id).await;
            }
        }
        for row in rows(site, 0).await {
            let words = words(&row);
            content.documents.push(document(format!("{}:{}", row.kind.as_str(), key(&row)), row.kind, words));
        }
        for journal in site.shown_journals().await.unwrap() {
            let (key, title) = (format!("publication:{}", journal.key), texts(&[&journal.title]));
            content.documents.push(Document { key, kind: "publication".to_owned(), title, ..Document::default() });
        }
        content
    }

    async fn article(&mut self, site: &SiteStore, id: ArticleId) {
        let stored = site.article(id).await.unwrap().unwrap();
        let body = site.body(id).await.unwrap().unwrap().unseal();
        let rendered: RenderedArticle = serde_json::from_str(stored.rendered.unsealed()).unwrap();
        let meta = stored.meta;
        let name = meta.doi.as_ref().map_or_else(|| format!("number:{}", id.0), Doi::key);
        self.documents.push(of_article(&name, &meta, &rendered));
        for row in rows(site, id.0).await {
            let (mut words, own) = (words(&row), key(&row));
            let key = match row.kind {
                ResourceKind::Picture | ResourceKind::Table => format!("{name}#{}", element(&own)),
                kind => format!("{}:{own}", kind.as_str()),
            };
            match row.kind {
                ResourceKind::Picture => {
                    let figure = Picture::decode(&row.data).unwrap();
                    let caption = texts(&[&figure.title, &figure.note]);
                    self.figures.push(Exhibit { key: key.clone(), caption, cells: Vec::new() });
                }
                ResourceKind::Table => {
                    let table = TableSheet::decode(&row.data).unwrap();
                    let cells = cells(&body, &table.element);
                    words.text.push(("", cells.join("\n")));
                    let caption = texts(&[&table.title, &table.note]);
                    self.tables.push(Exhibit { key: key.clone(), caption, cells });
                }
                _ => {}
            }
            self.documents.push(document(key, row.kind, words));
        }
        self.names.insert(id.0, name.clone());
        self.articles.push(Article { key: name, meta, text: rendered.text });
    }

    /// The key of the article with this number; `None` for a number that the site does not have.
    #[must_use]
    pub fn name(&self, article: i64) -> Option<&str> {
        self.names.get(&article).map(String::as_str)
    }
}

/// The id within the article, of the key of a figure or table.
#[must_use]
pub fn element(key: &str) -> &str {
    key.split_once('/').map_or(key, |(_, element)| element)
}

async fn rows(site: &SiteStore, article: i64) -> Vec<ResourceRow> {
    let (mut all, mut after) = (Vec::new(), 0);
    loop {
        let rows = site.resource_rows(article, after, ROWS).await.unwrap();
        let Some(last) = rows.last() else { return all };
        after = last.id;
        all.extend(rows);
    }
}

fn words(row: &ResourceRow) -> SearchText {
    of_kind!(row.kind, T => T::decode(&row.data).unwrap().search_text())
}

fn key(row: &ResourceRow) -> String {
    of_kind!(row.kind, T => T::decode(&row.data).unwrap().list_keys().key.to_owned())
}

fn document(key: String, kind: ResourceKind, words: SearchText) -> Document {
    let lines = |parts: TextParts| parts.into_iter().map(|(_, text)| text).collect::<Vec<_>>().join("\n");
    let SearchText { title, keywords, authors, company, summary, text, isbn } = words;
    Document {
        key,
        kind: kind.as_str().to_owned(),
        title: lines(title),
        keywords: lines(keywords),
        authors: authors.join("\n"),
        company: lines(company),
        summary: lines(summary),
        text: format!("{}\n{isbn}", lines(text)),
        doi: String::new(),
    }
}

fn of_article(key: &str, meta: &ArticleMeta, rendered: &RenderedArticle) -> Document {
    let join = |parts: Vec<&str>| parts.join("\n");
    let names = meta.contributors.iter().flat_map(|person| {
        std::iter::once(person.display_name()).chain(person.alternatives.iter().map(|(_, name)| name.clone()))
    });
    let summaries = rendered.sections.iter().filter(|section| section.kind == SectionKind::Abstract);
    Document {
        key: key.to_owned(),
        kind: "article".to_owned(),
        title: join(meta.titles.iter().chain(&meta.subtitles).map(|title| title.plain.as_str()).collect()),
        keywords: join(meta.keywords.iter().flat_map(|group| &group.plain).map(String::as_str).collect()),
        authors: names.collect::<Vec<_>>().join("\n"),
        company: join(meta.affiliations.iter().map(|place| place.text.as_str()).collect()),
        summary: without_tags(&join(summaries.map(|section| section.html.as_str()).collect())),
        text: rendered.text.clone(),
        doi: meta.doi.as_ref().map(ToString::to_string).unwrap_or_default(),
    }
}

fn texts(texts: &[&LocalText]) -> String {
    let all = texts.iter().flat_map(|text| text.0.values());
    all.map(String::as_str).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The texts of the cells of a table.
fn cells(body: &ArticleBody, element: &str) -> Vec<String> {
    let Some(table) = figures_and_tables::table(body, element) else { return Vec::new() };
    let rows =
        table.grids.iter().flat_map(|grid| grid.head.iter().chain(grid.bodies.iter().flatten()).chain(&grid.foot));
    rows.flat_map(|row| &row.cells).map(|cell| plain(&cell.nodes)).filter(|text| !text.is_empty()).collect()
}
